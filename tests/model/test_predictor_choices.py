"""Choices of a tier on disk, and what a predictor's scores mean."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DamagedFile, FileMissing
from engine.model.predictors import LayerChoice, low_rank, read_choices, sign_bits, sign_predictor, write_choices
from tests.tiny_model import TINY

RNG = np.random.default_rng(0)


def some_choices():
    d, n = TINY.width, TINY.n_neurons
    bias = RNG.standard_normal(n).astype(np.float32)
    inner, outer = (RNG.standard_normal(s).astype(np.float32) for s in ((5, d), (n, 5)))
    rows = RNG.standard_normal((n, d)).astype(np.float32)
    return (
        LayerChoice(low_rank("relu", "stream", inner, outer, bias), 0.25),
        LayerChoice(sign_predictor(rows, bias)),
        LayerChoice(),
    )


def test_choices_come_back(tmp_path):
    path, choices = tmp_path / "a" / "tier.npz", some_choices()
    write_choices(path, choices, "abc")

    again = read_choices(path, TINY, "abc")

    assert again is not None
    x = RNG.standard_normal((4, TINY.width)).astype(np.float32)
    for one, other in zip(choices, again, strict=True):
        assert one.cut == other.cut
        assert (one.predictor is None) == (other.predictor is None)
        if one.predictor and other.predictor:
            assert np.array_equal(one.predictor.scores(x), other.predictor.scores(x))
    assert read_choices(path, TINY, "other weights") is None


@pytest.mark.parametrize("damage", ["short", "flipped", "empty", "text", "layers"])
def test_a_damaged_file_is_refused(tmp_path, damage):
    path = tmp_path / "tier.npz"
    write_choices(path, some_choices()[: 2 if damage == "layers" else 3], "abc")
    content = bytearray(path.read_bytes())
    if damage == "flipped":
        content[len(content) // 2] ^= 0xFF
    changed = {"short": content[:-40], "empty": b"", "text": b"no zip at all", "layers": content, "flipped": content}
    path.write_bytes(changed[damage])

    with pytest.raises(DamagedFile):
        read_choices(path, TINY, "abc")


def hostile(members):
    """A file of tier choices with these members, each the bytes of an array file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def array_file(shape, dtype, content):
    """A numpy file that says it holds such an array, whatever it holds."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + content


def header(text):
    return array_file((len(text),), "|u1", text.encode())


def encrypted(content):
    """The archive with its first member marked as encrypted, as a single flipped bit does."""
    at = content.index(b"PK\x01\x02") + 8
    return content[:at] + bytes([content[at] | 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        hostile({"header": array_file((1 << 50,), "|u1", b"{}")}),
        hostile({"header": header('{"of":' + "[" * 100_000)}),
        hostile({"header": header(json.dumps({"version": 1, "of": "abc", "layers": [[10**400, "", ""]] * 3}))}),
        encrypted(hostile({"header": header("{}")})),
    ],
    ids=["vast", "deep", "overflowing", "encrypted"],
)
def test_a_hostile_file_is_refused(tmp_path, content):
    path = tmp_path / "tier.npz"
    path.write_bytes(content)

    with pytest.raises(DamagedFile):
        read_choices(path, TINY, "abc")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileMissing):
        read_choices(tmp_path / "none.npz", TINY, "abc")


@given(st.integers(1, 150), st.integers(0, 100))
def test_agreeing_signs_are_counted(d, seed):
    rng = np.random.default_rng(seed)
    rows, x = (np.where(rng.random((n, d)) < 0.2, 0, rng.standard_normal((n, d))).astype(np.float32) for n in (6, 3))

    scores = sign_predictor(rows, np.zeros(6, np.float32)).scores(x)

    agreeing = ((x < 0)[:, None, :] == (rows < 0)[None, :, :]).sum(axis=2)
    assert np.array_equal(scores, agreeing - np.float32(d / 2))
    assert sign_bits(rows).shape == (6, (d + 63) // 64)
