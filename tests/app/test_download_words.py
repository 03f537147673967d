"""Downloads, connections and trash in words: every state is said, and no figure where nobody knows one."""

from dataclasses import replace

import pytest

from app import download_words as words
from app.download_words import AGAIN, CONNECTION_SETTINGS, ONLINE, TERMS, TOKEN
from app.error_text import TEXTS
from engine.errors import ErrorReport, HubUnreachable, NetworkSwitchedOff
from engine.transfer_reports import (
    CONNECTION_STEPS,
    DOWNLOAD_STATES,
    STEP_STATES,
    TOKEN_PLACES,
    ConnectionStep,
    DownloadQueueReport,
    DownloadReport,
    TrashedModel,
)

GB = 1_000_000_000
WHOLE = DownloadReport("d", "owner/name", "main", "c" * 40, "downloading", 4 * GB, 10 * GB, 20e6, 300.0)


@pytest.mark.parametrize("state", DOWNLOAD_STATES)
def test_every_state_has_words_of_its_own(state: str) -> None:
    said = words.state_words(replace(WHOLE, state=state))

    assert said in words.STATES.values() or state == "packing"
    assert said != state
    assert state in words.FILE_STATES


@pytest.mark.parametrize(("seconds", "said"), [
    (None, "time left not known"), (3.0, "less than a minute left"), (49.0, "less than a minute left"),
    (61.0, "about 1 min left"), (9 * 60.0, "about 9 min left"), (44 * 60.0, "about 45 min left"),
    (100 * 60.0, "about 1.5 h left"), (30 * 3600.0, "about 30 h left"), (3 * 86400.0, "about 3 days left"),
])  # fmt: skip
def test_time_left_is_rounded_as_people_do(seconds: float | None, said: str) -> None:
    assert words.left_words(seconds) == said


def test_every_failed_step_of_the_connection_has_advice_of_its_own() -> None:
    error = HubUnreachable("hub", "refused").report()
    advice = [words.step_advice(ConnectionStep(step, "failed", "", error=error)) for step in CONNECTION_STEPS]

    assert all(advice)
    assert len(set(advice)) == len(CONNECTION_STEPS)
    assert "clock" in advice[CONNECTION_STEPS.index("encryption")]
    assert words.step_advice(ConnectionStep("name", "failed", "", error=NetworkSwitchedOff("hub").report())) == ""


def test_a_running_download_says_how_much_how_fast_and_how_long() -> None:
    assert words.line_words(WHOLE) == "Downloading · 4.0 GB of 10.0 GB · 20.0 MB/s · about 5 min left"


def test_without_a_rate_no_rate_is_said_and_the_time_is_not_known() -> None:
    assert words.line_words(replace(WHOLE, rate_bytes_s=0.0, left_s=None)) == (
        "Downloading · 4.0 GB of 10.0 GB · time left not known"
    )


def test_a_stalled_download_says_when_it_tries_again_and_promises_no_time() -> None:
    said = words.line_words(replace(WHOLE, state="stalled-retrying", retry_in_s=14.2))

    assert said == "No connection; trying again in 14 s · 4.0 GB of 10.0 GB"


def test_a_download_that_waits_for_the_network_says_so() -> None:
    error = NetworkSwitchedOff("hub").report()

    assert "online again" in words.state_words(replace(WHOLE, state="paused", error=error))
    assert words.state_words(replace(WHOLE, state="paused")) == "Paused"


def test_packing_is_a_share_and_not_bytes() -> None:
    packing = replace(WHOLE, state="packing", done_bytes=37, size_bytes=100, rate_bytes_s=0.0, left_s=None)

    assert words.line_words(packing) == "Preparing for use (once) · 37 %"
    assert words.progress_of(packing) == pytest.approx(0.37)
    assert "Waiting" in words.line_words(replace(packing, done_bytes=0))


def test_another_ember_is_named_by_its_process() -> None:
    said = words.line_words(replace(WHOLE, holder="4242"))

    assert said == "In another Ember (process 4242) · 4.0 GB of 10.0 GB"


