"""The trash: what was thrown away, for how long it is still kept, and the way back or out for good."""

import time
from collections.abc import Callable

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QMessageBox,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.chat.chats import TRASH_DAYS
from app.chat.records import ConversationSummary
from app.window.dialogs import question
from app.window.labels import MutedLabel
from app.window.wording import number
from app.window.zoom import zoomed

DAY_S = 86_400
ROW_HEIGHT = 34
ID_ROLE = Qt.ItemDataRole.UserRole


class TrashDialog(QDialog):
    restore_asked = Signal(list)
    """Ids of conversations."""

    erase_asked = Signal(list)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Trash"))
        self.resize(620, 460)
        self._words = MutedLabel("", self)
        self._list = QTreeWidget(self)
        self._list.setAccessibleName(self.tr("Conversations in the trash"))
        self._list.setHeaderLabels([self.tr("Conversation"), self.tr("Deleted"), self.tr("Kept for")])
        self._list.setProperty("kind", "table")
        self._list.setRootIsDecorated(False)
        self._list.setUniformRowHeights(True)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self._list.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(False)
        self._restore = self._button(self.tr("Restore"), self._ask_to_restore)
        self._erase = self._button(self.tr("Delete for good"), lambda: self._ask_to_erase(self._chosen()))
        self._empty = self._button(self.tr("Empty the trash"), lambda: self._ask_to_erase(self._all()))
        close = self._button(self.tr("Close"), self.close)
        for button in (self._restore, self._erase, self._empty):
            button.setAutoDefault(False)
        self._list.itemSelectionChanged.connect(self._enable)
        self._list.itemActivated.connect(self._ask_to_restore)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._restore, self._erase, self._empty):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 14)
        box.setSpacing(12)
        box.addWidget(self._words)
        box.addWidget(self._list, 1)
        box.addLayout(buttons)
        box.setAlignment(buttons, Qt.AlignmentFlag.AlignBottom)

    def show_conversations(self, summaries: list[ConversationSummary]) -> None:
        now = time.time()
        self._list.clear()
        locale = QLocale()
        for summary in summaries:
            thrown = summary.trashed or now
            days = max(0, TRASH_DAYS - int((now - thrown) / DAY_S))
            left = self.tr("1 day") if days == 1 else self.tr("%1 days").replace("%1", number(days))
            day = locale.toString(QDateTime.fromSecsSinceEpoch(int(thrown)), QLocale.FormatType.ShortFormat)
            item = QTreeWidgetItem([summary.title or self.tr("Untitled"), day, left])
            item.setSizeHint(0, QSize(0, zoomed(ROW_HEIGHT)))
            item.setToolTip(0, summary.title)
            item.setData(0, ID_ROLE, summary.id)
            self._list.addTopLevelItem(item)
        if summaries:
            words = self.tr("Conversations stay here for %1 days and are then deleted for good at the next start.")
            self._words.setText(words.replace("%1", number(TRASH_DAYS)))
            self._list.setCurrentIndex(self._list.model().index(0, 0))
        else:
            words = self.tr("The trash is empty. What you delete stays here for %1 days.")
            self._words.setText(words.replace("%1", number(TRASH_DAYS)))
        self._list.setVisible(bool(summaries))
        for button in (self._restore, self._erase, self._empty):
            button.setVisible(bool(summaries))
        at = Qt.AlignmentFlag.AlignLeft if summaries else Qt.AlignmentFlag.AlignCenter
        self._words.setAlignment(at)
        self._enable()

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.clicked.connect(lambda: run())
        return button

    def _chosen(self) -> list[str]:
        return [item.data(0, ID_ROLE) for item in self._list.selectedItems()]

    def _all(self) -> list[str]:
        items = map(self._list.topLevelItem, range(self._list.topLevelItemCount()))
        return [item.data(0, ID_ROLE) for item in items if item is not None]

    def _enable(self) -> None:
        self._restore.setEnabled(bool(self._chosen()))
        self._erase.setEnabled(bool(self._chosen()))
        self._empty.setEnabled(self._list.topLevelItemCount() > 0)

    def _ask_to_restore(self) -> None:
        if chosen := self._chosen():
            self.restore_asked.emit(chosen)

    def _ask_to_erase(self, ids: list[str]) -> None:
        if not ids:
            return
        one = self.tr("Delete this conversation for good?")
        several = self.tr("Delete %1 conversations for good?").replace("%1", number(len(ids)))
        box = question(self, "trash", one if len(ids) == 1 else several)
        box.setInformativeText(self.tr("This cannot be undone."))
        erase = box.addButton(self.tr("Delete for good"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.finished.connect(lambda: self.erase_asked.emit(ids) if box.clickedButton() is erase else None)
        box.open()
