"""One message: what a person wrote in a bubble, or an answer with its actions and figures.

Owns the look of a message and the pace at which a growing answer is drawn again. What its buttons mean is decided by
whoever listens. Knows no engine and no store.
"""

import time

from PySide6.QtCore import QEvent, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.chat.conversation import ERROR, STREAMING
from app.chat.markdown import Block, MarkdownStream, Span, parse_shown
from app.chat.records import StoredMessage
from app.window.error_card import Action, ErrorCard
from app.window.icons import IconButton, IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.transcript.prose_view import ProseView
from app.window.transcript.segments import SegmentsView
from app.window.wording import drifted_words, end_words, error_words, number, stats_details, stats_words

FOOTER_HEIGHT = 28
BUBBLE_PADDING_X = 15
BUBBLE_PADDING_TOP = 10
BUBBLE_PADDING_BOTTOM = 6  # the last line has room below it already
BUBBLE_SHARE = 0.85  # of the column, at most
COPIED_MS = 1500
REST = 4  # after a redraw that took t, the next one waits at least t times this


class MessageView(QWidget):
    """What both kinds of message have: text, a copy button, a row of actions that shows on hover."""

    height_changed = Signal()
    link_activated = Signal(str)
    selected = Signal()
    acted = Signal()
    """A button was pressed, and what it means has been done."""

    def __init__(self, message: StoredMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._fitted = (0, 0)
        self._copy = self._action("copy", self.tr("Copy message"))
        self._copy.clicked.connect(self._copy_message)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(lambda: self._copy.show_icon("copy", color="muted"))

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes. Done once for each width and each change."""
        if self._fitted[0] != width:
            self._fitted = (width, self._lay_out(width))
        return self._fitted[1]

    def _lay_out(self, width: int) -> int:
        raise NotImplementedError

    def _changed(self) -> None:
        self._fitted = (0, 0)
        self.height_changed.emit()

    def _action(self, icon: str, name: str) -> IconButton:
        button = IconButton(icon, name, self, size=16)
        button.resize(26, 26)
        return button

    def _copy_message(self) -> None:
        QGuiApplication.clipboard().setText(self.message.content)
        self._copy.show_icon("check", color="good")
        self._copied.start()
        self.acted.emit()


class UserMessageView(MessageView):
    answer_clicked = Signal()

    def __init__(self, message: StoredMessage, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self._bubble = QRectF()
        self._text = ProseView(self, compact=True)
        self._text.setAccessibleName(self.tr("Your message"))
        self._text.show_blocks([Block((Span(line),) if line else ()) for line in message.content.split("\n")])
        self._text.selectionChanged.connect(self.selected)
        self._copy.set_faint(True)
        self._answer = QPushButton(self.tr("Answer this message"), self)
        self._answer.setAccessibleName(self.tr("Answer this message"))
        self._answer.clicked.connect(self.answer_clicked)
        self._answer.clicked.connect(self.acted)
        self._answer.hide()

    def place(self, *, is_unanswered: bool) -> None:
        """Offer to answer a message that has no answer and is not waiting for one."""
        if self._answer.isHidden() == is_unanswered:
            self._answer.setVisible(is_unanswered)
            self._changed()

    def _lay_out(self, width: int) -> int:
        text_width = self._text.ideal_width(int(width * BUBBLE_SHARE) - 2 * BUBBLE_PADDING_X)
        height = self._text.fit(text_width)
        left = width - text_width - 2 * BUBBLE_PADDING_X
        bubble_height = BUBBLE_PADDING_TOP + height + BUBBLE_PADDING_BOTTOM
        self._bubble = QRectF(left, 0, text_width + 2 * BUBBLE_PADDING_X, bubble_height)
        self._text.setGeometry(left + BUBBLE_PADDING_X, BUBBLE_PADDING_TOP, text_width, height)
        self._copy.move(left - 32, bubble_height - 32)
        self.update()
        bottom = bubble_height + 14
        if not self._answer.isHidden():
            self._answer.adjustSize()
            self._answer.move(0, bottom)
            bottom += self._answer.height()
        return bottom

    def enterEvent(self, event: QEnterEvent) -> None:
        self._copy.set_faint(False)

    def leaveEvent(self, event: QEvent) -> None:
        self._copy.set_faint(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(QColor(colors_of(self.palette()).bubble))
        painter.drawRoundedRect(self._bubble, 16, 16)
        painter.end()


class AnswerView(MessageView):
    regenerate_clicked = Signal()
    compare_clicked = Signal(str)
    version_chosen = Signal(str)

    def __init__(self, message: StoredMessage, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self._stream: MarkdownStream | None = None
        self._drawn_at = 0.0
        self._cost_s = 0.0
        self._is_hovered = False
        self._is_last = False
        self._show_stats = True
        self._versions: list[str] = [message.id]
        self._placed: tuple[object, ...] = ()
        self._card: ErrorCard | None = None
        self._card_actions: tuple[Action, ...] = ()
        self._body = SegmentsView(self)
        self._body.link_activated.connect(self.link_activated)
        self._body.selected.connect(self.selected)
        self._regenerate = self._action("refresh", self.tr("Answer again"))
        self._regenerate.clicked.connect(self.regenerate_clicked)
        self._regenerate.clicked.connect(self.acted)
        self._compare = self._action("compare", self.tr("Compare exact with a tier"))
        self._compare.clicked.connect(lambda: self.compare_clicked.emit(self.message.id))
        self._can_compare = False
        self._previous = self._action("chevron-left", self.tr("Previous version"))
        self._previous.clicked.connect(lambda: self._choose(-1))
        self._next = self._action("chevron-right", self.tr("Next version"))
        self._next.clicked.connect(lambda: self._choose(1))
        self._version = MutedLabel(parent=self, factor=0.86, wraps=False)
        self._facts = MutedLabel(parent=self, factor=0.86, wraps=False)
        self._drift = MutedLabel(parent=self, factor=0.93)
        self._drift_icon = IconLabel("info", "muted", 16, self)
        self._draw_timer = QTimer(self)
        self._draw_timer.setSingleShot(True)
        self._draw_timer.timeout.connect(self._draw)
        self.show_message(message)

    # Content ------------------------------------------------------------------------------------------------------

    def show_message(self, message: StoredMessage) -> None:
        """Show a message whose status or figures may have changed."""
        self.message = message
        if message.status == STREAMING:
            self._stream = MarkdownStream()
            self._stream.append(message.content)
            self._draw()
        else:
            self._stream = None
            self._draw_timer.stop()
            self._body.show_items(parse_shown(message.content.rstrip()))
        self._show_card()
        self._update_footer()
        self._changed()

    def grow(self, message: StoredMessage, text: str) -> None:
        """Add text; drawn at once, or a little later where drawing has become slow."""
        self.message = message
        if self._stream is None:
            return
        self._stream.append(text)
        rest_s = self._drawn_at + self._cost_s * REST - time.monotonic()
        if rest_s <= 0:
            self._draw()
        elif not self._draw_timer.isActive():
            self._draw_timer.start(int(rest_s * 1000) + 1)

    def place(
        self,
        *,
        is_last: bool,
        versions: list[str],
        show_stats: bool,
        card_actions: tuple[Action, ...],
        can_compare: bool = False,
    ) -> None:
        """What depends on the rest of the conversation, and whether the loaded model has tiers to compare."""
        labels = [label for label, _ in card_actions]
        if (is_last, versions, show_stats, labels, can_compare) == self._placed:
            return
        self._placed = (is_last, versions, show_stats, labels, can_compare)
        self._can_compare = can_compare
        self._is_last, self._versions, self._show_stats = is_last, versions, show_stats
        self._card_actions = card_actions if is_last else ()
        self._show_card()
        self._update_footer()
        self._changed()

    def _draw(self) -> None:
        if self._stream is None:
            return
        start = time.monotonic()
        self._body.show_items(self._stream.items())
        self._changed()
        self._drawn_at = time.monotonic()
        self._cost_s = self._drawn_at - start

    def _show_card(self) -> None:
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        if self.message.status == ERROR and self.message.error is not None:
            self._card = ErrorCard(error_words(self.message.error), self._card_actions, "", self)
            self._card.height_changed.connect(self._changed)
            self._card.show()

    # Layout -------------------------------------------------------------------------------------------------------

    def _lay_out(self, width: int) -> int:
        height = self._body.fit(width)
        self._body.setGeometry(0, 0, width, height)
        y = height
        if self._card is not None:
            y += 10 if y else 0
            card_height = self._card.fit(width)
            self._card.setGeometry(0, y, width, card_height)
            y += card_height
        if self.message.status == STREAMING:
            return y + 4
        if not self._drift.isHidden():
            drift_height = self._drift.heightForWidth(width - 24)
            self._drift_icon.move(0, y + 8)
            self._drift.setGeometry(24, y + 8, width - 24, drift_height)
            y += 8 + max(drift_height, self._drift_icon.height())
        if self._card is not None and self._copy.isHidden() and self._version.isHidden():
            return y
        return y + self._lay_out_footer(width, y + 5) + 5

    def _lay_out_footer(self, width: int, y: int) -> int:
        """Versions, figures, actions; figures that do not fit beside them go below."""
        buttons = [b for b in (self._copy, self._regenerate, self._compare) if not b.isHidden()]
        x = 0
        if len(self._versions) > 1:
            self._version.adjustSize()
            self._previous.move(-6, y)
            self._version.move(20, y + (26 - self._version.height()) // 2)
            self._next.move(20 + self._version.width(), y)
            x = 54 + self._version.width()
        self._facts.setWordWrap(False)
        self._facts.adjustSize()
        facts_width = 0 if self._facts.isHidden() else self._facts.width()
        is_beside = x + facts_width + 12 + 28 * len(buttons) <= width
        if facts_width and is_beside:
            self._facts.move(x, y + (26 - self._facts.height()) // 2)
            x += facts_width + 12
        for button in buttons:
            button.move(x - 5, y)  # less the icon's own margin, so that it is flush with the text
            x += 28
        if is_beside or not facts_width:
            return FOOTER_HEIGHT
        self._facts.setWordWrap(True)
        self._facts.setGeometry(0, y + 28, width, self._facts.heightForWidth(width))
        return FOOTER_HEIGHT + self._facts.height()

    def _update_footer(self) -> None:
        is_done = self.message.status != STREAMING
        end = end_words(self.message)
        facts = [end] if end and self._card is None else []
        self._facts.setToolTip("")
        stats = self.message.stats
        if self._show_stats and is_done and stats is not None and stats.generated_tokens:
            facts.append(stats_words(stats))
            self._facts.setToolTip(stats_details(stats))
        drift = drifted_words(stats) if is_done and stats is not None else ""
        self._drift.setText(drift)
        self._drift.setVisible(bool(drift))
        self._drift_icon.setVisible(bool(drift))
        self._facts.setText(" · ".join(facts))
        self._facts.setVisible(bool(facts) and is_done)
        self._copy.setVisible(is_done and bool(self.message.content))
        self._regenerate.setVisible(is_done and self._is_last and self._card is None)
        self._compare.setVisible(is_done and self._can_compare and bool(self.message.content))
        has_versions = is_done and len(self._versions) > 1
        for widget in (self._previous, self._version, self._next):
            widget.setVisible(has_versions)
        if has_versions:
            at = self._versions.index(self.message.id)
            self._version.setText(f"{number(at + 1)} / {number(len(self._versions))}")
            self._previous.setEnabled(at > 0)
            self._next.setEnabled(at < len(self._versions) - 1)
        self._show_actions()

    def _show_actions(self) -> None:
        for button in (self._copy, self._regenerate, self._compare):
            button.set_faint(not (self._is_last or self._is_hovered))

    def _choose(self, step: int) -> None:
        at = self._versions.index(self.message.id) + step
        if 0 <= at < len(self._versions):
            self.version_chosen.emit(self._versions[at])
            self.acted.emit()

    # Events -------------------------------------------------------------------------------------------------------

    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = True
        self._show_actions()

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self._show_actions()
