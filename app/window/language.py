"""The language of the window: Ember's own texts, Qt's, and how numbers and dates are written.

Owns which translators are installed. Widgets keep the words they were made with, so that whoever shows them makes new
ones when `changed` is emitted; what decides (controls, conversations, the engine) has no words and stays.
"""

import logging
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtWidgets import QApplication

from app.language import CHINESE, ENGLISH, language_of, speak
from app.window.theme import punctuated
from app.window.wording import translate

log = logging.getLogger(__name__)


class Language(QObject):
    changed = Signal()

    def __init__(self, app: QApplication, folder: Path, choice: str) -> None:
        super().__init__(app)
        self._app = app
        self._folder = folder
        self._system = QLocale.system()
        self._translators: list[QTranslator] = []
        self.current = ""
        self.choose(choice)
        speak(translate)

    def choose(self, choice: str) -> None:
        """Speak the language that a choice means, one of app/language.py's."""
        language = language_of(choice, self._system.uiLanguages())
        if language == self.current:
            return
        is_first = not self.current
        self.current = language
        self._install(language)
        QLocale.setDefault(self._locale(language))
        self._app.setFont(punctuated(self._app.font()))
        if not is_first:
            self.changed.emit()

    def _install(self, language: str) -> None:
        for translator in self._translators:
            self._app.removeTranslator(translator)
        qt_folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        files = [self._folder / f"ember_{language}.qm"]
        files += [qt_folder / f"qtbase_{language}.qm"] if language != ENGLISH else []
        self._translators = []
        for file in files:
            translator = QTranslator(self)
            if translator.load(str(file)):
                self._app.installTranslator(translator)
                self._translators.append(translator)
            else:
                log.warning("no translation in %s", file)

    def _locale(self, language: str) -> QLocale:
        """The system's own way to write numbers where it is of this language, else the language's usual one."""
        spoken = QLocale.Language.Chinese if language == CHINESE else QLocale.Language.English
        return self._system if self._system.language() == spoken else QLocale(language)
