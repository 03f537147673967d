"""Models that are not here as cards in a grid: one widget a card, painted, so that fifty of them cost little.

Owns their look, and the way through them by arrow keys. What is on a card is given; what a click means is decided by
whoever listens.
"""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.window.icons import icon_pixmap
from app.window.theme import colors_of, mixed, scaled

GAP = 12
PADDING = 15
TWO_COLUMNS = 620  # from this width on
NOTE_LINES = 2


@dataclass(frozen=True, slots=True)
class CardFace:
    """What a card says. `mark` is a word in a pill, in the colour `ink` of the theme; `has_lock`: on request."""

    key: str
    name: str
    repo: str
    facts: str
    note: str
    mark: str = ""
    ink: str = "muted"
    has_lock: bool = False
    is_faint: bool = False

    @property
    def spoken(self) -> str:
        """For those who cannot see it."""
        return ". ".join(part for part in (self.name, self.mark, self.facts, self.note) if part)


class HubCard(QAbstractButton):
    def __init__(self, face: CardFace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.face = face
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._name_it()

    def show_face(self, face: CardFace) -> None:
        if face != self.face:
            self.face = face
            self._name_it()
            self.update()

    def _name_it(self) -> None:
        self.setAccessibleName(self.face.spoken)
        self.setToolTip(self.face.repo)

    def sizeHint(self) -> QSize:
        return QSize(260, self.height_of_lines())

    def height_of_lines(self) -> int:
        name = QFontMetricsF(self._fonts()[0]).height()
        small = QFontMetricsF(self._fonts()[1]).height()
        return round(2 * PADDING - 4 + name + (2 + NOTE_LINES) * small + 13)

    def _fonts(self) -> tuple[QFont, QFont]:
        return scaled(self.font(), 1.06, weight=QFont.Weight.DemiBold), scaled(self.font(), 0.92)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        face = self.face
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        is_lit = self.underMouse() or self.isDown()
        painter.setBrush(QColor(colors.hover if self.isDown() else colors.raised))
        painter.setPen(QPen(QColor(colors.accent if self.hasFocus() else colors.muted if is_lit else colors.border), 1))
        painter.drawRoundedRect(edge, 11, 11)
        bold, small = self._fonts()
        left, width = float(PADDING), float(self.width() - 2 * PADDING)
        y = float(PADDING) - 3
        right = self._paint_mark(painter, small, left + width, y)
        if face.has_lock:
            lock = icon_pixmap("lock", colors.muted, 15, self.devicePixelRatioF())
            right -= 15
            painter.drawPixmap(QPointF(right, y + 2), lock)
            right -= 6
        metrics = QFontMetricsF(bold)
        painter.setFont(bold)
        painter.setPen(QColor(colors.muted if face.is_faint else colors.text))
        name = metrics.elidedText(face.name, Qt.TextElideMode.ElideRight, max(20.0, right - left - 4))
        painter.drawText(QPointF(left, y + metrics.ascent()), name)
        y += metrics.height() + 2
        painter.setFont(small)
        metrics = QFontMetricsF(small)
        painter.setPen(QColor(colors.muted))
        for text in (face.repo, face.facts):
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QPointF(left, y + metrics.ascent()), elided)
            y += metrics.height() + 1
        painter.setPen(QColor(colors.muted if face.is_faint else colors.text))
        paint_lines(painter, face.note, small, QRectF(left, y + 4, width, 0), NOTE_LINES)
        painter.end()

    def _paint_mark(self, painter: QPainter, font: QFont, right: float, y: float) -> float:
        """The pill; returns where it begins."""
        if not self.face.mark:
            return right
        colors = colors_of(self.palette())
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(self.face.mark) + 16
        pill = QRectF(right - width, y, width, metrics.height() + 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(colors, self.face.ink, 0.14))
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setFont(font)
        painter.setPen(QColor(getattr(colors, self.face.ink)))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self.face.mark)
        return pill.left() - 8


