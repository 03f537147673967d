"""The language of the window: which one is chosen, what it changes, and that nothing is lost when it changes."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.engine_phrases import ENGINE_PHRASES, phrase
from app.error_text import describe
from app.language import language_of, speak, unchanged
from app.paths import assets_dir
from app.time_left import time_left_words
from app.window.language import Language
from app.window.wording import number, translate
from engine.errors import OutOfMemory

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def language(qapp: QApplication):
    """English whatever the system's is; afterwards nothing is translated any more."""
    before = QLocale()
    made = Language(qapp, assets_dir() / "translations", "en")
    yield made
    made.choose("en")
    speak(unchanged)
    QLocale.setDefault(before)
    made.deleteLater()


@pytest.mark.parametrize(
    ("choice", "wanted", "expected"),
    [
        ("en", ["zh-Hans-CN"], "en"),
        ("zh_CN", ["en-US"], "zh_CN"),
        ("system", ["zh-Hans-CN", "en-US"], "zh_CN"),
        ("system", ["zh_CN"], "zh_CN"),
        ("system", ["zh-SG"], "zh_CN"),
        ("system", ["de-DE", "zh-Hans-CN", "en"], "zh_CN"),
        ("system", ["en-GB", "zh-CN"], "en"),
        ("system", ["zh-Hant-TW", "en"], "en"),
        ("system", ["fr-FR"], "en"),
        ("system", [], "en"),
        ("klingon", ["zh-CN"], "zh_CN"),
    ],
)
def test_a_choice_means_itself_or_the_first_of_the_systems_languages_that_ember_speaks(choice, wanted, expected):
    assert language_of(choice, wanted) == expected


def test_a_language_reaches_classes_words_without_qt_qts_own_texts_and_numbers(language):
    error = OutOfMemory(needed_bytes=2_000_000_000, available_bytes=1_000_000_000, what="KV cache").report()

    language.choose("zh_CN")

    assert QCoreApplication.translate("Sidebar", "Neurons") == "神经元"
    assert time_left_words(20) == "剩余不到一分钟"
    assert "KV 缓存" in describe(error, translate).cause
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    assert number(1234567) == "1,234,567"
    assert QLocale().language() == QLocale.Language.Chinese

    language.choose("en")

    assert QCoreApplication.translate("Sidebar", "Neurons") == "Neurons"
    assert time_left_words(20) == "less than a minute left"
    assert QLocale().language() == QLocale.Language.English


def test_a_choice_that_means_the_same_language_changes_nothing(language, qtbot):
    with qtbot.assertNotEmitted(language.changed):
        language.choose("en")


def test_another_language_makes_another_window_and_loses_neither_an_answer_nor_a_draft(bench, language, qtbot):
    session, engine = bench.session, bench.engine
    session.follow(language)
    bench.script.answer = lambda _request: (f"word{i} " for i in range(150))
    bench.script.pause_s = 0.02
    bench.send("Tell me something long")
    bench.until(lambda: bench.chat.is_answering_here)
    bench.composer.set_text("An unfinished thought")
    old = session.window
    old.show_models_page()
    assert old.isActiveWindow()

    session.settings.update(language="zh_CN")
    bench.until(lambda: session.window is not old)
    bench.window = session.window

    assert session.window.isVisible()
    bench.until(session.window.isActiveWindow)
    assert session.window.pages.current == "models"
    assert session.window.chat_page.composer.text == "An unfinished thought"
    assert "神经元" in {button.accessibleName() for button in session.window.sidebar.findChildren(QAbstractButton)}
    assert bench.engine is engine
    bench.until(lambda: bench.chat.answering is None)
    assert bench.chat.path[-1].status == "done"
    bench.until(lambda: session.window.chat_page.transcript.last_answer() is not None)
    assert session.window.chat_page.transcript.last_answer().content == bench.chat.path[-1].content
    bench.settle()
    with pytest.raises(RuntimeError):
        old.isVisible()
    # nothing of the old window hears the controls any more: what did would raise here
    for control in (
        session.settings,
        session.models,
        session.speed,
        session.studies,
        session.comparison,
        session.device,
    ):
        control.changed.emit()
    for control in (session.hub.downloads, session.hub.library, session.hub.hub, session.hub.network):
        control.changed.emit()
    session.hub.library.restored.emit("a model")
    session.hub.library.emptied.emit(1000)
    bench.chat.list_changed.emit()
    bench.settle()


def test_every_phrase_that_is_translated_is_one_the_engine_says():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py")]

    unsaid = [words for words in ENGINE_PHRASES if not any(words in source for source in sources)]

    assert unsaid == []


def test_words_of_a_file_that_the_engine_read_are_filled_in(language):
    language.choose("zh_CN")

    assert phrase("1024 bytes from cdn.example") == "从 cdn.example 读取了 1024 字节"
    assert phrase("status 200") == "状态 200"
    assert phrase("tensor model.embed is not what it says") == "tensor model.embed is not what it says"
