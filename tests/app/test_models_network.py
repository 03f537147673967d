"""The way to the hub is kept once the engine goes it; a test of it names the step that fails."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.settings_file import SettingsFile
from app.window.icons import IconButton
from app.window.models.connection_dialog import ConnectionDialog
from app.window.models.network_dialog import NO_PROXY, OWN_PROXY, NetworkDialog
from engine.errors import CacheFolderRefused, FileMissing, InvalidRequest, TokenNotKept
from engine.messages import Cancel
from engine.transfer_reports import HUB, LimitDownloads, StoreToken, TryConnection, UseLibraryFolders, UseNetwork
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import Script
from tests.app.models_bench import MakeBench, button, controls, dialog, opened, page
from tests.app.test_window_shell import unnamed


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that says nothing of networks."""
    named = ("HF_ENDPOINT", "HF_HUB_OFFLINE", "EMBER_OFFLINE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
    for name in named:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def settings(make_bench: MakeBench, bare: None) -> tuple[Bench, NetworkDialog]:
    bench = opened(make_bench)
    shown = page(bench).open_settings()
    bench.settle()
    return bench, shown


def used(bench: Bench) -> list:
    return [request.network for request in bench.engine.asked(UseNetwork)]  # type: ignore[attr-defined]


# The way to the hub --------------------------------------------------------------------------------------------------


def test_a_choice_is_kept_once_the_engine_goes_that_way(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    shown.endpoint.setText(" https://mirror.example/hub ")
    shown.proxy_kind.setCurrentIndex(shown.proxy_kind.findData(OWN_PROXY))
    shown.proxy.setText("socks5h://me:secret@proxy:1080")
    shown.ca_file.setText("/etc/company.pem")
    shown.apply_button.click()

    bench.until(lambda: shown._applied.text() == "Applied")
    value = bench.session.settings.value
    assert (value.endpoint, value.proxy, value.ca_file) == (
        "https://mirror.example/hub", "socks5h://me:secret@proxy:1080", "/etc/company.pem",
    )  # fmt: skip
    assert used(bench)[-1].endpoint == "https://mirror.example/hub"
    bench.session.settings.save()
    assert SettingsFile(bench.paths.settings).settings.proxy == "socks5h://me:secret@proxy:1080"
    shown.close()


def test_what_the_engine_refuses_is_said_and_not_kept(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    bench.script.hub.errors["UseNetwork"] = InvalidRequest("endpoint", "mirror", "an address").report()
    shown.endpoint.setText("mirror")
    shown.apply_button.click()

    bench.until(lambda: shown.error.isVisible())
    assert bench.session.settings.value.endpoint == ""
    assert shown._applied.text() == ""
    assert shown.apply_button.isEnabled()
    shown.close()


def test_no_proxy_is_a_choice_of_its_own(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    shown.proxy_kind.setCurrentIndex(shown.proxy_kind.findData(NO_PROXY))
    assert not shown.proxy.isVisible()
    shown.apply_button.click()

    bench.until(lambda: bench.session.settings.value.proxy == "none")
    shown.close()


def test_the_offline_switch_acts_at_once_and_is_kept(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    shown.offline.click()

    bench.until(lambda: used(bench)[-1].is_offline)
    assert bench.session.settings.value.is_offline
    shown.close()


def test_the_environment_decides_where_the_user_has_not(
    make_bench: MakeBench, bare: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    bench = opened(make_bench)
    shown = page(bench).open_settings()
    bench.settle()

    assert used(bench)[0].endpoint == "https://mirror.example"
    assert used(bench)[0].is_offline
    assert not shown.offline.isEnabled()
    assert shown._forced.isVisible()
    shown.close()


def test_a_way_that_cannot_be_gone_at_the_start_leaves_ember_offline(make_bench: MakeBench, bare: None) -> None:
    error = FileMissing("/etc/company.pem", "gone").report()
    bench = make_bench(Script(hub=samples.hub_script(errors={"UseNetwork": error})))
    bench.session.settings.update(ca_file="/etc/company.pem")
    bench.start()
    bench.until(lambda: len(used(bench)) == 2)
    bench.window.show_models_page()
    bench.settle()

    assert used(bench)[-1].is_offline
    assert used(bench)[-1].endpoint == HUB
    assert page(bench)._network_error.isVisible()
    button(page(bench)._network_error, "Hub and library").click()
    dialog(bench, NetworkDialog).close()


# Token ---------------------------------------------------------------------------------------------------------------


def test_a_token_is_kept_hidden_and_forgotten(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    assert shown.token.echoMode() == QLineEdit.EchoMode.Password
    assert not shown.forget_button.isVisible()
    shown.token.setText(" hf_secret ")
    shown.store_button.click()
    assert shown.token.text() == ""
    bench.until(lambda: "keyring" in shown._token_words.text())

    shown.forget_button.click()

    bench.until(lambda: not shown.forget_button.isVisible())
    assert [request.token for request in bench.engine.asked(StoreToken)] == ["hf_secret", ""]  # type: ignore[attr-defined]
    assert "hf_secret" not in repr(bench.engine.requests)
    shown.close()


def test_a_token_that_cannot_be_kept_is_said(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    bench.script.hub.errors["StoreToken"] = TokenNotKept("/home/token", "read-only").report()
    shown.token.setText("hf_secret")
    shown.store_button.click()

    bench.until(lambda: shown.token_error.isVisible())
    shown.close()


# Downloads and folders -----------------------------------------------------------------------------------------------


def test_the_speed_limit_acts_at_once_and_is_kept(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    shown.limit.setFocus()
    shown.limit.selectAll()
    QTest.keyClicks(shown.limit, "2.5")

    bench.until(lambda: bench.session.settings.value.download_limit == 2_500_000)
    assert bench.engine.asked(LimitDownloads)[-1].bytes_per_s == 2_500_000  # type: ignore[attr-defined]
    shown.limit.selectAll()
    QTest.keyClick(shown.limit, Qt.Key.Key_Delete)
    bench.until(lambda: bench.session.settings.value.download_limit is None)
    shown.close()


def test_a_folder_is_kept_once_the_engine_has_taken_it(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    own = str(bench.paths.library)
    shown.add_folder("/drive/two")
    bench.until(lambda: bench.session.settings.value.library_folders == (own, "/drive/two"))
    bench.settle()

    next(b for b in shown.findChildren(IconButton) if "New models go to" in b.accessibleName()).click()

    bench.until(lambda: bench.session.settings.value.library_folders == ("/drive/two", own))
    assert [request.folders for request in bench.engine.asked(UseLibraryFolders)] == [  # type: ignore[attr-defined]
        (own, "/drive/two"), ("/drive/two", own),
    ]  # fmt: skip
    shown.close()


def test_a_cache_folder_is_refused_with_the_reason(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    bench.script.hub.errors["UseLibraryFolders"] = CacheFolderRefused("/home/me/.cache/x", ".cache").report()
    shown.add_folder("/home/me/.cache/x")

    bench.until(lambda: shown.folder_error.isVisible())
    assert shown.folder_error.card is not None
    assert ".cache" in shown.folder_error.card.text.cause
    assert bench.session.settings.value.library_folders == ()
    shown.close()


def test_the_own_folder_alone_needs_no_setting(settings: tuple[Bench, NetworkDialog]) -> None:
    bench, shown = settings
    own = str(bench.paths.library)
    shown.add_folder("/drive/two")
    bench.until(lambda: len(controls(bench).library.folders) == 2)

    controls(bench).library.use_folders((own,))

    bench.until(lambda: bench.session.settings.value.library_folders == ())
    assert Path(controls(bench).library.folders[0]) == bench.paths.library
    shown.close()


def test_every_control_of_the_settings_has_a_name(settings: tuple[Bench, NetworkDialog]) -> None:
    _, shown = settings

    assert unnamed(shown) == []
    shown.close()


# Testing the connection ----------------------------------------------------------------------------------------------


def after_test(bench: Bench) -> ConnectionDialog:
    shown = page(bench).open_test()
    bench.until(lambda: controls(bench).network.steps and not controls(bench).network.is_testing)
    bench.settle()
    return shown


def test_a_test_lists_its_steps_as_they_pass(make_bench: MakeBench) -> None:
    shown = after_test(opened(make_bench))

    assert shown.verdict.text() == "Everything works."
    assert shown.rows["hub"].text == "works: status 200 (180 ms)"
    assert shown.rows["token"].text.startswith("not needed")
    assert not shown.error.isVisible()
    assert unnamed(shown) == []
    shown.close()


def test_a_test_names_the_step_that_fails_and_what_to_do(make_bench: MakeBench) -> None:
    shown = after_test(opened(make_bench, samples.hub_script(steps=samples.BROKEN_STEPS)))

    assert shown.verdict.text() == "It fails at: The connection is encrypted"
    assert shown.error.card is not None
    assert "certificate verify failed" in shown.error.card.text.cause
    assert "the company's own certificates" in shown.error.card.text.action
    assert "clock" in shown.error.card.text.action
    assert shown.rows["hub"].text == ""
    shown.close()


def test_closing_the_test_ends_it(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, samples.hub_script(gates={"connection": gate}))
    shown = page(bench).open_test()
    bench.settle()
    assert shown.rows["name"].text == "trying…"
    shown.close()

    (asked,) = bench.engine.asked(TryConnection)
    assert asked.request_id in [request.target_id for request in bench.engine.asked(Cancel)]  # type: ignore[union-attr]
    bench.until(lambda: not controls(bench).network.is_testing)


def test_a_test_can_be_made_again(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(steps=samples.BROKEN_STEPS))
    shown = after_test(bench)
    bench.script.hub.steps = samples.STEPS
    shown.again.click()

    bench.until(lambda: shown.verdict.text() == "Everything works.")
    assert not shown.error.isVisible()
    shown.close()
