"""What a person sees and does in the chat: typing, sending, stopping, copying, versions, obstacles."""

import sqlite3
import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.chat.chats import open_chats
from app.paths import AppPaths
from app.window.chats import opening
from app.window.error_card import ErrorCard
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.message_view import UserMessageView
from app.window.transcript.prose_view import FlatText
from engine.errors import ContextFull, OutOfMemory
from engine.messages import Generate
from tests.app.chat_store.previous_file import write_previous_file
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, STARTER, Script

MakeBench = Callable[..., Bench]


def field(bench: Bench) -> QWidget:
    return bench.composer._field


def hint(bench: Bench) -> str:
    return bench.composer._hint.text()


def status(bench: Bench) -> str:
    return bench.transcript._column.status._label.text() if bench.transcript.has_status else ""


def last_view(bench: Bench) -> AnswerView:
    view = bench.transcript.views[-1]
    assert isinstance(view, AnswerView)
    return view


def cards(bench: Bench) -> list[ErrorCard]:
    bench.settle()
    return [card for card in bench.page.findChildren(ErrorCard) if card.isVisible()]


def press(bench: Bench, label: str) -> None:
    """Press the visible button with this label."""
    (button,) = [b for b in bench.window.findChildren(QPushButton) if b.isVisible() and b.text().strip() == label]
    button.click()


# Composer


def test_enter_sends_and_shift_enter_breaks_the_line(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "one")
    QTest.keyClick(field(bench), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field(bench), "two")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    bench.until(lambda: bench.chat.answering is None and bench.chat.path)
    assert bench.chat.path[0].content == "one\ntwo"
    assert bench.composer.text == ""


def test_the_composer_has_the_focus_from_the_start(bench: Bench) -> None:
    assert bench.window.focusWidget() is field(bench)


def test_the_field_grows_to_eight_lines_and_no_further(bench: Bench) -> None:
    heights = []
    for lines in (1, 4, 8, 30):
        bench.composer.set_text("\n".join("x" * lines))
        bench.settle()
        heights.append(field(bench).height())

    assert heights[0] < heights[1] < heights[2] == heights[3]
    assert heights[2] > 7 * heights[0] * 0.8


def test_an_input_method_is_not_interrupted(bench: Bench) -> None:
    composing = QInputMethodEvent("nihao", [])
    QApplication.sendEvent(field(bench), composing)
    QTest.keyClick(field(bench), Qt.Key.Key_Return)
    assert bench.chat.path == []

    committed = QInputMethodEvent("", [])
    committed.setCommitString("你好")
    QApplication.sendEvent(field(bench), committed)
    QApplication.sendEvent(field(bench), QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier(0)))
    assert bench.chat.path == []
    assert bench.composer.text == "你好"

    QTest.qWait(60)
    QTest.keyClick(field(bench), Qt.Key.Key_Return)
    bench.until(lambda: bench.chat.answering is None and bench.chat.path)
    assert bench.chat.path[0].content == "你好"


def test_escape_stops_and_the_button_says_so(bench: Bench) -> None:
    bench.script.gates["answer"] = threading.Event()
    bench.send("Hi")
    bench.until(lambda: bench.chat.is_answering_here)
    assert bench.composer._button.accessibleName() == "Stop"

    QTest.keyClick(field(bench), Qt.Key.Key_Escape)

    bench.until(lambda: bench.chat.answering is None)
    assert bench.composer._button.accessibleName() == "Send"
    assert last_view(bench)._facts.text().startswith("stopped")


def test_escape_stops_wherever_the_focus_is(bench: Bench) -> None:
    bench.ask("Hi")
    gate = bench.script.gates["answer"] = threading.Event()
    QTest.mouseClick(last_view(bench)._regenerate, Qt.MouseButton.LeftButton)
    bench.until(lambda: bench.chat.is_answering_here)
    assert bench.window.focusWidget() is field(bench)
    bench.window.sidebar.chats.list.setFocus()

    QTest.keyClick(bench.window.sidebar.chats.list, Qt.Key.Key_Escape)

    bench.until(lambda: bench.chat.answering is None)
    assert last_view(bench)._facts.text().startswith("stopped")
    gate.set()


