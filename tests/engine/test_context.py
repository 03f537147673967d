"""A conversation longer than the context, end to end: counted before, left out by policy, told, found in the cache."""

import pytest

from engine.context_reports import ASK, MIDDLE, OLDEST, PromptFitted, TokensCounted
from engine.messages import (
    ChatMessage,
    CountTokens,
    Failed,
    Generate,
    GenerationFinished,
    ImportModel,
    LoadModel,
    SamplingParams,
    UnloadModel,
)
from tests.tiny_model import write_gguf

SHORT = SamplingParams(temperature=0.0, max_tokens=4)
LONG = tuple(ChatMessage("assistant" if i % 2 else "user", f"{i:02d}" + "x" * 18) for i in range(31))


@pytest.fixture
def tiny_front(front, tmp_path):
    """A front-end with a tiny model loaded, whose context has 256 tokens."""
    front.ask(ImportModel("import", str(write_gguf(tmp_path / "tiny.gguf"))))
    front.ask(LoadModel("load", "tiny"))
    return front


def answer(front, messages, overflow, **more):
    """What was said of leaving out, and how the answer ended."""
    front.engine.submit(Generate("answer", messages, SHORT, overflow=overflow, **more))
    events = front.until(GenerationFinished)
    return [event for event in events if isinstance(event, PromptFitted)], events[-1]


def test_tokens_are_counted_as_the_model_would_read_them(tiny_front):
    messages = (ChatMessage("system", "Be brief."), ChatMessage("user", "hello"))

    counted = tiny_front.ask(CountTokens("count", ("the", "", "火"), messages))
    _, finished = answer(tiny_front, messages, ASK)

    assert isinstance(counted, TokensCounted)
    assert (counted.text_tokens, counted.message_tokens) == ((2, 0, 3), (9, 5))
    assert counted.prompt_tokens == finished.stats.prompt_tokens
    assert (counted.context_tokens, counted.model_id, counted.fits) == (256, "tiny", True)


def test_a_conversation_in_which_nothing_is_asked_can_be_counted(tiny_front):
    assert tiny_front.ask(CountTokens("1")).prompt_tokens == 0
    assert tiny_front.ask(CountTokens("2", (), LONG[:2])).prompt_tokens > 40


def test_what_does_not_fit_is_told_before_and_refused_or_left_out_by_policy(tiny_front):
    refused = tiny_front.ask(CountTokens("1", (), LONG))
    assert (refused.fits, refused.left_out) == (False, None)
    assert refused.prompt_tokens > 600

    assert tiny_front.ask(Generate("2", LONG, SHORT)).error.code == "ContextFull"

    for overflow in (OLDEST, MIDDLE):
        counted = tiny_front.ask(CountTokens("3", (), LONG, overflow, max_tokens=4))
        told, finished = answer(tiny_front, LONG, overflow)
        assert [event.left_out for event in told] == [counted.left_out] == [finished.stats.left_out]
        assert told[0].prompt_tokens == counted.prompt_tokens == finished.stats.prompt_tokens < 256
        assert counted.fits
        assert counted.left_out.n_messages > 10
        assert finished.reason in ("length", "stop")


def test_from_turn_to_turn_the_cache_holds_all_but_what_is_new(tiny_front):
    computed = []
    for n_messages in range(17, 31, 2):
        _, finished = answer(tiny_front, LONG[:n_messages], OLDEST, keeps_first=False)
        computed.append(finished.stats.prompt_tokens - finished.stats.reused_tokens)

    new = 2 * 23 + 5  # two messages, and the four tokens of an answer that was another one
    assert sum(n <= new for n in computed) > len(computed) // 2


def test_one_message_too_long_is_refused_or_cut_in_its_middle(tiny_front):
    long = (ChatMessage("user", "a" * 500),)

    failed = tiny_front.ask(Generate("1", long, SHORT, overflow=OLDEST))
    told, finished = answer(tiny_front, long, MIDDLE)

    assert isinstance(failed, Failed)
    assert failed.error.code == "ContextFull"
    assert told[0].left_out.cut_tokens > 200
    assert finished.stats.left_out == told[0].left_out


def test_without_a_model_nothing_is_counted(tiny_front):
    tiny_front.ask(UnloadModel("unload"))

    assert tiny_front.ask(CountTokens("count", ("x",))).error.code == "NoModelLoaded"
