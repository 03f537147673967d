"""The first questions: five steps in a dialog of its own, each of which can be skipped, gone back to, or left alone.

Owns the order of the steps and when the questions count as answered: at the end, or when somebody leaves them. A
program that was killed in the middle asks again. The dialog belongs to no window, since a window may be made anew while
it is open, as when another language is chosen.
"""

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.window.controls import Controls
from app.window.icons import app_icon
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.wizard.steps import FolderStep, LanguageStep, LookStep, ModelStep, SpeedStep, Step
from app.window.zoom import sizes_itself, zoomed

SIZE = (620, 470)
GLYPH = 44


class WelcomeDialog(QDialog):
    discover_asked = Signal()
    ended = Signal()

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self._controls = controls
        self._at = 0
        self.steps: list[Step] = []
        self.setWindowIcon(app_icon())
        self.setWindowModality(Qt.WindowModality.ApplicationModal)
        self.setMinimumSize(420, 420)
        self.resize(zoomed(SIZE[0]), zoomed(SIZE[1]))
        glyph = QLabel(self)
        glyph.setPixmap(app_icon().pixmap(GLYPH, GLYPH))
        self._heading = QLabel(self)
        self._heading.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._heading.setWordWrap(True)
        self._words = MutedLabel("", self)
        self._stack = QStackedWidget(self)
        self._dots = Dots(self)
        self.skip_all_button = QPushButton(self)
        self.skip_all_button.setProperty("kind", "flush")
        self.skip_all_button.setAutoDefault(False)
        self.skip_all_button.clicked.connect(self.close)
        self.back_button = QPushButton(self)
        self.back_button.setAutoDefault(False)
        self.back_button.clicked.connect(lambda: self.go_to(self._at - 1))
        self.next_button = QPushButton(self)
        self.next_button.setProperty("kind", "primary")
        self.next_button.setDefault(True)
        self.next_button.clicked.connect(self._on_next)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._heading, 1, Qt.AlignmentFlag.AlignVCenter)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.skip_all_button)
        foot.addStretch(1)
        foot.addWidget(self._dots)
        foot.addStretch(1)
        foot.addWidget(self.back_button)
        foot.addWidget(self.next_button)
        box = QVBoxLayout(self)
        box.setContentsMargins(34, 30, 34, 22)
        box.setSpacing(12)
        box.addLayout(head)
        box.addWidget(self._words)
        box.addSpacing(8)
        box.addWidget(self._stack, 1)
        box.addLayout(foot)
        controls.settings.changed.connect(self._refresh)
        self._build_steps()

    @property
    def step(self) -> Step:
        return self.steps[self._at]

    def go_to(self, number: int) -> None:
        number = max(0, min(len(self.steps) - 1, number))
        if number != self._at:
            self.step.leave()
        self._at = number
        self._show_step()

    def reject(self) -> None:
        """Esc: what was chosen stays, the rest is as it was."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.step.leave()
        self._controls.settings.update(is_welcomed=True)
        self._controls.settings.save()
        self.ended.emit()
        event.accept()  # QDialog would ask `reject`, which comes back here, and then stay open

    def changeEvent(self, event: QEvent) -> None:
        """In another language all steps are made anew; the window behind may be as well, and would lie above."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and self.steps:
            self._build_steps()
            QTimer.singleShot(0, self, self._come_in_front)

    def _come_in_front(self) -> None:
        if self.isVisible():
            self.raise_()
            self.activateWindow()

    def _build_steps(self) -> None:
        for step in self.steps:
            self._stack.removeWidget(step)
            step.hide()
            step.deleteLater()
        model = ModelStep(self._controls, self)
        model.discover_asked.connect(self._discover)
        kinds = (LanguageStep, LookStep, FolderStep, SpeedStep)
        self.steps = [*(kind(self._controls, self) for kind in kinds), model]
        for step in self.steps:
            self._stack.addWidget(step)
        self.setWindowTitle(self.tr("Welcome to Ember"))
        self.skip_all_button.setText(self.tr("Skip all"))
        self.back_button.setText(self.tr("Back"))
        self._show_step()

    def _show_step(self) -> None:
        is_last = self._at == len(self.steps) - 1
        self._stack.setCurrentWidget(self.step)
        self._heading.setText(self.step.heading)
        self._words.setText(self.step.words)
        self.back_button.setVisible(self._at > 0)
        self.skip_all_button.setVisible(not is_last)
        self.next_button.setText(self.tr("Start chatting") if is_last else self.tr("Next"))
        for button in (self.skip_all_button, self.back_button, self.next_button):
            button.setAccessibleName(button.text())
        self._dots.show_step(self._at, len(self.steps))
        self.next_button.setFocus()
        self.step.enter()

    def _on_next(self) -> None:
        if self._at == len(self.steps) - 1:
            self.close()
        else:
            self.go_to(self._at + 1)

    def _discover(self) -> None:
        self.close()
        self.discover_asked.emit()

    def _refresh(self) -> None:
        for step in self.steps:
            step.refresh()


class Dots(QWidget):
    """How far one is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._at, self._count = 0, 1
        sizes_itself(self)

    def show_step(self, at: int, count: int) -> None:
        self._at, self._count = at, count
        self.setFixedSize(zoomed(14) * count, zoomed(10))
        words = self.tr("Step %1 of %2").replace("%1", str(at + 1)).replace("%2", str(count))
        self.setAccessibleName(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        step, across = zoomed(14), zoomed(7)
        for number in range(self._count):
            painter.setBrush(QColor(colors.accent if number == self._at else colors.scroll))
            painter.drawEllipse(
                QRectF(number * step + (step - across) / 2, (self.height() - across) / 2, across, across)
            )
        painter.end()
