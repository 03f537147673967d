"""The conversations there are, as lists show them: order, pins, folders, titles and the trash.

Owns the summaries in memory, so that one change costs one row and not a list of thousands. Knows no widget, and nothing
of messages.
"""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.chat.chats import Chats
from app.chat.records import AnswerRunning, ConversationSummary, Folder
from app.window.chats.store_access import StoreAccess

_CLOSED = "closed_folders"


class ConversationShelf(QObject):
    changed = Signal()
    """Conversations, their order, titles or folders are others than before."""

    trash_changed = Signal()

    def __init__(self, chats: Chats, access: StoreAccess, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats = chats
        self._access = access
        self._summaries: dict[str, ConversationSummary] = {}
        self._sorted: list[ConversationSummary] | None = None
        self.folders: list[Folder] = []
        closed = access.ask(lambda: chats.note(_CLOSED), is_read=True)
        self._closed = set((closed or "").split())
        self.read_again()

    # What there is ------------------------------------------------------------------------------------------------

    def summaries(self) -> list[ConversationSummary]:
        """All that are not in the trash, pinned ones first, then latest first."""
        if self._sorted is None:
            self._sorted = sorted(self._summaries.values(), key=lambda s: (not s.is_pinned, -s.updated, s.id))
        return self._sorted

    def find(self, conversation_id: str) -> ConversationSummary | None:
        return self._summaries.get(conversation_id)

    @property
    def open_folders(self) -> frozenset[str]:
        return frozenset(folder.id for folder in self.folders if folder.id not in self._closed)

    def trash(self) -> list[ConversationSummary]:
        """Those in the trash, thrown away last first."""
        return self._access.ask(self._chats.trash, is_read=True) or []

    def read_again(self) -> None:
        """From the store, after something else than this object has changed it."""
        found = self._access.ask(self._chats.conversations, is_read=True)
        if found is not None:
            self._summaries = {summary.id: summary for summary in found}
        self._sort_folders(self._access.ask(self._chats.folders, is_read=True) or [])

    def refresh(self, conversation_id: str) -> None:
        """One conversation was written to."""
        summary = self._access.ask(lambda: self._chats.summary(conversation_id), is_read=True)
        if summary is None or summary.trashed is not None:
            self._summaries.pop(conversation_id, None)
        else:
            self._summaries[conversation_id] = summary
        self._tell()

    # What is asked ------------------------------------------------------------------------------------------------

    def rename(self, conversation_id: str, title: str) -> None:
        title = " ".join(title.split())
        if title and self._access.do(lambda: self._chats.rename(conversation_id, title)):
            self.refresh(conversation_id)

    def pin(self, conversation_id: str, *, is_pinned: bool) -> None:
        if self._access.do(lambda: self._chats.pin(conversation_id, is_pinned=is_pinned)):
            self.refresh(conversation_id)

    def throw_away(self, conversation_id: str) -> bool:
        if not self._access.do(lambda: self._chats.throw_away(conversation_id)):
            return False
        self._summaries.pop(conversation_id, None)
        self._tell()
        self.trash_changed.emit()
        return True

    def bring_back(self, conversation_id: str) -> bool:
        if not self._access.do(lambda: self._chats.bring_back(conversation_id)):
            return False
        self.refresh(conversation_id)
        self.trash_changed.emit()
        return True

    def erase(self, conversation_ids: list[str]) -> int:
        """Out of the trash, for good; how many had to stay since an answer in them has not ended yet."""
        n_kept = 0
        for conversation_id in conversation_ids:
            try:
                if not self._access.do(lambda i=conversation_id: self._chats.erase(i)):  # type: ignore[misc]
                    break
            except AnswerRunning:
                n_kept += 1
        self.trash_changed.emit()
        return n_kept

    # Folders ------------------------------------------------------------------------------------------------------

    def add_folder(self, name: str) -> Folder | None:
        name = " ".join(name.split())
        folder = self._access.ask(lambda: self._chats.add_folder(name)) if name else None
        if folder is not None:
            self._sort_folders([*self.folders, folder])
        return folder

    def rename_folder(self, folder_id: str, name: str) -> None:
        name = " ".join(name.split())
        if name and self._access.do(lambda: self._chats.rename_folder(folder_id, name)):
            self._sort_folders([replace(f, name=name) if f.id == folder_id else f for f in self.folders])

    def delete_folder(self, folder_id: str) -> list[str]:
        """The folder goes, what was in it stays; the conversations that were in it."""
        inside = [s.id for s in self._summaries.values() if s.folder_id == folder_id]
        if not self._access.do(lambda: self._chats.delete_folder(folder_id)):
            return []
        for conversation_id in inside:
            self._summaries[conversation_id] = replace(self._summaries[conversation_id], folder_id=None)
        self._sort_folders([f for f in self.folders if f.id != folder_id])
        return inside

    def toggle_folder(self, folder_id: str) -> None:
        """Fold a folder up, or open it; kept until the next time."""
        self._closed ^= {folder_id}
        kept = " ".join(sorted(self._closed & {folder.id for folder in self.folders}))
        self._access.do(lambda: self._chats.set_note(_CLOSED, kept))
        self._tell()

    def move(self, conversation_ids: list[str], folder_id: str | None) -> None:
        for conversation_id in conversation_ids:
            if not self._access.do(lambda i=conversation_id: self._chats.move(i, folder_id)):  # type: ignore[misc]
                break
            if conversation_id in self._summaries:
                self._summaries[conversation_id] = replace(self._summaries[conversation_id], folder_id=folder_id)
        self._tell()

    def _sort_folders(self, folders: list[Folder]) -> None:
        self.folders = sorted(folders, key=lambda folder: (folder.name.casefold(), folder.id))
        self._tell()

    def _tell(self) -> None:
        self._sorted = None
        self.changed.emit()
