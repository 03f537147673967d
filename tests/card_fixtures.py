"""Cards for tests: the emulated one always, a real one where it answers; and what skips tests marked `gpu` elsewhere.

`emulated` is the processor in a card's place, `card` a real card, `device` both in turn. Kernels compiled for the
emulated card are kept in `build/` from run to run.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.errors import CardUnusable
from engine.kernels.cuda.cupy_device import CupyDevice, open_card
from engine.kernels.cuda.device import Device
from engine.kernels.cuda.emulated_device import EmulatedDevice

CARD_KERNELS = Path(__file__).parents[1] / "build" / "test-card-kernels"
WORDS = {
    "not_installed": "CuPy is not installed",
    "no_driver": "there is no NVIDIA driver",
    "old_driver": "the NVIDIA driver is too old for this CuPy",
    "no_device": "no NVIDIA card answers",
    "no_compiler": "NVRTC is not installed beside CuPy",
    "too_old": "the NVIDIA card is too old for this CuPy",
    "failed": "CUDA failed",
}


@cache
def why_no_card() -> str:
    """The reason in words; "" where a card can be opened."""
    try:
        open_card().close()
    except CardUnusable as refusal:
        return f"no card to test on: {WORDS[refusal.state]} ({refusal.detail})"
    return ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu") and (reason := why_no_card()):
        pytest.skip(reason)


@pytest.fixture(scope="session")
def card_kernels() -> Path:
    return CARD_KERNELS


@pytest.fixture
def emulated(card_kernels: Path) -> Iterator[EmulatedDevice]:
    if sys.platform == "win32":
        pytest.skip("the emulated card is for Linux and macOS")
    device = EmulatedDevice(card_kernels)
    yield device
    device.close()


@pytest.fixture
def card() -> Iterator[CupyDevice]:
    device = open_card()
    yield device
    device.close()


@pytest.fixture(params=["emulated", pytest.param("card", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest) -> Device:
    chosen: Device = request.getfixturevalue(request.param)
    return chosen
