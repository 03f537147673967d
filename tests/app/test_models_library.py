"""The library on the model page: nothing is lost by a press, and what takes long shows how far it is."""

import threading
import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMessageBox, QTabWidget

from app.window.model_card import ModelCard as Card
from app.window.models.library_dialogs import AdoptDialog, CardDialog, EntryRow, TrashDialog
from app.window.transcript.plain_view import PlainView
from app.window.transcript.prose_view import ProseView
from engine.errors import CacheFolderRefused, HubUnreachable, ModelInUse, PlaceTaken
from engine.messages import LoadModel, RemoveModel, UnloadModel
from engine.transfer_reports import (
    AddDownload,
    CheckUpdates,
    EmptyTrash,
    ModelCard,
    MoveModel,
    ReadCard,
    TrashModel,
    UseLibraryFolders,
    WatchDownloads,
)
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.models_bench import MakeBench, answer, button, controls, dialog, opened, page, toast
from tests.app.test_window_shell import unnamed

TWO = ("/models/one", "/drive/two")


@pytest.fixture
def library(make_bench: MakeBench) -> Bench:
    return opened(make_bench)


def card(bench: Bench, model_id: str) -> Card:
    bench.settle()
    return page(bench).library.cards[model_id]


def moving(make_bench: MakeBench, **hub: object) -> Bench:
    bench = make_bench(Script(models=(STARTER, samples.FETCHED), hub=samples.hub_script(**hub)))
    bench.session.settings.update(library_folders=TWO)
    bench.start()
    bench.window.show_models_page()
    bench.settle()
    return bench


# Where from ----------------------------------------------------------------------------------------------------------


def test_a_card_says_where_its_model_is_from(library: Bench) -> None:
    assert card(library, samples.FETCHED.model_id)._origin.text().replace("\u200b", "") == (
        f"From {samples.SMALL}, commit {samples.COMMIT[:7]}"
    )
    assert "demo.gguf" in card(library, OTHER.model_id)._origin.text()
    assert not card(library, STARTER.model_id)._origin.isVisible()


# Trash ---------------------------------------------------------------------------------------------------------------


def test_a_model_goes_to_the_trash_with_undo_and_without_a_question(library: Bench) -> None:
    card(library, OTHER.model_id)._remove.click()
    library.until(lambda: "is in the trash" in toast(library))

    assert "812" in toast(library)
    assert library.engine.asked(RemoveModel) == []
    library.until(lambda: OTHER.model_id not in page(library).library.cards)
    assert "1 model in the trash" in page(library).library.trash_button.text()
    library.window.toast._button.click()
    library.until(lambda: OTHER.model_id in page(library).library.cards)
    library.until(lambda: not page(library).library.trash_button.isVisible())


def test_a_loaded_model_is_let_go_first(library: Bench) -> None:
    card(library, STARTER.model_id)._remove.click()
    library.until(lambda: library.engine.asked(TrashModel))

    kinds = [type(request) for request in library.engine.requests]
    assert kinds.index(UnloadModel) < kinds.index(TrashModel)
    library.until(lambda: library.models.state == "no model")


def test_a_loaded_model_that_cannot_be_thrown_away_is_loaded_again(library: Bench) -> None:
    library.script.hub.errors["TrashModel"] = ModelInUse(STARTER.model_id).report()
    card(library, STARTER.model_id)._remove.click()
    library.until(lambda: "is in use" in toast(library))

    library.until(lambda: library.models.state == "ready")
    assert [request.model_id for request in library.engine.asked(LoadModel)] == [STARTER.model_id] * 2  # type: ignore[attr-defined]


def test_another_model_that_cannot_be_thrown_away_costs_no_load(library: Bench) -> None:
    library.script.hub.errors["TrashModel"] = ModelInUse(OTHER.model_id).report()
    card(library, OTHER.model_id)._remove.click()
    library.until(lambda: "is in use" in toast(library))

    assert len(library.engine.asked(LoadModel)) == 1
    assert card(library, OTHER.model_id)._remove.isEnabled()


