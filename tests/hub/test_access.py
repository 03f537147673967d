"""The way to the hub: whose token goes where, proxies, a company's certificates, and the step that is at fault."""

import json
import logging
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import FileMissing, InvalidRequest, NetworkSwitchedOff, TokenNotKept
from engine.hub.access import Access, try_connection
from engine.hub.token_store import SystemKeyring, TokenStore
from engine.hub.transfer.line import Network
from engine.hub.transfer.proxy import Proxy, ProxyRules, parse_proxy, proxy_rules
from engine.hub.transfer.resolving import Hub, resolve
from engine.transfer_reports import CONNECTION_STEPS, HUB, ConnectionStep, NetworkSettings, StoreToken
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import MemoryKeyring, Rig, report_of, until_state
from tests.hub.transfer.certificates import authority_file
from tests.hub.transfer.fake_hub import FakeHub, Fault
from tests.hub.transfer.proxies import FakeProxy, FakeSocksProxy

REPO = "org/tiny"
SECRET = "hf_secretsecret"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def hub() -> Iterator[HubWithApi]:
    with HubWithApi() as hub:
        hub.add(REPO, {"config.json": b'{"a": 1}', "model.safetensors": b"w" * 5000})
        yield hub


@pytest.fixture
def tokens(tmp_path: Path) -> TokenStore:
    return TokenStore(tmp_path / "config" / "token.json", MemoryKeyring())


def access_to(hub: FakeHub, tokens: TokenStore, **settings: object) -> Access:
    access = Access(tokens)
    access.use(NetworkSettings(**{"endpoint": hub.url, **settings}))
    return access


def steps(access: Access) -> dict[str, ConnectionStep]:
    return {step.step: step for step in try_connection(access, REPO, "config.json")}


# tokens


def test_a_token_is_given_out_only_for_the_origin_it_was_entered_for(tokens):
    tokens.write(HUB, SECRET)

    assert tokens.read(HUB) == tokens.read(f"{HUB}/") == tokens.read("https://HUGGINGFACE.co:443") == SECRET
    for other in ("https://mirror.example", "http://huggingface.co", "https://huggingface.co:8443", "https://hf.co"):
        assert tokens.read(other) == ""


def test_a_mirror_gets_no_token_of_the_hub(hub, tokens):
    tokens.write(HUB, SECRET)
    access = access_to(hub, tokens)

    with access.network.line(time.monotonic) as line:
        resolve(line, access.hub(), REPO, "main", "model.safetensors")

    assert access.is_mirror()
    assert access.hub().token == ""
    assert [seen for seen in hub.requests if "authorization" in seen.headers] == []


def test_without_a_keyring_the_token_is_in_a_file_of_this_user_alone(tmp_path):
    file = tmp_path / "config" / "token.json"
    store = TokenStore(file, MemoryKeyring(fails=True))

    assert store.write(HUB, SECRET) == "file"
    assert (store.read(HUB), store.place(HUB)) == (SECRET, "file")
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o644)
        store.read(HUB)
        assert file.stat().st_mode & 0o777 == 0o600
    assert store.write(HUB, "") == "nowhere"
    assert not file.exists()


def test_a_keyring_that_answers_again_takes_the_token_out_of_the_file(tmp_path):
    file, keyring = tmp_path / "token.json", MemoryKeyring(fails=True)
    store = TokenStore(file, keyring)
    store.write(HUB, SECRET)

    keyring.fails = False
    place = store.write(HUB, "hf_other")

    assert (place, store.read(HUB), store.place(HUB)) == ("keyring", "hf_other", "keyring")
    assert not file.exists()


def test_a_keyring_that_gives_back_another_token_is_not_trusted_with_it(tmp_path):
    class ShortKeyring(MemoryKeyring):
        def set(self, name: str, secret: str) -> None:
            super().set(name, secret[:4])

    file = tmp_path / "token.json"
    store = TokenStore(file, ShortKeyring())

    assert store.write(HUB, SECRET) == "file"
    assert (store.read(HUB), store.place(HUB)) == (SECRET, "file")
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
    assert store.write(HUB, "") == "nowhere"
    assert (store.read(HUB), store.place(HUB)) == ("", "nowhere")


@pytest.mark.parametrize("spoiled", ["", "[]", "{", '{"https://huggingface.co": 7}', "\0"])
def test_a_spoiled_file_of_tokens_holds_none(tmp_path, spoiled):
    (tmp_path / "token.json").write_text(spoiled)
    store = TokenStore(tmp_path / "token.json", MemoryKeyring(fails=True))

    assert store.read(HUB) == ""
    assert store.write(HUB, SECRET) == "file"
    assert json.loads((tmp_path / "token.json").read_text()) == {HUB: SECRET}


