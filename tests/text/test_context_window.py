"""What is left out of a conversation that does not fit: exactly counted, told, and rarely another beginning."""

import itertools

import pytest

from engine.context_reports import ASK, MIDDLE, OLDEST
from engine.errors import ContextFull
from engine.messages import ChatMessage
from engine.text.chat_template import render_chat
from engine.text.context_window import ContextWindow
from engine.text.tokenizer import Tokenizer
from tests.tiny_model import tiny_facts

CONTEXT = 400
SYSTEM = ChatMessage("system", "Be brief.")


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(tiny_facts())


@pytest.fixture
def window(tokenizer):
    return ContextWindow(
        lambda messages: tokenizer.encode_prompt(render_chat(tiny_facts(), messages)), tokenizer, CONTEXT
    )


def talk(n_turns, *, letters=20, system=True):
    """Turns of a user and a model; the last is the user's. One letter is one token."""
    turns = [SYSTEM] if system else []
    for i in range(n_turns):
        turns.append(ChatMessage("user", f"{i:03d}" + "q" * (letters - 3)))
        turns.append(ChatMessage("assistant", f"{i:03d}" + "a" * (letters - 3)))
    return turns[:-1]


def fit(window, messages, overflow, *, keeps_first=False, max_tokens=None):
    return window.fit(messages, overflow, keeps_first=keeps_first, max_tokens=max_tokens)


@pytest.mark.parametrize("overflow", [ASK, OLDEST, MIDDLE])
def test_what_fits_is_read_whole(window, overflow):
    messages = talk(4)

    fitted = fit(window, messages, overflow)

    assert fitted.messages == tuple(messages)
    assert fitted.left_out is None


def test_ask_leaves_nothing_out_however_long(window):
    fitted = fit(window, talk(40), ASK)

    assert len(fitted.prompt) > CONTEXT
    assert fitted.left_out is None


@pytest.mark.parametrize("overflow", [OLDEST, MIDDLE])
@pytest.mark.parametrize("keeps_first", [False, True])
@pytest.mark.parametrize("n_turns", [10, 17, 40])
def test_a_fitted_prompt_leaves_room_and_accounts_for_every_message(window, tokenizer, overflow, keeps_first, n_turns):
    messages = talk(n_turns)

    fitted = fit(window, messages, overflow, keeps_first=keeps_first)

    left = fitted.left_out
    assert left is not None
    assert len(fitted.prompt) <= CONTEXT - window.room(None)
    assert fitted.prompt == tokenizer.encode_prompt(render_chat(tiny_facts(), fitted.messages))
    assert fitted.messages == tuple(messages[: left.first] + messages[left.first + left.n_messages :])
    gone = messages[left.first : left.first + left.n_messages]
    assert left.n_tokens == sum(len(tokenizer.encode(m.content)) for m in gone)


def test_the_system_message_and_the_newest_stay(window):
    messages = talk(40)

    fitted = fit(window, messages, OLDEST)

    assert fitted.messages[0] == SYSTEM
    assert fitted.messages[1].role == "user"
    assert fitted.messages[-1] == messages[-1]
    assert fitted.left_out.first == 1


def test_the_first_exchange_stays_where_that_is_wanted(window):
    messages = talk(40)

    fitted = fit(window, messages, OLDEST, keeps_first=True)

    assert fitted.messages[:3] == tuple(messages[:3])
    assert fitted.left_out.first == 3
    assert fitted.messages[3].role == "user"


def test_a_first_exchange_that_would_take_too_much_does_not_stay(window):
    long = [SYSTEM, ChatMessage("user", "x" * 200), ChatMessage("assistant", "y"), *talk(20, system=False)]

    fitted = fit(window, long, OLDEST, keeps_first=True)

    assert fitted.left_out.first == 1


def test_cutting_the_middle_keeps_a_beginning_and_an_end(window):
    messages = talk(40)

    fitted = fit(window, messages, MIDDLE)

    assert fitted.left_out.first > 3
    assert fitted.messages[: fitted.left_out.first] == tuple(messages[: fitted.left_out.first])
    assert fitted.messages[-1] == messages[-1]


@pytest.mark.parametrize(("overflow", "keeps_first"), [(OLDEST, False), (OLDEST, True), (MIDDLE, False)])
def test_the_window_moves_rarely(window, overflow, keeps_first):
    begins = []
    for n_turns in range(1, 81):
        left = fit(window, talk(n_turns), overflow, keeps_first=keeps_first).left_out
        begins.append((0, 0) if left is None else (left.first, left.n_messages))

    moves = sum(before != after for before, after in itertools.pairwise(begins))
    assert begins == sorted(begins, key=lambda begin: begin[1])
    assert 0 < moves <= 80 // 2


def test_without_steps_the_window_would_move_at_every_turn(window, monkeypatch):
    monkeypatch.setattr("engine.text.context_window.KEPT_SHARE", 1.0)
    begins = [fit(window, talk(n), OLDEST).left_out.n_messages for n in range(20, 60)]

    assert all(before != after for before, after in itertools.pairwise(begins))


def test_a_short_limit_of_the_answer_leaves_more_room_for_the_conversation(window):
    messages = talk(12)

    assert len(fit(window, messages, OLDEST, max_tokens=4).messages) > len(fit(window, messages, OLDEST).messages)


def test_a_message_that_alone_is_too_long_is_refused_with_numbers(window):
    messages = [*talk(3)[:-1], ChatMessage("user", "z" * 1000)]

    with pytest.raises(ContextFull) as caught:
        fit(window, messages, OLDEST)

    assert caught.value.prompt_tokens > 1000 > caught.value.context_tokens == CONTEXT


def test_a_message_that_takes_the_room_of_the_answer_alone_is_still_answered(window):
    newest = ChatMessage("user", "z" * 350)

    fitted = fit(window, [*talk(3), ChatMessage("assistant", "yes"), newest], OLDEST)

    assert CONTEXT - window.room(None) < len(fitted.prompt) < CONTEXT
    assert fitted.messages == (SYSTEM, newest)


def test_the_middle_of_a_message_that_alone_is_too_long_is_cut_and_told(window):
    text = "begin" + "z" * 1000 + "end"

    fitted = fit(window, [*talk(3), ChatMessage("assistant", "yes"), ChatMessage("user", text)], MIDDLE)

    content = fitted.messages[-1].content
    assert content.startswith("begin")
    assert content.endswith("end")
    assert f"[… {fitted.left_out.cut_tokens} tokens left out …]" in content
    assert content.count("z") + len("beginend") == len(text) - fitted.left_out.cut_tokens
    assert len(fitted.prompt) <= CONTEXT - window.room(None)


def test_a_cut_never_halves_a_character(window):
    fitted = fit(window, [ChatMessage("user", "火" * 400)], MIDDLE)

    assert "\ufffd" not in fitted.messages[-1].content


def test_what_cannot_be_cut_short_enough_is_refused(window):
    system = ChatMessage("system", "s" * 390)

    for overflow in (OLDEST, MIDDLE):
        with pytest.raises(ContextFull):
            fit(window, [system, ChatMessage("user", "z" * 100)], overflow)


def test_a_partial_answer_that_goes_on_stays_with_its_question(window):
    messages = [*talk(30), ChatMessage("assistant", "It begins")]

    fitted = fit(window, messages, OLDEST)

    assert fitted.messages[-2:] == tuple(messages[-2:])
    assert fitted.left_out is not None


def test_tokens_of_a_text_are_counted_exactly(window, tokenizer):
    for text in ("", "the", "你好", "<|user|>"):
        assert window.count(text) == len(tokenizer.encode(text)) == window.count(text)
