"""Every error the engine can raise has words; none of them hides a number."""

import dataclasses
import tomllib

import pytest

from app.engine_phrases import FEED_FORWARDS, feed_forward_words, parser_words
from app.error_text import TEXTS, describe, describe_host_death, format_bytes
from app.language import speak, unchanged
from engine import errors
from engine.errors import EngineError, ErrorReport
from engine.messages import HostDied
from engine.model.config import ACTIVATIONS


def subclasses(base: type) -> list[type]:
    return [c for direct in base.__subclasses__() for c in (direct, *subclasses(direct))]


ENGINE_ERRORS = [c for c in subclasses(EngineError) if c.__module__ == errors.__name__]


def sample(error_type: type) -> EngineError:
    """An instance whose every field holds a value that can be recognised in the text."""
    values = {
        f.name: 12_345_678_901 + i if f.type in ("int", int) else f"value-of-{f.name}"
        for i, f in enumerate(dataclasses.fields(error_type))
    }
    return error_type(**values)


def test_the_family_is_found() -> None:
    assert {c.__name__ for c in ENGINE_ERRORS} >= {"OutOfMemory", "ContextFull", "InternalError"}


@pytest.mark.parametrize("error_type", ENGINE_ERRORS, ids=lambda c: c.__name__)
def test_every_engine_error_has_its_own_cause_and_action(error_type: type) -> None:
    text = describe(sample(error_type).report())

    assert error_type.__name__ in TEXTS
    assert text.cause.endswith(".")
    assert text.action.endswith(".")
    assert "{" not in text.cause + text.action
    assert "–" not in text.cause + text.action


@pytest.mark.parametrize("error_type", ENGINE_ERRORS, ids=lambda c: c.__name__)
def test_no_field_is_hidden(error_type: type) -> None:
    error = sample(error_type)

    shown = " ".join(dataclasses.astuple(describe(error.report())))

    for field in dataclasses.fields(error_type):
        value = getattr(error, field.name)
        expected = value
        if isinstance(value, int):
            expected = format_bytes(value) if field.name.endswith("_bytes") else f"{value:,}"
        assert expected in shown, field.name


def test_no_text_without_an_error() -> None:
    assert set(TEXTS) == {c.__name__ for c in ENGINE_ERRORS}


def test_an_unknown_code_is_shown_with_its_fields() -> None:
    text = describe(ErrorReport("BrandNew", (("layers", 3),)))

    assert "BrandNew" in text.cause
    assert "layers=3" in text.cause


def test_out_of_disk_says_how_much_to_free() -> None:
    text = describe(errors.OutOfDisk("/models", 5_000_000_000, 2_000_000_000).report())

    assert "5.0 GB needed, 2.0 GB free" in text.cause
    assert "3.0 GB" in text.action


@pytest.mark.parametrize(("needed", "free", "words"), [
    (5_000_000_000, 2_000_000_000, "5.0 GB needed, 2.0 GB free"), (0, 4096, "is full: 4.1 kB free."),
    (100, 2_000_000_000, "The system stores no more in"),
])  # fmt: skip
def test_a_full_drive_is_told_with_what_is_known(needed: int, free: int, words: str) -> None:
    text = describe(errors.NoRoomForDownload("/models", needed, free).report())

    assert words in text.cause
    assert " 0 bytes" not in text.cause + text.action


def test_a_drive_without_room_for_preparing_says_how_much_that_takes() -> None:
    text = describe(errors.NoRoomForDownload("/models", 630_000_000, 350_000_000, 290_000_000).report())

    assert "630 MB needed, 290 MB of that for preparing the model, 350 MB free" in text.cause
    assert "280 MB" in text.action


@pytest.mark.parametrize("code", ["NetworkSwitchedOff", "HubBusy", "TransferStalled", "NotOnHub", "NoRoomForDownload"])
def test_what_may_be_said_of_a_question_speaks_of_nothing_that_has_arrived(code: str) -> None:
    assert "arrived" not in TEXTS[code].action


def test_how_long_a_hub_wants_to_be_left_alone_is_said() -> None:
    assert "in 90 seconds (status 429)" in describe(errors.HubBusy("hub", 429, 90).report()).cause
    assert describe(errors.HubBusy("hub", 503).report()).cause == "hub asked to come back later (status 503)."


@pytest.mark.parametrize(("path", "is_here"), [
    ("/models/a.gguf", True), ("C:\\models\\a.gguf", True), ("org/m", False), ("org/m/config.json", False), ("", False),
])  # fmt: skip
def test_only_of_a_file_that_is_here_it_is_said_to_be_intact(path: str, is_here: bool) -> None:
    text = describe(errors.UnsupportedModel(path, "architecture", "Mamba", "OPT").report())

    assert ("intact" in text.action) == is_here


@pytest.mark.parametrize("error_type", [errors.DamagedFile, errors.FileMissing])
def test_what_is_wrong_on_the_hub_is_not_to_be_fetched_again(error_type: type) -> None:
    there, here = (describe(error_type(path, "no such thing").report()) for path in ("org/m/a.json", "/models/a.json"))

    assert "on the hub" in there.cause + there.action
    assert "Choose another model." in there.action
    assert "on the hub" not in here.cause + here.action
    assert "org/m/a.json" in there.cause


@pytest.mark.parametrize("exit_code", [-9, -11, 1])
def test_a_command_whose_engine_died_speaks_of_no_conversation(exit_code: int) -> None:
    died = HostDied(exit_code, "", ())

    assert "conversation" not in describe_host_death(died, is_command=True).action
    assert "conversation" in describe_host_death(died).action
    assert describe_host_death(died, is_command=True).cause == describe_host_death(died).cause


