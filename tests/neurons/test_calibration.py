"""Bundled text is there, named and licensed; windows are whole, spread, and either learned from or held out."""

import os
import re

import pytest

from engine.errors import FileMissing, TextUnusable
from engine.neuron_reports import KINDS, OWN, StudySpec
from engine.neurons.calibration import BUNDLED, HELD_OUT_EVERY, TEXTS, calibration_windows
from engine.text.tokenizer import Tokenizer
from tests.model_fixtures import AUSTEN
from tests.neurons.tiny_study import write_text
from tests.tiny_model import tiny_facts

HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(tiny_facts())


@pytest.fixture
def own(tmp_path):
    return write_text(tmp_path / "text.txt")


def windows_of(tokenizer, spec, n_tokens=10**6, window_tokens=50, held_out=False):
    return calibration_windows(tokenizer, spec, n_tokens=n_tokens, window_tokens=window_tokens, held_out=held_out)


# The bundled text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_text_of_its_kind_a_source_and_a_licence(kind):
    text = (TEXTS / f"{kind}.txt").read_text(encoding="utf-8")
    name, licence = BUNDLED[kind]

    assert 100_000 < len(text.encode()) < 400_000
    assert name
    assert licence
    assert "\r" not in text
    assert "\ufffd" not in text
    assert (len(HAN.findall(text)) > 0.5 * len(text)) == (kind == "chinese")
    assert max(text.count(line) for line in {"def ", "return "}) > 100 or kind != "code"


def test_every_text_is_listed_and_every_licence_is_there():
    readme = (TEXTS / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"licences/[\w.-]+\.txt", readme))

    assert set(BUNDLED) == set(KINDS)
    assert {path.name for path in TEXTS.glob("*.txt")} == {f"{kind}.txt" for kind in KINDS}
    assert all(f"`{kind}.txt`" in readme for kind in KINDS)
    assert named == {f"licences/{path.name}" for path in (TEXTS / "licences").iterdir()}
    for path in named:
        assert re.search(r"copyright", (TEXTS / path).read_text(encoding="utf-8"), re.IGNORECASE)


def test_what_the_tests_hold_out_is_in_no_bundled_text():
    def words(text):
        return re.findall(r"\w+", text)

    held_out = words(AUSTEN.read_text(encoding="utf-8"))
    phrases = {tuple(held_out[first : first + 12]) for first in range(len(held_out) - 12)}
    for kind in KINDS:
        text = words((TEXTS / f"{kind}.txt").read_text(encoding="utf-8"))
        assert not any(tuple(text[first : first + 12]) in phrases for first in range(len(text) - 12))


# Windows ----------------------------------------------------------------------------------------------------------


def test_learned_and_held_out_windows_share_nothing_and_together_are_the_text(tokenizer, own):
    tokens = tokenizer.encode(own.read_text(encoding="utf-8"))
    whole = [tuple(tokens[first : first + 50]) for first in range(0, len(tokens) - 49, 50)]
    spec = StudySpec("census", paths=(str(own),))

    learned, _ = windows_of(tokenizer, spec)
    held_out, _ = windows_of(tokenizer, spec, held_out=True)

    assert [w.tokens for w in held_out] == whole[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    assert [w.tokens for w in learned] == [w for i, w in enumerate(whole) if i % HELD_OUT_EVERY != HELD_OUT_EVERY - 1]


@pytest.mark.parametrize("held_out", [True, False])
def test_a_few_windows_are_spread_over_the_text(tokenizer, own, held_out):
    spec = StudySpec("census", paths=(str(own),))
    everything, _ = windows_of(tokenizer, spec, held_out=held_out)
    few, corpora = windows_of(tokenizer, spec, n_tokens=4 * 50 + 49, held_out=held_out)

    assert len(few) == 4
    assert corpora[0].n_tokens == 200
    at = [everything.index(w) for w in few]
    assert [round(4 * place / len(everything)) for place in at] == [0, 1, 2, 3]


def test_kinds_take_turns_and_share_the_tokens(tokenizer, own):
    spec = StudySpec("census", kinds=("code", "prose"), paths=(str(own),))

    windows, corpora = windows_of(tokenizer, spec, n_tokens=6 * 50)

    assert [w.kind for w in windows] == ["code", "prose", OWN] * 2
    assert [(c.kind, c.n_tokens) for c in corpora] == [("code", 100), ("prose", 100), (OWN, 100)]
    assert [(c.name, c.licence) for c in corpora] == [BUNDLED["code"], BUNDLED["prose"], ("", "")]


def test_all_kinds_are_taken_unless_some_or_own_text_are_named(tokenizer, own):
    def kinds(**spec):
        return [c.kind for c in windows_of(tokenizer, StudySpec("census", **spec), n_tokens=50)[1]]

    assert kinds() == list(KINDS)
    assert kinds(kinds=("chinese",)) == ["chinese"]
    assert kinds(paths=(str(own),)) == [OWN]


def test_files_of_ones_own_are_read_one_after_the_other(tokenizer, tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(name * 30, encoding="utf-8")
    spec = StudySpec("census", paths=(str(tmp_path / "a"), str(tmp_path / "b")))

    windows, _ = windows_of(tokenizer, spec, window_tokens=62)

    assert [tokenizer.decode(w.tokens) for w in windows] == ["a" * 30 + "\n\n" + "b" * 30]


@pytest.mark.parametrize("held_out", [True, False])
def test_too_little_text_is_refused_with_how_much_there_must_be(tokenizer, tmp_path, held_out):
    path = tmp_path / "short.txt"
    path.write_text("x" * 49, encoding="utf-8")

    with pytest.raises(TextUnusable) as raised:
        windows_of(tokenizer, StudySpec("census", paths=(str(path),)), held_out=held_out)

    assert (raised.value.reason, raised.value.needed_tokens) == ("too_short", 400 if held_out else 50)


def test_a_window_of_each_kind_is_taken_however_few_tokens_are_asked_for(tokenizer):
    windows, _ = windows_of(tokenizer, StudySpec("census"), n_tokens=1)

    assert [len(window.tokens) for window in windows] == [50] * len(KINDS)
    assert [window.kind for window in windows] == list(KINDS)


def test_text_that_cannot_be_read_is_named(tokenizer, tmp_path):
    (tmp_path / "latin.txt").write_bytes("Größe".encode("latin-1") * 100)
    (tmp_path / "empty.txt").write_text(" \n", encoding="utf-8")
    refused = {"latin.txt": "not_utf8", "empty.txt": "empty", ".": "no_file"}
    for name in ("none.txt", *refused):
        with pytest.raises(TextUnusable if name in refused else FileMissing) as raised:
            windows_of(tokenizer, StudySpec("census", paths=(str(tmp_path / name),)))
        assert raised.value.path == str(tmp_path / name)
        assert name not in refused or raised.value.reason == refused[name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_refused_rather_than_waited_for(tokenizer, tmp_path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(TextUnusable, match="no_file"):
        windows_of(tokenizer, StudySpec("census", paths=(str(tmp_path / "pipe"),)))
