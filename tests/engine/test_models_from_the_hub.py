"""A model found on a hub, judged, fetched, packed and answering, all through the engine's door."""

import json
import threading

import pytest

from engine.catalog_reports import CatalogRead, CheckFit, FitChecked, HubSearch, HubSearched, ReadCatalog, SearchHub
from engine.messages import (
    Cancel,
    ChatMessage,
    EngineConfig,
    Failed,
    Generate,
    GenerationFinished,
    ListModels,
    LoadModel,
    ModelReady,
    SamplingParams,
    TextPiece,
)
from engine.transfer_reports import (
    AddDownload,
    DownloadAdded,
    DownloadsRead,
    NetworkSettings,
    ReadDownloads,
    SteerDownload,
    UseNetwork,
    WatchDownloads,
)
from tests.engine.conftest import Front
from tests.golden.families import golden
from tests.hub.hub_with_api import HubWithApi

ROW = golden("prosparse")


@pytest.fixture
def hub():
    with HubWithApi() as hub:
        hub.add(ROW.repository, {path.name: path.read_bytes() for path in ROW.path.iterdir()})
        yield hub


def until_state(front, state):
    while True:
        event = front.next()
        if isinstance(event, DownloadsRead) and event.queue.downloads:
            report = event.queue.downloads[0]
            assert report.state != "failed" or state == "failed", report
            if report.state == state:
                return report


def answers_of(front, kind):
    return front.until(kind)[-1]


def test_a_model_is_found_fetched_packed_and_answers(front, hub):
    ask = front.ask
    assert isinstance(ask(UseNetwork("n", NetworkSettings(endpoint=hub.url))), DownloadsRead)
    assert isinstance(ask(ReadCatalog("c")), CatalogRead)
    found = ask(SearchHub("s", HubSearch(text=ROW.repository.split("/")[1])))
    assert isinstance(found, HubSearched)
    assert [model.repo for model in found.models] == [ROW.repository]
    fit = ask(CheckFit("f", ROW.repository))
    assert isinstance(fit, FitChecked)
    assert fit.report.verdict == "fits"

    ask(WatchDownloads("w"))
    front.engine.submit(AddDownload("a", ROW.repository))
    answers_of(front, DownloadAdded)
    done = until_state(front, "ready")
    models = answers_of_request(front, ListModels("l"))

    packed = next(model for model in models.models if model.model_id == done.model_id)
    assert abs(packed.size_bytes - fit.report.packed_bytes) < 512  # the header names the folder of the source
    assert isinstance(answers_of_request(front, LoadModel("m", done.model_id)), ModelReady)
    front.engine.submit(Generate("g", (ChatMessage("user", "Hello"),), SamplingParams(max_tokens=4)))
    events = front.until(GenerationFinished)
    assert any(isinstance(event, TextPiece) for event in events)


def answers_of_request(front, request):
    """The first event of this request that is no progress."""
    front.engine.submit(request)
    while True:
        event = front.next()
        if event.request_id == request.request_id and type(event).__name__ != "Progress":
            return event


def test_a_model_of_another_architecture_is_refused_before_its_weights_are_fetched(front, hub):
    files = {path.name: path.read_bytes() for path in ROW.path.iterdir()}
    config = json.loads(files["config.json"]) | {"model_type": "mamba", "architectures": ["MambaForCausalLM"]}
    hub.add("org/odd", {**files, "config.json": json.dumps(config).encode()})
    front.ask(UseNetwork("n", NetworkSettings(endpoint=hub.url)))
    front.ask(WatchDownloads("w"))

    front.engine.submit(AddDownload("a", "org/odd"))
    answers_of(front, DownloadAdded)
    refused = until_state(front, "failed")

    assert refused.error.code == "UnsupportedModel"
    assert [seen.path for seen in hub.requests if seen.path.endswith((".safetensors", ".bin"))] == []


def test_a_paused_download_goes_on_in_another_engine(front, hub):
    front.ask(UseNetwork("n", NetworkSettings(endpoint=hub.url, is_offline=True)))
    front.ask(WatchDownloads("w"))
    front.engine.submit(AddDownload("a", ROW.repository, packs=False))
    added = answers_of(front, DownloadAdded)
    until_state(front, "paused")
    front.engine.close()

    other = type(front)(front.config, in_process=True)
    try:
        other.ask(UseNetwork("n", NetworkSettings(endpoint=hub.url)))
        other.ask(WatchDownloads("w", takes_up=True))
        other.engine.submit(SteerDownload("s", added.download_id, "resume"))
        assert until_state(other, "ready").commit
    finally:
        other.engine.close()


def test_what_the_hub_does_not_have_is_said_and_offline_opens_nothing(front, hub):
    front.ask(UseNetwork("n", NetworkSettings(endpoint=hub.url)))
    missing = front.ask(CheckFit("f", "nobody/nothing"))
    assert isinstance(missing, Failed)
    assert missing.error.code == "NotOnHub"
    before = len(hub.requests)
    front.ask(UseNetwork("o", NetworkSettings(endpoint=hub.url, is_offline=True)))
    refused = front.ask(CheckFit("g", ROW.repository))
    assert isinstance(refused, Failed)
    assert refused.error.code == "NetworkSwitchedOff"
    assert len(hub.requests) == before


def test_an_engine_asked_nothing_about_the_hub_has_no_threads_for_it(tmp_path, kernel_cache):
    def hub_threads():
        return {thread.name for thread in threading.enumerate() if thread.name.startswith(("ember-hub", "ember-pack"))}

    front = Front(EngineConfig(str(tmp_path / "library"), str(kernel_cache)), in_process=True)
    front.engine.submit(Cancel("nothing"))
    front.ask(ListModels("l"))
    assert hub_threads() == set()
    front.ask(ReadDownloads("r"))
    assert hub_threads()
    front.engine.close()
    assert hub_threads() == set()


def test_what_is_asked_after_going_offline_opens_nothing(front, hub):
    front.ask(UseNetwork("n", NetworkSettings(endpoint=hub.url)))
    before = len(hub.requests)
    for number in range(10):
        front.engine.submit(UseNetwork(f"off{number}", NetworkSettings(endpoint=hub.url, is_offline=True)))
        front.engine.submit(CheckFit(f"f{number}", ROW.repository))
        assert front.until(Failed)[-1].error.code == "NetworkSwitchedOff"
    assert len(hub.requests) == before


def test_downloads_are_listed_while_nothing_is_fetched(front):
    assert front.ask(ReadDownloads("r")).queue.downloads == ()
