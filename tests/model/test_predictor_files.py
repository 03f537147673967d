"""Folders of predictors and counts: joined to layers by number, whole or refused, never executed."""

import json
import os
import random

import numpy as np
import pytest
import torch

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.model.predictor_files import PredictorFolder, PredictorShape, read_importance
from tests.model.weight_files import Payload
from tests.tiny_model import TINY

D, N = TINY.width, TINY.n_neurons


def predictor(layer: int, rank: int | None = None) -> dict[str, torch.Tensor]:
    """A predictor whose numbers tell its layer."""
    rank = rank or 4 + layer
    return {"fc1.weight": torch.full((rank, D), float(layer)), "fc2.weight": torch.full((N, rank), layer + 0.5)}


def write_predictors(folder, layers, **config):
    for layer in random.Random(1).sample(list(layers), len(layers)):
        torch.save(predictor(layer), folder / f"model_{layer}.pt")
    if config:
        (folder / "config.json").write_text(json.dumps(config))
    return folder


def write_counts(folder, layers, dtype=torch.int64):
    for layer in layers:
        torch.save(torch.arange(layer, layer + N).to(dtype), folder / f"activation_{layer}.pt")
    return folder


def test_layers_are_joined_by_number(tmp_path):
    """As text, 10 and 11 come before 2."""
    folder = PredictorFolder(write_predictors(tmp_path, range(12)))

    assert folder.n_layers == 12
    for layer in range(12):
        first, second = folder.read(layer)
        assert folder.shapes[layer] == PredictorShape(D, 4 + layer, N)
        assert first.shape == (4 + layer, D)
        assert second.shape == (N, 4 + layer)
        assert (first == layer).all()
        assert (second == layer + 0.5).all()


@pytest.mark.parametrize("threshold", [0, 0.5, -1.25])
def test_the_threshold_comes_from_the_configuration(tmp_path, threshold):
    write_predictors(tmp_path, range(2), sparse_threshold=threshold)

    assert PredictorFolder(tmp_path).sparse_threshold == threshold


def test_without_a_configuration_the_threshold_is_zero(tmp_path):
    assert PredictorFolder(write_predictors(tmp_path, range(2))).sparse_threshold == 0.0


@pytest.mark.parametrize(
    "text",
    [*(f'{{"sparse_threshold": {value}}}' for value in ('"x"', "true", "NaN", "1" + "0" * 400)), "[1]", "{"],
    ids=["text", "true", "nan", "huge", "list", "cut"],
)
def test_a_threshold_that_is_no_number_is_refused(tmp_path, text):
    write_predictors(tmp_path, range(2))
    (tmp_path / "config.json").write_text(text)

    with pytest.raises(DamagedFile):
        PredictorFolder(tmp_path)


def test_linear_relu_linear_in_a_row_is_the_same_predictor(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(D, 4, bias=False), torch.nn.ReLU(), torch.nn.Linear(4, N, bias=False))
    torch.save(module.state_dict(), tmp_path / "model_0.pt")

    first, second = PredictorFolder(tmp_path).read(0)

    assert np.array_equal(first, module[0].weight.detach().numpy())
    assert np.array_equal(second, module[2].weight.detach().numpy())


@pytest.mark.parametrize(
    "state",
    [
        {"0.weight": torch.ones(4, D), "1.weight": torch.ones(N, 4)},
        {**predictor(0), "fc1.bias": torch.ones(4)},
        {"fc1.weight": torch.ones(4, D)},
        {},
    ],
    ids=["no ReLU between", "bias", "half", "empty"],
)
def test_another_network_is_unsupported(tmp_path, state):
    torch.save(state, tmp_path / "model_0.pt")

    with pytest.raises(UnsupportedModel):
        PredictorFolder(tmp_path)


@pytest.mark.parametrize(("one", "two"), [((4, D), (N, 5)), ((4,), (N, 4)), ((0, D), (N, 0)), ((4, D, 1), (N, 4))])
def test_matrices_that_do_not_chain_are_refused(tmp_path, one, two):
    torch.save({"fc1.weight": torch.ones(one), "fc2.weight": torch.ones(two)}, tmp_path / "model_0.pt")

    with pytest.raises(DamagedFile):
        PredictorFolder(tmp_path)


