"""Several answers to one message in the terminal: each under a heading of its own, in the order of their numbers.

Owns the order of what is shown: the first answer that has not ended is written as it comes, those behind it are kept
until it is their turn. Their speed is that of all together.
"""

from collections.abc import Sequence

from app.chat.several_answers import samplings_of
from app.error_text import ErrorText
from app.terminal.console import Console
from app.terminal.dialogue import Dialogue, stats_line
from app.terminal.library_commands import explain
from app.terminal.session import EngineDied, RequestFailed, Stopped
from engine.messages import ChatMessage, GenerationStats, SamplingParams, VariantEnded, VariantText
from engine.neuron_reports import EXACT

_ENDINGS = {
    "length": "The answer reached max_tokens.",
    "context": "The context is full.",
}


def problem_of(n_variants: int, message: str, sampling: SamplingParams, tier: str) -> ErrorText | None:
    """Why so many answers cannot be given, and what to do; None where they can."""
    if not message:
        return ErrorText(
            "Several answers at once are given to one message, and there is none.",
            f'Write it behind the model: ember chat MODEL --variants {n_variants} "a question"',
        )
    if tier != EXACT:
        return ErrorText(
            f"Several answers at once are computed exactly, not by the tier {tier}.",
            "Leave out --tier, or ask for one answer.",
        )
    if sampling.temperature == 0:
        return ErrorText(
            f"At temperature 0 all {n_variants} answers would be the same.",
            "Choose a higher one, such as --temperature 0.7, or ask for one answer.",
        )
    return None


def ask_variants(dialogue: Dialogue, message: str, n_variants: int) -> int:
    """Show so many answers to a message; return an exit code."""
    console = dialogue.console
    opening = [ChatMessage("system", dialogue.system)] if dialogue.system else []
    shown = _Shown(console, n_variants, shows_stats=dialogue.shows_stats)
    console.waiting()
    try:
        dialogue.session.generate_variants(
            [*opening, ChatMessage("user", message)], samplings_of(dialogue.sampling, n_variants), shown.take
        )
    except (RequestFailed, EngineDied, Stopped) as error:
        shown.rest()
        return explain(error, console)
    if shown.is_stopped:
        console.note("Stopped.")
    console.note(together_line(shown.stats))
    return 0


class _Shown:
    """What came of each answer, and how far it is on the screen."""

    def __init__(self, console: Console, n_variants: int, *, shows_stats: bool) -> None:
        self._console, self._shows_stats = console, shows_stats
        self._held: list[list[str]] = [[] for _ in range(n_variants)]
        self._ended: dict[int, VariantEnded] = {}
        self._turn = 0  # whose it is
        self._is_headed = self._has_text = False

    @property
    def stats(self) -> list[GenerationStats]:
        """Of the answers that have ended."""
        return [event.stats for event in self._ended.values()]

    @property
    def is_stopped(self) -> bool:
        return any(event.reason == "cancelled" for event in self._ended.values())

    def take(self, event: VariantText | VariantEnded) -> None:
        """Show it, or keep it until its answer's turn."""
        if isinstance(event, VariantText):
            self._held[event.number].append(event.text)
        else:
            self._ended[event.number] = event
        self._catch_up()

    def rest(self) -> None:
        """All that came, where nothing more will."""
        while self._turn < len(self._held):
            if self._held[self._turn] or self._is_headed:
                self._write()
                self._console.end_answer()
            self._next_turn()

    def _catch_up(self) -> None:
        while self._turn < len(self._held):
            if self._held[self._turn]:
                self._write()
            ended = self._ended.get(self._turn)
            if ended is None:
                return
            if self._is_headed or ended.reason != "cancelled":
                self._write()
                self._console.end_answer()
                self._say_end(ended)
            self._next_turn()

    def _next_turn(self) -> None:
        self._turn, self._is_headed, self._has_text = self._turn + 1, False, False

    def _write(self) -> None:
        """What is kept of the answer whose turn it is, under its heading."""
        if not self._is_headed:
            if self._turn:
                self._console.blank_line()
            self._console.result(f"[{self._turn + 1} of {len(self._held)}]")
            self._is_headed = True
        text = "".join(self._held[self._turn])
        self._held[self._turn].clear()
        self._has_text = self._has_text or bool(text)
        self._console.answer(text)

    def _say_end(self, ended: VariantEnded) -> None:
        if ended.reason in _ENDINGS:
            self._console.note(_ENDINGS[ended.reason])
        elif not self._has_text and ended.reason != "cancelled":
            self._console.note("The model answered with nothing.")
        if self._shows_stats and self._has_text:
            self._console.note(f"{stats_line(ended.stats)} · seed {ended.stats.seed}")


def together_line(answers: Sequence[GenerationStats]) -> str:
    """The speed of answers that were computed together, in one line."""
    n_tokens = sum(stats.generated_tokens for stats in answers)
    line = f"{len(answers)} answers, {n_tokens:,} tokens"
    begun = [stats for stats in answers if stats.generated_tokens > 0]
    n_decoded = sum(stats.generated_tokens - 1 for stats in begun)
    if not n_decoded:
        return line
    seconds = max(s.first_token_s + s.decode_s for s in begun) - min(s.first_token_s for s in begun)
    speeds = [stats.decode_tokens_per_s for stats in begun if stats.decode_tokens_per_s > 0]
    if seconds <= 0 or not speeds:
        return line
    mean = sum(speeds) / len(speeds)
    return f"{line} at {n_decoded / seconds:.1f}/s together, {mean:.1f}/s each"
