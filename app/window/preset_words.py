"""Presets in the words of the window: names of those that come with Ember, and why one was refused."""

from PySide6.QtCore import QCoreApplication

from app.error_text import ErrorText
from app.presets import MAX_NAME_CHARS, MAX_PRESETS, Preset, PresetError
from app.window.wording import number


def preset_name(preset: Preset) -> str:
    """Of the user's own as it was given, of Ember's in the user's language."""
    return {
        "precise": _tr("Precise"),
        "balanced": _tr("Balanced"),
        "creative": _tr("Creative"),
        "code": _tr("Code"),
    }.get(preset.key, preset.name)


def preset_meaning(preset: Preset) -> str:
    """What a preset of Ember's is for."""
    return {
        "precise": _tr("Keeps to the likeliest words: facts, summaries, translations."),
        "balanced": _tr("For everyday questions."),
        "creative": _tr("Takes less likely words too: stories, ideas, names."),
        "code": _tr("Nearly the likeliest words, and repeating them costs nothing: programs."),
    }.get(preset.key, _tr("One of your own."))


def preset_error_words(error: PresetError, name: str) -> ErrorText:
    if error.code == "name":
        cause = _tr("A preset needs a name of 1 to %1 characters.").replace("%1", number(MAX_NAME_CHARS))
        return ErrorText(cause, _tr("Give it another name."))
    if error.code == "taken":
        return ErrorText(
            _tr("There is a preset called “%1” already.").replace("%1", name), _tr("Give it another name.")
        )
    if error.code == "many":
        cause = _tr("There are %1 presets, as many as Ember keeps.").replace("%1", number(MAX_PRESETS))
        return ErrorText(cause, _tr("Delete one first."))
    cause = _tr("The file of presets “%1” cannot be used: %2.") if name else _tr("Presets cannot be kept: %2.")
    cause = cause.replace("%1", name).replace("%2", error.reason.rstrip("."))
    return ErrorText(cause, _tr("Check the file and its folder, and try again."))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Presets", text)
