"""The template's window: what is in use, what it makes of a conversation, where it fails, keeping and going back."""

from collections.abc import Callable

import pytest

from app.window.template_dialog import TemplateDialog, _utf16_offsets
from engine.template_reports import KeepTemplate, TryTemplate
from tests.app.conftest import Bench
from tests.app.fake_engine import Script

OWN = Script().own_template


def problem(source: str) -> tuple[str, int]:
    return ("TemplateSyntaxError: unexpected end", 2) if "broken" in source else ("", 0)


@pytest.fixture
def bench(make_bench: Callable[[Script], Bench]) -> Bench:
    return make_bench(Script(template_problem=problem)).start()


@pytest.fixture
def dialog(bench: Bench) -> TemplateDialog:
    bench.window.answer_windows.show_template()
    (shown,) = bench.window.findChildren(TemplateDialog)
    bench.until(lambda: shown._control.tried)
    bench.settle()
    return shown


def write(bench: Bench, dialog: TemplateDialog, source: str) -> None:
    dialog.source.setPlainText(source)
    bench.until(lambda: not dialog._control.is_trying)
    bench.settle()


def test_it_opens_with_the_template_in_use_and_what_it_makes(bench: Bench, dialog: TemplateDialog):
    assert dialog.source.toPlainText() == OWN
    assert dialog.prompt.toPlainText().startswith("<|system|>Answer briefly.<|user|>How far away is the moon?")
    assert dialog.status.text().startswith("It works")
    assert not dialog.keep_button.isEnabled()
    assert not dialog.revert_button.isEnabled()
    assert "came with the model" in dialog.origin.text()
    assert dialog.prompt.extraSelections()[0].cursor.selectedText() == "<|system|>"  # type: ignore[attr-defined]


def test_the_system_prompt_in_force_is_the_one_that_is_shown(bench: Bench):
    bench.session.controls.answers.change({"system_prompt": "Be kind."})
    bench.window.answer_windows.show_template()
    (dialog,) = bench.window.findChildren(TemplateDialog)
    bench.until(lambda: dialog._control.tried)

    assert "<|system|>Be kind." in dialog.prompt.toPlainText()
    dialog.with_system.setChecked(False)
    bench.until(lambda: not dialog.prompt.toPlainText().startswith("<|system|>"))


def test_a_mistake_is_shown_with_its_line_and_cannot_be_kept(bench: Bench, dialog: TemplateDialog):
    write(bench, dialog, "one\nbroken")

    assert dialog.status.text() == "Line 2: TemplateSyntaxError: unexpected end."
    assert dialog.source.extraSelections()[0].cursor.blockNumber() == 1  # type: ignore[attr-defined]
    assert not dialog.keep_button.isEnabled()
    write(bench, dialog, "good")
    assert dialog.source.extraSelections() == []
    assert dialog.keep_button.isEnabled()


def test_another_template_is_kept_and_taken_back(bench: Bench, dialog: TemplateDialog):
    write(bench, dialog, "another")
    dialog.keep_button.click()
    bench.until(lambda: dialog._control.read and dialog._control.read.kept == "another")
    assert dialog.status.text() == "This template is used from the next message on."
    assert "in place of" in dialog.origin.text()
    assert not dialog.keep_button.isEnabled()

    dialog.revert_button.click()
    bench.until(lambda: dialog._control.read and not dialog._control.read.kept)
    assert dialog.source.toPlainText() == OWN
    assert [r.source for r in bench.engine.asked(KeepTemplate)] == ["another", ""]  # type: ignore[union-attr]


def test_only_the_newest_of_what_is_typed_is_tried(bench: Bench, dialog: TemplateDialog):
    before = len(bench.engine.asked(TryTemplate))
    for n in range(20):
        dialog.source.setPlainText(f"text {n}")
    bench.until(lambda: not dialog._control.is_trying)

    tried = [r.source for r in bench.engine.asked(TryTemplate)[before:]]  # type: ignore[union-attr]
    assert tried == ["text 19"]


def test_a_dead_engine_is_said(bench: Bench, dialog: TemplateDialog):
    bench.engine.die()
    bench.until(lambda: dialog._error)

    assert dialog._error is not None
    assert dialog._error.text.cause == "The engine has stopped."


def test_places_are_counted_as_qt_counts_them():
    assert _utf16_offsets("a👍b") == [0, 1, 3, 4]
