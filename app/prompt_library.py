"""The prompt library: texts that are used again, with places to fill, those of the user and those that come with Ember.

Owns the file of the user's own (TOML, replaced as a whole or not at all; a broken one is kept aside and said so), which
prompts a few typed letters find, and what a prompt becomes once its places are filled. Knows no Qt.
"""

import contextlib
import json
import os
import re
import tempfile
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.engine_phrases import parser_words

VERSION = 1
MAX_NAME, MAX_TEXT, MAX_PROMPTS = 60, 20_000, 500
TEXT, CLIPBOARD = "text", "clipboard"
"""Places that are filled by themselves: with what stands in the field, and with what was copied."""

_PLACE = re.compile(r"\{\{\s*([^{}\n]{1,40}?)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    text: str
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class Filled:
    """A prompt with its places filled; `start` and `length` are those of the first that is left to the person."""

    text: str
    start: int
    length: int


class PromptLibrary:
    """The prompts of a language and the user's own.

    problem  why the user's file was not read, in the system's words, and `kept_aside` where it lies now
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.problem = ""
        self.kept_aside: Path | None = None
        self._folder = folder
        self._may_write = True
        self.own: tuple[Prompt, ...] = self._read_own()

    def prompts(self, language: str) -> tuple[Prompt, ...]:
        """The user's own, then those that come with Ember in this language, but for those of the same name."""
        names = {prompt.name.casefold() for prompt in self.own}
        return (*self.own, *(p for p in self.built_in(language) if p.name.casefold() not in names))

    def built_in(self, language: str) -> tuple[Prompt, ...]:
        name = "zh_CN" if language.startswith("zh") else "en"
        table = tomllib.loads((self._folder / f"{name}.toml").read_text(encoding="utf-8"))
        return _prompts(table, is_own=False)

    def keep(self, own: Iterable[Prompt]) -> None:
        """Replace the user's own, and the file with them. Raises OSError, and the file stays as it was."""
        if not self._may_write:
            raise PermissionError(0, self.problem, str(self.path))
        prompts = tuple(Prompt(_name(p.name), p.text[:MAX_TEXT]) for p in own if p.name.strip() and p.text.strip())
        lines = [f"version = {VERSION}\n"]
        lines += [f"\n[[prompt]]\nname = {_toml(p.name)}\ntext = {_toml(p.text)}\n" for p in prompts[:MAX_PROMPTS]]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write("".join(lines).encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
        self.own = prompts[:MAX_PROMPTS]

    def _read_own(self) -> tuple[Prompt, ...]:
        try:
            return _prompts(tomllib.loads(self.path.read_bytes().decode("utf-8")), is_own=True)
        except FileNotFoundError:
            return ()
        except OSError as error:  # not ours to replace: what cannot be read may still be good
            self.problem = error.strerror or str(error)
            self._may_write = False
        except (ValueError, RecursionError) as error:  # of the parser, or of text that is no UTF-8
            self.problem = parser_words(error)
            aside = self.path.with_name(f"{self.path.stem}.broken-{time.strftime('%Y%m%d-%H%M%S')}{self.path.suffix}")
            try:
                self.path.rename(aside)
                self.kept_aside = aside
            except OSError:
                self._may_write = False
        return ()


def matching(prompts: Iterable[Prompt], typed: str) -> list[Prompt]:
    """Those that what was typed finds: names that begin with it, then names and at last texts that contain it."""
    wanted = typed.casefold().strip()
    ranked: list[tuple[int, Prompt]] = []
    for prompt in prompts:
        name = prompt.name.casefold()
        if name.startswith(wanted):
            ranked.append((0, prompt))
        elif wanted in name:
            ranked.append((1, prompt))
        elif wanted in prompt.text.casefold():
            ranked.append((2, prompt))
    return [prompt for _, prompt in sorted(ranked, key=lambda pair: pair[0])]


def places(text: str) -> tuple[str, ...]:
    """The names of a text's places, each once."""
    return tuple(dict.fromkeys(match[1] for match in _PLACE.finditer(text)))


def filled(prompt: Prompt, typed: str, clipboard: str, *, has_files: bool = False) -> Filled:
    """The prompt's text with what is known in its places.

    What was typed is put behind a prompt that has no place for it. A file beside the message stands for the text that
    was not typed.
    """
    known = {CLIPBOARD: clipboard.strip("\n")} if clipboard.strip() else {}
    if typed.strip() or has_files:
        known[TEXT] = typed.strip("\n")
    has_place = TEXT in places(prompt.text)
    text, parts, at, first = prompt.text.strip("\n"), [], 0, (-1, 0)
    length = 0
    for match in _PLACE.finditer(text):
        before = text[at : match.start()]
        inside = known.get(match[1], match[0])
        parts += [before, inside]
        if match[1] not in known and first[0] < 0:
            first = (length + len(before), len(match[0]))
        length += len(before) + len(inside)
        at = match.end()
    whole = "".join([*parts, text[at:]])
    if typed.strip() and not has_place:
        whole = f"{whole}\n\n{typed.strip()}"
    whole = whole.rstrip("\n")
    start, n = first if first[0] >= 0 else (len(whole), 0)
    return Filled(whole, start, n)


def next_place(text: str, start: int) -> tuple[int, int]:
    """Where the next place from a position is, and its length; (-1, 0) where there is none."""
    match = _PLACE.search(text, start)
    return (match.start(), len(match[0])) if match else (-1, 0)


def _prompts(table: dict[str, object], *, is_own: bool) -> tuple[Prompt, ...]:
    """What of a file's table is a prompt."""
    entries = table.get("prompt")
    found: list[Prompt] = []
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict):
            continue
        name, text = entry.get("name"), entry.get("text")
        if isinstance(name, str) and isinstance(text, str) and name.strip() and text.strip():
            found.append(Prompt(_name(name), text.strip("\n")[:MAX_TEXT], is_own))
    return tuple(found[:MAX_PROMPTS])


def _name(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME]


def _toml(text: str) -> str:
    """A TOML basic string is a JSON string, except that TOML also forbids a bare DEL."""
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")
