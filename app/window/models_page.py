"""The model page: what is on this computer, what is on its way here, and what could be; and one model of the hub.

Owns the arrangement of the three parts and of a model's details, and which dialogs are opened. What happens is decided
by the controls; what is to be said in the window's own message leaves by `said`.
"""

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFont, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.download_words import CONNECTION_SETTINGS, FOLDERS, ONLINE, TERMS, TOKEN, name_of
from app.error_text import ErrorText
from app.language import in_a_row
from app.network import hub_caches
from app.window.column import lay_in_column
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.memory_estimates import MemoryEstimates
from app.window.model_control import STOPPED, ModelControl
from app.window.models.connection_dialog import ConnectionDialog
from app.window.models.details_pane import DetailsPane
from app.window.models.discover_section import DiscoverSection
from app.window.models.downloads_section import DownloadsSection
from app.window.models.flow import FlowLayout
from app.window.models.hub_controls import HubControls
from app.window.models.library_dialogs import AdoptDialog, CardDialog, TrashDialog
from app.window.models.library_section import LibrarySection
from app.window.models.network_dialog import NetworkDialog
from app.window.models.problem_card import ErrorPlace
from app.window.settings_control import SettingsControl
from app.window.theme import scaled
from app.window.wording import size
from engine.catalog_reports import HubModel
from engine.transfer_reports import DownloadReport, ModelAdopted, ModelCard

COLUMN_WIDTH = 900
NARROW_HEAD = 560  # below this width the downloads' line is below the tabs
HERE, DISCOVER = 0, 1


