"""Pictures of the neurons of the answer being written, while somebody looks.

Owns asking the engine for them, and how often they are shown: at most ten times a second, however often they arrive.
"""

from PySide6.QtCore import QObject, QTimer, Signal

from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.model_control import STARTING, STOPPED, ModelControl
from engine.messages import WatchNeurons
from engine.placement_reports import NeuronSample

SHOW_EVERY_MS = 100
N_BUCKETS = 64


class NeuronPictures(QObject):
    sampled = Signal()
    """A new picture is to be shown."""

    def __init__(self, bridge: EngineBridge, models: ModelControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._models = bridge, models
        self._n_requests = 0
        self._has_new = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_EVERY_MS)
        self._timer.timeout.connect(self._show)
        self.request_id = ""
        """Of the watching that was asked for; empty while nobody looks."""
        self.sample: NeuronSample | None = None
        self.error: ErrorText | None = None
        """Why none are sent."""

    def watch(self) -> None:
        """Ask for them from now on."""
        self.error = None
        self._n_requests += 1
        self.request_id = f"neurons-{self._n_requests}"
        self._bridge.submit(WatchNeurons(self.request_id, wanted=True, n_buckets=N_BUCKETS))

    def unwatch(self) -> None:
        if self.request_id and self._models.state not in (STARTING, STOPPED):
            self._bridge.submit(WatchNeurons(self.request_id, wanted=False, n_buckets=N_BUCKETS))
        self.forget_request()

    def take(self, sample: NeuronSample) -> None:
        self.sample, self._has_new = sample, True
        if not self._timer.isActive():
            self._show()

    def refuse(self, error: ErrorText | None) -> None:
        """The engine sends none."""
        self.request_id, self.error = "", error

    def forget_request(self) -> None:
        """Nobody looks any more, or nobody answers."""
        self.request_id = ""
        self._timer.stop()

    def _show(self) -> None:
        if self._has_new:
            self._has_new = False
            self._timer.start()
            self.sampled.emit()
