"""The steps of the first questions: language, look, folder, speed of this computer, the model to begin with.

Each step is a page that shows what holds now and acts at once, so that going back, skipping and leaving need no
undoing. What a choice does is decided by the controls.
"""

import shutil
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget

from app.device_words import chosen_card, rate_words
from app.error_text import memory_words
from app.window import dialogs
from app.window.controls import Controls
from app.window.labels import MutedLabel
from app.window.model_card import Card, ProgressLine, facts_words, starter_words
from app.window.model_control import LOADING, READY
from app.window.models.problem_card import ErrorPlace
from app.window.settings.accent_choice import AccentChoice
from app.window.settings.sections import language_names, theme_names
from app.window.theme import scaled
from app.window.wizard.theme_preview import ThemePreview
from app.window.wording import breakable, progress_words, size
from engine.messages import ModelInfo


class Step(QWidget):
    """`heading` and `words` are shown above it by the dialog."""

    heading = ""
    words = ""

    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(parent)
        self.controls = controls
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(10)

    def enter(self) -> None:
        """It is shown: where something is chosen the keyboard goes there, and what is needed is asked for."""

    def leave(self) -> None:
        """Another is shown: what still runs for its sake is given up."""

    def refresh(self) -> None:
        """Show what holds now."""


class LanguageStep(Step):
    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(controls, parent)
        self.heading = self.tr("Welcome to Ember")
        self.words = self.tr("Chat with language models on this computer. Which language shall the window speak?")
        self._buttons: dict[str, QRadioButton] = {}
        for language, name in language_names():
            button = QRadioButton(name, self)
            button.setAccessibleName(name)
            button.setFont(scaled(self.font(), 1.1))
            button.clicked.connect(lambda _=False, chosen=language: controls.settings.update(language=chosen))
            self._buttons[language] = button
            self.box.addWidget(button)
        self.box.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        self._buttons[self.controls.settings.value.language].setChecked(True)

    def enter(self) -> None:
        self._buttons[self.controls.settings.value.language].setFocus()


class LookStep(Step):
    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(controls, parent)
        self.heading = self.tr("How shall it look?")
        self.words = self.tr("Both can be changed in the settings at any time.")
        settings = controls.settings
        group = QButtonGroup(self)
        self._themes: dict[str, ThemePreview] = {}
        row = QHBoxLayout()
        row.setSpacing(14)
        for theme, name in theme_names():
            preview = ThemePreview(theme, name, self)
            preview.clicked.connect(lambda _=False, chosen=theme: settings.update(theme=chosen))
            group.addButton(preview)
            self._themes[theme] = preview
            row.addWidget(preview)
        row.addStretch(1)
        self._accents = AccentChoice(self)
        self._accents.chosen.connect(lambda accent: settings.update(accent=accent))
        accents = QHBoxLayout()
        accents.setSpacing(12)
        accents.addWidget(QLabel(self.tr("Accent"), self))
        accents.addWidget(self._accents)
        accents.addStretch(1)
        self.box.addLayout(row)
        self.box.addSpacing(8)
        self.box.addLayout(accents)
        self.box.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        value = self.controls.settings.value
        self._themes[value.theme].setChecked(True)
        self._accents.show_accent(value.accent)
        for preview in self._themes.values():
            preview.show_accent(value.accent)

    def enter(self) -> None:
        self._themes[self.controls.settings.value.theme].setFocus()


class FolderStep(Step):
    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(controls, parent)
        self.heading = self.tr("Where shall models be kept?")
        self.words = self.tr("Models are large: from a few hundred megabytes to many gigabytes. Any drive will do.")
        self._folder = QLabel(self)
        self._folder.setWordWrap(True)
        self._folder.setTextFormat(Qt.TextFormat.PlainText)
        self._free = MutedLabel("", self)
        card = Card(self)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(16, 12, 16, 13)
        inner.setSpacing(3)
        inner.addWidget(self._folder)
        inner.addWidget(self._free)
        self._choose = QPushButton(self.tr("Another folder…"), self)
        self._choose.setAccessibleName(self.tr("Keep models in another folder"))
        self._choose.clicked.connect(lambda: dialogs.ask_for_folder(self, self.tr("A folder for models"), self.use))
        self._error = ErrorPlace(self)
        self.box.addWidget(card)
        self.box.addWidget(self._error)
        self.box.addWidget(self._choose, 0, Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)
        controls.hub.library.changed.connect(self.refresh)
        self.refresh()

    def use(self, folder: Path) -> None:
        """New models go there; the folder before is kept, since there may be models in it."""
        library = self.controls.hub.library
        library.use_folders((str(folder), *(each for each in library.folders if each != str(folder))))

    def refresh(self) -> None:
        library = self.controls.hub.library
        folder = library.folders[0]
        self._folder.setText(breakable(folder))
        self._free.setText(_free_words(Path(folder)))
        self._error.show_error(library.folder_error)
        self._choose.setEnabled(library.is_open and not library.is_using)

    def enter(self) -> None:
        self.refresh()


