"""Downloads in the window: what the engine tells of them, and what the user does with them.

Decides how often the page is told (ten times a second at most, however many events arrive), which downloads have just
become models, and which ended ones are no longer shown. Knows no widget.
"""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.catalog_filter import download_of
from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.model_control import ModelControl
from app.window.models.asking import Asking
from app.window.settings_control import SettingsControl
from app.window.wording import error_words
from engine.messages import Event, Failed
from engine.transfer_reports import (
    RUNNING_STATES,
    AddDownload,
    CancelDownload,
    DownloadAdded,
    DownloadCancelled,
    DownloadQueueReport,
    DownloadReport,
    DownloadsRead,
    LimitDownloads,
    ModelTrashed,
    SteerDownload,
    WatchDownloads,
)

SHOW_EVERY_MS = 100
NOTHING = DownloadQueueReport(())


class DownloadControl(Asking):
    ready = Signal(object)
    """The DownloadReport of a model that has just become usable."""

    stopped = Signal(object)
    """The DownloadReport of one that has just failed."""

    cancelled = Signal(str, object)
    """Repository, and bytes freed, which may be more than Qt's own integers hold."""

    refused = Signal(object)
    """ErrorText of something that was asked and not done."""

    def __init__(
        self, bridge: EngineBridge, models: ModelControl, settings: SettingsControl, parent: QObject | None = None
    ) -> None:
        super().__init__(bridge, "download", parent)
        self._models = models
        self._settings = settings
        self._watch_id = ""
        self._arrived: DownloadQueueReport | None = None
        self._put_away: set[str] = set()
        self._states: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        self._cancelling: dict[str, str] = {}
        self.queue = NOTHING
        self.is_known = False
        """Whether the engine has told of downloads since it was started."""
        self.add_errors: dict[str, ErrorText] = {}
        """By repository: why a download could not be begun; until it is asked for again."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_EVERY_MS)
        self._timer.timeout.connect(self._show)

    # What is known ------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> tuple[DownloadReport, ...]:
        """In their order, without those that were put away."""
        return tuple(d for d in self.queue.downloads if d.download_id not in self._put_away)

    @property
    def n_running(self) -> int:
        return sum(d.state in RUNNING_STATES for d in self.queue.downloads)

    def find(self, download_id: str) -> DownloadReport | None:
        return next((d for d in self.queue.downloads if d.download_id == download_id), None)

    def of(self, names: tuple[str, ...]) -> DownloadReport | None:
        """The download of a repository known by these names, unless it was put away."""
        return download_of(self.shown, names)

    def is_asked(self, repo: str) -> bool:
        """Whether a download was asked for and is not in the list yet."""
        return repo in self._asked.values()

    # What the user asks -------------------------------------------------------------------------------------------

    def watch(self) -> None:
        """From now on the engine tells of downloads, and goes on with those that an earlier one left."""
        self._watch_id = self._ask(lambda i: WatchDownloads(i, wanted=True, takes_up=True))
        limit = self._settings.value.download_limit
        if limit is not None:
            self._ask(lambda i: LimitDownloads(i, limit))

    def add(self, repo: str, revision: str, *, weight_format: str = "", folder: str = "") -> None:
        """Fetch a model and prepare it; one that is under way already goes on."""
        self.add_errors.pop(repo, None)
        known = download_of(self.queue.downloads, (repo,))
        if known is not None:
            self._put_away.discard(known.download_id)
        keeps = self._settings.value.keeps_source
        request_id = self._ask(
            lambda i: AddDownload(
                i, repo, revision or "main", weight_format=weight_format, keeps_source=keeps, folder=folder
            )
        )
        self._asked[request_id] = repo
        self.changed.emit()

    def steer(self, download_id: str, action: str) -> None:
        self._ask(lambda i: SteerDownload(i, download_id, action))

    def pause(self, download_id: str) -> None:
        self.steer(download_id, "pause")

    def resume(self, download_id: str) -> None:
        self.steer(download_id, "resume")

    def cancel(self, download_id: str) -> None:
        """Give it up; what has arrived is deleted. One that is ready is only taken off the list."""
        download = self.find(download_id)
        if download is None:
            return
        if download.state == "ready":
            self._put_away.add(download_id)
            self.changed.emit()
        elif download_id not in self._cancelling.values():
            request_id = self._ask(lambda i: CancelDownload(i, download_id))
            self._cancelling[request_id] = download_id

    def limit(self, bytes_per_s: int | None) -> None:
        self._settings.update(download_limit=bytes_per_s)
        self._ask(lambda i: LimitDownloads(i, bytes_per_s))

    def shut_down(self) -> None:
        self._timer.stop()

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case DownloadsRead():
                self._on_read(event.queue)
            case DownloadAdded() if event.request_id in self._asked:
                self._asked.pop(event.request_id)
                self.changed.emit()
            case DownloadCancelled():
                self._on_cancelled(event)
            case ModelTrashed():
                self._on_trashed(event.model_id)
            case Failed():
                self._on_failed(event)
            case _:
                return

    def _on_read(self, queue: DownloadQueueReport) -> None:
        self._arrived = queue
        if not self._timer.isActive():
            self._show()
            self._timer.start()

    def _show(self) -> None:
        """The latest that has arrived; what came between nobody could have seen."""
        queue, self._arrived = self._arrived, None
        if queue is None:
            return
        before, self._states = self._states, {d.download_id: d.state for d in queue.downloads}
        if queue.library_changes != self.queue.library_changes and self.is_known:
            self._models.relist()
        self.queue, self.is_known = queue, True
        for download in queue.downloads:
            state = before.get(download.download_id)
            if state != download.state and download.state != "ready":
                self._put_away.discard(download.download_id)
            if state is None or state == download.state:
                continue
            if download.state == "ready":
                self._models.relist()
                self.ready.emit(download)
            elif download.state == "failed":
                self.stopped.emit(download)
        self.changed.emit()
        self._timer.start()

    def _on_cancelled(self, event: DownloadCancelled) -> None:
        self._cancelling.pop(event.request_id, None)
        download = self.find(event.download_id)
        left = tuple(d for d in self.queue.downloads if d.download_id != event.download_id)
        self.queue = replace(self.queue, downloads=left)
        self._states.pop(event.download_id, None)
        self.changed.emit()
        self.cancelled.emit(download.repo if download is not None else event.download_id, event.freed_bytes)

    def _on_trashed(self, model_id: str) -> None:
        """The download of a model that is no longer in the library has nothing to offer."""
        of_it = {d.download_id for d in self.queue.downloads if d.state == "ready" and d.model_id == model_id}
        if of_it - self._put_away:
            self._put_away |= of_it
            self.changed.emit()

    def _on_failed(self, event: Failed) -> None:
        repo = self._asked.pop(event.request_id, "")
        if repo:
            self.add_errors[repo] = error_words(event.error)
            self.changed.emit()
        elif event.request_id.startswith(f"{self._prefix}-"):
            self._cancelling.pop(event.request_id, None)
            self.refused.emit(error_words(event.error))

    def _on_death(self) -> None:
        self._timer.stop()
        self._arrived = None
        self._asked.clear()
        self._cancelling.clear()
        self.is_known = False
        self._states.clear()
        self.changed.emit()
