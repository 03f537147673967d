"""Start of the window: builds the objects, passes them to each other, runs the loop, closes in order.

The engine's process is started once the window is on the screen; neither numba nor torch nor numpy is ever imported
here. Decides only what happens when the conversations cannot be opened, or are open in another window already.
"""

import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from PySide6.QtCore import QCoreApplication, QLockFile, QSocketNotifier, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from app.chat.chats import Chats
from app.handover import NOTHING_ASKED, Opening, hand_over, handover_folder
from app.logs import start_logging, watch_crashes
from app.paths import AppPaths, assets_dir
from app.presets import PresetError, PresetFile
from app.prompt_library import PromptLibrary
from app.settings_file import SettingsFile, problem_words
from app.window.answer_control import AnswerControl
from app.window.bridge import EngineBridge, OpenEngine
from app.window.chat_control import ChatControl
from app.window.chats.opening import open_store, opening_notices
from app.window.composer.message_queue import MessageQueue
from app.window.context_control import ContextControl
from app.window.controls import Controls
from app.window.device.device_control import DeviceControl
from app.window.icons import app_icon
from app.window.idle_unload import IdleUnload
from app.window.language import Language
from app.window.main_window import MainWindow
from app.window.memory_estimates import MemoryEstimates
from app.window.model_control import ModelControl
from app.window.models.hub_controls import hub_controls
from app.window.models_page import DISCOVER
from app.window.neurons.comparison_control import ComparisonControl
from app.window.neurons.study_control import StudyControl
from app.window.preset_words import preset_error_words
from app.window.second_start import SecondStart
from app.window.settings_control import SettingsControl
from app.window.settings_ways import show_diagnostics
from app.window.speed_control import SpeedControl
from app.window.theme import Theme
from app.window.wizard.welcome import WelcomeDialog
from app.window.wording import translate
from engine.api import Engine, OnEvent, open_engine
from engine.messages import EngineConfig

log = logging.getLogger(__name__)


def run_window(paths: AppPaths, opening: Opening = NOTHING_ASKED) -> int:
    """Run the application until its window is closed; the exit code of the process.

    Where a window is open on the same data, that one comes in front instead and shows what is asked for.
    """
    start_logging(paths.logs)
    watch_crashes(paths.logs)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)  # noqa: S101 - nothing else makes one
    app.setApplicationName("Ember")
    app.setDesktopFileName("ember")
    app.setWindowIcon(app_icon())
    settings_file = SettingsFile(paths.settings)
    language = Language(app, assets_dir() / "translations", settings_file.settings.language)
    lock = lock_data(paths)
    if lock is None:
        log.info("another window has the data: %s", paths.data)
        if not _hand_over(paths, opening):
            _say_already_open()
        return 0
    chosen_look = settings_file.settings
    theme = Theme(app, assets_dir(), chosen_look.theme, chosen_look.accent, chosen_look.zoom)
    store = open_store(paths.conversations)
    if store is None:
        return 1
    config = EngineConfig(str(paths.library), str(paths.kernel_cache), log_path=str(paths.engine_log))

    def opener(on_event: OnEvent) -> Engine:
        """With the card and the budget wished for at the time."""
        chosen = window.settings.value
        return open_engine(replace(config, card=chosen.card, vram_bytes=chosen.vram_bytes), on_event)

    window = Session(paths, settings_file, theme, store, opener)
    window.follow(language)
    with _ended_by_signals(app):
        window.open()
        if opening != NOTHING_ASKED:
            window.window.show_opening(opening)
        if not window.settings.value.is_welcomed:
            window.ask_first_questions()
        code = app.exec()
    window.close()
    lock.unlock()
    return code