class ModelsPage(QScrollArea):
    back_clicked = Signal()
    import_clicked = Signal()
    folder_clicked = Signal()
    licence_asked = Signal(str)
    link_activated = Signal(str)
    chat_asked = Signal(str)
    """Id of a model: load it, and begin a conversation."""

    said = Signal(str, str, object)
    """Something to say in passing: words, and a button with what it does, or an empty string and None."""

    noticed = Signal(str, str, object)
    """Something to be known even where the window is not looked at: words, button, what it does."""

    def __init__(
        self,
        models: ModelControl,
        controls: HubControls,
        settings: SettingsControl,
        licences: tuple[str, ...],
        estimates: MemoryEstimates,
        caches: tuple[Path, ...] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._models, self._controls, self._settings = models, controls, settings
        self._caches = caches
        self._scrolled_to = 0
        self._shown_downloads: tuple[tuple[str, str], ...] = ()
        self._is_chosen = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Models"))
        self.library = LibrarySection(
            models, controls.library, controls.downloads, controls.network, licences, estimates, self
        )
        estimates.changed.connect(self.library.refresh)
        self.downloads = DownloadsSection(controls.downloads, self)
        self.discover = DiscoverSection(controls.hub, controls.downloads, controls.network, models, self)
        self.discover.hide()
        self.details = DetailsPane(controls.hub, controls.downloads, controls.library, controls.network, models, self)
        self.details.hide()
        self._overview = QWidget(self)
        box = QVBoxLayout(self._overview)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(14)
        box.addLayout(self._build_head())
        self._stopped = ErrorPlace(self._overview)
        self._network_error = ErrorPlace(self._overview)
        for widget in (self._stopped, self._network_error, self.downloads, self.library, self.discover):
            box.addWidget(widget)
        whole = QVBoxLayout()
        whole.setContentsMargins(0, 16, 0, 24)
        whole.addWidget(self._overview)
        whole.addWidget(self.details)
        whole.addStretch(1)
        lay_in_column(self, whole, COLUMN_WIDTH)
        self._connect()
        self.refresh()

    def _build_head(self) -> QVBoxLayout:
        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Models"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self.settings_button = IconButton("sliders", self.tr("Hub and library"), self, size=20)
        self.settings_button.clicked.connect(self._to_settings)
        name = QHBoxLayout()
        name.setSpacing(8)
        name.addWidget(back)
        name.addWidget(title, 1)
        name.addWidget(self.settings_button)
        self._tabs = QButtonGroup(self)
        tabs = QWidget(self)
        flow = FlowLayout(tabs, spacing=18)
        for at, text in ((HERE, self.tr("On this computer")), (DISCOVER, self.tr("Discover"))):
            tab = QPushButton(text, self)
            tab.setProperty("kind", "tab")
            tab.setCheckable(True)
            tab.setAccessibleName(text)
            self._tabs.addButton(tab, at)
            flow.addWidget(tab)
        self._tabs.button(HERE).setChecked(True)
        self._tabs.idClicked.connect(self.show_part)
        self._line = MutedLabel(parent=self, factor=0.95, wraps=False)
        self._second = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._second.setSpacing(6)
        self._second.addWidget(tabs, 1)
        self._second.addWidget(self._line, 0)
        head = QVBoxLayout()
        head.setSpacing(8)
        head.addLayout(name)
        head.addLayout(self._second)
        return head

    def _connect(self) -> None:
        network, library = self._controls.network, self._controls.library
        downloads, hub = self._controls.downloads, self._controls.hub
        for signal in (self._models.changed, network.changed, library.changed, hub.changed):
            signal.connect(self._on_changed)
        downloads.changed.connect(self._on_downloads)
        self.library.import_clicked.connect(self.import_clicked)
        self.library.folder_clicked.connect(self.folder_clicked)
        self.library.discover_clicked.connect(lambda: self.show_part(DISCOVER))
        self.library.licence_asked.connect(self.licence_asked)
        self.library.open_folder_clicked.connect(self._open_folder)
        self.library.adopt_clicked.connect(self._open_adoption)
        self.library.trash_clicked.connect(self._open_trash)
        self.downloads.chat_asked.connect(self.chat_asked)
        self.downloads.step_asked.connect(self.take_step)
        self.discover.looked.connect(self.look_at)
        self.discover.entered.connect(self._show_details)
        self.discover.step_asked.connect(self.take_step)
        self.details.back_clicked.connect(self.leave_details)
        self.details.link_asked.connect(self.link_activated)
        self.details.step_asked.connect(self.take_step)
        self.details.chat_asked.connect(self.chat_asked)
        downloads.ready.connect(self._on_ready)
        downloads.stopped.connect(self._on_download_stopped)
        downloads.cancelled.connect(self._on_cancelled)
        downloads.refused.connect(self._say_error)
        library.trashed.connect(self._on_trashed)
        library.restored.connect(self._on_restored)
        library.emptied.connect(self._on_emptied)
        library.moved.connect(self._on_moved)
        library.adopted.connect(self._on_adopted)
        library.card_read.connect(self._open_card)
        library.refused.connect(self._say_error)

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def weight_format(self) -> str:
        return str(self.library.format.currentData())

    @property
    def part(self) -> int:
        return self._tabs.checkedId()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_chosen and not self._models.models and self._models.state not in (STOPPED, "starting"):
            self.show_part(DISCOVER)
        if self.part == DISCOVER:
            self._controls.hub.need_catalog()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        direction = QBoxLayout.Direction
        narrow = event.size().width() < NARROW_HEAD
        self._second.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        self.discover.turn(is_narrow=narrow)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.details.isVisible():
            self.leave_details()
        else:
            super().keyPressEvent(event)

    def show_part(self, part: int) -> None:
        """What is on this computer, or what could be."""
        self._is_chosen = True
        self._tabs.button(part).setChecked(True)
        self.library.setVisible(part == HERE)
        self.discover.setVisible(part == DISCOVER)
        if self.details.isVisible() or self._overview.isHidden():
            self.leave_details()
        if part == DISCOVER:
            self._controls.hub.need_catalog()
        self.refresh()

    def _on_changed(self) -> None:
        """Loading a model says a lot; nobody sees it here while the page is not shown."""
        if self.isVisible():
            self.refresh()

    def _on_downloads(self) -> None:
        """Ten times a second while something arrives: only what shows downloads."""
        if not self.isVisible():
            return
        self._show_downloads()
        shown = tuple((download.repo, download.state) for download in self._controls.downloads.shown)
        has_changed, self._shown_downloads = shown != self._shown_downloads, shown
        if self.details.isVisible():
            self.details.refresh_state()
        elif self.part == DISCOVER:
            self.discover.refresh_marks()
        elif has_changed:
            self.library.refresh()

    def refresh(self) -> None:
        network = self._controls.network
        is_stopped = self._models.state == STOPPED and self._models.death is not None
        text = self._models.death.text if self._models.death is not None else None
        self._stopped.show_error(text if is_stopped else None, self.tr("Restart the engine"), self._models.start)
        label = self.tr("Hub and library…")
        self._network_error.show_error(network.error, label, self._to_settings)
        self._show_downloads()
        if self._overview.isHidden():
            self.details.refresh()
        elif self.part == DISCOVER:
            self.discover.refresh()
        else:
            self.library.refresh()

    def _show_downloads(self) -> None:
        self.downloads.refresh()
        text = "" if self._controls.downloads.shown else self.tr("No downloads")
        if self._controls.network.is_offline:
            text = " · ".join(part for part in (text, self.tr("offline")) if part)
        if self._line.text() != text:
            self._line.setText(text)
        self._line.setVisible(bool(text))

    # A model's details --------------------------------------------------------------------------------------------

    def look_at(self, repo: str, listed: HubModel | None = None) -> None:
        self._controls.hub.look_at(repo, listed)
        self._show_details()

    def _show_details(self) -> None:
        if self._overview.isHidden():
            return
        self._scrolled_to = self.verticalScrollBar().value()
        self._overview.hide()
        self.details.show()
        self.details.begin()
        self.verticalScrollBar().setValue(0)
        self.details.take_focus()

    def leave_details(self) -> None:
        """Back where one came from, on the card that was left."""
        looked = self._controls.hub.looked
        self.details.hide()
        self._overview.show()
        self._controls.hub.look_away()
        self.refresh()
        if self.part == DISCOVER:
            self.discover.take_focus(looked.known.repo if looked and looked.known else looked.repo if looked else "")
        self._overview.adjustSize()
        self.verticalScrollBar().setValue(self._scrolled_to)

    # Next steps and dialogs ---------------------------------------------------------------------------------------

    def take_step(self, repo: str, step: str) -> None:
        """The one thing to do about an error, where another part of the page has it."""
        if step == ONLINE:
            self._controls.network.switch(offline=False)
        elif step == TERMS and repo:
            self.look_at(repo)
            self.details.focus_token()
        elif step == TOKEN:
            if self.details.isVisible():
                self.details.focus_token()
            else:
                self.open_settings().focus_token()
        elif step in (CONNECTION_SETTINGS, FOLDERS):
            self.open_settings()

    def _to_settings(self) -> None:
        self.open_settings()

    def open_settings(self) -> NetworkDialog:
        controls = self._controls
        dialog = NetworkDialog(controls.network, controls.library, controls.downloads, self._settings, self)
        dialog.test_asked.connect(lambda: self.open_test(dialog))
        dialog.open()
        return dialog

    def open_test(self, parent: QWidget | None = None) -> ConnectionDialog:
        dialog = ConnectionDialog(self._controls.network, self._controls.hub.test_repo, parent or self)
        dialog.open()
        return dialog

    def _open_trash(self) -> None:
        TrashDialog(self._controls.library, self).open()

    def _open_adoption(self) -> None:
        AdoptDialog(self._controls.library, tuple(str(cache) for cache in self._known_caches()), self).open()

    def _known_caches(self) -> tuple[Path, ...]:
        if self._caches is not None:
            return self._caches
        return hub_caches(os.environ, Path.home())

    def _open_card(self, card: ModelCard) -> None:
        model = self._models.find(card.model_id)
        dialog = CardDialog(card, model.name if model is not None else card.repo, self)
        dialog.link_activated.connect(self.link_activated)
        dialog.open()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._controls.library.folders[0]))

    # What is said -------------------------------------------------------------------------------------------------

    def _say(self, text: str, label: str = "", run: Callable[[], None] | None = None) -> None:
        self.said.emit(text, label, run)

    def _say_error(self, text: ErrorText) -> None:
        self._say(in_a_row(text.cause, text.action))

    def _on_ready(self, download: DownloadReport) -> None:
        text = self.tr("%1 is ready").replace("%1", name_of(download.repo))
        if download.model_id:
            self.noticed.emit(text, self.tr("Chat with it"), lambda: self.chat_asked.emit(download.model_id))
        else:
            self.noticed.emit(text, "", None)

    def _on_download_stopped(self, download: DownloadReport) -> None:
        text = self.tr("The download of %1 has stopped").replace("%1", name_of(download.repo))
        self.noticed.emit(text, "", None)

    def _on_cancelled(self, repo: str, freed_bytes: int) -> None:
        text = self.tr("%1 was given up").replace("%1", name_of(repo))
        if freed_bytes:
            text = self.tr("%1 was given up, %2 are free again").replace("%1", name_of(repo))
        self._say(text.replace("%2", size(freed_bytes)))

    def _on_trashed(self, name: str, trash_id: str, n_bytes: int) -> None:
        text = self.tr("%1 is in the trash; emptying it frees %2").replace("%1", name).replace("%2", size(n_bytes))
        self._say(text, self.tr("Undo"), lambda: self._controls.library.restore(trash_id))

    def _on_restored(self, name: str) -> None:
        self._say(self.tr("%1 is in the library again").replace("%1", name))

    def _on_emptied(self, n_bytes: int) -> None:
        self._say(self.tr("%1 are free again").replace("%1", size(n_bytes)))

    def _on_moved(self, name: str, folder: str) -> None:
        self._say(self.tr("%1 is in %2 now").replace("%1", name).replace("%2", folder))

    def _on_adopted(self, event: ModelAdopted) -> None:
        text = self.tr("%1 is in the library; it took no further room")
        if event.copied_bytes:
            text = self.tr("%1 is in the library; %2 were copied")
        self._say(text.replace("%1", event.repo).replace("%2", size(event.copied_bytes)))
