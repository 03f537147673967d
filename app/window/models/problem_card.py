"""An error with the one thing to do about it, or a plain notice with a button, in a place that is often empty."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.window.device.figures import Ribbon
from app.window.error_card import Action, ErrorCard


class ErrorPlace(QWidget):
    """Shows an error card, or nothing; what is the same as before is left as it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card: ErrorCard | None = None
        self._shown: tuple[ErrorText, str] | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def show_error(self, text: ErrorText | None, label: str = "", run: Callable[[], None] | None = None) -> None:
        wanted = (text, label) if text is not None else None
        if wanted == self._shown:
            return
        self._shown = wanted
        if self.card is not None:
            self._box.removeWidget(self.card)
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        if text is not None:
            actions: tuple[Action, ...] = ((label, run),) if label and run is not None else ()
            self.card = ErrorCard(text, actions, "", self)
            self._box.addWidget(self.card)
        self.setVisible(text is not None)


class Notice(Ribbon):
    """Words with one button beside them."""

    def __init__(
        self, text: str, icon: str, label: str, run: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(text, icon, parent)
        self.button = QPushButton(label, self)
        self.button.setAccessibleName(label)
        self.button.clicked.connect(run)
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)  # noqa: S101 - Ribbon's
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        first = layout.itemAt(0)
        if first is not None:
            first.setAlignment(Qt.AlignmentFlag.AlignVCenter)

    def show_words(self, text: str) -> None:
        if self._text.text() != text:
            self._text.setText(text)
            self.setAccessibleName(text)
