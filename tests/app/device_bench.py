"""The device page of a window over a scripted engine, and what tests want to do with it."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QWidget

from app.window.device.device_control import DeviceControl
from app.window.device.device_page import DevicePage
from engine.messages import SetBudget
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script

MakeBench = Callable[..., Bench]
MODELS = (STARTER, OTHER)


def opened(make_bench: MakeBench, script: Script, *, card: str = "auto") -> Bench:
    """The device page of a window, once this machine and what budgets buy are known."""
    bench = make_bench(script)
    bench.session.settings.update(card=card)
    bench.start()
    bench.window.show_device_page()
    bench.until(lambda: bench.session.device.report is not None)
    if script.offer is not None:
        bench.until(lambda: bench.session.device.offer is not None)
    bench.settle()
    return bench


def control(bench: Bench) -> DeviceControl:
    return bench.session.device


def page(bench: Bench) -> DevicePage:
    return bench.window.device_page


def budgets(bench: Bench) -> list[int | None]:
    return [request.vram_bytes for request in bench.engine.asked(SetBudget)]  # type: ignore[attr-defined]


def button(widget: QWidget, words: str) -> QPushButton:
    return next(each for each in widget.findChildren(QPushButton) if each.text().startswith(words))


def ask_here(bench: Bench, text: str) -> None:
    """Ask without leaving the page."""
    bench.chat.send(text)
    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].role == "assistant")
    bench.settle()
