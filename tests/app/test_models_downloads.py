"""Downloads on the model page: a row each, everything by buttons and keys, nothing lost by one press."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QStyleOptionViewItem

from app.window.models.download_row import DownloadRow
from app.window.models.file_list import FileList, elided
from app.window.tray import DesktopTray
from engine.errors import InvalidRequest, ModelHeldElsewhere
from engine.messages import LoadModel
from engine.transfer_reports import (
    AddDownload,
    CancelDownload,
    DownloadReport,
    LimitDownloads,
    SteerDownload,
    UseNetwork,
    WatchDownloads,
)
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import Script
from tests.app.models_bench import MakeBench, answer, button, controls, dialog, looked, opened, page, toast
from tests.app.test_window_shell import unnamed


@pytest.fixture
def busy(make_bench: MakeBench) -> Bench:
    return opened(make_bench, samples.hub_script(downloads=(samples.running(), samples.WAITING, samples.PAUSED)))


def rows(bench: Bench) -> list[DownloadRow]:
    bench.settle()
    return list(page(bench).downloads.rows)


def steered(bench: Bench) -> list[tuple[str, str]]:
    return [(request.download_id, request.action) for request in bench.engine.asked(SteerDownload)]  # type: ignore[attr-defined]


def tell(bench: Bench, *downloads: DownloadReport) -> None:
    bench.engine.hub.tell(*downloads)
    bench.until(lambda: controls(bench).downloads.queue.downloads == downloads)
    bench.settle()


# What is asked at the start ------------------------------------------------------------------------------------------


def test_downloads_of_an_earlier_start_are_gone_on_with(bench: Bench) -> None:
    bench.until(lambda: bench.engine.asked(WatchDownloads))
    (asked,) = bench.engine.asked(WatchDownloads)

    assert (asked.wanted, asked.takes_up) == (True, True)  # type: ignore[attr-defined]


def test_the_way_to_the_hub_is_told_before_downloads_go_on(bench: Bench) -> None:
    kinds = [type(request) for request in bench.engine.requests]

    assert kinds.index(UseNetwork) < kinds.index(WatchDownloads)


def test_a_restarted_engine_is_told_again(busy: Bench) -> None:
    busy.engine.die()
    busy.until(lambda: busy.models.state == "stopped")
    assert not controls(busy).downloads.is_known
    button(page(busy), "Restart the engine").click()

    busy.until(lambda: len(busy.engines) == 2 and controls(busy).downloads.is_known)
    assert len(busy.engine.asked(WatchDownloads)) == 1


def test_a_speed_limit_that_was_kept_is_told(make_bench: MakeBench) -> None:
    bench = make_bench(Script(hub=samples.hub_script()))
    bench.session.settings.update(download_limit=5_000_000)
    bench.start()

    bench.until(lambda: bench.engine.asked(LimitDownloads))
    assert bench.engine.asked(LimitDownloads)[0].bytes_per_s == 5_000_000  # type: ignore[attr-defined]
    bench.until(lambda: controls(bench).downloads.queue.limit_bytes_s == 5_000_000)


# Rows ----------------------------------------------------------------------------------------------------------------


def test_without_downloads_one_small_line_says_so(make_bench: MakeBench) -> None:
    bench = opened(make_bench)

    assert not page(bench).downloads.isVisible()
    assert page(bench)._line.text() == "No downloads"


def test_each_download_is_a_row_with_state_bar_rate_and_time_left(busy: Bench) -> None:
    first, second, third = rows(busy)

    assert first.line == "Downloading · 6.4 GB of 15.2 GB · 24.3 MB/s · about 6 min left"
    assert first._bar.value() == pytest.approx(420, abs=1)
    assert second.line == "Waiting for its turn"
    assert not second._bar.isVisible()
    assert third.line == "Paused · 2.1 GB of 14.5 GB"
    assert "SparseQwen2-7B" in first.accessibleName()
    assert "about 6 min left" in first.accessibleName()


def test_a_row_follows_what_the_engine_tells(busy: Bench) -> None:
    tell(busy, samples.running(7_000_000_000, rate_bytes_s=0.0, left_s=None), samples.WAITING)

    first, _ = rows(busy)
    assert first.line == "Downloading · 7.0 GB of 15.2 GB · time left not known"


def test_pausing_continuing_and_moving_by_buttons(busy: Bench) -> None:
    first, _, third = rows(busy)
    first._pause.click()
    third._pause.click()
    third._earlier.click()
    first._later.click()

    assert steered(busy) == [("d-qwen", "pause"), ("d-bamboo", "resume"), ("d-bamboo", "earlier"), ("d-qwen", "later")]
    busy.until(lambda: [d.download_id for d in controls(busy).downloads.shown] == ["d-bamboo", "d-qwen", "d-next"])
    assert [row.download.download_id for row in rows(busy)] == ["d-bamboo", "d-qwen", "d-next"]


def test_pausing_continuing_and_moving_by_keys(busy: Bench) -> None:
    first, second, _ = rows(busy)
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    second.setFocus()
    QTest.keyClick(second, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)

    assert steered(busy) == [("d-qwen", "pause"), ("d-next", "earlier")]


def test_the_first_cannot_go_earlier_nor_the_last_later(busy: Bench) -> None:
    first, _, third = rows(busy)

    assert not first._earlier.isEnabled()
    assert not third._later.isEnabled()
    QTest.keyClick(first, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert steered(busy) == []


def test_files_open_by_key_and_follow(busy: Bench) -> None:
    first = rows(busy)[0]
    QTest.keyClick(first, Qt.Key.Key_Return)

    assert first.files is not None
    assert first.files.isVisible()
    assert ("model-00002-of-00004.safetensors", "downloading", "2.6 GB of 3.8 GB") in first.files.rows
    tell(busy, samples.running(8_000_000_000), samples.WAITING)
    assert ("model-00003-of-00004.safetensors", "downloading", "388 MB of 3.8 GB") in first.files.rows
    first._fold.click()
    assert not first.files.isVisible()


@pytest.mark.parametrize(("pressed", "is_given_up"), [("Give up", True), ("Keep", False)])
def test_giving_up_what_has_arrived_asks_first(busy: Bench, pressed: str, is_given_up: bool) -> None:
    first = rows(busy)[0]
    QTest.keyClick(first, Qt.Key.Key_Delete)
    box = dialog(busy, QMessageBox)
    assert isinstance(box, QMessageBox)
    assert "SparseQwen2-7B" in box.text()
    assert "6.4" in box.informativeText()
    assert busy.engine.asked(CancelDownload) == []

    answer(busy, pressed)

    assert bool(busy.engine.asked(CancelDownload)) == is_given_up
    if is_given_up:
        busy.until(lambda: len(rows(busy)) == 2)
        assert "6.4 GB are free again" in toast(busy)


def test_what_has_not_begun_is_given_up_at_once(busy: Bench) -> None:
    rows(busy)[1]._cancel.click()

    busy.until(lambda: len(rows(busy)) == 2)
    assert "was given up" in toast(busy)


def test_a_failed_download_says_why_and_can_be_tried_again(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.FULL,)))
    (row,) = rows(bench)
    assert row.error is not None
    assert "52.0 GB needed, 20.0 GB free" in row.error.text.cause
    assert row.error.text.action == "Free at least 32.0 GB there, then continue. What has arrived is kept."

    button(row.error, "Try again").click()

    bench.until(lambda: rows(bench)[0].error is None)
    assert steered(bench) == [("d-falcon", "resume")]


def test_a_gated_download_leads_to_its_terms_and_token(make_bench: MakeBench) -> None:
    errors = {"ReadRepository": samples.GATED_DOWNLOAD.error}
    bench = opened(make_bench, samples.hub_script(downloads=(samples.GATED_DOWNLOAD,), errors=errors))
    (row,) = rows(bench)

    button(row, "Open the page with the terms").click()
    bench.until(lambda: page(bench).details.gate.isVisible())

    assert page(bench).details.name.text().replace("\u200b", "") == "Guarded-3B-ReLU"


def test_a_download_of_another_process_is_only_shown(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.ELSEWHERE,)))
    (row,) = rows(bench)

    assert "process 4242" in row.line
    for hidden in (row._pause, row._cancel, row._earlier, row._later):
        assert not hidden.isVisible()
    QTest.keyClick(row, Qt.Key.Key_Delete)
    QTest.keyClick(row, Qt.Key.Key_Space)
    assert steered(bench) == []
    assert bench.engine.asked(CancelDownload) == []


def test_the_focus_stays_in_the_list_when_its_row_goes(busy: Bench) -> None:
    first, second, _ = rows(busy)
    first.setFocus()
    tell(busy, samples.WAITING, samples.PAUSED)

    assert second.hasFocus()


def test_every_control_of_every_state_has_a_name(make_bench: MakeBench) -> None:
    downloads = (
        samples.running(), samples.WAITING, samples.PAUSED, samples.STALLED, samples.FULL, samples.ELSEWHERE,
        replace(samples.PACKING, download_id="p"), replace(samples.READY, download_id="r"),
    )  # fmt: skip
    bench = opened(make_bench, samples.hub_script(downloads=downloads))
    for row in rows(bench):
        if not row._fold.isHidden():
            row.toggle_files()

    assert unnamed(page(bench)) == []


# Ready ---------------------------------------------------------------------------------------------------------------


def test_a_model_that_is_ready_is_said_listed_and_can_be_chatted_with(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.PACKING,)), models=(samples.FETCHED,))
    n_lists = len([r for r in bench.engine.requests if type(r).__name__ == "ListModels"])
    tell(bench, samples.READY)
    bench.until(lambda: "is ready" in toast(bench))
    assert len([r for r in bench.engine.requests if type(r).__name__ == "ListModels"]) > n_lists

    bench.window.toast._button.click()

    bench.until(lambda: bench.models.state == "ready")
    assert bench.engine.asked(LoadModel)[-1].model_id == samples.FETCHED.model_id  # type: ignore[attr-defined]
    assert bench.window.pages.currentWidget() is bench.page


def test_a_ready_row_offers_the_chat_and_goes_when_put_away(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.READY,)))
    (row,) = rows(bench)
    assert button(row, "Chat with it").accessibleName() == "Chat with MiniCPM-S-1B-sft"
    assert not row._pause.isVisible()

    row._cancel.click()

    assert rows(bench) == []
    assert bench.engine.asked(CancelDownload) == []
    assert page(bench)._line.text() == "No downloads"


def test_a_ready_row_goes_with_its_model_and_another_download_of_it_is_shown(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.READY, samples.PAUSED)), models=(samples.FETCHED,))
    assert len(rows(bench)) == 2

    controls(bench).library.throw_away(samples.FETCHED.model_id)
    bench.until(lambda: "trash" in toast(bench))

    assert [row.download.download_id for row in rows(bench)] == [samples.PAUSED.download_id]
    tell(bench, samples.READY, replace(samples.PAUSED, done_bytes=3))
    assert [row.download.download_id for row in rows(bench)] == [samples.PAUSED.download_id]
    tell(bench, samples.PACKING, samples.PAUSED)
    assert len(rows(bench)) == 2


@pytest.mark.parametrize("room", [80, 120, 160, 220])
def test_parts_of_a_model_are_told_apart_where_there_is_little_room(make_bench: MakeBench, room: int) -> None:
    names = [f"a-rather-long-name-of-a-model-{part:05d}-of-00123.safetensors" for part in (7, 8, 123)]
    files = FileList("Files", 5)
    files.show_rows([(name, "", "") for name in names])
    shown = []
    for row, name in enumerate(names):
        option = QStyleOptionViewItem()
        option.initFrom(files)
        option.rect = QRect(0, 0, room, 20)  # type: ignore[attr-defined]
        option.widget = files  # type: ignore[attr-defined]
        files.itemDelegateForColumn(0).initStyleOption(option, files.model().index(row, 0))  # type: ignore[union-attr, attr-defined]
        shown.append(option.text)  # type: ignore[attr-defined]
        assert name.split("-of-00123")[0][-5:] in shown[-1]
        assert option.fontMetrics.horizontalAdvance(shown[-1]) <= room  # type: ignore[attr-defined]
    assert len(set(shown)) == 3
    assert [row[0] for row in files.rows] == names


def test_a_name_that_fits_or_has_no_part_is_left_alone() -> None:
    assert elided("model-00001-of-00002.safetensors", lambda text: True) == "model-00001-of-00002.safetensors"
    assert elided("tokenizer.json", lambda text: False) == "tokenizer.json"
    assert elided("model-00001-of-00002.gguf", lambda text: len(text) <= 22) == "mo…00001-of-00002.gguf"
    assert elided("model-00001-of-00002.gguf", lambda text: len(text) <= 16) == "…00001-of-00002…"
    assert elided("model-00001-of-00002.gguf", lambda text: False) == "…00001"


def test_what_was_ready_at_the_start_is_not_announced(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.READY,)))

    assert toast(bench) == ""


def test_a_download_that_stops_is_said(busy: Bench) -> None:
    tell(busy, replace(samples.running(), state="failed", error=samples.FULL.error))

    busy.until(lambda: "has stopped" in toast(busy))


class Tray(QObject):
    messageClicked = Signal()
    activated = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.told: list[tuple[str, str]] = []
        self.is_shown = False

    def setToolTip(self, text: str) -> None: ...

    def show(self) -> None:
        self.is_shown = True

    def hide(self) -> None:
        self.is_shown = False

    def showMessage(self, title: str, text: str, *_: object) -> None:
        self.told.append((title, text))


def test_the_desktop_tells_only_while_the_window_is_not_looked_at(bench: Bench) -> None:
    trays: list[Tray] = []

    def make_tray(parent: QObject) -> Tray:
        trays.append(Tray(parent))
        return trays[-1]

    notice = DesktopTray(bench.window, make_tray=make_tray, is_available=lambda: True)  # type: ignore[arg-type]
    done: list[str] = []
    bench.window.activateWindow()
    bench.until(bench.window.isActiveWindow)
    assert not notice.tell("Ember", "one is ready")
    assert trays == []

    bench.window.hide()
    assert notice.tell("Ember", "two is ready", lambda: done.append("two"))
    (tray,) = trays
    assert tray.told == [("Ember", "two is ready")]
    assert tray.is_shown

    tray.messageClicked.emit()

    assert done == ["two"]
    assert not tray.is_shown
    assert bench.window.isVisible()
    notice.deleteLater()


def test_without_a_tray_nothing_is_told(bench: Bench) -> None:
    bench.window.hide()

    assert not DesktopTray(bench.window, is_available=lambda: False).tell("Ember", "ready")


# Beginning one -------------------------------------------------------------------------------------------------------


def test_downloading_asks_for_the_repository_the_revision_and_the_choices(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(), models=())
    bench.session.settings.update(keeps_source=False)
    looked(bench, samples.BIG)
    fit = page(bench).details.fit
    fit.format.setCurrentIndex(fit.format.findData("int4"))
    fit.format.activated.emit(fit.format.currentIndex())
    bench.until(lambda: (now := controls(bench).hub.looked) and not now.is_judging)

    button(fit, "Download").click()
    bench.until(lambda: controls(bench).downloads.shown)
    bench.settle()

    (asked,) = bench.engine.asked(AddDownload)
    assert (asked.repo, asked.revision) == (samples.BIG, "main")  # type: ignore[attr-defined]
    assert (asked.weight_format, asked.packs, asked.keeps_source) == ("int4", True, False)  # type: ignore[attr-defined]
    assert fit.state.text() == "Waiting for its turn"
    assert not fit.download_button.isVisible()


def test_two_presses_begin_one_download(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"add": gate}), models=())
    looked(bench, samples.BIG)
    press = button(page(bench).details.fit, "Download")
    press.click()
    bench.settle()
    assert not press.isVisible()
    assert page(bench).details.fit.state.text() == "Beginning…"
    gate.set()
    bench.until(lambda: controls(bench).downloads.shown)

    assert len(bench.engine.asked(AddDownload)) == 1


def test_a_download_that_cannot_begin_says_why_where_it_was_asked_for(make_bench: MakeBench) -> None:
    error = ModelHeldElsewhere(samples.BIG, "4242").report()
    bench = opened(make_bench, samples.hub_script(errors={"AddDownload": error}), models=())
    looked(bench, samples.BIG)
    fit = page(bench).details.fit
    button(fit, "Download").click()
    bench.until(lambda: fit.add_error.isVisible())
    assert fit.add_error.card is not None
    assert "process 4242" in fit.add_error.card.text.cause
    bench.script.hub.errors.clear()

    button(fit.add_error, "Try again").click()

    bench.until(lambda: controls(bench).downloads.shown)
    bench.settle()
    assert not fit.add_error.isVisible()


def test_what_the_engine_refuses_is_said(busy: Bench) -> None:
    busy.script.hub.errors["SteerDownload"] = InvalidRequest("action", "x", "pause, resume").report()
    rows(busy)[0]._pause.click()

    busy.until(lambda: "action" in toast(busy))
