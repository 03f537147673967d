"""Studies of neurons in the window: what is known of a model, and the study that is under way.

Decides when a study may begin (an answer that is being written is finished first), what pausing and going on mean, and
what becomes of the loaded model. Knows no widget; panes read its attributes and listen to `changed`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText, describe_host_death
from app.time_left import TimeLeft
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.model_control import ASLEEP, NEURONS, NO_MODEL, READY, STARTING, STOPPED, ModelControl, Task
from app.window.wording import error_words, translate
from engine.messages import (
    Cancel,
    Event,
    Failed,
    ForgetChats,
    HostDied,
    ModelInfo,
    Progress,
    ReadStudies,
    RequestCancelled,
    StudiesRead,
    StudyDone,
    StudyNeurons,
)
from engine.neuron_reports import StudyReport, StudySpec


@dataclass(frozen=True, slots=True)
class RunningStudy:
    """A study that waits for its turn (then its task has no request yet) or runs; the task's subject is the model."""

    spec: StudySpec
    task: Task
    is_stopping: bool = False

    @property
    def is_running(self) -> bool:
        return bool(self.task.request_id)


class StudyControl(QObject):
    changed = Signal()
    studied = Signal(str, object)
    """Name and report of a study that has just ended."""

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        chat: ChatControl,
        version: Callable[[], str],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._chat = chat
        self._version = version
        self._clock = clock
        self._n_requests = 0
        self._chosen = ""
        self._read_id = ""
        self._is_watched = False
        self._time_left = TimeLeft()
        self._errors: dict[tuple[str, str], ErrorText] = {}
        self.known: StudiesRead | None = None
        """What is kept of the model shown; None while it is being read."""
        self.read_error: ErrorText | None = None
        self.running: RunningStudy | None = None
        self.seconds_left: float | None = None
        """Of the phase the running study is in; None while that cannot be said."""
        self.texts: tuple[str, ...] = ()
        """The user's own text files to study with; empty: the bundled text."""
        bridge.received.connect(self._on_event)
        models.changed.connect(self._on_models_changed)
        chat.state_changed.connect(self._next)

    @property
    def model(self) -> ModelInfo | None:
        """The model shown: the one chosen, else the loaded one."""
        running = self._models.find(self.running.task.subject) if self.running else None
        chosen = self._models.find(self._chosen)
        first = next(iter(self._models.models), None)
        return running or chosen or self._models.current or first

    def report(self, study: str) -> StudyReport | None:
        reports = dict(self.known.reports) if self.known else {}
        return reports.get(study)

    def share_done(self, study: str) -> float | None:
        """Of a study that was left unfinished; None where none was."""
        return dict(self.known.unfinished).get(study) if self.known else None

    def is_stale(self, study: str) -> bool:
        return self.known is not None and study in self.known.stale

    def is_damaged(self, study: str) -> bool:
        return self.known is not None and study in self.known.damaged

    def error(self, study: str) -> ErrorText | None:
        """Why the latest attempt at this study of the model shown came to nothing."""
        return self._errors.get((self.model.model_id if self.model else "", study))

    # What the user asks -------------------------------------------------------------------------------------------

    def watch(self, is_watched: bool) -> None:
        """Whether what is known is looked at; it is read anew when that begins."""
        self._is_watched = is_watched
        if is_watched:
            self.refresh()

    def choose(self, model_id: str) -> None:
        if self.running is None and model_id != self._chosen:
            self._chosen = model_id
            self.refresh()

    def use_texts(self, paths: tuple[str, ...]) -> None:
        """Study with the user's own text files; with none, the bundled text."""
        self.texts = paths
        self.changed.emit()

    def refresh(self) -> None:
        """Read what is kept of the model shown; what is known of the same model stays until the answer comes."""
        model = self.model
        self.read_error = None
        if self.known is not None and (model is None or self.known.model_id != model.model_id):
            self.known = None
        if model is not None and self._models.state not in (STARTING, STOPPED):
            self._read_id = self._new_id("studies")
            self._bridge.submit(ReadStudies(self._read_id, model.model_id))
        self.changed.emit()

    def forget_chats(self) -> None:
        """Delete what was counted of the user's chats with the model shown."""
        if self.model is not None and self._models.state not in (STARTING, STOPPED):
            self._read_id = self._new_id("studies")
            self._bridge.submit(ForgetChats(self._read_id, self.model.model_id))

    def start(self, study: str, *, is_resumed: bool = True) -> None:
        """Study the model shown as soon as the engine is free; one study at a time."""
        model = self.model
        if self.running is not None or model is None:
            return
        self._errors.pop((model.model_id, study), None)
        spec = StudySpec(study, model.model_id, paths=self.texts, is_resumed=is_resumed, ember_version=self._version())
        self.running = RunningStudy(spec, Task("", model.model_id))
        self._time_left = TimeLeft()
        self.seconds_left = None
        if self._models.state == STOPPED:
            self._models.start()
        self._next()
        self.changed.emit()

    def pause(self) -> None:
        """What the study has found is kept, and it can go on from there; one that only waits is called off."""
        if self.running is None or self.running.is_stopping:
            return
        if self.running.is_running:
            self.running = replace(self.running, is_stopping=True)
            self._bridge.submit(Cancel(self.running.task.request_id))
        else:
            self.running = None
        self.changed.emit()

    def forget_error(self, study: str) -> None:
        if self.model is not None:
            self._errors.pop((self.model.model_id, study), None)
            self.changed.emit()

    def shut_down(self) -> None:
        """Called before the engine is closed; an unfinished study is kept by the engine."""
        self.running = None
        self._is_watched = False

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_models_changed(self) -> None:
        self._next()
        model = self.model
        is_known = self.known is not None and model is not None and self.known.model_id == model.model_id
        if self._is_watched and self.running is None and not is_known and not (self._read_id or self.read_error):
            self.refresh()
        elif self._is_watched:
            self.changed.emit()

    def _next(self) -> None:
        """Begin the study that waits, once nothing is answered, loaded or measured."""
        waiting = self.running
        if waiting is None or waiting.is_running:
            return
        if self._models.death is not None:
            self._end(self._models.death.text)
        elif self._chat.answering is None and self._models.state in (READY, NO_MODEL, ASLEEP):
            task = replace(waiting.task, request_id=self._new_id("study"))
            self.running = replace(waiting, task=task)
            self._models.lend(NEURONS)
            self._bridge.submit(StudyNeurons(task.request_id, waiting.spec))
            self.changed.emit()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, HostDied):
            self._read_id = ""
            if self.running is not None:
                self._end(describe_host_death(event, translate))
        elif self._read_id and event.request_id == self._read_id:
            self._on_read(event)
        elif self.running is not None and event.request_id == self.running.task.request_id:
            self._on_study(self.running, event)

    def _on_read(self, event: Event) -> None:
        match event:
            case StudiesRead():
                self.known, self.read_error = event, None
            case Failed():
                self.known, self.read_error = None, error_words(event.error)
        self._read_id = ""
        self.changed.emit()

    def _on_study(self, running: RunningStudy, event: Event) -> None:
        match event:
            case Progress():
                self.seconds_left = self._time_left.seconds(event.phase, event.done, event.total, self._clock())
                self.running = replace(running, task=replace(running.task, progress=event))
                self.changed.emit()
            case StudyDone():
                self._keep(running.task.subject, event)
                self._end(None)
                self.studied.emit(event.study, event.report)
            case Failed():
                self._end(error_words(event.error))
            case RequestCancelled():
                self._end(None)

    def _keep(self, model_id: str, event: StudyDone) -> None:
        """Show a report at once; what is kept is read again all the same."""
        known = self.known or StudiesRead("", model_id, (), ())
        others = tuple((study, report) for study, report in known.reports if study != event.study)
        unfinished = tuple((study, done) for study, done in known.unfinished if study != event.study)
        stale = tuple(study for study in known.stale if study != event.study)
        reports = (*others, (event.study, event.report))
        damaged = tuple(study for study in known.damaged if study != event.study)
        self.known = replace(known, reports=reports, unfinished=unfinished, stale=stale, damaged=damaged)

    def _end(self, error: ErrorText | None) -> None:
        running, self.running = self.running, None
        if running is None:
            return
        # It stays the one that is shown, also where another was loaded before.
        self._chosen = running.task.subject
        if error is not None:
            self._errors[running.task.subject, running.spec.study] = error
        self._models.take_back()
        self.refresh()

    def _new_id(self, kind: str) -> str:
        self._n_requests += 1
        return f"{kind}-{self._n_requests}"
