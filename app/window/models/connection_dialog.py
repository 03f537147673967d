"""A test of the way to the hub: its steps one below the other, as they pass or fail."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent, QFont, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.download_words import step_advice, step_name, step_words
from app.error_text import ErrorText
from app.window.icons import icon_pixmap
from app.window.labels import MutedLabel
from app.window.models.asking import words
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace
from app.window.theme import colors_of, scaled
from app.window.wording import breakable, error_words
from engine.transfer_reports import CONNECTION_STEPS, ConnectionStep

_ICONS = {"passed": ("check", "good"), "failed": ("alert", "danger"), "skipped": ("check", "muted")}


class StepRow(QWidget):
    """One step: waiting, under way, or what came of it."""

    def __init__(self, step: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = step
        self._icon = QLabel(self)
        self._icon.setFixedSize(QSize(18, 18))
        self._name = QLabel(step_name(step, words), self)
        self._name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.Medium))
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setWordWrap(True)
        self._detail = MutedLabel(parent=self, factor=0.92)
        lines = QVBoxLayout()
        lines.setSpacing(1)
        lines.addWidget(self._name)
        lines.addWidget(self._detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)

    @property
    def text(self) -> str:
        return self._detail.text()

    def show_step(self, found: ConnectionStep | None, *, is_under_way: bool) -> None:
        self._icon.clear()
        if found is not None:
            icon, color = _ICONS.get(found.state, ("info", "muted"))
            ink = getattr(colors_of(self.palette()), color)
            self._icon.setPixmap(icon_pixmap(icon, ink, 18, self.devicePixelRatioF()))
            detail = step_words(found, words)
        else:
            detail = self.tr("trying…") if is_under_way else ""
        self._detail.setText(breakable(detail))
        self._detail.setVisible(bool(detail))
        self._name.setEnabled(found is not None or is_under_way)
        self.setAccessibleName(f"{self._name.text()}. {detail}" if detail else self._name.text())


class ConnectionDialog(QDialog):
    def __init__(self, network: NetworkControl, repo: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._network = network
        self._repo = repo
        self._was_testing = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Test the connection"))
        self.resize(540, 520)
        self.setMinimumWidth(380)
        address = self.tr("The way to %1, with a file of %2.").replace("%1", network.chosen.endpoint)
        head = MutedLabel(breakable(address.replace("%2", repo)), self)
        self.rows = {step: StepRow(step, self) for step in CONNECTION_STEPS}
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        self._bar.setAccessibleName(self.tr("Testing"))
        self.verdict = QLabel(self)
        self.verdict.setFont(scaled(self.font(), 1.05, weight=QFont.Weight.DemiBold))
        self.verdict.setWordWrap(True)
        self.error = ErrorPlace(self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        self.again = buttons.addButton(self.tr("Test again"), QDialogButtonBox.ButtonRole.ActionRole)
        self.again.setAccessibleName(self.again.text())
        self.again.clicked.connect(self._test)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 13)
        box.setSpacing(12)
        box.addWidget(head)
        for row in self.rows.values():
            box.addWidget(row)
        box.addWidget(self._bar)
        box.addWidget(self.verdict)
        box.addWidget(self.error)
        box.addStretch(1)
        box.addWidget(buttons)
        network.changed.connect(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._test()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._network.stop_test()
        self._network.changed.disconnect(self.refresh)
        super().closeEvent(event)

    def reject(self) -> None:
        self.close()

    def _test(self) -> None:
        self._was_testing = True
        self._network.test(self._repo)

    def refresh(self) -> None:
        network = self._network
        found = {step.step: step for step in network.steps}
        failed = next((step for step in network.steps if step.state == "failed"), None)
        following = next((step for step in CONNECTION_STEPS if step not in found), "")
        for step, row in self.rows.items():
            row.show_step(found.get(step), is_under_way=network.is_testing and step == following and failed is None)
        self._bar.setVisible(network.is_testing)
        self.again.setEnabled(not network.is_testing)
        self.error.show_error(_error_of(failed) or network.test_error)
        self.verdict.setText(self._verdict_words(failed))
        self.verdict.setVisible(bool(self.verdict.text()))
        if self._was_testing and not network.is_testing and self.verdict.text():
            self._was_testing = False
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.verdict.text()))

    def _verdict_words(self, failed: ConnectionStep | None) -> str:
        if self._network.is_testing or not (self._network.steps or self._network.test_error):
            return ""
        if failed is not None:
            return self.tr("It fails at: %1").replace("%1", step_name(failed.step, words))
        return "" if self._network.test_error is not None else self.tr("Everything works.")


def _error_of(failed: ConnectionStep | None) -> ErrorText | None:
    """What happened, with the advice that fits the step."""
    if failed is None or failed.error is None:
        return None
    text = error_words(failed.error)
    return replace(text, action=step_advice(failed, words) or text.action)