@pytest.mark.parametrize("pressed", ["Delete", "Cancel"])
def test_emptying_the_trash_asks_first(make_bench: MakeBench, pressed: str) -> None:
    bench = opened(make_bench, samples.hub_script(trash=samples.TRASH))
    page(bench).library.trash_button.click()
    shown = dialog(bench, TrashDialog)
    assert isinstance(shown, TrashDialog)
    assert [row.accessibleName().split(".")[0] for row in shown.findChildren(EntryRow)] == [
        "bamboo-dpo-v0-1-mixed", "opt-350m",
    ]  # fmt: skip
    shown.empty_button.click()
    (box,) = shown.findChildren(QMessageBox)
    assert "5.0 GB" in box.informativeText()

    answer(bench, pressed)

    assert bool(bench.engine.asked(EmptyTrash)) == (pressed == "Delete")
    if pressed == "Delete":
        bench.until(lambda: "5.0 GB are free again" in toast(bench))
        bench.until(lambda: not shown.empty_button.isEnabled())
    assert unnamed(shown) == []
    shown.close()


def test_a_model_can_be_put_back_from_the_trash(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(trash=samples.TRASH))
    page(bench).library.trash_button.click()
    shown = dialog(bench, TrashDialog)
    button(shown, "Put back").click()

    bench.until(lambda: "in the library again" in toast(bench))
    bench.until(lambda: len(controls(bench).library.trash) == 1)
    shown.close()


# Moving --------------------------------------------------------------------------------------------------------------


def test_the_engine_hears_of_the_folders_before_downloads_go_on(make_bench: MakeBench) -> None:
    bench = moving(make_bench)
    bench.until(lambda: bench.engine.asked(WatchDownloads))

    kinds = [type(request) for request in bench.engine.requests]
    assert kinds.index(UseLibraryFolders) < kinds.index(WatchDownloads)
    assert bench.engine.asked(UseLibraryFolders)[0].folders == TWO  # type: ignore[attr-defined]


def test_folders_that_are_gone_do_not_stop_downloads(make_bench: MakeBench) -> None:
    error = CacheFolderRefused("/models/one", "cache").report()
    bench = moving(make_bench, errors={"UseLibraryFolders": error})

    bench.until(lambda: bench.engine.asked(WatchDownloads))
    assert bench.session.settings.value.library_folders == TWO


