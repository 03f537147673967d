"""Answers by a tier: the same whatever was proposed, audited where they should be, and left where they drift."""

import itertools

import numpy as np
import pytest

from engine.messages import SamplingParams
from engine.model.predictors import LayerChoice, low_rank
from engine.neuron_reports import EXACT
from engine.runtime.audit import AUDIT_EVERY, MOST_DRIFTS, Audit, Promise
from engine.runtime.generate import generate_tokens
from engine.runtime.lookup import Payoff
from engine.runtime.sampler import make_sampler
from engine.text.tokenizer import Tokenizer
from tests.tiny_model import TINY, tiny_facts

CONTEXT, PROMPT = 250, list(range(20, 40)) * 2
N_TOKENS = 180
# A random model's feed-forward moves its predictions little: a broken predictor costs it a few thousandths.
HARDLY_ANYTHING = 1e-6
# Positions of the prompt are computed exactly; the last token that is sampled is computed by nobody.
N_AUDITED = sum(
    position % AUDIT_EVERY == AUDIT_EVERY - 1 for position in range(len(PROMPT), len(PROMPT) + N_TOKENS - 1)
)


class AlwaysWorth(Payoff):
    def worth(self, order, most):
        return most


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(tiny_facts())


def sampling(tokenizer, temperature=1.0, n_tokens=N_TOKENS, seed=7):
    never = tuple((token, -100.0) for token in tokenizer.eos_ids)
    return SamplingParams(
        temperature=temperature, top_k=3, seed=seed, max_tokens=n_tokens, presence_penalty=0.1, logit_bias=never
    )


def random_predictor(layer):
    rng = np.random.default_rng([layer, 3])
    inner = rng.standard_normal((5, TINY.width)).astype(np.float32)
    outer = rng.standard_normal((TINY.n_neurons, 5)).astype(np.float32)
    return low_rank("linear", "normed", inner, outer, np.zeros(TINY.n_neurons, np.float32))


def broken():
    """Names half of the neurons in each layer, at random."""
    return tuple(LayerChoice(random_predictor(layer)) for layer in range(TINY.n_layers))


def cut(value):
    return (LayerChoice(None, value),) * TINY.n_layers


def lossless():
    return (LayerChoice(),) * TINY.n_layers


def audit(limit=0.03):
    return Audit(Promise("fast", limit, 4 * limit))


def answer(transformer, tokenizer, audit, prompt=PROMPT, *, speculate=True, **changes):
    """The tokens of an answer and its stats."""
    run = generate_tokens(
        transformer, tokenizer, list(prompt), sampling(tokenizer, **changes), (), lambda done, total: None,
        speculate=speculate, audit=audit,
    )  # fmt: skip
    tokens = []
    while True:
        try:
            tokens.append(next(run).token)
        except StopIteration as end:
            return tokens, end.value.stats


@pytest.fixture
def make(tiny_transformer):
    """A function: choices of the tier "fast", format → a transformer that has it and always proposes."""

    def made(choices, weight_format="f32", cache_kind="f32", **changes):
        transformer = tiny_transformer(
            weight_format, cache_kind, context_tokens=CONTEXT, **({"activation": "relu"} | changes)
        )
        transformer.set_tiers({"fast": choices})
        transformer.payoff = AlwaysWorth()
        return transformer

    return made


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("weight_format", ["f32", "int8"])
@pytest.mark.parametrize("choices", [broken(), cut(0.5)], ids=["broken", "cut"])
def test_an_answer_by_a_tier_is_the_same_with_and_without_proposals(
    make, tokenizer, choices, weight_format, temperature
):
    transformer = make(choices, weight_format, "f16")

    plain, plain_stats = answer(transformer, tokenizer, audit(1.0), speculate=False, temperature=temperature)
    plain_cache = list(transformer.cache.tokens)
    transformer.cache.rewind(0)
    guessed, stats = answer(transformer, tokenizer, audit(1.0), temperature=temperature)

    assert (guessed, transformer.cache.tokens) == (plain, plain_cache)
    assert stats.proposed_tokens > 0
    assert (stats.audited_tokens, stats.audit_kl) == (plain_stats.audited_tokens, plain_stats.audit_kl)
    assert stats.audited_tokens == N_AUDITED
    assert (stats.tier, stats.tier_left_at) == ("fast", -1)


def test_a_tier_that_loses_nothing_answers_as_exact_and_is_found_to(make, tokenizer):
    transformer = make(lossless(), "int8", "int8")
    exact, exact_stats = answer(transformer, tokenizer, None)
    transformer.cache.rewind(0)

    by_tier, stats = answer(transformer, tokenizer, audit())

    assert by_tier == exact
    assert (stats.audited_tokens, stats.audit_kl) == (N_AUDITED, 0.0)
    assert (exact_stats.tier, exact_stats.audited_tokens) == (EXACT, 0)


