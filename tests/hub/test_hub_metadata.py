"""What is asked of the hub, what its answers become, and that nothing leaves but by our own line."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.catalog_reports import HubSearch
from engine.errors import (
    HubAccessDenied,
    HubAnswerUnusable,
    HubBusy,
    HubUnreachable,
    InvalidRequest,
    NetworkSwitchedOff,
    NotOnHub,
)
from engine.hub import hub_client
from engine.hub.catalog import read_catalog
from engine.hub.hub_client import SETTINGS, asking
from engine.hub.hub_metadata import HubMetadata
from engine.hub.repository import Reference, request_of
from engine.hub.transfer import line as line_module
from engine.hub.transfer.line import Network
from engine.hub.transfer.resolving import Hub
from tests.hub.hub_with_api import HubWithApi
from tests.hub.transfer.fake_hub import Fault, git_sha1, sha256

ROOT = Path(__file__).resolve().parents[2]
CATALOG = read_catalog()
ONLINE = Network()  # one for all, since it reads the system's certificates
FILES = {"config.json": b"{}", "model.safetensors": b"weights", "tokenizer.json": b"[]", "code.py": b"pass"}


@pytest.fixture
def hub() -> Iterator[HubWithApi]:
    with HubWithApi() as hub:
        yield hub


def metadata(hub: HubWithApi, *, token: str = "", network: Network | None = None, endpoint: str = "") -> HubMetadata:
    return HubMetadata(Hub(endpoint or hub.url, token), network or ONLINE, catalog=CATALOG)


# answers


def test_a_repository_comes_with_its_commit_its_files_and_what_of_them_is_wanted(hub):
    hub.add("org/m", FILES)
    hub.describe(
        "org/m", downloads=12, likes=3, tags=["region:us", "license:mit"], lastModified="2026-01-02T03:04:05.000Z",
        safetensors={"parameters": {"F32": 7}, "total": 7}, cardData={"license": "apache-2.0"}, gated="auto",
    )  # fmt: skip

    found = metadata(hub).repository(Reference("org/m"))

    assert (found.asked, found.commit, found.weights, found.error, found.entry) == (
        "org/m", "a" * 40, "safetensors", None, None
    )  # fmt: skip
    model = found.model
    assert (model.repo, model.downloads, model.likes, model.updated) == ("org/m", 12, 3, "2026-01-02")
    assert (model.gated, model.is_private, model.licence, model.n_parameters) == ("auto", False, "apache-2.0", 7)
    by_path = {file.path: file for file in found.files}
    assert by_path["model.safetensors"].sha256 == sha256(b"weights")
    assert by_path["model.safetensors"].git_sha1 == ""
    assert (by_path["config.json"].sha256, by_path["config.json"].git_sha1) == ("", git_sha1(b"{}"))
    assert by_path["code.py"].left_out == "code"
    assert found.download_bytes == 2 + 7 + 2


def test_what_is_wanted_is_a_transfer_held_to_the_listing(hub):
    hub.add("org/m", FILES)

    request = request_of(metadata(hub).repository(Reference("org/m")))

    assert (request.repo, request.revision, request.pins_commit) == ("org/m", "a" * 40, True)
    assert {(f.path, f.size_bytes, f.sha256) for f in request.files} == {
        ("config.json", 2, ""), ("model.safetensors", 7, sha256(b"weights")), ("tokenizer.json", 2, ""),
    }  # fmt: skip


def test_a_repository_that_was_renamed_is_found_by_its_old_name(hub):
    hub.add("Tiiny/SparseQwen2-7B", FILES)
    hub.renamed["PowerInfer/SparseQwen2-7B"] = "Tiiny/SparseQwen2-7B"

    found = metadata(hub).repository(Reference("PowerInfer/SparseQwen2-7B"))

    assert (found.asked, found.model.repo) == ("PowerInfer/SparseQwen2-7B", "Tiiny/SparseQwen2-7B")
    assert found.entry is not None
    assert found.entry.name == "SparseQwen2 7B"


def test_a_listing_of_several_pages_is_read_to_its_end(hub):
    hub.page_size = 2
    hub.add("org/m", {**FILES, **{f"extra/{n}.txt": b"x" for n in range(5)}})

    assert len(metadata(hub).repository(Reference("org/m")).files) == len(FILES) + 5


def test_one_without_weights_is_shown_with_its_error(hub):
    hub.add("org/m", {"README.md": b"nothing"})

    found = metadata(hub).repository(Reference("org/m"))

    assert found.error is not None
    assert found.error.code == "ForeignFile"
    with pytest.raises(InvalidRequest):
        request_of(found)


def test_a_search_asks_by_text_tag_and_organisation(hub):
    for name, downloads, tags in (
        ("a/relu-1", 5, ["x"]),
        ("a/relu-2", 9, []),
        ("b/relu-3", 1, ["x"]),
        ("a/silu", 7, []),
    ):
        hub.add(name, {})
        hub.describe(name, downloads=downloads, tags=tags)

    def names(**wanted):
        return [model.repo for model in metadata(hub).search(HubSearch(**wanted))]

    assert names(text="relu") == ["a/relu-2", "a/relu-1", "b/relu-3"]
    assert names(text="relu", owner="a") == ["a/relu-2", "a/relu-1"]
    assert names(tag="x") == ["a/relu-1", "b/relu-3"]
    assert names(owner="a", limit=1) == ["a/relu-2"]


def test_a_search_without_anything_to_look_for_is_refused():
    for wanted in ({}, {"text": " "}, {"text": "x", "limit": 0}, {"text": "x\n"}, {"owner": "y" * 300}):
        with pytest.raises(InvalidRequest):
            HubSearch(**wanted)


# refusals


def test_what_is_not_there_or_hidden_is_told_with_its_name(hub):
    hub.add("org/private", FILES, private=True, readers={"good"})

    for repo, revision, token in (("org/none", "", ""), ("org/private", "", ""), ("org/private", "", "bad")):
        with pytest.raises(NotOnHub) as told:
            metadata(hub, token=token).repository(Reference(repo, revision))
        assert told.value.repo == repo
    assert metadata(hub, token="good").repository(Reference("org/private")).model.is_private
    hub.add("org/m", FILES)
    with pytest.raises(NotOnHub) as told:
        metadata(hub).repository(Reference("org/m", "v9"))
    assert (told.value.repo, told.value.revision) == ("org/m", "v9")


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_hub_that_asks_to_come_later_is_not_waited_for(hub, status):
    hub.add("org/m", FILES)
    hub.faults.append(Fault(origin="hub", path="/api/", status=status, times=-1, headers={"Retry-After": "60"}))

    with pytest.raises(HubBusy) as told:
        metadata(hub).repository(Reference("org/m"))

    assert told.value.status == status
    assert len(hub.requests) == 1


def test_what_a_hub_asked_to_be_left_alone_with_is_not_asked_before_its_time(hub):
    hub.add("org/m", FILES)
    hub.add("org/other", FILES)
    hub.faults.append(Fault(origin="hub", path="/api/models/org/m", status=503, headers={"Retry-After": "60"}))
    now, network = [1000.0], Network()

    def ask(repo: str) -> str:
        return HubMetadata(Hub(hub.url), network, clock=lambda: now[0]).repository(Reference(repo)).commit

    with pytest.raises(HubBusy) as first:
        ask("org/m")
    now[0] += 20.5
    with pytest.raises(HubBusy) as second:
        ask("org/m")
    n_asked = len(hub.requests)
    others = ask("org/other")
    now[0] += 39.5

    assert (first.value.wait_s, second.value.wait_s) == (60, 40)
    assert n_asked == 1
    assert ask("org/m") == others


def test_a_hub_that_limits_requests_is_left_alone_altogether_but_not_for_ever(hub):
    hub.add("org/m", FILES)
    hub.faults.append(Fault(origin="hub", path="/api/", status=429, headers={"Retry-After": "99999999"}))
    now, network = [1000.0], Network()

    def ask() -> tuple:
        return HubMetadata(Hub(hub.url), network, clock=lambda: now[0]).search(HubSearch("m"))

    with pytest.raises(HubBusy):
        HubMetadata(Hub(hub.url), network, clock=lambda: now[0]).repository(Reference("org/m"))
    with pytest.raises(HubBusy) as told:
        ask()
    now[0] += 3601

    assert told.value.wait_s == 3600
    assert len(ask()) == 1


def test_a_listing_that_never_ends_is_left_after_so_many_pages(hub, monkeypatch):
    monkeypatch.setattr(hub_client, "_PAUSE_S", 0.0)
    monkeypatch.setattr(hub_client, "MAX_REQUESTS", 9)
    hub.add("org/m", FILES)
    again = {"Content-Type": "application/json", "Link": f'<{hub.url}/api/models/org/m/tree/x>; rel="next"'}
    hub.instead["/tree/"] = (200, again, b"[]")

    with pytest.raises(HubAnswerUnusable) as told:
        metadata(hub).repository(Reference("org/m"))

    assert told.value.what == "the number of pages"
    assert len(hub.requests) == 9


def test_many_pages_are_not_asked_for_in_haste(hub, monkeypatch):
    waited = []
    monkeypatch.setattr(hub_client, "time", SimpleNamespace(sleep=waited.append))
    monkeypatch.setattr(hub_client, "_SWIFT_REQUESTS", 3)
    hub.add("org/m", {**FILES, **{f"{n}.json": b"{}" for n in range(10)}})
    hub.page_size = 1

    found = metadata(hub).repository(Reference("org/m"))

    assert len(found.files) == 10 + len(FILES)
    assert len(waited) == len(hub.requests) - 3
    assert min(waited) >= 0.1


def test_a_token_that_may_not_is_denied_in_the_hubs_words(hub):
    hub.instead["/api/models/org/m/"] = (403, {"X-Error-Message": "Your token lacks\x07 a right"}, b"")

    with pytest.raises(HubAccessDenied) as told:
        metadata(hub, token="weak").repository(Reference("org/m"))

    assert (told.value.repo, told.value.status) == ("org/m", 403)
    assert "lacks" in told.value.reason
    assert told.value.reason.isprintable()


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html>sign in</html>", b"[]", b"null", b"{}", b"7", b'{"id": 7, "sha": "x"}',
        json.dumps({"id": "org/m", "sha": "main"}).encode(),
        json.dumps({"id": "org/m", "sha": None}).encode(),
        json.dumps({"id": "../../x", "sha": "a" * 40}).encode(),
        json.dumps({"id": "org/m", "sha": "a" * 40, "lastModified": 7}).encode(),
        json.dumps({"id": "org/m", "sha": "a" * 40, "safetensors": {"total": "many"}}).encode(),
        json.dumps({"id": "org/m", "sha": "a" * 40, "siblings": 7}).encode(),
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_description_that_no_hub_gives_is_refused(hub, body):
    hub.add("org/m", FILES)
    hub.instead["/revision/"] = (200, {}, body)

    with pytest.raises(HubAnswerUnusable) as told:
        metadata(hub).repository(Reference("org/m"))

    assert told.value.host == "127.0.0.1"
    assert told.value.found.isprintable()


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "file", "path": 7, "size": 1, "oid": "a" * 40},
        {"type": "file", "path": "x", "size": -1, "oid": "a" * 40},
        {"type": "file", "path": "x", "size": 1 << 60, "oid": "a" * 40},
        {"type": "file", "path": "x", "size": True, "oid": "a" * 40},
        {"type": "file", "path": "x", "size": "1", "oid": "a" * 40},
        {"type": "file", "path": "x", "size": 1, "oid": "short"},
        {"type": "file", "path": "x", "size": 1},
        {"type": "file", "path": "x", "size": 1, "oid": "a" * 40, "lfs": {"oid": "b", "size": 1, "pointerSize": 1}},
        {
            "type": "file",
            "path": "x",
            "size": 1,
            "oid": "a" * 40,
            "lfs": {"oid": "b" * 64, "size": -4, "pointerSize": 1},
        },
        "x",
    ],
)
def test_a_listing_that_no_hub_gives_is_refused(hub, entry):
    hub.add("org/m", FILES)
    hub.instead["/tree/"] = (200, {}, json.dumps([entry]).encode())

    with pytest.raises(HubAnswerUnusable):
        metadata(hub).repository(Reference("org/m"))


def test_texts_of_a_stranger_are_made_fit_to_be_shown(hub):
    hub.add("org/m", FILES)
    hub.describe("org/m", tags=["a\x1b[31mb", 7, "x" * 5000], cardData={"license": ["mit"]}, downloads="many", likes=-1)

    model = metadata(hub).repository(Reference("org/m")).model

    assert all(tag.isprintable() and len(tag) <= 300 for tag in model.tags)
    assert (model.downloads, model.likes, model.licence) == (0, 0, "")


def test_an_answer_without_an_end_is_cut_off(hub, monkeypatch):
    monkeypatch.setattr("engine.hub.hub_client.MAX_ANSWER_BYTES", 1000)
    hub.instead["/revision/"] = (200, {}, b" " * 5000)

    with pytest.raises(HubAnswerUnusable) as told:
        metadata(hub).repository(Reference("org/m"))

    assert told.value.what == "the length"


# the way there


def test_the_token_goes_to_the_hubs_own_origin_only_wherever_an_answer_points(hub):
    hub.add("org/m", {**FILES, **{f"extra/{n}": b"x" for n in range(5)}})
    hub.page_size, hub.next_page_at = 2, hub.cdn_url

    with pytest.raises(HubAnswerUnusable) as told:
        metadata(hub, token="secret").repository(Reference("org/m"))

    assert "secret" not in str(told.value)
    assert hub.seen("cdn") == []
    assert {request.headers.get("authorization") for request in hub.seen("hub")} == {"Bearer secret"}


def test_a_redirection_to_another_origin_is_not_followed(hub):
    hub.instead["/revision/"] = (302, {"Location": f"{hub.cdn_url}/api/models/org/m"}, b"")

    with pytest.raises(HubAnswerUnusable):
        metadata(hub, token="secret").repository(Reference("org/m"))

    assert hub.seen("cdn") == []


def test_no_token_is_sent_where_none_was_given_whatever_lies_on_this_machine(hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_left_behind")
    hub.add("org/m", FILES)

    metadata(hub).repository(Reference("org/m"))
    metadata(hub).search(HubSearch("m"))

    assert {request.headers.get("authorization") for request in hub.requests} == {None}


def test_while_the_switch_is_off_no_socket_is_opened(hub, monkeypatch):
    hub.add("org/m", FILES)
    opened = []
    monkeypatch.setattr(socket.socket, "connect", lambda *place: opened.append(place))
    network = Network(offline=True)

    for ask in (lambda m: m.repository(Reference("org/m")), lambda m: m.search(HubSearch("m"))):
        with pytest.raises(NetworkSwitchedOff):
            ask(metadata(hub, network=network))

    assert opened == []
    assert hub.requests == []


def test_every_socket_is_the_lines(hub, monkeypatch):
    hub.add("org/m", FILES)
    by_line = []
    opened = line_module.Line._opened

    def note(line, stream):
        by_line.append(stream)
        return opened(line, stream)

    monkeypatch.setattr(line_module.Line, "_opened", note)
    connections = []
    connect = socket.create_connection
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: connections.append(a) or connect(*a, **k))

    metadata(hub).repository(Reference("org/m"))

    assert len(connections) == len(by_line) > 0


def test_between_questions_the_library_cannot_reach_anything(hub):
    import huggingface_hub

    hub.add("org/m", FILES)
    network = Network()
    with network.line(lambda: 0.0) as line, asking(line, Hub(hub.url), "org/m", "main") as api:
        api.model_info("org/m", revision="main")
    n_requests = len(hub.requests)

    with pytest.raises(Exception, match="no question is being asked"):
        huggingface_hub.HfApi(endpoint=hub.url, token=False).model_info("org/m")

    assert len(hub.requests) == n_requests


def test_a_server_that_is_not_there_is_unreachable(hub):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    with pytest.raises(HubUnreachable):
        metadata(hub, endpoint=f"http://127.0.0.1:{port}").repository(Reference("org/m"))


def test_a_question_can_be_cut_by_another_thread(hub):
    import threading

    hub.add("org/m", FILES)
    hub.faults.append(Fault(origin="hub", path="/api/", hang_after=0))
    asked = metadata(hub)
    threading.Timer(0.2, asked.cut).start()

    with pytest.raises(HubUnreachable):
        asked.repository(Reference("org/m"))


def test_the_libraries_settings_are_there_before_it_is_imported():
    code = (
        "import os, sys\n"
        "import engine.hub.hub_metadata, engine.hub.hub_client as c\n"
        "assert 'huggingface_hub' not in sys.modules\n"
        "from engine.hub.transfer.line import Network\n"
        "from engine.hub.transfer.resolving import Hub\n"
        "network = Network()\n"
        "with network.line(lambda: 0.0) as line, c.asking(line, Hub('http://127.0.0.1:9'), '', ''): pass\n"
        "import huggingface_hub.constants as k\n"
        "print(k.HF_HUB_DISABLE_XET, k.HF_HUB_DISABLE_TELEMETRY, k.HF_HUB_DISABLE_IMPLICIT_TOKEN)\n"
    )

    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert answer.stdout.split() == ["True", "True", "True"], answer.stderr
    assert set(SETTINGS.values()) == {"1"}


def test_the_engines_log_does_not_say_what_was_searched_for(hub, tmp_path):
    log = tmp_path / "engine.log"
    code = (
        "import logging, sys\n"
        "from engine.catalog_reports import HubSearch\n"
        "from engine.host import _open_log\n"
        "from engine.hub.hub_metadata import HubMetadata\n"
        "from engine.hub.transfer.line import Network\n"
        "from engine.hub.transfer.resolving import Hub\n"
        "_open_log(sys.argv[1])\n"
        "logging.getLogger('engine.host').info('the engine tells')\n"
        "HubMetadata(Hub(sys.argv[2]), Network()).search(HubSearch(text='privatewish'))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(log), hub.url], cwd=ROOT, capture_output=True, text=True, timeout=60
    )

    said = log.read_text(encoding="utf-8")
    assert done.returncode == 0, said
    assert [seen for seen in hub.requests if seen.path == "/api/models"]
    assert "the engine tells" in said
    assert "privatewish" not in said
    assert "api/models" not in said
