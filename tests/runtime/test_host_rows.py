"""Hot rows given back to the system, and brought back: by the card's copy, or by the packed file."""

import dataclasses
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.model.pack import pack
from engine.model.weight_memory import give_back, resident_bytes
from engine.runtime.host_rows import HostRows
from engine.runtime.neuron_order import NeuronOrder, as_packed, read_in_order
from tests.tiny_model import TINY, TinyCheckpoint

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="single pages are given back on Linux only")
# Rows of a hundred pages, three matrices of 2.2 MB each and layer.
SHAPE = {"width": 1024, "n_neurons": 2000, "n_layers": 2, "n_heads": 4, "head_width": 8, "rotary_width": 8}


def ignore(done, total):
    """Progress nobody looks at."""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **SHAPE))
    path = tmp_path_factory.mktemp("rows") / "model.ember"
    return pack(checkpoint, path, "int8", source="", note="", on_step=ignore)


@pytest.fixture
def opened(packed):
    """A function: order → tensors and HostRows of them."""
    files = []

    def make(order):
        tensors = read_in_order(packed, order, ignore)
        files.append(packed.open_rows())
        return tensors, HostRows(packed.config, tensors, order, files[-1])

    yield make
    for file in files:
        file.close()


def random_order(config, seed):
    rng = np.random.default_rng(seed)
    return NeuronOrder(np.stack([rng.permutation(config.n_neurons) for _ in range(config.n_layers)]).astype(np.int32))


def in_ram(array):
    """Kilobytes of the mapping an array lies in, as /proc tells: another source than the one under test."""
    address, is_inside = array.ctypes.data, False
    with Path("/proc/self/smaps").open() as smaps:
        for line in smaps:
            first = line.split(maxsplit=1)[0]
            if "-" in first and ":" not in first:
                begin, end = (int(x, 16) for x in first.split("-"))
                is_inside = begin <= address < end
            elif is_inside and first == "Rss:":
                return int(line.split()[1])
    raise AssertionError("no such mapping")


@LINUX
def test_what_is_released_is_no_longer_in_memory(packed, opened):
    tensors, rows = opened(as_packed(packed.config))
    one_layer = sum(tensors[f"layers.0.{part}"].nbytes for part in ("gate", "up", "down"))
    before, resident = in_ram(tensors["layers.0.gate"]), rows.resident_bytes(0)

    freed = rows.release(0, 1500)

    assert rows.can_release
    assert rows.released == (1500, 0)
    assert resident == pytest.approx(one_layer, rel=0.01)
    assert freed == pytest.approx(0.75 * one_layer, rel=0.02)
    assert rows.resident_bytes(0) == resident - freed
    assert before - in_ram(tensors["layers.0.gate"]) == pytest.approx(freed / 1024, rel=0.01)
    assert rows.release(0, 1500) == 0
    assert rows.release(0, 2000) > 0


@LINUX
def test_reading_in_an_order_takes_one_matrix_more(packed):
    matrix = packed.tensors["layers.0.up"][0].n_bytes
    order, tensors = random_order(packed.config, 0), {}

    def peak_of(order):
        tracemalloc.start()  # what numpy allocates, and not the weights themselves
        try:
            tensors.update(read_in_order(packed, order, ignore))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak_of(as_packed(packed.config)) < 0.2 * matrix
    assert matrix <= peak_of(order) < 1.2 * matrix
    assert np.array_equal(tensors["layers.0.up"], packed.map()["layers.0.up"][order.numbers[0]])


@LINUX
def test_hot_rows_can_leave_while_a_model_is_read(packed):
    order, hot = random_order(packed.config, 5), 1600
    kept = {}

    def to_the_card(name, tensor):
        if name.endswith((".gate", ".up", ".down")):
            kept[name] = tensor[:hot].copy()
            give_back(tensor[:hot])

    tensors = read_in_order(packed, order, ignore, to_the_card)

    for layer in range(2):
        for part in ("gate", "up", "down"):
            name = f"layers.{layer}.{part}"
            whole, numbers = packed.map()[name], order.numbers[layer]
            assert np.array_equal(kept[name], whole[numbers[:hot]])
            assert np.array_equal(tensors[name][hot:], whole[numbers[hot:]])
            assert resident_bytes(tensors[name]) < 0.25 * tensors[name].nbytes


@LINUX
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 3),
    moves=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2000), st.booleans()), min_size=1, max_size=6),
)
def test_whatever_is_released_and_refilled_the_other_rows_hold_their_weights(packed, opened, seed, moves):
    order = random_order(packed.config, seed)
    tensors, rows = opened(order)
    original = {name: tensor.copy() for name, tensor in tensors.items()}
    n_hot = [0, 0]
    for layer, n, by_file in moves:
        if n > n_hot[layer]:
            rows.release(layer, n)
        else:
            given_rows = {
                part: original[f"layers.{layer}.{part}"][n : rows.released[layer]] for part in ("gate", "up", "down")
            }
            rows.refill(layer, n, None if by_file else given_rows)
        n_hot[layer] = n

        assert all(released <= hot for released, hot in zip(rows.released, n_hot, strict=True))
        for name, tensor in tensors.items():
            number, _, part = name.removeprefix("layers.").rpartition(".")
            first = n_hot[int(number)] if part in ("gate", "up", "down") else 0
            assert np.array_equal(tensor[first:], original[name][first:]), name
    for layer in range(2):
        rows.refill(layer, 0)
    assert rows.released == (0, 0)
    assert all(np.array_equal(tensor, original[name]) for name, tensor in tensors.items())


@LINUX
def test_a_layer_comes_back_in_slices(packed, opened):
    tensors, rows = opened(random_order(packed.config, 1))
    original = tensors["layers.1.down"].copy()
    rows.release(1, 2000)

    for begin in range(1900, -1, -100):
        rows.refill(1, begin)
        assert rows.released[1] == begin
        assert np.array_equal(tensors["layers.1.down"][begin:], original[begin:])


@LINUX
def test_bytes_of_another_shape_are_refused_and_change_nothing(packed, opened):
    tensors, rows = opened(as_packed(packed.config))
    rows.release(0, 1000)

    with pytest.raises(InternalError):
        rows.refill(0, 500, dict.fromkeys(("gate", "up", "down"), tensors["layers.0.gate"][:499]))
    with pytest.raises(InternalError):
        rows.release(0, 2001)

    assert rows.released == (1000, 0)


@LINUX
def test_rows_of_a_mapped_file_are_dropped_and_come_by_themselves(packed):
    tensors, file = packed.map(), packed.open_rows()
    rows = HostRows(packed.config, tensors, as_packed(packed.config), file)
    original = {part: tensors[f"layers.0.{part}"].copy() for part in ("gate", "up", "down")}
    before = in_ram(tensors["layers.0.gate"])

    rows.release(0, 2000)

    assert in_ram(tensors["layers.0.gate"]) < before / 2
    assert rows.released == (0, 0)
    assert all(np.array_equal(tensors[f"layers.0.{part}"], original[part]) for part in original)
    file.close()


def test_memory_that_is_not_ours_stays(packed):
    tensors = {name: tensor.copy() for name, tensor in packed.map().items()}
    file = packed.open_rows()
    rows, before = HostRows(packed.config, tensors, as_packed(packed.config), file), tensors["layers.0.up"].copy()

    assert rows.release(0, 2000) == 0
    assert rows.released == (0, 0)
    assert np.array_equal(tensors["layers.0.up"], before)
    file.close()
