"""The list of conversations under headings by age: open, rename in place, delete.

Owns how rows are drawn and edited; what opening, renaming and deleting mean is decided by whoever listens. Deleting
needs the menu or a key with modifiers: no bare key ever deletes.
"""

from PySide6.QtCore import QDate, QDateTime, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QMouseEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.chat.records import ConversationSummary
from app.window.icons import icon_pixmap
from app.window.theme import colors_of, scaled

ROW_HEIGHT = 34
HEADING_HEIGHT = 30
MORE_WIDTH = 30

ID_ROLE = Qt.ItemDataRole.UserRole + 1
BUSY_ROLE = Qt.ItemDataRole.UserRole + 2

Index = QModelIndex | QPersistentModelIndex


class ConversationList(QListView):
    """Conversations under headings by age; F2 renames, Ctrl+Shift+Backspace or the menu deletes."""

    opened = Signal(str)
    renamed = Signal(str, str)
    delete_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self._delegate = ConversationDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Conversations"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setStyleSheet("QListView { background: transparent; }")
        self.viewport().setAutoFillBackground(False)
        self.customContextMenuRequested.connect(self._show_menu)
        self.activated.connect(self._open)
        self.clicked.connect(self._open)
        self._model.itemChanged.connect(self._on_edited)

    def show_conversations(self, summaries: list[ConversationSummary], current: str | None, busy: set[str]) -> None:
        if self.state() == QAbstractItemView.State.EditingState:
            return
        at = self.verticalScrollBar().value()
        self.setUpdatesEnabled(False)
        self._model.clear()
        heading = ""
        selected: QStandardItem | None = None
        for summary in summaries:
            age = self._age(summary.updated)
            if age != heading:
                heading = age
                title = QStandardItem(age)
                title.setFlags(Qt.ItemFlag.NoItemFlags)
                self._model.appendRow(title)
            item = QStandardItem(summary.title or self.tr("Untitled"))
            item.setData(summary.id, ID_ROLE)
            item.setData(summary.id in busy, BUSY_ROLE)
            item.setToolTip(summary.title)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable)
            self._model.appendRow(item)
            if summary.id == current:
                selected = item
        if selected is not None:
            self.setCurrentIndex(selected.index())
        else:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        self.verticalScrollBar().setValue(at)
        self.setUpdatesEnabled(True)

    def rename_current(self) -> None:
        if self.currentIndex().data(ID_ROLE) is not None:
            self.edit(self.currentIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        at_dots = event.position().x() > self.visualRect(index).right() - MORE_WIDTH
        if index.data(ID_ROLE) is not None and event.button() == Qt.MouseButton.LeftButton and at_dots:
            self._show_menu(self.visualRect(index).bottomRight() - QPoint(MORE_WIDTH, 0))
            return
        super().mousePressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        if (conversation_id := index.data(ID_ROLE)) is not None:
            self.opened.emit(conversation_id)

    def _on_edited(self, item: QStandardItem) -> None:
        if (conversation_id := item.data(ID_ROLE)) is not None:
            self.renamed.emit(conversation_id, item.text())

    def _show_menu(self, position: QPoint) -> None:
        index = self.indexAt(position)
        conversation_id = index.data(ID_ROLE)
        if conversation_id is None:
            return
        menu = QMenu(self)
        rename = QAction(self.tr("Rename"), menu)
        rename.triggered.connect(lambda: self.edit(index))
        delete = QAction(self.tr("Delete"), menu)
        delete.triggered.connect(lambda: self.delete_asked.emit(conversation_id))
        menu.addActions([rename, delete])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(position))

    def _age(self, updated: float) -> str:
        days = QDateTime.fromSecsSinceEpoch(int(updated)).date().daysTo(QDate.currentDate())
        if days <= 0:
            return self.tr("Today")
        if days == 1:
            return self.tr("Yesterday")
        return self.tr("Last 7 days") if days < 7 else self.tr("Last 30 days") if days < 30 else self.tr("Older")


class ConversationDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, HEADING_HEIGHT if index.data(ID_ROLE) is None else ROW_HEIGHT)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("Title of the conversation"))
        editor.setMaxLength(200)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(2, 1, -2, -1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        view: QWidget = option.widget
        colors = colors_of(view.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(ID_ROLE) is None:
            painter.setFont(scaled(view.font(), 0.84, weight=QFont.Weight.DemiBold))
            painter.setPen(QColor(colors.muted))
            area = rect.adjusted(10, 6, -10, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, index.data())
            painter.restore()
            return
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if is_current or is_hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            color = QColor(colors.hover)
            color.setAlphaF(1.0 if is_current else 0.6)
            painter.setBrush(color)
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 7, 7)
        if state & QStyle.StateFlag.State_HasFocus and is_current:
            painter.setPen(QColor(colors.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0, 1, -1, -2), 7, 7)
        right = 10
        if is_hovered or is_current:
            right = MORE_WIDTH
            dots = icon_pixmap("more", colors.muted, 16, view.devicePixelRatioF())
            painter.drawPixmap(rect.right() - 23, rect.center().y() - 7, dots)
        elif index.data(BUSY_ROLE):
            right = 24
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.accent))
            painter.drawEllipse(rect.right() - 16, rect.center().y() - 3, 7, 7)
        painter.setPen(QColor(colors.text))
        painter.setFont(view.font())
        area = rect.adjusted(10, 0, -right, 0)
        text = painter.fontMetrics().elidedText(str(index.data()), _ELIDE, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


_ELIDE = Qt.TextElideMode.ElideRight
