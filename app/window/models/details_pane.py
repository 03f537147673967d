"""One model before it is downloaded: what it is, how access is got, whether it fits, what would be fetched.

Owns the arrangement of its cards and what their buttons ask of the controls; everything shown is theirs. Where links
lead is asked about by whoever listens.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.catalog_filter import origin_of
from app.catalog_words import CATALOGUE_SAYS, language_words, licence_words
from app.download_words import AGAIN, ONLINE, line_words, next_step, next_step_label
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.model_control import ModelControl
from app.window.models.asking import words
from app.window.models.download_control import DownloadControl
from app.window.models.files_card import FilesCard
from app.window.models.fit_card import FitCard
from app.window.models.gate_card import GateCard
from app.window.models.hub_control import HubControl, Looked
from app.window.models.library_control import LibraryControl
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace, Notice
from app.window.theme import scaled
from app.window.wording import breakable, number
from engine.messages import ModelInfo


class DetailsPane(QWidget):
    back_clicked = Signal()
    link_asked = Signal(str)
    step_asked = Signal(str, str)
    """Repository, and the key of a next step that is not this pane's own."""

    chat_asked = Signal(str)
    """Id of a model that is here already."""

    def __init__(
        self,
        hub: HubControl,
        downloads: DownloadControl,
        library: LibraryControl,
        network: NetworkControl,
        models: ModelControl,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub, self._downloads, self._library, self._network = hub, downloads, library, network
        self._models = models
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Details of a model"))
        self.back_button = IconButton("back", self.tr("Back to all models"), self, size=20)
        self.back_button.name_it(self.tr("Back to all models"), self.tr("Escape"))
        self.back_button.clicked.connect(self.back_clicked)
        self.name = QLabel(self)
        self.name.setFont(scaled(self.font(), 1.45, weight=QFont.Weight.DemiBold))
        self._repo = MutedLabel(parent=self)
        self._repo.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note = QLabel(self)
        for label in (self.name, self._note):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.facts = MutedLabel(parent=self)
        self.offline = Notice(
            self.tr("Ember is offline: the hub is not asked, and nothing can be downloaded."), "offline",
            self.tr("Go online"), lambda: self.step_asked.emit("", ONLINE), self,
        )  # fmt: skip
        self.problem = ErrorPlace(self)
        self.gate = GateCard(network, self)
        self.gate.terms_clicked.connect(self._open_terms)
        self.fit = FitCard(self)
        self.fit.judge_asked.connect(hub.judge)
        self.fit.download_clicked.connect(self._download)
        self.fit.chat_clicked.connect(self._chat)
        self.fit.step_asked.connect(self._take)
        self.files = FilesCard(self)
        self.files.page_clicked.connect(self._open_page)
        title = QVBoxLayout()
        title.setSpacing(2)
        title.addWidget(self.name)
        title.addWidget(self._repo)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(title, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addLayout(head)
        for widget in (self._note, self.facts, self.offline, self.problem, self.gate, self.fit, self.files):
            box.addWidget(widget)

    # What is shown ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Another model: nothing of the one before is left."""
        self.fit.begin()
        self.files.begin()
        self.gate.token.clear()
        self.refresh()

    def refresh(self) -> None:
        looked = self._hub.looked
        if looked is None:
            return
        entry = looked.known
        name = entry.name if entry is not None else looked.repo.rpartition("/")[2] or looked.repo
        self.name.setText(breakable(name))
        at = f" @ {looked.revision}" if looked.revision != "main" else ""
        self._repo.setText(breakable(looked.repo + at))
        self._note.setText(words(entry.note) if entry is not None else "")
        self._note.setVisible(bool(self._note.text()))
        self.facts.setText(self._fact_words(looked))
        self.facts.setVisible(bool(self.facts.text()))
        self.offline.setVisible(self._network.is_offline)
        self.offline.button.setVisible(not self._network.is_forced_offline)
        self._show_problem(looked)
        self.gate.show_model(looked)
        self.fit.show_model(looked, self._library.folders)
        self.files.show_repository(looked.repository)
        self.refresh_state()

    def refresh_state(self) -> None:
        """What downloads change."""
        looked = self._hub.looked
        if looked is None:
            return
        download = self._downloads.of(looked.known.names if looked.known is not None else (looked.repo,))
        here = self._model_here(looked)
        is_running = download is not None and download.state != "ready"
        state = ""
        if here is not None:
            state = self.tr("It is on this computer.")
        elif download is not None and is_running:
            state = line_words(download, words)
        elif self._downloads.is_asked(looked.repo):
            state = self.tr("Beginning…")
        elif not self._downloads.is_open:
            state = self.tr("The engine has stopped.")
        self.fit.show_action(
            looked,
            state=state,
            is_here=here is not None,
            is_running=is_running or self._downloads.is_asked(looked.repo),
            can_ask=self._downloads.is_open and not self._network.is_offline,
            needs_token=self.gate.needs_token,
            error=self._downloads.add_errors.get(looked.repo),
        )

    def _show_problem(self, looked: Looked) -> None:
        """What is not said already by the card about access, or by the line about being offline."""
        problem = looked.problem
        code = problem.report.code if problem is not None else ""
        is_said = code == "LicenceNotAccepted" or (code == "NetworkSwitchedOff" and self._network.is_offline)
        if problem is None or is_said:
            self.problem.show_error(None)
        else:
            step = next_step(problem.report)
            self.problem.show_error(problem.text, next_step_label(step, words), lambda: self._take(step))

    def _fact_words(self, looked: Looked) -> str:
        entry = looked.known
        model = looked.repository.model if looked.repository is not None else looked.listed
        parts = []
        if model is not None:
            parts.append(licence_words(model.licence, words))
            if model.updated:
                parts.append(self.tr("updated %1").replace("%1", model.updated))
            parts.append(self.tr("%1 downloads").replace("%1", number(model.downloads)))
        elif entry is not None:
            parts.append(f"{licence_words(entry.licence, words)} ({words(CATALOGUE_SAYS)})")
        if entry is not None:
            parts.append(language_words(entry.languages, words))
            is_chat = entry.purpose == "chat"
            parts.append(self.tr("taught to hold a conversation") if is_chat else self.tr("continues text"))
        return " · ".join(part for part in parts if part)

    def _model_here(self, looked: Looked) -> ModelInfo | None:
        """The model of the library that came from this repository."""
        names = {looked.repo.casefold(), *(name.casefold() for name in (looked.known.names if looked.known else ()))}
        for model in self._models.models:
            origin = origin_of(model.source)
            if origin is not None and origin.repo.casefold() in names:
                return model
        return None

    # What is asked ------------------------------------------------------------------------------------------------

    def _take(self, step: str) -> None:
        if step == AGAIN:
            self._hub.ask_again()
        elif self._hub.looked is not None:
            self.step_asked.emit(self._hub.looked.repo, step)

    def _download(self) -> None:
        looked, folder = self._hub.looked, self.fit.folder
        if looked is not None and looked.repository is not None:
            place = str(folder.currentData() or "") if folder.count() > 1 else ""
            self._downloads.add(looked.repo, looked.revision, weight_format=looked.weight_format, folder=place)

    def _chat(self) -> None:
        looked = self._hub.looked
        model = self._model_here(looked) if looked is not None else None
        if model is not None:
            self.chat_asked.emit(model.model_id)

    def _open_terms(self) -> None:
        looked = self._hub.looked
        if looked is not None:
            self.link_asked.emit(looked.link or self._page_of(looked))

    def _open_page(self) -> None:
        if self._hub.looked is not None:
            self.link_asked.emit(self._page_of(self._hub.looked))

    def _page_of(self, looked: Looked) -> str:
        return f"{self._network.chosen.endpoint.rstrip('/')}/{looked.repo}"

    def take_focus(self) -> None:
        """On the pane itself: the Tab key begins at its top, and Escape leads back."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_token(self) -> None:
        self.gate.show()
        self.gate.token.setFocus()
