"""One segment over one connection: the request, what its answer must say to be believed, and the bytes to disk.

Owns the reading of status, range, size and validator. What an unexpected answer means for the file is decided by
`file_transfer.py`: here it only gets a name.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.errors import HubAnswerUnusable, HubUnreachable
from engine.hub.transfer.line import Answer, Line
from engine.hub.transfer.partial_file import PartialFile, SegmentWriter
from engine.hub.transfer.resolving import (
    Hub,
    LinkRefused,
    ResolvedFile,
    check_hub_status,
    check_later,
    host_of,
    open_link,
)
from engine.hub.transfer.segments import Segment

_STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]{1,500}"')


class Contradiction(Exception):
    """An answer that does not fit what the hub said of the file."""

    def __init__(self, what: str, expected: str, found: str) -> None:
        super().__init__(what, expected, found)
        self.what = what
        self.expected = expected
        self.found = found


class RangesIgnored(Exception):
    """The server gives the whole file whatever is asked of it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it can be had now: from where, what it is, and what is on disk of it.

    `takes_ranges` is false once its server was found to give whole files only.
    """

    hub: Hub
    repo: str
    file: ResolvedFile
    partial: PartialFile
    takes_ranges: bool

    @property
    def host(self) -> str:
        return host_of(self.file.link)


def fetch_segment(
    line: Line, source: Source, segment: Segment, received: Callable[[int], None], recorded: Callable[[], None]
) -> None:
    """Fetch a segment into the partial file; whatever ends it, each byte that came is recorded.

    `received` is told of bytes as they come and may raise to stop, `recorded` is called when some are in the journal.
    Raises Contradiction, RangesIgnored, LinkRefused, AskedToWait, HubAnswerUnusable, NotOnHub, LicenceNotAccepted,
    HubAccessDenied, LibraryNotWritable, NoRoomForDownload, and what `Line` raises.
    """
    headers = {}
    if source.takes_ranges:
        headers["Range"] = f"bytes={segment.start}-{segment.end - 1}"
        if source.partial.validator:
            headers["If-Range"] = source.partial.validator
    with open_link(line, source.hub, source.file.link, headers) as (answer, from_hub):
        _check_status(source, answer, from_hub)
        skip_bytes = _check_extent(source, answer, segment)
        _store(source, answer, segment, skip_bytes, received, recorded)


def _check_status(source: Source, answer: Answer, from_hub: bool) -> None:
    status, headers, file = answer.status, answer.headers, source.file
    check_later(source.host, status, headers)
    if status == 416:
        found = headers.get("content-range", "").rpartition("/")[2]
        raise Contradiction("the size", str(file.size_bytes), found[:80] or "another")
    if from_hub:
        check_hub_status(source.hub, source.repo, file.commit, source.partial.identity.path, status, headers)
    elif status in (401, 403, 404, 410):
        raise LinkRefused(source.host, status)
    elif status not in (200, 206):
        raise HubAnswerUnusable(source.host, "the status", str(status))
    encoding = headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        raise HubAnswerUnusable(source.host, "Content-Encoding", encoding[:80])


def _check_extent(source: Source, answer: Answer, segment: Segment) -> int:
    """That an answer holds the segment, of the file we know; returns how many bytes of its body come before it."""
    headers, partial, size = answer.headers, source.partial, str(source.file.size_bytes)
    validator, known = _strong_etag(headers), partial.validator
    if answer.status == 206:
        expected = f"bytes {segment.start}-{segment.end - 1}/{size}"
        found = headers.get("content-range", "").lower()
        if found != expected:
            raise Contradiction("the range", expected, found[:80] or "absent")
    else:
        found = headers.get("content-length", size)
        if found != size:
            raise Contradiction("the size", size, found[:80])
    if validator != known:
        partial.validator = validator
        if known:  # another version, or the same from another store: the hub is to say which
            raise Contradiction("the ETag", known, validator or "absent")
    if answer.status == 206:
        return 0
    if source.takes_ranges and str(segment.n_bytes) != size:
        raise RangesIgnored
    return segment.start


def _store(
    source: Source,
    answer: Answer,
    segment: Segment,
    skip_bytes: int,
    received: Callable[[int], None],
    recorded: Callable[[], None],
) -> None:
    writer = SegmentWriter(source.partial, segment)
    try:
        for data in answer.body:
            received(len(data))
            skipped = min(skip_bytes, len(data))
            skip_bytes -= skipped
            piece = data[skipped : skipped + segment.end - writer.position]
            if piece and writer.write(piece):
                recorded()
            if len(piece) < len(data) - skipped and source.takes_ranges:
                raise Contradiction("the length", str(segment.n_bytes), "more")
            if writer.is_full and not source.takes_ranges:
                return
    finally:
        writer.record()
    if not writer.is_full:
        raise HubUnreachable(source.host, "the answer ended early")


def _strong_etag(headers: Mapping[str, str]) -> str:
    """A server's validator in its quotation marks, or an empty string where it has none that holds byte for byte."""
    etag = headers.get("etag", "").strip()
    return etag if _STRONG_ETAG.fullmatch(etag) else ""
