"""A real card's part that needs no card: what opening one refuses, and what the driver's errors become.

CuPy itself, where it is installed, is asked on this machine; where it is not, and for states that this machine is not
in, a stand-in with CuPy's names raises what CuPy would.
"""

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from uuid import UUID

import numpy as np
import pytest

from engine.errors import CardUnusable, DeviceLost, InternalError, OutOfMemory
from engine.kernels.cuda import cupy_device
from engine.kernels.cuda.cupy_device import open_card
from engine.kernels.cuda.device import Device
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.placement_reports import CARD_STATES
from tests.card_fixtures import WORDS, why_no_card

A, B = UUID(int=1), UUID(int=2)
SAMPLES = Path(__file__).parent / "cuda_samples"


class CUDARuntimeError(RuntimeError):
    def __init__(self, status):
        super().__init__(f"cudaError {status}")
        self.status = status


class CUDADriverError(CUDARuntimeError):
    pass


class CompileException(Exception):
    pass


class StubCupy(ModuleType):
    """Names that `open_card` and `CupyDevice` use; memory is numpy's, and every call may be told to fail."""

    def __init__(self, *, count=2, capability=(8, 9), nvrtc=(13, 0), failing=None):
        super().__init__("cupy")
        self.failing = dict(failing or {})
        self.held = {}
        self.calls = []
        self.device = None
        runtime = SimpleNamespace(
            CUDARuntimeError=CUDARuntimeError,
            getDeviceCount=self.call("getDeviceCount", lambda: count),
            getDeviceProperties=lambda i: {
                "uuid": (A, B)[i].bytes, "name": b"Card %d" % i, "major": capability[0], "minor": capability[1],
            },
            driverGetVersion=lambda: self.failing.get("driver version", 0),
            setDevice=self.call("setDevice", lambda index: setattr(self, "device", index)),
            malloc=self.call("malloc", self.malloc),
            free=self.call("free", lambda start: self.held.pop(start, None)),
            memGetInfo=self.call("memGetInfo", lambda: (1000 - sum(a.nbytes for a in self.held.values()), 1000)),
            memcpyAsync=self.call("memcpyAsync", lambda *_: None),
            memsetAsync=self.call("memsetAsync", lambda *_: None),
            memcpyHostToDevice=1,
            memcpyDeviceToHost=2,
        )  # fmt: skip
        self.stream = SimpleNamespace(
            ptr=7,
            synchronize=self.call("synchronize", lambda: None),
            begin_capture=self.call("begin_capture", lambda: None),
            end_capture=self.call("end_capture", lambda: SimpleNamespace(launch=self.call("graph", lambda _: None))),
        )
        self.launched = []
        self.cuda = SimpleNamespace(
            runtime=runtime,
            driver=SimpleNamespace(CUDADriverError=CUDADriverError),
            nvrtc=SimpleNamespace(getVersion=self.call("nvrtc", lambda: nvrtc)),
            Stream=lambda non_blocking: self.stream,
            Event=lambda disable_timing: SimpleNamespace(
                record=self.call("record", lambda _: None), synchronize=self.call("event", lambda: None)
            ),
            get_elapsed_time=lambda earlier, later: 1500.0,
            compiler=SimpleNamespace(CompileException=CompileException),
            UnownedMemory=lambda start, n_bytes, owner, index: start,
            MemoryPointer=lambda start, offset: start,
        )

    class ndarray:
        def __init__(self, shape, dtype, memptr):
            self.nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
            self.flags = SimpleNamespace(c_contiguous=True)
            self.data = SimpleNamespace(ptr=memptr)
            self.dtype = np.dtype(dtype)

    def call(self, name, work):
        def called(*arguments):
            self.calls.append(name)
            if name in self.failing:
                raise (
                    self.failing[name]
                    if isinstance(self.failing[name], Exception)
                    else CUDARuntimeError(self.failing[name])
                )
            return work(*arguments)

        return called

    def RawModule(self, code, options):
        get_function = self.call("compile", lambda name: SimpleNamespace(kernel=self.launch))
        return SimpleNamespace(get_function=get_function)

    def launch(self, *arguments, stream):
        self.call("launch", lambda: self.launched.append((*arguments, stream)))()

    def malloc(self, n_bytes):
        array = np.empty(n_bytes, np.uint8)
        self.held[array.ctypes.data] = array
        return array.ctypes.data