def test_buttons_of_messages_give_the_focus_back(bench: Bench) -> None:
    bench.ask("Hi")
    bench.chat.regenerate()
    bench.until(lambda: bench.chat.answering is None)
    for name in ("_copy", "_previous", "_next", "_regenerate"):
        bench.transcript.setFocus()
        button = getattr(last_view(bench), name)
        button.setFocus()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert bench.window.focusWidget() is field(bench), name
    bench.until(lambda: bench.chat.answering is None)


def test_what_is_typed_anywhere_on_the_page_is_written_in_the_field(bench: Bench) -> None:
    bench.ask("Hi")
    text = last_view(bench).findChildren(FlatText)[0]
    for widget in (text, bench.transcript, last_view(bench)._copy):
        widget.setFocus()
        QTest.keyClick(widget, "a")
        QTest.keyClick(bench.window.focusWidget(), "b")
        assert bench.composer.text == "ab", widget
        bench.composer.set_text("")


def test_one_can_go_on_typing_while_an_answer_is_written(bench: Bench) -> None:
    gate = bench.script.gates["answer"] = threading.Event()
    bench.send("Hi")
    bench.until(lambda: bench.chat.is_answering_here)
    QTest.keyClicks(field(bench), "next")
    gate.set()
    bench.until(lambda: bench.chat.answering is None)

    assert bench.composer.text == "next"
    assert len(bench.engine.asked(Generate)) == 1


def test_a_text_that_could_not_be_stored_stays_in_the_field(bench: Bench) -> None:
    bench.session.store.database._db.execute("PRAGMA query_only = ON")

    QTest.keyClicks(field(bench), "precious")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    assert bench.composer.text == "precious"
    assert "write-protected" in cards(bench)[0].text.cause
    bench.session.store.database._db.execute("PRAGMA query_only = OFF")


# States in words


def test_loading_is_explained_with_its_percentage(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = make_bench(Script(load=(("pack", 42, 100),), gates={"load": gate})).start(until_ready=False)

    bench.until(lambda: hint(bench) == "Preparing the model (once): 42 %")
    bench.send("early")
    bench.until(lambda: status(bench) == "Preparing the model (once): 42 %")
    assert hint(bench) == ""
    gate.set()
    bench.until(lambda: bench.chat.path[-1].role == "assistant" and bench.chat.answering is None)
    assert status(bench) == ""


def test_compiling_is_explained_with_its_count(make_bench: MakeBench) -> None:
    bench = make_bench(Script(load=(("compile", 3, 7),), gates={"load": threading.Event()})).start(until_ready=False)

    bench.until(lambda: hint(bench) == "Preparing the compute kernels: 3 of 7")


def test_without_a_model_sending_is_refused_and_the_way_out_offered(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    QTest.keyClicks(field(bench), "Hi")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    assert bench.chat.path == []
    assert hint(bench) == "No model is loaded."
    press(bench, "Choose a model")
    assert bench.window.pages.currentWidget() is bench.window.models_page


def test_waiting_for_the_first_word_is_shown(bench: Bench) -> None:
    gate = bench.script.gates["prompt"] = threading.Event()
    bench.send("Hi")

    bench.until(lambda: status(bench) == "Thinking…")
    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    assert status(bench) == ""


def test_waiting_for_the_first_word_of_what_goes_on_is_shown_as_well(bench: Bench) -> None:
    bench.script.gates["answer"] = threading.Event()
    bench.send("Hi")
    bench.until(lambda: bench.chat.path and bench.chat.path[-1].content)
    bench.chat.stop()
    bench.until(lambda: bench.chat.answering is None)
    gate = bench.script.gates["prompt"] = threading.Event()

    bench.chat.continue_last()

    bench.until(lambda: status(bench) == "Thinking…")
    del bench.script.gates["answer"]
    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    assert status(bench) == ""


def test_the_starter_is_introduced_plainly(bench: Bench) -> None:
    assert bench.page.empty._model.text() == (
        "A small English starter model, weak at reasoning and arithmetic, Apache-2.0."
    )


def test_another_model_is_introduced_by_its_name(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=(BASE,))).start(until_ready=False)
    bench.models.load(BASE.model_id)
    bench.until(lambda: bench.models.state == "ready")

    assert bench.page.empty._model.text().startswith("Base 350M")


def test_a_suggestion_is_put_into_the_field_and_not_sent(bench: Bench) -> None:
    press(bench, "Explain how rain forms, in simple words")

    assert bench.composer.text == "Explain how rain forms, in simple words"
    assert bench.chat.path == []
    assert bench.window.focusWidget() is field(bench)


# Messages


def test_copying_an_answer_gives_its_markdown(bench: Bench) -> None:
    bench.script.answer = lambda request: ("**bold** and\n\n", "```python\nx = 1\n```\n")
    bench.ask("Hi")

    last_view(bench)._copy.click()

    assert QGuiApplication.clipboard().text() == "**bold** and\n\n```python\nx = 1\n```\n"


def test_figures_are_shown_and_can_be_switched_off(bench: Bench) -> None:
    bench.ask("Hi")
    assert last_view(bench)._facts.text() == (
        "3 tokens · 8.0 tokens/s · prompt 40.0 tokens/s · first token after 0.60 s"
    )

    bench.session.settings.update(show_stats=False)

    assert last_view(bench)._facts.isHidden()


def test_an_answer_cut_at_the_limit_says_so(bench: Bench) -> None:
    bench.script.reason = "length"
    bench.ask("Hi")

    assert (
        last_view(bench)._facts.text().startswith("ended at the length limit, “Continue” goes on from there · 3 tokens")
    )
    assert last_view(bench)._footer.go_on.isVisible()
    cut = last_view(bench)
    bench.script.reason = "stop"
    bench.ask("And?")
    assert cut._facts.text().startswith("ended at the length limit · ")  # where nothing goes on any more


@pytest.mark.parametrize(
    ("stopped_by", "asked_for", "words"),
    [
        ("END", ("\n\n", "END"), "ended at the stop string “END” · "),
        ("\n\n", ("\n\n",), "ended at the stop string “\\n\\n” · "),
        ("完" * 40, ("完" * 40,), f"ended at the stop string “{'完' * 32}…” · "),
        ("<|im_end|>", ("END",), "3 tokens · "),  # of the prompt's form: it came to its end
        ("", ("END",), "3 tokens · "),
    ],
)
def test_an_answer_ended_by_a_stop_string_says_which(
    bench: Bench, stopped_by: str, asked_for: tuple[str, ...], words: str
) -> None:
    bench.session.settings.update(stop=asked_for)
    bench.script.stopped_by = stopped_by
    bench.ask("Hi")

    assert last_view(bench)._facts.text().startswith(words)


def test_versions_can_be_switched(bench: Bench) -> None:
    bench.ask("Hi")
    bench.script.answer = lambda request: ("Second",)
    last_view(bench)._regenerate.click()
    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].content == "Second")
    view = last_view(bench)
    assert view._version.text() == "2 / 2"
    assert not view._next.isEnabled()

    view._previous.click()

    assert last_view(bench).message.content == "Hello, world."
    assert last_view(bench)._version.text() == "1 / 2"


