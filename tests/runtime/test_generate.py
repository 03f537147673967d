"""One answer: endings, cancellation, reuse of the cache, and honest statistics."""

import threading
import time

import pytest

from engine.errors import ContextFull
from engine.messages import SamplingParams
from engine.runtime.generate import generate
from engine.text.tokenizer import Tokenizer
from tests.tiny_model import tiny_facts

ATTEMPTS = 3  # of what must be quick: a machine that stands still for a moment is not the engine's fault
GREEDY = SamplingParams(temperature=0.0, repetition_penalty=1.0)


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(tiny_facts())


def run(transformer, tokenizer, prompt, sampling=GREEDY, stop=(), on_prompt=lambda done, total: None):
    """The pieces of an answer and its ending."""
    return finish(generate(transformer, tokenizer, list(prompt), sampling, stop, on_prompt))


def finish(answer):
    pieces = []
    while True:
        try:
            pieces.append(next(answer))
        except StopIteration as end:
            return pieces, end.value


def params(**changes):
    return SamplingParams(temperature=0.0, repetition_penalty=1.0, **changes)


# The tiny model's own likeliest tokens may be control tokens; these tests need letters.
def letters_only(tokenizer):
    letters = {tokenizer.encode(chr(c))[0] for c in range(ord("a"), ord("z") + 1)}
    return tuple((token, -100.0) for token in range(300) if token not in letters)


def test_max_tokens_ends_with_length(tiny_transformer, tokenizer):
    sampling = params(max_tokens=5, logit_bias=letters_only(tokenizer))

    pieces, ending = run(tiny_transformer(), tokenizer, range(20), sampling)

    assert ending.reason == "length"
    assert ending.stats.generated_tokens == 5
    assert len("".join(pieces)) == 5


def test_a_full_context_ends_with_context(tiny_transformer, tokenizer):
    sampling = params(logit_bias=letters_only(tokenizer))

    pieces, ending = run(tiny_transformer(context_tokens=64), tokenizer, range(60), sampling)

    assert ending.reason == "context"
    assert len("".join(pieces)) == 5


def test_the_end_token_ends_with_stop(tiny_transformer, tokenizer):
    sampling = params(logit_bias=tuple((token, 1000.0) for token in tokenizer.eos_ids))

    pieces, ending = run(tiny_transformer(), tokenizer, range(20), sampling)

    assert (pieces, ending.reason, ending.stats.generated_tokens) == ([], "stop", 1)


def test_a_stop_string_is_not_shown(tiny_transformer, tokenizer):
    free = params(max_tokens=8, logit_bias=letters_only(tokenizer))
    transformer = tiny_transformer()
    text = "".join(run(transformer, tokenizer, range(20), free)[0])

    pieces, ending = run(transformer, tokenizer, range(20), free, stop=(text[3:6],))

    assert "".join(pieces) == text[: text.index(text[3:6])]
    assert ending.reason == "stop"


def test_a_prompt_that_does_not_fit_is_refused_with_numbers(tiny_transformer, tokenizer):
    with pytest.raises(ContextFull) as caught:
        run(tiny_transformer(context_tokens=64), tokenizer, range(64))

    assert (caught.value.prompt_tokens, caught.value.context_tokens) == (64, 64)


def test_a_follow_up_computes_only_what_is_new(tiny_transformer, tokenizer):
    transformer = tiny_transformer()
    sampling = params(max_tokens=4)
    run(transformer, tokenizer, range(20), sampling)
    kept = list(transformer.cache.tokens)

    _, ending = run(transformer, tokenizer, [*kept, 7, 8, 9], sampling)

    assert ending.stats.reused_tokens == len(kept)
    assert ending.stats.prompt_tokens == len(kept) + 3


def test_the_same_question_again_gives_the_same_answer(tiny_transformer, tokenizer):
    transformer = tiny_transformer()
    sampling = params(max_tokens=8, logit_bias=letters_only(tokenizer))

    first = run(transformer, tokenizer, range(10), sampling)
    again = run(transformer, tokenizer, range(10), sampling)

    assert first[0] == again[0]
    assert again[1].stats.reused_tokens == 9


def test_cancelling_keeps_what_was_said_and_acts_at_once(tiny_transformer, tokenizer):
    late = []
    while not late or (late[-1] >= 0.2 and len(late) < ATTEMPTS):
        transformer = tiny_transformer(context_tokens=250)
        answer = generate(
            transformer, tokenizer, [1, 2, 3], params(logit_bias=letters_only(tokenizer)), (), lambda done, total: None
        )
        for _ in range(3):
            next(answer)
        transformer.request_stop()
        asked = time.perf_counter()
        rest, ending = finish(answer)
        late.append(time.perf_counter() - asked)

        assert ending.reason == "cancelled"
        assert ending.stats.generated_tokens == 3 + len(rest)
    assert min(late) < 0.2


@pytest.mark.model
def test_cancelling_a_long_prompt_acts_within_200_ms(packed_starter, austen):
    from engine.runtime.transformer import Transformer

    packed = packed_starter("int8")
    tokenizer = Tokenizer(packed.tokenizer)
    prompt = tokenizer.encode(austen)[:6000]
    late = []
    while not late or (late[-1] >= 0.2 and len(late) < ATTEMPTS):
        transformer = Transformer(
            packed.config, packed.parts, packed.read(lambda done, total: None), context_tokens=8192, cache_kind="f16",
            n_threads=2,
        )  # fmt: skip
        stopped_at = []

        def stop(transformer=transformer, stopped_at=stopped_at):
            stopped_at.append(time.perf_counter())
            transformer.request_stop()

        timer = threading.Timer(1.0, stop)
        timer.start()
        _, ending = run(transformer, tokenizer, prompt)
        late.append(time.perf_counter() - stopped_at[0])
        timer.join()
        transformer.close()

        assert ending.reason == "cancelled"
        assert ending.stats.generated_tokens == 0
    assert min(late) < 0.2


def test_statistics_add_up(tiny_transformer, tokenizer):
    seen = []

    _, ending = run(
        tiny_transformer(), tokenizer, range(30), params(max_tokens=6),
        on_prompt=lambda done, total: seen.append((done, total)),
    )  # fmt: skip

    stats = ending.stats
    assert stats.prompt_tokens == 30
    assert 0 < stats.prefill_s <= stats.first_token_s
    assert stats.prompt_tokens_per_s > 0
    assert stats.decode_tokens_per_s > 0 or stats.generated_tokens == 1
    assert seen[-1] == (29, 29)
