"""The downloads as a list of rows, in their order.

Owns the rows and which of them are shown; what is done is decided by DownloadControl, and giving up what has arrived is
asked about first.
"""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMessageBox, QVBoxLayout, QWidget

from app.download_words import AGAIN, name_of, queue_words
from app.window.dialogs import question
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.models.asking import words
from app.window.models.download_control import DownloadControl
from app.window.models.download_row import DownloadRow
from app.window.theme import colors_of, scaled
from app.window.wording import number, size


class DownloadsSection(Card):
    chat_asked = Signal(str)
    step_asked = Signal(str, str)
    """Repository, and a next step that is not this list's."""

    def __init__(self, downloads: DownloadControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._downloads = downloads
        self._rows: dict[str, DownloadRow] = {}
        self.setAccessibleName(self.tr("Downloads"))
        self._title = QLabel(self.tr("Downloads"), self)
        self._title.setFont(scaled(self.font(), 1.05, weight=QFont.Weight.DemiBold))
        self._words = MutedLabel(parent=self, factor=0.92)
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 8, 0)
        head.addWidget(self._title)
        head.addWidget(self._words, 1)
        self._list = QVBoxLayout()
        self._list.setSpacing(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 11, 8, 6)
        box.setSpacing(4)
        box.addLayout(head)
        box.addLayout(self._list)
        self.hide()

    @property
    def rows(self) -> tuple[DownloadRow, ...]:
        return tuple(self._rows[d.download_id] for d in self._downloads.shown if d.download_id in self._rows)

    def refresh(self) -> None:
        shown = self._downloads.shown
        known = {download.download_id for download in shown}
        for download_id in [i for i in self._rows if i not in known]:
            self._drop(self._rows.pop(download_id))
        movable = [d.download_id for d in shown if not d.holder and d.state != "ready"]
        for position, download in enumerate(shown):
            row = self._rows.get(download.download_id)
            if row is None:
                row = self._rows[download.download_id] = self._new_row(download.download_id)
            if self._list.indexOf(row) != position:
                had_focus = row.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
                self._list.insertWidget(position, row)
                if had_focus:
                    row.setFocus()
            is_first = download.download_id not in movable[1:]
            is_last = download.download_id not in movable[:-1]
            row.show_download(download, is_first=is_first, is_last=is_last)
        count = sum(download.state != "ready" for download in shown)
        self._title.setText(
            self.tr("Downloads (%1)").replace("%1", number(count)) if count > 1 else self.tr("Downloads")
        )
        text = queue_words(self._downloads.queue, words)
        if self._words.text() != text:
            self._words.setText(text)
        self.setVisible(bool(shown))

    def _new_row(self, download_id: str) -> DownloadRow:
        download = self._downloads.find(download_id)
        assert download is not None  # noqa: S101 - it is among those shown
        row = DownloadRow(download, self)
        row.steered.connect(self._downloads.steer)
        row.cancel_asked.connect(self._ask_to_cancel)
        row.chat_asked.connect(self.chat_asked)
        row.step_asked.connect(self._take_step)
        return row

    def _take_step(self, download_id: str, step: str) -> None:
        if step == AGAIN:
            self._downloads.resume(download_id)
        elif (download := self._downloads.find(download_id)) is not None:
            self.step_asked.emit(download.repo, step)

    def _ask_to_cancel(self, download_id: str) -> None:
        """What has arrived is not deleted by one press of a key."""
        download = self._downloads.find(download_id)
        if download is None:
            return
        if download.state == "ready" or not download.done_bytes:
            self._downloads.cancel(download_id)
            return
        box = question(self, "trash", self.tr("Give up the download of %1?").replace("%1", name_of(download.repo)))
        arrived = download.size_bytes if download.state == "packing" else download.done_bytes
        text = self.tr("%1 that have arrived are deleted. Pausing keeps them.").replace("%1", size(arrived or 0))
        if download.state == "packing":
            text = self.tr("The files that have arrived are deleted. Pausing keeps them.")
        box.setInformativeText(text)
        give_up = box.addButton(self.tr("Give up"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.finished.connect(lambda: self._downloads.cancel(download_id) if box.clickedButton() is give_up else None)
        box.open()

    def _drop(self, row: DownloadRow) -> None:
        """The focus does not fall out of the list with the row that had it."""
        had_focus = row.hasFocus() or (self.focusWidget() is not None and row.isAncestorOf(self.focusWidget()))
        self._list.removeWidget(row)
        row.hide()
        row.deleteLater()
        if had_focus and self._rows:
            next(iter(self._rows.values())).setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        color = QColor(colors_of(self.palette()).border)
        for row in self.rows[1:]:
            painter.fillRect(QRectF(18, row.y() - 1, self.width() - 36, 1), color)
        painter.end()
