"""How full the model's context is: a ring and numbers; on a click what takes them, and what is done when it is full."""

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QGridLayout,
    QLabel,
    QRadioButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.chat.context import ContextUse
from app.window.labels import MutedLabel
from app.window.theme import Colors, colors_of, scaled
from app.window.wording import number
from app.window.zoom import zoomed
from engine.context_reports import ASK, MIDDLE, OLDEST

DETAILS_WIDTH = 330


class ContextGauge(QToolButton):
    """A ring that fills as the conversation, with what is being written, fills the model's context."""

    overflow_chosen = Signal(str)
    """One of engine.context_reports.OVERFLOWS."""

    keeps_first_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._use: ContextUse | None = None
        self._text = ""
        self._overflow, self._keeps_first = ASK, True
        self._has_numbers = True
        self.setFont(scaled(self.font(), 0.88))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Context"))
        self.clicked.connect(self.show_details)
        self.hide()

    def show_use(self, use: ContextUse | None) -> None:
        """None hides it."""
        self._use = use
        self.setVisible(use is not None)
        if use is not None:
            self._text = self.tr("%1 of %2").replace("%1", number(use.used)).replace("%2", number(use.context))
            words = self._words(use)
            self.setToolTip(words)
            self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def show_policy(self, overflow: str, *, keeps_first: bool) -> None:
        """What is done with a conversation that does not fit."""
        self._overflow, self._keeps_first = overflow, keeps_first

    def show_numbers(self, is_shown: bool) -> None:
        """Whether there is room for more than the ring."""
        if is_shown != self._has_numbers:
            self._has_numbers = is_shown
            self.updateGeometry()

    def show_details(self) -> None:
        """Open the account of the context below the ring."""
        if self._use is None:
            return
        details = ContextDetails(self._use, self._overflow, self, keeps_first=self._keeps_first)
        details.overflow_chosen.connect(self.overflow_chosen)
        details.keeps_first_chosen.connect(self.keeps_first_chosen)
        details.adjustSize()
        window = self.window()
        corner = self.mapToGlobal(QPoint(self.width(), self.height() + 4))
        right = min(corner.x() + 60, window.mapToGlobal(QPoint(window.width() - 10, 0)).x())
        details.move(right - details.width(), corner.y())
        details.show()
        details.take_focus()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self._text) if self._has_numbers else 0
        return QSize(zoomed(26) + width + (zoomed(8) if width else 0), zoomed(30))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._use is None:
            return
        colors = colors_of(self.palette())
        color = ring_color(self._use, colors)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(colors.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        size = zoomed(14)
        ring = QRectF(zoomed(5), (self.height() - size) / 2, size, size)
        painter.setPen(QPen(QColor(colors.border), 2.6))
        painter.drawEllipse(ring)
        pen = QPen(QColor(color), 2.6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(ring, 90 * 16, -int(self._use.share * 360 * 16))
        painter.setPen(QColor(color))
        if self._has_numbers:
            painter.drawText(self.rect().adjusted(zoomed(26), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()

    def _words(self, use: ContextUse) -> str:
        words = (
            self.tr("Context: this conversation takes %1 of the %2 tokens the model can read")
            .replace("%1", number(use.used))
            .replace("%2", number(use.context))
        )
        if not use.fits:
            return f"{words}. {self.tr('It does not fit.')}"
        if use.left_out is not None:
            left = self.tr("%1 messages are left out.").replace("%1", number(use.left_out.n_messages))
            return f"{words}. {left}"
        return words


class ContextDetails(QFrame):
    """What takes the context, and what is done when it is full; goes when one clicks elsewhere."""

    overflow_chosen = Signal(str)
    keeps_first_chosen = Signal(bool)

    def __init__(self, use: ContextUse, overflow: str, parent: QWidget, *, keeps_first: bool) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("popup")
        self.setAccessibleName(self.tr("Context"))
        self.setFont(parent.window().font())
        self.setFixedWidth(zoomed(DETAILS_WIDTH))
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 13, 16, 14)
        box.setSpacing(7)
        title = QLabel(self.tr("What the model reads, in tokens"), self)
        title.setFont(scaled(self.font(), 1.0, weight=title.font().Weight.DemiBold))
        box.addWidget(title)
        box.addLayout(self._account(use))
        for words in self._remarks(use):
            box.addWidget(MutedLabel(words, self, factor=0.92))
        box.addSpacing(4)
        box.addWidget(QLabel(self.tr("When a conversation does not fit"), self))
        self._group = QButtonGroup(self)
        for choice, words in (
            (ASK, self.tr("Stop and ask me")),
            (OLDEST, self.tr("Leave out the oldest turns")),
            (MIDDLE, self.tr("Leave out the middle")),
        ):
            button = QRadioButton(words, self)
            button.setAccessibleName(words)
            button.setChecked(choice == overflow)
            button.toggled.connect(lambda is_on, c=choice: self._choose(c) if is_on else None)
            self._group.addButton(button)
            box.addWidget(button)
        self._keep = QCheckBox(self.tr("Keep the first message and its answer"), self)
        self._keep.setAccessibleName(self._keep.text())
        self._keep.setChecked(keeps_first)
        self._keep.setEnabled(overflow == OLDEST)
        self._keep.toggled.connect(self.keeps_first_chosen)
        box.addWidget(self._keep)

    def take_focus(self) -> None:
        """To the policy that is chosen; Esc closes."""
        chosen = self._group.checkedButton()
        if chosen is not None:
            chosen.setFocus()

    def _account(self, use: ContextUse) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        rows = (
            (self.tr("System prompt"), use.system),
            (self.tr("Messages"), use.messages),
            (self.tr("What you are writing, with files"), use.draft),
            (self.tr("Form of the prompt"), use.template),
            (self.tr("Room for the answer"), use.room),
        )
        for row, (words, count) in enumerate(rows):
            value = QLabel(number(count), self)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(MutedLabel(words, self, wraps=False), row, 0)
            grid.addWidget(value, row, 1)
        total = QLabel(self.tr("It can read at most"), self)
        value = QLabel(number(use.context), self)
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        grid.addWidget(total, len(rows), 0)
        grid.addWidget(value, len(rows), 1)
        grid.setColumnStretch(0, 1)
        return grid

    def _remarks(self, use: ContextUse) -> list[str]:
        remarks = []
        if not use.fits:
            over = use.used - use.context
            words = self.tr("It does not fit: %1 tokens too many. Shorten it, or choose below what may be left out.")
            remarks.append(words.replace("%1", number(max(over + 1, 1))))
        left = use.left_out
        if left is not None and left.n_messages:
            words = self.tr("%1 messages with %2 tokens are left out.")
            remarks.append(words.replace("%1", number(left.n_messages)).replace("%2", number(left.n_tokens)))
        if left is not None and left.cut_tokens:
            words = self.tr("%1 tokens in the middle of your message are left out.")
            remarks.append(words.replace("%1", number(left.cut_tokens)))
        return remarks

    def _choose(self, overflow: str) -> None:
        self._keep.setEnabled(overflow == OLDEST)
        self.overflow_chosen.emit(overflow)


def ring_color(use: ContextUse, colors: Colors) -> str:
    """Red where it does not fit, amber where it soon will not."""
    if not use.fits:
        return colors.danger
    return colors.warning if use.is_nearly_full else colors.muted
