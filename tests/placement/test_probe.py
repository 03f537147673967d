"""The probe reads what it says it reads, gives back what it takes, and gives figures that belong to their device."""

from dataclasses import replace

import numpy as np
import psutil
import pytest

from engine.errors import Cancelled, DeviceLost, OutOfMemory
from engine.kernels.cuda.device import Device
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.kernels.formats import Bytes
from engine.placement import probe
from engine.placement.hardware import Processor, probe_processor
from engine.placement.probe import card_rates, cpu_rates, measure, read_share, share_bytes, thread_counts

PROCESSOR = Processor("Some CPU", "x86_64", ("AVX2",), 8, 16, 16, None)


@pytest.fixture
def little_memory(monkeypatch):
    """The probe's passes as they are, over few bytes and for a short time."""
    monkeypatch.setattr(probe, "_LEAST_BYTES", 4 << 20)
    monkeypatch.setattr(probe, "_MOST_BYTES", 4 << 20)
    monkeypatch.setattr(probe, "_PASS_S", 0.002)
    monkeypatch.setattr(probe, "_REPEATS", 5)
    monkeypatch.setattr(probe, "_REPEATS_S", 0.05)


def nothing(*_done: int) -> None:
    """Progress nobody looks at."""


@pytest.mark.parametrize(
    ("physical", "usable", "counts"),
    [
        (8, 16, (1, 2, 3, 4, 6, 8, 16)), (2, 2, (1, 2)), (2, 4, (1, 2, 4)), (1, 1, (1,)), (0, 6, (1, 2, 3, 4, 6)),
        (16, 4, (1, 2, 3, 4)), (24, 32, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)),
    ],
)  # fmt: skip
def test_thread_counts_reach_all_cores_and_then_all_threads(physical, usable, counts):
    assert thread_counts(replace(PROCESSOR, physical_cores=physical, usable_cores=usable)) == counts


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("n_streams", [1, 4])
def test_the_threads_shares_are_apart_and_read_in_whole(n_threads, n_streams):
    values = np.ones(4 << 20, np.float32)
    memory: Bytes = values.view(np.uint8)

    share = share_bytes(memory, n_threads)

    assert n_threads * share <= len(memory)
    assert all(read_share(memory, n_threads, n_streams, t) == share / 4 for t in range(n_threads))


def test_every_thread_count_has_a_rate(little_memory):
    steps = []

    rates = cpu_rates((1, 2), steps.append)

    assert [rate.n_threads for rate in rates] == [1, 2]
    assert all(1e8 < rate.bytes_per_s < 1e13 for rate in rates)
    assert steps == [0, 1]


def test_without_free_memory_nothing_is_measured(monkeypatch):
    class Nothing:
        available = 1 << 20

    monkeypatch.setattr(psutil, "virtual_memory", Nothing)

    with pytest.raises(OutOfMemory):
        cpu_rates((1,), nothing)


@pytest.mark.parametrize("n", [0, 1, 255, 4096, 10_000])
@pytest.mark.parametrize("blocks", [1, 3])
def test_the_kernel_reads_every_word_once(device: Device, n: int, blocks: int):
    words = np.random.default_rng(n).integers(0, 1 << 32, (max(n, 1), 4), np.uint32)
    there, found = (
        device.empty(words.shape, np.uint32, "workspace"),
        device.empty((256 * blocks,), np.uint32, "workspace"),
    )
    device.upload(words, there)

    device.kernel("read_memory", "read_memory")((blocks,), (256,), (there, found, np.int32(n)))

    back = np.zeros(256 * blocks, np.uint32)
    device.download(found, back, wait=True)
    assert np.bitwise_xor.reduce(back) == np.bitwise_xor.reduce(words[:n], axis=None)
    first = [np.bitwise_xor.reduce(words[t : n : 256 * blocks], axis=None) for t in (0, 100)]
    assert back[[0, 100]].tolist() == first
    device.free(there)
    device.free(found)


def test_a_card_is_measured_and_left_as_it_was(device: Device, little_memory):
    steps, before = [], dict(device.allocated)

    rates = card_rates(device, steps.append)

    assert min(rates.read, rates.upload, rates.download, rates.launch_s, rates.round_trip_s) > 0
    assert dict(device.allocated) == before
    assert steps == [0, 1, 2, 3]


def test_a_card_with_little_free_memory_is_measured_within_it(card_kernels, little_memory):
    device = EmulatedDevice(card_kernels, total_bytes=3 << 20)

    rates = card_rates(device, nothing)

    assert rates.read > 0
    device.close()


def test_what_is_measured_belongs_to_its_device(emulated: EmulatedDevice, little_memory, monkeypatch):
    monkeypatch.setattr(probe, "thread_counts", lambda processor: (1,))
    steps = []

    with_card = measure(probe_processor(), emulated, lambda done, total: steps.append((done, total)))
    alone = measure(probe_processor(), None, nothing)

    assert with_card.card_uuid == "emulated"
    assert (alone.card_uuid, alone.card_bytes_per_s, alone.launch_s, alone.round_trip_s) == ("", 0, 0, 0)
    assert with_card.took_s > 0
    assert with_card.measured_at.endswith("+00:00")
    assert steps == [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_a_card_lost_while_it_is_measured_is_told(card_kernels, little_memory):
    device = EmulatedDevice(card_kernels)
    device.lose_after(30)

    with pytest.raises(DeviceLost):
        card_rates(device, nothing)
    device.close()


def test_a_card_that_fills_up_while_it_is_measured_gives_all_back(emulated: EmulatedDevice, little_memory):
    emulated.fail_allocation_after(1)

    with pytest.raises(OutOfMemory):
        card_rates(emulated, nothing)

    assert not emulated.allocated


def test_measuring_can_be_stopped(little_memory):
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        measure(probe_processor(), None, stop)
