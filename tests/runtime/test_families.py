"""Every family's tiny checkpoint: read right, computed right, skipped exactly, or refused with the reason."""

import contextlib
import time

import numpy as np
import pytest

from engine.errors import UnsupportedModel
from engine.model.hub_checkpoint import HubCheckpoint
from engine.model.pack import pack
from engine.runtime.transformer import Transformer
from tests.golden.families import GOLDEN, REFUSED

N_STEPS = 64
# float32 against float32 in another order of summation; the bound is 1e-3.
TOLERANCE = 2e-5


def by_folder(row):
    return row.folder


def opened(row):
    return HubCheckpoint(row.path, repository=row.repository)


@contextlib.contextmanager
def running(row, folder, weight_format="f32"):
    with opened(row) as checkpoint:
        packed = pack(
            checkpoint, folder / "model.ember", weight_format, source="", note="", on_step=lambda done, total: None
        )
    sizes = {"context_tokens": 96, "cache_kind": "f32" if weight_format == "f32" else "f16", "n_threads": 2}
    transformer = Transformer(packed.config, packed.parts, packed.read(lambda done, total: None), **sizes)
    with contextlib.closing(transformer):
        yield transformer


def decoded(transformer, tokens):
    return np.stack([transformer.decode_step(token).copy() for token in tokens])


@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_a_checkpoint_is_what_its_weights_mean(row):
    with opened(row) as checkpoint:
        config = checkpoint.config

        assert (config.family, config.activation, config.is_gated) == (row.family, row.activation, row.is_gated)
        assert config.threshold == pytest.approx(row.threshold)
        assert config.window == row.window
        labelled = row.config.get("torch_dtype") or row.config.get("dtype")
        is_wider = row.stored == "float32" and labelled in ("float16", "bfloat16")
        assert checkpoint.remarks == (("wider than labelled",) if is_wider else ())
        assert checkpoint.tokenizer.n_vocab <= config.n_vocab


@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_float_logits_equal_the_golden_ones(row, tmp_path):
    golden = row.load()
    tokens, expected = golden["tokens"].tolist(), golden["logits"]
    with running(row, tmp_path) as transformer:
        dense = transformer.all_logits(tokens)[:, : expected.shape[1]]
        transformer.cache.rewind(0)
        sparse = decoded(transformer, tokens)[:, : expected.shape[1]]

    scale = np.abs(expected).max()
    assert np.abs(dense - expected).max() <= TOLERANCE * scale
    assert np.abs(sparse - expected).max() <= TOLERANCE * scale


@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_sparse_decoding_says_the_same_as_the_dense_pass(row, tmp_path):
    prompt = row.load()["tokens"].tolist()
    with running(row, tmp_path) as transformer:
        tokens = list(prompt)
        for token in prompt[:-1]:
            transformer.decode_step(token)
        for _ in range(N_STEPS):
            tokens.append(int(transformer.decode_step(tokens[-1]).argmax()))
        dense = transformer.all_logits(tokens[:-1]).argmax(axis=1)

    assert dense[len(prompt) - 1 :].tolist() == tokens[len(prompt) :]


@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_silent_neurons_are_skipped_and_counted(row, tmp_path):
    golden = row.load()
    counts = []
    with running(row, tmp_path) as transformer:
        for token in golden["tokens"].tolist():
            transformer.decode_step(token)
            counts.append(transformer.neuron_counts.copy())
        n_neurons = transformer.config.n_neurons
    computed, examined, active = np.mean(counts, axis=0).T / n_neurons

    assert np.all(computed == 1)
    assert np.all(active <= examined)
    if row.activation == "silu":
        assert np.all(active == 1)
    else:
        assert np.allclose(1 - active, golden["silent"], atol=2 / n_neurons)
        assert row.silent[0] <= 1 - active.mean() <= row.silent[1]


@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_a_rewound_cache_continues_like_a_fresh_one(row, tmp_path):
    tokens = row.load()["tokens"].tolist()
    with running(row, tmp_path, "int8") as transformer:
        decoded(transformer, tokens)
        transformer.cache.rewind(7)
        continued = decoded(transformer, tokens[7:])
        transformer.cache.rewind(0)
        fresh = decoded(transformer, tokens)[7:]

    assert np.array_equal(continued, fresh)


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
@pytest.mark.parametrize("row", GOLDEN, ids=by_folder)
def test_packed_rows_stay_near_the_golden_logits(row, weight_format, tmp_path):
    golden = row.load()
    expected = golden["logits"]
    with running(row, tmp_path, weight_format) as transformer:
        got = decoded(transformer, golden["tokens"].tolist())[:, : expected.shape[1]]

    # Random weights of a few dozen columns round far worse than a real model's: only a blunder is caught here.
    error = np.sqrt(np.mean((got - expected) ** 2) / np.mean(expected**2))
    assert error < {"int8": 0.08, "int4": 0.6}[weight_format]


@pytest.mark.parametrize("row", REFUSED, ids=by_folder)
def test_what_cannot_run_is_refused_with_its_reason_before_a_weight_is_read(row):
    started = time.thread_time()

    with pytest.raises(UnsupportedModel) as caught:
        opened(row)

    assert time.thread_time() - started < 1
    assert row.reason in f"{caught.value.what} {caught.value.found}"
    assert caught.value.supported
