"""What a search has found, hit by hit: the conversation, when, and the text around with the places marked."""

from PySide6.QtCore import QAbstractListModel, QDate, QDateTime, QLocale, QModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.chat.search import MESSAGE, SearchHit
from app.window.chats.list_model import Index
from app.window.theme import colors_of, scaled
from app.window.zoom import zoomed

HIT_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 66
NEAR_END = 200  # pixels from the end at which more is fetched


class SearchResults(QListView):
    opened = Signal(object)
    """A SearchHit."""

    more_wanted = Signal()
    left_upwards = Signal()
    """The Up key above the first hit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = HitModel()
        self._model.setParent(self)
        self.setModel(self._model)
        self._delegate = HitDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Found"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setProperty("kind", "bare")
        self.viewport().setAutoFillBackground(False)
        self.activated.connect(self._open)
        self.clicked.connect(self._open)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def show_hits(self, hits: tuple[SearchHit, ...]) -> None:
        self._model.show(hits)

    def take_focus(self) -> None:
        """Go to the first hit."""
        if self._model.rowCount():
            self.setFocus()
            self.setCurrentIndex(self._model.index(0))

    def open_first(self) -> None:
        """Open the first hit, if there is one."""
        first = self._model.index(0)
        if first.isValid():
            self.setCurrentIndex(first)
            self._open(first)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
            return
        super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.data(HIT_ROLE))

    def _on_scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - NEAR_END:
            self.more_wanted.emit()


class HitModel(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._hits: tuple[SearchHit, ...] = ()

    def show(self, hits: tuple[SearchHit, ...]) -> None:
        """Hits that come behind those that are there leave these, and the place that is shown, alone."""
        n_before = len(self._hits)
        if n_before and len(hits) > n_before and hits[:n_before] == self._hits:
            self.beginInsertRows(QModelIndex(), n_before, len(hits) - 1)
            self._hits = hits
            self.endInsertRows()
        elif hits != self._hits:
            self.beginResetModel()
            self._hits = hits
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == HIT_ROLE:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{hit.conversation_title}: {hit.snippet}" if hit.kind == MESSAGE else hit.conversation_title
        return None


class HitDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, zoomed(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: SearchHit = index.data(HIT_ROLE)
        view: QWidget = option.widget
        colors = colors_of(view.palette())
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_selected or state & QStyle.StateFlag.State_MouseOver:
            color = QColor(colors.hover)
            color.setAlphaF(1.0 if is_selected else 0.6)
            painter.setPen(QColor(colors.accent) if state & QStyle.StateFlag.State_HasFocus else Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRoundedRect(rect.adjusted(0, 1, -1, -2), 7, 7)
        area = rect.adjusted(zoomed(10), zoomed(5), -zoomed(10), -zoomed(5))
        small = scaled(view.font(), 0.86)
        when = _when(hit.when)
        painter.setFont(small)
        painter.setPen(QColor(colors.muted))
        line = QRect(area.left(), area.top(), area.width(), zoomed(20))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, when)
        width = area.width() - painter.fontMetrics().horizontalAdvance(when) - zoomed(8)
        painter.setFont(scaled(view.font(), 1.0, weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colors.text))
        title = painter.fontMetrics().elidedText(
            hit.conversation_title or self.tr("Untitled"), Qt.TextElideMode.ElideRight, width
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, title)
        below = QRect(area.left(), line.bottom() + 1, area.width(), area.bottom() - line.bottom())
        if hit.kind == MESSAGE:
            _draw_snippet(painter, below, small, hit, QColor(colors.muted), QColor(colors.selection), colors.text)
        else:
            painter.setFont(small)
            painter.setPen(QColor(colors.muted))
            painter.drawText(below, Qt.AlignmentFlag.AlignTop, self.tr("in the title"))
        painter.restore()


def _draw_snippet(
    painter: QPainter, area: QRect, font: QFont, hit: SearchHit, ink: QColor, ground: QColor, marked_ink: str
) -> None:
    """As many lines as there is room for, with the places found on a ground of their own."""
    marked = QTextCharFormat()
    marked.setBackground(ground)
    marked.setForeground(QColor(marked_ink))
    layout = QTextLayout(hit.snippet, font)
    # Qt counts a character beyond the first plane as two.
    ranges = []
    for start, end in hit.marks:
        each = QTextLayout.FormatRange()
        each.start = _units(hit.snippet[:start])
        each.length = _units(hit.snippet[start:end])
        each.format = marked
        ranges.append(each)
    layout.setFormats(ranges)
    fitting = []
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(area.width())
        line.setPosition(QPointF(0, y))
        y += line.height()
        if y <= area.height() + 2:
            fitting.append(line)
    layout.endLayout()
    painter.setPen(ink)
    for line in fitting:
        line.draw(painter, QPointF(area.left(), area.top()))


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def _when(moment: float) -> str:
    """The time of today, else the day."""
    at, short = QDateTime.fromSecsSinceEpoch(int(moment)), QLocale.FormatType.ShortFormat
    return QLocale().toString(at.time() if at.date() == QDate.currentDate() else at.date(), short)