def test_only_the_last_answer_can_be_made_again(bench: Bench) -> None:
    bench.ask("one")
    bench.ask("two")

    first, second = (view for view in bench.transcript.views if isinstance(view, AnswerView))
    assert first._regenerate.isHidden()
    assert not second._regenerate.isHidden()


def test_context_used_is_shown(bench: Bench) -> None:
    bench.ask("Hi")

    ring = bench.window.top_bar.context
    bench.until(lambda: "takes 11 of the 2,048 tokens" in ring.toolTip().replace("2048", "2,048"))
    assert ring.isVisible()


def test_an_unanswered_message_offers_to_be_answered(bench: Bench) -> None:
    bench.script.gates["load"] = threading.Event()
    bench.models.load(STARTER.model_id)
    bench.send("Hi")
    bench.chat.stop()
    view = bench.transcript.views[-1]
    assert isinstance(view, UserMessageView)
    assert not view._answer.isHidden()

    view._answer.click()
    bench.script.gates["load"].set()

    bench.until(lambda: bench.chat.path[-1].content == "Hello, world.")


# Obstacles


def test_a_failed_answer_is_a_card_with_cause_number_and_next_step(bench: Bench) -> None:
    bench.script.answer = lambda request: ()
    bench.script.answer_error = ContextFull(9000, 8192).report()
    bench.ask("Hi")

    (card,) = cards(bench)
    assert "9,000" in card.text.cause
    (new_chat,) = (button for button in card.findChildren(QPushButton) if button.text() == "New chat")
    new_chat.click()
    assert bench.chat.path == []


def test_a_failed_answer_can_be_tried_again(bench: Bench) -> None:
    bench.script.answer_error = OutOfMemory("the KV cache", 9, 1).report()
    bench.ask("Hi")
    bench.script.answer_error = None

    press(bench, "Try again")

    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].status == "done")
    assert cards(bench) == []


