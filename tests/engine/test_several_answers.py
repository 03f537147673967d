"""Several answers to one conversation, through the engine's door: each is the one that a request of its own gets."""

import os
from dataclasses import replace

import pytest

from engine.context_reports import OLDEST, PromptFitted
from engine.errors import InvalidRequest
from engine.messages import (
    MOST_VARIANTS,
    Cancel,
    ChatMessage,
    EngineConfig,
    Failed,
    Generate,
    GenerateVariants,
    GenerationFinished,
    HostDied,
    ImportModel,
    LoadModel,
    ModelReady,
    Progress,
    RequestCancelled,
    SamplingParams,
    TextPiece,
    VariantEnded,
    VariantsFinished,
    VariantText,
)
from engine.runtime.fork import MOST_SEQUENCES
from tests.engine.conftest import Front
from tests.tiny_model import CONTROL, write_gguf

HELLO = (ChatMessage("user", "hello"),)
LETTERS = tuple((len(CONTROL) + ord(letter), 1000.0) for letter in "abcdefghijklmnopqrstuvwxyz")
WILD = SamplingParams(temperature=10.0, top_p=1.0, top_k=0, min_p=0.0, max_tokens=20, logit_bias=LETTERS)
SAMPLINGS = (
    *(replace(WILD, seed=seed) for seed in range(3)),
    replace(WILD, seed=2, stop=("e",)),
    SamplingParams(temperature=0.0, max_tokens=7),
)
ENDLESS = replace(WILD, max_tokens=None)


@pytest.fixture(scope="module")
def tiny_front(tmp_path_factory, kernel_cache):
    """A front-end with a tiny model loaded, whose context has 256 tokens."""
    folder = tmp_path_factory.mktemp("several")
    front = Front(EngineConfig(str(folder / "library"), str(kernel_cache)), in_process=True)
    front.ask(ImportModel("import", str(write_gguf(folder / "tiny.gguf"))))
    assert front.ask(GenerateVariants("x", HELLO, SAMPLINGS)).error.code == "NoModelLoaded"
    assert isinstance(front.ask(LoadModel("load", "tiny")), ModelReady)
    yield front
    front.engine.close()


def alone(front, sampling, messages=HELLO, **options):
    front.engine.submit(Generate("alone", messages, sampling, **options))
    *pieces, ending = front.until(GenerationFinished)
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)), ending


def together(front, samplings, messages=HELLO, during=(), **options):
    """Texts and endings by number, and every other event; requests of `during` follow the first piece of text."""
    front.engine.submit(GenerateVariants("together", messages, samplings, **options))
    texts, endings, others, rest = [""] * len(samplings), {}, [], list(during)
    while not isinstance(event := front.next(), VariantsFinished):
        match event:
            case VariantText(number=number, text=text):
                assert number not in endings
                texts[number] += text
                for request in rest:
                    front.engine.submit(request)
                rest = []
            case VariantEnded(number=number):
                assert number not in endings
                endings[number] = event
            case _:
                others.append(event)
    assert event.request_id == "together"
    return texts, [endings[number] for number in range(len(samplings))], others


@pytest.mark.parametrize("messages", [HELLO, (*HELLO, ChatMessage("assistant", "Hi"))], ids=["asked", "gone on with"])
@pytest.mark.parametrize("completes_text", [False, True])
def test_each_answer_is_the_one_a_request_of_its_own_gets(tiny_front, messages, completes_text):
    expected = [alone(tiny_front, sampling, messages, completes_text=completes_text) for sampling in SAMPLINGS]

    texts, endings, others = together(tiny_front, SAMPLINGS, messages, completes_text=completes_text)

    assert texts == [text for text, _ in expected]
    assert len(set(texts)) > 3
    for sampling, ended, (_, single) in zip(SAMPLINGS, endings, expected, strict=True):
        assert (ended.request_id, ended.reason) == ("together", single.reason)
        assert sampling.seed in (None, ended.stats.seed)
        for field in ("prompt_tokens", "generated_tokens", "stopped_by", "context_tokens", "active", "tier"):
            assert getattr(ended.stats, field) == getattr(single.stats, field)
    assert all(isinstance(event, Progress) and event.phase == "prompt" for event in others)


