"""What is measured: the cases a model has, and that each is made as it says."""

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
    spec = BenchmarkSpec(shape="7b", active_shares=(0.5, 0.1))

    assert cases(spec, SHAPES["7b"]) == (Case("dense", 1.0), Case("exact", 0.5), Case("exact", 0.1))


def test_a_model_decides_for_itself_how_many_neurons_are_active(packed_tiny):
    sparse = packed_tiny(activation="relu").config

    assert cases(BenchmarkSpec(), sparse) == (Case("dense"), Case("exact"))
    assert cases(BenchmarkSpec(modes=("exact",)), sparse) == (Case("exact"),)
    assert cases(BenchmarkSpec(), TINY) == (Case("dense"),)


def test_a_mode_the_model_does_not_have_is_refused():
    with pytest.raises(InvalidRequest):
        cases(BenchmarkSpec(modes=("exact",)), TINY)


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