@pytest.mark.parametrize(("done", "size", "share"), [(0, None, None), (0, 0, None), (5, 10, 0.5), (12, 10, 1.0)])
def test_a_share_is_known_only_with_a_size(done: int, size: int | None, share: float | None) -> None:
    assert words.progress_of(replace(WHOLE, done_bytes=done, size_bytes=size)) == share


def test_the_queue_counts_only_what_arrives_here() -> None:
    downloads = (WHOLE, replace(WHOLE, holder="7"), replace(WHOLE, state="paused"))
    queue = DownloadQueueReport(downloads, 5_000_000, False, True)

    assert words.queue_words(queue) == "20.0 MB/s · limited to 5.0 MB/s · keeps this computer awake"
    assert words.queue_words(DownloadQueueReport(())) == ""


@pytest.mark.parametrize(("code", "step"), [
    ("NetworkSwitchedOff", ONLINE), ("HubUnreachable", CONNECTION_SETTINGS), ("LicenceNotAccepted", TERMS),
    ("HubAccessDenied", TOKEN), ("NoRoomForDownload", AGAIN), ("NotOnHub", AGAIN), ("UnsupportedModel", ""),
    ("UnsafeName", ""), ("DamagedFile", ""), ("FileMissing", AGAIN),
])  # fmt: skip
def test_an_error_has_one_next_step_or_none(code: str, step: str) -> None:
    assert words.next_step(ErrorReport(code, ())) == step
    assert bool(words.next_step_label(step)) == bool(step)


@pytest.mark.parametrize(("path", "step"), [("org/m", ""), ("org/m/config.json", ""), ("/etc/own.pem", AGAIN)])
def test_what_a_repository_lacks_another_try_does_not_bring(path: str, step: str) -> None:
    assert words.next_step(ErrorReport("FileMissing", (("path", path), ("reason", "")))) == step


def test_what_has_arrived_is_said_to_be_kept_only_where_something_has() -> None:
    stopped = replace(WHOLE, state="failed")

    assert words.kept_words(stopped) == "What has arrived is kept."
    assert words.kept_words(replace(stopped, done_bytes=0)) == ""
    assert words.kept_words(replace(stopped, state="ready")) == ""


def test_a_download_that_waits_for_its_drive_says_so() -> None:
    waiting = replace(WHOLE, state="paused", error=ErrorReport("FolderNotConnected", (("path", "/drive"),)))

    assert words.state_words(waiting) == "Waits until its drive is connected"


def test_next_steps_belong_to_errors_that_exist() -> None:
    assert set(words.NEXT_STEPS) <= set(TEXTS)
    assert set(words.NEXT_STEPS.values()) <= set(words.NEXT_STEP_LABELS)


@pytest.mark.parametrize("step", CONNECTION_STEPS)
@pytest.mark.parametrize("state", STEP_STATES)
def test_every_step_of_a_connection_is_named_and_says_what_came_of_it(step: str, state: str) -> None:
    assert words.step_name(step) != step
    said = words.step_words(ConnectionStep(step, state, "203.0.113.7", 0.0213))
    assert said.endswith("203.0.113.7 (21 ms)")
    assert not said.startswith(state)


def test_every_place_of_a_token_is_said() -> None:
    said = {words.token_words(place, "https://hub.example") for place in TOKEN_PLACES}

    assert len(said) == len(TOKEN_PLACES)


def test_the_trash_says_how_much_it_holds_and_how_long() -> None:
    one = TrashedModel("t", "tiny", 2 * GB, "2026-11-30", 3)

    assert words.trash_words((one,)) == "1 model in the trash, 2.0 GB"
    assert words.trash_words((one, one)) == "2 models in the trash, 4.0 GB"
    assert [words.days_words(days) for days in (0, 1, 3)] == [
        "deleted for good today", "deleted for good tomorrow", "deleted for good in 3 days",
    ]  # fmt: skip


def test_words_are_translated_before_their_numbers_are_filled_in() -> None:
    seen: list[str] = []

    def translate(text: str) -> str:
        seen.append(text)
        return text

    words.line_words(WHOLE, translate)

    assert "{done} of {size}" in seen
    assert not any(character.isdigit() for text in seen for character in text)
