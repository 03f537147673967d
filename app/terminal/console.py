"""What the terminal shows, and where: answers on the standard output, everything else apart from them.

Owns the two streams, the one line of progress that overwrites itself, and the care that text from a model or its file
cannot steer the terminal. Without a terminal, answers alone go out untouched and progress becomes one plain line per
phase, and one more for each tenth of a phase that takes long.
"""

import os
import re
import shutil
import time
from collections.abc import Callable
from typing import TextIO

from app.error_text import ErrorText
from app.terminal.text_width import columns_of
from app.terminal.word_wrap import WordWrap
from app.time_left import TimeLeft, time_left_words
from engine.messages import Progress

# Escape sequences and control characters in an answer could move the cursor or rewrite what was said before.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BREAK = re.compile(r"\r\n|[\t\n\v\f\r\x85\u2028\u2029]")
_PHASES = {
    "verify": "Checking the file",
    "pack": "Preparing the model, once",
    "tune": "Measuring this computer, once",
    "read": "Reading the model",
    "compile": "Preparing the compute kernels",
    "prompt": "Reading the conversation",
    "weights": "Making random weights",
    "rates": "Measuring how fast memory is read",
    "checks": "Comparing tokens with the reference",
    "decode": "Measuring decoding",
    "prefill": "Measuring the reading of prompts",
    "rounds": "Taking turns with other engines",
    "observe": "Watching neurons while text is read",
    "train": "Training predictors",
    "evaluate": "Measuring on text that was held out",
    "choose": "Choosing what each layer leaves out",
    "compare": "Answering twice",
    "headers": "Reading what its weights are",
}


# Without a terminal, so much time lies between two lines of progress at least.
_PLAIN_EVERY_S = 15.0


class Console:
    """The two streams of one run; whether each is a terminal decides what is written to it.

    clock  seconds that pass evenly
    """

    def __init__(self, out: TextIO, err: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._err = err
        self._out_is_terminal = out.isatty()
        self._err_is_terminal = err.isatty()
        self._wraps = understands_escapes(out)
        self._styled = understands_escapes(err) and not os.environ.get("NO_COLOR")  # no-color.org
        self._wrap = WordWrap()
        self._line_open = False
        self._progress_width = 0
        self._clock = clock
        self._time_left = TimeLeft()
        self._plain_phase, self._plain_tenth, self._plain_at = "", 0, 0.0

    def answer(self, text: str) -> None:
        """Add characters to the answer that is being written."""
        if not text:
            return
        self.clear_progress()
        self._line_open = not text.endswith("\n")
        text = _CONTROL.sub("", text) if self._out_is_terminal else text
        self._out.write(self._wrap.add(text, _columns()) if self._wraps else text)
        self._out.flush()

    def end_answer(self) -> None:
        """Begin a new line unless the answer did."""
        self.clear_progress()
        if self._line_open:
            self._out.write("\n")
            self._out.flush()
        self._line_open = False
        self._wrap = WordWrap()

    def result(self, text: str) -> None:
        """A line that was asked for, on the standard output."""
        self.result_lines(one_line(text))

    def result_lines(self, text: str) -> None:
        """Several lines that were asked for; the breaks in the text are meant."""
        self.end_answer()
        self._out.write(_CONTROL.sub("", text) + "\n")
        self._out.flush()

    def blank_line(self) -> None:
        """Space between two exchanges, for the eye only."""
        self.end_answer()
        if self._out_is_terminal:
            self._out.write("\n")
            self._out.flush()

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads the answers here."""
        return self._out_is_terminal

    @property
    def columns(self) -> int | None:
        """Columns a line of the standard output may take; None where it is no terminal and lines have no end."""
        return _columns() if self._out_is_terminal else None

    def note(self, text: str) -> None:
        """A line beside the answers."""
        self._say(one_line(text), "\x1b[2m")

    def error(self, text: ErrorText | str) -> None:
        """What went wrong and what to do next."""
        lines = (text,) if isinstance(text, str) else (text.cause, text.action)
        self._say("\n".join(one_line(line) for line in lines), "\x1b[31m")

    def progress(self, event: Progress) -> None:
        """Show how far a request is."""
        phase = _PHASES.get(event.phase, event.phase)
        seconds = self._time_left.seconds(event.phase, event.done, event.total, self._clock())
        left = "" if seconds is None else f", {time_left_words(seconds)}"
        if not self._err_is_terminal:
            self._plain_progress(phase, event, left)
            return
        share = f" {100 * event.done // event.total:3d} %" if event.total > 0 else "..."
        if self._line_open or (event.total > 0 and event.done >= event.total):
            self.clear_progress()
            return
        line = next((line for line in (phase + share + left, phase + share) if columns_of(line) <= _columns()), "")
        if line:
            self._err.write("\r" + line + " " * (self._progress_width - columns_of(line)))
            self._err.flush()
            self._progress_width = columns_of(line)

    def status(self, text: str) -> None:
        """Show one line in the place of the line of progress, where there is a terminal; else nothing."""
        text = one_line(text)
        if not self._err_is_terminal or self._line_open or columns_of(text) > _columns():
            return
        self._err.write("\r" + text + " " * (self._progress_width - columns_of(text)))
        self._err.flush()
        self._progress_width = columns_of(text)

    @property
    def shows_status(self) -> bool:
        """Whether a person sees lines that overwrite themselves; `status_columns` is how many columns they may take."""
        return self._err_is_terminal

    @property
    def status_columns(self) -> int:
        return _columns()

    def _plain_progress(self, phase: str, event: Progress, left: str) -> None:
        tenth = 10 * min(event.done, event.total - 1) // event.total if event.total > 0 else 0
        is_new = phase != self._plain_phase
        if not is_new and tenth < self._plain_tenth:
            self._plain_tenth = tenth  # the same once more, of something else
        has_waited = self._clock() - self._plain_at >= _PLAIN_EVERY_S
        if is_new and event.phase != "prompt":
            self._err.write(f"{phase}...\n")
        elif not is_new and tenth > self._plain_tenth and has_waited:
            self._err.write(f"{phase}: {10 * tenth} %{left}\n")
        else:
            return
        self._plain_phase, self._plain_tenth, self._plain_at = phase, tenth, self._clock()
        self._err.flush()

    def waiting(self) -> None:
        """Show that a message is being read, before the engine can say how far it is."""
        if self._err_is_terminal:
            self.progress(Progress("", "prompt", 0, 0))

    def clear_progress(self) -> None:
        """Take the line of progress away."""
        if self._progress_width:
            self._err.write("\r" + " " * self._progress_width + "\r")
            self._err.flush()
            self._progress_width = 0

    def _say(self, text: str, style: str) -> None:
        self.end_answer()
        self._err.write(f"{style}{WordWrap().add(text, _columns())}\x1b[0m\n" if self._styled else f"{text}\n")
        self._err.flush()


def one_line(text: str) -> str:
    """Text that can neither steer a terminal nor begin a line of its own: breaks become blanks."""
    return _CONTROL.sub("", _BREAK.sub(" ", text))


def understands_escapes(stream: TextIO) -> bool:
    """Whether this is a terminal that follows escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and (os.name != "nt" or "WT_SESSION" in os.environ)


def _columns() -> int:
    """Columns that may be used: the last one is left free, where terminals differ about the cursor."""
    return max(shutil.get_terminal_size().columns - 1, 1)
