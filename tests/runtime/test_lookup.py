"""Guessing from the text so far: what is proposed, when it pays, and that an answer is the same with it."""

import numpy as np
import pytest

from engine.messages import SamplingParams
from engine.runtime.generate import generate
from engine.runtime.lookup import Lookup, Payoff
from engine.text.tokenizer import Tokenizer
from tests.tiny_model import tiny_facts


def lookup(*tokens):
    made = Lookup()
    made.extend(tokens)
    return made


def test_what_followed_three_tokens_before_is_proposed():
    assert lookup(1, 2, 3, 4, 5, 6, 9, 1, 2, 3).propose(2) == (3, [4, 5])


def test_two_tokens_are_found_where_three_are_not():
    assert lookup(1, 2, 3, 4, 7, 2, 3).propose(9) == (2, [4, 7, 2, 3])


def test_the_latest_place_counts():
    assert lookup(1, 2, 3, 8, 1, 2, 3, 9, 1, 2, 3).propose(1) == (3, [9])


@pytest.mark.parametrize("tokens", [(), (1,), (1, 2), (1, 2, 3, 4)])
def test_new_text_proposes_nothing(tokens):
    assert lookup(*tokens).propose(3) == (0, [])


def test_a_run_of_one_token_proposes_itself():
    assert lookup(5, 5, 5, 5).propose(3) == (3, [5])


def payoff(seconds, held):
    made = Payoff()
    for n_tokens, each in seconds.items():
        made.took(n_tokens, each)
    for _ in range(100):
        made.proved(3, held=held)
    return made


def test_proposals_that_hold_and_cost_little_are_checked():
    assert payoff({1: 1.0, 2: 1.1, 3: 1.2, 4: 1.3}, held=True).worth(3, 3) == 3


def test_proposals_that_fail_are_not_checked():
    assert payoff({1: 1.0, 2: 1.1, 3: 1.2, 4: 1.3}, held=False).worth(3, 3) == 0


def test_steps_that_cost_as_much_as_their_tokens_are_not_taken():
    assert payoff({1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}, held=True).worth(3, 3) == 0


def test_a_price_not_known_yet_is_tried():
    assert payoff({1: 1.0}, held=True).worth(3, 3) == 3


def test_nothing_is_tried_before_a_single_step_was_measured():
    assert payoff({}, held=True).worth(3, 3) == 0


class AlwaysWorth(Payoff):
    def worth(self, order, most):
        return most


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("weight_format", ["f32", "int8"])
def test_an_answer_is_the_same_with_and_without(tiny_transformer, weight_format, temperature):
    tokenizer = Tokenizer(tiny_facts())
    transformer = tiny_transformer(weight_format, "f16", context_tokens=200, activation="relu")
    transformer.payoff = AlwaysWorth()
    sampling = SamplingParams(
        temperature=temperature, top_k=3, seed=7, max_tokens=80, presence_penalty=0.1,
        logit_bias=tuple((token, -100.0) for token in tokenizer.eos_ids),
    )  # fmt: skip

    def answer(speculate):
        transformer.cache.rewind(0)
        pieces, tokens = [], list(range(20, 40)) * 2
        run = generate(transformer, tokenizer, tokens, sampling, (), lambda done, total: None, speculate=speculate)
        while True:
            try:
                pieces.append(next(run))
            except StopIteration as end:
                return "".join(pieces), end.value.stats, list(transformer.cache.tokens)

    plain, plain_stats, plain_cache = answer(speculate=False)
    guessed, stats, cache = answer(speculate=True)

    assert (guessed, cache) == (plain, plain_cache)
    assert stats.proposed_tokens > 0
    assert stats.generated_tokens == plain_stats.generated_tokens == 80
    assert np.allclose(stats.active, plain_stats.active)


def test_what_was_only_proposed_leaves_the_cache_when_an_answer_is_dropped(tiny_transformer):
    tokenizer = Tokenizer(tiny_facts())
    transformer = tiny_transformer("int8", "f16", context_tokens=200)
    transformer.payoff = AlwaysWorth()
    prompt = [30, 31, 32, 33, 34] * 6
    sampling = SamplingParams(temperature=0.0, logit_bias=tuple((token, -100.0) for token in tokenizer.eos_ids))
    run = generate(transformer, tokenizer, prompt, sampling, (), lambda done, total: None)
    for _ in range(5):
        next(run)

    run.close()

    kept = list(transformer.cache.tokens)
    transformer.cache.rewind(0)
    for token in kept[:-1]:
        transformer.decode_step(token)
    assert kept[: len(prompt)] == prompt
    assert kept == [*transformer.cache.tokens, kept[-1]]
