"""Which files a person can add to a message, and why the others are refused."""

import os
import threading
import time
from pathlib import Path

import pytest

from app import attachments, pdf_text
from app.attachments import REASONS, Refused, is_long, read_attachment
from app.window.composer.attachment_reader import AttachmentReader
from app.window.composer.attachment_words import refusal_words
from tests.app.pdf_samples import encrypted, pdf_with


def refusal(path, **kwargs):
    with pytest.raises(Refused) as caught:
        read_attachment(path, **kwargs)
    return caught.value


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        ("火 fire".encode(), "火 fire"),
        ("火 fire".encode("utf-8-sig"), "火 fire"),
        ("火 fire".encode("utf-16"), "火 fire"),
        ("火 fire".encode("utf-32"), "火 fire"),
        ("你好，世界 ok".encode("gb18030"), "你好，世界 ok"),
        ("déjà vu – naïve".encode("cp1252"), "déjà vu – naïve"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"\x1b[31mred\x1b[0m, said a log of the terminal", "\x1b[31mred\x1b[0m, said a log of the terminal"),
    ],
)
def test_text_is_read_in_the_encoding_it_has(tmp_path, data, text):
    path = tmp_path / "a file.txt"
    path.write_bytes(data)

    file = read_attachment(path)

    assert (file.name, file.text) == ("a file.txt", text)


def test_code_is_text_whatever_its_ending(tmp_path):
    path = tmp_path / "Makefile"
    path.write_text("all:\n\ttrue\n")

    assert read_attachment(path).text == "all:\n\ttrue\n"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"PK\x03\x04" + bytes(60), bytes(range(1, 32)) * 9])
def test_a_binary_file_is_refused(tmp_path, data):
    path = tmp_path / "picture.png"
    path.write_bytes(data)

    assert refusal(path).reason == attachments.BINARY


def test_what_is_no_file_or_empty_or_gone_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_text("  \n")
    os.mkfifo(tmp_path / "pipe")

    assert refusal(tmp_path / "empty.txt").reason == attachments.EMPTY
    assert refusal(tmp_path).reason == attachments.NO_FILE
    assert refusal(tmp_path / "pipe").reason == attachments.NO_FILE
    assert refusal(tmp_path / "gone.txt").reason == attachments.MISSING


@pytest.fixture
def stuck(monkeypatch):
    """A drive that does not answer: whoever reads a file named “stuck…” on it waits."""
    works = threading.Event()
    opened = Path.open

    def open_slowly(path, mode="r", *args, **kwargs):
        if path.name.startswith("stuck") and "r" in mode:
            works.wait(30)
        return opened(path, mode, *args, **kwargs)

    monkeypatch.setattr(Path, "open", open_slowly)
    yield works
    works.set()


def test_a_drive_that_does_not_answer_is_given_up_with_its_seconds(tmp_path, stuck, monkeypatch):
    monkeypatch.setattr(attachments, "READ_SECONDS", 1.0)
    path = tmp_path / "stuck.txt"
    path.write_text("text")

    refused = refusal(path)

    assert (refused.name, refused.reason, refused.limit) == ("stuck.txt", attachments.NO_ANSWER, 1)
    words = refusal_words(refused)
    assert "1 seconds" in words
    assert "add it again" in words
    (tmp_path / "fine.txt").write_text("fine")
    assert read_attachment(tmp_path / "fine.txt").text == "fine"


def test_a_stuck_file_nobody_wants_any_more_is_given_up_at_once(tmp_path, stuck):
    path = tmp_path / "stuck.txt"
    path.write_text("text")

    assert refusal(path, is_unwanted=lambda: True).reason == attachments.NO_ANSWER


def test_files_after_one_that_is_stuck_are_read(tmp_path, stuck, monkeypatch, qtbot):
    monkeypatch.setattr(attachments, "READ_SECONDS", 0.5)
    for name in ("stuck.txt", "next.txt"):
        (tmp_path / name).write_text(name)
    os.mkfifo(tmp_path / "pipe")
    told = {}
    reader = AttachmentReader()
    reader.read.connect(told.__setitem__)

    numbers = [reader.ask(tmp_path / name) for name in ("stuck.txt", "pipe", "next.txt")]

    qtbot.waitUntil(lambda: len(told) == 3, timeout=10_000)
    assert [getattr(told[n], "reason", None) for n in numbers] == [attachments.NO_ANSWER, attachments.NO_FILE, None]
    assert told[numbers[2]].text == "next.txt"
    reader.deleteLater()


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator reads everything")
def test_a_file_that_must_not_be_read_is_refused_in_the_system_s_words(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("x")
    path.chmod(0)

    refused = refusal(path)

    assert (refused.reason, refused.detail) == (attachments.UNREADABLE, "Permission denied")


def test_a_large_file_is_refused_with_its_size_and_is_not_read(tmp_path):
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"text\n" * 300)
        file.truncate(30_000_000_000)

    refused = refusal(path)

    assert (refused.reason, refused.found) == (attachments.TOO_LARGE, 30_000_000_000)
    assert refused.limit == attachments.MAX_TEXT_BYTES


