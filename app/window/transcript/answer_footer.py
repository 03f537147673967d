"""The row below an answer: versions, the line of figures, and what can be done with it.

Owns which of it is shown and where; figures that do not fit beside the buttons go below them. What the buttons mean is
decided by whoever listens, and what nobody listens to is not offered. Its widgets lie in the answer itself, so that one
row of them needs no widget more.
"""

from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.wording import number
from app.window.zoom import zoomed

HEIGHT = 28
BUTTON = 26
EDIT, CONTINUE, FORK, DELETE, DETAILS, VERSIONS = "edit", "continue", "fork", "delete", "details", "versions"


@dataclass(frozen=True, slots=True)
class Place:
    """What a message has to know of the conversation around it.

    versions   ids of the message and its siblings, oldest first
    offers     which of EDIT, CONTINUE, FORK, DELETE, DETAILS, VERSIONS somebody listens to
    is_idle    no answer is being written or waited for
    """

    is_last: bool = False
    versions: tuple[str, ...] = ()
    show_stats: bool = True
    is_idle: bool = True
    can_compare: bool = False
    offers: frozenset[str] = field(default_factory=frozenset)


class FiguresLabel(MutedLabel):
    """The line of figures; a click on it asks for more, if more is on offer."""

    clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent, factor=0.86, wraps=False)
        self._is_link = False

    def set_link(self, is_link: bool) -> None:
        self._is_link = is_link
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_link else Qt.FocusPolicy.NoFocus)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._underline(self._is_link)

    def leaveEvent(self, event: QEvent) -> None:
        self._underline(self.hasFocus())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(self._is_link and event.button() == Qt.MouseButton.LeftButton)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if self._is_link and is_left and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_link and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def _underline(self, is_underlined: bool) -> None:
        font = self.font()
        font.setUnderline(is_underlined)
        self.setFont(font)


class VersionSwitch(QObject):
    """`< 2 / 3 >`: which version of a message is shown, and the way to its neighbours."""

    chosen = Signal(str)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._ids: tuple[str, ...] = ()
        self._at = 0
        self.previous = icon_action(owner, "chevron-left", self.tr("Previous version"))
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next = icon_action(owner, "chevron-right", self.tr("Next version"))
        self.next.clicked.connect(lambda: self._step(1))
        self.label = MutedLabel(parent=owner, factor=0.86, wraps=False)

    @property
    def width(self) -> int:
        """What it takes in a row; 0 where there is one version only."""
        return 0 if self.label.isHidden() else zoomed(54) + self.label.width()

    def show_versions(self, ids: tuple[str, ...], current: str, *, is_shown: bool) -> None:
        self._ids = ids
        is_shown = is_shown and len(ids) > 1 and current in ids
        for widget in (self.previous, self.label, self.next):
            widget.setVisible(is_shown)
        if is_shown:
            self._at = ids.index(current)
            self.label.setText(f"{number(self._at + 1)} / {number(len(ids))}")
            self.label.adjustSize()
            self.previous.setEnabled(self._at > 0)
            self.next.setEnabled(self._at < len(ids) - 1)

    def move(self, x: int, y: int) -> None:
        for button in (self.previous, self.next):
            button.resize(zoomed(BUTTON), zoomed(BUTTON))
        self.previous.move(x - zoomed(6), y)
        self.label.move(x + zoomed(20), y + (zoomed(BUTTON) - self.label.height()) // 2)
        self.next.move(x + zoomed(20) + self.label.width(), y)

    def _step(self, step: int) -> None:
        if 0 <= self._at + step < len(self._ids):
            self.chosen.emit(self._ids[self._at + step])


class AnswerFooter(QObject):
    details_clicked = Signal()
    menu_wanted = Signal()

    def __init__(self, owner: QWidget, copy: IconButton) -> None:
        super().__init__(owner)
        self.copy = copy
        self.versions = VersionSwitch(owner)
        self.regenerate = icon_action(owner, "refresh", self.tr("Answer again"))
        self.compare = icon_action(owner, "compare", self.tr("Compare exact with a tier"))
        self.more = icon_action(owner, "more", self.tr("More"))
        self.more.clicked.connect(self.menu_wanted)
        self.go_on = QPushButton(self.tr("Continue"), owner)
        self.go_on.setProperty("kind", "inline")
        self.go_on.setAccessibleName(self.tr("Continue this answer"))
        self.go_on.setToolTip(self.tr("Go on writing where the answer was cut off"))
        self.facts = FiguresLabel(owner)
        self.facts.clicked.connect(self.details_clicked)

    @property
    def buttons(self) -> tuple[IconButton, ...]:
        return self.copy, self.regenerate, self.compare, self.more

    @property
    def is_empty(self) -> bool:
        hidden = (*self.buttons, self.go_on, self.facts, self.versions.label)
        return all(widget.isHidden() for widget in hidden)

    def set_faint(self, is_faint: bool) -> None:
        for button in self.buttons:
            button.set_faint(is_faint)

    def popup(self, menu: QMenu) -> None:
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def lay_out(self, width: int, y: int) -> int:
        """Place everything from `y` on; the height it takes."""
        buttons = [button for button in self.buttons if not button.isHidden()]
        x = self.versions.width
        if x:
            self.versions.move(0, y)
        self.facts.setWordWrap(False)
        self.facts.adjustSize()
        go_on_width = 0
        if not self.go_on.isHidden():
            self.go_on.adjustSize()
            go_on_width = self.go_on.width() + zoomed(8)
        facts_width = 0 if self.facts.isHidden() else self.facts.width()
        is_beside = x + facts_width + zoomed(12) + go_on_width + zoomed(28) * len(buttons) <= width
        if facts_width and is_beside:
            self.facts.move(x, y + (zoomed(BUTTON) - self.facts.height()) // 2)
            x += facts_width + zoomed(12)
        if go_on_width:
            self.go_on.move(
                x - zoomed(6) if not (facts_width and is_beside) else x, y + (zoomed(BUTTON) - self.go_on.height()) // 2
            )
            x += go_on_width
        for button in buttons:
            button.resize(zoomed(BUTTON), zoomed(BUTTON))
            button.move(x - zoomed(5), y)  # less the icon's own margin, so that it is flush with the text
            x += zoomed(28)
        if is_beside or not facts_width:
            return zoomed(HEIGHT)
        self.facts.setWordWrap(True)
        self.facts.setGeometry(0, y + zoomed(HEIGHT), width, self.facts.heightForWidth(width))
        return zoomed(HEIGHT) + self.facts.height()


def icon_action(owner: QWidget, icon: str, name: str) -> IconButton:
    """A small button of a message's."""
    button = IconButton(icon, name, owner, size=16)
    button.resize(zoomed(BUTTON), zoomed(BUTTON))
    return button
