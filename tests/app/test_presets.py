"""Presets are kept whole, handed on and taken in; how answers are made survives JSON and TOML."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answer_settings import (
    MAX_STOPS,
    AnswerSettings,
    answer_settings_from_json,
    answer_settings_of,
    answer_settings_to_json,
    stops_of,
    stops_text,
)
from app.presets import BUILT_IN, MAX_NAME_CHARS, PresetError, PresetFile, read_presets, write_presets
from engine.errors import InvalidRequest

ODD = AnswerSettings(
    'Say "hi"\\\nin 中文 \x7f😀\t.', 0.35, 0.9, 7, 0.1, 1.2, 2**62, 400, ("\n\n", "User:", " ", "\\n"), "own:Mine"
)  # fmt: skip


@pytest.fixture
def presets(tmp_path: Path) -> PresetFile:
    return PresetFile(tmp_path / "presets.toml")


def test_settings_survive_json():
    assert answer_settings_from_json(answer_settings_to_json(ODD)) == ODD


@pytest.mark.parametrize("text", [None, "", "[1]", "{", "null", "[" * 100_000])
def test_json_that_is_none_of_settings_is_none(text):
    assert answer_settings_from_json(text) is None


def test_a_value_that_does_not_fit_costs_itself_alone():
    found = answer_settings_of({"temperature": 99, "top_k": "many", "min_p": 0.2, "seed": True, "stop": [1], "new": 1})

    assert found == AnswerSettings(min_p=0.2)


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8), max_size=5, unique=True))
def test_stop_strings_come_back_as_they_were_typed(stops: list[str]):
    assert stops_of(stops_text(tuple(stops))) == tuple(stops)


@pytest.mark.parametrize(
    ("typed", "stops"),
    [
        ("", ()),
        ("\n\n", ()),
        ("END\n\nEND\nUser:", ("END", "User:")),
        ("\\n\\n", ("\n\n",)),
        ("\\\\n", ("\\n",)),
        ("a\\", ("a\\",)),
        (" ", (" ",)),
    ],
)
def test_stop_strings_as_they_are_typed(typed, stops):
    assert stops_of(typed) == stops


def test_more_stop_strings_than_are_kept_are_refused():
    with pytest.raises(InvalidRequest):
        AnswerSettings(stop=tuple(str(n) for n in range(MAX_STOPS + 1)))


def test_a_kept_preset_is_there_again(presets: PresetFile):
    kept = presets.save("  Mine ", ODD)
    again = PresetFile(presets.path)

    assert again.own == (kept,)
    assert again.find("own:Mine").applied_to(AnswerSettings()) == ODD


def test_a_preset_of_ember_leaves_the_system_prompt(presets: PresetFile):
    precise = presets.find("precise")
    applied = precise.applied_to(ODD)

    assert (applied.system_prompt, applied.temperature, applied.preset) == (ODD.system_prompt, 0.2, "precise")
    assert precise.differs_from(applied) == ()
    assert precise.differs_from(applied.changed({"top_k": 9, "system_prompt": "other"})) == ("top_k",)


def test_a_preset_of_ones_own_says_where_the_system_prompt_is_another(presets: PresetFile):
    mine = presets.save("Mine", ODD)

    assert mine.differs_from(ODD.changed({"system_prompt": "other"})) == ("system_prompt",)


@pytest.mark.parametrize("name", ["", "   ", "x" * (MAX_NAME_CHARS + 1)])
def test_a_preset_needs_a_name(presets: PresetFile, name):
    with pytest.raises(PresetError) as refused:
        presets.save(name, ODD)
    assert refused.value.code == "name"


def test_the_names_of_embers_own_are_taken(presets: PresetFile):
    with pytest.raises(PresetError) as refused:
        presets.save("balanced", ODD)
    assert refused.value.code == "taken"


def test_renaming_deleting_and_bringing_back(presets: PresetFile):
    presets.save("One", ODD)
    two = presets.save("Two", AnswerSettings(seed=3))

    with pytest.raises(PresetError):
        presets.rename(two.key, "One")
    renamed = presets.rename(two.key, "Three")
    gone = presets.delete("own:One")
    assert [preset.name for preset in PresetFile(presets.path).own] == ["Three"]
    presets.restore(gone)
    assert {preset.name for preset in PresetFile(presets.path).own} == {"One", "Three"}
    assert presets.find(renamed.key).settings.seed == 3


def test_a_preset_handed_on_is_taken_in_under_a_free_name(presets: PresetFile, tmp_path: Path):
    mine = presets.save("Mine", ODD)
    write_presets(tmp_path / "handed-on.toml", (mine, BUILT_IN[0]))

    taken_in = presets.take_in(tmp_path / "handed-on.toml")

    assert [preset.name for preset in taken_in] == ["Mine 2", "Precise 2"]
    assert taken_in[0].settings == mine.settings
    assert taken_in[1].system_prompt is None


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"preset = 3", b"[[preset]]\ntemperature = 1.0", b"a = [" * 9999]
)
def test_a_file_that_is_no_preset_is_refused_and_changes_nothing(presets: PresetFile, tmp_path: Path, content):
    (tmp_path / "other.toml").write_bytes(content)
    presets.save("Mine", ODD)

    with pytest.raises(PresetError) as refused:
        presets.take_in(tmp_path / "other.toml")

    assert refused.value.code == "file"
    assert refused.value.reason
    assert len(PresetFile(presets.path).own) == 1


def test_a_broken_file_is_kept_aside(tmp_path: Path):
    path = tmp_path / "presets.toml"
    path.write_text("not = [toml", encoding="utf-8")

    presets = PresetFile(path)
    presets.save("Mine", ODD)

    assert presets.problem
    assert [p.read_text() for p in tmp_path.glob("presets.broken-*.toml")] == ["not = [toml"]
    assert len(PresetFile(path).own) == 1


def test_a_file_that_cannot_be_written_says_so_and_keeps_the_old_one(presets: PresetFile, monkeypatch):
    presets.save("Mine", ODD)

    def refuse(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.presets.os.fsync", refuse)
    with pytest.raises(PresetError) as refused:
        presets.save("Other", ODD)

    assert (refused.value.code, refused.value.reason) == ("file", "No space left on device")
    assert [preset.name for preset in PresetFile(presets.path).own] == ["Mine"]
    assert list(presets.path.parent.glob("*.new")) == []


def test_hostile_names_stay_names():
    text = '[[preset]]\nname = "../../etc/passwd\\n[[preset]]"\nsystem_prompt = "x"\n'

    (preset,) = read_presets(text)

    assert preset.name == "../../etc/passwd [[preset]]"
