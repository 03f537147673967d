"""An answer: its thinking, its text, what went wrong, its actions and figures.

Owns the pace at which a growing answer is drawn again, and how long thinking took. What its buttons mean is decided by
whoever listens. Knows no engine and no store.
"""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QAction, QEnterEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.chat.conversation import ERROR, STREAMING
from app.chat.growing_answer import GrowingAnswer
from app.chat.markdown import Shown, parse_shown
from app.chat.markdown_text import to_plain
from app.chat.records import StoredMessage
from app.chat.several_answers import MORE_VERSIONS
from app.chat.thinking import split_thinking
from app.window.error_card import Action, ErrorCard
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.transcript.answer_footer import (
    CONTINUE,
    DETAILS,
    VERSIONS,
    AnswerFooter,
    Place,
)
from app.window.transcript.message_view import MessageView
from app.window.transcript.segments import SegmentsView
from app.window.transcript.selection import TextPart
from app.window.transcript.shared import Shared
from app.window.transcript.thinking_view import ThinkingView
from app.window.wording import (
    drifted_words,
    end_words,
    error_words,
    number,
    stats_details,
    stats_words,
    stop_words,
)

THINKING_GAP = 10
LEAST_THOUGHT_S = 0.05  # less was not seen to be thought
REST = 4  # after a redraw that took t, the next one waits at least t times this


class AnswerView(MessageView):
    regenerate_clicked = Signal(str)
    versions_clicked = Signal(str)
    continue_clicked = Signal(str)
    details_clicked = Signal(str)
    compare_clicked = Signal(str)

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(message, parent, shared)
        self._growing: GrowingAnswer | None = None
        self._drawn_at = 0.0
        self._cost_s = 0.0
        self._is_hovered = False
        self._is_seen_whole = not message.content  # what is shown in the middle of it has thought before, unseen
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
        actions = card_actions if place.is_last and place.is_idle else ()
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
        return split_thinking(self.message.content).answer

    def plain_text(self) -> str:
        return to_plain(parse_shown(self.clean_text()))

    def _menu(self) -> QMenu:
        menu = super()._menu()
        if VERSIONS in self._placed.offers and self._placed.is_last:
            words = self.tr("Write %1 more versions").replace("%1", number(MORE_VERSIONS))
            action = QAction(words, menu)
            action.triggered.connect(lambda: self.versions_clicked.emit(self.message.id))
            action.triggered.connect(self.acted)
            action.setEnabled(self._placed.is_idle)
            menu.insertAction(menu.actions()[0], action)
        return menu

    def _draw(self) -> None:
        growing = self._growing
        if growing is None:
            return
        start = time.monotonic()
        growing.show(self.message.content)
        self._note_thinking(growing.is_thinking)
        self._show_thinking(growing.thinking, growing.has_thinking, is_thinking=growing.is_thinking)
        self._body.show_items(growing.answer(), is_growing=True)
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
        if is_thinking and self._is_seen_whole and not self._began_thinking:
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
            self._thinking.toggled.connect(self.looked_into)
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
        if not self._drift.isHidden():
            drift_height = self._drift.heightForWidth(width - 24)
            self._drift_icon.move(0, y + 8)
            self._drift.setGeometry(24, y + 8, width - 24, drift_height)
            y += 8 + max(drift_height, self._drift_icon.height())
        if self._footer.is_empty:
            return y + 4 if self.message.status == STREAMING else y
        return y + self._footer.lay_out(width, y + 5) + 5

    def _update_footer(self) -> None:
        footer, place = self._footer, self._placed
        is_done = self.message.status != STREAMING
        can_continue = place.is_last and place.is_idle and CONTINUE in place.offers and self.message.can_continue
        end = end_words(self.message) or stop_words(self.message)
        if self.message.reason == "length" and can_continue:
            end = self.tr("ended at the length limit, “Continue” goes on from there")
        facts = [end] if end and self._card is None else []
        stats = self.message.stats
        has_figures = place.show_stats and is_done and stats is not None and bool(stats.generated_tokens)
        footer.facts.setToolTip("")
        if has_figures and stats is not None:
            facts.append(stats_words(stats))
            if not self.message.facts.is_whole:
                facts.append(self.tr("without an interrupted part"))
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
        footer.regenerate.setEnabled(place.is_idle)
        footer.compare.setVisible(has_text and place.can_compare)
        footer.go_on.setVisible(is_done and can_continue)
        footer.versions.show_versions(place.versions, self.message.id, is_shown=True)
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
