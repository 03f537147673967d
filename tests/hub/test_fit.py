"""Whether a model fits is told from its headers, and what is told is what packing and loading then do."""

import json
from collections.abc import Iterator

import pytest

from engine.catalog_reports import FitReport, HubRepository
from engine.errors import (
    DownloadMismatch,
    HubAnswerUnusable,
    HubBusy,
    InvalidRequest,
    LicenceNotAccepted,
    NetworkSwitchedOff,
)
from engine.fit import SPARE_DISK_BYTES, FitQuestion, check_fit
from engine.hub.catalog import read_catalog
from engine.hub.hub_metadata import HubMetadata
from engine.hub.remote_headers import open_remote
from engine.hub.repository import Reference
from engine.hub.transfer.line import Network
from engine.hub.transfer.resolving import Hub
from engine.hub_lane import look_into
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.hub_checkpoint import HubCheckpoint
from engine.model.pack import pack
from engine.placement.budget import CardMemory
from engine.placement_reports import MachineSpeeds, ThreadRate
from engine.runtime.loader import memory_need
from tests.golden.families import GOLDEN, REFUSED, Golden, golden
from tests.hub.hub_with_api import HubWithApi
from tests.hub.transfer.fake_hub import Fault
from tests.tiny_model import write_gguf

MUCH = 1 << 50
CATALOG = read_catalog()
ONLINE = Network()  # one for all, since it reads the system's certificates
SPEEDS = MachineSpeeds((ThreadRate(1, 9e9), ThreadRate(2, 15e9)), "", 0.0, 0.0, 0.0, 0.0, 0.0, "2026-01-01", 1.0)
WITH_CARD = MachineSpeeds((ThreadRate(2, 15e9),), "GPU-1", 4e11, 2e10, 2e10, 5e-6, 2e-5, "2026-01-01", 1.0)


@pytest.fixture
def hub() -> Iterator[HubWithApi]:
    with HubWithApi() as hub:
        yield hub


def look_up(hub: HubWithApi, repo: str) -> HubRepository:
    return HubMetadata(Hub(hub.url), ONLINE, catalog=CATALOG).repository(Reference(repo))


def put(hub: HubWithApi, row: Golden, **facts) -> HubRepository:
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()}, **facts)
    return look_up(hub, row.repository)


def ask(
    hub: HubWithApi, repository: HubRepository, token: str = "", network: Network | None = None, **question
) -> FitReport:
    known = {"disk_free_bytes": MUCH, "memory_free_bytes": MUCH, **question}
    return check_fit(
        repository, lambda: open_remote(repository, Hub(hub.url, token), network or ONLINE), FitQuestion(**known)
    )


# what is told is what happens


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row.folder)
def test_the_predicted_sizes_are_those_of_packing_and_loading(hub, tmp_path, row):
    repository = put(hub, row)
    report = ask(hub, repository, source="from here")
    folder = tmp_path / "m"
    folder.mkdir()
    files = hub.repos[row.repository].commits[repository.commit]
    for file in repository.wanted:
        (folder / file.path).write_bytes(files[file.path])

    with HubCheckpoint(folder, repository=row.repository) as checkpoint:
        packed = pack(
            checkpoint, tmp_path / "m.ember", report.weight_format, source="from here", note="",
            on_step=lambda done, total: None,
        )  # fmt: skip

    assert (report.verdict, report.basis, report.error) == ("fits", "headers", None)
    assert report.download_bytes == sum(path.stat().st_size for path in folder.iterdir())
    assert report.packed_bytes == packed.path.stat().st_size
    assert report.disk_bytes == report.download_bytes + report.packed_bytes
    need = memory_need(packed.config, report.weight_format, None)
    assert (report.memory_bytes, report.cache_bytes) == (need.total_bytes, need.cache_bytes)
    assert (report.family, report.feed_forward) == (packed.config.family, packed.config.feed_forward)
    assert report.n_parameters == packed.config.n_parameters


