"""Files in a message: how they stand in its text, and how they are found there again.

A file follows what the person wrote as a fenced block of Markdown, whose first line is four or more backticks, `file`
and its name. So the model reads it with its name, an export shows it as a block, and an import needs to know nothing of
it. Only blocks that reach to the end of the message are files; anything else is text. Knows no disk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_NAME = 120
UNNAMED = "file"
_LEAST_FENCE = 4
_MOST_TRIES = 20  # blocks that are looked at, where a person wrote something that only begins like a file
_OPENING = re.compile(r"^(`{4,})file ([^`\n]+)$", re.MULTILINE)
_RUN = re.compile(r"^ {0,3}(`+)", re.MULTILINE)
_UNFIT = re.compile(r"[\x00-\x1f\x7f`\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file's name, without folders, and its text."""

    name: str
    text: str

    @property
    def n_bytes(self) -> int:
        """Of the text as UTF-8."""
        return len(self.text.encode("utf-8", "replace"))

    @property
    def n_lines(self) -> int:
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))


def file_name(name: str) -> str:
    """A name as it can stand on one line of a message."""
    clean = " ".join(_UNFIT.sub(" ", name).split())
    if len(clean) > LONGEST_NAME:
        stem, dot, suffix = clean.rpartition(".")
        kept = f"…{dot}{suffix}" if stem and len(suffix) < 16 else "…"
        clean = clean[: LONGEST_NAME - len(kept)] + kept
    return clean or UNNAMED


def with_files(text: str, files: Sequence[AttachedFile]) -> str:
    """A message's text with the files behind it."""
    return "\n\n".join(([text] if text.strip() else []) + [_block(file) for file in files]) if files else text


def split_files(content: str) -> tuple[str, tuple[AttachedFile, ...]]:
    """What the person wrote, and the files behind it."""
    for tries, opening in enumerate(_OPENING.finditer(content)):
        if tries == _MOST_TRIES:
            break
        start = opening.start()
        if start and not content.endswith("\n\n", 0, start):
            continue
        files = _files_from(content, start)
        if files:
            return content[: max(0, start - 2)], files
    return content, ()


def _block(file: AttachedFile) -> str:
    longest = max((len(run) for run in _RUN.findall(file.text)), default=0)
    fence = "`" * max(_LEAST_FENCE, longest + 1)
    return f"{fence}file {file_name(file.name)}\n{file.text}\n{fence}"


def _files_from(content: str, start: int) -> tuple[AttachedFile, ...]:
    """Files from here to the end; none where something else follows one of them."""
    found: list[AttachedFile] = []
    while opening := _OPENING.match(content, start):
        end = _closing(content, opening.end() + 1, opening[1])
        if end < 0:
            return ()
        found.append(AttachedFile(opening[2], content[opening.end() + 1 : end]))
        start = end + 1 + len(opening[1])
        if start == len(content):
            return tuple(found)
        if not content.startswith("\n\n", start):
            return ()
        start += 2
    return ()


def _closing(content: str, start: int, fence: str) -> int:
    """Where the line break before a block's last line is; negative where there is none."""
    found = re.compile(rf"\n{fence}(?=\n|\Z)").search(content, start)
    return found.start() if found else -1
