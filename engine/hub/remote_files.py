"""Bytes of a repository's files, by ranges, each length bounded before it is asked for.

Owns what an answer must say to be believed, and how much is taken in of one repository altogether. What the bytes mean
is in `remote_headers.py`.
"""

import contextlib
import hashlib
import io
from collections.abc import Callable, Iterator, Mapping

from engine.catalog_reports import HubFile, HubRepository
from engine.errors import DownloadMismatch, ForeignFile, HubAnswerUnusable
from engine.hub.transfer.line import Answer, Line
from engine.hub.transfer.resolving import AskedToWait, Hub, check_hub_status, check_later, host_of, open_link

# Bytes taken in for one repository: its small files (Gemma's vocabulary has 34 MB), and headers of its weights.
MAX_TEXT_BYTES = 96 << 20
MAX_HEADER_BYTES = 96 << 20
# The last request of a torch file, which ends with the directory of its archive.
_LAST_BYTES = 256 << 10
_PIECE_BYTES = 64 << 10


class RemoteFiles:
    """Bytes of a repository's files at its commit, each length bounded before it is asked for."""

    def __init__(self, line: Line, hub: Hub, repository: HubRepository) -> None:
        self._line = line
        self._hub = hub
        self._repo, self._commit = repository.model.repo, repository.commit
        self._text_left = MAX_TEXT_BYTES
        self._header_left = MAX_HEADER_BYTES
        self.on_piece: Callable[[], None] = lambda: None

    def whole(self, file: HubFile) -> bytes:
        """A small file, held to its digest."""
        if file.size_bytes > self._text_left:
            raise ForeignFile(
                f"{self._repo}/{file.path}",
                f"small files of at most {MAX_TEXT_BYTES} bytes",
                f"{file.size_bytes} bytes",
            )
        self._text_left -= file.size_bytes
        data = self._read(file, 0, file.size_bytes) if file.size_bytes else b""
        if file.sha256:
            kind, expected, found = "SHA-256", file.sha256, hashlib.sha256(data).hexdigest()
        else:
            kind, expected = "git SHA-1", file.git_sha1
            head = b"blob %d\0" % len(data)
            found = hashlib.sha1(head + data, usedforsecurity=False).hexdigest()
        if found != expected:
            raise DownloadMismatch(f"{self._repo}/{file.path}", kind, expected, found)
        return data

    def part(self, file: HubFile, begin: int, end: int) -> bytes:
        """The bytes from `begin` up to `end` of a large file."""
        if end - begin > self._header_left:
            raise ForeignFile(
                f"{self._repo}/{file.path}", f"headers of at most {MAX_HEADER_BYTES} bytes", "longer ones"
            )
        self._header_left -= end - begin
        return self._read(file, begin, end)

    def _read(self, file: HubFile, begin: int, end: int) -> bytes:
        url = self._hub.address(self._repo, self._commit, file.path)
        headers = {"Range": f"bytes={begin}-{end - 1}"}
        self.on_piece()
        with self._answers(url, headers, file) as answer:
            expected = f"bytes {begin}-{end - 1}/{file.size_bytes}"
            found = answer.headers.get("content-range", "absent").lower()
            if answer.status == 206 and found != expected:
                raise self._unusable("the range", found)
            if answer.status == 200 and begin:
                raise self._unusable("the range", "the whole file")
            data = bytearray()
            for piece in answer.body:
                data += piece
                self.on_piece()
                if len(data) >= end - begin:
                    break
        if len(data) < end - begin:
            raise self._unusable("the length", f"{len(data)} bytes of {end - begin}")
        return bytes(data[: end - begin])

    @contextlib.contextmanager
    def _answers(self, url: str, headers: Mapping[str, str], file: HubFile) -> Iterator[Answer]:
        with open_link(self._line, self._hub, url, headers) as (answer, from_hub):
            host = host_of(self._hub.endpoint)
            try:
                if from_hub:
                    check_hub_status(self._hub, self._repo, self._commit, file.path, answer.status, answer.headers)
                check_later(host, answer.status, answer.headers)
            except AskedToWait as waiting:
                raise waiting.error from waiting
            if answer.status not in (200, 206):
                raise self._unusable("the status", str(answer.status))
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                raise self._unusable("Content-Encoding", answer.headers["content-encoding"])
            yield answer

    def _unusable(self, what: str, found: str) -> HubAnswerUnusable:
        return HubAnswerUnusable(host_of(self._hub.endpoint), what, found[:80])


class RemoteFile(io.RawIOBase):
    """A file of the hub that reads like one here, in pieces that are kept; its end in one, where archives begin."""

    def __init__(self, source: RemoteFiles, file: HubFile) -> None:
        super().__init__()
        self._source = source
        self._file = file
        self._at = 0
        self._pieces: list[tuple[int, bytes]] = []

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size_bytes}[whence]
        if base + offset < 0:
            raise ValueError(f"the offset {base + offset}")
        self._at = base + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        view = memoryview(buffer).cast("B")
        end = min(self._at + len(view), self._file.size_bytes)
        if end <= self._at:
            return 0
        held = next(((b, data) for b, data in self._pieces if b <= self._at < b + len(data)), None)
        if held is None:
            held = self._fetch(end)
        begin, data = held
        piece = data[self._at - begin : end - begin]
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def _fetch(self, end: int) -> tuple[int, bytes]:
        size = self._file.size_bytes
        tail = max(0, size - _LAST_BYTES)
        begin, last = (tail, size) if self._at >= tail else (self._at, max(end, self._at + _PIECE_BYTES))
        data = self._source.part(self._file, begin, min(last, size))
        self._pieces.append((begin, data))
        return begin, data
