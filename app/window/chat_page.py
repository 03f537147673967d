"""The chat page: transcript or empty state, composer, and what is said when something is in the way.

Puts the state of ChatControl and ModelControl into words and onto the panes. What the user asks goes to the controls;
questions that need a dialog go to whoever assembles the window.
"""

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.chat.context import fits_without_oldest
from app.chat.conversation import DONE
from app.chat.records import StoredMessage
from app.chat.several_answers import MORE_VERSIONS, is_without_chance
from app.error_text import ErrorText
from app.window.chats.drafts import Place
from app.window.chats.find_bar import FindBar
from app.window.chats.temporary_bar import TemporaryBar
from app.window.composer.composer import Composer
from app.window.composer.message_queue import joined
from app.window.context_words import gap_words
from app.window.controls import Controls
from app.window.empty_state import EmptyState
from app.window.error_card import Action, ErrorCard
from app.window.file_dialog import FileDialog
from app.window.model_card import starter_words
from app.window.model_control import ASLEEP, LOADING, MEASURING, NEURONS, NO_MODEL, READY, STARTING, STOPPED
from app.window.transcript.message_column import COLUMN_WIDTH
from app.window.transcript.transcript_view import TranscriptView
from app.window.wording import number, parameters_words, progress_words
from engine.context_reports import MIDDLE, OLDEST

SPINNER_AFTER_MS = 150  # an answer that begins sooner needs no line that says it is awaited


