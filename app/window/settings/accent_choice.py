"""The accents to choose from: a disc of each colour, the chosen one ringed.

Owns the discs. They are buttons of one group, so the arrow keys go from one to the next.
"""

from PySide6.QtCore import QCoreApplication, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QWidget

from app.settings import ACCENTS
from app.window.theme import colors_for, colors_of
from app.window.zoom import zoomed

DISC = 26


class AccentChoice(QWidget):
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._discs = {accent: AccentDisc(accent, self) for accent in ACCENTS}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for accent, disc in self._discs.items():
            self._group.addButton(disc)
            row.addWidget(disc)
            disc.clicked.connect(lambda _=False, a=accent: self.chosen.emit(a))
        self.setFocusProxy(self._discs[ACCENTS[0]])

    def show_accent(self, accent: str) -> None:
        self._discs[accent].setChecked(True)


class AccentDisc(QRadioButton):
    def __init__(self, accent: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._accent = accent
        self.setFixedSize(DISC, DISC)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        name = accent_name(accent)
        self.setAccessibleName(name)
        self.setToolTip(name)

    def hitButton(self, position: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        shown = QColor(colors_for(is_dark=colors.is_dark, accent=self._accent).accent)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(self.width() / 2, self.height() / 2)
        outer = min(self.width(), self.height()) / 2 - 1.5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shown)
        painter.drawEllipse(centre, outer - zoomed(3), outer - zoomed(3))
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            style = Qt.PenStyle.SolidLine if self.isChecked() else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(colors.text) if self.hasFocus() else shown, 2, style))
            painter.drawEllipse(centre, outer, outer)
        painter.end()


def accent_name(accent: str) -> str:
    return {
        "ember": _tr("Ember"),
        "forest": _tr("Forest"),
        "lagoon": _tr("Lagoon"),
        "sky": _tr("Sky"),
        "violet": _tr("Violet"),
        "rose": _tr("Rose"),
    }[accent]


def _tr(text: str) -> str:
    return QCoreApplication.translate("AccentChoice", text)
