"""The rows of the list of conversations as a Qt model: drawn, renamed in place, and moved into folders by dragging."""

import json
from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QByteArray, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.window.chats.list_rows import (
    CHAT,
    FOLDER,
    FOLDERS,
    HEADING,
    MONTH,
    OLDER,
    PINNED,
    TEMPORARY,
    TODAY,
    WEEK,
    YESTERDAY,
    Row,
)

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
BUSY_ROLE = Qt.ItemDataRole.UserRole + 2
MIME_TYPE = "application/x-ember-conversations"


class ConversationListModel(QAbstractListModel):
    renamed = Signal(str, str)
    folder_renamed = Signal(str, str)
    moved = Signal(list, object)
    """Ids of conversations, and of the folder they go to; None for none."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._busy: frozenset[str] = frozenset()

    def show(self, rows: Sequence[Row], busy: frozenset[str]) -> None:
        """Rows that are where they were are only drawn again."""
        before = [(row.kind, row.key) for row in self.rows]
        is_same = before == [(row.kind, row.key) for row in rows]
        if is_same:
            self.rows, self._busy = list(rows), busy
            if self.rows:
                self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
            return
        self.beginResetModel()
        self.rows, self._busy = list(rows), busy
        self.endResetModel()

    def place_of(self, key: str) -> QModelIndex:
        """Where a conversation or folder is; an index of nothing where it is not."""
        at = next((number for number, row in enumerate(self.rows) if row.key == key), None)
        return self.index(at) if at is not None else QModelIndex()

    def row_of(self, index: Index) -> Row | None:
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    # What Qt asks -------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_of(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == BUSY_ROLE:
            return row.key in self._busy
        if role == Qt.ItemDataRole.AccessibleTextRole and row.is_protected:
            return self.tr("%1, write-protected").replace("%1", self.words(row))
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.words(row)
        if role == Qt.ItemDataRole.EditRole:
            return row.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_of(index)
        if row is None or role != Qt.ItemDataRole.EditRole or not str(value).strip() or str(value) == row.text:
            return False
        (self.folder_renamed if row.kind == FOLDER else self.renamed).emit(row.key, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        row, flag = self.row_of(index), Qt.ItemFlag
        if row is None:
            return flag.NoItemFlags
        if row.kind == HEADING:
            return flag.ItemIsDropEnabled
        usual = flag.ItemIsEnabled | flag.ItemIsSelectable
        if row.is_protected:
            return usual
        usual |= flag.ItemIsEditable
        return usual | (flag.ItemIsDropEnabled if row.kind == FOLDER else flag.ItemIsDragEnabled)

    def mimeTypes(self) -> list[str]:
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        found = [row for index in indexes if (row := self.row_of(index)) is not None]
        dragged = [row.key for row in found if row.kind == CHAT]
        data = QMimeData()
        data.setData(MIME_TYPE, QByteArray(json.dumps(dragged).encode()))
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction  # a move would have the view remove the row, which the change of folder does

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        return data.hasFormat(MIME_TYPE) and self._target(row, parent) is not None

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        target = self._target(row, parent)
        if target is None or not data.hasFormat(MIME_TYPE):
            return False
        dragged = json.loads(bytes(data.data(MIME_TYPE).data()))
        self.moved.emit(dragged, target.key if target.kind == FOLDER else None)
        return True

    def _target(self, row: int, parent: Index) -> Row | None:
        """The folder, or the heading by age, that something is dropped on."""
        over = self.row_of(parent)
        if over is None or over.kind == CHAT or over.key in (TEMPORARY, PINNED, FOLDERS):
            return None
        return over

    # Words --------------------------------------------------------------------------------------------------------

    def words(self, row: Row) -> str:
        if row.kind != HEADING:
            return row.text or self.tr("Untitled")
        return {
            TEMPORARY: self.tr("Temporary, not saved"),
            PINNED: self.tr("Pinned"),
            FOLDERS: self.tr("Folders"),
            TODAY: self.tr("Today"),
            YESTERDAY: self.tr("Yesterday"),
            WEEK: self.tr("Last 7 days"),
            MONTH: self.tr("Last 30 days"),
            OLDER: self.tr("Older"),
        }[row.key]

    def _tip(self, row: Row) -> str:
        if row.kind == HEADING:
            return ""
        lines = [row.text]
        if row.is_protected:
            lines.append(self.tr("Its file is write-protected: nothing new in it is saved."))
        if row.summary is not None and row.summary.is_cut:
            lines.append(self.tr("An answer in it was cut off and can be continued."))
        if row.summary is not None and row.summary.is_unread:
            lines.append(self.tr("It was answered while you looked elsewhere."))
        return "\n".join(lines)
