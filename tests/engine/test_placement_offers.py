"""Cards and budgets through the engine's door: this machine told and measured, a model offered without loading it."""

import pytest

from engine.messages import (
    DevicesRead,
    EngineConfig,
    Failed,
    ImportModel,
    ModelImported,
    OfferPlacement,
    PlacementOffered,
    Progress,
    ReadDevices,
)
from engine.placement_reports import CARD_STATES
from tests.engine.conftest import Front
from tests.tiny_model import write_gguf


def test_this_machine_is_told_and_measured_when_asked(front):
    before = front.ask(ReadDevices("1"))
    front.engine.submit(ReadDevices("2", measure=True))
    events = front.until(DevicesRead)
    after = front.ask(ReadDevices("3"))

    assert isinstance(before, DevicesRead)
    assert before.report.state in CARD_STATES
    assert any(isinstance(event, Progress) and event.phase == "rates" for event in events)
    assert after.report.speeds == events[-1].report.speeds
    assert all(rate.bytes_per_s > 1e8 for rate in after.report.speeds.cpu)


def test_a_model_is_offered_budgets_without_being_loaded(front, tmp_path):
    assert isinstance(front.ask(ImportModel("0", str(write_gguf(tmp_path / "tiny.gguf")))), ModelImported)

    alone = front.ask(OfferPlacement("1", "tiny", card="none"))
    assumed = front.ask(OfferPlacement("2", "tiny", 128, vram_bytes=600 << 20, assumed_card="RTX 4060"))

    assert isinstance(alone, PlacementOffered)
    assert [point.budget_bytes for point in alone.offer.points] == [0]
    assert alone.offer.points[0].tokens_per_s > 0
    assert (assumed.offer.model_id, assumed.offer.context_tokens, assumed.offer.assumed) == ("tiny", 128, "RTX 4060")
    assert sum(n_bytes for _, n_bytes in assumed.offer.account) == 8 << 30


def test_a_budget_that_is_set_does_not_narrow_what_is_offered(tmp_path, kernel_cache):
    config = EngineConfig(str(tmp_path / "library"), str(kernel_cache), card="emulated", vram_bytes=0)
    front = Front(config, in_process=True)
    try:
        assert isinstance(front.ask(ImportModel("0", str(write_gguf(tmp_path / "tiny.gguf")))), ModelImported)
        offer = front.ask(OfferPlacement("1", "tiny", card="emulated")).offer
    finally:
        front.engine.close()

    assert offer.most_bytes == 8 << 30
    assert offer.assumed


@pytest.mark.parametrize(
    ("request_of", "code"),
    [
        (OfferPlacement("1", "no such model"), "UnknownModel"),
        (OfferPlacement("1", "tiny", 3), "InvalidRequest"),
        (OfferPlacement("1", "tiny", assumed_card="RTX 9999"), "InvalidRequest"),
        (OfferPlacement("1", "tiny", vram_bytes=99 << 30, assumed_card="RTX 4060"), "OutOfMemory"),
        (OfferPlacement("1", "tiny", vram_bytes=1 << 90, assumed_card="RTX 4060"), "OutOfMemory"),
        (OfferPlacement("1", "tiny", vram_bytes=-1, card="none"), "InvalidRequest"),
        (OfferPlacement("1", "tiny", vram_bytes=1 << 90, card="none"), None),
        (OfferPlacement("1", "tiny", vram_bytes=7 << 30, assumed_card="RTX 4060"), None),
    ],
)
def test_what_cannot_be_offered_is_refused(front, tmp_path, request_of, code):
    assert isinstance(front.ask(ImportModel("0", str(write_gguf(tmp_path / "tiny.gguf")))), ModelImported)

    answer = front.ask(request_of)

    assert (answer.error.code if isinstance(answer, Failed) else None) == code
