"""The window: assembles the panes, connects them, and decides nothing.

What happens is decided by the controls (app/window/controls.py). What can be done is in app/window/window_actions.py,
which page is shown in app/window/pages.py, what is said in passing in app/window/notices.py, questions in
app/window/dialogs.py.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from app.chat.records import StoredMessage
from app.handover import Opening
from app.log_lines import LogTail
from app.paths import assets_dir
from app.window import dialogs
from app.window.actions import Actions
from app.window.answer_panel import AnswerPanel
from app.window.answer_windows import AnswerWindows
from app.window.bar_words import BarWords
from app.window.chat_page import ChatPage
from app.window.chats.chats_desk import ChatsDesk
from app.window.composer.message_field import local_files
from app.window.controls import Controls
from app.window.device.device_page import DevicePage
from app.window.icons import app_icon, redraw_icons
from app.window.logs_page import LogsPage
from app.window.model_control import LOADING, READY
from app.window.model_picker import ModelPicker
from app.window.models_page import ModelsPage
from app.window.neurons.comparison_page import ComparisonPage
from app.window.neurons.neurons_page import NeuronsPage
from app.window.notices import Notices
from app.window.pages import CHAT, COMPARISON, DEVICE, LOGS, MODELS, NEURONS, SETTINGS, SPEED, Pages
from app.window.palette import CommandPalette
from app.window.palette_entries import palette_entries
from app.window.panes import Panes
from app.window.report_files import ReportFiles
from app.window.settings.rows import SettingRow
from app.window.settings.settings_page import SettingsPage
from app.window.settings_ways import settings_ways
from app.window.sidebar import Sidebar
from app.window.speed_page import SpeedPage
from app.window.toast import Toast
from app.window.top_bar import TopBar
from app.window.tray import DesktopTray
from app.window.window_actions import add_actions, build_menu
from app.window.window_state import WindowState, read_state, write_state
from app.window.zoom import zoomed


class MainWindow(QMainWindow):
    welcome_asked = Signal()
    """The first questions are to be asked again."""

    diagnostics_asked = Signal()

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls
        self._chat = controls.chat
        self._models = controls.models
        self._settings = controls.settings
        self._licences = dialogs.licence_texts(assets_dir() / "licences")
        self.setWindowTitle("Ember")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(440, 420)
        self.setAcceptDrops(True)
        self._build_pages()
        self.sidebar = Sidebar(self)
        self.panel = AnswerPanel(controls.answers, controls.models, controls.settings, self)
        self.panel.hide()
        self.commands = Actions(self, controls.settings)
        add_actions(self.commands, self)
        self.top_bar = TopBar(build_menu(self.commands, self), self)
        self.picker = ModelPicker(controls.models, controls.estimates, controls.chat, self)
        self._label_buttons()
        self.panes = Panes(self.sidebar, self.top_bar, self.pages, self.panel, self)
        self.setCentralWidget(self.panes)
        self.toast = Toast(self, self.panes.centre)
        self.answer_windows = AnswerWindows(controls, self.toast, self)
        self.desktop = DesktopTray(self)
        self.notices = Notices(controls, self.pages, self.toast, self.desktop, self)
        self.report_files = ReportFiles(controls.speed, self.toast, self)
        self.bar_words = BarWords(controls, self.top_bar, self.sidebar, self.pages, self)
        self.command_palette = CommandPalette(self, lambda: palette_entries(self))
        self.desk = ChatsDesk(self._chat, self.sidebar.chats, self.toast, self)
        self.desk.chat_opened.connect(self.show_chat_page)
        self._connect_panes()
        self._connect_pages()
        self._connect_controls()
        state = read_state(controls.paths.config)
        self._restore(state)
        self.panes.arrange()
        self._show_title()
        self._show_settings()
        self.pages.show_page(state.page if state.page in _KEPT_PAGES else CHAT)

    # Assembly -----------------------------------------------------------------------------------------------------

    def _build_pages(self) -> None:
        """The pages of most starts; the others are made when they are first wanted."""
        controls = self.controls
        self.chat_page = ChatPage(controls, self)
        self.models_page = ModelsPage(
            controls.models, controls.hub, self._settings, tuple(self._licences), controls.estimates, parent=self
        )
        self.pages = Pages(self)
        self.pages.add(CHAT, self.chat_page, self.chat_page.composer.take_focus)
        self.pages.add(MODELS, self.models_page)
        self.pages.add_later(SPEED, self._make_speed_page)
        self.pages.add_later(NEURONS, self._make_neurons_page)
        self.pages.add_later(COMPARISON, self._make_comparison_page)
        self.pages.add_later(DEVICE, self._make_device_page)
        self.pages.add_later(SETTINGS, self._make_settings_page)
        self.pages.add_later(LOGS, self._make_logs_page)

    def _label_buttons(self) -> None:
        """Tooltips that say by which keys, whichever these are."""
        top_bar, label = self.top_bar, self.commands.label
        label(top_bar.sidebar_button, "toggle_sidebar", self.tr("Show or hide the list of conversations"))
        label(top_bar.new_button, "new_chat", self.tr("New chat"))
        label(top_bar.panel_button, "toggle_panel", self.tr("Answer settings"))
        sidebar = self.sidebar
        label(sidebar.new_button, "new_chat", self.tr("New chat"))
        label(sidebar.neurons, "show_neurons", self.tr("Which neurons of a model are at work"))
        label(sidebar.speed, "show_speed", self.tr("How fast models run here"))
        label(
            sidebar.device,
            "show_device",
            self.tr("What computes your answers, and how much of the card it takes"),
        )
        label(sidebar.settings, "show_settings", self.tr("Everything that can be chosen"))

    def _connect_panes(self) -> None:
        sidebar, top_bar = self.sidebar, self.top_bar
        sidebar.new_clicked.connect(self.new_chat)
        sidebar.temporary_clicked.connect(self.desk.new_temporary)
        sidebar.models_clicked.connect(self.show_models_page)
        sidebar.speed_clicked.connect(self.show_speed_page)
        sidebar.neurons_clicked.connect(self.show_neurons_page)
        sidebar.device_clicked.connect(self.show_device_page)
        sidebar.settings_clicked.connect(self.show_settings_page)
        top_bar.sidebar_clicked.connect(self.toggle_sidebar)
        top_bar.new_clicked.connect(self.new_chat)
        top_bar.picker_asked.connect(self.choose_model)
        self.picker.models_clicked.connect(self.show_models_page)
        top_bar.tier_chosen.connect(self._models.choose_tier)
        top_bar.device_clicked.connect(self.show_device_page)
        top_bar.panel_clicked.connect(self.toggle_panel)
        self.panel.closed.connect(self.toggle_panel)
        self.panel.template_asked.connect(self.answer_windows.show_template)
        self.desktop.new_chat_asked.connect(self.new_chat)
        self.desktop.quit_asked.connect(self.close)
        self.pages.currentChanged.connect(self._show_edge)

    def _connect_pages(self) -> None:
        chat, models = self.chat_page, self.models_page
        models.back_clicked.connect(self.show_chat_page)
        chat.models_clicked.connect(self.show_models_page)
        chat.answer_settings_clicked.connect(self._show_panel)
        chat.link_activated.connect(self._ask_about_link)
        chat.compare_asked.connect(self._compare_answer)
        chat.said.connect(self.toast.show_text)
        chat.transcript.details_clicked.connect(self.answer_windows.show_details)
        chat.transcript.scrolled.connect(self._show_edge)
        models.import_clicked.connect(lambda: dialogs.ask_for_models(self, self.import_files))
        models.folder_clicked.connect(lambda: dialogs.ask_for_model_folder(self, self.import_files))
        models.licence_asked.connect(self._show_model_licence)
        models.link_activated.connect(self._ask_about_link)
        models.chat_asked.connect(self._chat_with)
        models.said.connect(self.toast.show_text)
        models.noticed.connect(self.notices.tell)

    def _make_speed_page(self) -> tuple[SpeedPage, None]:
        page = SpeedPage(self.controls.speed, self._models, self._chat, self)
        page.back_clicked.connect(self.show_chat_page)
        page.copy_asked.connect(self.report_files.copy)
        page.delete_asked.connect(self.report_files.delete)
        return page, None

    def _make_neurons_page(self) -> tuple[NeuronsPage, None]:
        controls = self.controls
        studies = controls.studies
        page = NeuronsPage(
            studies, self._models, self._chat, controls.comparison, self._settings, controls.paths.library, self
        )
        page.back_clicked.connect(self.show_chat_page)
        page.texts_asked.connect(lambda: dialogs.ask_for_texts(self, studies.use_texts))
        page.save_asked.connect(self.report_files.ask_where_to_save)
        page.compare_asked.connect(self._compare_prompt)
        return page, None

    def _make_comparison_page(self) -> tuple[ComparisonPage, Callable[[], object]]:
        page = ComparisonPage(self.controls.comparison, self._models, self)
        page.back_clicked.connect(lambda: self.pages.leave(COMPARISON))
        return page, page.take_focus

    def _make_device_page(self) -> tuple[DevicePage, None]:
        page = DevicePage(self.controls.device, self)
        page.back_clicked.connect(self.show_chat_page)
        return page, None

    def _make_settings_page(self) -> tuple[SettingsPage, Callable[[], object]]:
        page = SettingsPage(self.controls, self.commands, self)
        page.back_clicked.connect(self.show_chat_page)
        page.asked.connect(lambda name: settings_ways(self)[name]())
        return page, page.take_focus

    def _make_logs_page(self) -> tuple[LogsPage, Callable[[], object]]:
        paths = self.controls.paths
        logs = (LogTail(paths.logs / "window.log", "window"), LogTail(paths.engine_log, "engine"))
        page = LogsPage(paths.logs, logs, self)
        page.back_clicked.connect(lambda: self.pages.leave(LOGS))
        page.diagnostics_asked.connect(self.diagnostics_asked)
        page.copied.connect(self._on_lines_copied)
        return page, page.take_focus

    @property
    def speed_page(self) -> SpeedPage:
        return self.pages.made(SPEED, SpeedPage)

    @property
    def neurons_page(self) -> NeuronsPage:
        return self.pages.made(NEURONS, NeuronsPage)

    @property
    def comparison_page(self) -> ComparisonPage:
        return self.pages.made(COMPARISON, ComparisonPage)

    @property
    def device_page(self) -> DevicePage:
        return self.pages.made(DEVICE, DevicePage)

    @property
    def settings_page(self) -> SettingsPage:
        return self.pages.made(SETTINGS, SettingsPage)

    @property
    def logs_page(self) -> LogsPage:
        return self.pages.made(LOGS, LogsPage)

    def _connect_controls(self) -> None:
        chat = self._chat
        chat.list_changed.connect(self._show_title)
        chat.path_changed.connect(self._show_title)
        self._settings.changed.connect(self._show_settings)

    # Pages and panes ----------------------------------------------------------------------------------------------

    def new_chat(self) -> None:
        self._chat.new()
        self.show_chat_page()

    def show_chat_page(self) -> None:
        self.pages.show_page(CHAT)

    def show_models_page(self) -> None:
        self.pages.show_page(MODELS)

    def show_speed_page(self) -> None:
        self.pages.show_page(SPEED)

    def show_neurons_page(self) -> None:
        self.pages.show_page(NEURONS)

    def show_device_page(self) -> None:
        self.pages.show_page(DEVICE)

    def show_settings_page(self) -> None:
        self.pages.show_page(SETTINGS)

    def show_logs_page(self) -> None:
        self.pages.show_page(LOGS)

    def show_setting(self, row: SettingRow) -> None:
        self.show_settings_page()
        self.settings_page.show_row(row)

    def show_shortcut_settings(self) -> None:
        self.show_settings_page()
        self.settings_page.show_shortcuts()

    def show_opening(self, opening: Opening) -> None:
        """What a start of the program asked for; this window comes in front."""
        self.desktop.come_back()
        if opening.begins_chat:
            self.new_chat()
        if opening.page in self.pages.names:
            self.pages.show_page(opening.page)
        if opening.files:
            self.import_files([Path(name) for name in opening.files])

    def show_comparison_page(self) -> None:
        self.pages.show_page(COMPARISON)

    def toggle_sidebar(self) -> None:
        self.panes.toggle_sidebar()

    def toggle_panel(self) -> None:
        self.panes.toggle_panel()
        if self.panel.isVisible():
            self.panel.take_focus()
        else:
            self.chat_page.composer.take_focus()

    def _show_panel(self) -> None:
        self.show_chat_page()
        if self.panel.isHidden():
            self.panes.toggle_panel()
        self.panel.take_focus()

    # What is shown ------------------------------------------------------------------------------------------------

    def _show_title(self) -> None:
        conversation = self._chat.conversation
        self.setWindowTitle(f"{conversation.title} – Ember" if conversation else "Ember")

    def _show_settings(self) -> None:
        value = self._settings.value
        self.desktop.keep(value.has_tray)

    def _show_edge(self) -> None:
        transcript = self.chat_page.transcript
        self.top_bar.show_edge(transcript.isVisible() and transcript.verticalScrollBar().value() > 0)

    # What is asked ------------------------------------------------------------------------------------------------

    def open_chat(self, conversation_id: str) -> None:
        self.desk.open(conversation_id)

    def find_in_chat(self) -> None:
        self.show_chat_page()
        if self._chat.path:
            self.chat_page.find_bar.enter()

    def search_chats(self) -> None:
        if self.sidebar.isHidden():
            self.toggle_sidebar()
        self.desk.search()

    def copy_last(self) -> None:
        answer = self.chat_page.transcript.last_answer()
        if answer is not None:
            QGuiApplication.clipboard().setText(answer.content)
            self.toast.show_text(self.tr("The last answer has been copied"))

    def _on_lines_copied(self, count: int) -> None:
        self.toast.show_text(self.tr("%n line(s) copied", "", count))

    def add_files(self) -> None:
        self.show_chat_page()
        self.chat_page.composer.choose_files()

    def edit_prompts(self) -> None:
        self.show_chat_page()
        self.chat_page.composer.edit_prompts()

    def show_about(self) -> None:
        dialogs.show_about(self, self._licences["apache-2.0"])

    def import_files(self, files: list[Path]) -> None:
        self.show_models_page()
        self._models.import_files(files, self.models_page.weight_format)

    def choose_model(self) -> None:
        self.picker.open_below(self.top_bar.model)

    def _ask_about_link(self, href: str) -> None:
        dialogs.ask_about_link(self, href)

    def _chat_with(self, model_id: str) -> None:
        current = self._models.current
        if current is None or current.model_id != model_id or self._models.state not in (READY, LOADING):
            self._models.load(model_id)
        self.new_chat()

    def _show_model_licence(self, model_id: str) -> None:
        model = self._models.find(model_id)
        if model is not None:
            title = self.tr("Licence of %1").replace("%1", model.name)
            dialogs.show_licence(self, title, self._licences.get(model.licence.lower(), ""))

    def _compare_prompt(self, prompt: str, tier: str) -> None:
        self.controls.comparison.compare_prompt(prompt, tier)
        self.show_comparison_page()

    def _compare_answer(self, answer: StoredMessage) -> None:
        """At the tier the answer was given at, else the one chosen now, else the first there is."""
        comparison = self.controls.comparison
        tiers = comparison.tiers
        asked_at = answer.stats.tier if answer.stats is not None else ""
        tier = next((t for t in (asked_at, self._models.tier) if t in tiers), tiers[0] if tiers else "")
        messages = self._chat.prompt_of(answer)
        if tier and messages:
            comparison.compare(messages, tier)
            self.show_comparison_page()

    # Window events ------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.panes.follow_width(event.oldSize().width(), event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.desk.closing.may_close():
            event.ignore()
            return
        state = WindowState(
            self.saveGeometry(), self.pages.current, self.panes.has_sidebar, has_panel=not self.panel.isHidden()
        )
        write_state(self.controls.paths.config, state)
        super().closeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.desktop.forget()
        elif event.type() == QEvent.Type.DevicePixelRatioChange:
            redraw_icons(self)
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _models_among(event.mimeData().urls()) or self._files_for_message(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = _models_among(event.mimeData().urls())
        if files:
            event.acceptProposedAction()
            self.import_files(files)
        elif others := self._files_for_message(event.mimeData()):
            event.acceptProposedAction()
            self.chat_page.composer.add_files(others)

    def _files_for_message(self, data: QMimeData) -> list[Path]:
        """Where a message is written, other files go with it."""
        return local_files(data) if self.pages.current == CHAT else []

    def _restore(self, state: WindowState) -> None:
        self.resize(zoomed(1100), zoomed(760))
        if state.geometry is not None:
            self.restoreGeometry(state.geometry)
        self.panes.has_sidebar = state.has_sidebar
        self.panel.setVisible(state.has_panel)


_KEPT_PAGES = (CHAT, MODELS, SPEED, NEURONS, DEVICE, SETTINGS, LOGS)


def _models_among(urls: list[QUrl]) -> list[Path]:
    """GGUF files, and folders that hold a checkpoint."""
    files = (Path(url.toLocalFile()) for url in urls if url.isLocalFile())
    return [path for path in files if path.suffix.lower() == ".gguf" or (path / "config.json").is_file()]