@pytest.mark.parametrize("weight_format", ["", "f32"])
def test_the_look_before_a_download_tells_the_size_that_the_verdict_counts(hub, weight_format):
    repository = put(hub, golden("reglu"))

    told = look_into(
        repository, Hub(hub.url), ONLINE, on_file=lambda done, total: None, on_line=lambda line: None,
        weight_format=weight_format,
    )  # fmt: skip

    assert told == ask(hub, repository, weight_format=weight_format).packed_bytes


@pytest.mark.parametrize("weight_format", ["mixed", "int4", "f32"])
def test_the_predicted_size_holds_in_every_format(hub, tmp_path, weight_format):
    row = golden("minicpm-s")
    report = ask(hub, put(hub, row), weight_format=weight_format)

    with HubCheckpoint(row.path, repository=row.repository) as checkpoint:
        packed = pack(
            checkpoint, tmp_path / "m.ember", weight_format, source="", note="", on_step=lambda done, total: None
        )

    assert report.packed_bytes == packed.path.stat().st_size


def test_of_large_weights_only_the_headers_are_fetched(hub):
    row = golden("reglu")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    files = hub.repos[row.repository].commits["a" * 40]
    data = files["model.safetensors"]
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    # a matrix that the model does not have: refused at the end, after everything was looked at
    end = max(values["data_offsets"][1] for values in header.values() if "data_offsets" in values)
    header["extra.weight"] = {"dtype": "F16", "shape": [16 << 20], "data_offsets": [end, end + (32 << 20)]}
    text = json.dumps(header).encode()
    files["model.safetensors"] = len(text).to_bytes(8, "little") + text + bytes(end + (32 << 20))

    report = ask(hub, look_up(hub, row.repository))

    assert (report.verdict, report.error.code) == ("unsupported", "UnsupportedModel")
    assert report.error.field("found") == "extra.weight"
    assert sum(request.sent_bytes for request in hub.seen("cdn")) < 1 << 20


@pytest.mark.parametrize("folder", ["opt-125m", "relu-llama-7b"])
def test_of_torch_files_only_the_ends_are_asked_for(hub, folder):
    row = golden(folder)

    report = ask(hub, put(hub, row))

    assert report.verdict == "fits"
    assert all(request.range is not None for request in hub.seen("cdn"))


# refusals


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.folder)
def test_what_loading_would_refuse_is_refused_before_the_download_in_the_same_words(hub, row):
    files = {path.name: path.read_bytes() for path in row.path.iterdir()}
    hub.add(row.repository, {**files, "model.safetensors": b"\0" * 100})
    try:
        HubCheckpoint(row.path, repository=row.repository)
    except Exception as error:
        expected = error.report()

    report = ask(hub, look_up(hub, row.repository))

    assert (report.verdict, report.error.code) == ("unsupported", expected.code)
    assert (report.error.field("what"), report.error.field("found")) == (
        expected.field("what"), expected.field("found"),
    )  # fmt: skip
    assert str(report.error.field("path")).startswith(row.repository)
    assert hub.seen("cdn") == []


def test_a_repository_without_weights_is_unsupported_and_nothing_is_fetched(hub):
    hub.add("org/m", {"README.md": b"x"})
    repository = look_up(hub, "org/m")
    n_requests = len(hub.requests)

    report = ask(hub, repository)

    assert (report.verdict, report.error.code) == ("unsupported", "ForeignFile")
    assert len(hub.requests) == n_requests


def with_header(header: bytes, length: int | None = None, size: int = 4096) -> bytes:
    length = len(header) if length is None else length
    return (length.to_bytes(8, "little") + header).ljust(size, b"\0")