def opened(wanted="", **options):
    stub = StubCupy(**options)
    return stub, open_card(wanted, load=lambda: stub)


def test_cupy_is_looked_for_only_when_a_card_is_opened():
    if importlib.util.find_spec("cupy"):
        pytest.skip("CuPy is installed")

    with pytest.raises(CardUnusable) as refusal:
        open_card()

    assert refusal.value.state == "not_installed"


def test_this_machine_opens_a_card_or_says_which_state_it_is_in():
    """With CuPy's own errors, where it is installed."""
    reason = why_no_card()

    assert not reason or any(words in reason for words in WORDS.values())


@pytest.mark.parametrize(
    ("options", "state"),
    [
        ({"failing": {"getDeviceCount": 35}}, "no_driver"),
        ({"failing": {"getDeviceCount": 35, "driver version": 12020}}, "old_driver"),
        ({"failing": {"getDeviceCount": 100}}, "no_device"),
        ({"failing": {"getDeviceCount": 999}}, "failed"),
        ({"count": 0}, "no_device"),
        ({"failing": {"nvrtc": RuntimeError("no such library")}}, "no_compiler"),
        ({"capability": (7, 0)}, "too_old"),
        ({"capability": (6, 1)}, "too_old"),
    ],
)
def test_each_state_in_which_no_card_can_be_opened_has_its_code(options, state):
    with pytest.raises(CardUnusable) as refusal:
        opened(**options)

    assert refusal.value.state == state
    assert state in CARD_STATES


def test_an_older_cuda_serves_older_cards():
    _, card = opened(capability=(6, 1), nvrtc=(12, 9))

    assert card.uuid == f"GPU-{A}"


def test_cards_are_chosen_by_uuid_as_nvml_writes_it():
    stub, card = opened(f"GPU-{B}")

    assert (card.uuid, card.name, stub.device) == (f"GPU-{B}", "Card 1", 1)
    with pytest.raises(CardUnusable) as refusal:
        opened(f"GPU-{UUID(int=3)}")
    assert refusal.value.state == "no_device"


def test_a_card_whose_uuid_cupy_cuts_short_is_opened_by_its_number():
    whole = f"GPU-{A}"
    stub = StubCupy()
    properties = stub.cuda.runtime.getDeviceProperties
    stub.cuda.runtime.getDeviceProperties = lambda i: {**properties(i), "uuid": (A, B)[i].bytes[:5]}

    device = open_card(whole, 1, load=lambda: stub)

    assert device.uuid == whole
    assert stub.device == 1


def test_a_context_is_counted_in_every_opening_of_its_card(monkeypatch):
    """CUDA makes it once a process, and keeps it when the device is closed."""
    used = iter([1000, 1300, 1300, 1300])
    monkeypatch.setattr(cupy_device, "_used_bytes", lambda its_uuid: next(used))
    monkeypatch.setattr(cupy_device.CupyDevice, "_contexts", {})
    for _ in range(2):
        _, device = opened()
        assert device.allocated == {"context and modules": 300}
        device.close()


def test_memory_is_accounted_and_really_given_back_whoever_holds_arrays():
    stub, card = opened()
    array = card.empty((10,), np.float32, "KV cache")

    assert card.allocated == {"KV cache": 40}
    assert card.memory() == (960, 1000)
    card.free(array)
    assert card.allocated == {}
    assert stub.held == {}
    with pytest.raises(InternalError):
        card.free(array)


def test_closing_gives_back_what_is_left():
    stub, card = opened()
    card.empty((10,), np.float32, "KV cache")

    card.close()

    assert stub.held == {}
    with pytest.raises(InternalError, match="closed"):
        card.memory()
    card.close()


@pytest.mark.parametrize(
    ("status", "error"),
    [(2, OutOfMemory), (1, InternalError), (9, InternalError), (701, InternalError), (700, DeviceLost),
     (719, DeviceLost), (46, DeviceLost), (100, DeviceLost), (999, DeviceLost)],
)  # fmt: skip
def test_what_the_driver_says_becomes_memory_a_fault_of_ours_or_a_lost_card(status, error):
    stub, card = opened()
    array = card.empty((10,), np.float32, "KV cache")

    for name, call in {
        "malloc": lambda: card.empty((10,), np.float32, "hot neurons"),
        "memsetAsync": lambda: card.fill(array, 0),
        "memcpyAsync": lambda: card.upload(np.zeros(10, np.float32), array),
        "synchronize": card.synchronise,
    }.items():
        stub.failing = {name: status}
        with pytest.raises(error):
            call()
    stub.failing = {"malloc": 2}
    with pytest.raises(OutOfMemory) as full:
        card.empty((250,), np.float32, "hot neurons")

    assert (full.value.what, full.value.needed_bytes, full.value.available_bytes) == ("hot neurons", 1000, 960)
    assert card.allocated == {"KV cache": 40}


