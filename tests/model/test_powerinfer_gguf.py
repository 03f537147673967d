"""PowerInfer's GGUF: ordinary names and shapes come out, whatever is not a model of it is refused."""

import shutil
import struct

import gguf
import numpy as np
import pytest

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.model.powerinfer_gguf import PowerInferGguf
from tests.model.weight_files import stamp_pwri, tiny_predictor, write_pwri
from tests.tiny_model import TINY, TinyCheckpoint, write_gguf


@pytest.fixture
def tiny_pwri(tmp_path):
    return write_pwri(tmp_path / "tiny.powerinfer.gguf")


def half(values):
    return values.astype(np.float16).astype(np.float32)


def test_tensors_come_under_their_ordinary_names_and_shapes(tiny_pwri):
    source = TinyCheckpoint()

    with PowerInferGguf(tiny_pwri) as file:
        assert not any("ffn_down_t" in name for name in file.entries)
        assert np.array_equal(file.read("token_embd.weight"), half(source.tensor("embedding")))
        for layer in range(TINY.n_layers):
            down = file.read(f"blk.{layer}.ffn_down.weight")
            assert file.entries[f"blk.{layer}.ffn_down.weight"].shape == down.shape == (TINY.width, TINY.n_neurons)
            assert np.array_equal(down, half(source.tensor("down", layer)))
            assert np.array_equal(file.read(f"blk.{layer}.ffn_up.weight"), half(source.tensor("up", layer)))
            assert np.array_equal(file.read(f"blk.{layer}.attn_q.weight"), half(source.tensor("q", layer)))
            assert np.array_equal(file.read(f"blk.{layer}.ffn_down.bias"), source.tensor("down_bias", layer))
            assert np.array_equal(file.read(f"blk.{layer}.attn_norm.weight"), source.tensor("attention_norm", layer))


def test_metadata_are_plain_values(tiny_pwri):
    with PowerInferGguf(tiny_pwri) as file:
        assert file.fields["general.architecture"] == "llama"
        assert file.fields["tokenizer.ggml.tokens"] == ["a", "b", "ß"]
        assert file.fields["tokenizer.ggml.scores"] == [0.5, -1.0, 2.0]
        assert file.sparse_threshold == 0.25


def test_predictors_are_joined_by_layer(tiny_pwri):
    with PowerInferGguf(tiny_pwri) as file:
        assert list(file.predictors) == list(range(TINY.n_layers))
        for layer, (first, second) in file.predictors.items():
            one, two = tiny_predictor(layer)
            assert np.array_equal(file.read(first), one.astype(np.float32))
            assert np.array_equal(file.read(second), two.astype(np.float32))


def test_layer_ten_comes_after_layer_nine(tmp_path):
    one, two = tiny_predictor(0)
    extra = {f"blk.{i}.fc{k}.weight": values for i in range(3, 12) for k, values in ((1, one), (2, two))}

    with PowerInferGguf(write_pwri(tmp_path / "p.gguf", extra=extra)) as file:
        assert list(file.predictors) == list(range(12))
        assert file.predictors[10] == ("blk.10.fc1.weight", "blk.10.fc2.weight")


def test_without_a_threshold_it_is_zero(tmp_path):
    with PowerInferGguf(write_pwri(tmp_path / "p.gguf", threshold=None)) as file:
        assert file.sparse_threshold == 0.0


def test_half_a_predictor_is_refused(tmp_path):
    with pytest.raises(DamagedFile) as caught:
        PowerInferGguf(write_pwri(tmp_path / "p.gguf", skip=frozenset({"blk.1.fc2.weight"})))
    assert "layer 1" in caught.value.what


def test_a_predictor_whose_matrices_do_not_chain_is_refused(tmp_path):
    extra = {"blk.1.fc2.weight": np.ones((TINY.n_neurons, 6), np.float16)}

    with pytest.raises(DamagedFile):
        PowerInferGguf(write_pwri(tmp_path / "p.gguf", extra=extra))


def test_a_down_matrix_that_is_there_twice_is_refused(tmp_path):
    extra = {"blk.0.ffn_down.weight": np.ones((TINY.width, TINY.n_neurons), np.float16)}

    with pytest.raises(DamagedFile):
        PowerInferGguf(write_pwri(tmp_path / "p.gguf", extra=extra))


