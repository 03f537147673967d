"""`ember pull`: one model from the hub, with a line of progress on a terminal and plain lines in a pipe.

The engine fetches and packs; this shows how far it is. Ctrl+C pauses, and says how to go on. Ended in any other way,
what has arrived is kept as well, and the same command goes on from there.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.download_words import kept_words, next_step
from app.error_text import describe, describe_host_death, format_bytes
from app.terminal.console import Console, one_line
from app.terminal.library_commands import INTERRUPTED, state_words
from app.terminal.session import EngineDied, Session
from app.time_left import time_left_words
from engine.errors import ErrorReport
from engine.messages import Event
from engine.transfer_reports import (
    HUB,
    AddDownload,
    DownloadAdded,
    DownloadReport,
    DownloadsRead,
    LimitDownloads,
    NetworkSettings,
    SteerDownload,
    UseNetwork,
    WatchDownloads,
)

_BAR_COLUMNS = 20
_PLAIN_EVERY_S = 15.0
# Errors after which another address of the hub may help.
_NOT_THERE = ("NotOnHub",)
_UNREACHABLE = ("HubUnreachable", "TransferStalled", "HubBusy")


@dataclass(frozen=True, slots=True)
class PullOptions:
    """What was asked for; `command` is how to ask for it again."""

    reference: str
    command: str
    network: NetworkSettings = field(default_factory=NetworkSettings)
    limit_bytes_s: int | None = None
    weight_format: str = ""
    packs: bool = True
    keeps_source: bool = True


def run_pull(
    session: Session, console: Console, options: PullOptions, clock: Callable[[], float] = time.monotonic
) -> int:
    """Fetch a model and prepare it; returns the exit code."""
    session.ask(UseNetwork(session.next_id(), options.network))
    if options.limit_bytes_s is not None:
        session.ask(LimitDownloads(session.next_id(), options.limit_bytes_s))
    added = session.ask(
        AddDownload(
            session.next_id(),
            options.reference,
            weight_format=options.weight_format,
            packs=options.packs,
            keeps_source=options.keeps_source,
        )
    )
    if not isinstance(added, DownloadAdded):
        return 1
    watch = _Watch(console, added.download_id, options.network, clock)
    pause = SteerDownload(session.next_id(), added.download_id, "pause")
    try:
        session.follow(
            WatchDownloads(session.next_id()), watch.see, lambda: watch.interrupted(lambda: session.tell(pause))
        )
    except EngineDied as death:
        console.clear_progress()
        console.error(describe_host_death(death.event, is_command=True))
        if watch.latest is not None and (kept := kept_words(watch.latest)):
            console.note(f"{kept} Go on with: {options.command}")
        return 1
    return _said(console, watch.latest, options)


class _Watch:
    """Shows one download among those that the engine tells of."""

    def __init__(
        self, console: Console, download_id: str, network: NetworkSettings, clock: Callable[[], float]
    ) -> None:
        self.latest: DownloadReport | None = None
        self._console = console
        self._download_id = download_id
        self._network = network
        self._clock = clock
        self._pausing = False
        self._told_state = ""
        self._told_tenth = -1
        self._told_at = float("-inf")
        self._told_error = ""

    def see(self, event: Event) -> bool:
        """Whether this was the last thing to see."""
        if not isinstance(event, DownloadsRead):
            return False
        report = next((d for d in event.queue.downloads if d.download_id == self._download_id), None)
        if report is None:
            return self.latest is not None
        self.latest = report
        is_over = report.state in ("ready", "failed") or (report.state == "paused" and (self._pausing or report.error))
        if not is_over:
            self._show(report)
            return False
        self._console.clear_progress()
        return True

    def interrupted(self, pause: Callable[[], None]) -> None:
        self._pausing = True
        pause()

    def _show(self, report: DownloadReport) -> None:
        if report.state == "stalled-retrying" and report.error is not None:
            self._tell_once(report.error)
        elif report.state == "downloading":
            self._told_error = ""
        if self._console.shows_status:
            self._console.status(status_line(report, self._console.status_columns))
            return
        share = _share(report)
        tenth = int(10 * share) if share is not None else -1
        waited = self._clock() - self._told_at >= _PLAIN_EVERY_S
        if report.state == self._told_state and not (tenth > self._told_tenth and waited):
            return
        self._told_state, self._told_tenth, self._told_at = report.state, tenth, self._clock()
        self._console.note(plain_line(report))

    def _tell_once(self, error: ErrorReport) -> None:
        """Why nothing arrives, once for each cause."""
        if error.code != self._told_error:
            self._told_error = error.code
            self._console.error(describe(error))
            if error.code in _UNREACHABLE and self._network.endpoint == HUB:
                self._console.note("Another address of the hub is taken from HF_ENDPOINT, such as that of a mirror.")


def status_line(report: DownloadReport, columns: int) -> str:
    """One line of at most so many columns: name, bar, share, bytes, speed, time left; what matters least goes first."""
    share = _share(report)
    filled = int(_BAR_COLUMNS * share) if share is not None else 0
    bar = f"[{'#' * filled}{'-' * (_BAR_COLUMNS - filled)}]"
    percent = "" if share is None else f"{int(100 * share):3d} %"
    parts = [one_line(report.repo), bar, percent, *_details(report)]
    for left_out in ((), (0,), (0, 1), (0, 1, 3)):
        line = "  ".join(part for n, part in enumerate(parts) if part and n not in left_out)
        if len(line) <= columns:
            return line
    return ""


def plain_line(report: DownloadReport) -> str:
    """The same in words, for a file."""
    share = _share(report)
    parts = [f"{int(100 * share)} %"] if share is not None and report.state in ("downloading", "packing") else []
    details = ", ".join([*parts, *(detail for detail in _details(report)[1:] if detail)])
    return f"{one_line(report.repo)}: {state_words(report)}" + (f", {details}" if details else "")


def _details(report: DownloadReport) -> list[str]:
    """State or bytes, speed, time left."""
    if report.state == "stalled-retrying":
        wait = "" if report.retry_in_s is None else f"again in {report.retry_in_s:.0f} s"
        return [state_words(report), wait, "time left unknown"]
    if report.state != "downloading":
        return [state_words(report), "", ""]
    of = "" if report.size_bytes is None else f" of {format_bytes(report.size_bytes)}"
    speed = f"{format_bytes(round(report.rate_bytes_s))}/s" if report.rate_bytes_s >= 1 else ""
    left = "time left unknown" if report.left_s is None else time_left_words(report.left_s)
    return [format_bytes(report.done_bytes) + of, speed, left]


def _share(report: DownloadReport) -> float | None:
    if not report.size_bytes or report.state in ("resolving", "queued"):
        return None
    return min(report.done_bytes / report.size_bytes, 1.0)


def _said(console: Console, report: DownloadReport | None, options: PullOptions) -> int:
    """How it ended, in words, and the exit code."""
    if report is None:
        return 1
    if report.state == "ready":
        size = "" if report.size_bytes is None else f" ({format_bytes(report.size_bytes)})"
        console.result(f"{one_line(report.repo)} is ready{size}.")
        if report.model_id:
            console.note(f"Chat with it: ember chat {report.model_id}")
        elif not report.packs:
            console.note(f"Its files are in {report.folder}. Prepare it with: ember import {report.folder}")
        return 0
    if report.error is not None:
        console.error(describe(report.error))
        if next_step(report.error) and (report.done_bytes or report.error.code not in _NOT_THERE):
            console.note(" ".join(part for part in (kept_words(report), f"Go on with: {options.command}") if part))
        return 1
    of = "" if report.size_bytes is None else f" of {format_bytes(report.size_bytes)}"
    console.note(f"Paused at {format_bytes(report.done_bytes)}{of}. Go on with: {options.command}")
    return INTERRUPTED
