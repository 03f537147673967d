"""GGUF files: right ones read exactly, wrong ones are refused with a clear error in bounded time."""

import dataclasses
import random
import struct

import numpy as np
import pytest

from engine.errors import DamagedFile, EngineError, FileMissing, ForeignFile, UnsupportedModel
from engine.model.gguf_checkpoint import GgufCheckpoint
from tests.tiny_model import TINY, TinyCheckpoint, tiny_facts, write_gguf

LAYER_TENSORS = ("attention_norm", "q", "k", "v", "out", "ffn_norm", "gate", "up", "down")


@pytest.fixture
def tiny_gguf(tmp_path):
    return write_gguf(tmp_path / "tiny.gguf")


@pytest.mark.parametrize("is_tied", [True, False])
def test_a_written_checkpoint_reads_back_exactly(tmp_path, is_tied):
    source = TinyCheckpoint(dataclasses.replace(TINY, is_tied=is_tied))

    with GgufCheckpoint(write_gguf(tmp_path / "tiny.gguf", source)) as checkpoint:
        assert dataclasses.replace(checkpoint.config, norm_eps=TINY.norm_eps) == source.config
        assert checkpoint.tokenizer == tiny_facts()
        for name in ("embedding", "final_norm", *(() if is_tied else ("head",))):
            assert np.array_equal(checkpoint.tensor(name), source.tensor(name))
        for layer in range(TINY.n_layers):
            for name in LAYER_TENSORS:
                assert np.array_equal(checkpoint.tensor(name, layer), source.tensor(name, layer)), name


@pytest.mark.parametrize(
    ("architecture", "changes"),
    [
        ("qwen2", {"has_qkv_bias": True}),
        ("arcee", {"is_gated": False, "activation": "relu2"}),
    ],
)
def test_other_architectures_keep_their_rows_biases_and_feed_forward(tmp_path, architecture, changes):
    source = TinyCheckpoint(dataclasses.replace(TINY, family=architecture, **changes))

    with GgufCheckpoint(write_gguf(tmp_path / "tiny.gguf", source, architecture=architecture)) as checkpoint:
        assert dataclasses.replace(checkpoint.config, norm_eps=TINY.norm_eps) == source.config
        names = [n for n in LAYER_TENSORS if n != "gate" or source.config.is_gated]
        names += ["q_bias", "k_bias", "v_bias"] if source.config.has_qkv_bias else []
        for name in names:
            assert np.array_equal(checkpoint.tensor(name, 1), source.tensor(name, 1)), name


@pytest.mark.model
def test_the_starter_is_what_we_say_it_is(starter_checkpoint):
    config = starter_checkpoint.config

    assert (config.width, config.n_neurons, config.n_layers, config.n_heads, config.n_key_heads) == (
        576, 1536, 30, 9, 3,
    )  # fmt: skip
    assert config.n_parameters == 134_515_008
    assert config.is_tied
    assert config.licence == "apache-2.0"
    scale, values = starter_checkpoint.int8_rows("embedding")
    exact = (values.reshape(len(values), -1, 32) * scale[:, :, None].astype(np.float32)).reshape(values.shape)
    assert np.array_equal(exact, starter_checkpoint.tensor("embedding"))


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileMissing):
        GgufCheckpoint(tmp_path / "none.gguf")


@pytest.mark.parametrize(
    "content", [b"", b"GGU", b"PK\x03\x04" + bytes(100), b"\x80\x02}q\x00.", b"<html>" * 50, bytes(64)], ids=repr
)
def test_a_foreign_file_is_named_as_such(tmp_path, content):
    path = tmp_path / "foreign.gguf"
    path.write_bytes(content)

    with pytest.raises(ForeignFile):
        GgufCheckpoint(path)


