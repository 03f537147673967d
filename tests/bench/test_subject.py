"""What is measured: the cases a model has, and that each is made as it says."""

import dataclasses

import numpy as np
import pytest

from engine.bench.shapes import SHAPES, shape_config
from engine.bench.subject import Case, cases, gguf_of, open_bench, passage_tokens, subject_of
from engine.benchmark_report import BenchmarkSpec
from engine.errors import FileMissing, InvalidRequest, OutOfMemory
from engine.text.tokenizer import Tokenizer
from tests.bench.conftest import SHORT
from tests.tiny_model import TINY, write_gguf


def quiet(phase: str, done: int, total: int) -> None:
    """Progress nobody looks at."""


def test_a_shape_has_every_share_that_is_asked_for():
    spec = BenchmarkSpec(shape="7b", active_shares=(1.0, 0.1))

    assert cases(spec, None) == (
        Case("dense", 1.0), Case("exact", 1.0), Case("exact", 0.1), Case("predicted", 0.1),
    )  # fmt: skip


def test_a_model_decides_for_itself_how_many_neurons_are_active(packed_tiny):
    sparse, dense = packed_tiny(activation="relu"), packed_tiny()
    with_predictor = dataclasses.replace(sparse, tensors={**sparse.tensors, "layers.0.predictor_in": ()})

    assert cases(BenchmarkSpec(), with_predictor) == (Case("dense"), Case("exact"), Case("predicted"))
    assert cases(BenchmarkSpec(), sparse) == (Case("dense"), Case("exact"))
    assert cases(BenchmarkSpec(modes=("exact",)), sparse) == (Case("exact"),)
    assert cases(BenchmarkSpec(), dense) == (Case("dense"),)


@pytest.mark.parametrize("mode", ["exact", "predicted"])
def test_a_mode_the_model_does_not_have_is_refused(packed_tiny, mode: str):
    with pytest.raises(InvalidRequest):
        cases(BenchmarkSpec(modes=(mode,)), packed_tiny())


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
def test_a_shape_computes_the_share_that_is_set(monkeypatch: pytest.MonkeyPatch, weight_format: str):
    small = dataclasses.replace(
        SHAPES["1b-8"], name="small", width=256, n_neurons=1024, n_heads=4, n_key_heads=2, head_width=64,
        rotary_width=64, n_vocab=500,
    )  # fmt: skip
    monkeypatch.setitem(SHAPES, "small", small)
    spec = BenchmarkSpec(shape="small", active_shares=(0.5, 0.1))
    counted = {}

    with open_bench(spec, None, weight_format, 64, quiet) as bench:
        asked = cases(spec, None)
        for case in [*asked, *asked]:  # found the first time, set again the second
            transformer = bench.prepare(case, 2)
            transformer.cache.rewind(0)
            shares = np.zeros(3)
            for token in range(8):
                transformer.decode_step(token)
                shares += transformer.neuron_counts.mean(axis=0) / (8 * small.n_neurons)
            counted.setdefault(case, []).append(shares)

    assert [case.mode for case in asked] == ["dense", "exact", "exact", "predicted", "predicted"]
    for case, (first, again) in counted.items():
        assert np.array_equal(first, again)
        assert first[2] == pytest.approx(case.share, rel=0.15)
        assert first[0] == pytest.approx(min(1.6 * case.share, 1.0) if case.mode == "predicted" else 1.0, rel=0.15)


def test_an_unknown_shape_is_refused_with_those_there_are():
    with pytest.raises(InvalidRequest) as caught:
        shape_config("8b")

    assert "7b-8" in caught.value.reason


@pytest.mark.parametrize("changes", [{"activation": "relu"}, {"activation": "relu2", "is_gated": False}])
def test_the_dense_case_of_a_sparse_model_computes_all_neurons(packed_tiny, changes):
    with open_bench(SHORT, packed_tiny(**changes), "int8", 64, quiet) as bench:
        shares = {}
        for case in (Case("exact"), Case("dense"), Case("exact")):
            transformer = bench.prepare(case, 2)
            transformer.decode_step(3)
            shares[case.mode] = transformer.neuron_counts[:, -1].mean() / bench.config.n_neurons

    assert shares["dense"] == 1.0
    assert 0.0 < shares["exact"] < 0.9


@pytest.mark.parametrize("activation", ["silu", "relu"])
def test_a_filled_cache_holds_as_many_tokens_and_can_be_decoded_from(packed_tiny, activation):
    with open_bench(SHORT, packed_tiny(activation=activation), "int8", 64, quiet) as bench:
        transformer = bench.prepare(Case("dense"), 1)
        for depth in (20, 5, 0):
            bench.fill(transformer, depth, quiet)
            assert transformer.cache.tokens == bench.tokens[:depth]
            assert np.isfinite(transformer.decode_step(1)).all()


def test_another_row_format_is_packed_from_the_source(packed_tiny, tmp_path):
    gguf = write_gguf(tmp_path / "tiny.gguf")
    packed = packed_tiny(source=str(gguf))

    with open_bench(SHORT, packed, "int4", 64, quiet) as bench:
        assert bench.prepare(Case("dense"), 1).config.n_layers == TINY.n_layers
        assert bench.weight_format == "int4"


def test_another_row_format_without_a_source_says_what_is_missing(packed_tiny):
    packed = packed_tiny(source="/no/where.gguf")

    with pytest.raises(FileMissing) as caught, open_bench(SHORT, packed, "int4", 64, quiet):
        pass

    assert caught.value.path == "/no/where.gguf"


def test_a_shape_beyond_this_memory_is_refused_before_it_is_made():
    spec = BenchmarkSpec(shape="13b")

    with pytest.raises(OutOfMemory), open_bench(spec, None, "f32", 1 << 17, quiet):
        pass


def test_only_a_gguf_file_that_is_still_there_is_given_to_others(packed_tiny, tmp_path):
    gguf = write_gguf(tmp_path / "tiny.gguf")
    other = tmp_path / "config.json"
    other.write_text("{}")

    assert gguf_of(packed_tiny(source=str(gguf))) == gguf
    assert subject_of(SHORT, packed_tiny(source=str(gguf))).gguf == "tiny.gguf"
    assert gguf_of(packed_tiny(source=str(other))) is None
    assert gguf_of(packed_tiny(source=str(tmp_path))) is None
    assert gguf_of(packed_tiny(source=str(tmp_path / "gone.gguf"))) is None


def test_the_passage_begins_again_where_it_ends(packed_tiny):
    tokenizer = Tokenizer(packed_tiny().tokenizer)
    once = passage_tokens(tokenizer, 1000)

    many = passage_tokens(tokenizer, 20_000)

    assert len(many) == 20_000
    assert many[:1000] == once
