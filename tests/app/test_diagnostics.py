"""Logs are read from their end and in order, and what is copied of them holds nothing private."""

import re
from pathlib import Path

import pytest

from app.diagnostics import diagnostics
from app.log_lines import MOST_BYTES, MOST_LINES, LogLine, LogTail, matching, merged
from app.redaction import Person, redacted, this_person
from app.settings import AppSettings

JANE = Person("/home/jane.doe", ("jane.doe", "jane"), "janes-laptop")

SECRETS = {
    "a hub token": ("hf_AbCdEfGhIjKlMnOpQrStUvWx", "downloading with hf_AbCdEfGhIjKlMnOpQrStUvWx"),
    "a key": ("sk-proj-1234567890abcdefghij", "key sk-proj-1234567890abcdefghij refused"),
    "a bearer": ("abc.def-ghi_jkl/mno=", "Authorization: Bearer abc.def-ghi_jkl/mno="),
    "a password in an address": ("hunter2", "proxy http://jane:hunter2@proxy.example:8080"),
    "a user in an address": ("jane", "proxy http://jane:hunter2@proxy.example:8080"),
    "a quoted password": ("cor rect horse", 'login {"password": "cor rect horse"}'),
    "a signed link": ("0123abcdef9876", "GET https://cdn.example/x?Expires=1&Signature=0123abcdef9876&Key-Pair-Id=K"),
    "a web token": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "cookie eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig"),
    "a cloud key": ("AKIAIOSFODNN7EXAMPLE", "with AKIAIOSFODNN7EXAMPLE"),
    "hex": ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "id 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
    "the home": ("/home/jane.doe", "read /home/jane.doe/models/secret plans.gguf"),
    "the user": ("jane", "owner jane, group jane"),
    "the user in another case": ("Jane", r"C:\Users\Jane\AppData"),
    "the computer": ("janes-laptop", "host janes-laptop answers"),
    "a card": ("11111111-aaaa-bbbb-cccc-222222222222", "card GPU-11111111-aaaa-bbbb-cccc-222222222222"),
    "mail": ("jane@work.example", "by jane@work.example"),
    "an address": ("192.168.17.4", "connected to 192.168.17.4"),
    "a hardware address": ("aa:bb:cc:dd:ee:ff", "link aa:bb:cc:dd:ee:ff"),
    "a private key": ("MIIEvQIBADANBg", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----"),
    "an environment": ("xyzzy-plugh", "HF_TOKEN=xyzzy-plugh EMBER_HOME=/x"),
}