def test_a_token_that_nothing_takes_is_told_without_being_shown(tmp_path):
    (tmp_path / "in-the-way").write_text("")
    store = TokenStore(tmp_path / "in-the-way" / "token.json", MemoryKeyring(fails=True))

    with pytest.raises(TokenNotKept) as told:
        store.write(HUB, SECRET)

    assert SECRET not in str(told.value)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://[", "https://[::1", "https://h:99999", "https://h:port", "https://h:0", "https://a b", "https://h/a b",
        "https://h\n.example", "https://h\t", " https://h", "https://h ", "https://h\x00", "https://h\x7f",
    ],
)  # fmt: skip
def test_what_can_be_no_address_of_a_hub_is_refused_as_such(tokens, endpoint):
    access = Access(tokens)

    with pytest.raises(InvalidRequest):
        Hub(endpoint)
    with pytest.raises(InvalidRequest):
        access.use(NetworkSettings(endpoint=endpoint))
    assert access.settings.endpoint == HUB


def test_what_can_be_no_token_is_refused_and_not_shown(tokens):
    with pytest.raises(InvalidRequest) as told:
        tokens.write(HUB, "two words")

    assert "two words" not in str(told.value)
    assert SECRET not in repr(StoreToken("r", SECRET))


def test_the_systems_keyring_fails_here_in_a_way_that_is_understood(tmp_path):
    """On a machine without one; where there is one, it takes and gives back."""
    store = TokenStore(tmp_path / "token.json", SystemKeyring())
    endpoint = "https://ember-test.invalid"

    place = store.write(endpoint, SECRET)

    assert place in ("keyring", "file")
    assert store.read(endpoint) == SECRET
    assert store.write(endpoint, "") == "nowhere"
    assert store.read(endpoint) == ""


def test_no_log_holds_a_token(hub, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    rig = Rig(hub, tmp_path / "library")
    hub.repos[REPO].gated, hub.repos[REPO].readers = True, {SECRET}
    access = rig.access()
    access.tokens.write(hub.url, SECRET)
    queue = rig.queue(access=access)

    until_state(queue, queue.add(REPO, packs=False), "ready")
    rig.close()

    assert any(seen.headers.get("authorization") == f"Bearer {SECRET}" for seen in hub.requests)
    # httpcore2's own tracing at DEBUG is not ours to write: the engine logs at INFO
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("engine", "app"))]
    assert not [line for line in ours if SECRET in line]
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not [data for data in kept if SECRET.encode() in data]


# proxies


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("http://proxy.example:3128", Proxy("http", "proxy.example", 3128)),
        ("proxy.example:8080", Proxy("http", "proxy.example", 8080)),
        ("https://proxy.example", Proxy("https", "proxy.example", 443)),
        ("socks5://me:p%40ss@10.0.0.1", Proxy("socks5", "10.0.0.1", 1080, "me", "p@ss")),
        ("socks://h:1", Proxy("socks5h", "h", 1)),
        ("http://[::1]:3128/", Proxy("http", "::1", 3128)),
    ],
)
def test_addresses_of_proxies_are_read(text, proxy):
    assert parse_proxy(text) == proxy


@pytest.mark.parametrize(
    "text", ["ftp://x", "http://", "http://a b", "http://h:99999", "http://h/path", "://", "http://é"]
)
def test_what_is_no_proxy_is_refused_without_its_password(text):
    with pytest.raises(InvalidRequest):
        parse_proxy(text)
    with pytest.raises(InvalidRequest) as told:
        parse_proxy("ftp://me:hidden@host")
    assert "hidden" not in str(told.value)


