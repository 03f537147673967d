"""Tiers through the engine's door: offered once calibrated, refused by name, audited, compared, and never leaking."""

import numpy as np
import pytest

from engine.hub.library import neurons_folder
from engine.messages import (
    ChatMessage,
    CompareTiers,
    Failed,
    ForgetChats,
    Generate,
    GenerationFinished,
    LoadModel,
    ModelReady,
    Progress,
    ReadStudies,
    SamplingParams,
    StudyDone,
    StudyNeurons,
    TextPiece,
    TiersCompared,
)
from engine.model.packed_model import open_packed
from engine.model.predictors import LayerChoice, low_rank
from engine.neuron_reports import EXACT, StudySpec
from engine.neurons.profile import read_profile
from engine.neurons.store import NeuronStore
from tests.neurons.tiny_study import packed_tiny, write_text
from tests.tiny_model import CONTROL, TINY, TinyCheckpoint

HELLO = (ChatMessage("user", "hello"),)
LONG = SamplingParams(
    temperature=1.0, seed=5, max_tokens=220, logit_bias=tuple((token, -1000.0) for token in range(len(CONTROL)))
)


class Telling(TinyCheckpoint):
    """A tiny model whose feed-forward moves its predictions as much as a trained one's does."""

    def tensor(self, name, layer=None):
        values = super().tensor(name, layer)
        return np.asarray(4 * values, np.float32) if name == "down" else values


@pytest.fixture
def model(front, tmp_path):
    """The id of a sparse model in the library of `front`, and its packed file."""
    library = tmp_path / "library"
    library.mkdir(exist_ok=True)
    packed = packed_tiny(library, "int8", seed=4, checkpoint=Telling, context_tokens=256)
    return "tiny", packed


@pytest.fixture
def calibrated(front, model, tmp_path):
    text = write_text(tmp_path / "text.txt", 20_000)
    done = front.ask(StudyNeurons("study", StudySpec("tiers", model[0], paths=(str(text),), n_tokens=256 * 4)))
    assert isinstance(done, StudyDone), done
    assert len(done.report.tiers) > 1
    return done.report


def answered(front, request):
    front.engine.submit(request)
    events = front.until(GenerationFinished)
    return "".join(e.text for e in events if isinstance(e, TextPiece)), events[-1].stats


def test_tiers_are_offered_once_they_are_calibrated(front, model, calibrated, tmp_path):
    ready = front.ask(LoadModel("load", model[0]))

    assert isinstance(ready, ModelReady)
    assert ready.tiers == tuple(tier.name for tier in calibrated.tiers)
    read = front.ask(ReadStudies("read", model[0]))
    assert read.reports == (("tiers", calibrated),)
    for number, tier in enumerate(ready.tiers):
        text, stats = answered(front, Generate(str(number), HELLO, LONG, tier))
        assert (stats.tier, stats.generated_tokens) == (tier, 220)
        assert stats.audited_tokens == (3 if tier != EXACT else 0)
        assert text


def test_exact_answers_are_the_same_before_and_after_calibrating_and_after_a_tier(front, model, tmp_path, request):
    assert isinstance(front.ask(LoadModel("load", model[0])), ModelReady)
    before, _ = answered(front, Generate("before", HELLO, LONG))
    request.getfixturevalue("calibrated")
    ready = front.ask(LoadModel("again", model[0]))

    after, _ = answered(front, Generate("after", HELLO, LONG))
    by_tier, _ = answered(front, Generate("tier", HELLO, LONG, ready.tiers[-1]))
    once_more, _ = answered(front, Generate("once more", HELLO, LONG))

    assert after == once_more == before
    assert by_tier != before


def test_a_tier_that_is_not_calibrated_is_refused_with_those_that_are(front, model):
    assert front.ask(LoadModel("load", model[0])).tiers == (EXACT,)

    for request in (Generate("x", HELLO, LONG, "fast"), CompareTiers("x", HELLO, LONG, "fast")):
        failed = front.ask(request)
        assert isinstance(failed, Failed)
        assert failed.error.code == "InvalidRequest"
        assert (failed.error.field("field"), failed.error.field("reason")) == ("tier", EXACT)
    assert front.ask(CompareTiers("x", HELLO, LONG, EXACT)).error.code == "InvalidRequest"


def test_two_answers_are_compared(front, model, calibrated):
    front.ask(LoadModel("load", model[0]))
    exact, _ = answered(front, Generate("exact", HELLO, LONG))
    tier = calibrated.tiers[-1].name
    by_tier, _ = answered(front, Generate("tier", HELLO, LONG, tier))

    front.engine.submit(CompareTiers("compare", HELLO, LONG, tier))
    events = front.until(TiersCompared)

    found = events[-1].comparison
    assert all(isinstance(e, Progress) and e.phase == "compare" for e in events[:-1])
    assert ("".join(found.exact), "".join(found.other)) == (exact, by_tier)
    assert found.diverges_at >= 0


def broken(layer):
    rng = np.random.default_rng([layer, 3])
    inner, outer = rng.standard_normal((5, TINY.width)), rng.standard_normal((TINY.n_neurons, 5))
    none = np.zeros(TINY.n_neurons, np.float32)
    return LayerChoice(low_rank("linear", "normed", inner.astype(np.float32), outer.astype(np.float32), none))


def test_a_tier_whose_file_holds_a_broken_predictor_is_left_while_it_answers(front, model, calibrated):
    store = NeuronStore(open_packed(model[1].path))
    store.write_tier("fine", tuple(broken(layer) for layer in range(TINY.n_layers)))
    front.ask(LoadModel("load", model[0]))

    stats = [answered(front, Generate(str(n), HELLO, LONG, "fine"))[1] for n in range(12)]

    left = [s for s in stats if s.tier_left_at > 0]
    assert len(left) == 3
    assert all(s.audit_kl > 2 * 0.01 for s in left)
    assert (stats[-1].tier, stats[-1].tier_left_at, stats[-1].audited_tokens) == ("fine", 0, 0)
    front.ask(LoadModel("again", model[0]))
    assert answered(front, Generate("again", HELLO, LONG, "fine"))[1].audited_tokens > 0


def test_neurons_are_counted_only_where_that_is_asked_for(front, model):
    front.ask(LoadModel("load", model[0]))
    answered(front, Generate("1", HELLO, LONG))
    store = NeuronStore(open_packed(model[1].path))
    assert not neurons_folder(model[1].path).exists()

    first = answered(front, Generate("2", HELLO, LONG, counts_neurons=True))[1]
    answered(front, Generate("3", HELLO, LONG))
    second = answered(front, Generate("4", HELLO, LONG, counts_neurons=True))[1]

    kept = read_profile(store).use("chats")
    assert kept.n_tokens == first.generated_tokens + second.generated_tokens
    shares = kept.fired.sum(axis=1) / kept.n_tokens / TINY.n_neurons
    np.testing.assert_allclose(shares, np.mean([first.active, second.active], axis=0), atol=0.02)

    told = front.ask(ReadStudies("told", model[0]))
    forgotten = front.ask(ForgetChats("forget", model[0]))
    assert (told.chat_tokens, forgotten.chat_tokens) == (kept.n_tokens, 0)
    assert read_profile(store) is None
