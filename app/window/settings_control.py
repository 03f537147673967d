"""The settings while the program runs: one current value, a signal when it changes, a file that follows.

Decides when the file is written (half a second after the last change, and at the end). Knows no widget.
"""

import logging
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.settings import AppSettings
from app.settings_file import SettingsFile

log = logging.getLogger(__name__)

SAVE_AFTER_MS = 500


class SettingsControl(QObject):
    changed = Signal()
    not_saved = Signal(str)
    """The system's words for why the file could not be written."""

    def __init__(self, file: SettingsFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self.value: AppSettings = file.settings
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save)

    def update(self, **changes: Any) -> None:
        """Change some fields; raises InvalidRequest where one is out of range."""
        value = replace(self.value, **changes)
        if value != self.value:
            self.value = value
            self._timer.start()
            self.changed.emit()

    def save(self) -> None:
        self._timer.stop()
        if self.value == self._file.settings:
            return
        try:
            self._file.save(self.value)
        except OSError as error:
            log.warning("settings not saved: %s", error)
            self.not_saved.emit(error.strerror or str(error))
