"""One message: what a person wrote in a bubble, or an answer with its actions and figures.

Owns the look of a message and the pace at which a growing answer is drawn again. What its buttons mean is decided by
whoever listens. Knows no engine and no store.
"""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.chat.attached_files import split_files, with_files
from app.chat.conversation import ERROR, STREAMING
from app.chat.growing_answer import GrowingAnswer
from app.chat.markdown import Block, Shown, Span, parse_shown
from app.chat.markdown_text import to_plain
from app.chat.records import StoredMessage
from app.chat.thinking import split_thinking
from app.window.error_card import Action, ErrorCard
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.transcript.answer_footer import (
    CONTINUE,
    DELETE,
    DETAILS,
    EDIT,
    FORK,
    AnswerFooter,
    Place,
    VersionSwitch,
    icon_action,
)
from app.window.transcript.file_cards import FileCards
from app.window.transcript.message_editor import MessageEditor
from app.window.transcript.prose_view import ProseView
from app.window.transcript.segments import SegmentsView
from app.window.transcript.selection import TextPart
from app.window.transcript.shared import Shared
from app.window.transcript.thinking_view import ThinkingView
from app.window.wording import drifted_words, end_words, error_words, number, stats_details, stats_words

BUBBLE_PADDING_X = 15
BUBBLE_PADDING_TOP = 10
BUBBLE_PADDING_BOTTOM = 6  # the last line has room below it already
CARDS_GAP = 6
BUBBLE_SHARE = 0.85  # of the column, at most
THINKING_GAP = 10
LEAST_THOUGHT_S = 0.05  # less was not seen to be thought
COPIED_MS = 1500
REST = 4  # after a redraw that took t, the next one waits at least t times this


