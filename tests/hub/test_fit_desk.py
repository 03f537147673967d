"""Questions about the hub as a front-end asks them: nothing is looked into twice, a catalogue's commit is kept to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.catalog_reports import HubSearch
from engine.errors import DamagedFile, InvalidRequest, NetworkSwitchedOff
from engine.fit import FitQuestion
from engine.hub.transfer.line import Network
from engine.hub.transfer.resolving import Hub
from engine.messages import EngineConfig
from engine.worker_hub import HubDesk, fit_question
from tests.golden.families import golden
from tests.hub.hub_with_api import HubWithApi

ONLINE = Network()
QUESTION = FitQuestion(1 << 50, 1 << 50)
REPO = "SparseLLM/reglu-95B"


@pytest.fixture
def hub() -> Iterator[HubWithApi]:
    with HubWithApi() as hub:
        hub.add(REPO, {path.name: path.read_bytes() for path in golden("reglu").path.iterdir()})
        yield hub


@pytest.fixture
def desk(hub: HubWithApi) -> HubDesk:
    return HubDesk(lambda: Hub(hub.url), ONLINE)


def test_the_catalogue_needs_no_network(hub, desk):
    assert desk.catalog()[0].repo == "openbmb/MiniCPM-S-1B-sft"
    assert hub.requests == []


def test_a_damaged_catalogue_is_told_and_does_not_stop_a_search(hub, tmp_path):
    path = tmp_path / "catalog.toml"
    path.write_text("model = 3", encoding="utf-8")
    desk = HubDesk(lambda: Hub(hub.url), ONLINE, path)

    with pytest.raises(DamagedFile):
        desk.catalog()
    assert [model.repo for model in desk.search(HubSearch("reglu"))] == [REPO]


def test_what_was_pasted_is_found(hub, desk):
    for written in (REPO, f"https://huggingface.co/{REPO}/tree/main", f"{hub.url}/{REPO}", f"{REPO}@{'a' * 40}"):
        assert desk.repository(written).model.repo == REPO
    with pytest.raises(InvalidRequest):
        desk.repository("https://elsewhere.example/a/b")


def test_a_catalogues_commit_is_kept_to_unless_another_is_asked_for(hub, tmp_path):
    text = Path(__file__).parents[2].joinpath("assets", "catalog.toml").read_text(encoding="utf-8")
    pinned = text.replace(f'repo = "{REPO}"', f'repo = "{REPO}"\nrevision = "{"a" * 40}"')
    assert pinned != text
    path = tmp_path / "catalog.toml"
    path.write_text(pinned, encoding="utf-8")
    hub.repos[REPO].commits["b" * 40] = hub.repos[REPO].commits["a" * 40]
    desk = HubDesk(lambda: Hub(hub.url), ONLINE, path)

    assert desk.repository(REPO).commit == "a" * 40
    assert desk.repository(f"{REPO}@{'b' * 40}").commit == "b" * 40
    assert HubDesk(lambda: Hub(hub.url), ONLINE).repository(REPO).commit == "b" * 40


def test_another_context_is_judged_without_asking_again(hub, desk):
    repository = desk.repository(REPO)
    first = desk.fit(repository, QUESTION)
    n_requests = len(hub.requests)

    longer = desk.fit(repository, FitQuestion(1 << 50, 1 << 50, context_tokens=first.longest_context))

    assert len(hub.requests) == n_requests
    assert longer.context_tokens == first.longest_context


def test_another_commit_or_another_hub_is_looked_into_anew(hub):
    hub.repos[REPO].commits["b" * 40] = hub.repos[REPO].commits["a" * 40]
    endpoints = [hub.url]
    desk = HubDesk(lambda: Hub(endpoints[0]), ONLINE)

    def requests_of_fit(written):
        repository, before = desk.repository(written), len(hub.requests)
        desk.fit(repository, QUESTION)
        return len(hub.requests) - before

    assert requests_of_fit(f"{REPO}@{'a' * 40}") > 0
    assert requests_of_fit(f"{REPO}@{'b' * 40}") > 0
    assert requests_of_fit(f"{REPO}@{'a' * 40}") == 0
    endpoints[0] = hub.url + "/"
    assert requests_of_fit(f"{REPO}@{'a' * 40}") > 0


def test_a_search_needs_the_network_and_says_so(hub):
    desk = HubDesk(lambda: Hub(hub.url), Network(offline=True))

    with pytest.raises(NetworkSwitchedOff):
        desk.search(HubSearch("x"))


def test_a_question_holds_what_this_machine_has(tmp_path):
    config = EngineConfig(str(tmp_path / "library"), str(tmp_path / "kernels"), card="none")

    question = fit_question(config, tmp_path / "not" / "there", context_tokens=100, leaving_bytes=1 << 40)

    assert question.disk_free_bytes > 0
    assert question.memory_free_bytes > 1 << 40
    assert (question.card, question.speeds, question.context_tokens) == (None, None, 100)