def test_a_lost_card_closes_without_a_word():
    stub, card = opened()
    card.empty((10,), np.float32, "KV cache")
    stub.failing = {"synchronize": 719, "free": 719}

    card.close()


def test_the_card_is_chosen_anew_in_every_thread_that_uses_it():
    from threading import Thread

    stub, card = opened()
    before = stub.calls.count("setDevice")

    card.memory()
    assert stub.calls.count("setDevice") == before
    thread = Thread(target=card.memory)
    thread.start()
    thread.join()
    assert stub.calls.count("setDevice") == before + 1


@pytest.fixture
def with_samples():
    stub, card = opened()
    card._sources = SAMPLES
    return stub, card


def test_kernels_are_launched_on_the_cards_stream_with_a_pointer_for_none(with_samples):
    stub, card = with_samples
    x = card.empty((64,), np.float32, "workspace")

    card.kernel("samples", "add_bias")((2,), (32, 1), (x, None, np.int32(64)), 128)

    (grid, block, args, shared_bytes, stream) = stub.launched[0]
    assert (grid, block, shared_bytes, stream) == ((2, 1, 1), (32, 1, 1), 128, stub.stream)
    assert args[0] is x
    assert (type(args[1]), int(args[1])) == (np.uintp, 0)


def test_a_source_is_compiled_once_and_when_it_is_first_asked_for(with_samples):
    stub, card = with_samples

    assert "compile" not in stub.calls
    assert card.kernel("samples", "busy") is card.kernel("samples", "busy")
    assert stub.calls.count("compile") == 1


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (CompileException("samples.cu(3): error"), InternalError),
        (RuntimeError("no headers found"), CardUnusable),
        (209, InternalError),
        (2, OutOfMemory),
        (719, DeviceLost),
    ],
)
def test_what_stops_a_kernel_from_being_compiled_or_loaded_is_told(with_samples, raised, error):
    stub, card = with_samples
    stub.failing = {"compile": raised}

    with pytest.raises(error):
        card.kernel("samples", "busy")


@pytest.mark.parametrize(("status", "error"), [(701, InternalError), (719, DeviceLost)])
def test_what_stops_a_launch_is_told(with_samples, status, error):
    stub, card = with_samples
    x = card.empty((64,), np.float32, "workspace")
    kernel = card.kernel("samples", "busy")
    stub.failing = {"launch": status}

    with pytest.raises(error):
        kernel((1,), (64,), (x, np.int32(1)))


def test_events_tell_seconds_and_their_errors_are_the_cards():
    stub, card = opened()
    start, end = card.record(timed=True), card.record(timed=True)

    assert end.seconds_since(start) == 1.5
    stub.failing = {"event": 719}
    with pytest.raises(DeviceLost):
        end.wait()


def test_a_capture_is_ended_whatever_happens_in_it():
    stub, card = opened()

    def failing():
        with card.capture():
            raise LookupError

    with pytest.raises(LookupError):
        failing()

    assert stub.calls[-2:] == ["begin_capture", "end_capture"]
    with pytest.raises(InternalError, match="nothing was captured"):
        card.captured()


def test_a_graph_is_launched_until_memory_is_given_back():
    stub, card = opened()
    array = card.empty((4,), np.float32, "workspace")
    with card.capture():
        card.fill(array, 0)
    graph = card.captured()

    other = card.empty((4,), np.float32, "workspace")

    graph.launch()
    card.free(other)
    graph.launch()
    card.free(array)

    assert stub.calls.count("graph") == 2
    with pytest.raises(InternalError, match="given back"):
        graph.launch()


def test_both_cards_are_what_the_engine_expects():
    """Each name of the interface is there; mypy holds the types."""
    names = {name for name in dir(Device) if not name.startswith("_")}
    _, card = opened()

    assert names <= set(dir(card))
    assert names <= set(dir(EmulatedDevice))
    assert cupy_device.FOLDER.is_dir()