def test_exact_answers_are_the_same_where_tiers_are_loaded(make, tiny_transformer, tokenizer):
    without, _ = answer(tiny_transformer("int8", "int8", context_tokens=CONTEXT, activation="relu"), tokenizer, None)
    transformer = make(broken(), "int8", "int8")

    assert answer(transformer, tokenizer, None)[0] == without
    answer(transformer, tokenizer, audit(1.0))
    again, stats = answer(transformer, tokenizer, None)

    assert again == without
    assert stats.reused_tokens == len(PROMPT) - 1


def test_nothing_a_tier_has_computed_is_left_for_an_exact_follow_up(make, tiny_transformer, tokenizer):
    transformer = make(broken(), n_threads=1)
    first, _ = answer(transformer, tokenizer, audit(1.0), n_tokens=60)
    follow_up = [*PROMPT, *first[:-1], 50, 51, 52]

    by_tier_again = answer(transformer, tokenizer, audit(1.0), follow_up, n_tokens=2)[1]
    exact, stats = answer(transformer, tokenizer, None, follow_up, n_tokens=40)
    fresh = tiny_transformer(context_tokens=CONTEXT, activation="relu", n_threads=1)

    assert by_tier_again.reused_tokens == len(follow_up) - 3
    assert stats.reused_tokens == len(PROMPT)
    fresh.prefill(PROMPT[:-1], lambda done, total: None)
    fresh.decode_step(PROMPT[-1])
    assert exact == answer(fresh, tokenizer, None, follow_up, n_tokens=40)[0]


def test_an_audited_token_leaves_in_the_cache_what_exact_would_have_written(make, tokenizer):
    transformer = make(broken())
    prompt = list(range(20, 20 + AUDIT_EVERY - 1))

    tokens, stats = answer(transformer, tokenizer, audit(1.0), prompt, n_tokens=3)

    assert stats.audited_tokens == 1
    by_tier = transformer.cache.keys[:, :, : AUDIT_EVERY + 1].copy()
    transformer.cache.rewind(0)
    transformer.prefill(prompt[:-1], lambda done, total: None)
    for token in (prompt[-1], *tokens[:2]):
        transformer.decode_step(token)
    exact = transformer.cache.keys[:, :, : AUDIT_EVERY + 1]
    assert np.array_equal(by_tier[:, :, :AUDIT_EVERY], exact[:, :, :AUDIT_EVERY])
    assert not np.array_equal(by_tier[:, :, AUDIT_EVERY], exact[:, :, AUDIT_EVERY])


@pytest.mark.parametrize("speculate", [False, True])
def test_a_broken_predictor_is_left_in_the_middle_of_an_answer(make, tokenizer, speculate):
    transformer, broken_audit = make(broken()), audit(HARDLY_ANYTHING)
    prompt, n_tokens = PROMPT[:10], 235

    tokens, stats = answer(
        transformer, tokenizer, broken_audit, prompt, speculate=speculate, n_tokens=n_tokens, temperature=0.0
    )

    assert stats.tier_left_at == stats.audited_tokens * AUDIT_EVERY - len(prompt) > 0
    assert stats.audit_kl > 10 * HARDLY_ANYTHING
    assert (transformer.tier, broken_audit.n_drifts) == (EXACT, 1)
    # From there on each token is what exact says after what is in the cache.
    left, cache, sample = stats.tier_left_at, transformer.cache, make_sampler(sampling(tokenizer, 0.0))
    cache.rewind(len(prompt) + left - 1)
    for before, after in itertools.pairwise(tokens[left - 1 :]):
        assert sample(transformer.decode_step(before), cache.tokens) == after


def test_after_repeated_drift_answers_are_exact_and_say_so(make, tokenizer):
    transformer, broken_audit = make(broken()), audit(HARDLY_ANYTHING)
    exact, _ = answer(transformer, tokenizer, None)
    for _ in range(20):
        transformer.cache.rewind(0)
        if broken_audit.is_withdrawn:
            break
        answer(transformer, tokenizer, broken_audit)

    tokens, stats = answer(transformer, tokenizer, broken_audit)

    assert broken_audit.n_drifts == MOST_DRIFTS
    assert tokens == exact
    assert (stats.tier, stats.tier_left_at, stats.audited_tokens) == ("fast", 0, 0)


def test_an_answer_dropped_in_the_middle_leaves_the_model_exact(make, tokenizer):
    transformer = make(broken())
    run = generate_tokens(
        transformer, tokenizer, list(PROMPT), sampling(tokenizer), (), lambda done, total: None, audit=audit(1.0)
    )
    for _ in range(30):
        next(run)
    assert transformer.tier == "fast"

    run.close()

    assert transformer.tier == EXACT
    assert answer(transformer, tokenizer, None)[0] == answer(transformer, tokenizer, None)[0]