def test_missing_file_without_a_reason_reads_well() -> None:
    assert describe(errors.FileMissing("/a.gguf").report()).cause == "“/a.gguf” was not found or cannot be read."


def test_a_foreign_file_is_told_in_one_sentence() -> None:
    text = describe(errors.ForeignFile("/a", "safetensors", "an empty file").report())

    assert text.cause == "“/a” cannot be read: Ember looked for safetensors and found an empty file."


def test_what_is_no_gguf_is_said_to_be_none() -> None:
    text = describe(errors.ForeignFile("/a.gguf", "GGUF", "a file of another kind").report())

    assert text.cause == "“/a.gguf” is no GGUF file: Ember found a file of another kind."


@pytest.mark.parametrize("path", ["/m/a.neurons/tier-fine.npz", "C:\\m\\a.neurons\\tiers.json"])
def test_what_was_measured_here_is_measured_again(path: str) -> None:
    text = describe(errors.DamagedFile(path, errors.UNREADABLE_PART).report())

    assert text.action.endswith("ember calibrate a.")


@pytest.mark.parametrize("path", ["/m/profile.npz", "/m/a.neurons/notes.txt", "/m/a.gguf", ""])
def test_what_was_not_measured_here_is_fetched_again(path: str) -> None:
    assert "Fetch it again" in describe(errors.DamagedFile(path, "cut short").report()).action


@pytest.mark.parametrize("field", ["reference", "revision", "ranks", "n_tokens", "kinds", "study", "model_id"])
def test_what_was_asked_for_is_not_called_a_setting(field: str) -> None:
    text = describe(errors.InvalidRequest(field, "../../etc", "1 to 4096").report())

    assert "setting" not in text.cause + text.action
    assert "../../etc" in text.cause
    assert "1 to 4096" in text.cause


def test_a_bias_for_no_token_is_told_with_the_tokens_there_are() -> None:
    text = describe(errors.InvalidRequest("logit_bias", "99999999", "tokens 0 to 49,151").report())

    assert text.cause == "The model has no token 99999999: a bias (logit_bias) is for tokens 0 to 49,151."


def test_a_repository_that_is_not_there_is_told_without_a_file() -> None:
    text = describe(errors.NotOnHub("org/m", "main", "").report())

    assert text.cause == "The hub has no org/m (revision main), or it is private."


def test_translation_may_reorder_the_numbers() -> None:
    swap = {TEXTS["ContextFull"].cause: "{context_tokens} < {prompt_tokens}"}

    text = describe(errors.ContextFull(9000, 8192).report(), lambda s: swap.get(s, s))

    assert text.cause == "8,192 < 9,000"


@pytest.mark.parametrize(
    ("exit_code", "log_tail", "words"),
    [
        (-9, "", "memory"),
        (-11, "", "crashed (SIGSEGV)"),
        (0xC0000005, "", "access violation"),
        (-1073741819, "", "access violation"),
        (1, "numpy._core._exceptions.MemoryError: no", "ran out of memory"),
        (1, "ERROR MemoryError: yesterday\nINFO engine.host: engine started pid 7\nMemoryError\n", "ran out of memory"),
        (-9, "ERROR MemoryError: yesterday\nINFO engine.host: engine started pid 7\n", "SIGKILL"),
        (-11, "MemoryError: handled\n" + "INFO engine.worker: went on\n" * 5, "crashed (SIGSEGV)"),
        (1, "", "exit code 1"),
        (0, "", "exit code 0"),
        (-250, "", "signal 250"),
    ],
)
def test_a_dead_engine_is_explained(exit_code: int, log_tail: str, words: str) -> None:
    assert words in describe_host_death(HostDied(exit_code, log_tail, ())).cause


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (8_500_000, "8.5 MB"),
        (999_700_000, "1.0 GB"),
        (140_000_000_000, "140 GB"),
        (2_500_000_000_000, "2.5 TB"),
    ],
)
def test_sizes_are_written_as_people_do(count: int, text: str) -> None:
    assert format_bytes(count) == text


def test_a_codec_and_a_stack_do_not_speak_to_people() -> None:
    with pytest.raises(UnicodeDecodeError) as codec:
        b"\xff\xfe".decode()
    with pytest.raises(ValueError, match="line 2") as parser:
        tomllib.loads("a = 1\nb = \n")

    assert parser_words(codec.value) == "its text is not in UTF-8"
    assert parser_words(RecursionError("maximum recursion depth exceeded")) == "too many values within each other"
    assert "line 2" in parser_words(parser.value)


@pytest.mark.parametrize(
    ("kind", "words"),
    [("gated silu", "<gated silu>"), ("gated fatrelu 0.01", "<gated fatrelu> 0.01"), ("plain relu2", "<plain relu2>"),
     ("something new 3", "something new 3"), ("", "")],
)  # fmt: skip
def test_what_neurons_compute_is_said_in_the_language_with_its_threshold(kind: str, words: str) -> None:
    speak(lambda text: f"<{text}>")
    try:
        assert feed_forward_words(kind) == words
    finally:
        speak(unchanged)


@pytest.mark.parametrize("is_gated", [True, False])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_kind_of_feed_forward_has_words(activation: str, is_gated: bool) -> None:
    if is_gated or activation not in ("silu", "drelu"):
        assert f"{'gated' if is_gated else 'plain'} {activation}" in FEED_FORWARDS
