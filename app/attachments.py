"""Files that a person adds to a message: read as text, within limits, or refused with the reason and its numbers.

Owns which files can be read, how much of them and for how long. A PDF is read by a process of its own
(app/pdf_text.py), since a file from somewhere may take any time and memory; all else by a thread that is left behind
where the drive does not answer, since nothing can interrupt the system then. Knows no Qt; words for a refusal are the
window's.
"""

import codecs
import contextlib
import errno
import json
import os
import queue
import re
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from app import pdf_text
from app.chat.attached_files import AttachedFile, file_name

MAX_TEXT_BYTES = 4_000_000
MAX_PDF_BYTES = 100_000_000
MAX_CHARACTERS = 2_000_000
MAX_FILES = 20
PDF_SECONDS = 60.0
KILL_SECONDS = 3.0
READ_SECONDS = 20.0  # a drive that works has told 4 MB long before
LONG_CHARACTERS, LONG_LINES = 2000, 40  # pasted text that is longer becomes a file

MISSING, UNREADABLE, NO_FILE, EMPTY = "missing", "unreadable", "no file", "empty"
TOO_LARGE, BINARY, TOO_LONG, TOO_MANY = "too large", "binary", "too long", "too many"
ENCRYPTED, NO_TEXT, DAMAGED = "encrypted", "no text", "damaged"
TOO_MANY_PAGES, TOO_SLOW, NO_ANSWER = "too many pages", "too slow", "no answer"
REASONS = (
    MISSING, UNREADABLE, NO_FILE, EMPTY, TOO_LARGE, BINARY, TOO_LONG, TOO_MANY, ENCRYPTED, NO_TEXT, DAMAGED,
    TOO_MANY_PAGES, TOO_SLOW, NO_ANSWER,
)  # fmt: skip

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GB2312 = re.compile(rb"(?:[\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])*+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROL = 0.01  # of the characters of a text
_PDF_MARK_WITHIN = 1024  # bytes from the start, as the format allows


class Refused(Exception):
    """A file that cannot be added.

    reason   one of REASONS
    found    bytes, characters, pages or files there are; `limit` of them is the most; 0 where it is not about numbers
    detail   the system's words, where there are any
    """

    def __init__(self, name: str, reason: str, *, found: int = 0, limit: int = 0, detail: str = "") -> None:
        super().__init__(name, reason)
        self.name = name
        self.reason = reason
        self.found = found
        self.limit = limit
        self.detail = detail


def is_long(text: str) -> bool:
    """Whether pasted text is better kept beside a message than in its field."""
    return len(text) > LONG_CHARACTERS or text.count("\n") >= LONG_LINES


def read_attachment(path: Path, is_unwanted: Callable[[], bool] = lambda: False) -> AttachedFile:
    """The file's text; given up soon after `is_unwanted`. Raises Refused."""
    name = file_name(path.name)
    data = _data_in_time(path, name, is_unwanted)
    text = _text_of_pdf(path, name, is_unwanted) if data is None else _text_of(data, name)
    if not text.strip():
        raise Refused(name, EMPTY)
    if len(text) > MAX_CHARACTERS:
        raise Refused(name, TOO_LONG, found=len(text), limit=MAX_CHARACTERS)
    return AttachedFile(name, text)


def _data_in_time(path: Path, name: str, is_unwanted: Callable[[], bool]) -> bytes | None:
    """As `_data_of`; Refused where the drive does not answer, whose thread ends when the system lets it."""
    answers: queue.SimpleQueue[bytes | Refused | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            answers.put(_data_of(path, name))
        except Refused as refused:
            answers.put(refused)

    threading.Thread(target=read, name="ember-attachment", daemon=True).start()
    end = time.monotonic() + READ_SECONDS
    while True:
        try:
            answer = answers.get(timeout=0.1)
            break
        except queue.Empty:
            if is_unwanted() or time.monotonic() > end:
                raise Refused(name, NO_ANSWER, limit=int(READ_SECONDS)) from None
    if isinstance(answer, Refused):
        raise answer
    return answer


def _data_of(path: Path, name: str) -> bytes | None:
    """What is in the file; None for a PDF, of which only the beginning is read here."""
    try:
        looked_at = path.stat()
        if not stat.S_ISREG(looked_at.st_mode):  # opening a pipe would wait for whoever writes to it
            raise Refused(name, NO_FILE)
        with path.open("rb") as file:
            begin = file.read(_PDF_MARK_WITHIN)
            is_pdf = b"%PDF-" in begin
            size, limit = looked_at.st_size, MAX_PDF_BYTES if is_pdf else MAX_TEXT_BYTES
            if size > limit:
                raise Refused(name, BINARY if b"\0" in begin and not is_pdf and not _mark(begin) else TOO_LARGE,
                              found=size, limit=limit)  # fmt: skip
            return None if is_pdf else begin + file.read(limit + 1)
    except OSError as error:
        reason = MISSING if error.errno == errno.ENOENT else UNREADABLE
        raise Refused(name, reason, detail=error.strerror or str(error)) from error


def _mark(data: bytes) -> str:
    """The encoding that a byte order mark names."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "")


def _text_of(data: bytes, name: str) -> str:
    encoding = _mark(data)
    if not encoding and b"\0" in data:
        raise Refused(name, BINARY)
    text = _decoded(data, encoding)
    if len(_CONTROL.findall(text)) > _MOST_CONTROL * len(text):
        raise Refused(name, BINARY)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, encoding: str) -> str:
    """By its mark, else as UTF-8, else as the Chinese or the western encoding that came before it."""
    try:
        return data.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding:
            return data.decode(encoding, "replace")
    if _GB2312.fullmatch(data):
        return data.decode("gb18030", "replace")
    return data.decode("cp1252", "replace")


def _wait_a_while(reader: "subprocess.Popen[bytes]") -> None:
    """Until a process that was ended is gone, unless a drive that does not answer holds it."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        reader.communicate(timeout=KILL_SECONDS)


def _text_of_pdf(path: Path, name: str, is_unwanted: Callable[[], bool]) -> str:
    command = [sys.executable, "-I", pdf_text.__file__, str(path), str(MAX_CHARACTERS)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    end = time.monotonic() + PDF_SECONDS
    reader = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    while True:
        try:
            told, _ = reader.communicate(timeout=0.1)
            break
        except subprocess.TimeoutExpired:
            if is_unwanted() or time.monotonic() > end:
                reader.kill()
                _wait_a_while(reader)
                raise Refused(name, TOO_SLOW, limit=int(PDF_SECONDS)) from None
    try:
        answer = json.loads(told)
        reason = str(answer.get("refused", ""))
        text, found, limit = str(answer.get("text", "")), int(answer.get("found", 0)), int(answer.get("limit", 0))
    except (ValueError, AttributeError, TypeError):  # it was ended by the system, or by its own limits
        raise Refused(name, DAMAGED) from None
    if reason:
        raise Refused(name, reason if reason in REASONS else DAMAGED, found=found, limit=limit)
    return text
