"""The windows about answers: everything known of one, and the template of the loaded model.

Opens them over the main window, and decides what comes of what is chosen there.
"""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.window.answer_details import AnswerDetails
from app.window.controls import Controls
from app.window.template_control import TemplateControl
from app.window.template_dialog import TemplateDialog
from app.window.toast import Toast


class AnswerWindows(QObject):
    def __init__(self, controls: Controls, toast: Toast, window: QWidget) -> None:
        super().__init__(window)
        self._controls = controls
        self._toast = toast
        self._window = window

    def show_template(self) -> None:
        """The loaded model's, to be read and changed."""
        ready = self._controls.models.ready
        if ready is not None:
            control = TemplateControl(self._controls.bridge, ready.model)
            TemplateDialog(control, self._controls.answers.in_force.system_prompt, self._window).open()

    def show_details(self, message_id: str) -> None:
        """All that is known of an answer of the conversation shown."""
        message = next((m for m in self._controls.chat.path if m.id == message_id), None)
        if message is not None:
            preset = self._controls.answers.name_of(message.facts.preset)
            details = AnswerDetails(message, preset, self._window)
            details.seed_chosen.connect(self.use_seed)
            details.open()

    def use_seed(self, seed: int) -> None:
        """In the conversation shown alone."""
        answers = self._controls.answers
        before = self._controls.chat.answer_settings
        answers.show_for_chat(True)
        answers.change({"seed": seed})
        text = self.tr("This chat uses the seed %1 from now on").replace("%1", str(seed))
        self._toast.show_text(text, self.tr("Undo"), lambda: answers.keep_for_chat(before))
