"""The desktop's tray: an icon of Ember's, and a word from the desktop when the window is not looked at.

The icon stays where the user wants it; otherwise it is there only as long as there is something to say. Where a desktop
has no tray, nothing is said; the window's own message waits there anyhow.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from app.window.icons import app_icon

SHOWN_MS = 10_000

MakeTray = Callable[[QObject], QSystemTrayIcon]


def _new_tray(parent: QObject) -> QSystemTrayIcon:
    return QSystemTrayIcon(app_icon(), parent)


class DesktopTray(QObject):
    new_chat_asked = Signal()
    quit_asked = Signal()

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
        self._icon: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        self._stays = False
        self._run: Callable[[], None] | None = None

    @property
    def is_available(self) -> bool:
        """Whether this desktop has a tray."""
        return self._is_available()

    def keep(self, stays: bool) -> None:
        """Whether the icon stays, with its menu."""
        self._stays = stays and self._is_available()
        if self._stays:
            icon = self._shown_icon()
            if self._menu is None:
                self._menu = self._build_menu()
                icon.setContextMenu(self._menu)
        elif self._icon is not None:
            self._icon.hide()

    def tell(self, title: str, text: str, run: Callable[[], None] | None = None) -> bool:
        """Tell it unless the window is looked at; a click brings that back and does `run`. Whether it was told."""
        if self._window.isActiveWindow() or not self._is_available():
            return False
        self._run = run
        self._shown_icon().showMessage(title, text, app_icon(), SHOWN_MS)
        return True

    def forget(self) -> None:
        """Somebody looks at the window: what was said is left alone again."""
        self._run = None
        if self._icon is not None and not self._stays:
            self._icon.hide()

    def come_back(self) -> None:
        """Bring the window to the front."""
        self.forget()
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def _shown_icon(self) -> QSystemTrayIcon:
        if self._icon is None:
            self._icon = self._make_tray(self)
            self._icon.setToolTip("Ember")
            self._icon.messageClicked.connect(self._on_clicked)
            self._icon.activated.connect(self._on_activated)
        self._icon.show()
        return self._icon

    def _build_menu(self) -> QMenu:
        menu = QMenu(self._window)
        menu.addAction(self.tr("Show Ember"), self.come_back)
        menu.addAction(self.tr("New chat"), self._on_new_chat)
        menu.addSeparator()
        menu.addAction(self.tr("Quit"), self.quit_asked.emit)
        return menu

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason != QSystemTrayIcon.ActivationReason.Context:  # then the menu opens
            self.come_back()

    def _on_new_chat(self) -> None:
        self.come_back()
        self.new_chat_asked.emit()

    def _on_clicked(self) -> None:
        run = self._run
        self.come_back()
        if run is not None:
            run()
