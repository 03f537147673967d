"""The open window's ear for second starts of the program: they come in front, and bring what was asked for.

Owns watching the folder of app/handover.py; it is the system that tells of changes, nothing is polled.
"""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from app.handover import forget_openings, take_openings


class SecondStart(QObject):
    asked = Signal(object)
    """An Opening: the window is to come in front, and show this."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        forget_openings(folder)
        self._watcher = QFileSystemWatcher([str(folder)] if folder.is_dir() else [], self)
        self._watcher.directoryChanged.connect(self._on_changed)

    def _on_changed(self) -> None:
        for opening in take_openings(self._folder):
            self.asked.emit(opening)
