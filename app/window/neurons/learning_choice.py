"""Whether chats are counted in a model's profile: the choice, what it means, and where the counts are kept."""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QMouseEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.window.labels import MutedLabel
from app.window.settings_control import SettingsControl


class LearningChoice(QWidget):
    """Whether chats are counted, where the counts are kept, and their deletion."""

    forget_asked = Signal()

    def __init__(self, settings: SettingsControl, library: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        words = self.tr("Learn from my chats which neurons are used (kept on this computer)")
        self.box = QCheckBox(self)
        self.box.setAccessibleName(words)
        self.box.toggled.connect(lambda on: settings.update(counts_neurons=on))
        hint = MutedLabel(
            self.tr(
                "Adds up how often each neuron was active in answers, never what was written. The counts lie in the "
                "model library, beside the model, and go nowhere else."
            ),
            self,
            factor=0.9,
        )
        folder = QPushButton(self.tr("Open the folder where the counts are kept"), self)
        folder.setAccessibleName(folder.text())
        folder.setToolTip(str(library))
        folder.setProperty("kind", "flush")
        folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(library))))
        self._forget = QPushButton(self)
        self._forget.setProperty("kind", "flush")
        self._forget.clicked.connect(self.forget_asked)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 6, 0, 0)
        box.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(Caption(words, self.box, self), 1)
        box.addLayout(row)
        box.addWidget(hint)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addWidget(folder)
        buttons.addWidget(self._forget)
        buttons.addStretch(1)
        box.addLayout(buttons)
        self.show_counted(0)
        settings.changed.connect(self._show)
        self._show()

    def show_counted(self, n_tokens: int) -> None:
        """Offer to delete what was counted of chats with the model shown, if anything was."""
        self._forget.setText(self.tr("Delete what was counted (%1 tokens)").replace("%1", f"{n_tokens:,}"))
        self._forget.setAccessibleName(self._forget.text())
        self._forget.setVisible(n_tokens > 0)

    def _show(self) -> None:
        self.box.setChecked(self._settings.value.counts_neurons)


class Caption(QLabel):
    """What a check box says where that may take several lines; a click on it is one on the box."""

    def __init__(self, text: str, box: QCheckBox, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._box = box
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self._box.click()
