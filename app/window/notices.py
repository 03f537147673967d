"""What the window says in passing: something has ended, was noticed, or went wrong.

Decides what is said where, and what is offered with it; a page that shows a thing itself is not told of it.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.benchmarks import ShownReport
from app.chat.records import StoredMessage
from app.device_words import from_disk_words
from app.error_text import ErrorText
from app.language import in_a_row
from app.presets import Preset
from app.window.controls import Controls
from app.window.device.device_control import Notice
from app.window.device.device_control import words as device_words
from app.window.pages import CHAT, COMPARISON, DEVICE, NEURONS, SPEED, Pages
from app.window.toast import Toast
from app.window.tray import DesktopTray
from app.window.wording import number
from engine.messages import ModelInfo
from engine.neuron_reports import StudyReport

LONG_ANSWER_S = 10.0


class Notices(QObject):
    def __init__(self, controls: Controls, pages: Pages, toast: Toast, desktop: DesktopTray, window: QWidget) -> None:
        super().__init__(window)
        self._models = controls.models
        self._answers = controls.answers
        self._pages = pages
        self._toast = toast
        self._desktop = desktop
        self._settings = controls.settings
        controls.chat.answer_ended.connect(self._on_answer_ended)
        controls.models.loaded_from_disk.connect(self._on_loaded_from_disk)
        controls.models.imported.connect(self._on_imported)
        controls.models.failed.connect(self.show_error)
        controls.speed.measured.connect(self._on_measured)
        controls.studies.studied.connect(self._on_studied)
        controls.comparison.compared.connect(self._on_compared)
        controls.device.stepped_down.connect(self._on_stepped_down)
        controls.settings.not_saved.connect(self._on_settings_not_saved)
        controls.answers.failed.connect(self.show_error)
        controls.answers.preset_deleted.connect(self._on_preset_deleted)

    def show_error(self, text: ErrorText) -> None:
        self._toast.show_text(in_a_row(text.cause, text.action))

    def tell(self, text: str, action: str = "", run: Callable[[], None] | None = None) -> None:
        """Said in the window, and by the desktop where the window is not looked at."""
        self._toast.show_text(text, action, run)
        self._desktop.tell("Ember", text, run)

    def _on_answer_ended(self, answer: StoredMessage) -> None:
        """A long one is told by the desktop to whoever is in another window."""
        stats = answer.stats
        took_s = stats.first_token_s + stats.decode_s if stats is not None else 0.0
        if took_s >= LONG_ANSWER_S and self._settings.value.tells_ends:
            words = self.tr("An answer is finished, after %1 s").replace("%1", number(took_s))
            self._desktop.tell("Ember", words, lambda: self._pages.show_page(CHAT))

    def _on_imported(self, model: ModelInfo) -> None:
        is_current = self._models.current is not None and self._models.current.model_id == model.model_id
        text = self.tr("%1 is in the library").replace("%1", model.name)
        if is_current:
            self._toast.show_text(text)
        else:
            self._toast.show_text(text, self.tr("Load"), lambda: self._models.load(model.model_id))

    def _on_preset_deleted(self, preset: Preset) -> None:
        text = self.tr("The preset “%1” was deleted").replace("%1", preset.name)
        self._toast.show_text(text, self.tr("Undo"), lambda: self._answers.restore_preset(preset))

    def _on_studied(self, _study: str, report: StudyReport) -> None:
        text = self.tr("A study of %1 is done").replace("%1", report.head.subject.name)
        self._offer(NEURONS, text)

    def _on_compared(self) -> None:
        self._offer(COMPARISON, self.tr("The two answers are there to compare"))

    def _on_measured(self, report: ShownReport) -> None:
        self._offer(SPEED, self.tr("The speed of %1 has been measured").replace("%1", report.subject))

    def _on_loaded_from_disk(self) -> None:
        ready = self._models.ready
        if ready is not None:
            self._toast.show_text(from_disk_words(ready.needed_bytes, ready.free_bytes, device_words).cause)

    def _on_stepped_down(self, notice: Notice) -> None:
        """Always said; the page that explains it is offered where it is not looked at."""
        text = in_a_row(notice.text.cause, notice.text.action)
        if self._pages.current == DEVICE:
            self._toast.show_text(text)
        else:
            self._offer(DEVICE, text)

    def _on_settings_not_saved(self, reason: str) -> None:
        self._toast.show_text(self.tr("Settings could not be saved: %1").replace("%1", reason))

    def _offer(self, page: str, text: str) -> None:
        """Say it where the page that shows it is not looked at."""
        if self._pages.current != page:
            self._toast.show_text(text, self.tr("Show"), lambda: self._pages.show_page(page))
