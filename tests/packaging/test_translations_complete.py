"""The translations that are committed: whole, current, and set as the language is set."""

import re
from pathlib import Path

import pytest
import translations
from ember_texts.linguist import FORMS, faults, read, written
from ember_texts.sources import Found, texts_of

ROOT = Path(__file__).resolve().parents[2]
HAN = "\u4e00-\u9fff"
PLACE = r"(?:%L?n|%\d+|\{[a-z_]*\})"


@pytest.fixture(scope="module")
def found() -> Found:
    return texts_of(ROOT)


@pytest.mark.parametrize("language", FORMS)
def test_every_text_of_the_window_is_translated_with_its_placeholders(found, language):
    texts = translations.texts_for(language, list(found.texts.values()))

    left = faults(language, texts, read(translations.file_of(language)))

    assert not left, "Run packaging/translations.py update, translate these, and compile:\n" + "\n".join(
        f"{fault.context}: {fault.source!r}: {fault.what}" for fault in left
    )


@pytest.mark.parametrize("language", FORMS)
def test_the_files_of_qt_linguist_hold_the_texts_of_the_code_and_no_others(found, language):
    file = translations.file_of(language)
    texts = translations.texts_for(language, list(found.texts.values()))

    assert file.read_text(encoding="utf-8") == written(language, texts, read(file)), "packaging/translations.py update"


def test_the_compiled_files_are_those_of_the_texts(tmp_path):
    translations.compile_to(tmp_path)

    for language in FORMS:
        name = f"ember_{language}.qm"
        assert (tmp_path / name).read_bytes() == (translations.FOLDER / name).read_bytes(), (
            "packaging/translations.py compile"
        )


def test_no_text_is_asked_for_in_a_way_that_nobody_can_find(found):
    assert [(place.file, place.line) for place in found.unknown] == []


def test_no_sentence_of_the_window_stays_without_a_translation(found):
    assert [(place.file, place.line, text) for place, text in translations.strays(found)] == []


@pytest.mark.parametrize(
    ("fault", "pattern"),
    [
        ("punctuation of half its width", rf"[{HAN}”）》][,;:!?](?!\d)|[,;:!?][{HAN}]"),
        ("no space between Chinese and Latin letters", rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9][{HAN}]"),
        ("a space before a sign of percent", r"[\d□] %"),
        ("three full stops for an ellipsis", r"\.\.\."),
        ("a space beside full-width punctuation", r" [，。；：！？、（）]|[，。；：！？、（）] "),
    ],
)
def test_chinese_is_set_as_chinese_is_set(fault, pattern):
    known = read(translations.file_of("zh_CN"))

    wrong = [form for forms in known.values() for form in forms if re.search(pattern, re.sub(PLACE, "□", form))]

    assert sorted(set(wrong)) == [], fault


def test_one_english_term_has_one_chinese_word():
    """Where a word of the glossary is in a text, its translation is in the translation."""
    terms = {
        r"\bneurons?\b": ("神经元",), r"\btokens? of text\b": ("词元",),
        r"\bpredictors?\b": ("预测器",), r"\btrash\b": ("回收站",), r"\bsystem prompt": ("系统提示词",),
        r"\bcensus\b": ("普查",), r"\bmirror": ("镜像",), r"\bproxy\b": ("代理",), r"\bconversations?\b": ("对话",),
    }  # fmt: skip
    known = read(translations.file_of("zh_CN"))

    wrong = [
        (source, forms[0])
        for (_, source), forms in known.items()
        for term, words in terms.items()
        if re.search(term, re.sub(rf"{PLACE}|ember \w+", "", source)) and not any(word in forms[0] for word in words)
    ]

    assert wrong == []