def test_a_cancel_stops_all_and_what_follows_is_answered(tiny_front):
    texts, endings, _ = together(tiny_front, (ENDLESS,) * 3, during=[Cancel("together")])

    assert [ended.reason for ended in endings] == ["cancelled"] * 3
    assert texts[0]
    assert max(ended.stats.generated_tokens for ended in endings) < 240
    assert alone(tiny_front, SAMPLINGS[0])[1].reason != "cancelled"


def test_cancelled_before_their_turn_they_do_not_begin(tiny_front):
    tiny_front.engine.submit(Generate("running", HELLO, ENDLESS))
    tiny_front.engine.submit(GenerateVariants("waiting", HELLO, SAMPLINGS))
    tiny_front.until(TextPiece)
    tiny_front.engine.submit(Cancel("waiting"))
    tiny_front.engine.submit(Cancel("running"))

    tiny_front.until(GenerationFinished)

    assert tiny_front.next() == RequestCancelled("waiting")


def test_a_full_context_ends_them_and_one_too_long_is_refused_or_fitted(tiny_front):
    long = tuple(ChatMessage("assistant" if i % 2 else "user", f"{i:02d}" + "x" * 18) for i in range(31))

    _, endings, _ = together(tiny_front, (ENDLESS, ENDLESS))
    refused = tiny_front.ask(GenerateVariants("refused", long, SAMPLINGS))
    _, fitted, others = together(tiny_front, SAMPLINGS, long, overflow=OLDEST)

    assert [ended.reason for ended in endings] == ["context", "context"]
    assert (refused.error.code, refused.error.field("context_tokens")) == ("ContextFull", 256)
    told = next(event for event in others if isinstance(event, PromptFitted))
    assert told.left_out.n_messages > 10
    assert {ended.stats.left_out for ended in fitted} == {told.left_out}
    assert {ended.stats.prompt_tokens for ended in fitted} == {told.prompt_tokens}


@pytest.mark.parametrize("messages", [(), (ChatMessage("system", "Be brief."),), (ChatMessage("tool", "x"),)])
def test_a_conversation_without_a_question_is_refused(tiny_front, messages):
    failed = tiny_front.ask(GenerateVariants("x", messages, SAMPLINGS))

    assert isinstance(failed, Failed)
    assert failed.error.code == "InvalidRequest"


@pytest.mark.parametrize("n", [0, 1, MOST_VARIANTS + 1])
def test_a_number_of_answers_that_is_not_possible_is_no_request(n):
    with pytest.raises(InvalidRequest, match="2 to 32"):
        GenerateVariants("x", HELLO, (WILD,) * n)
    with pytest.raises(InvalidRequest, match="overflow"):
        GenerateVariants("x", HELLO, (WILD,) * 2, overflow="all")


def test_as_many_as_a_request_may_ask_for_are_decoded_together():
    assert MOST_VARIANTS == MOST_SEQUENCES


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
def test_a_host_that_dies_among_them_names_them_as_unanswered(tmp_path, kernel_cache):
    front = Front(EngineConfig(str(tmp_path / "library"), str(kernel_cache)), in_process=False)
    try:
        front.ask(ImportModel("import", str(write_gguf(tmp_path / "tiny.gguf"))))
        front.ask(LoadModel("load", "tiny"))
        front.engine.submit(GenerateVariants("torn", HELLO, (ENDLESS,) * 32))
        front.until(VariantText)
        os.kill(front.engine.pid, 9)
        *_, died = front.until(HostDied)
    finally:
        front.engine.close()

    assert died.pending == ("torn",)