class Session:
    """The objects of one run, in the order in which they need each other."""

    def __init__(self, paths: AppPaths, file: SettingsFile, theme: Theme, store: Chats, opener: OpenEngine) -> None:
        self._file = file
        self.store = store
        self.settings = SettingsControl(file)
        self.bridge = EngineBridge(opener)
        self.models = ModelControl(self.bridge, self.settings)
        self.presets = PresetFile(paths.presets)
        notices = opening_notices(store, paths.previous_conversations)
        self.chat = ChatControl(self.bridge, self.models, self.settings, store)
        self.chat.notices = notices
        self.speed = SpeedControl(self.bridge, self.models, self.chat, paths.benchmarks, _version)
        self.studies = StudyControl(self.bridge, self.models, self.chat, _version)
        self.comparison = ComparisonControl(self.bridge, self.models, self.chat)
        self.device = DeviceControl(self.bridge, self.models, self.chat, self.settings)
        self.hub = hub_controls(self.bridge, self.models, self.settings, paths)
        if store.interrupted:
            self.chat.open(store.interrupted[0])
        self.controls = Controls(
            paths,
            self.settings,
            theme,
            self.models,
            self.chat,
            self.speed,
            self.studies,
            self.comparison,
            self.device,
            self.hub,
            # in this order: what an answer has added is counted before the next message of the queue is sent
            ContextControl(self.bridge, self.models, self.chat, self.settings, self.chat),
            MessageQueue(self.chat, self.chat),
            PromptLibrary(paths.prompts, assets_dir() / "prompts"),
            AnswerControl(self.chat, self.settings, self.presets, self.chat),
            MemoryEstimates(self.bridge, self.models, self.models),
            self.bridge,
        )
        self.idle = IdleUnload(self.models, self.chat, self.comparison, self.settings, self.models)
        self.settings.changed.connect(self._show_look)
        self.welcome: WelcomeDialog | None = None
        self.second_start = SecondStart(handover_folder(paths))
        self.second_start.asked.connect(self._on_second_start)
        self.window = MainWindow(self.controls)
        if store.interrupted:  # whichever page was shown at the last proper end
            self.window.show_chat_page()
        self.connect_window()

    def open(self) -> None:
        self.window.show()
        # After the first paint: starting a process takes the window's thread a few hundredths of a second.
        QTimer.singleShot(0, self.models, self.models.start)
        problem = self._file.problem
        if problem is not None:
            self.window.toast.show_text(problem_words(problem, translate))
        elif self.presets.problem:
            error = PresetError("file", self.presets.problem)
            self.window.notices.show_error(preset_error_words(error, self.presets.path.name))

    def connect_window(self) -> None:
        """What a window asks of the run it is part of."""
        self.window.welcome_asked.connect(self.ask_first_questions)
        self.window.diagnostics_asked.connect(self._show_diagnostics)

    def ask_first_questions(self) -> None:
        if self.welcome is None:
            self.welcome = WelcomeDialog(self.controls)
            self.welcome.ended.connect(self._forget_welcome)
            self.welcome.discover_asked.connect(self._discover)
        self.welcome.show()
        self.welcome.raise_()
        self.welcome.activateWindow()

    def _forget_welcome(self) -> None:
        if self.welcome is not None:
            self.welcome.deleteLater()
            self.welcome = None

    def _discover(self) -> None:
        self.window.show_models_page()
        self.window.models_page.show_part(DISCOVER)

    def _show_diagnostics(self) -> None:
        show_diagnostics(self.window, _version)

    def _on_second_start(self, opening: Opening) -> None:
        self.window.show_opening(opening)

    def _show_look(self) -> None:
        value = self.settings.value
        self.controls.theme.show(value.theme, value.accent, value.zoom)

    def follow(self, language: Language) -> None:
        """Speak the language of the settings, whenever they change."""
        self.settings.changed.connect(lambda: language.choose(self.settings.value.language))
        language.changed.connect(self._renew_window, Qt.ConnectionType.QueuedConnection)

    def _renew_window(self) -> None:
        """Another window in the other language, over the same conversations and the same engine."""
        QApplication.setQuitOnLastWindowClosed(False)
        is_active = self.window.isActiveWindow()
        self.window.close()
        self.window.deleteLater()
        self.speed.refresh()
        self.window = MainWindow(self.controls)
        self.connect_window()
        self.window.show()
        if is_active:  # keys go on meaning what they meant
            self.window.activateWindow()
        QApplication.setQuitOnLastWindowClosed(True)

    def close(self) -> None:
        """Everything written, then the engine, then the file."""
        self.idle.shut_down()
        self.chat.shut_down()
        self.speed.shut_down()
        self.studies.shut_down()
        self.comparison.shut_down()
        self.device.shut_down()
        self.hub.shut_down()
        self.bridge.close()
        self.settings.save()
        self.store.database.close()


def lock_data(paths: AppPaths) -> QLockFile | None:
    """A lock that is this process's as long as it lives; None where another window has it.

    A second window would take the first one's running answer for interrupted, and remove what can still be undone.
    """
    try:
        paths.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        log.warning("no data folder: %s", error)  # opening the conversations will say so
    lock = QLockFile(str(paths.data / "window.lock"))
    lock.setStaleLockTime(0)  # however old, it is stale only once its process is gone
    if lock.tryLock(0):
        return lock
    if lock.error() == QLockFile.LockError.LockFailedError:
        return None
    log.warning("the data could not be locked: %s", lock.error().name)
    return lock


def _hand_over(paths: AppPaths, opening: Opening) -> bool:
    try:
        return hand_over(handover_folder(paths), opening)
    except OSError as error:
        log.warning("nothing handed over to the open window: %s", error)
        return False


def _say_already_open() -> None:
    box = QMessageBox(QMessageBox.Icon.Information, "Ember", _tr("Ember is already open."))
    box.setInformativeText(_tr("Its window does not answer. Look for it, or end that process and start again."))
    box.exec()


def _version() -> str:
    from app.command_line.version import version  # here, since the window is to open quickly

    return version()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Start", text)


@contextmanager
def _ended_by_signals(app: QApplication) -> Iterator[None]:
    """Close properly on Ctrl+C in a terminal and when the session ends."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def quit_app(_number: int, _frame: FrameType | None) -> None:
        app.quit()

    before = {number: signal.signal(number, quit_app) for number in (signal.SIGINT, signal.SIGTERM)}
    # Python runs a signal's handler between two of its own instructions; waking it up takes a Qt event.
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: reader.recv(64))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(before_fd)
        for number, handler in before.items():
            signal.signal(number, handler)
        reader.close()
        writer.close()