class ChatPage(QWidget):
    models_clicked = Signal()
    answer_settings_clicked = Signal()
    link_activated = Signal(str)
    compare_asked = Signal(object)
    """The StoredMessage of an answer."""

    said = Signal(str, str, object)
    """A short message, what can be done about it, and what does it."""

    def __init__(self, controls: Controls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chat = chat = controls.chat
        self._models = models = controls.models
        self._settings = settings = controls.settings
        self._context = context = controls.context
        self._queue = queue = controls.queue
        self._shown: Place | None = None
        self._notice_of: object = None
        self.transcript = TranscriptView(chat.versions, self._error_actions, self)
        self.transcript.link_activated.connect(self.link_activated)
        self.transcript.file_opened.connect(lambda file: FileDialog(file, self).open())
        self.transcript.regenerate_clicked.connect(chat.regenerate)
        self.transcript.versions_clicked.connect(self.write_versions)
        self.transcript.version_chosen.connect(chat.branches.show)
        self.transcript.edit_submitted.connect(self._edit)
        self.transcript.continue_clicked.connect(chat.continue_answer)
        self.transcript.fork_clicked.connect(chat.branches.fork)
        self.transcript.delete_version_clicked.connect(chat.branches.delete)
        chat.message_sought.connect(self.transcript.seek)
        self.transcript.compare_clicked.connect(self._ask_to_compare)
        self.empty = EmptyState(self)
        self.empty.models_clicked.connect(self.models_clicked)
        self.empty.suggested.connect(self._suggest)
        self.composer = Composer(controls.prompts, lambda: QLocale().name(), self)
        self.composer.sent.connect(self._send)
        self.composer.stop_clicked.connect(chat.stop)
        self.composer.text_changed.connect(queue.keep_draft)
        self.composer.text_changed.connect(lambda content: context.set_draft(content, self.composer.files))
        self.composer.queue.edited.connect(self._edit_waiting)
        self.composer.queue.removed.connect(queue.take_out)
        self.composer.queue.go_on_clicked.connect(queue.go_on)
        self.composer.page_scrolled.connect(self.transcript.scroll_pages)
        self.composer.hint_clicked.connect(self._leave_obstacle)
        # What was clicked in a message may be gone by now, and whoever clicked wants to write next.
        self.transcript.acted.connect(self.composer.take_focus)
        self.find_bar = FindBar(self.transcript, self)
        self.find_bar.closed.connect(self.composer.take_focus)
        self.temporary = TemporaryBar(self)
        self.temporary.keep_clicked.connect(chat.keep_temporary)
        self._stop_key = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, chat.stop)
        self._stop_key.setAutoRepeat(False)  # a key held down too long closes what is open, and no more
        self._stop_key.setEnabled(False)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.transcript)
        self._banner: ErrorCard | None = None
        self._banner_place = QHBoxLayout()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.find_bar)
        box.addLayout(self._banner_place)
        place = QHBoxLayout()
        place.setContentsMargins(14, 4, 14, 6)
        place.addWidget(self.temporary)
        box.addLayout(place)
        box.addWidget(self._stack, 1)
        box.addWidget(self.composer)

        self._status_timer = QTimer(self)
        self._status_timer.setSingleShot(True)
        self._status_timer.setInterval(SPINNER_AFTER_MS)
        self._status_timer.timeout.connect(self._show_status)
        chat.path_changed.connect(self._on_path_changed)
        chat.answer_grew.connect(self._on_answer_grew)
        chat.answer_changed.connect(self._on_answer_changed)
        chat.state_changed.connect(self.refresh)
        chat.store_changed.connect(self._show_banner)
        queue.changed.connect(self._show_queue)
        queue.sent.connect(self.transcript.follow)
        context.changed.connect(self._show_context)
        models.changed.connect(self.refresh)
        settings.changed.connect(self._show_settings)
        self._show_settings()
        self._on_path_changed()
        self._show_banner()
        self.refresh()

    def refresh(self) -> None:
        """Bring everything but the messages up to date with the controls."""
        self._show_composer()
        self._show_temporary()
        self._show_empty_state()
        self._show_notice()
        ready = self._models.ready
        self.transcript.set_comparable(ready is not None and len(ready.tiers) > 1)
        self.transcript.set_idle(not (self._chat.is_answering_here or self._chat.is_waiting_here))
        if not self._awaited():
            self._status_timer.stop()
            self._show_status()
        elif self.transcript.has_status:
            self._show_status()
        elif not self._status_timer.isActive():
            self._status_timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that meant nothing to what has the focus: text is written where messages are."""
        if event.matches(QKeySequence.StandardKey.Paste) or (event.text().isprintable() and event.text()):
            self.composer.take_key(event)
        else:
            super().keyPressEvent(event)

    def write_versions(self, message_id: str | None = None) -> None:
        """Several more versions of an answer at once, of the last without one; not where all would be the same."""
        sampling = self._chat.answers_in_force.sampling()
        if not is_without_chance(sampling):
            self._chat.regenerate(message_id, n_versions=MORE_VERSIONS)
            return
        words = self.tr("At temperature 0 all versions would be the same. Choose a higher temperature first.")
        if sampling.temperature:
            words = self.tr("With top-k 1 all versions would be the same. Choose a higher top-k first.")
        self.said.emit(words, self.tr("Answer settings"), self.answer_settings_clicked.emit)

    # Messages -----------------------------------------------------------------------------------------------------

    def _on_path_changed(self) -> None:
        path = self._chat.path
        place = self._chat.place
        # Shown first: a hidden page does not have its width yet.
        self._stack.setCurrentWidget(self.transcript if path else self.empty)
        self.transcript.show_path(path, show_stats=self._settings.value.show_stats)
        self._show_temporary()
        if place == self._shown:
            self.find_bar.find_again()
        else:
            self._shown = place
            self.find_bar.leave()
            self.composer.set_text(self._queue.draft)
            self._show_queue()
            self.composer.take_focus()

    def _on_answer_grew(self, message_id: str, text: str) -> None:
        conversation = self._chat.conversation
        message = conversation.messages[message_id] if conversation is not None else None
        if message is not None and message.is_shown:
            self.transcript.grow(message, text)

    def _on_answer_changed(self, message: StoredMessage) -> None:
        self.transcript.update_answer(message)
        if message.status == DONE and message.is_shown:
            event = QAccessibleAnnouncementEvent(self, self.tr("The answer is complete."))
            QAccessible.updateAccessibility(event)

    def _send(self, text: str) -> None:
        self._context.make_way()
        if self._queue.send(text):
            self.composer.set_text("")
            self.transcript.follow()

    def _edit_waiting(self, index: int) -> None:
        """Take a message that waits back into the field, in front of what is there."""
        content = self._queue.take_out(index)
        self.composer.set_text(joined((content, self.composer.content)))
        self.composer.take_focus()

    def _edit(self, message_id: str, text: str) -> None:
        if self._chat.edit(message_id, text):
            self.transcript.follow()

    def _ask_to_compare(self, message_id: str) -> None:
        message = next((m for m in self._chat.path if m.id == message_id), None)
        if message is not None:
            self.compare_asked.emit(message)

    def _suggest(self, text: str) -> None:
        self.composer.set_text(text)
        self.composer.take_focus()

    def _error_actions(self, message: StoredMessage) -> tuple[Action, ...]:
        error, again = message.error, (self.tr("Try again"), self._chat.regenerate)
        if error is None or error.code != "ContextFull":
            return (again,)
        tokens, context = int(error.field("prompt_tokens", 0)), int(error.field("context_tokens", 0))
        oldest = (self.tr("Leave out the oldest"), lambda: self._leave_out(OLDEST))
        middle = (self.tr("Leave out the middle"), lambda: self._leave_out(MIDDLE))
        helps = fits_without_oldest(self._chat.prompt_of(message), tokens, context)
        offered = ((OLDEST, oldest), (MIDDLE, middle)) if helps else ((MIDDLE, middle),)
        chosen = self._settings.value.overflow
        return (
            *(again if overflow == chosen else action for overflow, action in offered),
            (self.tr("New chat"), self._chat.new),
        )

    def _leave_out(self, overflow: str) -> None:
        """From now on, and for the message that did not fit."""
        before = self._settings.value.overflow
        self._settings.update(overflow=overflow)
        self._chat.regenerate()
        words = {
            OLDEST: self.tr("From now on the oldest messages are left out wherever a chat does not fit"),
            MIDDLE: self.tr("From now on the middle is left out wherever a chat does not fit"),
        }
        self.said.emit(words[overflow], self.tr("Undo"), lambda: self._settings.update(overflow=before))

    # State in words -----------------------------------------------------------------------------------------------

    def _awaited(self) -> str:
        """What the shown conversation is waiting for; empty where it is not."""
        answering = self._chat.answering
        if answering is not None and self._chat.is_answering_here:
            if answering.is_stopping:
                return self.tr("Stopping…")
            if not any(message.id in answering.running for message in self._chat.path):
                return self._others_words(len(answering.running))
            if answering.n_received:
                return ""
            return progress_words(answering.progress) if answering.progress else self.tr("Thinking…")
        if not self._chat.is_waiting_here:
            return ""
        return {
            STARTING: self.tr("Your message waits: the engine is starting…"),
            LOADING: self._loading_words(),
            MEASURING: self.tr("Your message waits until the study of the neurons is done or paused.")
            if self._models.lent_for == NEURONS
            else self.tr("Your message waits until the speed measurement is done."),
            NO_MODEL: self.tr("Your message waits until a model is loaded."),
            ASLEEP: self.tr("Your message waits: the model is loaded again…"),
            STOPPED: self.tr("Your message waits until the engine runs again."),
            READY: self.tr("Your message waits: another conversation is being answered."),
        }[self._models.state]

    def _others_words(self, n_versions: int) -> str:
        if n_versions == 1:
            return self.tr("Another version is being written…")
        return self.tr("%1 other versions are being written…").replace("%1", number(n_versions))

    def _loading_words(self) -> str:
        task = self._models.loading
        return progress_words(task.progress) if task is not None and task.progress else self.tr("Loading the model…")

    def _show_status(self) -> None:
        self.transcript.show_status(self._awaited())

    def _show_composer(self) -> None:
        state = self._models.state
        is_here = self._chat.is_answering_here or self._chat.is_waiting_here
        answering = self._chat.answering
        hint, action = "", ""
        if state == STARTING:
            hint = self.tr("The engine is starting. You can write already.")
        elif state == LOADING:
            # Where a message waits, the line below it says the same.
            hint = "" if self._chat.is_waiting_here else self._loading_words()
        elif state == MEASURING:
            if not self._chat.is_waiting_here:
                hint = (
                    self.tr("Neurons are being studied; a message sent now is answered afterwards.")
                    if self._models.lent_for == NEURONS
                    else self.tr("Speed is being measured; a message sent now is answered afterwards.")
                )
        elif state == ASLEEP:
            hint = self.tr("The model has given its memory back; the next message loads it again.")
        elif state == NO_MODEL:
            hint = self.tr("No model is loaded.")
            action = self.tr("Choose a model")
        elif state == STOPPED:
            hint = self.tr("The engine has stopped.")
            action = self.tr("Restart the engine")
        elif self._chat.is_answering_here and answering is not None and len(answering.running) > 1:
            hint = self.tr("Esc stops all versions. What you send now is sent once they are done.")
        elif is_here:
            hint = self.tr("Esc stops the answer. What you send now is sent once it is done.")
        elif self._chat.answering is not None:
            hint = self.tr("Another conversation is being answered; a message sent here waits.")
        elif self._models.is_importing:
            hint = self.tr("A model is being imported; a message sent now may have to wait.")
        elif self._models.completes_text:
            hint = self.tr("This model goes on with what you write; it was not taught to answer.")
        self._stop_key.setEnabled(is_here)
        self.composer.show_state(
            hint=hint, hint_action=action, can_send=state not in (NO_MODEL, STOPPED), is_stoppable=is_here
        )

    def _show_queue(self) -> None:
        self.composer.queue.show_messages(self._queue.messages, is_held=self._queue.is_held)

    def _show_context(self) -> None:
        for chip, tokens in zip(self.composer.files_bar.with_file, self._context.file_tokens, strict=False):
            chip.show_tokens(tokens.count, is_about=tokens.is_about)
        gap = self._context.gap
        self.transcript.show_gap(None if gap is None else gap_words(gap), gap.before_id if gap is not None else None)

    def _show_settings(self) -> None:
        self.transcript.show_stats(self._settings.value.show_stats)
        self.composer.send_with(self._settings.value.send_with)

    def _show_temporary(self) -> None:
        chat = self._chat
        can_keep = bool(chat.path) and not chat.is_busy_here
        self.temporary.show_state(is_temporary=chat.is_temporary_here, can_keep=can_keep)

    def _show_empty_state(self) -> None:
        model = self._models.current
        words, link = "", self.tr("Models")
        if self._models.state == NO_MODEL:
            words = self.tr("No model is loaded. Choose one from the library, or import a GGUF file.")
            link = self.tr("Open the models page")
        elif model is not None and model.note == "starter":
            words = starter_words(model)
            link = self.tr("Choose or import another model")
        elif model is not None:
            words = f"{model.name} · {parameters_words(model.n_parameters)}" if model.n_parameters else model.name
            link = self.tr("Choose or import another model")
        elif self._models.state == STOPPED:
            link = ""
        has_suggestions = model is not None and self._models.state in (READY, LOADING, MEASURING, ASLEEP)
        self.empty.show_model(words, link, has_suggestions=has_suggestions)

    # Obstacles ----------------------------------------------------------------------------------------------------

    def _leave_obstacle(self) -> None:
        if self._models.state == STOPPED:
            self._models.start()
        else:
            self.models_clicked.emit()

    def _show_notice(self) -> None:
        """A card for a dead engine or a model that could not be loaded, below the messages."""
        subject: object = (self._models.death, self._models.load_error, bool(self._chat.path))
        if subject == self._notice_of:
            return
        self._notice_of = subject
        focus = self.focusWidget()
        if focus is not None and isinstance(focus.parentWidget(), ErrorCard):
            self.composer.take_focus()  # the button that was just pressed goes away with its card
        self.transcript.show_notice(self._new_notice() if self._chat.path else None)
        self.empty.show_notice(None if self._chat.path else self._new_notice())

    def _new_notice(self) -> ErrorCard | None:
        death, load_error = self._models.death, self._models.load_error
        if death is not None:
            return ErrorCard(death.text, ((self.tr("Restart the engine"), self._models.start),), death.log_tail)
        if load_error is not None:
            return ErrorCard(load_error[1], ((self.tr("Open the models page"), self.models_clicked.emit),))
        return None

    def _show_banner(self) -> None:
        """One card at a time: why nothing is saved, else what there is to know of this start."""
        if self._banner is not None:
            self._banner_place.removeWidget(self._banner)
            self._banner.hide()
            self._banner.deleteLater()
            self._banner = None
        text = self._chat.store_error
        actions: tuple[Action, ...] = ()
        protected = self._chat.protected_file
        if text is None and protected is not None:
            cause = self.tr(
                "The file with your conversations is write-protected: %1. All that is in it can be read and searched;"
                " what you write in this session is not saved."
            )
            text = ErrorText(
                cause.replace("%1", str(protected)),
                self.tr(
                    "Export what you want to keep of this session, allow writing to this file and its folder, then"
                    " start Ember again."
                ),
            )
        if text is None and not self._chat.is_stored:
            text = ErrorText(
                self.tr("Conversations are not saved in this session."),
                self.tr("They are gone when you close Ember. Restart it once the file can be used again."),
            )
        if text is None and self._chat.notices:
            text = notice = self._chat.notices[0]
            actions = ((self.tr("I have read this"), lambda: self._chat.put_away(notice)),)
        gap = 6 if text is not None else 0  # below the bar that finds words
        self._banner_place.setContentsMargins(14, gap, 14, 6)
        if text is not None:
            self._banner = ErrorCard(text, actions, "", self)
            self._banner.setMaximumWidth(COLUMN_WIDTH)
            self._banner_place.addWidget(self._banner)