def test_a_dead_engine_is_a_card_with_details_and_a_restart(bench: Bench) -> None:
    bench.script.gates["answer"] = threading.Event()
    bench.send("Hi")
    bench.until(lambda: bench.chat.path[-1].content)
    bench.engine.die(-9, "last words")
    bench.until(lambda: bench.models.state == "stopped")
    bench.script.gates.clear()

    (card,) = cards(bench)
    assert "SIGKILL" in card.text.cause
    assert last_view(bench)._facts.text() == "interrupted"
    assert not bench.composer._button.isEnabled()
    height = card.height()
    press(bench, "Show details")
    assert card._details.isVisible()
    assert card._details.toPlainText() == "last words"
    bench.until(lambda: card.height() > height)

    card.findChildren(QPushButton)[0].click()
    bench.until(lambda: bench.models.state == "ready")
    assert cards(bench) == []
    assert bench.ask("Hi again") == "Hello, world."


def test_a_dead_engine_is_shown_in_an_empty_chat_too(bench: Bench) -> None:
    bench.engine.die()
    bench.until(lambda: bench.models.state == "stopped")

    assert len(cards(bench)) == 1
    bench.composer._hint_button.click()
    bench.until(lambda: bench.models.state == "ready")
    assert cards(bench) == []


def test_a_model_that_cannot_be_loaded_is_explained_in_the_chat(make_bench: MakeBench) -> None:
    report = OutOfMemory("the weights", 9_000_000_000, 1_000_000_000).report()
    bench = make_bench(Script(load_errors={STARTER.model_id: report})).start(until_ready=False)
    bench.until(lambda: bench.models.load_error)

    (card,) = cards(bench)
    assert "9.0 GB needed, 1.0 GB free" in card.text.cause


def test_a_session_without_a_file_says_that_nothing_is_kept(make_bench: MakeBench) -> None:
    bench = make_bench(Script(), open_chats(None)).start()

    assert "not saved" in cards(bench)[0].text.cause


@pytest.mark.parametrize("choice", ["aside", "memory", "quit"])
def test_an_unusable_file_is_dealt_with_as_the_user_chooses(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    bench.close()
    path = bench.paths.conversations
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 1000")
    db.close()
    before = path.read_bytes()
    asked: list[str] = []
    monkeypatch.setattr(opening, "ask_about_store", lambda error: (asked.append(error.kind), choice)[1])

    store = opening.open_store(path)

    assert asked == ["newer"]
    kept = [p for p in path.parent.iterdir() if p.suffix == ".sqlite3" and p.read_bytes() == before]
    assert len(kept) == 1
    assert (kept[0] == path) == (choice != "aside")
    if choice == "quit":
        assert store is None
    else:
        assert store is not None
        assert (store.database.path is None) == (choice == "memory")
        store.database.close()


def test_what_could_be_read_of_a_damaged_file_is_said_until_it_is_put_away(make_bench: MakeBench, bench: Bench) -> None:
    bench.ask("Hi")
    bench.close()
    path = bench.paths.conversations
    path.write_bytes(b"not a database, " * 1000)

    again = make_bench(Script()).start()

    (card,) = cards(again)
    (kept,) = path.parent.glob("chats.damaged-*.sqlite3")
    assert str(kept) in card.text.action
    assert kept.read_bytes().startswith(b"not a database")
    next(b for b in card.findChildren(QPushButton) if b.text() == "I have read this").click()
    again.settle()
    assert cards(again) == []


def test_the_conversations_of_the_version_before_are_there_at_the_first_start(
    make_bench: MakeBench, paths: AppPaths
) -> None:
    write_previous_file(paths.previous_conversations)

    bench = make_bench(Script())

    assert {s.title for s in bench.chat.conversations()} == {"One 题", "Two"}
    assert bench.chat.draft == "new one"


def test_a_file_of_the_version_before_that_cannot_be_read_is_named(make_bench: MakeBench, paths: AppPaths) -> None:
    paths.previous_conversations.parent.mkdir(parents=True)
    paths.previous_conversations.write_bytes(b"no database " * 500)

    bench = make_bench(Script()).start()

    (card,) = cards(bench)
    assert str(paths.previous_conversations) in card.text.cause
    assert paths.previous_conversations.read_bytes().startswith(b"no database")
