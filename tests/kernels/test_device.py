"""A card as the engine uses it: the same laws for the emulated one and, where one answers, a real one."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from engine.errors import DeviceLost, InternalError, OutOfMemory
from engine.kernels.cuda.device import as_argument
from engine.kernels.cuda.emulated_device import EmulatedDevice

SAMPLES = Path(__file__).parent / "cuda_samples"


@pytest.fixture
def samples(device):
    """Either card, with the kernels of the tests in place of the engine's."""
    device._sources = SAMPLES
    return device


@pytest.fixture
def make(card_kernels):
    """A function: options → an emulated card with the kernels of the tests, closed when the test ends."""
    made = []

    def emulated(**options):
        made.append(EmulatedDevice(card_kernels, sources=SAMPLES, **options))
        return made[-1]

    yield emulated
    for card in made:
        card.close()


def up(device, array, purpose="workspace"):
    there = device.empty(array.shape, array.dtype, purpose)
    device.upload(array, there)
    return there


def down(device, array):
    here = np.empty(array.shape, array.dtype)
    device.download(array, here, wait=True)
    return here


def add(device, x, number, n=None):
    n = x.size if n is None else n
    device.kernel("samples", "add_number")((-(-n // 64),), (64,), (x, np.float32(number), np.int32(n)))


# Memory ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint8, np.int32])
@pytest.mark.parametrize("shape", [(1,), (7, 33), (2, 3, 5), (0, 4)])
def test_what_goes_up_comes_down(device, shape, dtype):
    sent = np.arange(np.prod(shape)).reshape(shape).astype(dtype)

    assert (down(device, up(device, sent)) == sent).all()


def test_views_are_copied_where_they_lie(device):
    there = up(device, np.zeros((4, 5), np.float32))

    device.upload(np.arange(10, dtype=np.float32).reshape(2, 5), there[1:3])
    device.fill(there[3], 0)

    wanted = np.zeros((4, 5), np.float32)
    wanted[1:3] = np.arange(10).reshape(2, 5)
    assert (down(device, there) == wanted).all()
    assert (down(device, there[2]) == wanted[2]).all()


def test_a_fill_is_of_every_byte(device):
    there = device.empty((3, 5), np.int16, "workspace")

    device.fill(there, 0xAB)

    assert (down(device, there).view(np.uint8) == 0xAB).all()


def test_memory_is_aligned_and_pinned_memory_is_an_ordinary_array(device):
    arrays = [device.empty((n,), np.uint8, "workspace") for n in (1, 257, 4096)]
    pinned = device.pinned((3, 7), np.float32)
    pinned[...] = 2

    address = device._memory.address
    assert all(address(array) % 256 == 0 for array in arrays)
    assert (down(device, up(device, pinned)) == 2).all()
    assert isinstance(pinned, np.ndarray)


def test_the_account_is_exact_by_purpose(device):
    before = dict(device.allocated)
    hot = [device.empty((n, 3), np.float32, "hot neurons") for n in (5, 1, 100)]
    cache = device.empty((33,), np.int8, "KV cache")

    assert device.allocated == {**before, "hot neurons": 106 * 12, "KV cache": 33}
    device.free(hot[2])
    device.free(cache)
    assert device.allocated == {**before, "hot neurons": 6 * 12}


@pytest.mark.parametrize("what", ["twice", "its end", "its beginning", "foreign"])
def test_only_what_was_given_is_taken_back_and_once(device, what):
    array = device.empty((4, 4), np.float32, "workspace")
    foreign = device.pinned((4,), np.float32)
    returned = {"twice": array, "its end": array[1:], "its beginning": array[:1], "foreign": foreign}[what]
    if what == "twice":
        device.free(array)

    with pytest.raises(InternalError):
        device.free(returned)


def test_freed_memory_and_foreign_arrays_are_not_copied(device):
    array = device.empty((4,), np.float32, "workspace")
    device.free(array)

    with pytest.raises(InternalError, match="no longer"):
        device.upload(np.zeros(4, np.float32), array)
    with pytest.raises(InternalError):
        device.download(np.zeros(4, np.float32), np.zeros(4, np.float32))


def test_copies_of_other_sizes_or_with_gaps_are_refused(device):
    there = device.empty((4, 4), np.float32, "workspace")

    with pytest.raises(InternalError, match="64 bytes on the card, 60"):
        device.upload(np.zeros(15, np.float32), there)
    with pytest.raises(InternalError, match="gaps"):
        device.fill(there[:, 1], 0)
    with pytest.raises(InternalError, match="gaps"):
        device.upload(np.zeros((8, 4), np.float32)[::2], there)


def test_new_memory_of_the_emulated_card_is_no_number(make):
    card = make()

    assert np.isnan(down(card, card.empty((5,), np.float32, "workspace"))).all()


# Out of memory, lost ------------------------------------------------------------------------------------------------


def test_memory_runs_out_with_the_numbers(make):
    card = make(total_bytes=1000, others_bytes=300, context_bytes=100)
    held = card.empty((500,), np.uint8, "KV cache")

    assert card.memory() == (100, 1000)
    assert card.allocated == {"KV cache": 500, "context and modules": 100}
    with pytest.raises(OutOfMemory) as full:
        card.empty((101,), np.uint8, "hot neurons")
    assert (full.value.what, full.value.needed_bytes, full.value.available_bytes) == ("hot neurons", 101, 100)
    card.empty((100,), np.uint8, "hot neurons")
    card.free(held)
    assert card.memory() == (500, 1000)


def test_another_programs_use_may_grow_beyond_what_is_left(make):
    card = make(total_bytes=1000)
    card.empty((500,), np.uint8, "KV cache")

    card.others_bytes = 900

    assert card.memory() == (0, 1000)
    with pytest.raises(OutOfMemory):
        card.empty((1,), np.uint8, "workspace")


def test_an_allocation_fails_when_told_and_only_then(make):
    card = make()
    card.fail_allocation_after(2)

    outcomes = []
    for _ in range(5):
        try:
            card.empty((8,), np.uint8, "workspace")
            outcomes.append(True)
        except OutOfMemory:
            outcomes.append(False)

    assert outcomes == [True, True, False, True, True]
    assert card.allocated == {"workspace": 32}


def calls_of(card):
    """Every kind of call, as functions in an order in which they work."""
    here = np.zeros(64, np.float32)
    there = card.empty((64,), np.float32, "workspace")
    event, later = card.record(timed=True), card.record(timed=True)
    with card.capture():
        card.fill(there, 0)
    graph = card.captured()
    kernel = card.kernel("samples", "add_number")
    return {
        "memory": card.memory,
        "empty": lambda: card.empty((4,), np.float32, "workspace"),
        "pinned": lambda: card.pinned((4,), np.float32),
        "upload": lambda: card.upload(here, there),
        "download": lambda: card.download(there, here),
        "fill": lambda: card.fill(there, 0),
        "kernel": lambda: card.kernel("samples", "add_number"),
        "launch": lambda: kernel((1,), (64,), (there, np.float32(1), np.int32(64))),
        "record": card.record,
        "wait": event.wait,
        "seconds": lambda: later.seconds_since(event),
        "synchronise": card.synchronise,
        "capture": lambda: card.capture().__enter__(),
        "captured": card.captured,
        "graph": graph.launch,
        "free": lambda: card.free(there),
    }


def test_once_lost_every_call_says_so_and_closing_does_not(make):
    card = make()
    calls = calls_of(card)
    card.synchronise()

    card.lose("fell off the bus")

    for name, call in calls.items():
        with pytest.raises(DeviceLost) as lost:
            call()
        assert (name, lost.value.reason) == (name, "fell off the bus")
    card.close()


def test_every_call_is_counted_and_may_be_the_one_that_loses_the_card(make):
    card = make()
    names = list(calls_of(card))
    card.synchronise()

    for name in names:
        card = make()
        call = calls_of(card)[name]
        card.synchronise()
        before = card.n_calls
        card.lose_after(0)
        with pytest.raises(DeviceLost):
            call()
        assert card.n_calls == before + 1


def test_a_card_lost_on_the_way_fails_what_waits_for_its_work(make):
    card = make(lag_s=0.05)
    x = up(card, np.zeros(64, np.float32))
    add(card, x, 1)
    event = card.record()
    losing = threading.Timer(0.02, card.lose)
    losing.start()

    with pytest.raises(DeviceLost):
        event.wait()
    losing.join()


# The stream ---------------------------------------------------------------------------------------------------------


def test_work_is_done_in_the_order_in_which_it_was_put(samples):
    x = up(samples, np.zeros(64, np.float32))
    first, second = samples.pinned((64,), np.float32), samples.pinned((64,), np.float32)

    add(samples, x, 1)
    samples.download(x, first)
    add(samples, x, 2)
    samples.download(x, second)
    samples.fill(x, 0)
    add(samples, x, 4)

    assert (down(samples, x) == 4).all()
    assert (first == 1).all()
    assert (second == 3).all()


def test_the_caller_goes_on_while_the_card_works(samples):
    x = up(samples, np.zeros(256, np.float32))
    busy = samples.kernel("samples", "busy")
    busy((1,), (256,), (x, np.int32(1)))
    samples.synchronise()

    start, began = samples.record(timed=True), time.perf_counter()
    busy((1,), (256,), (x, np.int32(20_000)))
    end, put_s = samples.record(timed=True), time.perf_counter() - began
    end.wait()
    took_s = time.perf_counter() - began

    assert put_s < took_s / 2
    assert 0 < end.seconds_since(start) <= took_s


def test_kernels_of_the_emulated_card_run_without_the_interpreters_lock(make):
    card = make()
    x = up(card, np.zeros(256, np.float32))
    start = card.record(timed=True)
    card.kernel("samples", "busy")((1,), (256,), (x, np.int32(20_000)))
    end = card.record(timed=True)

    steps = []
    while not end._place.done():
        steps.append(time.perf_counter())

    assert sum(start._place.result() < step < end._place.result() for step in steps) > 100


def test_an_event_is_waited_for_and_timed_only_where_asked(samples):
    x = up(samples, np.zeros(64, np.float32))
    start, untimed = samples.record(timed=True), samples.record()
    add(samples, x, 1)
    end = samples.record(timed=True)
    end.wait()

    assert end.seconds_since(start) >= 0
    with pytest.raises(InternalError, match="not both recorded"):
        untimed.seconds_since(start)


def test_a_wait_that_was_forgotten_shows_with_a_lag(make):
    card = make(lag_s=0.02)
    x = up(card, np.ones(64, np.float32))
    here = np.zeros(64, np.float32)

    card.download(x, here)
    too_early = here.copy()
    card.record().wait()

    assert (too_early == 0).all()
    assert (here == 1).all()


# Launches -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def x(samples):
    return up(samples, np.zeros((8, 8), np.float32))


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (lambda x: (x, np.float32(1)), "3 arguments wanted, 2 given"),
        (lambda x: (x, 1.0, np.int32(64)), "add: a numpy scalar float32 wanted, float given"),
        (lambda x: (x, np.float64(1), np.int32(64)), "add: a numpy scalar float32 wanted, numpy float64 given"),
        (lambda x: (x, np.float32(1), 64), "n: a numpy scalar int32 wanted, int given"),
        (lambda x: (x, np.float32(1), np.int64(64)), "n: a numpy scalar int32 wanted, numpy int64 given"),
        (lambda x: (x.view(np.int32), np.float32(1), np.int32(64)), "x: float32 wanted, int32 given"),
        (lambda x: (x[:, 1:], np.float32(1), np.int32(64)), "x: a view with gaps, of shape (8, 7)"),
        (lambda x: (x.T, np.float32(1), np.int32(64)), "x: a view with gaps"),
        (lambda x: ([0.0], np.float32(1), np.int32(64)), "x: an array of the card wanted, list given"),
    ],
)
def test_a_launch_that_cuda_would_take_for_nonsense_is_refused_by_name(samples, x, args, named):
    with pytest.raises(InternalError) as fault:
        samples.kernel("samples", "add_number")((1,), (64,), args(x))

    assert f"add_number: {named}" in fault.value.detail


@pytest.mark.parametrize(
    ("grid", "block", "shared_bytes"),
    [
        ((0,), (64,), 0),
        ((1, 1, 1, 1), (64,), 0),
        ((1, 70000), (64,), 0),
        ((1,), (1025,), 0),
        ((1,), (0,), 0),
        ((1,), (2, 2, 65), 0),
        ((1,), (64,), 48 * 1024 + 1),
    ],
)
def test_a_grid_or_a_block_that_no_card_runs_is_refused(samples, x, grid, block, shared_bytes):
    with pytest.raises(InternalError, match="add_number"):
        samples.kernel("samples", "add_number")(grid, block, (x, np.float32(1), np.int32(64)), shared_bytes)


def test_a_block_beyond_the_kernels_launch_bound_is_refused(samples, x):
    with pytest.raises(InternalError, match="512 threads"):
        samples.kernel("samples", "dots_int8")((1,), (512,), ())


def test_a_launch_on_memory_given_back_is_refused_though_it_was_right_before(samples, x):
    add(samples, x, 1)
    samples.free(x)

    with pytest.raises(InternalError, match="x: not"):
        add(samples, x, 1)


def test_another_cards_memory_is_refused(make):
    ours, other = make(), make()

    with pytest.raises(InternalError, match="not \\(or no longer\\) in this card"):
        add(ours, up(other, np.zeros(4, np.float32)), 1)


def test_none_is_a_null_pointer(samples):
    x, bias = up(samples, np.zeros(64, np.float32)), up(samples, np.full(64, 3, np.float32))
    kernel = samples.kernel("samples", "add_bias")

    kernel((1,), (64,), (x, None, as_argument(64)))
    kernel((1,), (64,), (x, bias, as_argument(64)))

    assert (down(samples, x) == 4).all()


@pytest.mark.parametrize(("source", "name"), [("samples", "nothing"), ("nothing", "samples")])
def test_a_kernel_that_is_not_there_is_named(samples, source, name):
    with pytest.raises(InternalError, match="nothing"):
        samples.kernel(source, name)


# Graphs -------------------------------------------------------------------------------------------------------------


def test_what_is_captured_runs_when_it_is_launched_again_and_again(samples):
    x = up(samples, np.zeros(64, np.float32))
    sent, here = samples.pinned((64,), np.float32), samples.pinned((64,), np.float32)
    add(samples, x, 0)
    samples.synchronise()

    with samples.capture():
        samples.upload(sent, x)
        add(samples, x, 1)
        add(samples, x, 2)
        samples.download(x, here)
    graph = samples.captured()
    assert (down(samples, x) == 0).all()

    for value in (10, 20):
        sent[...] = value
        graph.launch()
        samples.synchronise()
        assert (here == value + 3).all()


@pytest.mark.parametrize("what", ["empty", "pinned", "free", "synchronise", "record", "wait", "download", "capture"])
def test_nothing_is_allocated_or_waited_for_while_captured(samples, what):
    x = up(samples, np.zeros(64, np.float32))
    here = np.zeros(64, np.float32)
    event = samples.record()
    calls = {
        "empty": lambda: samples.empty((4,), np.float32, "workspace"),
        "pinned": lambda: samples.pinned((4,), np.float32),
        "free": lambda: samples.free(x),
        "synchronise": samples.synchronise,
        "record": samples.record,
        "wait": event.wait,
        "download": lambda: samples.download(x, here, wait=True),
        "capture": lambda: samples.capture().__enter__(),
    }

    with samples.capture(), pytest.raises(InternalError, match="captured"):
        calls[what]()

    assert (down(samples, x) == 0).all()


def test_a_capture_that_failed_leaves_the_stream_as_it_was(samples):
    x = up(samples, np.zeros(64, np.float32))
    add(samples, x, 1)

    def failing():
        with samples.capture():
            add(samples, x, 1)
            raise LookupError

    with pytest.raises(LookupError):
        failing()

    add(samples, x, 1)
    assert (down(samples, x) == 2).all()
    with pytest.raises(InternalError, match="nothing was captured"):
        samples.captured()


def test_a_graph_over_memory_given_back_is_refused(samples):
    x = up(samples, np.zeros(64, np.float32))
    with samples.capture():
        samples.fill(x, 0)
    graph = samples.captured()

    samples.free(x)

    with pytest.raises(InternalError, match="given back"):
        graph.launch()


def test_a_closed_card_takes_nothing_more(make):
    card = make()
    card.close()

    with pytest.raises(InternalError, match="closed"):
        card.memory()
    card.close()


def test_the_card_names_itself_and_the_emulated_one_as_no_card(device):
    assert device.is_emulated == (device.uuid == "emulated")
    assert device.is_emulated == ("mulated" in device.name)
