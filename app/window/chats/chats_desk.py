"""Where what a person does with conversations meets what that means: list, menus, search, trash, import and export.

Connects the pane in the sidebar with ChatControl, its shelf, its search and its exchange, asks what has to be asked,
and says what has happened, with a way back. Decides nothing about answers.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from app.chat.exchange import ExportChoice
from app.chat.exchange_words import describe_import
from app.chat.records import ASSISTANT, USER, StoredConversation
from app.chat.search import SearchHit
from app.chat.versions import DeletedVersion
from app.error_text import ErrorText
from app.language import in_a_row
from app.window.chat_control import ChatControl
from app.window.chats.chat_menus import MenuBuilder, add_move_menu, counted
from app.window.chats.chats_pane import ChatsPane
from app.window.chats.closing_question import ClosingQuestion
from app.window.chats.exchange_control import Exported, Imported
from app.window.chats.export_dialog import ExportDialog, ask_for_import_folder, ask_for_imports
from app.window.chats.list_rows import CHAT, FOLDER, Row, rows_of
from app.window.chats.trash_dialog import TrashDialog
from app.window.toast import Toast
from app.window.wording import number, translate

MAX_NAME = 100


class ChatsDesk(QObject):
    chat_opened = Signal()
    """A conversation was opened, or a new one begun: its page is wanted."""

    def __init__(self, chat: ChatControl, pane: ChatsPane, toast: Toast, window: QWidget) -> None:
        super().__init__(window)
        self._chat = chat
        self._shelf = chat.shelf
        self._pane = pane
        self._toast = toast
        self._window = window
        self._trash: TrashDialog | None = None
        self.closing = ClosingQuestion(chat, window)
        chats = pane.list
        chats.opened.connect(self.open)
        chats.folder_toggled.connect(self._shelf.toggle_folder)
        chats.menu_asked.connect(self._show_menu)
        chats.rows.renamed.connect(chat.rename)
        chats.rows.folder_renamed.connect(self._shelf.rename_folder)
        chats.rows.moved.connect(self._move)
        pane.more_asked.connect(self._show_more)
        pane.query_changed.connect(chat.search.look_for)
        pane.more_hits_wanted.connect(chat.search.look_further)
        pane.hit_opened.connect(self._open_hit)
        pane.files_dropped.connect(self.import_files)
        chat.search.changed.connect(self._show_hits)
        chat.exchange.imported.connect(self._on_imported)
        chat.exchange.exported.connect(self._on_exported)
        chat.exchange.failed.connect(self._on_failed)
        chat.exchange.changed.connect(self._show_progress)
        self._refreshing = QTimer(self)
        self._refreshing.setSingleShot(True)
        self._refreshing.setInterval(0)
        self._refreshing.timeout.connect(self.refresh)
        chat.list_changed.connect(self._refreshing.start)
        chat.path_changed.connect(self._refreshing.start)
        chat.branches.deleted.connect(self._on_version_deleted)
        chat.access.missed.connect(self._on_missed)
        self._shelf.trash_changed.connect(self._show_trashed)
        self.refresh()

    def refresh(self) -> None:
        """Show the conversations as they are now; of several changes at once, once."""
        chat = self._chat
        rows = rows_of(
            chat.conversations(),
            self._shelf.folders,
            chat.temporary.summaries(),
            self._shelf.open_folders,
            protected=chat.protected,
        )
        self._pane.show_rows(rows, chat.conversation_id or "", frozenset(chat.busy_ids()))

    # Conversations ------------------------------------------------------------------------------------------------

    def open(self, conversation_id: str) -> None:
        self._chat.open(conversation_id)
        self.chat_opened.emit()

    def step(self, step: int) -> None:
        """Open the conversation below or above in the list; from none, the first or the last."""
        ids = [row.key for row in self._pane.list.rows.rows if row.kind == CHAT]
        if not ids:
            return
        current = self._chat.conversation_id
        at = ids.index(current) + step if current in ids else (0 if step > 0 else len(ids) - 1)
        self.open(ids[max(0, min(len(ids) - 1, at))])

    def new_temporary(self) -> None:
        self._chat.new(is_temporary=True)
        self.chat_opened.emit()

    def delete(self, conversation_ids: Sequence[str]) -> None:
        """Into the trash, with a way back."""
        gone = [each for each in conversation_ids if each not in self._chat.protected]
        if not gone:
            self._toast.show_text(self.tr("This conversation is in a write-protected file, and stays there."))
            return
        for conversation_id in gone:
            self._chat.delete(conversation_id)
        words = counted(self.tr("Conversation deleted"), self.tr("%1 conversations deleted"), len(gone))
        self._toast.show_text(words, self.tr("Undo"), lambda: self._bring_back(gone))

    def delete_current(self) -> None:
        """What is selected where the keyboard is in the list, else the conversation that is open."""
        chosen = [row.key for row in self._pane.list.selected_rows() if row.kind == CHAT]
        if chosen and self._pane.list.hasFocus():
            self.delete(chosen)
        elif self._chat.conversation is not None:
            self.delete([self._chat.conversation.id])

    def _bring_back(self, conversation_ids: Sequence[str]) -> None:
        for conversation_id in reversed(conversation_ids):
            self._chat.undelete(conversation_id)

    def _move(self, conversation_ids: list[str], folder_id: str | None) -> None:
        for conversation_id in conversation_ids:
            summary = self._shelf.find(conversation_id)
            if summary is not None and summary.is_pinned and folder_id is not None:
                self._shelf.pin(conversation_id, is_pinned=False)  # else it would stay where it is to look at
        self._shelf.move([each for each in conversation_ids if self._shelf.find(each) is not None], folder_id)

    def _on_version_deleted(self, deleted: DeletedVersion) -> None:
        n_below = len(deleted.rows) - 1
        words = self.tr("Version deleted")
        if n_below:
            words = counted(
                self.tr("Version deleted, with the message that followed it"),
                self.tr("Version deleted, with %1 messages that followed it"),
                n_below,
            )
        self._toast.show_text(words, self.tr("Undo"), lambda: self._chat.branches.restore(deleted))

    def _on_missed(self) -> None:
        self._toast.show_text(self.tr("This conversation is no longer there."))

    # Menus --------------------------------------------------------------------------------------------------------

    def _show_menu(self, rows: list[Row], position: QPoint) -> None:
        if not rows:
            self._show_more(position)
        elif rows[0].kind == FOLDER:
            self._folder_menu(rows[0]).popup(position)
        else:
            self._chat_menu(rows).popup(position)

    def _chat_menu(self, rows: list[Row]) -> MenuBuilder:
        ids = [row.key for row in rows]
        kept = [row for row in rows if self._shelf.find(row.key) is not None and not row.is_protected]
        is_protected = any(row.is_protected for row in rows)
        menu = MenuBuilder(self._pane)
        if len(rows) == 1 and not is_protected:
            menu.add(self.tr("Rename"), lambda: self._pane.list.rename(ids[0]), keys="F2")
        if len(kept) == len(rows):
            is_pinned = all(row.summary is not None and row.summary.is_pinned for row in rows)
            menu.add(self.tr("Unpin") if is_pinned else self.tr("Pin"), lambda: self._pin(ids, is_pinned=not is_pinned))
            add_move_menu(
                menu, rows, self._shelf.folders, lambda to: self._move(ids, to), lambda: self._ask_for_folder(ids)
            )
        menu.add(self.tr("Export…"), lambda: self.export(ids))
        menu.line()
        keys = "Ctrl+Shift+Backspace" if len(rows) == 1 else ""
        menu.add(self.tr("Delete"), lambda: self.delete(ids), keys=keys, is_enabled=not is_protected)
        return menu

    def _folder_menu(self, row: Row) -> MenuBuilder:
        inside = [s.id for s in self._chat.conversations() if s.folder_id == row.key]
        menu = MenuBuilder(self._pane)
        is_free = not row.is_protected
        menu.add(self.tr("Rename"), lambda: self._pane.list.rename(row.key), keys="F2", is_enabled=is_free)
        menu.add(self.tr("Export…"), lambda: self.export(inside), is_enabled=bool(inside))
        menu.line()
        menu.add(self.tr("Delete folder"), lambda: self._delete_folder(row), is_enabled=is_free)
        return menu

    def _show_more(self, position: QPoint) -> None:
        everything = [summary.id for summary in self._chat.conversations()]
        menu = MenuBuilder(self._pane)
        menu.add(self.tr("New folder…"), self._ask_for_folder)
        menu.line()
        menu.add(self.tr("Import conversations…"), self.ask_for_imports)
        menu.add(self.tr("Import Jan’s folder…"), lambda: ask_for_import_folder(self._window, self.import_files))
        menu.add(self.tr("Export all…"), lambda: self.export(everything), is_enabled=bool(everything))
        menu.line()
        menu.add(self.tr("Trash…"), self.show_trash)
        menu.popup(position)

    def _pin(self, conversation_ids: list[str], *, is_pinned: bool) -> None:
        for conversation_id in conversation_ids:
            self._shelf.pin(conversation_id, is_pinned=is_pinned)

    # Folders ------------------------------------------------------------------------------------------------------

    def _ask_for_folder(self, conversation_ids: Sequence[str] = ()) -> None:
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(self.tr("New folder"))
        dialog.setLabelText(self.tr("Name of the folder"))
        dialog.setOkButtonText(self.tr("Create"))
        dialog.setCancelButtonText(self.tr("Cancel"))
        for field in dialog.findChildren(QLineEdit):
            field.setMaxLength(MAX_NAME)
            field.setAccessibleName(self.tr("Name of the folder"))
        dialog.textValueSelected.connect(lambda name: self._add_folder(name, list(conversation_ids)))
        dialog.open()

    def _add_folder(self, name: str, conversation_ids: list[str]) -> None:
        folder = self._shelf.add_folder(name)
        if folder is not None and conversation_ids:
            self._move(conversation_ids, folder.id)

    def _delete_folder(self, row: Row) -> None:
        inside = self._shelf.delete_folder(row.key)
        words = self.tr("Folder deleted")
        if inside:
            one = self.tr("Folder deleted; the conversation in it is kept")
            words = counted(one, self.tr("Folder deleted; the %1 conversations in it are kept"), len(inside))
        self._toast.show_text(words, self.tr("Undo"), lambda: self._add_folder(row.text, inside))

    # Search -------------------------------------------------------------------------------------------------------

    def search(self) -> None:
        self._pane.search()

    def _show_hits(self) -> None:
        found = self._chat.search
        problem = in_a_row(found.error.cause, found.error.action) if found.error is not None else ""
        self._pane.show_hits(found.query, found.hits, is_running=found.is_running, problem=problem)

    def _open_hit(self, hit: SearchHit) -> None:
        self._chat.open(hit.conversation_id, hit.message_id)
        self.chat_opened.emit()

    # Trash --------------------------------------------------------------------------------------------------------

    def show_trash(self) -> None:
        dialog = self._trash = TrashDialog(self._window)
        dialog.restore_asked.connect(self._restore)
        dialog.erase_asked.connect(self._erase)
        dialog.destroyed.connect(self._forget_trash)
        self._show_trashed()
        dialog.open()

    def _forget_trash(self) -> None:
        self._trash = None

    def _show_trashed(self) -> None:
        if self._trash is not None:
            self._trash.show_conversations(self._shelf.trash())

    def _restore(self, conversation_ids: list[str]) -> None:
        for conversation_id in conversation_ids:
            self._shelf.bring_back(conversation_id)
        one, several = self.tr("Conversation restored"), self.tr("%1 conversations restored")
        self._toast.show_text(counted(one, several, len(conversation_ids)))

    def _erase(self, conversation_ids: list[str]) -> None:
        n_kept = self._chat.erase(conversation_ids)
        if n_kept:
            self._toast.show_text(self.tr("A conversation is still being answered. Delete it once that has ended."))

    # Export and import --------------------------------------------------------------------------------------------

    def export(self, conversation_ids: Sequence[str]) -> None:
        """Ask for the kind and the place, then write."""
        found: list[StoredConversation | str] = []
        titles: list[str] = []
        for conversation_id in conversation_ids:
            temporary = self._chat.temporary.find(conversation_id)
            summary = self._shelf.find(conversation_id)
            if temporary is not None:
                found.append(temporary.chats.load(conversation_id))
                titles.append(temporary.title)
            elif summary is not None:
                found.append(conversation_id)
                titles.append(summary.title)
        if not found:
            return

        def save(kind: str, path: Path) -> None:
            names = {USER: self.tr("You"), ASSISTANT: self.tr("Answer")}
            self._chat.exchange.export(found, ExportChoice(kind, names, QLocale().bcp47Name()), path)

        ExportDialog(self._window, titles, save).open()

    def export_current(self) -> None:
        if self._chat.conversation is not None:
            self.export([self._chat.conversation.id])

    def ask_for_imports(self) -> None:
        ask_for_imports(self._window, self.import_files)

    def import_files(self, paths: Sequence[Path]) -> None:
        self._chat.exchange.import_files(paths)

    def _show_progress(self) -> None:
        """Said once it takes longer than a glance; every further word keeps it there."""
        exchange = self._chat.exchange
        if exchange.progress is None:
            return
        done, total = exchange.progress
        if total > _SEVERAL:
            words = self.tr("%1 of %2 conversations…").replace("%1", number(done)).replace("%2", number(total))
            self._toast.show_text(words, self.tr("Stop"), exchange.cancel)

    def _on_exported(self, exported: Exported) -> None:
        words = self.tr("Saved as %1").replace("%1", exported.path.name)
        self._toast.show_text(words)

    def _on_imported(self, imported: Imported) -> None:
        self._shelf.read_again()
        self._shelf.trash_changed.emit()
        words = describe_import(imported.report, translate)
        new_ids = list(imported.report.new_ids)
        if new_ids:
            self._toast.show_text(words, self.tr("Undo"), lambda: self._take_out(new_ids))
        else:
            self._toast.show_text(words)

    def _take_out(self, conversation_ids: list[str]) -> None:
        """What was just imported goes into the trash."""
        for conversation_id in conversation_ids:
            self._chat.delete(conversation_id)

    def _on_failed(self, text: ErrorText) -> None:
        self._toast.show_text(in_a_row(text.cause, text.action))


_SEVERAL = 50
"""So many conversations are more than can be done at a glance."""