class MessageView(QWidget):
    """What both kinds of message have: text, a copy button, a row of actions that shows on hover."""

    height_changed = Signal()
    link_activated = Signal(str)
    selected = Signal()
    version_chosen = Signal(str)
    fork_clicked = Signal(str)
    delete_version_clicked = Signal(str)
    acted = Signal()
    """A button was pressed, and what it means has been done."""

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._shared = shared
        self._placed = Place(versions=(message.id,))
        self._fitted = (0, 0)
        self._copy = icon_action(self, "copy", self.tr("Copy message"))
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

    def forget_fit(self) -> None:
        """Lay out anew, whatever the width: the font is another."""
        self._fitted = (0, 0)

    def parts(self) -> Sequence[TextPart]:
        """Its texts that are on the screen, in order."""
        raise NotImplementedError

    def clean_text(self) -> str:
        """All of it as Markdown, without what was only thought."""
        return self.message.content

    def plain_text(self) -> str:
        return self.message.content

    def _lay_out(self, width: int) -> int:
        raise NotImplementedError

    def _changed(self) -> None:
        self._fitted = (0, 0)
        self.height_changed.emit()

    def _copy_message(self) -> None:
        QGuiApplication.clipboard().setText(self.clean_text())
        self._copy.show_icon("check", color="good")
        self._copied.start()
        self.acted.emit()

    def _menu(self) -> QMenu:
        """What can be done with the message beside what has a button of its own."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        plain = self.tr("Copy as plain text")
        menu.addAction(plain, lambda: QGuiApplication.clipboard().setText(self.plain_text()))
        if FORK in self._placed.offers:
            menu.addAction(self.tr("Go on from here in a new chat"), lambda: self.fork_clicked.emit(self.message.id))
        if DELETE in self._placed.offers:
            words = self.tr("Delete this version") if len(self._placed.versions) > 1 else self.tr("Delete this message")
            action = menu.addAction(words, lambda: self.delete_version_clicked.emit(self.message.id))
            action.setEnabled(self._placed.is_idle)
        return menu

    def _choose_version(self, message_id: str) -> None:
        self.version_chosen.emit(message_id)
        self.acted.emit()


class UserMessageView(MessageView):
    answer_clicked = Signal(str)
    edit_submitted = Signal(str, str)
    file_opened = Signal(object)
    """An AttachedFile."""

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(message, parent, shared)
        self._bubble = QRectF()
        self._written, self._files = split_files(message.content)
        self._cards = FileCards(self._files, self)
        self._cards.opened.connect(self.file_opened)
        self._text = ProseView(self, compact=True)
        self._text.setAccessibleName(self.tr("Your message"))
        self._text.show_blocks([Block((Span(line),) if line else ()) for line in self._written.split("\n")])
        self._text.setVisible(bool(self._written))
        self._text.selectionChanged.connect(self.selected)
        if shared is not None:
            shared.selection.adopt(self._text)
        self._edit = icon_action(self, "pencil", self.tr("Edit message"))
        self._edit.clicked.connect(self.begin_edit)
        self._more = icon_action(self, "more", self.tr("More"))
        self._more.clicked.connect(lambda: self._menu().popup(self._more.mapToGlobal(self._more.rect().bottomLeft())))
        self._buttons = (self._copy, self._edit, self._more)
        self._versions = VersionSwitch(self)
        self._versions.chosen.connect(self._choose_version)
        self._editor: MessageEditor | None = None
        self._answer = QPushButton(self.tr("Answer this message"), self)
        self._answer.setAccessibleName(self.tr("Answer this message"))
        self._answer.clicked.connect(lambda: self.answer_clicked.emit(self.message.id))
        self._answer.clicked.connect(self.acted)
        self._answer.hide()
        self._set_faint(True)

    def place(self, place: Place) -> None:
        """Tell it of the conversation around it: one that has no answer and awaits none offers to be answered."""
        if place == self._placed and not self._more.isHidden():
            return
        self._placed = place
        self._answer.setVisible(place.is_last and place.is_idle and self._editor is None)
        self._edit.setVisible(EDIT in place.offers)
        self._edit.setEnabled(place.is_idle)
        self._versions.show_versions(place.versions, self.message.id, is_shown=True)
        self._changed()

    def begin_edit(self) -> None:
        """Let the message be changed where it stands."""
        if self._editor is not None:
            return
        self._editor = MessageEditor(self._written, self)
        self._editor.cancelled.connect(self._end_edit)
        self._editor.submitted.connect(self._submit)
        self._editor.reshaped.connect(self._changed)
        self._show_reading(False)
        self._editor.show()
        self._changed()
        self._editor.take_focus()

    def parts(self) -> Sequence[TextPart]:
        return (self._text,) if self._written and self._editor is None else ()

    def _lay_out(self, width: int) -> int:
        if self._editor is not None:
            self._bubble = QRectF()
            height = self._editor.fit(width)
            self._editor.setGeometry(0, 0, width, height)
            return height + 14
        top = 0
        if self._files:
            top = self._cards.fit(width)
            self._cards.setGeometry(0, 0, width, top)
            top += CARDS_GAP
        self.update()
        if not self._written:
            self._bubble = QRectF()
            return self._lay_out_below(width, width, top - CARDS_GAP)
        text_width = self._text.ideal_width(int(width * BUBBLE_SHARE) - 2 * BUBBLE_PADDING_X)
        height = self._text.fit(text_width)
        left = width - text_width - 2 * BUBBLE_PADDING_X
        bubble_height = BUBBLE_PADDING_TOP + height + BUBBLE_PADDING_BOTTOM
        self._bubble = QRectF(left, top, text_width + 2 * BUBBLE_PADDING_X, bubble_height)
        self._text.setGeometry(left + BUBBLE_PADDING_X, top + BUBBLE_PADDING_TOP, text_width, height)
        return self._lay_out_below(width, left, top + bubble_height)

    def _lay_out_below(self, width: int, left: int, bubble_height: int) -> int:
        """The buttons beside the bubble where there is room, else below it; then versions and the offer to answer."""
        buttons = [button for button in self._buttons if not button.isHidden()]
        n_beside = 28 * len(buttons)
        is_beside = n_beside + 6 <= left
        row_width = self._versions.width + (0 if is_beside else n_beside)
        x = left - n_beside - 4 if is_beside else width - n_beside
        for button in buttons:
            button.move(x, bubble_height - 32 if is_beside else bubble_height + 2)
            x += 28
        if self._versions.width:
            self._versions.move(width - row_width + 6, bubble_height + 2)
        bottom = bubble_height + (32 if row_width else 14)
        if not self._answer.isHidden():
            self._answer.adjustSize()
            self._answer.move(0, bottom)
            bottom += self._answer.height()
        return bottom

    def _show_reading(self, is_reading: bool) -> None:
        for widget in (self._copy, self._more):
            widget.setVisible(is_reading)
        self._text.setVisible(is_reading and bool(self._written))
        self._cards.setVisible(is_reading and bool(self._files))
        self._edit.setVisible(is_reading and EDIT in self._placed.offers)
        self._versions.show_versions(self._placed.versions, self.message.id, is_shown=is_reading)
        self._answer.setVisible(is_reading and self._placed.is_last and self._placed.is_idle)

    def _end_edit(self) -> None:
        if self._editor is not None:
            self._editor.hide()
            self._editor.deleteLater()
            self._editor = None
        self._show_reading(True)
        self._changed()
        self.acted.emit()

    def _submit(self, text: str) -> None:
        if self._placed.is_idle:
            self._end_edit()
            self.edit_submitted.emit(self.message.id, with_files(text, self._files))

    def _set_faint(self, is_faint: bool) -> None:
        for button in self._buttons:
            button.set_faint(is_faint)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._set_faint(False)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_faint(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(QColor(colors_of(self.palette()).bubble))
        painter.drawRoundedRect(self._bubble, 16, 16)
        painter.end()


class AnswerView(MessageView):
    regenerate_clicked = Signal(str)
    continue_clicked = Signal(str)
    details_clicked = Signal(str)
    compare_clicked = Signal(str)

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(message, parent, shared)
        self._growing: GrowingAnswer | None = None
        self._drawn_at = 0.0
        self._cost_s = 0.0
        self._is_hovered = False
        self._began_thinking = 0.0
        self._thought_s = 0.0
        self._card: ErrorCard | None = None
        self._card_actions: tuple[Action, ...] = ()
        self._thinking: ThinkingView | None = None
        self._body = SegmentsView(self, shared)
        self._body.link_activated.connect(self.link_activated)
        self._body.selected.connect(self.selected)
        self._body.reshaped.connect(self._changed)
        self._drift = MutedLabel(parent=self, factor=0.93)
        self._drift_icon = IconLabel("info", "muted", 16, self)
        self._make_footer()
        self._draw_timer = QTimer(self)
        self._draw_timer.setSingleShot(True)
        self._draw_timer.timeout.connect(self._draw)
        self.show_message(message)

    def _make_footer(self) -> None:
        footer = self._footer = AnswerFooter(self, self._copy)
        self._facts, self._regenerate, self._compare = footer.facts, footer.regenerate, footer.compare
        self._version = footer.versions.label
        self._previous, self._next = footer.versions.previous, footer.versions.next
        footer.versions.chosen.connect(self._choose_version)
        footer.regenerate.clicked.connect(lambda: self.regenerate_clicked.emit(self.message.id))
        footer.regenerate.clicked.connect(self.acted)
        footer.go_on.clicked.connect(lambda: self.continue_clicked.emit(self.message.id))
        footer.go_on.clicked.connect(self.acted)
        footer.compare.clicked.connect(lambda: self.compare_clicked.emit(self.message.id))
        footer.details_clicked.connect(lambda: self.details_clicked.emit(self.message.id))
        footer.menu_wanted.connect(lambda: footer.popup(self._menu()))

    # Content ------------------------------------------------------------------------------------------------------

    def show_message(self, message: StoredMessage) -> None:
        """Show a message whose status or figures may have changed."""
        self.message = message
        if message.status == STREAMING:
            self._growing = GrowingAnswer()
            self._draw()
        else:
            self._growing = None
            self._draw_timer.stop()
            thought = split_thinking(message.content.rstrip())
            self._note_thinking(thought.is_open)
            self._show_thinking(lambda: parse_shown(thought.thinking), bool(thought.thinking), is_thinking=False)
            self._body.show_items(parse_shown(thought.answer))
        self._show_card()
        self._update_footer()
        self._changed()

    def grow(self, message: StoredMessage) -> None:
        """Show more of its text; at once, or a little later where drawing has become slow."""
        self.message = message
        if self._growing is None:
            return
        rest_s = self._drawn_at + self._cost_s * REST - time.monotonic()
        if rest_s <= 0:
            self._draw()
        elif not self._draw_timer.isActive():
            self._draw_timer.start(int(rest_s * 1000) + 1)

    def place(self, place: Place, card_actions: tuple[Action, ...] = ()) -> None:
        """Tell it of the conversation around it, and what its error card offers."""
        actions = card_actions if place.is_last else ()
        labels = [[label for label, _ in each] for each in (actions, self._card_actions)]
        if place == self._placed and labels[0] == labels[1]:
            return
        self._placed = place
        self._card_actions = actions
        self._show_card()
        self._update_footer()
        self._changed()

    def parts(self) -> Sequence[TextPart]:
        thinking = self._thinking.body if self._thinking is not None and self._thinking.is_open else None
        return [*(thinking.parts() if thinking is not None else ()), *self._body.parts()]

    def clean_text(self) -> str:
        return split_thinking(self.message.content).answer.strip()

    def plain_text(self) -> str:
        return to_plain(parse_shown(self.clean_text()))

    def _draw(self) -> None:
        growing = self._growing
        if growing is None:
            return
        start = time.monotonic()
        growing.show(self.message.content)
        self._note_thinking(growing.is_thinking)
        self._show_thinking(growing.thinking, growing.has_thinking, is_thinking=growing.is_thinking)
        self._body.show_items(growing.answer())
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

    # Thinking -----------------------------------------------------------------------------------------------------

    def _note_thinking(self, is_thinking: bool) -> None:
        """Time the thinking that goes on before one's eyes."""
        if is_thinking and not self._began_thinking:
            self._began_thinking = time.monotonic()
        elif not is_thinking and self._began_thinking and not self._thought_s:
            self._thought_s = time.monotonic() - self._began_thinking

    def _show_thinking(self, items: Callable[[], Sequence[Shown]], has_some: bool, *, is_thinking: bool) -> None:
        if self._thinking is None:
            if not has_some:
                return
            self._thinking = ThinkingView(self, self._shared)
            self._thinking.link_activated.connect(self.link_activated)
            self._thinking.selected.connect(self.selected)
            self._thinking.reshaped.connect(self._changed)
            self._thinking.toggled.connect(self.selected)
        self._thinking.setVisible(has_some)
        self._thinking.show_thinking(items, self._thinking_words(is_thinking), is_thinking=is_thinking)

    def _thinking_words(self, is_thinking: bool) -> str:
        if is_thinking:
            return self.tr("Thinking…")
        if self._thought_s >= LEAST_THOUGHT_S:
            return self.tr("Thought for %1 s").replace("%1", number(self._thought_s, 1 if self._thought_s < 10 else 0))
        content, stats = self.message.content, self.message.stats
        if stats is None or not content or not stats.generated_tokens:
            return self.tr("Thoughts")
        share = len(split_thinking(content).thinking) / len(content)
        return self.tr("Thoughts, about %1 tokens").replace("%1", number(share * stats.generated_tokens))

    # Layout -------------------------------------------------------------------------------------------------------

    def _lay_out(self, width: int) -> int:
        y = 0
        if self._thinking is not None and not self._thinking.isHidden():
            height = self._thinking.fit(width)
            self._thinking.setGeometry(0, 0, width, height)
            y = height + THINKING_GAP
        height = self._body.fit(width)
        self._body.setGeometry(0, y, width, height)
        y += height
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
        return y if self._footer.is_empty else y + self._footer.lay_out(width, y + 5) + 5

    def _update_footer(self) -> None:
        footer, place = self._footer, self._placed
        is_done = self.message.status != STREAMING
        end = end_words(self.message)
        facts = [end] if end and self._card is None else []
        stats = self.message.stats
        has_figures = place.show_stats and is_done and stats is not None and bool(stats.generated_tokens)
        footer.facts.setToolTip("")
        if has_figures and stats is not None:
            facts.append(stats_words(stats))
            footer.facts.setToolTip(stats_details(stats))
        footer.facts.set_link(has_figures and DETAILS in place.offers)
        drift = drifted_words(stats) if is_done and stats is not None else ""
        self._drift.setText(drift)
        self._drift.setVisible(bool(drift))
        self._drift_icon.setVisible(bool(drift))
        footer.facts.setText(" · ".join(facts))
        footer.facts.setAccessibleName(" · ".join(facts))
        footer.facts.setVisible(bool(facts) and is_done)
        has_text = is_done and bool(self.message.content)
        footer.copy.setVisible(has_text)
        footer.more.setVisible(has_text)
        footer.regenerate.setVisible(is_done and place.is_last and self._card is None)
        footer.compare.setVisible(has_text and place.can_compare)
        can_continue = place.is_last and place.is_idle and CONTINUE in place.offers and self.message.can_continue
        footer.go_on.setVisible(is_done and can_continue)
        footer.versions.show_versions(place.versions, self.message.id, is_shown=is_done)
        self._show_actions()

    def _show_actions(self) -> None:
        self._footer.set_faint(not (self._placed.is_last or self._is_hovered))

    # Events -------------------------------------------------------------------------------------------------------

    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = True
        self._show_actions()

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self._show_actions()
