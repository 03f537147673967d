"""What packaging/translations.py finds in code, and what it keeps in the files of Qt Linguist."""

from pathlib import Path

import pytest
from ember_texts.linguist import faults, read, written
from ember_texts.sources import WORDS, Text, stray_texts, texts_of

PAGE = '''
"""A page."""
from PySide6.QtCore import QCoreApplication
from app.words import unchanged_words
from app.window.wording import translate


class Page:
    def show(self, count, is_new):
        self.setText(self.tr("New page") if is_new else self.tr("Old page"))
        self.setText(self.tr("%n page(s)", "", count))
        self.setText(_tr("from a function" if is_new else "from a choice"))
        self.setText(translate("a template"))
        self.setToolTip("Never asked for by anybody")


def _tr(text):
    return QCoreApplication.translate("PageWords", text)
'''
WORDING = '''
"""Wording."""
from PySide6.QtCore import QCoreApplication


def translate(text):
    return QCoreApplication.translate("Words", text)
'''
NO_QT = '''
"""Words without Qt."""
import re

TEXTS = {"key of no text": "Value", "other": "{count} pages"}
VERDICT_INKS = {"good": "accent colour"}
_PATTERN = re.compile("not a text at all")


def unchanged_words(kind, translate):
    """Not a text either."""
    if kind == "some kind of page":
        return translate("One page")
    text = "A sentence by a name."
    return translate(text) + f"{kind} of the parts of this"
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in (("window/page.py", PAGE), ("window/wording.py", WORDING), ("words.py", NO_QT)):
        path = tmp_path / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_every_convention_of_asking_for_a_translation_is_found_with_its_context(root):
    found = texts_of(root)

    assert set(found.texts) == {
        ("Page", "New page"),
        ("Page", "Old page"),
        ("Page", "%n page(s)"),
        ("PageWords", "from a function"),
        ("PageWords", "from a choice"),
        (WORDS, "a template"),
        (WORDS, "Value"),
        (WORDS, "{count} pages"),
        (WORDS, "One page"),
        (WORDS, "A sentence by a name."),
    }
    assert [text.source for text in found.texts.values() if text.has_count] == ["%n page(s)"]
    assert found.unknown == []


def test_a_sentence_that_reaches_no_translation_is_named(root):
    stray = [text for _, text in stray_texts(root, texts_of(root))]

    assert "Never asked for by anybody" in stray
    assert " of the parts of this" in stray


def test_what_cannot_be_told_from_the_code_is_named(root):
    (root / "app" / "window" / "other.py").write_text(
        '"""Other."""\nclass Other:\n    def show(self, name):\n        self.tr(name)\n        self.top.tr("x y")\n'
    )

    assert [(place.file, place.line) for place in texts_of(root).unknown] == [
        ("app/window/other.py", 4),
        ("app/window/other.py", 5),
    ]


def test_an_update_keeps_what_is_translated_and_drops_what_is_gone(tmp_path):
    file = tmp_path / "ember_zh_CN.ts"
    old = [Text("Page", "Kept <b>"), Text("Page", "Gone"), Text("Page", "%n page(s)", has_count=True)]
    known = {("Page", "Kept <b>"): ("保留",), ("Page", "Gone"): ("没了",), ("Page", "%n page(s)"): ("%n 页",)}
    file.write_text(written("zh_CN", old, known), encoding="utf-8")

    now = [old[0], old[2], Text("Other", "Kept <b>"), Text("Other", "New")]
    file.write_text(written("zh_CN", now, read(file)), encoding="utf-8")

    assert read(file) == {
        ("Page", "Kept <b>"): ("保留",),
        ("Page", "%n page(s)"): ("%n 页",),
        ("Other", "Kept <b>"): ("保留",),
    }
    assert [(fault.source, fault.what) for fault in faults("zh_CN", now, read(file))] == [("New", "not translated")]


@pytest.mark.parametrize(
    ("source", "translation"),
    [("%1 of %2", "%2"), ("{done} of {size}", "{done}，{sise}"), ("plain", "平淡 %1"), ("%1 and {x}", "%1")],
)
def test_a_translation_with_other_placeholders_is_a_fault(source, translation):
    texts = [Text("Page", source)]

    assert faults("zh_CN", texts, {("Page", source): (translation,)})


def test_placeholders_may_change_their_order_and_a_form_may_leave_its_number_out():
    texts = [Text("Page", "%1 of {size}"), Text("Page", "%n page(s)", has_count=True)]
    known = {("Page", "%1 of {size}"): ("{size} 中的 %1",), ("Page", "%n page(s)"): ("one page", "%n pages")}

    assert not faults("zh_CN", texts[:1], known)
    assert not faults("en", texts[1:], known)
