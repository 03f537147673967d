"""A walk through the whole window in another language: nothing English is left, and longer texts are not cut off."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from app.benchmark_history import save_report
from app.language import speak, unchanged
from app.paths import AppPaths, assets_dir
from app.window import dialogs
from app.window.language import Language
from app.window.models_page import DISCOVER
from app.window.wording import translate
from engine.errors import ContextFull
from engine.neuron_reports import TIERS
from tests.app import benchmark_samples, models_samples, neuron_samples
from tests.app.conftest import Bench
from tests.app.device_screenshots import with_card
from tests.app.fake_engine import BASE, OTHER, STARTER, Script
from tests.app.shown_texts import Lengthened, cut_off, english_left, installed

MODELS = (STARTER, models_samples.FETCHED, OTHER, BASE)
DOWNLOADS = (models_samples.running(), models_samples.PAUSED, models_samples.STALLED, models_samples.FULL)
QUESTION = "下雨是怎么回事？"
# What is not Ember's to translate: names of models, authors, files and formats, commands, and what a system says.
KNOWN = re.compile(
    r"ember \w+|gated (?:relu|silu)|Jane Austen.*|三国演义.*|Python's standard.*|A corpus of.*|[\w./-]*/[\w./-]+|"
    r"pip install.*|Ctrl\+\S+|MiniCPM-S 1B in LLaMA's format|llama\.cpp|card of Bamboo-base-v0_1|"
    r"^(?:python|html|Ember|English|Enter|Esc|Tab|Markdown|JSON|Hub)$"
)

# Commands that open a dialog.
DIALOGS = ("shortcuts", "about", "export_chat", "show_trash", "edit_prompts")

WIDE = 1180

Visit = Callable[[str, QWidget], None]


@pytest.fixture
def script() -> Script:
    return replace(
        with_card(MODELS), tiers=TIERS, known={STARTER.model_id: neuron_samples.every_report()},
        hub=models_samples.hub_script(downloads=DOWNLOADS, trash=models_samples.TRASH),
        answer=lambda _: ("雨从**蒸发**开始。\n\n```python\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def plain_afterwards() -> Iterator[None]:
    before = QLocale()
    yield
    speak(unchanged)
    QLocale.setDefault(before)


def walk(bench: Bench, visit: Visit, width: int = WIDE) -> None:
    """Every page in its fullest state, the panes beside them, and the menus."""
    window, session = bench.window, bench.session
    window.resize(width, 900)

    def at(name: str, show: Callable[[], object], root: QWidget | None = None) -> None:
        show()
        bench.settle()
        bench.qtbot.wait(20)  # layouts answer each other over several turns of the loop
        visit(name, root or window)

    at("empty", lambda: None)
    bench.ask(QUESTION)
    bench.script.answer_error = ContextFull(9120, 8192).report()
    bench.send("再说一遍")
    bench.until(lambda: bench.chat.answering is None)
    bench.script.answer_error = None
    at("chat", window.show_chat_page)
    at("answer settings", window.toggle_panel)
    window.toggle_panel()
    at("models here", window.show_models_page)
    bench.until(lambda: session.hub.downloads.is_known)
    at("downloads", lambda: window.models_page.downloads.rows[0].toggle_files())
    at("discover", lambda: window.models_page.show_part(DISCOVER))
    bench.until(lambda: session.hub.hub.catalog)
    at("catalogue", bench.settle)
    window.models_page.look_at(models_samples.SMALL)
    bench.until(lambda: (looked := session.hub.hub.looked) and not looked.is_asking and not looked.is_judging)
    at("a model's page", bench.settle)
    at("speed", window.show_speed_page)
    bench.until(lambda: window.speed_page._cards)
    at("a benchmark", lambda: next(iter(window.speed_page._cards.values())).header.setChecked(True))
    at("neurons", window.show_neurons_page)
    bench.until(lambda: session.studies.known)
    for study, card in window.neurons_page.cards.items():
        at(study, lambda card=card: card.open(True))
        card.open(False)
    at("device", window.show_device_page)
    bench.until(lambda: session.device.report and session.device.offer)
    at("device measured", bench.settle)
    window.show_settings_page()
    for section in range(9):
        at(f"settings {section}", lambda section=section: window.settings_page.show_section(section))
    at("logs", window.show_logs_page)
    at("commands", window.command_palette.toggle)
    window.command_palette.hide()
    for menu in window.findChildren(QMenu):
        visit("menu", menu)


def walk_dialogs(bench: Bench, visit: Visit) -> None:
    """After a walk: what lies over a page, every dialog, and the first questions."""
    window, session = bench.window, bench.session
    window.show_chat_page()
    for command in ("find_in_chat", "new_temporary_chat"):
        window.commands.command(command).action.trigger()
        bench.qtbot.wait(20)
        visit(command, window)
    bench.chat.open(bench.chat.conversations()[0].id)
    window.choose_model()
    bench.settle()
    visit("choose_model", window.picker)
    window.picker.hide()
    opens = {name: window.commands.command(name).action.trigger for name in DIALOGS}
    opens |= {
        "hub and library": window.models_page.open_settings,
        "test of the connection": window.models_page.open_test,
        "models in the trash": window.models_page._open_trash,
        "models of others": window.models_page._open_adoption,
        "card": lambda: session.hub.library.read_card(models_samples.FETCHED.model_id),
        "link": lambda: dialogs.ask_about_link(window, "https://example.org/"),
        "template": window.answer_windows.show_template,
        "details": lambda: window.answer_windows.show_details(bench.chat.path[1].id),
    }
    for name, open_it in opens.items():
        open_it()
        bench.until(lambda: shown_dialogs())
        bench.qtbot.wait(20)
        for dialog in shown_dialogs():
            visit(name, dialog)
            dialog.hide()
            dialog.deleteLater()
            bench.settle()
    session.ask_first_questions()
    assert session.welcome is not None
    for step in range(len(session.welcome.steps)):
        session.welcome.go_to(step)
        bench.settle()
        visit(f"first questions {step}", session.welcome)
    session.welcome.close()


def shown_dialogs() -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and isinstance(widget, QDialog)]


def bench_with_reports(make_bench: Callable[[Script], Bench], script: Script, paths: AppPaths) -> Bench:
    save_report(paths.benchmarks, benchmark_samples.REPORT)
    bench = make_bench(script).start()
    bench.settle()
    return bench


def test_nothing_english_is_left_in_a_chinese_window(qapp, make_bench, script, paths):
    language = Language(qapp, assets_dir() / "translations", "zh_CN")
    left: dict[str, str] = {}

    def visit(name: str, root: QWidget) -> None:
        for shown in english_left(root, known=KNOWN):
            left.setdefault(shown.text, f"{name}: {shown.where}")

    try:
        bench = bench_with_reports(make_bench, script, paths)
        walk(bench, visit)
        walk_dialogs(bench, visit)
    finally:
        language.choose("en")
        language.deleteLater()

    assert not left, "\n".join(f"{where}: {text}" for text, where in left.items())


@pytest.mark.parametrize("width", [WIDE, 620])
def test_no_label_or_button_is_cut_off_where_texts_are_longer(qapp, make_bench, script, paths, width):
    longer = installed(Lengthened(qapp))
    speak(translate)
    found: dict[str, str] = {}

    def visit(name: str, root: QWidget) -> None:
        for shown in cut_off(root):
            found.setdefault(shown.text, f"{name}: {shown.where}")

    try:
        bench = bench_with_reports(make_bench, script, paths)
        walk(bench, visit, width)
        if width == WIDE:  # dialogs have widths of their own
            walk_dialogs(bench, visit)
    finally:
        QCoreApplication.removeTranslator(longer)

    assert not found, "\n".join(f"{where}: {text}" for text, where in found.items())
