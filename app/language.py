"""The languages Ember speaks, and the translation that code without Qt asks.

Owns which of the languages a choice means on a system, and `tr`, by which sentences in modules without Qt are looked up
while they are made. A process speaks one language, as with gettext: the window installs its translation with `speak`
and installs another when the language changes; in a terminal nothing is installed, and texts stay English.
"""

from collections.abc import Callable, Sequence

Translate = Callable[[str], str]

ENGLISH, CHINESE, SYSTEM = "en", "zh_CN", "system"
LANGUAGES = (SYSTEM, ENGLISH, CHINESE)
# Each by the name that its own speakers read, whatever language is chosen.
LANGUAGE_NAMES = {ENGLISH: "English", CHINESE: "简体中文"}
# Chinese that is written with other characters, as tags of languages say it.
_TRADITIONAL_KEYS = ("hant", "tw", "hk", "mo")


def unchanged(text: str) -> str:
    return text


def language_of(choice: str, wanted: Sequence[str]) -> str:
    """The language a choice means: itself, or the first of the system's, by tags like zh-Hans-CN, that Ember speaks."""
    if choice in LANGUAGE_NAMES:
        return choice
    for tag in wanted:
        name, *parts = tag.replace("_", "-").lower().split("-")
        if name == "en":
            return ENGLISH
        if name == "zh" and not any(part in _TRADITIONAL_KEYS for part in parts):
            return CHINESE
    return ENGLISH


class _Speech:
    translate: Translate = staticmethod(unchanged)


_speech = _Speech()


def speak(translate: Translate) -> None:
    """Look texts up with this from now on."""
    _speech.translate = translate


def tr(text: str) -> str:
    """The text in the language of this process. Fill numbers in afterwards, so that a translation may order them."""
    return _speech.translate(text)


def in_a_row(*sentences: str) -> str:
    """Sentences one after another, with between them what the language has there; empty ones are left out."""
    return tr(" ").join(sentence for sentence in sentences if sentence)


def in_percent(figure: str) -> str:
    """A figure with the sign of percent, set as the language sets it."""
    return tr("{figure} %").format(figure=figure)