def test_a_large_binary_file_is_called_binary(tmp_path):
    path = tmp_path / "model.gguf"
    with path.open("wb") as file:
        file.write(b"GGUF\0\0\0\0")
        file.truncate(30_000_000_000)

    assert refusal(path).reason == attachments.BINARY


def test_too_many_characters_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(attachments, "MAX_CHARACTERS", 10)
    path = tmp_path / "long.txt"
    path.write_text("12345678901")

    refused = refusal(path)

    assert (refused.reason, refused.found, refused.limit) == (attachments.TOO_LONG, 11, 10)


# PDF


def test_the_text_of_a_pdf_is_read_page_by_page(tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf_with("First page", "", "Third page"))

    file = read_attachment(path)

    assert (file.name, file.text) == ("report.pdf", "First page\n\nThird page")


def test_a_pdf_that_opens_without_a_password_is_read(tmp_path):
    path = tmp_path / "locked.pdf"
    path.write_bytes(encrypted(pdf_with("Anyone may read"), ""))

    assert read_attachment(path).text == "Anyone may read"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encrypted(pdf_with("Secret"), "password"), attachments.ENCRYPTED),
        (pdf_with("", ""), attachments.NO_TEXT),
        (b"%PDF-1.7\nno pdf at all", attachments.DAMAGED),
        (pdf_with("Hello")[:200], attachments.DAMAGED),
    ],
    ids=["password", "pictures", "nothing", "half"],
)
def test_a_pdf_without_readable_text_is_refused_with_the_reason(tmp_path, data, reason):
    path = tmp_path / "a.pdf"
    path.write_bytes(data)

    assert refusal(path).reason == reason


def test_a_pdf_that_takes_too_long_is_given_up(tmp_path, monkeypatch):
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(pdf_text, "__file__", str(slow))
    monkeypatch.setattr(attachments, "PDF_SECONDS", 0.3)
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with("Hello"))

    started = time.monotonic()
    refused = refusal(path)

    assert refused.reason == attachments.TOO_SLOW
    assert time.monotonic() - started < 10


def test_a_pdf_nobody_wants_any_more_is_given_up(tmp_path, monkeypatch):
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(pdf_text, "__file__", str(slow))
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with("Hello"))

    assert refusal(path, is_unwanted=lambda: True).reason == attachments.TOO_SLOW


def test_a_reader_that_dies_leaves_a_damaged_file_and_no_more(tmp_path, monkeypatch):
    dying = tmp_path / "dying.py"
    dying.write_text("import os\nos.abort()\n")
    monkeypatch.setattr(pdf_text, "__file__", str(dying))
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with("Hello"))

    assert refusal(path).reason == attachments.DAMAGED


def test_a_pdf_with_very_many_pages_is_refused_with_their_number(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_text, "MAX_PAGES", 2)
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with("1", "2", "3"))

    assert pdf_text.text_of(path, 1000) == {"refused": "too many pages", "found": 3, "limit": 2}


def test_a_pdf_stops_being_read_where_there_is_too_much(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with("12345", "67890"))

    assert pdf_text.text_of(path, 6) == {"refused": "too long", "found": 10, "limit": 6}


# Words


@pytest.mark.parametrize("reason", REASONS)
def test_every_refusal_has_words_with_its_numbers(reason):
    words = refusal_words(Refused("a.txt", reason, found=1234, limit=567, detail="No such thing"))

    assert words.endswith(".")
    assert "%" not in words


@pytest.mark.parametrize(
    ("text", "long"), [("x" * 2000, False), ("x" * 2001, True), ("x\n" * 39, False), ("x\n" * 40, True)]
)
def test_long_pastes_are_told_by_characters_and_lines(text, long):
    assert is_long(text) is long
