"""Benchmarks in the window: the reports that are kept, and the one being measured.

Decides when a measurement may begin (an answer that is being written is finished first), what becomes of the loaded
model, and what keeping, deleting and bringing back mean. Reports are read on a thread of their own. Knows no widget;
panes read its attributes and listen to `changed`.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.benchmark_history import save_report
from app.benchmarks import History, ShownReport, quick_spec, read_reports, shown_report
from app.error_text import ErrorText, describe_host_death
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.model_control import ASLEEP, NO_MODEL, READY, STOPPED, ModelControl, Task
from app.window.wording import error_words, translate
from engine.benchmark_report import BenchmarkReport
from engine.messages import BenchmarkDone, Cancel, Event, Failed, HostDied, Progress, RequestCancelled, RunBenchmark

CLOSING_WAIT_S = 2.0


@dataclass(frozen=True, slots=True)
class Measurement:
    """A benchmark that waits for its turn (then its task has no request yet) or runs."""

    task: Task
    is_stopping: bool = False

    @property
    def is_running(self) -> bool:
        return bool(self.task.request_id)


class SpeedControl(QObject):
    changed = Signal()
    measured = Signal(object)
    """The ShownReport of a benchmark that has just ended."""

    _was_read = Signal(object)

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        chat: ChatControl,
        folder: Path,
        version: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._chat = chat
        self._version = version
        self._n_requests = 0
        self._reader: threading.Thread | None = None
        self._is_stale = False
        self._unkept: tuple[ShownReport, ...] = ()
        self._read = History()
        self.folder = folder
        self.is_read = False
        """Whether the folder has been looked into at all."""
        self.measurement: Measurement | None = None
        self.error: ErrorText | None = None
        """Why the latest measurement came to nothing, or could not be kept; until the next one."""
        self._was_read.connect(self._on_read)
        bridge.received.connect(self._on_event)
        models.changed.connect(self._next)
        chat.state_changed.connect(self._next)

    @property
    def history(self) -> History:
        return replace(self._read, reports=(*self._unkept, *self._read.reports)) if self._unkept else self._read

    # What the user asks -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Look into the folder again; `changed` follows where it has."""
        if self._reader is not None:
            self._is_stale = True
            return
        self._reader = threading.Thread(target=self._read_folder, name="ember-reports", daemon=True)
        self._reader.start()

    def measure(self, model_id: str) -> None:
        """Measure a model as soon as the engine is free; one measurement at a time."""
        if self.measurement is not None:
            return
        self.error = None
        self.measurement = Measurement(Task("", model_id))
        if self._models.state == STOPPED:
            self._models.start()
        self._next()
        self.changed.emit()

    def cancel(self) -> None:
        if self.measurement is None:
            return
        if self.measurement.is_running:
            self.measurement = replace(self.measurement, is_stopping=True)
            self._bridge.submit(Cancel(self.measurement.task.request_id))
        else:
            self.measurement = None
        self.changed.emit()

    def forget_error(self) -> None:
        self.error = None
        self.changed.emit()

    def delete(self, report: ShownReport) -> Callable[[], None]:
        """Delete a report's file; what is returned brings it back. Raises OSError."""
        path = report.path
        if path is None:
            self._unkept = tuple(each for each in self._unkept if each is not report)
            self.changed.emit()
            return lambda: self._bring_back(report)
        content = path.read_bytes()
        path.unlink()
        self._read = replace(self._read, reports=tuple(each for each in self._read.reports if each.path != path))
        self.changed.emit()

        def undo() -> None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                self.error = self._not_kept(error)
                self._bring_back(report)
            else:
                self.refresh()

        return undo

    def shut_down(self) -> None:
        """Called before the engine is closed."""
        self.measurement = None
        self._is_stale = False
        if self._reader is not None:
            self._reader.join(CLOSING_WAIT_S)

    # The folder ---------------------------------------------------------------------------------------------------

    def _read_folder(self) -> None:
        """Runs on the reader's thread."""
        self._was_read.emit(read_reports(self.folder))

    def _on_read(self, history: History) -> None:
        if self._reader is not None:
            self._reader.join()
            self._reader = None
        if self._is_stale:
            self._is_stale = False
            self.refresh()
            return
        if history != self._read or not self.is_read:
            self.is_read = True
            self._read = history
            self.changed.emit()

    def _keep(self, report: BenchmarkReport) -> None:
        try:
            path = save_report(self.folder, report)
        except OSError as error:
            self.error = self._not_kept(error)
            shown = shown_report(None, report)
            self._unkept = (shown, *self._unkept)
        else:
            shown = shown_report(path, report)
            self._read = replace(self._read, reports=(shown, *self._read.reports))
            self.refresh()
        self.measured.emit(shown)

    def _bring_back(self, report: ShownReport) -> None:
        self._unkept = (replace(report, path=None), *self._unkept)
        self.changed.emit()

    def _not_kept(self, error: OSError) -> ErrorText:
        return ErrorText(
            _tr("The report is not kept: “%1” cannot be written to (%2).")
            .replace("%1", str(self.folder))
            .replace("%2", error.strerror or str(error)),
            _tr("It is shown until you close Ember; copy it as Markdown if you need it."),
        )

    # The engine ---------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        """Begin the measurement that waits, once nothing is answered or loaded."""
        waiting = self.measurement
        if waiting is None or waiting.is_running:
            return
        if self._models.death is not None:
            self._end(self._models.death.text)
        elif self._chat.answering is None and self._models.state in (READY, NO_MODEL, ASLEEP):
            self._n_requests += 1
            task = replace(waiting.task, request_id=f"benchmark-{self._n_requests}")
            self.measurement = replace(waiting, task=task)
            self._models.lend()
            self._bridge.submit(RunBenchmark(task.request_id, quick_spec(task.subject, self._version())))
            self.changed.emit()

    def _on_event(self, event: Event) -> None:
        if self.measurement is None or not self.measurement.is_running:
            return
        if isinstance(event, HostDied):
            self._end(describe_host_death(event, translate))
            return
        if event.request_id != self.measurement.task.request_id:
            return
        match event:
            case Progress():
                self.measurement = replace(self.measurement, task=replace(self.measurement.task, progress=event))
                self.changed.emit()
            case BenchmarkDone():
                self._end(None)
                self._keep(event.report)
                self.changed.emit()
            case Failed():
                self._end(error_words(event.error))
            case RequestCancelled():
                self._end(None)

    def _end(self, error: ErrorText | None) -> None:
        self.measurement = None
        self.error = error
        self._models.take_back()
        self.changed.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("SpeedControl", text)
