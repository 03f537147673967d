"""The window: assembles the panes and the actions with their shortcuts, and decides nothing.

What happens is decided by ChatControl and ModelControl; dialogs are in app/window/dialogs.py.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.benchmarks import ShownReport
from app.chat.conversation import Message
from app.device_words import DEMONSTRATION, from_disk_words, share_words
from app.error_text import ErrorText
from app.paths import AppPaths, assets_dir
from app.window import dialogs
from app.window.answer_panel import AnswerPanel
from app.window.chat_control import ChatControl
from app.window.chat_page import ChatPage
from app.window.device.device_control import DeviceControl, Notice
from app.window.device.device_control import words as device_words
from app.window.device.device_page import DevicePage
from app.window.icons import app_icon
from app.window.model_control import LOADING, MEASURING, NEURONS, NO_MODEL, READY, STARTING, ModelControl
from app.window.models.desktop_notice import DesktopNotice
from app.window.models.hub_controls import HubControls
from app.window.models_page import ModelsPage
from app.window.neurons.comparison_control import ComparisonControl
from app.window.neurons.comparison_page import ComparisonPage
from app.window.neurons.neurons_page import NeuronsPage
from app.window.neurons.study_control import StudyControl
from app.window.settings_control import SettingsControl
from app.window.sidebar import WIDTH, Sidebar
from app.window.speed_control import SpeedControl
from app.window.speed_page import SpeedPage
from app.window.theme import Theme
from app.window.toast import Toast
from app.window.top_bar import HEIGHT, TopBar
from app.window.wording import progress_words
from engine.messages import ModelInfo
from engine.neuron_reports import StudyReport

NARROW = 760  # below this width the list of conversations is hidden until asked for
CROWDED = 900  # below this width the settings of answers take the place of the conversation


class MainWindow(QMainWindow):
    def __init__(
        self,
        paths: AppPaths,
        chat: ChatControl,
        models: ModelControl,
        speed: SpeedControl,
        studies: StudyControl,
        comparison: ComparisonControl,
        device: DeviceControl,
        hub: HubControls,
        settings: SettingsControl,
        theme: Theme,
    ) -> None:
        super().__init__()
        self._paths = paths
        self._chat = chat
        self._models = models
        self._speed = speed
        self._studies = studies
        self._comparison = comparison
        self._device = device
        self._settings = settings
        self._theme = theme
        self._licences = dialogs.licence_texts(assets_dir() / "licences")
        self._wants_sidebar: bool | None = None
        self._is_narrow = False
        self.setWindowTitle("Ember")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(440, 420)
        self.setAcceptDrops(True)

        self.sidebar = Sidebar(self)
        self.chat_page = ChatPage(chat, models, settings, self)
        self.models_page = ModelsPage(models, hub, settings, tuple(self._licences), parent=self)
        self.speed_page = SpeedPage(speed, models, chat, self)
        self.neurons_page = NeuronsPage(studies, models, chat, comparison, settings, paths.library, self)
        self.comparison_page = ComparisonPage(comparison, models, self)
        self.device_page = DevicePage(device, self)
        self._before_comparison: QWidget = self.chat_page
        self.panel = AnswerPanel(self)
        self.panel.hide()
        self.top_bar = TopBar(self._build_menu(), self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.chat_page)
        self.pages.addWidget(self.models_page)
        self.pages.addWidget(self.speed_page)
        self.pages.addWidget(self.neurons_page)
        self.pages.addWidget(self.comparison_page)
        self.pages.addWidget(self.device_page)
        self._centre = QWidget(self)
        column = QVBoxLayout(self._centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addWidget(self.pages, 1)
        root = QWidget(self)
        self._row = QHBoxLayout(root)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.sidebar)
        self._row.addWidget(self._centre, 1)
        self._row.addWidget(self.panel)
        self.setCentralWidget(root)
        self.toast = Toast(self, self._centre)
        self.desktop = DesktopNotice(self)
        self._connect()
        self._restore_geometry()
        self._arrange()
        self._show_list()
        self._show_models()
        self._show_device()
        self.panel.show_settings(settings.value)
        self.chat_page.composer.take_focus()

    # Assembly -----------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        chat, models, settings = self._chat, self._models, self._settings
        self.sidebar.new_clicked.connect(self.new_chat)
        self.sidebar.opened.connect(self._open)
        self.sidebar.renamed.connect(chat.rename)
        self.sidebar.delete_asked.connect(self._delete)
        self.sidebar.models_clicked.connect(self.show_models_page)
        self.sidebar.speed_clicked.connect(self.show_speed_page)
        self.sidebar.neurons_clicked.connect(self.show_neurons_page)
        self.sidebar.device_clicked.connect(self.show_device_page)
        self.top_bar.sidebar_clicked.connect(self.toggle_sidebar)
        self.top_bar.new_clicked.connect(self.new_chat)
        self.top_bar.load_asked.connect(models.load)
        self.top_bar.models_clicked.connect(self.show_models_page)
        self.top_bar.tier_chosen.connect(models.choose_tier)
        self.top_bar.device_clicked.connect(self.show_device_page)
        self.top_bar.panel_clicked.connect(self.toggle_panel)
        self.panel.changed.connect(lambda changes: settings.update(**changes))
        self.panel.closed.connect(self.toggle_panel)
        self.chat_page.models_clicked.connect(self.show_models_page)
        self.chat_page.link_activated.connect(lambda href: dialogs.ask_about_link(self, href))
        self.chat_page.compare_asked.connect(self._compare_answer)
        self.chat_page.transcript.scrolled.connect(self._show_edge)
        self.pages.currentChanged.connect(self._show_edge)
        self.models_page.back_clicked.connect(self.show_chat_page)
        self.models_page.import_clicked.connect(self._choose_files)
        self.models_page.folder_clicked.connect(self._choose_folder)
        self.models_page.licence_asked.connect(self._show_model_licence)
        self.models_page.link_activated.connect(lambda href: dialogs.ask_about_link(self, href))
        self.models_page.chat_asked.connect(self._chat_with)
        self.models_page.said.connect(self.toast.show_text)
        models.loaded_from_disk.connect(self._on_loaded_from_disk)
        self.models_page.noticed.connect(self._notice)
        self.speed_page.back_clicked.connect(self.show_chat_page)
        self.speed_page.copy_asked.connect(self._copy_report)
        self.speed_page.delete_asked.connect(self._delete_report)
        self._speed.measured.connect(self._on_measured)
        self.neurons_page.back_clicked.connect(self.show_chat_page)
        self.neurons_page.texts_asked.connect(lambda: dialogs.ask_for_texts(self, self._studies.use_texts))
        self.neurons_page.save_asked.connect(self._save_report)
        self.neurons_page.compare_asked.connect(self._compare_prompt)
        self.comparison_page.back_clicked.connect(self._leave_comparison)
        self.device_page.back_clicked.connect(self.show_chat_page)
        self._device.changed.connect(self._show_device)
        self._device.stepped_down.connect(self._on_stepped_down)
        self._studies.studied.connect(self._on_studied)
        self._comparison.compared.connect(self._on_compared)
        chat.list_changed.connect(self._show_list)
        chat.path_changed.connect(self._show_list)
        chat.path_changed.connect(self._show_context)
        chat.answer_changed.connect(self._show_context)
        models.changed.connect(self._show_models)
        models.imported.connect(self._on_imported)
        models.failed.connect(self.show_error)
        settings.changed.connect(lambda: self.panel.show_settings(settings.value))
        settings.not_saved.connect(
            lambda reason: self.toast.show_text(self.tr("Settings could not be saved: %1").replace("%1", reason))
        )

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        self._action(menu, self.tr("New chat"), self.new_chat, QKeySequence("Ctrl+N"))
        self._action(menu, self.tr("Rename conversation"), self.sidebar.rename_current, QKeySequence("F2"))
        self._action(menu, self.tr("Delete conversation"), self._delete_current, QKeySequence("Ctrl+Shift+Backspace"))
        menu.addSeparator()
        self._action(menu, self.tr("Copy last answer"), self._copy_last, QKeySequence("Ctrl+Shift+C"))
        self._action(menu, self.tr("Answer again"), self._chat.regenerate, QKeySequence("Ctrl+R"))
        menu.addSeparator()
        self._action(menu, self.tr("Models"), self.show_models_page, QKeySequence("Ctrl+M"))
        self._action(menu, self.tr("Speed"), self.show_speed_page, QKeySequence("Ctrl+Shift+M"))
        self._action(menu, self.tr("Neurons"), self.show_neurons_page, QKeySequence("Ctrl+Shift+N"))
        self._action(menu, self.tr("Device"), self.show_device_page, QKeySequence("Ctrl+Shift+D"))
        self._action(menu, self.tr("Answer settings"), self.toggle_panel, QKeySequence("Ctrl+,"))
        self._action(menu, self.tr("Show conversations"), self.toggle_sidebar, QKeySequence("Ctrl+B"))
        menu.addMenu(self._build_theme_menu())
        menu.addSeparator()
        self._action(menu, self.tr("About Ember"), lambda: dialogs.show_about(self, self._licences["apache-2.0"]))
        self._action(menu, self.tr("Quit"), self.close, QKeySequence("Ctrl+Q"))
        return menu

    def _build_theme_menu(self) -> QMenu:
        menu = QMenu(self.tr("Theme"), self)
        group = QActionGroup(menu)
        for choice, label in (
            ("system", self.tr("Follow the system")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
        ):
            action = QAction(label, menu)
            action.setCheckable(True)
            action.setChecked(choice == self._settings.value.theme)
            action.triggered.connect(lambda _=False, c=choice: self._choose_theme(c))
            group.addAction(action)
            menu.addAction(action)
        return menu

    def _action(self, menu: QMenu, text: str, run: Callable[[], object], key: QKeySequence | None = None) -> None:
        action = QAction(text, self)
        if key is not None:
            action.setShortcut(key)
        action.triggered.connect(lambda: run())
        menu.addAction(action)
        self.addAction(action)

    # Pages and panes ----------------------------------------------------------------------------------------------

    def new_chat(self) -> None:
        self._chat.new()
        self.show_chat_page()

    def show_chat_page(self) -> None:
        self.pages.setCurrentWidget(self.chat_page)
        self._uncover_page()
        self._show_context()
        self.chat_page.composer.take_focus()

    def show_models_page(self) -> None:
        self.pages.setCurrentWidget(self.models_page)
        self._uncover_page()
        self._show_context()
        self.models_page.setFocus()

    def show_speed_page(self) -> None:
        self.pages.setCurrentWidget(self.speed_page)
        self._uncover_page()
        self._show_context()
        self.speed_page.setFocus()

    def show_neurons_page(self) -> None:
        self.pages.setCurrentWidget(self.neurons_page)
        self._uncover_page()
        self._show_context()
        self.neurons_page.setFocus()

    def show_device_page(self) -> None:
        self.pages.setCurrentWidget(self.device_page)
        self._uncover_page()
        self._show_context()
        self.device_page.setFocus()

    def show_comparison_page(self) -> None:
        current = self.pages.currentWidget()
        if current is not self.comparison_page and current is not None:
            self._before_comparison = current
        self.pages.setCurrentWidget(self.comparison_page)
        self._uncover_page()
        self._show_context()
        self.comparison_page.take_focus()

    def _leave_comparison(self) -> None:
        if self._before_comparison is self.neurons_page:
            self.show_neurons_page()
        else:
            self.show_chat_page()

    def toggle_sidebar(self) -> None:
        self._wants_sidebar = self.sidebar.isHidden()
        self._arrange()

    def _uncover_page(self) -> None:
        """Put away a sidebar that lies over the page somebody asked for."""
        if self._is_narrow and not self.sidebar.isHidden():
            self.toggle_sidebar()

    def toggle_panel(self) -> None:
        self.panel.setVisible(self.panel.isHidden())
        self._arrange()
        if self.panel.isVisible():
            self.panel.take_focus()
        else:
            self.chat_page.composer.take_focus()

    def _arrange(self) -> None:
        """Which panes have room."""
        width = self.width()
        is_crowded = not self.panel.isHidden() and width < CROWDED
        self._place_sidebar(is_over_page=width < NARROW)
        wants_sidebar = width >= NARROW if self._wants_sidebar is None else self._wants_sidebar
        self.sidebar.setVisible(wants_sidebar and not is_crowded)
        self._centre.setVisible(not is_crowded)
        self.panel.setMaximumWidth(16_777_215 if is_crowded else 312)
        self.top_bar.new_button.setVisible(self._is_narrow or self.sidebar.isHidden())
        self.top_bar.panel_button.setChecked(not self.panel.isHidden())

    def _place_sidebar(self, *, is_over_page: bool) -> None:
        """Beside the page, or over it and below the top bar, whose button puts it away again."""
        if is_over_page != self._is_narrow:
            self._is_narrow = is_over_page
            if is_over_page:
                self._row.removeWidget(self.sidebar)
            else:
                self._row.insertWidget(0, self.sidebar)
        if is_over_page:
            self.sidebar.setGeometry(0, HEIGHT, WIDTH, self.height() - HEIGHT)
            self.sidebar.raise_()

    # What is shown ------------------------------------------------------------------------------------------------

    def _show_list(self) -> None:
        summaries = self._chat.conversations()
        busy = [s.id for s in summaries if self._chat.is_busy(s.id)]
        self.sidebar.show_conversations(summaries, self._chat.conversation_id, busy)
        conversation = self._chat.conversation
        self.setWindowTitle(f"{conversation.title} – Ember" if conversation else "Ember")

    def _show_models(self) -> None:
        name, state, color = self._model_words()
        self.sidebar.show_model(name, state, color)
        self.top_bar.show_model(name, state, color)
        current = self._models.current
        ready = self._models.ready
        self.top_bar.offer_tiers(ready.tiers if ready is not None else (), self._models.tier)
        self.top_bar.offer_models(self._models.models, current.model_id if current else "")
        self._show_context()

    def _show_device(self) -> None:
        placement = self._device.placement
        if placement is None:
            self.top_bar.show_device("", "")
        elif placement.is_emulated:
            self.top_bar.show_device(self.tr("Demonstration"), device_words(DEMONSTRATION), is_essential=True)
        else:
            share = share_words(placement.hot_share)
            text = self.tr("%1 of the neurons’ work is on the card").replace("%1", share)
            self.top_bar.show_device(self.tr("card %1").replace("%1", share), text)

    def _model_words(self) -> tuple[str, str, str]:
        """Name, state and colour of the dot."""
        model, state = self._models.current, self._models.state
        name = model.name if model else self.tr("No model")
        if state == READY:
            return name, self.tr("ready"), "good"
        if state == LOADING:
            task = self._models.loading
            has_progress = task is not None and task.progress is not None
            return name, progress_words(task.progress) if task and has_progress else self.tr("loading…"), "accent"
        if state == MEASURING:
            if self._models.lent_for == NEURONS:
                return name, self.tr("pauses while neurons are studied"), "accent"
            return name, self.tr("pauses while speed is measured"), "accent"
        if state == STARTING:
            return self.tr("Ember"), self.tr("the engine is starting…"), "accent"
        if state == NO_MODEL:
            return name, self.tr("none is loaded"), "muted"
        return name, self.tr("the engine has stopped"), "danger"

    def _show_context(self) -> None:
        used = total = 0
        answer = next((m for m in reversed(self._chat.path) if m.stats is not None), None)
        if answer is not None and answer.stats is not None and self.pages.currentWidget() is self.chat_page:
            used = answer.stats.prompt_tokens + answer.stats.generated_tokens
            total = self._models.ready.context_tokens if self._models.ready else answer.stats.context_tokens
        self.top_bar.show_context(used, total)

    def _show_edge(self) -> None:
        transcript = self.chat_page.transcript
        self.top_bar.show_edge(transcript.isVisible() and transcript.verticalScrollBar().value() > 0)

    def show_error(self, text: ErrorText) -> None:
        self.toast.show_text(f"{text.cause} {text.action}")

    # What is asked ------------------------------------------------------------------------------------------------

    def _open(self, conversation_id: int) -> None:
        self._chat.open(conversation_id)
        self.show_chat_page()

    def _delete(self, conversation_id: int) -> None:
        self._chat.delete(conversation_id)
        self.toast.show_text(
            self.tr("Conversation deleted"), self.tr("Undo"), lambda: self._chat.undelete(conversation_id)
        )

    def _delete_current(self) -> None:
        if self._chat.conversation is not None:
            self._delete(self._chat.conversation.id)

    def _copy_last(self) -> None:
        answer = self.chat_page.transcript.last_answer()
        if answer is not None:
            QGuiApplication.clipboard().setText(answer.content)
            self.toast.show_text(self.tr("The last answer has been copied"))

    def _choose_theme(self, choice: str) -> None:
        self._theme.choose(choice)
        self._settings.update(theme=choice)

    def _choose_files(self) -> None:
        dialog = QFileDialog(self, self.tr("Import models"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("GGUF models (*.gguf)"), self.tr("All files (*)")])
        dialog.filesSelected.connect(lambda names: self.import_files([Path(name) for name in names]))
        dialog.open()

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Import a model's folder"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.filesSelected.connect(lambda names: self.import_files([Path(name) for name in names]))
        dialog.open()

    def import_files(self, files: list[Path]) -> None:
        self.show_models_page()
        self._models.import_files(files, self.models_page.weight_format)

    def _chat_with(self, model_id: str) -> None:
        current = self._models.current
        if current is None or current.model_id != model_id or self._models.state not in (READY, LOADING):
            self._models.load(model_id)
        self.new_chat()

    def _notice(self, text: str, action: str, run: Callable[[], None] | None) -> None:
        """Said in the window, and by the desktop where the window is not looked at."""
        self.toast.show_text(text, action, run)
        self.desktop.tell("Ember", text, run)

    def _show_model_licence(self, model_id: str) -> None:
        model = self._models.find(model_id)
        if model is not None:
            title = self.tr("Licence of %1").replace("%1", model.name)
            dialogs.show_licence(self, title, self._licences.get(model.licence.lower(), ""))

    def _on_imported(self, model: ModelInfo) -> None:
        is_current = self._models.current is not None and self._models.current.model_id == model.model_id
        text = self.tr("%1 is in the library").replace("%1", model.name)
        if is_current:
            self.toast.show_text(text)
        else:
            self.toast.show_text(text, self.tr("Load"), lambda: self._models.load(model.model_id))

    def _copy_report(self, report: ShownReport) -> None:
        QGuiApplication.clipboard().setText(report.markdown)
        self.toast.show_text(self.tr("The report has been copied as Markdown"))

    def _delete_report(self, report: ShownReport) -> None:
        try:
            undo = self._speed.delete(report)
        except OSError as error:
            words = self.tr("The report could not be deleted: %1").replace("%1", error.strerror or str(error))
            self.toast.show_text(words)
        else:
            self.toast.show_text(self.tr("Report deleted"), self.tr("Undo"), undo)

    def _compare_prompt(self, prompt: str, tier: str) -> None:
        self._comparison.compare_prompt(prompt, tier)
        self.show_comparison_page()

    def _compare_answer(self, answer: Message) -> None:
        """At the tier the answer was given at, else the one chosen now, else the first there is."""
        tiers = self._comparison.tiers
        asked_at = answer.stats.tier if answer.stats is not None else ""
        tier = next((t for t in (asked_at, self._models.tier) if t in tiers), tiers[0] if tiers else "")
        messages = self._chat.prompt_of(answer)
        if tier and messages:
            self._comparison.compare(messages, tier)
            self.show_comparison_page()

    def _save_report(self, name: str, kind: str, content: bytes) -> None:
        dialogs.ask_where_to_save(self, name, kind, lambda path: self._write_report(path, content))

    def _write_report(self, path: Path, content: bytes) -> None:
        try:
            path.write_bytes(content)
        except OSError as error:
            words = self.tr("The report could not be saved: %1").replace("%1", error.strerror or str(error))
            self.toast.show_text(words)
        else:
            self.toast.show_text(self.tr("Saved as %1").replace("%1", path.name))

    def _on_studied(self, _study: str, report: StudyReport) -> None:
        """Said where the page that shows it is not looked at."""
        if self.pages.currentWidget() is not self.neurons_page:
            text = self.tr("A study of %1 is done").replace("%1", report.head.subject.name)
            self.toast.show_text(text, self.tr("Show"), self.show_neurons_page)

    def _on_loaded_from_disk(self) -> None:
        ready = self._models.ready
        if ready is not None:
            self.toast.show_text(from_disk_words(ready.needed_bytes, ready.free_bytes, device_words).cause)

    def _on_stepped_down(self, notice: Notice) -> None:
        """Always said; the page that explains it is offered where it is not looked at."""
        text = f"{notice.text.cause} {notice.text.action}"
        if self.pages.currentWidget() is self.device_page:
            self.toast.show_text(text)
        else:
            self.toast.show_text(text, self.tr("Show"), self.show_device_page)

    def _on_compared(self) -> None:
        if self.pages.currentWidget() is not self.comparison_page:
            self.toast.show_text(
                self.tr("The two answers are there to compare"), self.tr("Show"), self.show_comparison_page
            )

    def _on_measured(self, report: ShownReport) -> None:
        """Said where the page that shows it is not looked at."""
        if self.pages.currentWidget() is self.speed_page:
            return
        text = self.tr("The speed of %1 has been measured").replace("%1", report.subject)
        self.toast.show_text(text, self.tr("Show"), self.show_speed_page)

    # Window events ------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.oldSize().width() >= NARROW) != (event.size().width() >= NARROW):
            self._wants_sidebar = None
        self._arrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._geometry_file().setValue("geometry", self.saveGeometry())
        super().closeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.desktop.forget()
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _models_among(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = _models_among(event.mimeData().urls())
        if files:
            event.acceptProposedAction()
            self.import_files(files)

    def _restore_geometry(self) -> None:
        self.resize(1100, 760)
        geometry = self._geometry_file().value("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)

    def _geometry_file(self) -> QSettings:
        return QSettings(str(self._paths.config / "window.ini"), QSettings.Format.IniFormat)


def _models_among(urls: list[QUrl]) -> list[Path]:
    """GGUF files, and folders that hold a checkpoint."""
    files = (Path(url.toLocalFile()) for url in urls if url.isLocalFile())
    return [path for path in files if path.suffix.lower() == ".gguf" or (path / "config.json").is_file()]