def test_layers_of_different_models_are_refused(tmp_path):
    write_predictors(tmp_path, range(2))
    torch.save({"fc1.weight": torch.ones(4, D + 1), "fc2.weight": torch.ones(N, 4)}, tmp_path / "model_2.pt")

    with pytest.raises(DamagedFile):
        PredictorFolder(tmp_path)


@pytest.mark.parametrize("missing", [0, 5, 10])
def test_a_gap_is_named(tmp_path, missing):
    write_predictors(tmp_path, set(range(12)) - {missing})
    write_counts(tmp_path, set(range(12)) - {missing})

    for read, stem in ((PredictorFolder, "model"), (read_importance, "activation")):
        with pytest.raises(FileMissing) as caught:
            read(tmp_path)
        assert caught.value.path.endswith(f"{stem}_{missing}.pt")


@pytest.mark.parametrize("name", ["01", "001"])
def test_a_layer_that_is_there_twice_is_refused(tmp_path, name):
    write_predictors(tmp_path, range(3))
    torch.save(predictor(1), tmp_path / f"model_{name}.pt")

    with pytest.raises(DamagedFile):
        PredictorFolder(tmp_path)


@pytest.mark.parametrize("name", ["model_99999.pt", "model_" + "9" * 100 + ".pt"])
def test_a_layer_beyond_any_model_is_refused(tmp_path, name):
    write_predictors(tmp_path, range(2))
    torch.save(predictor(1), tmp_path / name)

    with pytest.raises(DamagedFile):
        PredictorFolder(tmp_path)


def test_other_files_are_ignored(tmp_path):
    write_predictors(tmp_path, range(2))
    for name in ("model_2.pt.part", "README.md", "Model_3.pt", "model_.pt", "model_-1.pt"):
        (tmp_path / name).write_bytes(b"x")

    assert PredictorFolder(tmp_path).n_layers == 2


def test_a_folder_of_something_else_is_foreign(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"x")

    for read in (PredictorFolder, read_importance):
        with pytest.raises(ForeignFile):
            read(tmp_path)
        with pytest.raises(FileMissing):
            read(tmp_path / "none")


def test_a_value_that_is_not_finite_is_refused(tmp_path):
    torch.save({**predictor(0), "fc2.weight": torch.full((N, 4), torch.nan)}, tmp_path / "model_0.pt")
    folder = PredictorFolder(tmp_path)

    with pytest.raises(DamagedFile):
        folder.read(0)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.float32, torch.float64])
def test_counts_are_joined_by_number_and_stay_whole(tmp_path, dtype):
    counts = read_importance(write_counts(tmp_path, range(12), dtype))

    assert len(counts) == 12
    for layer, values in enumerate(counts):
        assert values.dtype == np.int64
        assert values.tolist() == list(range(layer, layer + N))


@pytest.mark.parametrize(
    "values",
    [torch.tensor([1, -1]), torch.tensor([0.5, 1.0]), torch.tensor([-1.0, 1.0]), torch.tensor([1e30, 1.0]),
     torch.tensor([float("nan"), 1.0]), torch.ones(2, 2), torch.tensor(3), torch.zeros(0)],
    ids=["negative", "fraction", "negative float", "huge", "nan", "matrix", "scalar", "empty"],
)  # fmt: skip
def test_counts_that_are_none_are_refused(tmp_path, values):
    torch.save(values, tmp_path / "activation_0.pt")

    with pytest.raises(DamagedFile):
        read_importance(tmp_path)


def test_named_tensors_are_no_counts(tmp_path):
    torch.save({"counts": torch.ones(3)}, tmp_path / "activation_0.pt")

    with pytest.raises(UnsupportedModel):
        read_importance(tmp_path)


def test_layers_of_different_lengths_are_refused(tmp_path):
    write_counts(tmp_path, range(2))
    torch.save(torch.arange(N + 1), tmp_path / "activation_2.pt")

    with pytest.raises(DamagedFile):
        read_importance(tmp_path)


def test_code_in_a_file_is_not_run(tmp_path):
    write_predictors(tmp_path, range(2))
    write_counts(tmp_path, range(2))
    marker = tmp_path / "executed"
    for stem in ("model", "activation"):
        torch.save(Payload(os.mkdir, str(marker)), tmp_path / f"{stem}_2.pt")

    for read in (PredictorFolder, read_importance):
        with pytest.raises(UnsupportedModel) as caught:
            read(tmp_path)
        assert "holds code" in caught.value.found
    assert not marker.exists()