@pytest.mark.parametrize(
    "weights",
    [
        b"", b"\0", b"\0" * 4096, b"<html>",
        with_header(b"{}", 1 << 62),
        with_header(b'{"a": 1}'),
        with_header(b"[" * 3000),
        with_header(b'{"a": {"dtype": "F32", "shape": [1099511627776], "data_offsets": [0, 4398046511104]}}'),
        with_header(b'{"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, -4]}}'),
        with_header(b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}'),
        with_header(b'{"../a\\u0000": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_hostile_header_is_a_refusal(hub, weights):
    row = golden("reglu")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    hub.repos[row.repository].commits["a" * 40]["model.safetensors"] = weights

    report = ask(hub, look_up(hub, row.repository))

    assert report.verdict == "unsupported"
    assert report.error.code in ("DamagedFile", "ForeignFile", "UnsupportedModel")
    assert "/tmp" not in str(report.error)


@pytest.mark.parametrize("weights", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\xff" * 18, b"\0" * 9999])
def test_a_hostile_torch_file_is_a_refusal(hub, weights):
    row = golden("opt-125m")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    hub.repos[row.repository].commits["a" * 40]["pytorch_model.bin"] = weights

    report = ask(hub, look_up(hub, row.repository))

    assert (report.verdict, report.error.code) in {("unsupported", "DamagedFile"), ("unsupported", "ForeignFile")}


def test_code_in_a_torch_file_is_a_refusal_and_is_not_run(hub, tmp_path):
    import os
    import pickle
    import zipfile

    class Bad:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "ran"),)

    row = golden("opt-125m")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({"a": Bad()}, protocol=2))
    hub.repos[row.repository].commits["a" * 40]["pytorch_model.bin"] = (tmp_path / "x.zip").read_bytes()

    report = ask(hub, look_up(hub, row.repository))

    assert (report.verdict, report.error.code) == ("unsupported", "UnsupportedModel")
    assert not (tmp_path / "ran").exists()


def test_an_index_that_names_another_file_is_a_refusal(hub):
    row = golden("mistral")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    files = hub.repos[row.repository].commits["a" * 40]
    index = json.loads(files["model.safetensors.index.json"])
    first = next(iter(index["weight_map"]))
    index["weight_map"][first] = "../../etc/passwd"
    files["model.safetensors.index.json"] = json.dumps(index).encode()

    report = ask(hub, look_up(hub, row.repository))

    assert (report.verdict, report.error.code) == ("unsupported", "DamagedFile")


def test_too_large_a_small_file_is_not_taken_in(hub, monkeypatch):
    monkeypatch.setattr("engine.hub.remote_files.MAX_TEXT_BYTES", 500)

    report = ask(hub, put(hub, golden("reglu")))

    assert (report.verdict, report.error.code) == ("unsupported", "ForeignFile")


# what stands in the way of looking is no verdict


def test_a_gated_repository_is_not_judged_but_says_where_to_go(hub):
    repository = put(hub, golden("reglu"), gated=True, readers={"good"})

    with pytest.raises(LicenceNotAccepted) as told:
        ask(hub, repository)

    assert told.value.link.endswith("SparseLLM/reglu-95B")
    assert ask(hub, repository, token="good").verdict == "fits"
    assert {r.headers.get("authorization") for r in hub.seen("cdn")} == {None}


def test_while_the_switch_is_off_nothing_is_opened(hub):
    repository = put(hub, golden("reglu"))
    n_requests = len(hub.requests)

    with pytest.raises(NetworkSwitchedOff):
        ask(hub, repository, network=Network(offline=True))

    assert len(hub.requests) == n_requests


def test_a_small_file_that_is_not_what_the_listing_says_is_told(hub):
    repository = put(hub, golden("reglu"))
    hub.faults.append(Fault(origin="hub", path="config.json", flip_at=3, times=-1))

    with pytest.raises(DownloadMismatch):
        ask(hub, repository)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(path="model.safetensors", status=503, times=-1), HubBusy),
        (Fault(path="model.safetensors", status=404, times=-1), HubAnswerUnusable),
        (Fault(path="model.safetensors", headers={"Content-Range": "bytes 7-9/10"}, times=-1), HubAnswerUnusable),
        (Fault(path="model.safetensors", headers={"Content-Encoding": "br"}, times=-1), HubAnswerUnusable),
    ],
)
def test_a_server_that_does_not_answer_as_it_should_is_told(hub, fault, error):
    repository = put(hub, golden("reglu"))
    hub.faults.append(fault)

    with pytest.raises(error):
        ask(hub, repository)


def test_a_server_that_ignores_ranges_is_read_no_further_than_needed(hub):
    repository = put(hub, golden("reglu"))
    hub.faults.append(Fault(path="model.safetensors", ignore_range=True, times=-1))

    assert ask(hub, repository).verdict == "fits"