@pytest.mark.parametrize("kind", ["Q4_0", "Q5_1", "Q8_0", "Q6_K"])
def test_blocks_of_few_bits_are_unpacked_as_gguf_does(tmp_path, kind):
    quantisation = gguf.GGMLQuantizationType[kind]
    values = np.random.default_rng(3).standard_normal((37, 512)).astype(np.float32)
    if kind == "Q6_K":  # the package only unpacks these
        packed = np.random.default_rng(4).integers(0, 120, (37, 2 * 210), np.uint8)
    else:
        packed = gguf.quants.quantize(values, quantisation)
    path = tmp_path / "q.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tensor("blk.0.ffn_down_t.weight", packed, raw_dtype=quantisation)
    writer.add_tensor("blk.0.ffn_up.weight", packed, raw_dtype=quantisation)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    expected = gguf.quants.dequantize(packed, quantisation)

    with PowerInferGguf(stamp_pwri(path)) as file:
        assert file.entries["blk.0.ffn_up.weight"].dtype == kind
        assert np.array_equal(file.read("blk.0.ffn_up.weight"), expected)
        assert np.array_equal(file.read("blk.0.ffn_down.weight"), expected.T)


def test_opening_does_not_change_the_file_or_its_folder(tiny_pwri):
    before = tiny_pwri.read_bytes()

    with PowerInferGguf(tiny_pwri) as file:
        file.read("token_embd.weight")

    assert tiny_pwri.read_bytes() == before
    assert [path.name for path in tiny_pwri.parent.iterdir()] == [tiny_pwri.name]


def test_arrays_stay_valid_after_closing(tiny_pwri):
    file = PowerInferGguf(tiny_pwri)
    values = file.read("blk.0.attn_norm.weight")

    file.close()

    assert np.array_equal(values, TinyCheckpoint().tensor("attention_norm", 0))


def test_a_value_that_is_not_finite_is_refused_with_the_tensors_name(tmp_path):
    path = write_pwri(tmp_path / "p.gguf", extra={"blk.0.attn_norm.weight": np.array([1, np.nan], np.float32)})

    with PowerInferGguf(path) as file, pytest.raises(DamagedFile) as caught:
        file.read("blk.0.attn_norm.weight")
    assert "blk.0.attn_norm.weight" in caught.value.what


def test_an_ordinary_gguf_is_foreign(tmp_path):
    with pytest.raises(ForeignFile):
        PowerInferGguf(write_gguf(tmp_path / "tiny.gguf"))


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileMissing):
        PowerInferGguf(tmp_path / "none.gguf")


def test_an_index_of_placed_neurons_is_no_model(tmp_path):
    path = tmp_path / "index.gguf"
    writer = gguf.GGUFWriter(path, "generic.gpu_index")
    # Number 18 is a 32-bit integer in PowerInfer's ggml and blocks of three bits today.
    writer.add_tensor("blk.0.gpu_idx", np.zeros((1, 98), np.uint8), raw_dtype=gguf.GGMLQuantizationType.IQ3_XXS)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    with pytest.raises(UnsupportedModel) as caught:
        PowerInferGguf(stamp_pwri(path))
    assert "index" in caught.value.found


def test_a_type_that_powerinfer_does_not_have_is_unsupported(tmp_path):
    path = write_pwri(tmp_path / "p.gguf", extra={"blk.9.x.weight": np.zeros((2, 4), np.int32)})

    with pytest.raises(UnsupportedModel) as caught:
        PowerInferGguf(path)
    assert "blk.9.x.weight" in caught.value.what


def test_every_truncation_is_refused(tiny_pwri):
    whole = tiny_pwri.read_bytes()
    for length in [4, 8, 23, 24, 30, *range(50, len(whole), len(whole) // 60), len(whole) - 200, len(whole) - 33]:
        tiny_pwri.write_bytes(whole[:length])

        with pytest.raises((DamagedFile, ForeignFile)):
            PowerInferGguf(tiny_pwri)


def test_a_list_that_claims_to_be_endless_is_refused_at_once(tiny_pwri):
    """The gguf package would count to the announced length, far beyond the end of the file."""
    whole = tiny_pwri.read_bytes()
    at = whole.index(b"tokenizer.ggml.scores") + len("tokenizer.ggml.scores") + 8
    for length in (1 << 32, 1 << 60, (1 << 64) - 1):
        tiny_pwri.write_bytes(whole[:at] + struct.pack("<Q", length) + whole[at + 8 :])

        with pytest.raises(DamagedFile):
            PowerInferGguf(tiny_pwri)


def test_lists_in_lists_end(tiny_pwri):
    """A list whose elements are lists, some thousands deep."""
    head = b"PWRI" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", 9)
    tiny_pwri.write_bytes(head + struct.pack("<IQ", 9, 1) * 5000)

    with pytest.raises(DamagedFile):
        PowerInferGguf(tiny_pwri)


def test_a_copy_elsewhere_reads_the_same(tiny_pwri, tmp_path):
    other = tmp_path / "Modelle größer" / "α.gguf"
    other.parent.mkdir()
    shutil.copy(tiny_pwri, other)

    with PowerInferGguf(other) as file:
        assert np.array_equal(file.read("token_embd.weight"), half(TinyCheckpoint().tensor("embedding")))
