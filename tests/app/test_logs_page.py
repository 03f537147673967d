"""The logs page shows what was written down while it is looked at, and its report is read before it is copied."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit

from app.log_lines import MOST_LINES
from app.window.logs_page import LogsPage
from tests.app.conftest import Bench
from tests.app.fake_engine import Script

MakeBench = Callable[..., Bench]

ENGINE = """2026-11-30 12:00:00,100 INFO engine.host: started
2026-11-30 12:00:02,100 WARNING engine.runtime: fewer threads
2026-11-30 12:00:04,100 ERROR engine.worker: it broke
Traceback (most recent call last):
ValueError: hf_AbCdEfGhIjKlMnOpQrSt is no model
"""
WINDOW = "2026-11-30 12:00:03,000 INFO app.window: opened\n"


@pytest.fixture
def page(bench: Bench) -> LogsPage:
    write(bench.paths.engine_log, ENGINE)
    write(bench.paths.logs / "window.log", WINDOW)
    bench.window.show_logs_page()
    bench.settle()
    return bench.window.logs_page


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(text)


def test_both_logs_are_shown_in_the_order_of_time(page: LogsPage) -> None:
    assert [each.source for each in page.lines] == ["engine", "engine", "window", "engine", "engine", "engine"]
    assert "12:00:03 window INFO app.window: opened" in page.text.toPlainText()


def test_a_level_and_words_leave_less(page: LogsPage) -> None:
    page.level.setCurrentIndex(page.level.findData("WARNING"))
    assert len(page.lines) == 4

    page.search.setText("fewer")
    page._search_timer.timeout.emit()
    assert [each.level for each in page.lines] == ["WARNING"]

    page.search.setText("nothing of the kind")
    page._search_timer.timeout.emit()
    assert page.lines == ()
    assert page._count.text() == "No line matches"


def test_new_lines_are_added_and_kept_in_sight(bench: Bench, page: LogsPage) -> None:
    write(bench.paths.engine_log, "".join(f"2026-11-30 12:01:00,000 INFO engine: line {n}\n" for n in range(300)))

    page.read_on()

    bar = page.text.verticalScrollBar()
    assert page.lines[-1].text.endswith("line 299")
    assert bar.value() == bar.maximum() > 0


def test_without_following_the_place_is_kept(bench: Bench, page: LogsPage) -> None:
    write(bench.paths.engine_log, "".join(f"2026-11-30 12:01:00,000 INFO engine: line {n}\n" for n in range(300)))
    page.read_on()
    page.follow.setChecked(False)
    page.text.verticalScrollBar().setValue(3)

    write(bench.paths.engine_log, "2026-11-30 12:02:00,000 INFO engine: one more\n")
    page.read_on()

    assert page.text.verticalScrollBar().value() == 3
    assert not page._timer.isActive()


def test_nothing_is_read_while_nobody_looks(bench: Bench, page: LogsPage) -> None:
    assert page._timer.isActive()

    bench.window.show_chat_page()

    assert not page._timer.isActive()


def test_the_lines_are_bounded(bench: Bench, page: LogsPage) -> None:
    write(bench.paths.engine_log, "".join(f"2026-11-30 12:01:00,000 INFO e: {n}\n" for n in range(MOST_LINES + 50)))

    page.read_on()

    assert len(page.lines) == MOST_LINES
    assert page.text.blockCount() <= MOST_LINES


def test_the_lines_shown_or_those_selected_can_be_copied(bench: Bench, page: LogsPage) -> None:
    page.level.setCurrentIndex(page.level.findData("WARNING"))

    page._copy.click()

    assert QGuiApplication.clipboard().text() == page.text.toPlainText()
    assert "4" in bench.window.toast._label.text()
    cursor = page.text.textCursor()
    cursor.select(cursor.SelectionType.LineUnderCursor)
    page.text.setTextCursor(cursor)
    page._copy.click()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 1


def test_without_a_log_its_place_is_named(bench: Bench) -> None:
    bench.window.show_logs_page()
    bench.settle()

    assert str(bench.paths.logs) in bench.window.logs_page._count.text()


def test_the_report_is_shown_before_it_is_copied_and_holds_no_secret(bench: Bench, page: LogsPage) -> None:
    bench.session.settings.update(system_prompt="You are a secret agent")
    bench.ask("My deepest secret")
    QGuiApplication.clipboard().setText("before")

    page._report.click()

    (dialog,) = [each for each in bench.window.findChildren(QDialog) if each.isVisible()]
    (field,) = dialog.findChildren(QPlainTextEdit)
    text = field.toPlainText()
    assert "it broke" in text
    assert "version:" in text
    for secret in ("hf_AbCdEf", "secret agent", "deepest secret", "Hello, world"):
        assert secret not in text
    assert QGuiApplication.clipboard().text() == "before"
    (buttons,) = dialog.findChildren(QDialogButtonBox)
    next(each for each in buttons.buttons() if each.text() == "Copy").click()
    assert QGuiApplication.clipboard().text() == text


def test_escape_leads_back_to_where_it_was_opened(make_bench: MakeBench) -> None:
    bench = make_bench(Script()).start()
    bench.window.show_settings_page()
    bench.window.show_logs_page()

    QTest.keyClick(bench.window.logs_page.search, Qt.Key.Key_Escape)

    assert bench.window.pages.current == "settings"
