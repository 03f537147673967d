"""What goes over the network and what does not: the token, redirections, encryption, the offline switch."""

import socket
import threading
import time

import httpcore2
import pytest

from engine.errors import HubAnswerUnusable, HubUnreachable, InvalidRequest, NetworkSwitchedOff, TransferStalled
from engine.hub.transfer import line as line_module
from engine.hub.transfer.line import Network
from engine.hub.transfer.progress import TransferState
from engine.hub.transfer.resolving import Hub, redirection, resolve, without_secrets
from tests.hub.transfer.certificates import trusting
from tests.hub.transfer.conftest import MIB, REPO, Trial, noise
from tests.hub.transfer.fake_hub import FakeHub, Fault

WEIGHTS = noise(MIB // 2)
FILES = {"config.json": b"{}", "w.safetensors": WEIGHTS}


# the token


def test_the_token_goes_to_the_hub_and_nowhere_else(trial):
    trial.hub.add(REPO, FILES, gated=True, readers={"secret"})

    trial.run(*FILES, token="secret")

    to_hub = [r.headers.get("authorization") for r in trial.hub.requests if r.origin == "hub"]
    to_cdn = [r.headers.get("authorization") for r in trial.hub.requests if r.origin == "cdn"]
    assert set(to_hub) == {"Bearer secret"}
    assert set(to_cdn) == {None}
    assert len(to_cdn) > 0


def test_a_small_file_that_is_sent_elsewhere_takes_no_token_along(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(
        Fault(origin="hub", path="resolve-cache", status=302, headers={"Location": f"{trial.hub.cdn_url}/x"}, times=3)
    )

    trial.run("config.json", token="secret")

    assert [r.headers.get("authorization") for r in trial.hub.requests if r.origin == "cdn"] == [None] * len(
        trial.hub.seen("cdn")
    )
    assert len(trial.hub.seen("cdn")) > 0
    assert trial.content("config.json") == FILES["config.json"]


@pytest.mark.parametrize(
    "url",
    [
        "http://hub.example/a",
        "https://hub.example:8443/a",
        "https://hub.example.evil/a",
        "https://evil/hub.example",
        "https://huB.example.:443/a",
        "https://cdn.hub.example/a",
    ],
)
def test_another_scheme_host_or_port_is_another_origin(url):
    hub = Hub("https://hub.example", "secret")

    assert "Authorization" not in hub.headers_for(url)
    assert hub.headers_for("https://HUB.example:443/b")["Authorization"] == "Bearer secret"


def test_a_token_is_shown_by_no_text_and_no_error():
    assert "secret" not in repr(Hub("https://hub.example", "secret"))
    with pytest.raises(InvalidRequest) as told:
        Hub("https://hub.example", "secret\nHost: evil")
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    "endpoint",
    ["", "hub.example", "ftp://hub.example", "https://", "https://me:pw@hub.example", "https://h/?q=1", "https://hüb"],
)
def test_a_hub_is_an_address_of_the_web_without_a_user(endpoint):
    with pytest.raises(InvalidRequest):
        Hub(endpoint)


# redirections


def test_a_redirection_does_not_give_up_encryption():
    here = "https://hub.example/a"

    assert redirection(here, {"location": "/b?x=1"}) == "https://hub.example/b?x=1"
    assert redirection(here, {"location": "//cdn.example/b"}) == "https://cdn.example/b"
    for place in (
        "http://cdn.example/b",
        "ftp://cdn.example/b",
        "file:///etc/passwd",
        "javascript:x",
        "",
        "https://a b/",
    ):
        with pytest.raises(HubAnswerUnusable):
            redirection(here, {"location": place})
    with pytest.raises(HubAnswerUnusable):
        redirection(here, {"location": "https://me:pw@cdn.example/b"})


def test_what_is_shown_of_an_address_has_no_signature_and_no_password():
    assert without_secrets("https://me:pw@cdn.example/a/b?Signature=x#y") == "https://cdn.example/a/b"


def test_a_chain_of_redirections_is_followed_but_not_for_ever(trial):
    trial.hub.add(REPO, FILES)
    link = f"{trial.hub.cdn_url}/{REPO}/{'a' * 40}/w.safetensors?generation=0"
    trial.hub.faults.append(Fault(status=307, headers={"Location": link}, times=3))

    trial.run("w.safetensors", connections=1)
    trial.hub.faults.append(Fault(status=307, headers={"Location": link}, times=6))
    (trial.folder / "w.safetensors").unlink()
    trial.run("w.safetensors", connections=1)

    stalled = [p.error.code for p in trial.told if p.state is TransferState.STALLED]
    assert set(stalled) == {"HubAnswerUnusable"}
    assert trial.content("w.safetensors") == WEIGHTS


@pytest.mark.parametrize(
    "answer",
    [
        {"without": ("X-Repo-Commit",)},
        {"headers": {"X-Linked-Etag": '"no digest"'}},
        {"headers": {"X-Linked-Size": "-5"}},
        {"headers": {"X-Linked-Size": "1e9"}},
        {"headers": {"Location": "gopher://x/y"}},
    ],
)
def test_an_answer_no_hub_gives_is_named_and_asked_for_again(trial, answer):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(Fault(origin="hub", method="HEAD", times=2, **answer))

    trial.run("w.safetensors")

    assert {p.error.code for p in trial.told if p.state is TransferState.STALLED} == {"HubAnswerUnusable"}
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_hub_that_is_not_there_is_asked_until_it_is(trial):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        transfer = trial.transfer("w.safetensors", endpoint=f"http://127.0.0.1:{taken.getsockname()[1]}")

        def watch(progress):
            trial.watch(progress)
            if len([p for p in trial.told if p.state is TransferState.STALLED]) == 4:
                transfer.pause()

        progress = transfer.run(watch)

    assert progress.state is TransferState.PAUSED
    assert {p.error.code for p in trial.told if p.state is TransferState.STALLED} == {"HubUnreachable"}


# encryption


def test_everything_works_over_tls_and_a_pause_ends_a_silent_connection_there(tmp_path):
    with FakeHub(tls=True) as hub:
        hub.add(REPO, FILES, gated=True, readers={"secret"})
        hub.faults.append(Fault(hang_after=50_000, times=4))
        trial = Trial(hub, tmp_path / "model", network=Network(tls=trusting()))
        transfer, asked_at = trial.transfer(*FILES, token="secret"), []

        def watch(progress):
            if not asked_at and progress.done_bytes > 100_000:
                asked_at.append(time.monotonic())
                transfer.pause()

        paused = transfer.run(watch)
        took_s = time.monotonic() - asked_at[0]
        hub.faults.clear()
        trial.run(*FILES, token="secret")

    assert paused.state is TransferState.PAUSED
    assert took_s < 5
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_certificate_nobody_vouches_for_is_refused_and_said(tmp_path):
    with FakeHub(tls=True) as hub:
        hub.add(REPO, FILES)
        network = Network()
        with network.line(time.monotonic) as line, pytest.raises(HubUnreachable) as told:
            resolve(line, Hub(hub.url), REPO, "main", "w.safetensors")

    assert "certificate" in told.value.reason.lower()
    assert hub.requests == []


# the switch


def test_offline_no_socket_is_opened_and_no_name_looked_up(trial, monkeypatch):
    trial.hub.add(REPO, FILES)
    trial.network.switch(offline=True)
    asked = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: asked.append(a))
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: asked.append(a))

    progress = trial.run(*FILES)

    assert asked == []
    assert trial.hub.requests == []
    assert progress.state is TransferState.PAUSED
    assert (progress.error.code, progress.error.field("host")) == ("NetworkSwitchedOff", "127.0.0.1")