@pytest.mark.parametrize(
    ("no_proxy", "host", "bypassed"),
    [
        ("*", "anything.example", True),
        ("example.com", "example.com", True),
        ("example.com", "sub.example.com", True),
        (".example.com", "example.com", True),
        ("*.example.com", "sub.example.com", True),
        ("example.com", "badexample.com", False),
        ("10.0.0.0/8, other.example", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("::1", "::1", True),
        ("example.com:8443", "example.com", False),
        ("example.com:443", "example.com", True),
        (" ,,", "example.com", False),
        ("", "example.com", False),
    ],
)
def test_hosts_are_reached_without_a_proxy_as_usual_variables_say(no_proxy, host, bypassed):
    rules = proxy_rules(NetworkSettings(https_proxy="http://p:1", no_proxy=no_proxy))

    assert (rules.proxy_for("https", host) is None) == bypassed


def test_a_proxy_of_ones_own_goes_before_the_environments_and_none_means_none():
    environment = {"http_proxy": "http://a:1", "https_proxy": "http://b:2"}

    assert proxy_rules(NetworkSettings(**environment)).proxy_for("http", "h") == Proxy("http", "a", 1)
    assert proxy_rules(NetworkSettings(proxy="c:3", **environment)).proxy_for("http", "h") == Proxy("http", "c", 3)
    assert proxy_rules(NetworkSettings(proxy="none", **environment)) == ProxyRules()


@pytest.mark.parametrize("kind", [FakeProxy, FakeSocksProxy])
@pytest.mark.parametrize("tls", [False, True])
def test_everything_goes_by_the_proxy(tmp_path, tokens, kind, tls):
    with HubWithApi(tls=tls) as hub, kind(user="me", password="p@ss") as proxy:
        hub.add(REPO, {"config.json": b"{}", "model.safetensors": b"w" * 100_000})
        rig = Rig(hub, tmp_path / "library")
        access = rig.access(proxy=proxy.url.replace("p@ss", "p%40ss"), ca_file=authority_file(tmp_path) if tls else "")
        queue = rig.queue(access=access)

        download_id = queue.add(REPO, packs=False)
        until_state(queue, download_id, "ready")
        rig.close()

    ports = {f"127.0.0.1:{url.rpartition(':')[2]}" for url in (hub.url, hub.cdn_url)}
    assert set(proxy.asked) == ports


@pytest.mark.parametrize("kind", [FakeProxy, FakeSocksProxy])
def test_a_proxy_that_refuses_is_named_and_asked_again(hub, tmp_path, kind):
    with kind(user="me", password="right") as proxy:
        rig = Rig(hub, tmp_path / "library")
        access = rig.access(proxy=proxy.url.replace("right", "wrong"))
        queue = rig.queue(access=access, haste=4.0)

        download_id = queue.add(REPO, packs=False)
        stalled = until_state(queue, download_id, "stalled-retrying")
        access.use(NetworkSettings(endpoint=hub.url, proxy=proxy.url))
        until_state(queue, download_id, "ready")
        rig.close()

    assert stalled.error.code == "HubUnreachable"
    assert "proxy" in stalled.error.field("reason")
    assert "wrong" not in str(stalled.error)


def test_a_change_of_proxy_takes_a_running_download_along(hub, tmp_path):
    hub.faults.append(Fault(hang_after=1000, times=-1))
    with FakeProxy() as proxy:
        rig = Rig(hub, tmp_path / "library")
        access = rig.access()
        queue = rig.queue(access=access, haste=4.0)
        download_id = queue.add(REPO, packs=False)
        until_state(queue, download_id, "downloading")

        hub.faults.clear()
        access.use(NetworkSettings(endpoint=hub.url, proxy=proxy.url))
        until_state(queue, download_id, "ready")
        rig.close()

    assert proxy.asked != []
    assert report_of(queue, download_id).error is None


# certificates


def test_a_companys_authority_is_trusted_beside_the_systems(tmp_path, tokens):
    with HubWithApi(tls=True) as hub:
        hub.add(REPO, {"config.json": b"{}"})
        plain, company = access_to(hub, tokens), access_to(hub, tokens, ca_file=authority_file(tmp_path))

        refused, accepted = steps(plain), steps(company)

    assert refused["encryption"].error.code == "HubUnreachable"
    assert "certificate" in refused["encryption"].error.field("reason").lower()
    assert accepted["encryption"].state == "passed"


def test_certificates_that_cannot_be_read_change_nothing(hub, tmp_path, tokens):
    access = access_to(hub, tokens)
    (tmp_path / "not.pem").write_text("no certificate")

    with pytest.raises(InvalidRequest):
        access.use(NetworkSettings(endpoint=hub.url, ca_file=str(tmp_path / "not.pem")))
    with pytest.raises(FileMissing):
        access.use(NetworkSettings(endpoint=hub.url, ca_file=str(tmp_path / "absent.pem")))

    assert access.settings.ca_file == ""


# the test of the connection


def test_every_step_passes_where_nothing_is_wrong(hub, tokens):
    hub.instead["^/api/whoami-v2$"] = (200, JSON, b"{}")
    tokens.write(hub.url, SECRET)

    found = steps(access_to(hub, tokens))

    assert tuple(found) == CONNECTION_STEPS
    assert {step.step: step.state for step in found.values()} == {
        "name": "passed", "connect": "passed", "encryption": "skipped", "hub": "passed", "token": "passed",
        "file": "passed",
    }  # fmt: skip
    assert "127.0.0.1" in found["name"].detail


def test_without_a_token_that_step_is_left_out(hub, tokens):
    assert steps(access_to(hub, tokens))["token"].state == "skipped"


def test_a_name_nobody_knows_is_the_fault_of_the_first_step(tokens):
    access = Access(tokens)
    access.use(NetworkSettings(endpoint="https://ember-test.invalid"))

    found = list(try_connection(access, REPO, "config.json"))

    assert [(step.step, step.state) for step in found] == [("name", "failed")]
    assert found[0].error.code == "HubUnreachable"


def test_a_port_that_nobody_listens_on_is_the_fault_of_the_second(tokens):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        access = Access(tokens)
        access.use(NetworkSettings(endpoint=f"http://127.0.0.1:{taken.getsockname()[1]}"))

        found = steps(access)

    assert [step.state for step in found.values()] == ["passed", "failed"]


def test_a_server_that_speaks_no_tls_is_the_fault_of_the_third(hub, tokens):
    access = Access(tokens)
    access.use(NetworkSettings(endpoint=hub.url.replace("http:", "https:")))

    assert list(steps(access).values())[-1].step == "encryption"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((200, {"Content-Type": "text/html"}, b"<h1>Sign in</h1>"), "HubAnswerUnusable"),
        ((404, JSON, b"{}"), "HubAnswerUnusable"),
        ((503, JSON, b"{}"), "HubBusy"),
    ],
)
def test_a_network_that_wants_a_sign_in_is_the_fault_of_the_fourth(hub, tokens, answer, code):
    hub.instead["^/api/models$"] = answer

    last = list(steps(access_to(hub, tokens)).values())[-1]

    assert (last.step, last.state, last.error.code) == ("hub", "failed", code)


