"""The pages of a window, by name: which one is shown, and where the keyboard goes then.

Owns their order and the way back from a page that was opened from another one. What a page shows is its own business.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

CHAT, MODELS, SPEED, NEURONS = "chat", "models", "speed", "neurons"
COMPARISON, DEVICE, SETTINGS, LOGS = "comparison", "device", "settings", "logs"

PageT = TypeVar("PageT", bound=QWidget)
Focus = Callable[[], object] | None
"""What puts the keyboard where it is wanted on a page; without it the page itself has it."""


class Pages(QStackedWidget):
    shown = Signal(str)
    """The name of the page asked for, also where it was shown already."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, tuple[QWidget, Callable[[], object]]] = {}
        self._makers: dict[str, Callable[[], tuple[QWidget, Focus]]] = {}
        self._before: dict[str, str] = {}

    def add_later(self, name: str, make: Callable[[], tuple[QWidget, Focus]]) -> None:
        """A page that is made, with what gives it the keyboard, when it is first wanted: most starts never do."""
        self._makers[name] = make

    def made(self, name: str, kind: type[PageT]) -> PageT:
        """The page, made now if need be; TypeError where it is of another kind."""
        page = self._made(name)
        if not isinstance(page, kind):
            raise TypeError(f"page {name} is a {type(page).__name__}, not a {kind.__name__}")
        return page

    @property
    def current(self) -> str:
        """The name of the page shown."""
        return next(name for name, (page, _) in self._pages.items() if page is self.currentWidget())

    @property
    def names(self) -> tuple[str, ...]:
        return (*self._pages, *self._makers)

    def add(self, name: str, page: QWidget, focus: Focus = None) -> None:
        self._pages[name] = (page, focus or page.setFocus)
        self.addWidget(page)

    def show_page(self, name: str) -> None:
        self._made(name)
        page, focus = self._pages[name]
        if page is not self.currentWidget():
            self._before[name] = self.current
        self.setCurrentWidget(page)
        self.shown.emit(name)
        focus()

    def leave(self, name: str) -> None:
        """Back to where the page was opened from, if that was one of the pages with a way of its own, else to chat."""
        before = self._before.get(name, CHAT)
        self.show_page(before if before in _RETURNED_TO.get(name, ()) else CHAT)

    def _made(self, name: str) -> QWidget:
        if name in self._makers:
            self.add(name, *self._makers.pop(name)())
        return self._pages[name][0]


_RETURNED_TO = {COMPARISON: (NEURONS,), LOGS: (SETTINGS,)}