def test_switched_off_meanwhile_a_transfer_pauses_and_goes_on_when_switched_on(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    transfer = trial.transfer("w.safetensors")

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > 100_000:
            trial.network.switch(offline=True)

    paused = transfer.run(watch)
    trial.hub.faults.clear()
    n_requests = len(trial.hub.requests)
    again = transfer.run()
    assert len(trial.hub.requests) == n_requests
    trial.network.switch(offline=False)

    assert paused.state is again.state is TransferState.PAUSED
    assert paused.error.code == "NetworkSwitchedOff"
    assert transfer.run(trial.watch).state is TransferState.READY


def test_an_open_connection_is_of_no_use_once_switched_off(hub):
    hub.add(REPO, FILES)
    network = Network()
    with network.line(time.monotonic) as line:
        resolve(line, Hub(hub.url), REPO, "main", "w.safetensors")
        network.switch(offline=True)

        with pytest.raises(NetworkSwitchedOff):
            resolve(line, Hub(hub.url), REPO, "main", "w.safetensors")

    assert len(hub.requests) == 1


def test_the_switch_ends_what_a_line_is_waiting_for(hub):
    hub.add(REPO, FILES)
    hub.faults.append(Fault(origin="hub", method="HEAD", first_byte_s=30))
    network, told = Network(), []

    def ask(line):
        try:
            resolve(line, Hub(hub.url), REPO, "main", "w.safetensors")
        except NetworkSwitchedOff as error:
            told.append(error)

    with network.line(time.monotonic) as line:
        thread = threading.Thread(target=ask, args=(line,))
        thread.start()
        while not hub.requests or line.waiting_s() is None:
            time.sleep(0.01)
        network.switch(offline=True)
        thread.join(5)

    assert not thread.is_alive()
    assert [error.host for error in told] == ["127.0.0.1"]


# lines


def test_a_line_tells_how_long_it_waits_and_why_it_was_cut(hub):
    hub.add(REPO, FILES)
    hub.faults.append(Fault(origin="hub", method="HEAD", first_byte_s=30))
    network, told = Network(), []

    def ask(line):
        try:
            resolve(line, Hub(hub.url), REPO, "main", "w.safetensors")
        except TransferStalled as error:
            told.append(error)

    with network.line(time.monotonic) as line:
        thread = threading.Thread(target=ask, args=(line,))
        thread.start()
        while not hub.requests or (line.waiting_s() or 0) < 0.05:
            time.sleep(0.01)
        line.cut(31.4)
        thread.join(5)

        assert not thread.is_alive()
        assert line.waiting_s() is None
    assert (told[0].host, told[0].silent_s) == ("127.0.0.1", 31)


# what is read at once


class Pieces:
    """A stream that has these pieces to give at once, and an error or an end after them."""

    def __init__(self, pieces: list[bytes], end: Exception | None = None) -> None:
        self.pieces, self.end = pieces, end
        self.socket = socket.socket()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self.pieces:
            piece = self.pieces.pop(0)
            if len(piece) > max_bytes:
                self.pieces.insert(0, piece[max_bytes:])
            return piece[:max_bytes]
        if self.end is not None:
            raise self.end
        return b""

    def get_extra_info(self, info: str) -> object:
        return self.socket if info == "socket" else True


@pytest.mark.parametrize("end", [None, httpcore2.ReadError("reset"), httpcore2.ReadTimeout("late")])
def test_what_has_come_is_read_in_one_piece_and_an_error_after_it_loses_none_of_it(end):
    records = [bytes([n]) * 1000 for n in range(5)]
    with Network().line(time.monotonic) as line:
        stream = line_module._WatchedStream(Pieces(list(records), end), line)

        data = stream.read(100, 1.0)

        assert data == b"".join(records)
        if end is None:
            assert stream.read(100, 1.0) == b""
        else:
            with pytest.raises(type(end)):
                stream.read(100, 1.0)


def test_no_more_is_read_at_once_than_a_kill_may_cost(monkeypatch):
    monkeypatch.setattr(line_module, "READ_BYTES", 2500)
    with Network().line(time.monotonic) as line:
        stream = line_module._WatchedStream(Pieces([b"x" * 1000] * 9), line)

        read = [stream.read(100, 1.0) for _ in range(5)]

    assert [len(data) for data in read] == [2500, 2500, 2500, 1500, 0]
