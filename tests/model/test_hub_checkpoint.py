"""Folders whose tensors do not fit the family: refused by the tensor's name, never half used."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from engine.errors import DamagedFile, UnsupportedModel
from engine.model.hub_checkpoint import HubCheckpoint
from tests.golden.families import golden


def altered(tmp_path, folder, change):
    """A copy of a golden folder in one safetensors file as float32, its tensors changed in place by `change`."""
    source = golden(folder)
    place = tmp_path / folder
    shutil.copytree(source.path, place)
    tensors = {}
    with HubCheckpoint(source.path, repository=source.repository) as checkpoint:
        for name in checkpoint._files.entries:
            tensors[name] = np.array(checkpoint._files.read(name))
    change(tensors)
    for path in [*place.glob("*.safetensors*"), *place.glob("*.bin*")]:
        path.unlink()
    save_file(tensors, place / "model.safetensors")
    assert load_file(place / "model.safetensors").keys() == tensors.keys()
    return place, source.repository


def without(*pieces):
    def change(tensors):
        for name in [n for n in tensors if any(piece in n for piece in pieces)]:
            del tensors[name]

    return change


def adding(name, size):
    def change(tensors):
        tensors[name] = np.zeros(size, np.float32)

    return change


@pytest.mark.parametrize(
    ("folder", "change", "error", "named"),
    [
        ("qwen2", without("q_proj.bias", "v_proj.bias"), UnsupportedModel, "biases of k alone"),
        ("qwen2", without("k_proj.bias"), UnsupportedModel, "biases of q, v alone"),
        ("qwen2", without("layers.1.self_attn.q_proj.bias"), DamagedFile, "q_bias"),
        ("llama-2", adding("model.norm.bias", 3), UnsupportedModel, "model.norm.bias"),
        ("llama-2", adding("model.layers.0.self_attn.rotary_emb.inv_freq.lora", 3), UnsupportedModel, "lora"),
        ("bamboo", adding("model.predictor.anything", 3), UnsupportedModel, "predictor.anything"),
        ("llama-2", without("layers.1.mlp.up_proj"), DamagedFile, "up of layer 1"),
        ("llama-2", without("model.norm.weight"), DamagedFile, "final_norm"),
        ("opt-125m", without("fc1.bias"), UnsupportedModel, "1 biases of 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tensors_that_do_not_fit_are_named(tmp_path, folder, change, error, named):
    place, repository = altered(tmp_path, folder, change)

    with pytest.raises(error) as caught:
        HubCheckpoint(place, repository=repository)

    assert named in str(caught.value)


def test_an_unchanged_copy_opens(tmp_path):
    place, repository = altered(tmp_path, "qwen2", without("nothing at all"))

    with HubCheckpoint(place, repository=repository) as checkpoint:
        assert checkpoint.config.has_qkv_bias
