"""Settings of answers in the window: those of this conversation or of all, which are shown and changed, and presets.

Decides what choosing, changing, keeping and deleting a preset mean. Where the settings lie is the business of others:
those for all conversations are SettingsControl's, a conversation's own ChatControl's. Knows no widget; the panel reads
its attributes and listens to `changed`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.answer_settings import FIELDS, AnswerSettings
from app.error_text import ErrorText
from app.presets import BALANCED, SUFFIX, Preset, PresetError, PresetFile, write_presets
from app.window.chat_control import ChatControl
from app.window.preset_words import preset_error_words, preset_name
from app.window.settings_control import SettingsControl
from engine.errors import InvalidRequest


class AnswerControl(QObject):
    changed = Signal()
    failed = Signal(object)
    """ErrorText of a preset that could not be kept, read or handed on."""

    preset_deleted = Signal(object)
    """A Preset, which `restore_preset` brings back."""

    def __init__(
        self, chat: ChatControl, settings: SettingsControl, presets: PresetFile, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._chat = chat
        self._settings = settings
        self._file = presets
        self._place: object = None
        self.is_for_chat = False
        """Whether what is changed is this conversation's alone."""
        self._shown = (self.value, self.is_own)
        chat.path_changed.connect(self._on_path_changed)
        settings.changed.connect(self._on_settings_changed)
        self._on_path_changed()

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def default(self) -> AnswerSettings:
        """Those of every conversation that has none of its own."""
        return self._settings.value.answers()

    @property
    def is_own(self) -> bool:
        """Whether the conversation shown has settings of its own."""
        return self._chat.answer_settings is not None

    @property
    def value(self) -> AnswerSettings:
        """What is shown and changed."""
        own = self._chat.answer_settings
        return own if self.is_for_chat and own is not None else self.default

    @property
    def in_force(self) -> AnswerSettings:
        """What the next answer of the conversation shown is made with."""
        return self._chat.answer_settings or self.default

    @property
    def presets(self) -> tuple[Preset, ...]:
        return self._file.all

    @property
    def preset(self) -> Preset | None:
        """The preset that what is shown began from; None where it was deleted, or there was none."""
        return self._file.find(self.value.preset)

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """In which what is shown is no longer its preset."""
        preset = self.preset
        return preset.differs_from(self.value) if preset is not None else ()

    def usual(self, name: str) -> Any:
        """What a field goes back to: the preset's value, else that of Ember's own balanced one."""
        base = self.preset or self._file.find(BALANCED)
        assert base is not None  # noqa: S101 - it comes with Ember
        if name == "system_prompt":
            return base.system_prompt or ""
        return getattr(base.settings, name)

    def name_of(self, key: str) -> str:
        """Of a preset, as it is shown; empty where there is none of this key."""
        preset = self._file.find(key)
        return preset_name(preset) if preset is not None else ""

    # What the user asks -------------------------------------------------------------------------------------------

    def show_for_chat(self, is_for_chat: bool) -> None:
        """Show and change the settings of this conversation alone, or those for all."""
        if is_for_chat != self.is_for_chat:
            self.is_for_chat = is_for_chat
            self._tell()

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some fields of what is shown; what is out of range changes nothing."""
        try:
            value = self.value.changed(changes)
        except InvalidRequest:
            self._tell()
            return
        self._take(value)

    def choose_preset(self, key: str) -> None:
        preset = self._file.find(key)
        if preset is not None:
            self._take(preset.applied_to(self.value))

    def reset(self, name: str | None = None) -> None:
        """A field, or all of them but the system prompt, as the preset has it."""
        preset = self.preset
        if name is not None:
            self.change({name: self.usual(name)})
        elif preset is not None:
            self._take(preset.applied_to(self.value))
        else:
            self.choose_preset(BALANCED)

    def use_default(self) -> None:
        """Forget this conversation's own settings."""
        self.keep_for_chat(None)

    def keep_for_chat(self, value: AnswerSettings | None) -> None:
        """This conversation's own settings, all at once; None: as all others."""
        self._chat.set_answer_settings(value)
        self._tell()

    # Presets ------------------------------------------------------------------------------------------------------

    def save_preset(self, name: str) -> bool:
        """Keep what is shown under a name, in place of the user's own of that name; False where that was refused."""
        try:
            preset = self._file.save(name, self.value)
        except PresetError as error:
            return self._refused(error, name)
        self._take(self.value.changed({"preset": preset.key}))
        self._tell()
        return True

    def update_preset(self) -> None:
        """Make the preset that is shown what it was changed to."""
        preset = self.preset
        if preset is not None and preset.is_own:
            self.save_preset(preset.name)

    def rename_preset(self, key: str, name: str) -> bool:
        try:
            preset = self._file.rename(key, name)
        except PresetError as error:
            return self._refused(error, name)
        if self.default.preset == key:
            self._settings.update(preset=preset.key)
        own = self._chat.answer_settings
        if own is not None and own.preset == key:
            self._chat.set_answer_settings(own.changed({"preset": preset.key}))
        self._tell()
        return True

    def delete_preset(self, key: str) -> None:
        try:
            gone = self._file.delete(key)
        except PresetError as error:
            self._refused(error)
            return
        self._tell()
        self.preset_deleted.emit(gone)

    def restore_preset(self, preset: Preset) -> None:
        try:
            self._file.restore(preset)
        except PresetError as error:
            self._refused(error, preset.name)
        self._tell()

    def hand_on(self, key: str, path: Path) -> None:
        """Write a preset to a file that another Ember can take in."""
        preset = self._file.find(key)
        if preset is None:
            return
        try:
            write_presets(path if path.suffix else path.with_suffix(SUFFIX), (preset,))
        except OSError as error:
            self._refused(PresetError("file", error.strerror or str(error)), path.name)

    def take_in(self, path: Path) -> tuple[Preset, ...]:
        """The presets of a file; the first of them is chosen."""
        try:
            presets = self._file.take_in(path)
        except PresetError as error:
            self._refused(error, path.name)
            return ()
        self.choose_preset(presets[0].key)
        self._tell()
        return presets

    # Within -------------------------------------------------------------------------------------------------------

    def _take(self, value: AnswerSettings) -> None:
        if self.is_for_chat:
            self._chat.set_answer_settings(value)
            self._tell()
        else:
            self._settings.update(**{name: getattr(value, name) for name in FIELDS})

    def _refused(self, error: PresetError, name: str = "") -> bool:
        text: ErrorText = preset_error_words(error, name)
        self.failed.emit(text)
        return False

    def _on_path_changed(self) -> None:
        """Another conversation: what it has of its own is what is looked at."""
        place = self._chat.place
        if place != self._place:
            self._place = place
            self.is_for_chat = self.is_own
            self._tell()

    def _on_settings_changed(self) -> None:
        if (self.value, self.is_own) != self._shown:
            self._tell()

    def _tell(self) -> None:
        self._shown = (self.value, self.is_own)
        self.changed.emit()
