"""The prompts that a `/` at the start of the field finds: a list above it that is used while one goes on typing.

Owns what of the field is a question to the library (from the slash to the cursor) and the keys of the list. The list
never takes the focus, so that typing, and an input method, go on in the field.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.prompt_library import Prompt, matching
from app.window.theme import colors_of, scaled
from app.window.zoom import sizes_itself, zoomed

ROW_HEIGHT = 46
MOST_ROWS = 6
MARGIN = 6
PREVIEW = Qt.ItemDataRole.UserRole + 1


class PromptRow(QStyledItemDelegate):
    """A name, and below it what the item has as PREVIEW."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, zoomed(ROW_HEIGHT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        palette = option.palette
        font = option.font
        colors = colors_of(palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 7, 7)
        area = rect.adjusted(10, 5, -10, -5)
        small = scaled(font, 0.88)
        for font_now, color, role, top in (
            (font, colors.text, Qt.ItemDataRole.DisplayRole, True),
            (small, colors.muted, PREVIEW, False),
        ):
            painter.setFont(font_now)
            painter.setPen(QColor(color))
            text = QFontMetrics(font_now).elidedText(str(index.data(role)), Qt.TextElideMode.ElideRight, area.width())
            half = area.adjusted(0, 0, 0, -area.height() // 2) if top else area.adjusted(0, area.height() // 2, 0, 0)
            painter.drawText(half, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()


class PromptMenu(QFrame):
    chosen = Signal(object)
    """A Prompt."""

    edit_clicked = Signal()

    def __init__(self, prompts: Callable[[], Sequence[Prompt]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompts = prompts
        self._found: list[Prompt] = []
        self._is_declined = False
        self.setObjectName("menu")
        self.setAccessibleName(self.tr("Prompts"))
        self._list = QListWidget(self)
        self._list.setAccessibleName(self.tr("Prompts"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setItemDelegate(PromptRow(self._list))
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.viewport().setAutoFillBackground(False)
        self._list.setProperty("kind", "bare")
        self._list.currentTextChanged.connect(self._announce)
        self._list.itemClicked.connect(lambda item: self._choose(self._list.row(item)))
        self._edit = QPushButton(self.tr("Edit prompts…"), self)
        self._edit.setAccessibleName(self.tr("Edit prompts"))
        self._edit.setProperty("kind", "inline")
        self._edit.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._edit.clicked.connect(self._ask_to_edit)
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        box.setSpacing(4)
        box.addWidget(self._list)
        box.addWidget(self._edit, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    @property
    def found(self) -> tuple[Prompt, ...]:
        return tuple(self._found)

    def look_for(self, typed: str | None) -> None:
        """Show what was typed behind the slash finds; None where there is no slash."""
        if typed is None:
            self._is_declined = False
            self.hide()
            return
        if self._is_declined:
            return
        self._found = matching(self._prompts(), typed)
        self._list.clear()
        for prompt in self._found:
            item = QListWidgetItem(prompt.name)
            item.setData(PREVIEW, " ".join(prompt.text.split()))
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        if not self._found and typed:
            self.hide()  # a path or a fraction, and no question to the library
            return
        sizes_itself(self._list)
        self._list.setFixedHeight(max(1, min(len(self._found), MOST_ROWS)) * zoomed(ROW_HEIGHT) + 2)
        self.show()
        self.raise_()

    def place(self, left: int, bottom: int, width: int) -> None:
        """Above a line of its parent, from there on so wide."""
        height = self.sizeHint().height()
        self.setGeometry(left, max(0, bottom - height), width, height)

    def take_key(self, event: QKeyEvent) -> bool:
        """A key pressed in the field; True where it was the list's."""
        if self.isHidden() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key, row, n_rows = event.key(), self._list.currentRow(), self._list.count()
        if n_rows and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._list.setCurrentRow((row + (1 if key == Qt.Key.Key_Down else -1)) % n_rows)
        elif n_rows and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._choose(row)
        else:
            return False
        return True

    def decline(self) -> None:
        """The slash is text: nothing more is offered until it is gone."""
        self._is_declined = True
        self.hide()

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._found):
            self.hide()
            self.chosen.emit(self._found[row])

    def _announce(self, name: str) -> None:
        """The focus stays in the field, so a screen reader is told which prompt would be taken."""
        if name and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, name))

    def _ask_to_edit(self) -> None:
        self.hide()
        self.edit_clicked.emit()
