"""The model page of a window over a scripted engine, and what tests want to do with it."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QWidget

from app.window.models.hub_controls import HubControls
from app.window.models_page import DISCOVER, HERE, ModelsPage
from engine.messages import ModelInfo
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script
from tests.app.fake_hub import HubScript

MakeBench = Callable[..., Bench]
LIBRARY = (STARTER, samples.FETCHED, OTHER, BASE)


def opened(
    make_bench: MakeBench, hub: HubScript | None = None, *, models: tuple[ModelInfo, ...] = LIBRARY, part: int = HERE
) -> Bench:
    """The model page, once downloads are known, and where it shows Discover the catalogue."""
    bench = make_bench(Script(models=models, hub=hub or samples.hub_script()))
    bench.start(until_ready=any(model.note == "starter" for model in models))
    bench.until(lambda: bench.models.state in ("ready", "no model"))
    bench.until(lambda: controls(bench).downloads.is_known)
    bench.window.show_models_page()
    page(bench).show_part(part)
    if part == DISCOVER:
        bench.until(lambda: controls(bench).hub.catalog)
    bench.settle()
    return bench


def looked(bench: Bench, repo: str) -> None:
    """A model's details, once everything was answered."""
    page(bench).look_at(repo)
    bench.until(lambda: is_answered(bench))
    bench.settle()


def is_answered(bench: Bench) -> bool:
    now = controls(bench).hub.looked
    return now is not None and not now.is_asking and not now.is_judging


def controls(bench: Bench) -> HubControls:
    return bench.session.hub


def page(bench: Bench) -> ModelsPage:
    return bench.window.models_page


def button(widget: QWidget, words: str) -> QPushButton:
    """A button that can be seen, by how its words begin."""
    found = [b for b in widget.findChildren(QPushButton) if b.isVisible() and b.text().startswith(words)]
    assert found, [b.text() for b in widget.findChildren(QPushButton) if b.isVisible()]
    return found[0]


def dialog(bench: Bench, kind: type[QDialog] = QDialog) -> QDialog:
    bench.settle()
    shown = [d for d in bench.window.findChildren(kind) if d.isVisible()]
    assert len(shown) == 1, shown
    return shown[0]


def answer(bench: Bench, words: str) -> None:
    """Press a button of the question that is asked."""
    box = dialog(bench, QMessageBox)
    assert isinstance(box, QMessageBox)
    next(b for b in box.buttons() if b.text().replace("&", "") == words).click()
    bench.settle()


def toast(bench: Bench) -> str:
    return bench.window.toast._label.text() if bench.window.toast.isVisible() else ""
