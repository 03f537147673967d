"""Discover shows what Ember knows and what the hub says; a model's details say what it takes before it is fetched."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from app.catalog_words import CATALOGUE_SAYS
from app.window.models.hub_card import HubCard
from app.window.models.network_dialog import NetworkDialog
from app.window.models_page import DISCOVER, HERE
from engine.catalog_reports import CheckFit, FitReport, ReadCatalog, ReadRepository, SearchHub
from engine.errors import DamagedFile, HubUnreachable, LicenceNotAccepted, TransferStalled
from engine.messages import Cancel
from engine.transfer_reports import StoreToken, UseNetwork
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import STARTER, Script
from tests.app.models_bench import MakeBench, answer, button, controls, dialog, is_answered, looked, opened, page
from tests.app.test_window_shell import right_edge, unnamed

LOST = HubUnreachable("huggingface.co", "no route to host").report()


@pytest.fixture
def discover(make_bench: MakeBench) -> Bench:
    return opened(make_bench, part=DISCOVER)


def cards(bench: Bench) -> list[HubCard]:
    bench.settle()
    return list(page(bench).discover.catalog.cards)


def card(bench: Bench, repo: str) -> HubCard:
    return next(card for card in cards(bench) if card.face.repo == repo)


def type_in(bench: Bench, text: str, *, enter: bool = False) -> None:
    field = page(bench).discover.field
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    field.setText(text)
    if enter:
        QTest.keyClick(field, Qt.Key.Key_Return)
    bench.settle()


def tiles(bench: Bench) -> dict[str, str]:
    bench.settle()
    return {name: value for name, value, _ in (tile.texts for tile in page(bench).details.fit.tiles.shown)}


# The catalogue -------------------------------------------------------------------------------------------------------


def test_the_catalogue_is_read_only_once_somebody_looks(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    assert bench.engine.asked(ReadCatalog) == []

    page(bench).show_part(DISCOVER)

    bench.until(lambda: cards(bench))
    assert len(bench.engine.asked(ReadCatalog)) == 1


def test_an_empty_library_opens_on_discover(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=(), hub=samples.hub_script())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    bench.window.show_models_page()

    assert page(bench).part == DISCOVER


def test_until_the_catalogue_is_read_the_page_says_so(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"catalog": gate}))
    page(bench).show_part(DISCOVER)
    bench.settle()
    assert page(bench).discover._catalog_words.text() == "Reading the catalogue…"
    gate.set()

    bench.until(lambda: cards(bench))


def test_a_damaged_catalogue_is_said_and_can_be_tried_again(make_bench: MakeBench) -> None:
    error = DamagedFile("catalog.toml", "line 7").report()
    bench = opened(make_bench, samples.hub_script(errors={"ReadCatalog": error}))
    page(bench).show_part(DISCOVER)
    bench.until(lambda: page(bench).discover._catalog_error.isVisible())
    bench.script.hub.errors.clear()

    button(page(bench).discover._catalog_error, "Try again").click()

    bench.until(lambda: cards(bench))
    bench.settle()
    assert not page(bench).discover._catalog_error.isVisible()


def test_chips_narrow_the_catalogue_and_all_can_be_shown(discover: Bench) -> None:
    n_shown = len(cards(discover))
    assert 0 < n_shown < len(samples.ENTRIES)
    chip = page(discover).discover.chips._chips["purpose", "chat"]
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert 0 < len(cards(discover)) < n_shown
    assert all("chat" in shown.face.facts for shown in cards(discover))

    page(discover).discover.all_button.click()

    assert len(cards(discover)) == len(samples.ENTRIES)
    assert not chip.isChecked()


def test_what_ember_does_not_run_says_so_on_its_card(discover: Bench) -> None:
    page(discover).discover.chips.choose("runs", "here", is_on=False)
    refused = next(entry for entry in samples.ENTRIES if entry.unsupported)

    shown = card(discover, refused.repo)

    assert shown.face.mark == "not supported"
    assert shown.face.note == refused.unsupported


def test_what_is_here_or_on_its_way_says_so_on_its_card(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(samples.running(),)), part=DISCOVER)
    assert card(bench, samples.SMALL).face.mark == "on this computer"
    assert card(bench, samples.BIG).face.mark == "6.4 GB of 15.2 GB"

    bench.engine.hub.tell(samples.running(9_000_000_000))

    bench.until(lambda: card(bench, samples.BIG).face.mark == "9.0 GB of 15.2 GB")


def test_typing_narrows_at_once_and_nothing_is_asked(discover: Bench) -> None:
    type_in(discover, "opt")

    assert cards(discover)
    assert all(
        "opt" in shown.face.spoken.casefold() or "opt" in shown.face.repo.casefold() for shown in cards(discover)
    )
    assert discover.engine.asked(SearchHub) == []


def test_arrow_keys_go_through_the_cards_and_enter_opens_one(discover: Bench) -> None:
    field = page(discover).discover.field
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Down)
    first, second, third = cards(discover)[:3]
    assert first.hasFocus()
    QTest.keyClick(first, Qt.Key.Key_Right)
    assert second.hasFocus()
    QTest.keyClick(second, Qt.Key.Key_Left)
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert third.hasFocus()
    QTest.keyClick(third, Qt.Key.Key_Home)
    assert first.hasFocus()

    QTest.keyClick(first, Qt.Key.Key_Return)

    assert page(discover).details.isVisible()


def test_the_tab_key_stops_at_one_card_of_all(discover: Bench) -> None:
    stops = [shown for shown in cards(discover) if shown.focusPolicy() & Qt.FocusPolicy.TabFocus]

    assert len(stops) == 1


def test_leaving_the_details_leads_back_to_the_card(discover: Bench) -> None:
    chosen = cards(discover)[5]
    chosen.click()
    discover.until(lambda: is_answered(discover))
    discover.settle()
    QTest.keyClick(discover.window.focusWidget(), Qt.Key.Key_Escape)
    discover.settle()

    assert not page(discover).details.isVisible()
    assert chosen.hasFocus()
    assert controls(discover).hub.looked is None


# Searching -----------------------------------------------------------------------------------------------------------


def test_enter_searches_the_hub(discover: Bench) -> None:
    type_in(discover, "owner:openbmb sparse", enter=True)
    discover.until(lambda: controls(discover).hub.found is not None)
    discover.settle()

    (asked,) = discover.engine.asked(SearchHub)
    assert (asked.search.owner, asked.search.text) == ("openbmb", "sparse")  # type: ignore[attr-defined]
    found = page(discover).discover.found
    assert [shown.face.repo for shown in found.cards] == [model.repo for model in samples.FOUND]
    assert found.cards[0].face.mark == "on this computer"
    assert found.cards[1].face.has_lock
    page(discover).discover.clear_button.click()
    assert not found.isVisible()
    assert page(discover).discover.field.text() == ""


def test_a_search_that_finds_nothing_says_what_to_try(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(found=()), part=DISCOVER)
    type_in(bench, "nothing like it", enter=True)
    bench.until(lambda: controls(bench).hub.found == ())
    bench.settle()

    assert "Nothing was found" in page(bench).discover._found_words.text()


def test_a_search_that_fails_leads_to_the_connection(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(errors={"SearchHub": LOST}), part=DISCOVER)
    type_in(bench, "sparse", enter=True)
    bench.until(lambda: controls(bench).hub.search_problem)
    bench.settle()

    button(page(bench).discover._problem, "Hub and library").click()

    dialog(bench, NetworkDialog).close()


def test_another_search_ends_the_one_before(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"search": gate}), part=DISCOVER)
    type_in(bench, "one", enter=True)
    assert page(bench).discover._found_words.text() == "Searching…"
    type_in(bench, "two", enter=True)
    gate.set()
    bench.until(lambda: controls(bench).hub.found is not None)

    first = bench.engine.asked(SearchHub)[0]
    assert first.request_id in [request.target_id for request in bench.engine.asked(Cancel)]  # type: ignore[union-attr]


def test_a_search_without_end_is_refused_in_words(discover: Bench) -> None:
    type_in(discover, "a b" * 100, enter=True)

    refused = page(discover).discover._problem.card
    assert refused is not None
    assert "200" in refused.text.cause


@pytest.mark.parametrize("typed", [samples.SMALL, f"  {samples.SMALL} "])
def test_a_name_that_is_pasted_is_looked_at(discover: Bench, typed: str) -> None:
    type_in(discover, typed, enter=True)
    discover.until(lambda: is_answered(discover))
    discover.settle()

    assert page(discover).details.isVisible()
    assert [r.reference for r in discover.engine.asked(ReadRepository)] == [samples.SMALL]  # type: ignore[attr-defined]
    assert discover.engine.asked(SearchHub) == []


def test_a_link_that_is_pasted_is_handed_on_as_it_is(make_bench: MakeBench) -> None:
    link = f"https://huggingface.co/{samples.BIG}/tree/v2"
    hub = samples.hub_script(repositories={link: samples.repository(samples.BIG)}, fits={link: samples.FROM_DISK})
    bench = opened(make_bench, hub, part=DISCOVER, models=(STARTER,))
    type_in(bench, link, enter=True)
    bench.until(lambda: is_answered(bench))
    bench.settle()

    details = page(bench).details
    assert details.name.text() == "SparseQwen2 7B"
    assert details._repo.text().replace("\u200b", "") == f"{samples.BIG} @ v2"


# Details -------------------------------------------------------------------------------------------------------------


def test_numbers_of_the_catalogue_are_marked_until_the_hub_has_answered(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"repository": gate}), part=DISCOVER)
    page(bench).look_at(samples.SMALL)
    bench.settle()
    shown = [tile.texts for tile in page(bench).details.fit.tiles.shown]
    assert shown
    assert all(note == CATALOGUE_SAYS for _, _, note in shown)
    assert page(bench).details.fit.verdict.text() == "Asking the hub…"
    assert not page(bench).details.fit.download_button.isEnabled()
    gate.set()
    bench.until(lambda: is_answered(bench))
    bench.settle()

    assert not any(CATALOGUE_SAYS in note for _, _, note in (t.texts for t in page(bench).details.fit.tiles.shown))


def test_a_verdict_comes_with_its_numbers(make_bench: MakeBench) -> None:
    bench = opened(make_bench, models=(STARTER,))
    looked(bench, samples.SMALL)

    fit = page(bench).details.fit
    assert fit.verdict.text() == "Fits this computer"
    assert tiles(bench) == {
        "to download": "2.7 GB", "on the drive at most": "3.6 GB", "of memory": "1.2 GB",
        "predicted": "14–32 tokens/s", "parameters": "1.4 B",
    }  # fmt: skip
    assert fit.download_button.text() == "Download 2.7 GB"
    assert "Apache-2.0" in page(bench).details.facts.text()


def test_what_does_not_fit_says_why_and_can_be_fetched_anyway(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(fits={samples.BIG: samples.TOO_BIG}), models=(STARTER,))
    looked(bench, samples.BIG)

    fit = page(bench).details.fit
    assert fit.verdict.text() == "Does not fit this computer"
    assert "9.4 GB free" in fit.why.text()
    assert "Free 10.7 GB there" in fit.why.text()
    assert fit.download_button.text() == "Download 15.2 GB anyway"
    assert fit.download_button.isEnabled()


def test_an_architecture_that_ember_does_not_run_is_refused_before_the_download(make_bench: MakeBench) -> None:
    bench = opened(make_bench, models=(STARTER,))
    looked(bench, samples.STRANGE)

    fit = page(bench).details.fit
    assert fit.verdict.text() == "Ember cannot run this model"
    assert fit.problem.card is not None
    assert "MambaForCausalLM" in fit.problem.card.text.cause
    assert not fit.download_button.isVisible()
    assert not fit.format.isVisible()


def test_the_catalogue_refuses_without_the_hub(make_bench: MakeBench) -> None:
    refused = next(entry for entry in samples.ENTRIES if entry.unsupported)
    bench = opened(make_bench, part=DISCOVER)
    looked(bench, refused.repo)

    fit = page(bench).details.fit
    assert fit.why.text().replace("\u200b", "") == refused.unsupported
    assert not fit.download_button.isVisible()


def test_another_context_and_precision_are_judged_anew(make_bench: MakeBench) -> None:
    asked: list[CheckFit] = []

    def fit_of(request: CheckFit) -> FitReport:
        asked.append(request)
        return replace(samples.FITS, memory_bytes=(request.context_tokens or 4096) * 1_000_000)

    bench = opened(make_bench, samples.hub_script(fit=fit_of), models=(STARTER,))
    looked(bench, samples.SMALL)
    fit = page(bench).details.fit
    fit.context.setCurrentIndex(fit.context.findData(2048))
    fit.context.activated.emit(fit.context.currentIndex())
    bench.until(lambda: is_answered(bench))

    assert (asked[-1].weight_format, asked[-1].context_tokens) == ("", 2048)
    assert tiles(bench)["of memory"] == "2.0 GB"
    assert len(bench.engine.asked(ReadRepository)) == 1
    fit.format.setCurrentIndex(fit.format.findData("int8"))
    fit.format.activated.emit(fit.format.currentIndex())
    bench.until(lambda: is_answered(bench) and len(asked) == 3)
    assert (asked[-1].weight_format, asked[-1].context_tokens) == ("int8", 2048)


def test_reading_headers_shows_how_far_it_is(make_bench: MakeBench) -> None:
    gate = threading.Event()
    hub = samples.hub_script(headers=((2, 5),), fit=lambda _: (gate.wait(5), samples.FITS)[1])
    bench = opened(make_bench, hub)
    page(bench).look_at(samples.SMALL)
    bench.until(lambda: (now := controls(bench).hub.looked) and now.progress)
    bench.settle()

    bar = page(bench).details.fit._progress
    assert bar.isVisible()
    assert bar.value() == 40
    gate.set()
    bench.until(lambda: is_answered(bench))
    bench.settle()
    assert not bar.isVisible()


def test_leaving_ends_what_is_being_asked(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"repository": gate}))
    page(bench).look_at(samples.SMALL)
    page(bench).leave_details()

    (asked,) = bench.engine.asked(ReadRepository)
    assert asked.request_id in [request.target_id for request in bench.engine.asked(Cancel)]  # type: ignore[union-attr]


def test_a_repository_that_is_not_there_says_so(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    looked(bench, "someone/no-such-model")

    problem = page(bench).details.problem.card
    assert problem is not None
    assert "someone/no-such-model" in problem.text.cause.replace("\u200b", "")


def test_a_lost_hub_can_be_asked_again(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(errors={"CheckFit": TransferStalled("hub", 30).report()}))
    looked(bench, samples.BIG)
    place = page(bench).details.fit.problem
    assert place.isVisible()
    bench.script.hub.errors.clear()

    button(place, "Try again").click()

    bench.until(lambda: (now := controls(bench).hub.looked) and now.fit)
    bench.settle()
    assert not place.isVisible()


def test_what_is_fetched_is_listed_with_what_stays(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    looked(bench, samples.SMALL)
    files = page(bench).details.files
    files.files_button.click()

    assert files.files.isVisible()
    assert ("model.safetensors", "is fetched", "2.7 GB") in files.files.rows
    assert ("pytorch_model.bin", "the same weights again", "2.7 GB") in files.files.rows
    assert ("modeling_minicpm.py", "program code, never run", "61.0 kB") in files.files.rows


def test_the_page_on_the_hub_is_asked_about_before_it_is_opened(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    looked(bench, samples.SMALL)
    page(bench).details.files.page_button.click()

    box = dialog(bench, QMessageBox)
    assert isinstance(box, QMessageBox)
    assert f"https://huggingface.co/{samples.SMALL}" in box.informativeText()
    answer(bench, "Cancel")


# Access --------------------------------------------------------------------------------------------------------------


def gated(make_bench: MakeBench, **hub: object) -> Bench:
    error = LicenceNotAccepted(samples.GATED, "https://huggingface.co/terms-of-it").report()
    bench = opened(make_bench, samples.hub_script(**({"errors": {"ReadRepository": error}} | hub)))
    looked(bench, samples.GATED)
    return bench


def test_a_gated_model_explains_what_to_accept_with_the_link(make_bench: MakeBench) -> None:
    bench = gated(make_bench)
    gate = page(bench).details.gate
    assert gate.isVisible()
    assert "accept" in gate.words.text()
    assert not page(bench).details.problem.isVisible()

    gate.terms_button.click()

    box = dialog(bench, QMessageBox)
    assert isinstance(box, QMessageBox)
    assert "https://huggingface.co/terms-of-it" in box.informativeText()
    answer(bench, "Cancel")


@pytest.mark.parametrize(("place", "kind"), [("nowhere", "plain"), ("keyring", "primary")])
def test_without_a_token_the_download_of_a_gated_model_is_not_what_comes_next(
    make_bench: MakeBench, place: str, kind: str
) -> None:
    repository = samples.repository(samples.GATED, model=samples.hub_model(samples.GATED, gated="manual"))
    refused = {"JudgeFit": LicenceNotAccepted(samples.GATED, "").report()}
    bench = gated(make_bench, errors=refused, repositories={samples.GATED: repository}, token_place=place)
    bench.until(lambda: (now := controls(bench).hub.looked) and now.repository and now.fit_problem)
    bench.settle()
    details = page(bench).details

    assert details.gate.isVisible()
    assert details.fit.download_button.property("kind") == kind


def test_a_token_is_kept_and_the_model_asked_for_again(make_bench: MakeBench) -> None:
    bench = gated(make_bench)
    gate = page(bench).details.gate
    bench.script.hub.errors.clear()
    bench.script.hub.repositories[samples.GATED] = samples.repository(
        samples.GATED, model=samples.hub_model(samples.GATED, gated="manual")
    )
    bench.script.hub.fits[samples.GATED] = samples.fit(samples.GATED)
    gate.token.setText("hf_secret")
    QTest.keyClick(gate.token, Qt.Key.Key_Return)

    bench.until(lambda: (now := controls(bench).hub.looked) and now.fit)
    bench.settle()
    assert [request.token for request in bench.engine.asked(StoreToken)] == ["hf_secret"]  # type: ignore[attr-defined]
    assert gate.token.text() == ""
    assert not gate.isVisible()
    assert page(bench).details.fit.verdict.text() == "Fits this computer"


def test_a_token_that_does_not_open_it_is_said(make_bench: MakeBench) -> None:
    bench = gated(make_bench, token_place="keyring")

    assert "does not open this model yet" in page(bench).details.gate.words.text()


def test_the_field_for_a_token_hides_what_is_typed(make_bench: MakeBench) -> None:
    gate = page(gated(make_bench)).details.gate

    assert gate.token.echoMode() == gate.token.EchoMode.Password


# Offline -------------------------------------------------------------------------------------------------------------


def test_offline_the_catalogue_stays_and_the_rest_says_so_with_the_switch(discover: Bench) -> None:
    controls(discover).network.switch(offline=True)
    discover.settle()
    shown = page(discover).discover
    assert cards(discover)
    assert shown.offline.isVisible()
    assert not shown.button.isEnabled()
    assert "offline" in page(discover)._line.text()

    shown.offline.button.click()
    discover.settle()

    assert not shown.offline.isVisible()
    assert [r.network.is_offline for r in discover.engine.asked(UseNetwork)] == [False, True, False]  # type: ignore[attr-defined]


def test_back_online_the_model_that_is_looked_at_is_asked_for(discover: Bench) -> None:
    controls(discover).network.switch(offline=True)
    page(discover).look_at(samples.BIG)
    discover.until(lambda: (now := controls(discover).hub.looked) and now.problem)
    discover.settle()
    details = page(discover).details
    assert discover.engine.asked(ReadRepository) == []
    assert details.offline.isVisible()
    assert not details.problem.isVisible()
    assert not details.fit.download_button.isEnabled()

    details.offline.button.click()

    discover.until(lambda: (now := controls(discover).hub.looked) and now.fit)
    discover.settle()
    assert details.fit.download_button.isEnabled()


def fits(bench: Bench) -> None:
    """Once laid out the page is no wider than what is seen of it; otherwise it is told what asks for the room."""
    whole = page(bench)
    for _ in range(20):
        bench.settle()
        if whole.widget().width() <= whole.viewport().width():
            return
    found = [w for w in whole.findChildren(QWidget) if w.isVisible()]
    found.sort(key=lambda w: -w.minimumSizeHint().width())
    pytest.fail(
        ", ".join(f"{type(w).__name__} {w.accessibleName()!r} {w.minimumSizeHint().width()}" for w in found[:12])
    )


# Room, names, other languages ----------------------------------------------------------------------------------------


def test_nothing_is_wider_than_the_window(make_bench: MakeBench) -> None:
    errors = {"ReadRepository": LicenceNotAccepted(samples.GATED, "https://x.example").report()}
    bench = opened(make_bench, part=DISCOVER, models=(STARTER, samples.LONG))
    whole = page(bench)
    for repo in ("", samples.SMALL, samples.GATED):
        bench.script.hub.errors = errors if repo == samples.GATED else {}
        if repo:
            looked(bench, repo)
        for width in (440, 620, 900, 1180):
            bench.window.resize(width, 800)
            bench.settle()

            fits(bench)
            for control in (*whole.findChildren(HubCard), whole.details.fit, whole.discover.button):
                if control.isVisible():
                    assert right_edge(bench, control) < width


class Longer(QTranslator):
    """Every text half as long again, as other languages make it."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return source + " ‡‡‡" * (len(source) // 8 + 1)

    def isEmpty(self) -> bool:
        return False


def test_longer_languages_fit_a_narrow_window(make_bench: MakeBench, qapp: QApplication) -> None:
    translator = Longer(qapp)
    qapp.installTranslator(translator)
    try:
        bench = opened(make_bench, samples.hub_script(downloads=(samples.running(), samples.FULL)), part=DISCOVER)
        bench.window.resize(440, 800)
        for repo in ("", samples.SMALL):
            if repo:
                looked(bench, repo)
            bench.settle()
            fits(bench)
        page(bench).show_part(HERE)
        bench.settle()
        fits(bench)
    finally:
        qapp.removeTranslator(translator)


def test_every_control_has_a_name(discover: Bench) -> None:
    type_in(discover, "sparse", enter=True)
    discover.until(lambda: controls(discover).hub.found is not None)
    assert unnamed(page(discover)) == []
    looked(discover, samples.SMALL)
    page(discover).details.files.toggle_files()
    assert unnamed(page(discover)) == []
