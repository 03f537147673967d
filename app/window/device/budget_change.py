"""A budget of the card that somebody has chosen: when it is applied, and what is remembered of it.

Decides that one is applied at a time, once no other is chosen for a moment, and that a budget counts as wished for when
the engine has taken it. Where the model then is, is told by DeviceControl.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.settings_control import SettingsControl
from engine.messages import SetBudget

APPLY_AFTER_MS = 350  # after the last movement of the slider


class BudgetChange(QObject):
    changed = Signal()

    def __init__(
        self, bridge: EngineBridge, settings: SettingsControl, is_loaded: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._settings = settings
        self._is_loaded = is_loaded
        self._n_requests = 0
        self._request_id = ""
        self._chosen: int | None = None
        self._sent: int | None = None
        self._is_pending = False
        self.wanted: int | None = None
        """Bytes that were chosen and are not applied yet; None where nothing is on its way."""
        self.error: ErrorText | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(APPLY_AFTER_MS)
        self._timer.timeout.connect(self._apply)

    @property
    def is_applying(self) -> bool:
        return bool(self._request_id)

    def is_of(self, request_id: str) -> bool:
        """Whether a request is the one that applies a budget."""
        return self.is_applying and request_id == self._request_id

    def choose(self, n_bytes: int) -> None:
        """Apply it once no other is chosen for a moment."""
        self.wanted = self._chosen = n_bytes
        self._is_pending = True
        self.error = None
        self._timer.start()

    def choose_recommended(self, n_bytes: int) -> None:
        """Apply it now; whenever a model is loaded, it is what is recommended then."""
        self.wanted, self._chosen = n_bytes, None
        self._is_pending = True
        self.error = None
        self._apply()

    def taken(self) -> None:
        """The engine has applied what was asked for."""
        self._request_id = ""
        self._settings.update(vram_bytes=self._sent)

    def go_on(self, *, is_done: bool) -> None:
        """To the one that was chosen meanwhile, if there is one."""
        if self._is_pending and not self._timer.isActive():
            self._apply()
        elif not self._is_pending and is_done:
            self.wanted = None

    def refuse(self, error: ErrorText | None) -> None:
        """The engine could not, or was told not to."""
        self.forget()
        self.error = error

    def forget(self) -> None:
        """The model it was for is gone, or the engine."""
        self._timer.stop()
        self._is_pending = False
        self._request_id = ""
        self.wanted = None

    def shut_down(self) -> None:
        """A budget just chosen is remembered, although it was not applied."""
        if self._is_pending:
            self._settings.update(vram_bytes=self._chosen)
        self._timer.stop()

    def _apply(self) -> None:
        """One at a time: a budget chosen while another is applied follows it."""
        self._timer.stop()
        if self._is_pending and not self.is_applying and self._is_loaded():
            self._is_pending = False
            self._sent = self._chosen
            self._n_requests += 1
            self._request_id = f"budget-{self._n_requests}"
            self._bridge.submit(SetBudget(self._request_id, self._sent))
        self.changed.emit()
