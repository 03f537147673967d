"""How answers are made: for all chats or for one, by presets, and what the model then gets to hear."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from app.answer_settings import AnswerSettings
from app.presets import PresetFile
from app.window.answer_control import AnswerControl
from app.window.answer_panel import AnswerPanel
from engine.messages import Generate
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, STARTER, Script

MakeBench = Callable[[Script], Bench]


@pytest.fixture
def answers(bench: Bench) -> AnswerControl:
    return bench.session.controls.answers


@pytest.fixture
def panel(bench: Bench) -> AnswerPanel:
    bench.window.toggle_panel()
    bench.settle()
    return bench.window.panel


def asked(bench: Bench) -> Generate:
    request = bench.engine.asked(Generate)[-1]
    assert isinstance(request, Generate)
    return request


def typed(panel: AnswerPanel, name: str, text: str) -> None:
    field = panel._fields[name]
    assert isinstance(field, QPlainTextEdit)
    field.setPlainText(text)


def test_a_preset_changes_how_tokens_are_chosen_and_keeps_the_system_prompt(bench: Bench, answers: AnswerControl):
    answers.change({"system_prompt": "Be brief."})

    answers.choose_preset("precise")
    bench.ask("Hello")

    assert asked(bench).sampling.temperature == 0.2
    assert asked(bench).messages[0].content == "Be brief."
    assert answers.changed_fields == ()
    assert bench.session.settings.value.preset == "precise"


def test_a_change_is_shown_and_taken_back(bench: Bench, answers: AnswerControl, panel: AnswerPanel):
    panel._fields["top_k"].changed.emit(7)  # type: ignore[union-attr]

    assert answers.changed_fields == ("top_k",)
    assert panel.preset.choice.currentText() == "Balanced (changed)"
    assert not panel._resets["top_k"].isHidden()
    assert panel._resets["min_p"].isHidden()
    panel._resets["top_k"].click()

    assert answers.value == AnswerSettings(preset="balanced")
    assert panel.preset.choice.currentText() == "Balanced"
    assert panel._resets["top_k"].isHidden()


def test_a_chat_has_settings_of_its_own_and_keeps_them(bench: Bench, answers: AnswerControl, panel: AnswerPanel):
    bench.ask("First")
    first = bench.chat.conversation_id
    answers.show_for_chat(True)
    answers.choose_preset("creative")
    typed(panel, "system_prompt", "You are a poet.")
    bench.ask("Second")
    assert asked(bench).sampling.temperature == 1.0
    assert asked(bench).messages[0].content == "You are a poet."

    bench.window.new_chat()
    assert not answers.is_for_chat
    bench.ask("Elsewhere")
    assert asked(bench).sampling.temperature == 0.7
    assert asked(bench).messages[0].role == "user"

    bench.chat.shut_down()
    bench.chat.open(str(first))
    assert answers.is_own
    assert answers.is_for_chat
    stored = bench.session.store.load(str(first))
    assert stored.answers is not None
    assert (stored.answers.preset, stored.system_prompt) == ("creative", "You are a poet.")
    answers.use_default()
    assert answers.value == AnswerSettings(preset="balanced")
    bench.ask("Third")
    assert asked(bench).sampling.temperature == 0.7


def test_what_is_chosen_before_the_first_message_is_the_new_chats(bench: Bench, answers: AnswerControl):
    bench.window.new_chat()
    answers.show_for_chat(True)
    answers.change({"temperature": 0.0, "stop": ("END",)})

    bench.ask("Hello")

    assert asked(bench).sampling.temperature == 0.0
    assert asked(bench).sampling.stop == ("END",)
    assert answers.is_own
    bench.window.new_chat()
    assert not answers.is_own
    assert bench.session.settings.value.temperature == 0.7


def test_a_fork_goes_on_with_the_same_settings(bench: Bench, answers: AnswerControl):
    bench.ask("Hello")
    answers.show_for_chat(True)
    answers.change({"temperature": 0.1})
    bench.chat._choices.save()
    bench.chat.branches.fork(bench.chat.path[-1].id)

    assert answers.value.temperature == 0.1


def test_stop_strings_are_typed_one_a_line(bench: Bench, panel: AnswerPanel):
    typed(panel, "stop", "\\n\\n\n\nUser:\nUser:")
    bench.ask("Hello")

    assert asked(bench).sampling.stop == ("\n\n", "User:")


def test_too_long_a_stop_string_is_said_and_not_taken(bench: Bench, answers: AnswerControl, panel: AnswerPanel):
    typed(panel, "stop", "END")
    typed(panel, "stop", "x" * 201)

    assert "200" in panel._stops_problem.text()
    assert not panel._stops_problem.isHidden()
    assert answers.value.stop == ("END",)
    typed(panel, "stop", "x" * 200)
    assert panel._stops_problem.isHidden()
    assert answers.value.stop == ("x" * 200,)


def test_a_preset_is_kept_renamed_deleted_and_brought_back(bench: Bench, answers: AnswerControl):
    answers.change({"temperature": 0.33, "system_prompt": "Rhyme."})
    assert answers.save_preset("Poems")
    assert answers.preset is not None
    assert answers.preset.name == "Poems"
    answers.change({"temperature": 0.4})
    answers.update_preset()
    assert answers.changed_fields == ()

    assert answers.rename_preset("own:Poems", "Rhymes")
    assert bench.session.settings.value.preset == "own:Rhymes"
    gone = []
    answers.preset_deleted.connect(gone.append)
    answers.delete_preset("own:Rhymes")
    assert answers.preset is None
    assert answers.value.temperature == 0.4
    answers.restore_preset(gone[0])
    assert answers.preset is not None
    assert PresetFile(bench.paths.presets).own[0].settings.temperature == 0.4


def test_a_name_that_is_taken_is_refused_in_words(bench: Bench, answers: AnswerControl):
    said = []
    answers.failed.connect(said.append)

    assert not answers.save_preset("Creative")

    assert said[0].cause == "There is a preset called “Creative” already."
    assert answers.preset is not None
    assert answers.preset.key == "balanced"


def test_a_preset_goes_to_a_file_and_comes_from_one(bench: Bench, answers: AnswerControl, tmp_path: Path):
    answers.change({"min_p": 0.2})
    answers.save_preset("Mine")
    answers.hand_on("own:Mine", tmp_path / "mine")
    answers.choose_preset("code")

    (taken,) = answers.take_in(tmp_path / "mine.toml")

    assert (taken.name, answers.value.min_p) == ("Mine 2", 0.2)


def test_a_seed_repeats_an_answer_and_is_among_what_is_known_of_it(bench: Bench, answers: AnswerControl):
    answers.change({"seed": 42})
    bench.ask("Hello")

    message = bench.chat.path[-1]
    assert asked(bench).sampling.seed == 42
    assert message.facts.sampling is not None
    assert (message.facts.sampling.seed, message.facts.preset) == (42, "balanced")
    assert bench.session.store.message(message.id).facts == message.facts


def test_a_base_model_goes_on_with_the_text(make_bench: MakeBench):
    bench = make_bench(Script(models=(BASE,))).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    bench.models.load(BASE.model_id)
    bench.until(lambda: bench.models.state == "ready")
    panel = bench.window.panel
    assert bench.window.top_bar.model.accessibleName() == "Model: Base 350M, completes text"
    assert "does not read a system prompt" in panel._prompt_words.text()
    assert "goes on with what you write" in bench.composer._hint.text()

    bench.ask("Once upon a time")
    assert asked(bench).completes_text
    panel._completes.setChecked(False)
    bench.ask("Who are you?")

    assert not asked(bench).completes_text
    assert bench.window.top_bar.model.accessibleName() == "Model: Base 350M, ready"


def test_a_chat_model_never_goes_on_with_a_text(bench: Bench):
    bench.ask("Hello")

    assert not asked(bench).completes_text
    assert bench.window.panel._completes.isHidden()


def test_settings_changed_while_an_answer_runs_are_the_next_ones(make_bench: MakeBench):
    gate = threading.Event()
    bench = make_bench(Script(models=(STARTER,), gates={"answer": gate})).start()
    bench.send("Hello")
    bench.until(lambda: bench.chat.answering)

    bench.session.controls.answers.change({"temperature": 0.0})
    gate.set()
    bench.until(lambda: bench.chat.answering is None)

    facts = bench.chat.path[-1].facts
    assert facts.sampling is not None
    assert facts.sampling.temperature == 0.7


def test_the_seed_of_an_answer_is_used_again_in_its_chat_alone(bench: Bench, answers: AnswerControl):
    bench.ask("Hello")
    bench.window.answer_windows.show_details(bench.chat.path[-1].id)
    bench.window.answer_windows.use_seed(77)

    bench.ask("Again")
    assert asked(bench).sampling.seed == 77
    assert bench.session.settings.value.seed is None
    bench.window.toast._press()
    assert not answers.is_own