def test_a_torch_file_of_before_2020_is_not_known_before_it_is_here(hub):
    row = golden("opt-125m")
    hub.add(row.repository, {path.name: path.read_bytes() for path in row.path.iterdir()})
    hub.repos[row.repository].commits["a" * 40]["pytorch_model.bin"] = b"\x80\x02" + bytes(100)
    repository = look_up(hub, row.repository)

    assert ask(hub, repository).verdict == "unknown"
    told = ask(hub, repository, disk_free_bytes=1000)
    assert (told.verdict, told.basis, told.reasons[0].what) == ("does_not_fit", "sizes", "disk")


# GGUF


@pytest.mark.parametrize("powerinfer", [False, True])
@pytest.mark.parametrize("first", [1000, 1 << 20])
def test_a_gguf_file_is_known_from_its_beginning(hub, tmp_path, monkeypatch, powerinfer, first):
    monkeypatch.setattr("engine.hub.remote_headers.GGUF_BEGINNINGS", (first, 1 << 19, 1 << 21))
    path = write_gguf(tmp_path / "tiny.gguf", powerinfer=powerinfer)
    with GgufCheckpoint(path) as checkpoint:
        packed = pack(checkpoint, tmp_path / "m.ember", "int8", source="", note="", on_step=lambda done, total: None)
    hub.add("org/m", {"tiny.gguf": path.read_bytes()})

    report = ask(hub, look_up(hub, "org/m"), weight_format="int8")

    assert (report.verdict, report.basis) == ("fits", "headers")
    assert report.packed_bytes == packed.path.stat().st_size
    assert (report.family, report.feed_forward) == (packed.config.family, packed.config.feed_forward)


