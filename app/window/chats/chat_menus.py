"""The menus of the list of conversations: for one or several of them, for a folder, and for all.

Owns the words and their order; what is chosen goes to the desk, by name.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.chat.records import Folder
from app.window.chats.list_rows import Row
from app.window.wording import number

Run = Callable[[], object]


class MenuBuilder:
    """A menu that deletes itself once it is closed."""

    def __init__(self, parent: QWidget) -> None:
        self.menu = QMenu(parent)
        self.menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def add(self, text: str, run: Run, *, keys: str = "", is_enabled: bool = True) -> "MenuBuilder":
        action = QAction(f"{text}\t{keys}" if keys else text, self.menu)
        action.triggered.connect(lambda: run())
        action.setEnabled(is_enabled)
        self.menu.addAction(action)
        return self

    def line(self) -> "MenuBuilder":
        self.menu.addSeparator()
        return self

    def popup(self, position: QPoint) -> None:
        self.menu.popup(position)


def add_move_menu(
    builder: MenuBuilder, rows: Sequence[Row], folders: Sequence[Folder], move: Callable[[str | None], object], new: Run
) -> None:
    """A further menu with the folders there are."""
    menu = QMenu(_tr("Move to"), builder.menu)
    inside = {row.summary.folder_id for row in rows if row.summary is not None}
    places: list[tuple[str | None, str]] = [(None, _tr("No folder"))]
    places += [(folder.id, folder.name) for folder in folders]
    for folder_id, name in places:
        action = QAction(name.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(inside == {folder_id})
        action.triggered.connect(lambda _=False, i=folder_id: move(i))
        menu.addAction(action)
    menu.addSeparator()
    action = QAction(_tr("New folder…"), menu)
    action.triggered.connect(lambda: new())
    menu.addAction(action)
    builder.menu.addMenu(menu)


def counted(one: str, several: str, count: int) -> str:
    """Words for one conversation, or for a number of them, which stands for %1."""
    return one if count == 1 else several.replace("%1", number(count))


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChatMenus", text)
