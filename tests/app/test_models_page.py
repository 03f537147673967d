"""The model page says what models are, and what is happening to them."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit

from app.window.model_card import ModelCard
from app.window.models.library_section import ImportCard
from engine.errors import DamagedFile
from engine.messages import ImportModel
from tests.app import fake_engine
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

MakeBench = Callable[..., Bench]


@pytest.fixture
def page(bench: Bench) -> Bench:
    bench.window.show_models_page()
    bench.settle()
    return bench


def card(bench: Bench, model_id: str) -> ModelCard:
    return bench.window.models_page.library.cards[model_id]


def import_cards(bench: Bench) -> list[ImportCard]:
    bench.settle()
    return [c for c in bench.window.models_page.findChildren(ImportCard) if c.isVisible()]


def drop(bench: Bench, *names: str) -> bool:
    """Drop files on the window; whether it took them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(name) for name in names])
    at = bench.window.rect().center()
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, actions, data, buttons, keys)
    enter.ignore()
    QApplication.sendEvent(bench.window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(bench.window, QDropEvent(QPointF(at), actions, data, buttons, keys))
    return enter.isAccepted()


def test_each_model_says_what_it_is(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=(STARTER, OTHER, BASE))).start()
    bench.window.show_models_page()

    facts = card(bench, OTHER.model_id)._facts.text()
    for part in ("llama", "1.2 billion parameters", "812", "int4", "MIT"):
        assert part in facts
    assert "licence not stated" in card(bench, BASE.model_id)._facts.text()
    assert "base model" in card(bench, BASE.model_id)._description.text()
    assert "weak at reasoning and arithmetic, Apache-2.0" in card(bench, STARTER.model_id)._description.text()


def test_the_loaded_model_is_marked_and_another_can_be_loaded(page: Bench) -> None:
    starter, other = card(page, STARTER.model_id), card(page, OTHER.model_id)
    assert starter.is_marked
    assert starter._load.isHidden()
    assert "threads: 2" in starter._loaded.text()

    other._load.click()

    page.until(lambda: other.is_marked)
    assert not starter.is_marked
    assert not starter._load.isHidden()


def test_a_model_that_exceeds_memory_is_said_to_be_read_from_the_disk(
    page: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready, gib = fake_engine.ModelReady, 1 << 30
    facts = {"from_disk": True, "needed_bytes": 9 * gib, "free_bytes": 3 * gib}
    monkeypatch.setattr(fake_engine, "ModelReady", lambda *values, **named: ready(*values, **{**named, **facts}))
    other = card(page, OTHER.model_id)
    other._load.click()
    page.until(lambda: other.is_marked)

    assert "needs 9.0 GiB of main memory, and 3.0 GiB is free" in other._loaded.text()
    assert "read from the disk" in page.window.toast._label.text()


def test_loading_shows_progress_and_can_be_cancelled(page: Bench) -> None:
    page.script.load = (("pack", 30, 100),)
    gate = page.script.gates["load"] = threading.Event()
    other = card(page, OTHER.model_id)
    other._load.click()
    page.until(lambda: other._progress._words.text() == "Preparing the model (once): 30 %")
    assert other._progress._bar.value() == 30

    other._progress._cancel.click()
    gate.set()

    page.until(lambda: page.models.state == "ready")
    assert other._progress.isHidden()


def test_a_load_that_failed_says_why_on_its_card(page: Bench) -> None:
    page.script.load_errors[OTHER.model_id] = DamagedFile("/models/demo.gguf", "tensor 7 is cut short").report()
    other = card(page, OTHER.model_id)
    other._load.click()

    page.until(lambda: other._error is not None)
    assert "tensor 7" in other._error.text.cause
    page.script.load_errors.clear()
    other._load.click()
    page.until(lambda: other.is_marked)
    assert other._error is None


def test_dropped_gguf_files_are_imported_with_progress(bench: Bench) -> None:
    gate = bench.script.gates["import"] = threading.Event()
    bench.script.imports = (("pack", 42, 100),)

    assert drop(bench, "/models/New.GGUF", "/models/photo.jpg")

    assert bench.window.pages.currentWidget() is bench.window.models_page
    bench.until(lambda: bench.models.imports and bench.models.imports[0].progress)
    (shown,) = import_cards(bench)
    assert shown._name.text() == "Importing New.GGUF"
    assert shown._line._words.text() == "Preparing the model (once): 42 %"
    gate.set()
    bench.until(lambda: not bench.models.imports)
    bench.until(lambda: bench.window.toast.isVisible())
    assert import_cards(bench) == []


def test_a_dropped_folder_of_a_checkpoint_is_imported(bench: Bench, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "config.json").write_text("{}")

    assert drop(bench, str(folder))

    bench.until(lambda: [request.source for request in bench.engine.asked(ImportModel)] == [str(folder)])
    bench.until(lambda: not bench.models.imports)


def test_other_files_are_not_taken(bench: Bench, tmp_path: Path) -> None:
    """But where a message is written: there they go with it."""
    bench.window.show_models_page()
    assert not drop(bench, "/models/photo.jpg")
    assert not drop(bench, str(tmp_path))
    assert bench.engine.asked(ImportModel) == []


def test_an_import_can_be_cancelled(page: Bench) -> None:
    page.script.gates["import"] = threading.Event()
    page.window.import_files([Path("/models/New.gguf")])
    (shown,) = import_cards(page)

    shown._line._cancel.click()

    page.until(lambda: not page.models.imports)
    assert import_cards(page) == []


def test_a_failed_import_is_explained_and_can_be_closed(page: Bench) -> None:
    page.script.import_error = DamagedFile("/models/New.gguf", "cut short").report()
    page.window.import_files([Path("/models/New.gguf")])
    page.until(lambda: page.models.imports and page.models.imports[0].error)
    (shown,) = import_cards(page)
    assert shown._name.text() == "New.gguf was not imported"
    assert "cut short" in shown._error.text.cause

    shown.closed.emit()

    assert import_cards(page) == []


@pytest.mark.parametrize("weight_format", ["", "int8", "mixed", "int4"])
def test_the_chosen_weight_format_is_asked_for(page: Bench, weight_format: str) -> None:
    formats = page.window.models_page.library.format
    formats.setCurrentIndex(formats.findData(weight_format))
    page.window.import_files([Path("/models/New.gguf")])

    page.until(lambda: page.engine.asked(ImportModel))
    assert page.engine.asked(ImportModel)[0].weight_format == weight_format  # type: ignore[union-attr]


def test_the_licence_of_the_starter_can_be_read(page: Bench) -> None:
    assert not card(page, STARTER.model_id)._licence.isHidden()
    assert card(page, OTHER.model_id)._licence.isHidden()

    card(page, STARTER.model_id)._licence.click()

    (dialog,) = [d for d in page.window.findChildren(QDialog) if d.isVisible()]
    assert "Apache License" in dialog.findChildren(QPlainTextEdit)[0].toPlainText()
    dialog.close()


def test_a_starter_that_is_not_packed_cannot_be_thrown_away(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=(replace(STARTER, state="source", weight_format=""), OTHER))).start()
    bench.window.show_models_page()

    assert card(bench, STARTER.model_id)._remove.isHidden()
    assert "not prepared yet" in card(bench, STARTER.model_id)._facts.text()
