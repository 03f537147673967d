"""The list of conversations: open, select several, rename in place, drag into folders, and a menu for the rest.

Owns how rows are drawn, edited and chosen; what is asked for is decided by whoever listens. Deleting needs the menu or
a key with modifiers: no bare key ever deletes.
"""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.window.chats.list_model import BUSY_ROLE, ROW_ROLE, ConversationListModel, Index
from app.window.chats.list_rows import CHAT, FOLDER, HEADING, Row
from app.window.icons import icon_pixmap
from app.window.theme import colors_of, scaled
from app.window.zoom import zoomed

ROW_HEIGHT = 34
MORE_WIDTH = 30
INDENT = 18
MAX_TITLE = 200


class ConversationList(QListView):
    """F2 renames, the menu key and a click on the dots open the menu, Left and Right fold and unfold a folder."""

    opened = Signal(str)
    folder_toggled = Signal(str)
    menu_asked = Signal(list, QPoint)
    """The rows it is for, none where it is for the list as a whole, and where it is to be, on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ConversationListModel()
        self.rows.setParent(self)
        self.setModel(self.rows)
        self._delegate = ConversationDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Conversations"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)  # thousands of rows are then laid out without asking for each
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(True)
        self.setProperty("kind", "bare")
        self.viewport().setAutoFillBackground(False)
        self.activated.connect(self._open)
        self.clicked.connect(self._click)
        self._current = ""

    # What is shown ------------------------------------------------------------------------------------------------

    def show_rows(self, rows: list[Row], current: str, busy: frozenset[str]) -> None:
        """`current` is the conversation that is open; what else is selected stays so while it is there."""
        if self.state() == QAbstractItemView.State.EditingState:
            return
        at = self.verticalScrollBar().value()
        chosen = [row.key for row in self.selected_rows()]
        before, self._current = self._current, current
        self.rows.show(rows, busy)
        kept = [key for key in chosen if key != before] if len(chosen) > 1 else []
        self._select([current, *kept] if current else kept)
        self.verticalScrollBar().setValue(at)

    def selected_rows(self) -> list[Row]:
        """The conversations and folders that are selected, from top to bottom."""
        places = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [self.rows.rows[place] for place in places if place < len(self.rows.rows)]

    def rename(self, key: str) -> None:
        """Let a person write another title of a conversation or folder."""
        place = self.rows.place_of(key)
        if place.isValid() and self.rows.flags(place) & Qt.ItemFlag.ItemIsEditable:
            self.scrollTo(place)
            self.edit(place)

    def rename_current(self) -> None:
        """Rename what the keyboard is at, else the conversation that is open."""
        row = self.rows.row_of(self.currentIndex()) if self.hasFocus() else None
        if row is not None and row.kind != HEADING:
            self.rename(row.key)
        elif self._current:
            self.rename(self._current)

    def _select(self, keys: list[str]) -> None:
        model, flag = self.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        places = [place for key in keys if (place := self.rows.place_of(key)).isValid()]
        if places:
            model.setCurrentIndex(places[0], flag.NoUpdate)
        for place in places:
            model.select(place, flag.Select)

    # What is done -------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row_of(index)
        at_dots = event.position().x() > self.visualRect(index).right() - zoomed(MORE_WIDTH)
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if row is not None and row.kind != HEADING and is_plain and at_dots:
            self._ask_for_menu(index, self.visualRect(index).bottomRight() - QPoint(zoomed(MORE_WIDTH), 0))
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.rows.row_of(self.currentIndex())
        key = event.key()
        if row is not None and row.kind == FOLDER and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            if row.is_open == (key == Qt.Key.Key_Left):
                self.folder_toggled.emit(row.key)
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            self._ask_for_menu(index, self.visualRect(index).center())
        else:
            self._ask_for_menu(self.indexAt(event.pos()), event.pos())

    def _ask_for_menu(self, index: QModelIndex, position: QPoint) -> None:
        row = self.rows.row_of(index)
        rows = [] if row is None or row.kind == HEADING else [row]
        selected = self.selected_rows()
        if rows and rows[0].kind == CHAT and rows[0] in selected:
            rows = [each for each in selected if each.kind == CHAT]
        self.menu_asked.emit(rows, self.viewport().mapToGlobal(position))

    def _click(self, index: QModelIndex) -> None:
        if len(self.selected_rows()) <= 1:
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        row = self.rows.row_of(index)
        if row is not None and row.kind == FOLDER:
            self.folder_toggled.emit(row.key)
        elif row is not None and row.kind == CHAT:
            self.opened.emit(row.key)


class ConversationDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, zoomed(ROW_HEIGHT))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        is_folder = index.data(ROW_ROLE).kind == FOLDER
        editor.setAccessibleName(self.tr("Name of the folder") if is_folder else self.tr("Title of the conversation"))
        editor.setMaxLength(MAX_TITLE)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(2, 1, -2, -1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        view: QWidget = option.widget
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.kind == HEADING:
            self._paint_heading(painter, option.rect, view, index.data())
        else:
            self._paint_row(painter, option, view, index, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, view: QWidget, text: str) -> None:
        painter.setFont(scaled(view.font(), 0.84, weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colors_of(view.palette()).muted))
        area = rect.adjusted(zoomed(10), zoomed(8), -zoomed(10), 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, _elided(painter, text, area.width()))

    def _paint_row(
        self, painter: QPainter, option: QStyleOptionViewItem, view: QWidget, index: Index, row: Row
    ) -> None:
        colors = colors_of(view.palette())
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if is_selected or is_hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            color = QColor(colors.hover)
            color.setAlphaF(1.0 if is_selected else 0.6)
            painter.setBrush(color)
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 7, 7)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colors.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0, 1, -1, -2), 7, 7)
        left = zoomed(10) + (zoomed(INDENT) if row.is_inside else 0)
        right = zoomed(10)
        if row.kind == FOLDER:
            left += self._paint_folder_icons(painter, rect, view, row)
        elif row.is_protected:
            size = zoomed(14)
            lock = icon_pixmap("lock", colors.muted, size, view.devicePixelRatioF())
            painter.drawPixmap(rect.left() + left, rect.center().y() - size // 2 + 1, lock)
            left += size + zoomed(7)
        if is_hovered or is_selected:
            right = zoomed(MORE_WIDTH)
            size = zoomed(16)
            dots = icon_pixmap("more", colors.muted, size, view.devicePixelRatioF())
            painter.drawPixmap(rect.right() - zoomed(7) - size, rect.center().y() - size // 2 + 1, dots)
        elif index.data(BUSY_ROLE) or (row.summary is not None and row.summary.is_unread):
            right = zoomed(24)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.accent if index.data(BUSY_ROLE) else colors.good))
            size = zoomed(7)
            painter.drawEllipse(rect.right() - zoomed(9) - size, rect.center().y() - size // 2, size, size)
        elif row.kind == FOLDER:
            right += self._paint_count(painter, rect, view, row)
        font = view.font()
        font.setBold(row.summary is not None and row.summary.is_unread)
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        area = rect.adjusted(left, 0, -right, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, _elided(painter, str(index.data()), area.width()))

    def _paint_folder_icons(self, painter: QPainter, rect: QRect, view: QWidget, row: Row) -> int:
        """The arrow and the folder; how far they move the name."""
        colors, ratio = colors_of(view.palette()), view.devicePixelRatioF()
        arrow, folder = zoomed(12), zoomed(16)
        name = "chevron-down" if row.is_open else "chevron-right"
        top = rect.center().y() + 1
        painter.drawPixmap(rect.left() + zoomed(6), top - arrow // 2, icon_pixmap(name, colors.muted, arrow, ratio))
        at = rect.left() + zoomed(22)
        painter.drawPixmap(at, top - folder // 2, icon_pixmap("folder", colors.muted, folder, ratio))
        return zoomed(36)

    def _paint_count(self, painter: QPainter, rect: QRect, view: QWidget, row: Row) -> int:
        painter.setFont(scaled(view.font(), 0.86))
        painter.setPen(QColor(colors_of(view.palette()).muted))
        text = str(row.n_inside) if row.n_inside else ""
        area = rect.adjusted(0, 0, -zoomed(10), 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return painter.fontMetrics().horizontalAdvance(text) + zoomed(6)


def _elided(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
