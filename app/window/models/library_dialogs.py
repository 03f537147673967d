"""Windows about the library: a model's card and licence, the trash, models of other programs.

Each shows what LibraryControl knows and follows it while open. Cards are Markdown: HTML in them is text or left out,
pictures are not fetched, and where a link leads is asked about by whoever listens.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.catalog_words import licence_words, plain_card
from app.chat.markdown import Block, Shown, Span, parse_shown
from app.download_words import days_words
from app.window.dialogs import question
from app.window.labels import MutedLabel
from app.window.model_card import ProgressLine
from app.window.models.asking import words
from app.window.models.library_control import Carried, LibraryControl
from app.window.models.problem_card import ErrorPlace
from app.window.theme import scaled
from app.window.transcript.plain_view import PlainText
from app.window.transcript.segments import SegmentsView
from app.window.wording import breakable, created_words, size
from engine.transfer_reports import AdoptableModel, ModelCard, TrashedModel


class MarkdownArea(QScrollArea):
    """A text to read, as wide as there is room."""

    link_activated = Signal(str)

    def __init__(self, name: str, items: list[Shown], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName(name)
        self._text = SegmentsView()
        self._text.show_items(items)
        self._text.link_activated.connect(self.link_activated)
        self.setWidget(self._text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = max(120, self.viewport().width() - 14)
        self._text.resize(width, self._text.fit(width) + 12)


class CardDialog(QDialog):
    """What the publisher says of a model, and its licence, as they were when it was fetched."""

    link_activated = Signal(str)

    def __init__(self, card: ModelCard, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Card of %1").replace("%1", name))
        self.resize(720, 620)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Card and licence"))
        shown = plain_card(card.card)
        missing = self.tr("The publisher wrote no card, or it was not fetched.")
        self._add(self.tr("Card"), parse_shown(shown) if shown else [Block((Span(missing),))])
        licence = card.licence_text.strip()
        told = self.tr("The licence is stated as %1; its text was not among the files.")
        if licence:
            text = PlainText(self.tr("Licence"), self)
            text.setPlainText(licence)
            self.tabs.addTab(text, self.tr("Licence"))
        else:
            self._add(self.tr("Licence"), [Block((Span(told.replace("%1", licence_words(card.licence, words))),))])
        at = self.tr("%1, commit %2, fetched %3. Pictures are not loaded; links ask before they open.")
        facts = at.replace("%1", card.repo).replace("%2", card.commit[:7]).replace("%3", created_words(card.fetched_at))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 12)
        box.setSpacing(10)
        box.addWidget(MutedLabel(breakable(facts), self))
        box.addWidget(self.tabs, 1)
        box.addWidget(buttons)

    def _add(self, title: str, items: list[Shown]) -> None:
        area = MarkdownArea(title, items, self)
        area.link_activated.connect(self.link_activated)
        self.tabs.addTab(area, title)


class ListDialog(QDialog):
    """A list of rows below a line of words, that follows the library."""

    def __init__(self, title: str, library: LibraryControl, parent: QWidget) -> None:
        super().__init__(parent)
        self._library = library
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(620, 440)
        self.words = MutedLabel(parent=self)
        self._rows = QWidget()
        self._list = QVBoxLayout(self._rows)
        self._list.setContentsMargins(0, 0, 8, 0)
        self._list.setSpacing(14)
        self._list.addStretch(1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(title)
        area.setWidget(self._rows)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.rejected.connect(self.close)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 12)
        box.setSpacing(12)
        box.addWidget(self.words)
        box.addWidget(area, 1)
        box.addWidget(self.buttons)
        library.changed.connect(self.refresh)
        self.finished.connect(lambda: library.changed.disconnect(self.refresh))

    def refresh(self) -> None:
        raise NotImplementedError

    def show_rows(self, rows: list["EntryRow"]) -> None:
        """In place of those before."""
        while self._list.count() > 1:
            item = self._list.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for position, row in enumerate(rows):
            self._list.insertWidget(position, row)


class EntryRow(QWidget):
    """A name, a line about it, and buttons."""

    def __init__(self, name: str, facts: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(breakable(name), self)
        self._title.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._title.setWordWrap(True)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._facts = MutedLabel(breakable(facts), self, factor=0.93)
        lines = QVBoxLayout()
        lines.setSpacing(2)
        lines.addWidget(self._title)
        lines.addWidget(self._facts)
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self._row.addLayout(lines, 1)
        self.below = QVBoxLayout()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(7)
        box.addLayout(self._row)
        box.addLayout(self.below)
        self.setAccessibleName(f"{name}. {facts}")

    def add_button(self, text: str, spoken: str, kind: str = "plain") -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(spoken)
        button.setProperty("kind", kind)
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        return button


class TrashDialog(ListDialog):
    def __init__(self, library: LibraryControl, parent: QWidget) -> None:
        super().__init__(self.tr("Trash"), library, parent)
        self._shown: tuple[TrashedModel, ...] | None = None
        role = QDialogButtonBox.ButtonRole
        self.empty_button = self.buttons.addButton(self.tr("Empty the trash…"), role.DestructiveRole)
        self.empty_button.setAccessibleName(self.tr("Empty the trash"))
        self.empty_button.clicked.connect(lambda: self._ask("", "", sum(m.size_bytes for m in library.trash)))
        library.read_trash()
        self.refresh()

    def refresh(self) -> None:
        trash = self._library.trash
        if trash == self._shown:
            return
        self._shown = trash
        text = self.tr("Models stay here for 30 days. The drive has their room again once they are deleted for good.")
        self.words.setText(text if trash else self.tr("The trash is empty."))
        self.empty_button.setEnabled(bool(trash))
        self.show_rows([self._row_of(model) for model in trash])

    def _row_of(self, model: TrashedModel) -> EntryRow:
        row = EntryRow(model.model_id, f"{size(model.size_bytes)} · {days_words(model.days_left, words)}", self)
        back = row.add_button(self.tr("Put back"), self.tr("Put %1 back").replace("%1", model.model_id))
        back.clicked.connect(lambda: self._library.restore(model.trash_id))
        spoken = self.tr("Delete %1 for good").replace("%1", model.model_id)
        delete = row.add_button(self.tr("Delete…"), spoken, "quiet")
        delete.clicked.connect(lambda: self._ask(model.trash_id, model.model_id, model.size_bytes))
        return row

    def _ask(self, trash_id: str, name: str, n_bytes: int) -> None:
        text = self.tr("Delete %1 for good?").replace("%1", name) if name else self.tr("Empty the trash?")
        box = question(self, "trash", text)
        box.setInformativeText(self.tr("%1 are freed. This cannot be undone.").replace("%1", size(n_bytes)))
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.finished.connect(lambda: self._library.empty(trash_id) if box.clickedButton() is delete else None)
        box.open()


class AdoptDialog(ListDialog):
    """Models that another program has fetched, to be taken over without fetching them again."""

    def __init__(self, library: LibraryControl, folders: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(self.tr("Models of other programs"), library, parent)
        self._folders = folders
        self._shown: object = None
        self._lines: dict[str, ProgressLine] = {}
        if folders:
            library.find_adoptable(folders)
        self.refresh()

    def refresh(self) -> None:
        library = self._library
        if library.is_finding:
            self.words.setText(self.tr("Looking for models…"))
        elif not library.adoptable:
            self.words.setText(self.tr("No other program has models here that Ember could take over."))
        else:
            text = self.tr("They stay where they are. On the same drive they take no further room.")
            self.words.setText(text)
        found = library.adoptable or () if self._folders and not library.is_finding else ()
        key = (found, tuple((path, one.error) for path, one in library.adopting.items()))
        if key != self._shown:
            self._shown = key
            self._lines = {}
            self.show_rows([self._row_of(model) for model in found])
        for path, line in self._lines.items():
            carried = library.adopting.get(path)
            if carried is not None:
                line.show_share(self._progress_words(carried), carried.share)

    def _row_of(self, model: AdoptableModel) -> EntryRow:
        room = self.tr("takes no further room") if model.links else self.tr("is copied from another drive")
        row = EntryRow(model.repo, f"{size(model.size_bytes)} · {room} · {model.commit[:7]}", self)
        carried = self._library.adopting.get(model.path)
        if carried is None or carried.error is not None:
            button = row.add_button(self.tr("Take over"), self.tr("Take %1 over").replace("%1", model.repo))
            button.clicked.connect(lambda: self._library.adopt(model))
        if carried is not None and carried.error is not None:
            place = ErrorPlace(row)
            place.show_error(carried.error)
            row.below.addWidget(place)
        elif carried is not None:
            line = self._lines[model.path] = ProgressLine(row)
            line.cancelled.connect(lambda: self._library.cancel_adoption(model.path))
            row.below.addWidget(line)
        return row

    def _progress_words(self, carried: Carried) -> str:
        if not carried.size_bytes:
            return self.tr("Waiting for its turn…")
        return self.tr("Checking and taking over: %1 %").replace("%1", str(round(100 * (carried.share or 0))))
