"""Messages typed at a prompt: several lines, completion of commands, and a history that is the user's alone.

Owns the keys. Enter sends; Alt+Enter, Ctrl+J or a backslash at the end begin a new line; Ctrl+C drops what was typed;
Ctrl+D on an empty line ends the chat.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle

Complete = Callable[[str], tuple[Sequence[str], int]]


class TypedInput:
    """The prompt. `read` raises EOFError at the end and KeyboardInterrupt where a message was dropped."""

    def __init__(self, history_path: Path | None, complete: Complete) -> None:
        self._prompt: PromptSession[str] = PromptSession(
            "> ",
            multiline=True,
            prompt_continuation="  ",
            history=_history(history_path),
            completer=_CommandCompleter(complete),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            key_bindings=_keys(),
            enable_suspend=True,
        )

    def read(self) -> str:
        return self._prompt.prompt()


class PrivateHistory(FileHistory):
    """A history file only its owner can read; a file that cannot be written is no reason to lose a message."""

    def __init__(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        super().__init__(str(path))

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        with contextlib.suppress(OSError, UnicodeError):
            super().store_string(string)


def _history(path: Path | None) -> History:
    return InMemoryHistory() if path is None else PrivateHistory(path)


class _CommandCompleter(Completer):
    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor
        if line.startswith("/") and "\n" not in line:
            texts, n_typed = self._complete(line)
            for text in texts:
                yield Completion(text, start_position=-n_typed)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _send(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.document.is_cursor_at_the_end and buffer.text.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    @keys.add("c-j")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
