"""Several answers at once: each as it would be alone, each ended by its own rules."""

import threading

import pytest

from engine.errors import ContextFull, InvalidRequest
from engine.messages import SamplingParams
from engine.runtime.batch import generate_variants
from engine.runtime.generate import Ending, generate_tokens
from engine.text.tokenizer import Tokenizer
from tests.runtime.test_generate import letters_only
from tests.tiny_model import tiny_facts


def nothing(done, total):
    pass


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(tiny_facts())


def told_of(generator, n):
    """Of each of n answers its tokens, and all endings; nothing comes after an answer's ending."""
    tokens, endings = [[] for _ in range(n)], [None] * n
    for number, told in generator:
        assert endings[number] is None
        if isinstance(told, Ending):
            endings[number] = told
        else:
            tokens[number].append(told)
    return tokens, endings


def finished(generator):
    outcomes = []
    while True:
        try:
            outcomes.append(next(generator))
        except StopIteration as end:
            return outcomes, end.value


def answers(transformer, tokenizer, prompt, samplings, stop=(), **options):
    """For each sampling the tokens and text of its answer, and all endings."""
    generator = generate_variants(transformer, tokenizer, prompt, samplings, stop, nothing, **options)
    return told_of(generator, len(samplings))


def alone(transformer, tokenizer, prompt, sampling, stop=()):
    return finished(generate_tokens(transformer, tokenizer, prompt, sampling, stop, nothing, speculate=False))


SAMPLINGS = [
    SamplingParams(temperature=0.0, repetition_penalty=1.0, max_tokens=20),
    SamplingParams(temperature=0.0, repetition_penalty=1.3, max_tokens=7),
    *[SamplingParams(temperature=1.5, seed=seed, top_p=1.0, max_tokens=25) for seed in range(6)],
    SamplingParams(temperature=0.8, seed=1, presence_penalty=0.5),
    SamplingParams(temperature=1.2, seed=9, max_tokens=1),
]


@pytest.mark.parametrize(("weight_format", "activation"), [("int8", "relu"), ("int4", "silu"), ("f32", "relu")])
@pytest.mark.parametrize("stop", [(), ("e",)])
def test_each_answer_is_what_it_would_be_alone(tiny_transformer, tokenizer, weight_format, activation, stop):
    transformer = tiny_transformer(weight_format, "int8" if weight_format != "f32" else "f32", activation=activation)
    prompt = list(range(10, 40))
    expected = [alone(transformer, tokenizer, prompt, sampling, stop) for sampling in SAMPLINGS]
    transformer.cache.rewind(0)

    got, endings = answers(transformer, tokenizer, prompt, SAMPLINGS, stop)

    assert got == [tokens for tokens, _ in expected]
    assert [ending.reason for ending in endings] == [ending.reason for _, ending in expected]
    for sampling, ending, (_, single) in zip(SAMPLINGS, endings, expected, strict=True):
        assert sampling.seed in (None, ending.stats.seed)
        assert ending.stats.stopped_by == single.stats.stopped_by
        for field in ("prompt_tokens", "generated_tokens", "context_tokens", "examined", "active", "tier"):
            assert getattr(ending.stats, field) == getattr(single.stats, field)
    assert len({tuple(token.token for token in tokens) for tokens in got}) > 4
    assert transformer.cache.tokens == prompt


def test_endings_of_all_kinds_at_once(tiny_transformer, tokenizer):
    letters = letters_only(tokenizer)
    never_ends = SamplingParams(temperature=0.0, repetition_penalty=1.0, logit_bias=letters)
    short = SamplingParams(temperature=0.0, repetition_penalty=1.0, logit_bias=letters, max_tokens=3)
    ends = SamplingParams(temperature=0.0, logit_bias=tuple((token, 1000.0) for token in tokenizer.eos_ids))

    got, endings = answers(
        tiny_transformer(context_tokens=64), tokenizer, list(range(50)), [never_ends, short, ends, never_ends],
        is_wanted=lambda number: number != 3,
    )  # fmt: skip

    assert [ending.reason for ending in endings] == ["context", "length", "stop", "cancelled"]
    assert [len(tokens) for tokens in got] == [15, 3, 0, 0]
    assert got[1] == got[0][:3]


def test_an_answer_that_is_not_wanted_any_more_ends_and_the_others_go_on(tiny_transformer, tokenizer):
    sampling = SamplingParams(temperature=0.0, logit_bias=letters_only(tokenizer), max_tokens=12)
    seen, endings = [], {}
    generator = generate_variants(
        tiny_transformer(), tokenizer, list(range(9)), [sampling] * 3, (), nothing,
        is_wanted=lambda number: number != 1 or seen.count(1) < 4,
    )  # fmt: skip
    for number, told in generator:
        if isinstance(told, Ending):
            endings[number] = told.reason
        else:
            seen.append(number)

    assert [seen.count(number) for number in range(3)] == [12, 4, 12]
    assert list(endings.items()) == [(1, "cancelled"), (0, "length"), (2, "length")]  # as they end


def test_stop_ends_all(tiny_transformer, tokenizer):
    transformer = tiny_transformer()
    sampling = SamplingParams(temperature=0.0, logit_bias=letters_only(tokenizer))
    generator = generate_variants(transformer, tokenizer, list(range(9)), [sampling] * 2, (), nothing)
    first, _ = next(generator)

    stopper = threading.Thread(target=transformer.request_stop)
    stopper.start()
    stopper.join()
    rest, endings = told_of(generator, 2)
    transformer.clear_stop()

    assert [ending.reason for ending in endings] == ["cancelled", "cancelled"]
    assert (first, [len(tokens) for tokens in rest]) == (0, [0, 1])
    assert transformer.cache.tokens == list(range(9))


def test_stopped_while_the_prompt_is_read(tiny_transformer, tokenizer):
    transformer = tiny_transformer()
    transformer.request_stop()

    got, endings = answers(transformer, tokenizer, list(range(30)), SAMPLINGS[:2])
    transformer.clear_stop()

    assert got == [[], []]
    assert [ending.reason for ending in endings] == ["cancelled", "cancelled"]
    assert all(ending.stats.generated_tokens == 0 for ending in endings)


def test_closed_early_and_used_again(tiny_transformer, tokenizer):
    transformer = tiny_transformer()
    prompt = list(range(20))
    expected, _ = alone(transformer, tokenizer, prompt, SAMPLINGS[0])
    generator = generate_variants(transformer, tokenizer, prompt, SAMPLINGS, (), nothing)
    for _ in range(15):
        next(generator)
    generator.close()

    again, ending = alone(transformer, tokenizer, prompt, SAMPLINGS[0])

    assert again == expected
    assert ending.stats.reused_tokens == len(prompt) - 1


def test_a_prompt_without_room_and_too_many_answers_are_refused(tiny_transformer, tokenizer):
    with pytest.raises(ContextFull):
        answers(tiny_transformer(context_tokens=20), tokenizer, list(range(20)), SAMPLINGS[:1])
    with pytest.raises(InvalidRequest):
        answers(tiny_transformer(), tokenizer, list(range(20)), SAMPLINGS[:1] * 33)