def test_a_token_that_is_not_valid_is_the_fault_of_the_fifth(hub, tokens):
    hub.instead["^/api/whoami-v2$"] = (401, JSON, b"{}")
    tokens.write(hub.url, SECRET)

    last = list(steps(access_to(hub, tokens)).values())[-1]

    assert (last.step, last.error.code) == ("token", "HubAccessDenied")


def test_files_that_cannot_be_read_are_the_fault_of_the_last(hub, tokens):
    hub.faults.append(Fault(origin="hub", method="GET", path="resolve", status=403, times=-1))

    last = list(steps(access_to(hub, tokens)).values())[-1]

    assert (last.step, last.state) == ("file", "failed")


def test_with_a_proxy_the_first_steps_are_the_way_to_it(hub, tokens):
    with FakeProxy() as proxy:
        found = steps(access_to(hub, tokens, proxy=proxy.url))

    assert found["connect"].detail.startswith(f"127.0.0.1:{proxy.port}")
    assert found["file"].state == "passed"


def test_offline_a_test_opens_nothing(hub, tokens, monkeypatch):
    access = access_to(hub, tokens, is_offline=True)
    asked: list[object] = []
    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, lambda *a, **k: asked.append(a))
        monkeypatch.setattr("engine.hub.transfer.line.getaddrinfo", lambda *a, **k: asked.append(a))

    found = list(try_connection(access, REPO, "config.json"))

    assert [(step.step, step.error.code) for step in found] == [("name", "NetworkSwitchedOff")]
    assert asked == []


@pytest.mark.skipif(sys.platform != "linux", reason="counts this process's sockets by /proc")
def test_offline_no_path_of_the_hub_opens_a_socket(hub, tmp_path, tokens):
    """A queue with a download, a listing, a connection's test, with and without a proxy: no socket more than before."""
    before = len(hub.requests)
    for settings in ({}, {"proxy": "http://127.0.0.1:9"}, {"proxy": "socks5://127.0.0.1:9"}):
        rig = Rig(hub, tmp_path / "library")
        access = rig.access(is_offline=True, **settings)
        queue = rig.queue(access=access)
        download_id = queue.add(REPO, packs=False)
        until_state(queue, download_id, "paused")
        steps(access)
        with access.network.line(time.monotonic) as line, pytest.raises(NetworkSwitchedOff):
            resolve(line, access.hub(), REPO, "main", "config.json")
        open_now = {str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
        tcp = Path("/proc/net/tcp").read_text()
        ours = {name[8:-1] for name in open_now if name.startswith("socket:[")}
        outgoing = [line.split() for line in tcp.splitlines()[1:]]
        assert not [row for row in outgoing if row[9] in ours and row[3] in ("01", "02")]
        queue.cancel(download_id)
        rig.close()

    assert len(hub.requests) == before


def test_a_hub_is_no_hub_with_a_user_in_its_address(tokens):
    with pytest.raises(InvalidRequest):
        Access(tokens).use(NetworkSettings(endpoint="https://me:pw@hub.example"))
    assert Network().proxy_for is not None
    assert Hub(HUB).token == ""
