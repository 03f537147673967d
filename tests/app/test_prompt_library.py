"""The user's prompts on disk, those that come with Ember, what finds them and what they become."""

import pytest

from app.paths import assets_dir
from app.prompt_library import MAX_TEXT, Filled, Prompt, PromptLibrary, filled, matching, next_place, places

BUILT_IN = assets_dir() / "prompts"


@pytest.fixture
def library(tmp_path):
    return PromptLibrary(tmp_path / "config" / "prompts.toml", BUILT_IN)


def test_prompts_come_in_both_languages_with_the_same_places_kept_for_text(library):
    english, chinese = library.built_in("en"), library.built_in("zh_CN")

    assert len(english) == len(chinese) >= 8
    for one, other in zip(english, chinese, strict=True):
        assert one.name != other.name
        assert ("text" in places(one.text)) == ("text" in places(other.text))
        assert ("clipboard" in places(one.text)) == ("clipboard" in places(other.text))


def test_own_prompts_come_first_and_replace_those_of_the_same_name(library):
    library.keep([Prompt("summarise", "Mine: {{text}}"), Prompt("Poem", "Write a poem")])

    names = [prompt.name for prompt in library.prompts("en")]

    assert names[:2] == ["summarise", "Poem"]
    assert "Summarise" not in names


@pytest.mark.parametrize("text", ['"quotes" and \\ and """', "lines\nof\ttext\x7f", "火 \ud800", "{{text}}"])
def test_what_is_kept_is_read_back_the_same(library, text):
    library.keep([Prompt('名字 "x"', text)])

    again = PromptLibrary(library.path, BUILT_IN)

    assert again.own == (Prompt('名字 "x"', text.encode("utf-8", "replace").decode()),)
    assert again.problem == ""


def test_prompts_without_a_name_or_text_are_not_kept(library):
    library.keep([Prompt(" ", "x"), Prompt("x", " "), Prompt("kept", "y" * 2 * MAX_TEXT)])

    assert [(p.name, len(p.text)) for p in PromptLibrary(library.path, BUILT_IN).own] == [("kept", MAX_TEXT)]


def test_a_broken_file_is_kept_aside_and_said_so(tmp_path):
    path = tmp_path / "prompts.toml"
    path.write_text("[[prompt]\nname = ")

    library = PromptLibrary(path, BUILT_IN)

    assert library.own == ()
    assert library.problem
    assert library.kept_aside is not None
    assert library.kept_aside.read_text() == "[[prompt]\nname = "
    library.keep([Prompt("new", "text")])
    assert PromptLibrary(path, BUILT_IN).own == (Prompt("new", "text"),)


def test_a_file_that_cannot_be_read_is_not_replaced(tmp_path):
    path = tmp_path / "prompts.toml"
    path.mkdir()

    library = PromptLibrary(path, BUILT_IN)

    assert library.problem
    with pytest.raises(OSError):
        library.keep([Prompt("new", "text")])
    assert path.is_dir()


def test_what_is_no_prompt_in_a_file_is_passed_over(tmp_path):
    path = tmp_path / "prompts.toml"
    path.write_text('other = 1\n[[prompt]]\nname = 3\ntext = "x"\n[[prompt]]\nname = "ok"\ntext = "fine"\n')

    assert PromptLibrary(path, BUILT_IN).own == (Prompt("ok", "fine"),)


def test_names_that_begin_with_what_was_typed_come_before_others():
    prompts = [Prompt("Rewrite", "translate"), Prompt("Retranslate", "x"), Prompt("Translate", "y"), Prompt("Z", "w")]

    assert [p.name for p in matching(prompts, "TRANS")] == ["Translate", "Retranslate", "Rewrite"]
    assert matching(prompts, "") == prompts
    assert matching(prompts, "nothing like it") == []


@pytest.mark.parametrize(
    ("text", "typed", "clipboard", "expected"),
    [
        ("Sum up:\n{{text}}", "my words", "", Filled("Sum up:\nmy words", 16, 0)),
        ("Sum up: {{text}}.", "", "", Filled("Sum up: {{text}}.", 8, 8)),
        ("Reply: {{ clipboard }}", "", "copied\n", Filled("Reply: copied", 13, 0)),
        ("Reply: {{clipboard}}", "", " ", Filled("Reply: {{clipboard}}", 7, 13)),
        ("Into {{language}}: {{text}}", "hello", "", Filled("Into {{language}}: hello", 5, 12)),
        ("{{text}} and {{text}}", "x", "", Filled("x and x", 7, 0)),
        ("Plain", "typed", "", Filled("Plain\n\ntyped", 12, 0)),
        ("Plain", "", "", Filled("Plain", 5, 0)),
        ("{{text}}", "{{text}}", "", Filled("{{text}}", 8, 0)),
    ],
)
def test_places_are_filled_and_the_first_other_one_is_selected(text, typed, clipboard, expected):
    assert filled(Prompt("x", text), typed, clipboard) == expected


def test_a_file_stands_for_the_text_that_was_not_typed():
    assert filled(Prompt("x", "Sum up:\n\n{{text}}"), "", "", has_files=True) == Filled("Sum up:", 7, 0)


def test_the_next_place_is_found_from_where_one_is():
    text = "{{a}} and {{b c}}"

    assert next_place(text, 0) == (0, 5)
    assert next_place(text, 5) == (10, 7)
    assert next_place(text, 17) == (-1, 0)
