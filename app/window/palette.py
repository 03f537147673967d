"""The command palette: a few letters find any action, page, conversation, model or setting, and Enter takes it.

Owns the field and the list over the window, by keyboard alone or with the pointer. What can be found is asked for each
time it is opened; how well letters fit is app/fuzzy.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.fuzzy import fit
from app.window.escape import ClosedByEscape
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.zoom import sizes_itself, zoomed

WIDTH = 560
ROW = 34
MOST_ROWS = 9
MOST_FOUND = 60
_KIND = Qt.ItemDataRole.UserRole + 1
_KEYS = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind` is a word for what it is; `keys` what starts it otherwise; `weight` puts one before its equals."""

    title: str
    kind: str
    run: Callable[[], object]
    keys: str = ""
    weight: int = 0


def found(entries: Sequence[Entry], typed: str) -> list[Entry]:
    """Those that fit, the best first; equals in the order given."""
    rated = []
    for entry in entries:
        name, kind = fit(typed, entry.title), fit(typed, f"{entry.kind} {entry.title}")
        best = max((rate for rate in (name, None if kind is None else kind - 30) if rate is not None), default=None)
        if best is not None:
            rated.append((best + entry.weight, entry))
    rated.sort(key=lambda pair: -pair[0])
    return [entry for _, entry in rated[:MOST_FOUND]]


class CommandPalette(QFrame):
    def __init__(self, window: QWidget, entries: Callable[[], Sequence[Entry]]) -> None:
        super().__init__(window)
        self._window = window
        self._entries = entries
        self._offered: list[Entry] = []
        self._shown: list[Entry] = []
        self._focus_before: QWidget | None = None
        self.setAccessibleName(self.tr("Commands"))
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Type what you want to do, or a conversation, a model, a setting"))
        self.field.setAccessibleName(self.tr("What you want to do"))
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        ClosedByEscape(self, self.isVisible, self.dismiss)
        self.list = QListView(self)
        self.list.setAccessibleName(self.tr("What was found"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setItemDelegate(_Row(self.list))
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        self._nothing = MutedLabel(self.tr("Nothing like that"), self)
        self._nothing.setContentsMargins(10, 4, 10, 6)
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 10, 10, 10)
        box.setSpacing(8)
        box.addWidget(self.field)
        box.addWidget(self.list)
        box.addWidget(self._nothing)
        sizes_itself(self)
        sizes_itself(self.list)
        window.installEventFilter(self)
        self.hide()

    @property
    def titles(self) -> list[str]:
        """What is listed, in its order."""
        return [entry.title for entry in self._shown]

    def toggle(self) -> None:
        if self.isVisible():
            self.dismiss()
            return
        self._focus_before = QApplication.focusWidget()
        self._offered = list(self._entries())
        self.field.clear()
        self._find("")
        self.show()
        self.raise_()
        self.field.setFocus()

    def dismiss(self) -> None:
        """Close it, and give the keyboard back to whoever had it."""
        self.hide()
        self._offered, self._shown = [], []
        if self._focus_before is not None and self._focus_before.isVisible():
            self._focus_before.setFocus()
        self._focus_before = None

    def _find(self, typed: str) -> None:
        self._shown = found(self._offered, typed)
        self._model.clear()
        for entry in self._shown:
            item = QStandardItem(entry.title)
            item.setData(entry.kind, _KIND)
            item.setData(entry.keys, _KEYS)
            words = f"{entry.title}, {entry.kind}"
            item.setData(f"{words}, {entry.keys}" if entry.keys else words, Qt.ItemDataRole.AccessibleTextRole)
            self._model.appendRow(item)
        self.list.setVisible(bool(self._shown))
        self._nothing.setVisible(not self._shown)
        self._choose(0)
        self._place()

    def _choose(self, row: int) -> None:
        if self._shown:
            index = self._model.index(row % len(self._shown), 0)
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def _take(self, row: int) -> None:
        if 0 <= row < len(self._shown):
            entry = self._shown[row]
            self.dismiss()
            entry.run()

    def _place(self) -> None:
        width = min(zoomed(WIDTH), self._window.width() - 2 * zoomed(16))
        rows = min(MOST_ROWS, max(1, len(self._shown)))
        self.list.setFixedHeight(rows * zoomed(ROW) + 2)
        self.setFixedWidth(width)
        layout = self.layout()
        height = layout.sizeHint().height() if layout is not None else 0
        self.resize(width, min(height, self._window.height() - zoomed(32)))
        self.move((self._window.width() - width) // 2, max(zoomed(16), self._window.height() // 9))

    # Events -------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event)
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            if QApplication.activePopupWidget() is None and self._window.isActiveWindow():
                self._focus_before = None  # it has gone where somebody wanted it
                self.dismiss()
        elif watched is self._window and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        row = self.list.currentIndex().row()
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: MOST_ROWS,
            Qt.Key.Key_PageUp: -MOST_ROWS,
            Qt.Key.Key_Tab: 1,
            Qt.Key.Key_Backtab: -1,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._choose(row + steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(row)
        else:
            return False
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colors.raised))
        painter.setPen(QPen(QColor(colors.scroll), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 12, 12)
        painter.end()


class _Row(QStyledItemDelegate):
    """The title, what it is in the muted colour, and its keys at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, zoomed(ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colors = colors_of(option.palette)
        area = QRectF(option.rect).adjusted(0, 1, 0, -1)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.selection if is_chosen else colors.hover))
            painter.drawRoundedRect(area, 7, 7)
        inner = area.adjusted(zoomed(10), 0, -zoomed(10), 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        small = scaled(option.font, 0.9)
        right = inner.right()
        painter.setFont(small)
        painter.setPen(QColor(colors.text if is_chosen else colors.muted))
        for text in (index.data(_KEYS), index.data(_KIND)):
            width = painter.fontMetrics().horizontalAdvance(text) if text else 0
            if width:
                right -= width
                painter.drawText(QRectF(right, inner.top(), width + 1, inner.height()), middle, text)
                right -= zoomed(14)
        painter.setFont(option.font)
        painter.setPen(QColor(colors.text))
        room = right - inner.left()
        title = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(inner.left(), inner.top(), room, inner.height()), middle, title)
        painter.restore()