def test_of_a_large_gguf_file_only_the_beginning_is_fetched(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("engine.hub.remote_headers.GGUF_BEGINNINGS", (1000, 1 << 19))
    data = write_gguf(tmp_path / "tiny.gguf").read_bytes() + bytes(32 << 20)
    hub.add("org/m", {"tiny.gguf": data})

    assert ask(hub, look_up(hub, "org/m")).verdict == "fits"
    assert sum(request.sent_bytes for request in (*hub.seen("cdn"), *hub.seen("hub"))) < 1 << 20


@pytest.mark.parametrize(
    "data", [b"", b"GGUF", b"GGUF" + bytes(2000), b"GGUF\3\0\0\0" + b"\xff" * 2000, b"<html>" * 99]
)
def test_a_hostile_gguf_file_is_a_refusal(hub, monkeypatch, data):
    monkeypatch.setattr("engine.hub.remote_headers.GGUF_BEGINNINGS", (100, 1000))
    hub.add("org/m", {"m.gguf": data})

    report = ask(hub, look_up(hub, "org/m"))

    assert (report.verdict, report.error.code in ("DamagedFile", "ForeignFile", "UnsupportedModel")) == (
        "unsupported", True,
    )  # fmt: skip
    assert str(report.error.field("path")).startswith("org/m")


# verdicts


def test_a_drive_that_cannot_hold_download_and_packed_model_is_the_reason(hub):
    repository = put(hub, golden("reglu"))
    needed = ask(hub, repository).disk_bytes + SPARE_DISK_BYTES

    assert ask(hub, repository, disk_free_bytes=needed).verdict == "fits"
    told = ask(hub, repository, disk_free_bytes=needed - 1)
    assert told.verdict == "does_not_fit"
    assert [(r.what, r.needed_bytes, r.available_bytes) for r in told.reasons] == [("disk", needed, needed - 1)]


def test_memory_is_judged_as_loading_judges_it(hub):
    repository = put(hub, golden("reglu"))
    roomy = ask(hub, repository)
    with HubCheckpoint(golden("reglu").path) as checkpoint:
        need = memory_need(checkpoint.config, roomy.weight_format, None)

    assert ask(hub, repository, memory_free_bytes=need.total_bytes).verdict == "fits"
    slow = ask(hub, repository, memory_free_bytes=need.total_bytes - 1, speeds=SPEEDS)
    assert (slow.verdict, slow.reasons[0].what, slow.fastest) == ("from_disk", "memory", 0.0)
    beside = need.total_bytes - need.weight_bytes
    assert ask(hub, repository, memory_free_bytes=beside).verdict == "from_disk"
    told = ask(hub, repository, memory_free_bytes=beside - 1)
    assert (told.verdict, told.reasons[0].what) == ("does_not_fit", "cache")


def test_a_card_that_cannot_hold_all_of_it_asks_for_a_smaller_budget(hub):
    repository = put(hub, golden("reglu"))
    large = ask(hub, repository, card=CardMemory(24 << 30, 0, 0))

    assert large.verdict == "fits"
    assert large.card_bytes > 0
    small = ask(hub, repository, card=CardMemory(large.card_bytes - 1, 0, 0))
    assert (small.verdict, small.reasons[0].what, small.reasons[0].needed_bytes) == (
        "smaller_budget", "card", large.card_bytes,
    )  # fmt: skip
    assert ask(hub, repository).card_bytes == 0


def test_the_longest_context_that_fits_is_told(hub):
    repository = put(hub, golden("reglu"))
    all_of_it = ask(hub, repository)
    with HubCheckpoint(golden("reglu").path) as checkpoint:
        config = checkpoint.config

    assert all_of_it.fitting_context == all_of_it.longest_context == config.context_tokens
    for tokens in (64, 100, config.context_tokens - 1):
        free = memory_need(config, all_of_it.weight_format, tokens).total_bytes
        found = ask(hub, repository, memory_free_bytes=free).fitting_context
        assert memory_need(config, all_of_it.weight_format, found).total_bytes <= free
        assert memory_need(config, all_of_it.weight_format, found + 1).total_bytes > free
    assert ask(hub, repository, memory_free_bytes=1000).fitting_context == 0


def test_looking_can_be_stopped_between_any_two_pieces(hub):
    repository = put(hub, golden("reglu"))
    told = []

    class Stop(Exception):
        pass

    def stop(done, total):
        told.append((done, total))
        if len(told) == 5:
            raise Stop

    with pytest.raises(Stop):
        open_remote(repository, Hub(hub.url), ONLINE, on_file=stop)

    assert len(told) == 5
    assert all(0 <= done <= total for done, total in told)


def test_a_longer_context_takes_more_memory(hub):
    repository = put(hub, golden("reglu"))

    short, long = ask(hub, repository, context_tokens=64), ask(hub, repository, context_tokens=128)

    assert (short.context_tokens, long.context_tokens) == (64, 128)
    assert long.cache_bytes == 2 * short.cache_bytes


# speeds


def test_without_measured_speeds_none_is_predicted(hub):
    told = ask(hub, put(hub, golden("reglu")))

    assert (told.slowest, told.fastest, told.speed_basis) == (0.0, 0.0, "")


@pytest.mark.parametrize(("folder", "basis"), [("minicpm-s", "catalogue"), ("reglu", "bounds"), ("llama-2", "dense")])
def test_a_speed_is_a_range_that_says_what_was_known(hub, folder, basis):
    told = ask(hub, put(hub, golden(folder)), speeds=SPEEDS)

    assert told.speed_basis == basis
    assert 0 < told.slowest <= told.fastest
    assert (told.slowest == told.fastest) == (basis == "dense")


def test_a_faster_memory_and_a_card_are_predicted_to_be_faster(hub):
    repository = put(hub, golden("minicpm-s"))
    twice = MachineSpeeds((ThreadRate(2, 30e9),), "", 0.0, 0.0, 0.0, 0.0, 0.0, "2026-01-01", 1.0)

    once = ask(hub, repository, speeds=SPEEDS)

    assert ask(hub, repository, speeds=twice).fastest > once.fastest
    with_card = ask(hub, repository, speeds=WITH_CARD, card=CardMemory(24 << 30, 0, 0))
    assert with_card.fastest >= once.fastest


def test_a_question_out_of_range_is_refused():
    for wrong in ({"weight_format": "int3"}, {"context_tokens": 1}):
        with pytest.raises(InvalidRequest):
            FitQuestion(1, 1, **wrong)
