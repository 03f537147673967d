"""Giving a model's memory back when nobody has wanted an answer for a while.

Decides what counts as use: loads, answers and comparisons, from the moment they end. One timer runs while a model is
loaded, is not in use, and the user wishes for it; none otherwise.
"""

from PySide6.QtCore import QObject, QTimer

from app.window.chat_control import ChatControl
from app.window.model_control import READY, ModelControl
from app.window.neurons.comparison_control import ComparisonControl
from app.window.settings_control import SettingsControl

MINUTE_MS = 60_000


class IdleUnload(QObject):
    def __init__(
        self,
        models: ModelControl,
        chat: ChatControl,
        comparison: ComparisonControl,
        settings: SettingsControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._chat = chat
        self._comparison = comparison
        self._settings = settings
        self._minutes = settings.value.unload_minutes
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_quiet)
        models.changed.connect(self._begin_anew)
        chat.state_changed.connect(self._begin_anew)
        comparison.changed.connect(self._begin_anew)
        settings.changed.connect(self._on_settings)

    @property
    def is_in_use(self) -> bool:
        return self._chat.answering is not None or self._comparison.task is not None

    def shut_down(self) -> None:
        self._timer.stop()

    def _on_settings(self) -> None:
        if self._settings.value.unload_minutes != self._minutes:
            self._minutes = self._settings.value.unload_minutes
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Something was used, or ended: the wait begins from here, or there is nothing to wait for."""
        if self._minutes and self._models.state == READY and not self.is_in_use:
            self._timer.start(self._minutes * MINUTE_MS)
        else:
            self._timer.stop()

    def _on_quiet(self) -> None:
        if not self.is_in_use:
            self._models.sleep()
