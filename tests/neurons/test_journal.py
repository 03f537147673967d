"""A journal goes on after any ending, and only with records of its own."""

import pytest

from engine.errors import LibraryNotWritable
from engine.neurons.journal import FILE_NAME, Journal

SETTINGS = {"of": "weights", "n": 3}


def filled(folder, n=3):
    journal = Journal(folder, SETTINGS)
    for i in range(n):
        journal.put(f"window {i}", [0.1 * i, 1 / 3], elapsed_s=float(i))
    return journal


def test_what_was_put_is_there_when_opened_again(tmp_path):
    filled(tmp_path)

    again = Journal(tmp_path, SETTINGS)

    assert again.get("window 2") == [0.2, 1 / 3]
    assert "window 3" not in again
    assert again.elapsed_s == 2.0


def test_a_file_cut_anywhere_gives_back_whole_records_and_takes_new_ones(tmp_path):
    filled(tmp_path)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])

        journal = Journal(tmp_path, SETTINGS)
        known = [i for i in range(3) if f"window {i}" in journal]
        journal.put("new", 1, 9.0)

        assert known == list(range(len(known)))
        assert Journal(tmp_path, SETTINGS).get("new") == 1
        assert all(Journal(tmp_path, SETTINGS).get(f"window {i}") == [0.1 * i, 1 / 3] for i in known)


@pytest.mark.parametrize("other", [{"of": "others", "n": 3}, {"of": "weights", "n": 4}, {}])
def test_records_of_other_settings_are_not_trusted(tmp_path, other):
    filled(tmp_path)

    assert "window 0" not in Journal(tmp_path, other)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}\n[1]\n", b"null"])
def test_another_file_in_its_place_is_begun_anew(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)

    journal = filled(tmp_path)

    assert "window 0" in journal
    assert "window 0" in Journal(tmp_path, SETTINGS)


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(LibraryNotWritable) as caught:
        Journal(tmp_path / "file", SETTINGS)

    assert "file" in caught.value.path
