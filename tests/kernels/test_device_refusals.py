"""A real card's part that needs no card: what opening one refuses, and what the driver's errors become.

CuPy itself, where it is installed, is asked on this machine; where it is not, and for states that this machine is not
in, a stand-in with CuPy's names raises what CuPy would.
"""

import importlib.util
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


class CUDARuntimeError(RuntimeError):
    def __init__(self, status):
        super().__init__(f"cudaError {status}")
        self.status = status


class CUDADriverError(CUDARuntimeError):
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
        stream = SimpleNamespace(ptr=7, synchronize=self.call("synchronize", lambda: None))
        self.cuda = SimpleNamespace(
            runtime=runtime,
            driver=SimpleNamespace(CUDADriverError=CUDADriverError),
            nvrtc=SimpleNamespace(getVersion=self.call("nvrtc", lambda: nvrtc)),
            Stream=lambda non_blocking: stream,
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


def test_both_cards_are_what_the_engine_expects():
    """Each name of the interface is there; mypy holds the types."""
    names = {name for name in dir(Device) if not name.startswith("_")}
    _, card = opened()

    assert names <= set(dir(card))
    assert names <= set(dir(EmulatedDevice))
    assert cupy_device.FOLDER.is_dir()
