"""config.json: what it says is done or refused, in whatever generation of spelling, and never half believed."""

import math

import pytest
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from engine.errors import DamagedFile, EngineError, UnsupportedModel
from engine.model.hub_config import config_from_hub
from engine.model.rope import rope_frequencies

LLAMA = {
    "model_type": "llama", "hidden_size": 64, "intermediate_size": 100, "num_hidden_layers": 4,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 300, "max_position_embeddings": 128,
    "hidden_act": "relu", "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
}  # fmt: skip
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
GATED = frozenset({"gate", "up", "head"})


def read(has=GATED, **changes):
    values = {k: v for k, v in {**LLAMA, **changes}.items() if v is not ...}
    return config_from_hub(values, lambda name: name in has, path="here", repository="test")


@pytest.mark.parametrize(
    ("changes", "rotary"),
    [
        ({}, 8), ({"partial_rotary_factor": 1.0}, 16), ({"partial_rotary_factor": 0.25}, 4),
        ({"rope_parameters": {"rope_theta": 1e4, "rope_type": "default", "partial_rotary_factor": 0.25}}, 4),
    ],
)  # fmt: skip
def test_nemotron_rotates_half_a_head_unless_told_otherwise(changes, rotary):
    config = read({"up", "head"}, model_type="nemotron", hidden_act="relu2", norm_eps=1e-5, **changes)

    assert config.rotary_width == rotary


@pytest.mark.parametrize(
    ("changes", "window"),
    [
        ({"sliding_window": 32}, 0),
        ({"model_type": "mistral", "sliding_window": 32}, 32),
        ({"model_type": "mistral", "sliding_window": None}, 0),
        ({"model_type": "mistral"}, 4096),
        ({"model_type": "qwen2", "sliding_window": 32}, 0),
        ({"model_type": "qwen2", "sliding_window": 32, "use_sliding_window": True, "max_window_layers": 0}, 32),
        ({"model_type": "qwen2", "sliding_window": 32, "use_sliding_window": True, "max_window_layers": 4}, 0),
    ],
)
def test_a_window_counts_where_the_family_uses_it(changes, window):
    assert read(**changes).window == window


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        (
            {"model_type": "qwen2", "sliding_window": 8, "use_sliding_window": True, "max_window_layers": 1},
            UnsupportedModel,
        ),
        ({"layer_types": ["full_attention", "sliding_attention"]}, UnsupportedModel),
        ({"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 4.0}}}, UnsupportedModel),
        ({"rope_scaling": {"type": "yarn", "factor": 4.0, "truncate": False}}, UnsupportedModel),
        ({"rope_scaling": {"type": "dynamic", "factor": 4.0}}, UnsupportedModel),
        ({"attn_logit_softcapping": 30.0}, UnsupportedModel),
        ({"logit_scale": 0.5}, UnsupportedModel),
        ({"tie_word_embeddings": "false"}, DamagedFile),
        ({"alibi": "false"}, DamagedFile),
        ({"hidden_size": 10**400}, DamagedFile),
        ({"rope_theta": 10**400}, DamagedFile),
        ({"rope_theta": math.inf}, DamagedFile),
        ({"partial_rotary_factor": math.nan}, DamagedFile),
        ({"partial_rotary_factor": 0.0}, DamagedFile),
        ({"hidden_act": "fatrelu", "hidden_act_param": 10**400}, DamagedFile),
        ({"hidden_act": "fatrelu", "hidden_act_param": "0.01"}, DamagedFile),
        (
            {"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 4.0,
                              "original_max_position_embeddings": 64}},
            DamagedFile,
        ),
    ],
    ids=lambda value: str(value)[:50],
)  # fmt: skip
def test_what_means_something_else_is_not_taken_for_what_we_do(changes, error):
    with pytest.raises(error):
        read(**changes)


def test_a_head_that_is_neither_tied_nor_there_is_missed():
    with pytest.raises(DamagedFile):
        read({"gate", "up"}, tie_word_embeddings=False)

    assert read({"gate", "up"}).is_tied


@pytest.mark.parametrize("key", LLAMA)
@pytest.mark.parametrize("value", [None, "5", [1], {}, -1, 0, 1e300, True, 2.5])
def test_any_value_of_another_kind_is_one_of_our_errors_or_harmless(key, value):
    try:
        read(**{key: value})
    except EngineError:
        return


@pytest.mark.parametrize(
    "scaling",
    [
        {"rope_type": "linear", "factor": 4.0},
        {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 64},
        YARN,
        {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0},
        {**YARN, "mscale": 1.0, "mscale_all_dim": 0.5},
    ],
    ids=lambda value: "-".join(str(v) for v in value.values())[:30],
)  # fmt: skip
def test_scaled_rotations_equal_transformers(scaling):
    config = read(rope_scaling=scaling)
    theirs = transformers.LlamaConfig(
        hidden_size=64, num_attention_heads=4, max_position_embeddings=128,
        rope_parameters={"rope_theta": 10000.0, **scaling},
    )  # fmt: skip

    frequencies, gain = ROPE_INIT_FUNCTIONS[scaling["rope_type"]](theirs, "cpu")

    assert rope_frequencies(config.rope, 16) == pytest.approx(frequencies.double().numpy(), rel=1e-5)
    assert config.rope.attention_factor == pytest.approx(gain)
