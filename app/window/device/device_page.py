"""The device page: the card and its budget, who does the work, which neurons fire, and how fast this computer is.

Owns the arrangement, what of it is shown when, and that nothing is asked of the engine while nobody looks.
"""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.error_text import memory_words
from app.language import in_a_row
from app.window.column import lay_in_column
from app.window.device.budget_card import BudgetCard
from app.window.device.cards_card import CardsCard, WithoutCard
from app.window.device.device_control import DeviceControl, Notice
from app.window.device.figures import NoticeCard
from app.window.device.heat_map import HeatCard
from app.window.device.machine_card import MachineCard
from app.window.device.work_card import WorkCard
from app.window.error_card import ErrorCard
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.theme import scaled

COLUMN_WIDTH = 900


class DevicePage(QScrollArea):
    back_clicked = Signal()

    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self._notice: NoticeCard | None = None
        self._error: ErrorCard | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Device"))
        self._notices = QVBoxLayout()
        self._loading = MutedLabel(parent=self)
        self.budget = BudgetCard(device, self)
        self.work = WorkCard(device, self)
        self.heat = HeatCard(device, self)
        self.cards = CardsCard(device, self)
        self.without = WithoutCard(device, self)
        self.machine = MachineCard(device, self)
        box = QVBoxLayout()
        box.setContentsMargins(0, 16, 0, 24)
        box.setSpacing(12)
        box.addLayout(self._build_head())
        box.addWidget(
            MutedLabel(
                self.tr(
                    "What computes your answers: neurons that fire often in a graphics card's memory, the others on "
                    "the processor at the same time."
                ),
                self,
            )
        )
        box.addLayout(self._notices)
        box.addWidget(self._loading)
        for card in (self.budget, self.cards, self.without, self.work, self.heat, self.machine):
            box.addWidget(card)
        box.addStretch(1)
        lay_in_column(self, box, COLUMN_WIDTH)
        device.changed.connect(self._on_changed)
        device.pictures.sampled.connect(self._on_sampled)
        device.stepped_down.connect(self._on_step_down)
        self.refresh()

    def _build_head(self) -> QHBoxLayout:
        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Device"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(back)
        row.addWidget(title, 1)
        return row

    # Whether it is looked at --------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._device.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._device.watch(False)

    def event(self, event: QEvent) -> bool:
        """Other programs may have taken or left memory while somebody was away."""
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self._device.refresh()
        return super().event(event)

    def _on_changed(self) -> None:
        """Loading a model says a lot; nobody sees it here while the page is not shown."""
        if self.isVisible():
            self.refresh()

    def _on_sampled(self) -> None:
        if self.isVisible():
            self._show_work()

    # What is shown ------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        device = self._device
        self._show_notice(device.notice)
        self._show_error()
        self._loading.setVisible(device.is_reading)
        self._loading.setText(self._loading_words())
        is_known = device.report is not None
        has_budget = is_known and device.has_card and (device.model is not None or device.placement is not None)
        self.budget.setVisible(has_budget)
        self.cards.setVisible(is_known)
        self.without.setVisible(is_known and not device.has_card)
        if has_budget:
            self.budget.refresh()
        self.cards.refresh()
        self.without.refresh()
        self.machine.refresh()
        self._show_work()

    def _show_work(self) -> None:
        self.work.refresh()
        self.heat.refresh()

    def _loading_words(self) -> str:
        if self._device.is_answering:
            return self.tr("Looking at this computer, once the answer that is being written is finished…")
        return self.tr("Looking at this computer…")

    def _show_notice(self, notice: Notice | None) -> None:
        if (self._notice.notice_text if self._notice else None) == (notice.text if notice else None):
            return
        self._take_away(self._notice)
        self._notice = None
        if notice is not None:
            wanted = notice.before_bytes
            again = self.tr("Take %1 again").replace("%1", memory_words(wanted)) if wanted else ""
            self._notice = NoticeCard(notice.text, again, self)
            self._notice.understood.connect(self._device.forget_notice)
            self._notice.again_clicked.connect(lambda: self._device.choose_budget(wanted))
            self._notices.insertWidget(0, self._notice)

    def _show_error(self) -> None:
        text = self._device.read_error
        if (self._error.text if self._error else None) == text:
            return
        self._take_away(self._error)
        self._error = None
        if text is not None:
            self._error = ErrorCard(text, ((self.tr("Try again"), self._device.refresh),), "", self)
            self._notices.addWidget(self._error)

    def _take_away(self, card: QWidget | None) -> None:
        if card is not None:
            self._notices.removeWidget(card)
            card.hide()
            card.deleteLater()

    def _on_step_down(self, notice: Notice) -> None:
        if self.isVisible():
            words = in_a_row(notice.text.cause, notice.text.action)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