@pytest.mark.parametrize(("secret", "text"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_taken_out(secret: str, text: str) -> None:
    assert secret in text

    assert secret not in redacted(text, JANE)


@pytest.mark.parametrize(
    "text",
    [
        "decoded 128 tokens in 3.2 s, max_tokens: 512",
        "engine.hub.downloads: resumed at 12345678 of 99999999 bytes",
        "ModuleNotFoundError: No module named 'engine.kernels.cpu.feed_forward_with_a_very_long_name'",
        "janet and Janeway are others",
        "listening on 127.0.0.1, version 3.11.9",
        "token = None, secret = false",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text, JANE) == text


def test_names_that_are_words_are_not_taken_out() -> None:
    person = Person("/home/user", ("user", "al"), "localhost")

    assert redacted("all that the user keeps in /home/user/x", person) == "all that the user keeps in ~/x"


def test_this_person_is_somebody() -> None:
    person = this_person()

    assert person.home
    assert person.computer


# The report


def report(settings: AppSettings, *lines: str) -> str:
    log = [LogLine("engine", "2026-11-30 12:00:00", "INFO", line) for line in lines]
    return diagnostics("1.2.3", settings, {"Qt": "6.11"}, {"Log of the engine": log}, JANE)


def test_the_report_says_what_helps() -> None:
    text = report(AppSettings(theme="dark", zoom=125), "INFO engine: a model was loaded")

    for part in ("version: 1.2.3", "Qt: 6.11", "theme: dark", "zoom: 125", "a model was loaded"):
        assert part in text
    assert "accent" not in text, "only what is not as usual"


def test_the_report_holds_nothing_that_was_written_or_typed() -> None:
    settings = AppSettings(
        system_prompt="You are Mallory's spy",
        last_model="mallory-7b",
        endpoint="https://mallory.example",
        proxy="http://mallory:pw@proxy.example",
        ca_file="/opt/mallory.pem",
        library_folders=("/mnt/mallory",),
        tiers=(("mallory-7b", "fast"),),
    )

    text = report(settings)

    assert "allory" not in text
    assert "system_prompt: (set)" in text


@pytest.mark.parametrize(("secret", "text"), SECRETS.values(), ids=SECRETS)
def test_the_report_is_redacted_as_a_whole(secret: str, text: str) -> None:
    assert secret not in report(AppSettings(), *text.splitlines())


def test_the_report_is_bounded() -> None:
    assert len(report(AppSettings(), *(["word " * 20] * 3000)).splitlines()) < 300


# The lines


def line(number: int, level: str = "INFO", words: str = "words") -> str:
    return f"2026-11-30 12:{number // 60:02}:{number % 60:02},123 {level} engine.host: {words} {number}\n"


def test_a_log_is_read_on_where_it_grew(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_text(line(1) + line(2, "ERROR"))
    log = LogTail(path, "engine")

    first = log.read()
    with path.open("a") as file:
        file.write(line(3) + "half a li")
    second = log.read()
    with path.open("a") as file:
        file.write("ne\n")
    third = log.read()

    assert [each.level for each in first] == ["INFO", "ERROR"]
    assert [each.text for each in second] == ["INFO engine.host: words 3"]
    assert [each.text for each in third] == ["half a line"]
    assert third[0].moment == second[0].moment
    assert log.read() == []


def test_a_trace_belongs_to_its_error(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_text(line(1, "ERROR") + "Traceback (most recent call last):\n  File x\nValueError: no\n" + line(2))

    lines = LogTail(path, "engine").read()

    assert [each.level for each in lines] == ["ERROR"] * 4 + ["INFO"]


def test_a_log_that_was_begun_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "window.log"
    path.write_text(line(1) * 5)
    log = LogTail(path, "window")
    log.read()

    path.rename(tmp_path / "window.log.1")
    path.write_text(line(7))

    assert [each.text for each in log.read()] == ["INFO engine.host: words 7"]


def test_of_a_large_log_only_the_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    with path.open("w") as file:
        for number in range(60_000):
            file.write(line(number % 3600, words=f"word {number}"))
    assert path.stat().st_size > 2 * MOST_BYTES

    lines = LogTail(path, "engine").read()

    assert len(lines) == MOST_LINES
    assert "word 59999" in lines[-1].text
    assert all(each.text.startswith("INFO") for each in lines), "none begins in the middle"


def test_a_missing_log_has_no_lines(tmp_path: Path) -> None:
    assert LogTail(tmp_path / "none.log", "x").read() == []


def test_bytes_that_are_no_text_are_shown_as_such(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b"\xff\xfe broken\n" + line(1).encode())

    assert len(LogTail(path, "x").read()) == 2


def test_logs_are_merged_by_time_and_filtered_by_level_and_words() -> None:
    window = [LogLine("window", "2026-11-30 12:00:0" + str(n), "INFO", f"INFO w{n}") for n in (1, 3)]
    engine = [LogLine("engine", "2026-11-30 12:00:02", "ERROR", "ERROR e2 broke")]

    lines = merged(window, engine)

    assert [re.sub(r"\W|INFO|ERROR", "", each.text) for each in lines] == ["w1", "e2broke", "w3"]
    assert [each.text for each in matching(lines, "WARNING")] == ["ERROR e2 broke"]
    assert [each.text for each in matching(lines, "DEBUG", "ENGINE broke")] == ["ERROR e2 broke"]
    assert matching(lines, "DEBUG", "absent") == []