def test_every_truncation_is_refused(tiny_gguf):
    whole = tiny_gguf.read_bytes()
    for length in [4, 8, 23, 24, 30, *range(50, len(whole), len(whole) // 60), len(whole) - 200]:
        tiny_gguf.write_bytes(whole[:length])

        with pytest.raises((DamagedFile, ForeignFile)):
            GgufCheckpoint(tiny_gguf)


def test_flipped_bytes_are_refused_or_harmless(tiny_gguf):
    """A flip in weights cannot be seen without a hash; any other gives one of our errors or changes a value."""
    whole = bytearray(tiny_gguf.read_bytes())
    data_start = len(whole) - sum(t.nbytes for t in _all_tensors())
    rng = random.Random(5)
    for _ in range(300):
        changed = bytearray(whole)
        for _ in range(rng.choice([1, 1, 1, 4])):
            changed[rng.randrange(data_start)] = rng.randrange(256)
        tiny_gguf.write_bytes(changed)
        try:
            with GgufCheckpoint(tiny_gguf) as checkpoint:
                for name in LAYER_TENSORS:
                    checkpoint.tensor(name, 0)
        except EngineError:
            continue


def _all_tensors():
    source = TinyCheckpoint()
    yield source.tensor("embedding")
    yield source.tensor("final_norm")
    for layer in range(TINY.n_layers):
        yield from (source.tensor(name, layer) for name in LAYER_TENSORS)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"architecture": "mamba"}, UnsupportedModel),
        ({"llama__expert_count": 8}, UnsupportedModel),
        ({"llama__rope__scaling__type": "longrope"}, UnsupportedModel),
        ({"llama__rope__scaling__type": "yarn"}, DamagedFile),
        ({"llama__rope__scaling__factor": 4.0}, UnsupportedModel),
        ({"llama__rope__scale_linear": 4.0}, UnsupportedModel),
        ({"llama__attention__clamp_kqv": 8.0}, UnsupportedModel),
        ({"tokenizer__ggml__pre": "no-such-split"}, UnsupportedModel),
        ({"llama__block_count": 4}, DamagedFile),
        ({"llama__block_count": 10**9}, DamagedFile),
        ({"llama__attention__head_count": 0}, DamagedFile),
        ({"llama__attention__head_count": 5}, UnsupportedModel),
        ({"llama__attention__head_count_kv": 4}, DamagedFile),
        ({"llama__feed_forward_length": 71}, DamagedFile),
        ({"llama__embedding_length": "wide"}, DamagedFile),
        ({"llama__context_length": None}, DamagedFile),
        ({"llama__attention__layer_norm_rms_epsilon": float("nan")}, DamagedFile),
        ({"llama__rope__freq_base": float("inf")}, DamagedFile),
        ({"tokenizer__ggml__tokens": None}, DamagedFile),
        ({"tokenizer__ggml__tokens": ["a"] * 400}, DamagedFile),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_metadata_that_cannot_be_run_is_refused(tmp_path, changes, error):
    path = write_gguf(tmp_path / "changed.gguf", **changes)

    with pytest.raises(error) as caught:
        GgufCheckpoint(path)

    assert caught.value.path == str(path)


def test_fewer_layers_than_tensors_is_refused_rather_than_ignored(tmp_path):
    with pytest.raises(UnsupportedModel) as caught:
        GgufCheckpoint(write_gguf(tmp_path / "changed.gguf", llama__block_count=2))

    assert "blk.2" in caught.value.found


@pytest.mark.parametrize("counts", [(2**63, 4), (4, 2**63), (10**7, 10**7)])
def test_huge_announced_counts_cost_nothing(tmp_path, counts):
    path = tmp_path / "huge.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, *counts) + bytes(64))

    with pytest.raises(DamagedFile):
        GgufCheckpoint(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_numbers_are_refused(tmp_path, value):
    class Broken(TinyCheckpoint):
        def tensor(self, name, layer=None):
            out = super().tensor(name, layer)
            if name == "up":
                out[3, 3] = value
            return out

    with GgufCheckpoint(write_gguf(tmp_path / "broken.gguf", Broken())) as checkpoint:
        checkpoint.tensor("gate", 1)
        with pytest.raises(DamagedFile) as caught:
            checkpoint.tensor("up", 1)

    assert "ffn_up" in caught.value.what
