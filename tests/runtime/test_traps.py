"""The traps that checkpoints of sparse models set, one law each; numbered as in the study that lists them."""

import numpy as np
import pytest

from engine.kernels import reference
from engine.kernels.formats import F32
from engine.model.families import FAMILIES
from engine.model.hub_checkpoint import HubCheckpoint
from engine.model.predictor_files import read_importance
from tests.golden.families import golden


def opened(folder):
    row = golden(folder)
    return HubCheckpoint(row.path, repository=row.repository)


@pytest.mark.parametrize("folder", ["prosparse", "relu-llama-70b"])
def test_1_float32_labelled_as_half_is_noticed(folder):
    with opened(folder) as checkpoint:
        assert checkpoint.remarks == ("wider than labelled",)


@pytest.mark.parametrize(
    ("folder", "activation", "threshold"),
    [("sparselm", "relu", 0.0), ("minicpm-s-llama-format", "fatrelu", 0.03), ("falcon-40b", "relu", 0.0)],
)
def test_2_an_activation_that_config_json_tells_wrongly_is_not_believed(folder, activation, threshold):
    with opened(folder) as checkpoint:
        assert (checkpoint.config.activation, checkpoint.config.threshold) == (activation, threshold)


def test_3_without_up_proj_the_gate_is_the_only_first_matrix():
    with opened("relu-nb") as checkpoint:
        assert not checkpoint.config.is_gated
        assert checkpoint.tensor("up", 0).shape == (checkpoint.config.n_neurons, checkpoint.config.width)


def test_4_counts_are_joined_by_the_layers_number_not_by_the_files_name(tmp_path):
    import torch

    for layer in range(12):
        torch.save(torch.full((5,), layer, dtype=torch.int64), tmp_path / f"activation_{layer}.pt")

    assert [int(counts[0]) for counts in read_importance(tmp_path)] == list(range(12))


def test_5_each_family_says_what_its_published_predictors_read():
    reads = {family.name: family.predictor_reads for family in FAMILIES}

    # PowerInfer feeds LLaMA's and OPT's the stream before the norm, and Falcon's what enters the layer.
    assert reads["llama"] == reads["opt"] == reads["prosparse"] == reads["bamboo"] == "stream"
    assert reads["falcon"] == "layer input"


@pytest.mark.parametrize("activation", ["relu", "fatrelu", "drelu", "relu2"])
def test_6_a_neuron_is_active_where_its_product_is_not_zero(activation):
    rng = np.random.default_rng(3)
    gate, up, down = (F32.pack(rng.standard_normal((200, 32)).astype(np.float32)) for _ in range(3))
    x = rng.standard_normal(32).astype(np.float32)
    threshold = 0.5 if activation == "fatrelu" else 0.0

    _, _, active = reference.feed_forward(x, gate, up, down, F32, activation, threshold, None)

    first = reference.activate(reference.matvec(gate, 32, F32, x), activation, threshold)
    second = reference.matvec(up, 32, F32, x)
    product = first * (np.maximum(second, 0) if activation == "drelu" else second)
    assert active == np.count_nonzero(product)


def test_7_falcons_fused_rows_and_opts_offset_and_minicpms_factors_are_undone():
    with opened("falcon-40b") as checkpoint:
        c = checkpoint.config
        fused = checkpoint._files.read(checkpoint._stored["qkv", 0])
        group = c.n_heads // c.n_key_heads
        second_key = fused[(2 * group + 3) * c.head_width - c.head_width :][: c.head_width]
        assert np.array_equal(checkpoint.tensor("k", 0)[c.head_width : 2 * c.head_width], second_key)
    with opened("opt-125m") as checkpoint:
        stored = checkpoint._files.read(checkpoint._stored["positions", None])
        assert np.array_equal(checkpoint.tensor("positions"), stored[2:])
    with opened("minicpm-s") as checkpoint:
        values = golden("minicpm-s").config
        stored = checkpoint._files.read(checkpoint._stored["embedding", None])
        assert np.allclose(checkpoint.tensor("embedding"), values["scale_emb"] * stored)
        assert checkpoint.tokenizer.add_bos


def test_8_each_token_has_active_neurons_of_its_own(tiny_transformer):
    transformer = tiny_transformer("f32", activation="relu")

    def counts(tokens):
        transformer.cache.rewind(0)
        for token in tokens:
            transformer.decode_step(token)
        return transformer.neuron_counts

    alone = counts([5])
    transformer.cache.rewind(0)
    after = [counts([token, 5]).tolist() for token in (7, 9)]

    assert alone.tolist() == counts([5]).tolist()
    assert after[0] != after[1]
