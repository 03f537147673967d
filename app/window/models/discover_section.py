"""Models that could be here: the catalogue's cards with filters, and what a search of the hub found.

Owns the field, the chips and the cards. What is known of models comes from HubControl; what a card leads to is decided
by whoever listens.
"""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.catalog_filter import SIZES, CatalogFilter, origin_of
from app.catalog_words import VERDICT_INKS, entry_facts, hub_facts, licence_words, short_verdict
from app.download_words import ONLINE, amount_words, next_step, next_step_label, state_words
from app.window.icons import FieldIcon
from app.window.labels import MutedLabel
from app.window.model_control import ModelControl
from app.window.models.asking import words
from app.window.models.download_control import DownloadControl
from app.window.models.filter_chips import FilterChips
from app.window.models.hub_card import CardFace, CardGrid
from app.window.models.hub_control import HubControl, Problem, refusal
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace, Notice
from app.window.theme import scaled
from app.window.wording import number
from engine.catalog_reports import CatalogEntry, HubModel
from engine.errors import InvalidRequest


class SearchField(QLineEdit):
    """Escape empties it; the arrow down leads to the cards."""

    left_down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left_down.emit()
        else:
            super().keyPressEvent(event)


class DiscoverSection(QWidget):
    looked = Signal(str, object)
    """Repository, and the HubModel where a search found it."""

    entered = Signal()
    """A repository was typed and is being looked at."""

    step_asked = Signal(str, str)
    """Repository or nothing, and the key of a next step."""

    def __init__(
        self,
        hub: HubControl,
        downloads: DownloadControl,
        network: NetworkControl,
        models: ModelControl,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub, self._downloads, self._network, self._models = hub, downloads, network, models
        self._turning_rows: list[QBoxLayout] = []
        self.field = SearchField(self)
        self.field.setPlaceholderText(self.tr("Search, or paste a model's name or link"))
        self.field.setAccessibleName(self.tr("Search models, or paste a model's name or link"))
        self.field.setToolTip(
            self.tr("Words narrow the catalogue down; Enter searches the hub for them.")
            + "\n"
            + self.tr("owner:NAME and tag:NAME search by organisation and tag.")
            + "\n"
            + self.tr("NAME/MODEL, NAME/MODEL@REVISION or a link opens that model.")
        )
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumSize(QSize(120, 34))
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self.search)
        self.field.left_down.connect(self._to_cards)
        FieldIcon("search", self.field)
        for button in self.field.findChildren(QToolButton):  # Qt's own: the glass and the cross
            button.setAccessibleName(self.tr("Search field"))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button = QPushButton(self.tr("Search the hub"), self)
        self.button.setAccessibleName(self.tr("Search the hub"))
        self.button.clicked.connect(self.search)
        row = self._turning()
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        self.chips = FilterChips(
            self.tr("Filter"),
            (
                ("runs", "here", self.tr("Runs here"), self.tr("Without those that Ember does not run, and those "
                 "whose weights, at 4 bits each, exceed this computer's memory. Each model's page tells exactly.")),
                ("purpose", "chat", self.tr("Chat"), self.tr("Taught to hold a conversation")),
                ("purpose", "base", self.tr("Base"), self.tr("Continue a text; not taught to hold a conversation")),
                ("size", SIZES[0][0], self.tr("Under 2 B"), self.tr("Fewer than 2 billion parameters")),
                ("size", SIZES[1][0], self.tr("2 to 10 B"), self.tr("2 to 10 billion parameters")),
                ("size", SIZES[2][0], self.tr("Over 10 B"), self.tr("10 billion parameters and more")),
            ),
            self,
        )  # fmt: skip
        self.chips.choose("runs", "here", is_on=True)
        self.chips.changed.connect(self.refresh)
        self.offline = Notice(
            self.tr("Ember is offline. The catalogue is on this computer; the hub cannot be searched."),
            "offline", self.tr("Go online"), lambda: self.step_asked.emit("", ONLINE), self,
        )  # fmt: skip
        self._problem = ErrorPlace(self)
        self._found_title, self._found_words = self._heading(self.tr("On the hub"))
        self.clear_button = QPushButton(self.tr("Close the search"), self)
        self.clear_button.setAccessibleName(self.tr("Close the search"))
        self.clear_button.setProperty("kind", "inline")
        self.clear_button.clicked.connect(self._close_search)
        self.found = CardGrid(self.tr("Models on the hub"), self)
        self.found.chosen.connect(self._on_found)
        self._catalog_title, self._catalog_words = self._heading(self.tr("Sparse models Ember knows"))
        self.all_button = QPushButton(self.tr("Show all"), self)
        self.all_button.setAccessibleName(self.tr("Show all models of the catalogue"))
        self.all_button.setProperty("kind", "inline")
        self.all_button.clicked.connect(self._show_all)
        self._catalog_error = ErrorPlace(self)
        self.catalog = CardGrid(self.tr("Models of the catalogue"), self)
        self.catalog.chosen.connect(lambda repo: self.looked.emit(repo, None))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addLayout(row)
        box.addWidget(self.offline)
        box.addWidget(self._problem)
        box.addLayout(self._head_row(self._found_title, self._found_words, self.clear_button))
        box.addWidget(self.found)
        box.addWidget(self.chips)
        box.addLayout(self._head_row(self._catalog_title, self._catalog_words, self.all_button))
        box.addWidget(self._catalog_error)
        box.addWidget(self.catalog)

    # What is typed ------------------------------------------------------------------------------------------------

    def search(self) -> None:
        """Look at the repository in the field, or search the hub for the words."""
        self._problem.show_error(None)
        text = self.field.text()
        if not text.strip():
            self.field.setFocus()
            return
        try:
            self._hub.enter(text)
        except InvalidRequest as error:
            self._problem.show_error(refusal(error))
            return
        if self._hub.looked is not None:
            self.entered.emit()

    def _on_typed(self) -> None:
        if not self.field.text().strip() and self._hub.search is not None:
            self._hub.clear_search()
        self._show_catalog()

    def _close_search(self) -> None:
        self.field.clear()
        self._hub.clear_search()
        self.field.setFocus()

    def _show_all(self) -> None:
        self.field.clear()
        self.chips.clear()

    def _to_cards(self) -> None:
        (self.found if self.found.isVisible() else self.catalog).take_focus()

    def _on_found(self, repo: str) -> None:
        listed = next((model for model in self._hub.found or () if model.repo == repo), None)
        self.looked.emit(repo, listed)

    def take_focus(self, key: str = "") -> None:
        """Back on the card that was left."""
        grid = self.found if any(card.face.key == key for card in self.found.cards) else self.catalog
        if key and any(card.face.key == key for card in grid.cards):
            grid.take_focus(key)
        else:
            self.field.setFocus()

    # What is shown ------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        is_offline = self._network.is_offline
        self.offline.setVisible(is_offline)
        self.offline.button.setVisible(not self._network.is_forced_offline)
        self.button.setEnabled(not is_offline)
        self.button.setToolTip(self.tr("Ember is offline") if is_offline else "")
        self._show_found()
        self._show_catalog()

    def refresh_marks(self) -> None:
        """What downloads change: a word on a card."""
        for card in (*self.catalog.cards, *self.found.cards):
            entry = self._hub.entry_of(card.face.repo)
            mark, ink = self._mark(entry.names if entry is not None else (card.face.repo,))
            if not mark and entry is not None and entry.unsupported:
                continue
            card.show_face(replace(card.face, mark=mark, ink=ink))

    def _show_found(self) -> None:
        hub = self._hub
        is_shown = hub.search is not None
        for widget in (self._found_title, self._found_words, self.clear_button):
            widget.setVisible(is_shown)
        found = hub.found or ()
        self.found.show_faces(tuple(self._found_face(model) for model in found))
        if hub.search_problem is not None:
            self._show_problem(hub.search_problem)
        elif hub.search is not None:
            self._problem.show_error(None)
        if hub.is_searching:
            text = self.tr("Searching…")
        elif hub.search_problem is not None:
            text = ""
        elif not found:
            text = self.tr("Nothing was found. Fewer words, or another spelling, may find more.")
        else:
            text = self.tr("%1 found").replace("%1", number(len(found)))
        self._found_words.setText(text)

    def _show_problem(self, problem: Problem) -> None:
        step = next_step(problem.report)
        label = next_step_label(step, words)
        self._problem.show_error(problem.text, label, lambda: self.step_asked.emit("", step))

    def _show_catalog(self) -> None:
        hub = self._hub
        self._catalog_error.show_error(hub.catalog_error, self.tr("Try again"), hub.need_catalog)
        if hub.catalog is None:
            self._catalog_words.setText("" if hub.catalog_error else self.tr("Reading the catalogue…"))
            self.catalog.show_faces(())
            self.all_button.hide()
            return
        chosen = CatalogFilter(
            self.field.text(),
            self.chips.chosen("purpose"),
            self.chips.chosen("size"),
            runs_here=bool(self.chips.chosen("runs")),
        )
        shown = tuple(e for e in hub.catalog if chosen.shows(e, hub.fit_of(e.names), hub.memory_bytes))
        self.catalog.show_faces(tuple(self._entry_face(entry) for entry in shown))
        text = self.tr("%1 of %2 are shown").replace("%1", number(len(shown))).replace("%2", number(len(hub.catalog)))
        if not shown:
            text = self.tr("None of %1 fits the filters.").replace("%1", number(len(hub.catalog)))
            if self.field.text().strip():
                text += " " + self.tr("Enter searches the hub.")
        self._catalog_words.setText(text if len(shown) < len(hub.catalog) else "")
        self.all_button.setVisible(len(shown) < len(hub.catalog))

    def _entry_face(self, entry: CatalogEntry) -> CardFace:
        mark, ink = self._mark(entry.names)
        if not mark and entry.unsupported:
            mark, ink = self.tr("not supported"), "muted"
        note = words(entry.unsupported or entry.note)
        facts = entry_facts(entry, words)
        return CardFace(
            entry.repo, entry.name, entry.repo, facts, note, mark, ink, entry.is_gated, bool(entry.unsupported)
        )

    def _found_face(self, model: HubModel) -> CardFace:
        entry = self._hub.entry_of(model.repo)
        mark, ink = self._mark(entry.names if entry is not None else (model.repo,))
        note = words(entry.note) if entry is not None else licence_words(model.licence, words) if not model.tags else ""
        note = note or " · ".join(tag for tag in model.tags if ":" not in tag)
        name = model.repo.rpartition("/")[2]
        return CardFace(
            model.repo,
            name,
            model.repo,
            hub_facts(model, words),
            note,
            mark,
            ink,
            bool(model.gated or model.is_private),
        )

    def _mark(self, names: tuple[str, ...]) -> tuple[str, str]:
        """What is most worth knowing of a model: that it is here or on its way, else a verdict that was asked for."""
        download = self._downloads.of(names)
        if download is not None and download.state != "ready":
            return amount_words(download, words) or state_words(download, words), "accent"
        wanted = {name.casefold() for name in names}
        origins = (origin_of(model.source) for model in self._models.models)
        if any(origin is not None and origin.repo.casefold() in wanted for origin in origins):
            return self.tr("on this computer"), "good"
        fit = self._hub.fit_of(names)
        return (short_verdict(fit, words), VERDICT_INKS.get(fit.verdict, "muted")) if fit is not None else ("", "muted")

    def _heading(self, text: str) -> tuple[QLabel, MutedLabel]:
        title = QLabel(text, self)
        title.setFont(scaled(self.font(), 1.08, weight=QFont.Weight.DemiBold))
        title.setWordWrap(True)
        title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        return title, MutedLabel(parent=self, factor=0.92)

    def _head_row(self, title: QLabel, text: QLabel, button: QPushButton) -> QBoxLayout:
        row = self._turning()
        row.addWidget(title)
        row.addWidget(text, 1)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return row

    def _turning(self) -> QBoxLayout:
        """A row whose parts stand below each other where the window is narrow."""
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(10)
        self._turning_rows.append(row)
        return row

    def turn(self, *, is_narrow: bool) -> None:
        """Whether what stands beside a field or a title stands below it: the page knows, which is never too wide."""
        direction = QBoxLayout.Direction
        for row in self._turning_rows:
            row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
            row.setSpacing(6 if is_narrow else 10)