class SpeedStep(Step):
    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(controls, parent)
        self.heading = self.tr("How fast is this computer?")
        self.words = self.tr(
            "Ember can measure memory and graphics card once, in half a minute at most. With that it says beforehand "
            "how fast a model will run here. It can be done later on the device page."
        )
        self._machine = QLabel(self)
        self._machine.setWordWrap(True)
        self._machine.setTextFormat(Qt.TextFormat.PlainText)
        self._speeds = MutedLabel("", self)
        card = Card(self)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(16, 12, 16, 13)
        inner.setSpacing(4)
        inner.addWidget(self._machine)
        inner.addWidget(self._speeds)
        self.measure = QPushButton(self.tr("Measure now"), self)
        self.measure.setAccessibleName(self.tr("Measure the speeds of this computer"))
        self.measure.clicked.connect(controls.device.measure)
        self.progress = ProgressLine(self)
        self.progress.cancelled.connect(controls.device.cancel_measuring)
        self._error = ErrorPlace(self)
        self.box.addWidget(card)
        self.box.addWidget(self._error)
        self.box.addWidget(self.progress)
        self.box.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)
        controls.device.changed.connect(self.refresh)
        controls.models.changed.connect(self.refresh)
        self.refresh()

    @property
    def told(self) -> str:
        """What is said of the machine and its speeds."""
        return f"{self._machine.text()}\n{self._speeds.text()}"

    def enter(self) -> None:
        self.controls.device.refresh()
        self.refresh()

    def leave(self) -> None:
        self.controls.device.cancel_measuring()

    def refresh(self) -> None:
        device = self.controls.device
        report, task = device.report, device.measuring
        self.measure.setVisible(task is None)
        self.measure.setEnabled(device.can_measure)
        self.progress.setVisible(task is not None)
        if task is not None:
            self.progress.show_task(task)
        self._error.show_error(device.read_error)
        if report is None:
            self._machine.setText(self.tr("Looking at this computer…"))
            self._speeds.setText("")
            return
        parts = [report.processor] if report.processor else []
        if report.memory_bytes:
            parts.append(self.tr("%1 of memory").replace("%1", memory_words(report.memory_bytes)))
        card = chosen_card(report)
        parts.append(card.name if card is not None else self.tr("no graphics card, which is a normal case"))
        self._machine.setText(breakable(" · ".join(parts)))
        speeds = report.speeds
        if speeds is None or not speeds.cpu:
            self._speeds.setText(self.tr("Not measured yet"))
            return
        best = max(speeds.cpu, key=lambda rate: rate.bytes_per_s)
        text = self.tr("Main memory: %1 with %2 threads")
        text = text.replace("%1", rate_words(best.bytes_per_s)).replace("%2", str(best.n_threads))
        if speeds.card_bytes_per_s > 0:
            text += " · " + self.tr("card: %1").replace("%1", rate_words(speeds.card_bytes_per_s))
        self._speeds.setText(text)


class ModelStep(Step):
    discover_asked = Signal()

    def __init__(self, controls: Controls, parent: QWidget) -> None:
        super().__init__(controls, parent)
        self.heading = self.tr("A model to begin with")
        self.words = self.tr("It came with Ember and works without a network.")
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.12, weight=QFont.Weight.DemiBold))
        self._facts = MutedLabel("", self, factor=0.93)
        self._about = QLabel(self)
        self._about.setWordWrap(True)
        self._state = MutedLabel("", self)
        card = Card(self)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(16, 12, 16, 13)
        inner.setSpacing(5)
        for label in (self._name, self._facts, self._about, self._state):
            inner.addWidget(label)
        more = QPushButton(self.tr("Look for larger models"), self)
        more.setAccessibleName(self.tr("Look for larger models"))
        more.setProperty("kind", "flush")
        more.clicked.connect(self.discover_asked)
        self.box.addWidget(card)
        self.box.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)
        controls.models.changed.connect(self.refresh)
        self.refresh()

    @property
    def told(self) -> str:
        return f"{self._name.text()}\n{self._facts.text()}\n{self._state.text()}"

    def refresh(self) -> None:
        models = self.controls.models
        starter = next((model for model in models.models if model.note == "starter"), None)
        is_here = starter is not None
        self._facts.setVisible(is_here)
        self._about.setVisible(is_here)
        if starter is None:
            self._name.setText(self.tr("No model is here yet"))
            self._state.setText(self.tr("Look for one on the models page, or import a file you have."))
            return
        self._name.setText(starter.name)
        task = models.loading
        is_loading = task is not None and task.subject == starter.model_id
        self._facts.setText(breakable(facts_words(starter, is_loading=is_loading)))
        self._about.setText(starter_words(starter))
        self._state.setText(self._state_words(starter))

    def _state_words(self, starter: ModelInfo) -> str:
        models = self.controls.models
        is_current = models.current is not None and models.current.model_id == starter.model_id
        if is_current and models.state == READY:
            return self.tr("Loaded and ready")
        if is_current and models.state == LOADING and models.loading is not None:
            return progress_words(models.loading.progress)
        return self.tr("On this computer")


def _free_words(folder: Path) -> str:
    """Of the drive that the folder is on, or will be made on."""
    place = next((each for each in (folder, *folder.parents) if each.exists()), None)
    try:
        free = shutil.disk_usage(place).free if place is not None else None
    except OSError:
        free = None
    if free is None:
        return QCoreApplication.translate("FolderStep", "How much is free there cannot be said.")
    return QCoreApplication.translate("FolderStep", "%1 are free there.").replace("%1", size(free))