def paint_lines(painter: QPainter, text: str, font: QFont, at: QRectF, n_lines: int) -> None:
    """A text on at most so many lines; what does not fit ends in an ellipsis."""
    if not text:
        return
    metrics = QFontMetricsF(font)
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) <= n_lines and (line := layout.createLine()).isValid():
        line.setLineWidth(at.width())
        starts.append(line.textStart())
    layout.endLayout()
    painter.setFont(font)
    for number, start in enumerate(starts[:n_lines]):
        is_last = number == n_lines - 1
        end = None if is_last or number + 1 >= len(starts) else starts[number + 1]
        words = text[start:end].strip()
        if is_last:
            words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, at.width())
        painter.drawText(QPointF(at.left(), at.top() + number * metrics.height() + metrics.ascent()), words)


class CardGrid(QWidget):
    """Cards in one or two columns. One of them takes part in the turn of the Tab key; arrow keys go on from there."""

    chosen = Signal(str)
    """The key of a card."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._cards: dict[str, HubCard] = {}
        self._order: list[HubCard] = []
        self._n_columns = 1
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)

    @property
    def cards(self) -> tuple[HubCard, ...]:
        return tuple(self._order)

    def show_faces(self, faces: tuple[CardFace, ...]) -> None:
        """These cards in this order; those that stay are kept as they are."""
        wanted = {face.key: face for face in faces}
        for key in [key for key in self._cards if key not in wanted]:
            gone = self._cards.pop(key)
            gone.hide()
            gone.deleteLater()
        for face in faces:
            card = self._cards.get(face.key)
            if card is None:
                card = self._cards[face.key] = HubCard(face, self)
                card.clicked.connect(lambda _=False, key=face.key: self.chosen.emit(key))
                card.installEventFilter(self)
                card.show()
            else:
                card.show_face(face)
        order = [self._cards[face.key] for face in faces]
        if order != self._order:
            self._order = order
            self._chain()
            self._place()
        self.setVisible(bool(order))

    def take_focus(self, key: str = "") -> None:
        card = self._cards.get(key) or next(iter(self._order), None)
        if card is not None:
            card.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(watched, HubCard):
            if event.type() == QEvent.Type.FocusIn:
                self._chain(watched)
            elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._go(watched, Qt.Key(event.key()))
        return False

    def _go(self, card: HubCard, key: Qt.Key) -> bool:
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            card.click()
            return True
        at, last = self._order.index(card), len(self._order) - 1
        steps = {
            Qt.Key.Key_Left: at - 1, Qt.Key.Key_Right: at + 1, Qt.Key.Key_Up: at - self._n_columns,
            Qt.Key.Key_Down: at + self._n_columns, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last,
        }  # fmt: skip
        if key not in steps:
            return False
        if 0 <= steps[key] <= last:
            self._order[steps[key]].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _chain(self, current: HubCard | None = None) -> None:
        if current is None:
            current = next((c for c in self._order if c.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
            current = current if current in self._order else next(iter(self._order), None)
        for card in self._order:
            policy = Qt.FocusPolicy.StrongFocus if card is current else Qt.FocusPolicy.ClickFocus
            if card.focusPolicy() != policy:
                card.setFocusPolicy(policy)

    def _place(self) -> None:
        width = self.width()
        self._n_columns = 2 if width >= TWO_COLUMNS else 1
        if not self._order:
            self.setFixedHeight(0)
            return
        height = self._order[0].height_of_lines()
        each = (width - (self._n_columns - 1) * GAP) // self._n_columns
        for number, card in enumerate(self._order):
            row, column = divmod(number, self._n_columns)
            card.setGeometry(QRect(column * (each + GAP), row * (height + GAP), each, height))
        n_rows = -(-len(self._order) // self._n_columns)
        self.setFixedHeight(n_rows * (height + GAP) - GAP)
