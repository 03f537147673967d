"""What Escape means while something is open over the page: it closes that first, whatever else the key would do.

Owns that order alone. A shortcut of the window would take the key before the focused widget saw it, so whoever is open
claims it when Qt asks.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class ClosedByEscape(QObject):
    """Calls `close` on Escape pressed in `widget`, or in a child with no use for it, while `is_open` says so."""

    def __init__(self, widget: QWidget, is_open: Callable[[], bool], close: Callable[[], object]) -> None:
        super().__init__(widget)
        self._is_open = is_open
        self._close = close
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
            return False
        if event.key() != Qt.Key.Key_Escape or not self._is_open():
            return False
        event.accept()
        if kind == QEvent.Type.KeyPress:
            self._close()
        return True
