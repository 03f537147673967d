"""A word from the desktop when the window is not looked at: a model is ready, a download has stopped.

Owns the icon in the tray, which is there only as long as there is something to say. Where a desktop has no tray,
nothing is said; the window's own message waits there anyhow.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from app.window.icons import app_icon

SHOWN_MS = 10_000

MakeTray = Callable[[QObject], QSystemTrayIcon]


def _new_tray(parent: QObject) -> QSystemTrayIcon:
    return QSystemTrayIcon(app_icon(), parent)


class DesktopNotice(QObject):
    def __init__(
        self,
        window: QWidget,
        *,
        make_tray: MakeTray = _new_tray,
        is_available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._make_tray = make_tray
        self._is_available = is_available
        self._tray: QSystemTrayIcon | None = None
        self._run: Callable[[], None] | None = None

    def tell(self, title: str, text: str, run: Callable[[], None] | None = None) -> bool:
        """Tell it unless the window is looked at; a click brings that back and does `run`. Whether it was told."""
        if self._window.isActiveWindow() or not self._is_available():
            return False
        self._run = run
        if self._tray is None:
            self._tray = self._make_tray(self)
            self._tray.setToolTip("Ember")
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(lambda _: self._come_back())
        self._tray.show()
        self._tray.showMessage(title, text, app_icon(), SHOWN_MS)
        return True

    def forget(self) -> None:
        """Somebody looks at the window: the tray is left alone again."""
        if self._tray is not None:
            self._tray.hide()

    def _on_clicked(self) -> None:
        self._come_back()
        if self._run is not None:
            self._run()

    def _come_back(self) -> None:
        self.forget()
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