def test_a_model_is_moved_with_progress(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = moving(make_bench, progress=((300_000_000, 900_000_000),), gates={"carry": gate})
    moved = card(bench, samples.FETCHED.model_id)
    assert [action.text() for action in moved._folders.actions()] == list(TWO)
    moved._folders.actions()[1].trigger()
    bench.until(lambda: "300" in moved._moving._words.text())
    assert moved._moving._bar.value() == 333
    assert not moved._load.isEnabled()
    gate.set()

    bench.until(lambda: "/drive/two" in toast(bench))
    bench.settle()
    assert not moved._moving.isVisible()
    (asked,) = bench.engine.asked(MoveModel)
    assert asked.folder == "/drive/two"  # type: ignore[attr-defined]


def test_a_move_can_be_stopped_and_the_model_is_loaded_again(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = moving(make_bench, progress=((1, 2),), gates={"carry": gate})
    moved = card(bench, STARTER.model_id)
    moved._folders.actions()[1].trigger()
    bench.until(lambda: moved._moving.isVisible())
    moved._moving._cancel.click()

    bench.until(lambda: bench.models.state == "ready")
    bench.settle()
    assert not moved._moving.isVisible()


def test_a_move_that_fails_says_why_on_its_card(make_bench: MakeBench) -> None:
    bench = moving(make_bench, errors={"MoveModel": PlaceTaken("/drive/two/x").report()})
    moved = card(bench, samples.FETCHED.model_id)
    moved._folders.actions()[1].trigger()
    bench.until(lambda: moved._move_error is not None)
    assert "/drive/two/x" in moved._move_error.text.cause

    button(moved._move_error, "Close").click()

    bench.until(lambda: moved._move_error is None)


def test_with_one_folder_nothing_can_be_moved(library: Bench) -> None:
    assert not card(library, OTHER.model_id)._move.isVisible()


# Updates -------------------------------------------------------------------------------------------------------------


def test_updates_are_asked_for_only_on_request_and_fetched_by_a_button(library: Bench) -> None:
    shown = page(library).library
    assert library.engine.asked(CheckUpdates) == []
    shown.updates_button.click()
    library.until(lambda: "1 found" in shown.updates_button.text())
    newer = card(library, samples.FETCHED.model_id)
    assert "feedfee" in newer._update_words.text()

    newer._update.click()

    library.until(lambda: library.engine.asked(AddDownload))
    (asked,) = library.engine.asked(AddDownload)
    assert (asked.repo, asked.revision, asked.weight_format) == (samples.SMALL, "main", "mixed")  # type: ignore[attr-defined]
    library.until(lambda: not newer._update.isVisible())


def test_an_update_that_is_here_is_offered_no_more(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    page(bench).library.updates_button.click()
    bench.until(lambda: "1 found" in page(bench).library.updates_button.text())
    was_offered = card(bench, samples.FETCHED.model_id)._update.isVisible()
    newest = controls(bench).library.updates[0].newest  # type: ignore[index]
    newer = replace(
        samples.FETCHED, model_id="newer", source=samples.FETCHED.source.replace(samples.COMMIT[:12], newest)
    )

    bench.script.models = (*bench.script.models, newer)
    bench.models.relist()
    bench.until(lambda: "newer" in page(bench).library.cards)
    beside = card(bench, samples.FETCHED.model_id)
    said, is_offered = beside._update_words.text(), beside._update.isVisible()
    bench.script.models = (STARTER, replace(newer, model_id=samples.FETCHED.model_id))
    bench.models.relist()
    bench.until(lambda: "newer" not in page(bench).library.cards)

    assert was_offered
    assert "all are the newest" in page(bench).library.updates_button.text()
    assert ("takes its place" in said, is_offered) == (True, False)
    assert not card(bench, samples.FETCHED.model_id)._update_row.isVisible()


def test_a_download_of_it_that_has_ended_does_not_hide_an_offer(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.READY,)))
    page(bench).library.updates_button.click()

    bench.until(lambda: card(bench, samples.FETCHED.model_id)._update.isVisible())


# Drives --------------------------------------------------------------------------------------------------------------


def test_a_model_of_a_drive_that_is_not_there_is_shown_and_cannot_be_loaded(make_bench: MakeBench) -> None:
    away = replace(samples.FETCHED, away_from="/drive/two")
    bench = make_bench(Script(models=(STARTER, away), hub=samples.hub_script(away=("/drive/two",))))
    bench.session.settings.update(library_folders=TWO, last_model=away.model_id)
    bench.start()
    bench.window.show_models_page()
    bench.until(lambda: bench.models.state == "ready")
    shown = card(bench, away.model_id)

    assert bench.models.ready is not None
    assert bench.models.ready.model.model_id == STARTER.model_id
    assert "/drive/two, which is not connected" in shown._origin.text().replace("\u200b", "")
    assert not any(button.isVisible() for button in (shown._load, shown._move, shown._remove, shown._card))
    assert away.model_id not in [model.model_id for model in bench.models.models]


def test_a_drive_that_comes_back_brings_its_models(make_bench: MakeBench) -> None:
    away = replace(samples.FETCHED, away_from="/drive/two")
    bench = make_bench(Script(models=(STARTER, away), hub=samples.hub_script(away=("/drive/two",))))
    bench.start()
    bench.window.show_models_page()
    bench.until(lambda: controls(bench).library.away == ("/drive/two",))
    bench.script.models = (STARTER, samples.FETCHED)
    bench.script.hub.away, bench.script.hub.library_changes = (), 1

    bench.engine.hub.tell()

    bench.until(lambda: samples.FETCHED in bench.models.models)
    assert card(bench, samples.FETCHED.model_id)._load.isVisible()
    assert controls(bench).library.away == ()


def test_updates_that_cannot_be_asked_for_are_said(make_bench: MakeBench) -> None:
    error = HubUnreachable("huggingface.co", "no route to host").report()
    bench = opened(make_bench, samples.hub_script(errors={"CheckUpdates": error}))
    shown = page(bench).library
    shown.updates_button.click()

    bench.until(lambda: shown._update_error.isVisible())
    assert shown.updates_button.isEnabled()


def test_offline_updates_cannot_be_asked_for(library: Bench) -> None:
    controls(library).network.switch(offline=True)
    library.settle()

    assert not page(library).library.updates_button.isEnabled()


# Cards and licences --------------------------------------------------------------------------------------------------


def test_card_and_licence_are_markdown_without_html_or_pictures(library: Bench) -> None:
    card(library, samples.FETCHED.model_id)._card.click()
    library.until(lambda: library.window.findChildren(CardDialog))
    shown = dialog(library, CardDialog)
    assert isinstance(shown, CardDialog)

    tabs: QTabWidget = shown.tabs
    texts = "\n".join(view.toPlainText() for view in tabs.widget(0).findChildren(ProseView))
    assert "A sparse model with ReLU" in texts
    assert "picture, not loaded: a chart" in texts
    assert "<div" not in texts
    assert "license:" not in texts
    licence = tabs.widget(1).toPlainText()  # type: ignore[attr-defined]
    assert "1. Definitions." in licence
    assert unnamed(shown) == []
    shown.close()


def test_a_long_card_and_licence_open_soon_and_whole(library: Bench) -> None:
    card_text = "\n".join(f"- item{n}" for n in range(40_000))
    licence = "\n".join(f"{n}. Definitions." for n in range(100_000))
    long = ModelCard("m", "org/m", "c" * 40, "", "mit", card_text, licence)
    start = time.thread_time()
    shown = CardDialog(long, "m", page(library))
    shown.show()
    library.settle()
    taken = time.thread_time() - start

    tabs = shown.tabs
    assert tabs.widget(1).toPlainText() == licence  # type: ignore[attr-defined]
    assert tabs.widget(0).findChildren(PlainView)[0].toPlainText().endswith("- item39999")
    assert taken < 2
    shown.close()


def test_a_link_in_a_card_is_asked_about(library: Bench) -> None:
    asked: list[str] = []
    page(library).link_activated.connect(asked.append)
    card(library, samples.FETCHED.model_id)._card.click()
    library.until(lambda: library.window.findChildren(CardDialog))
    shown = dialog(library, CardDialog)
    shown.link_activated.emit("https://arxiv.org/abs/2402.13516")  # type: ignore[attr-defined]
    library.settle()

    assert asked == ["https://arxiv.org/abs/2402.13516"]
    answer(library, "Cancel")
    shown.close()


def test_a_model_of_a_file_has_no_card(library: Bench) -> None:
    assert not card(library, OTHER.model_id)._card.isVisible()
    assert library.engine.asked(ReadCard) == []


# Models of other programs --------------------------------------------------------------------------------------------


def adopting(bench: Bench) -> AdoptDialog:
    shown = AdoptDialog(controls(bench).library, ("/cache",), page(bench))
    shown.open()
    bench.until(lambda: controls(bench).library.adoptable is not None)
    bench.settle()
    return shown


def test_models_of_other_programs_are_taken_over_with_progress(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(progress=((1, 4),), gates={"carry": gate}))
    shown = adopting(bench)
    first, second = shown.findChildren(EntryRow)
    assert "takes no further room" in first.accessibleName()
    assert "copied from another drive" in second.accessibleName()
    button(first, "Take over").click()
    bench.until(lambda: any("25 %" in line._words.text() for line in shown._lines.values()))
    gate.set()

    bench.until(lambda: "took no further room" in toast(bench))
    assert unnamed(shown) == []
    shown.close()


def test_without_other_programs_the_dialog_says_so(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(adoptable=()))
    shown = adopting(bench)

    assert "No other program" in shown.words.text()
    shown.close()


# Nothing there -------------------------------------------------------------------------------------------------------


def test_an_empty_library_leads_to_discover(make_bench: MakeBench) -> None:
    bench = opened(make_bench, models=())
    shown = page(bench).library
    assert shown._empty.isVisible()

    shown.discover_button.click()

    assert page(bench).discover.isVisible()
    assert not shown.isVisible()
