"""Text that stays in the muted colour of the theme, and names for what Qt puts into fields."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from app.window.theme import colors_of, scaled


class MutedLabel(QLabel):
    """Plain text in the muted colour; `factor` scales the font, `wraps` lets it take several lines."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, factor: float = 1.0, wraps: bool = True
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        if factor != 1.0:
            self.setFont(scaled(self.font(), factor))
        self._recolour()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._is_stale():
            self._recolour()

    def _is_stale(self) -> bool:
        return self.palette().color(self.foregroundRole()) != QColor(colors_of(self.palette()).muted)

    def _recolour(self) -> None:
        palette = self.palette()
        palette.setColor(self.foregroundRole(), QColor(colors_of(palette).muted))
        self.setPalette(palette)


def name_tools(field: QLineEdit) -> None:
    """Qt's own buttons in a field, such as the glass and the cross, are called after the field."""
    for button in field.findChildren(QToolButton):
        button.setAccessibleName(field.accessibleName())
