"""Two answers to one conversation: the first is exact, the second the tier's, and neither leaks into the other."""

import numpy as np
import pytest

from engine.errors import Cancelled, ContextFull
from engine.messages import SamplingParams
from engine.model.predictors import LayerChoice, low_rank
from engine.neuron_reports import EXACT
from engine.neurons.compare import compare, first_difference
from engine.runtime.audit import Audit, Promise
from engine.runtime.generate import generate_tokens
from engine.runtime.loader import load_model
from tests.neurons.tiny_study import ignore, packed_tiny
from tests.tiny_model import TINY

PROMPT = list(range(20, 45))


@pytest.fixture
def loaded(tmp_path):
    model = load_model(packed_tiny(tmp_path, context_tokens=200), context_tokens=None, n_threads=2, on_progress=ignore)
    yield model
    model.close()


def sampling(loaded, **changes):
    """A loop of likely tokens ends nowhere; control tokens would."""
    never = tuple((token, -100.0) for token in loaded.tokenizer.eos_ids)
    return SamplingParams(**({"max_tokens": 40, "seed": 3, "logit_bias": never} | changes))


def audit():
    return Audit(Promise("fast", 1.0, 1.0))


def names_nothing():
    """Predictors that miss all neurons of every layer."""
    predictor = low_rank(
        "linear", "normed", np.zeros((1, TINY.width), np.float32), np.zeros((TINY.n_neurons, 1), np.float32),
        np.full(TINY.n_neurons, -1, np.float32),
    )  # fmt: skip
    return (LayerChoice(predictor),) * TINY.n_layers


def answered(loaded, params, audit=None):
    loaded.transformer.cache.rewind(0)
    run = generate_tokens(loaded.transformer, loaded.tokenizer, list(PROMPT), params, (), ignore, audit=audit)
    return [(made.token, made.text) for made in run]


def test_a_tier_that_loses_nothing_never_diverges(loaded):
    loaded.transformer.set_tiers({"fast": (LayerChoice(),) * TINY.n_layers})

    found = compare(loaded, PROMPT, sampling(loaded), (), audit(), ignore)

    assert (found.tier, found.diverges_at) == ("fast", -1)
    assert found.exact == found.other
    assert len(found.exact) == 40
    assert min(found.exact_tokens_per_s, found.other_tokens_per_s) > 0


def test_both_answers_are_those_a_chat_would_get(loaded):
    loaded.transformer.set_tiers({"fast": names_nothing()})
    params = sampling(loaded, temperature=3.0, min_p=0.0, top_p=1.0)
    exact, other = answered(loaded, params), answered(loaded, params, audit())

    found = compare(loaded, PROMPT, params, (), audit(), ignore)
    again = compare(loaded, PROMPT, params, (), audit(), ignore)

    assert "".join(found.exact) == "".join(text for _, text in exact)
    assert "".join(found.other) == "".join(text for _, text in other)
    parted = [n for n in range(40) if exact[n][0] != other[n][0]]
    assert found.diverges_at == parted[0]
    assert (found.exact, found.other, found.diverges_at) == (again.exact, again.other, again.diverges_at)
    assert loaded.transformer.tier == EXACT


def test_without_a_seed_both_get_the_same(loaded):
    loaded.transformer.set_tiers({"fast": (LayerChoice(),) * TINY.n_layers})

    found = compare(loaded, PROMPT, sampling(loaded, seed=None, temperature=3.0), (), audit(), ignore)

    assert found.diverges_at == -1


def test_progress_counts_both_answers_and_may_stop_either(loaded):
    loaded.transformer.set_tiers({"fast": names_nothing()})
    seen = []
    compare(loaded, PROMPT, sampling(loaded), (), audit(), lambda *progress: seen.append(progress))

    assert {phase for phase, _, _ in seen} == {"compare"}
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert seen[-1] == ("compare", 80, 80)
    for stop_at in (3, 50):

        def stopping(phase, done, total, at=stop_at):
            if done >= at:
                raise Cancelled

        with pytest.raises(Cancelled):
            compare(loaded, PROMPT, sampling(loaded), (), audit(), stopping)
        assert loaded.transformer.tier == EXACT


def test_a_model_told_to_stop_ends_a_comparison(loaded):
    loaded.transformer.set_tiers({"fast": names_nothing()})

    def stopping(phase, done, total):
        if done >= 5:
            loaded.transformer.request_stop()

    with pytest.raises(Cancelled):
        compare(loaded, PROMPT, sampling(loaded), (), audit(), stopping)
    loaded.transformer.clear_stop()


def test_a_prompt_that_fills_the_context_is_refused(loaded):
    with pytest.raises(ContextFull):
        compare(loaded, PROMPT * 8, sampling(loaded), (), audit(), ignore)


@pytest.mark.parametrize(
    ("tokens", "others", "at"),
    [((), (), -1), ((1, 2), (1, 2), -1), ((1, 2), (1, 3), 1), ((1, 2, 3), (1, 2), 2), ((), (1,), 0)],
)
def test_answers_part_at_the_first_token_that_differs(tokens, others, at):
    assert first_difference(tokens, others) == at
