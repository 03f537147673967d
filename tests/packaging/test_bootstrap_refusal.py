"""A Python that cannot run Ember is refused in a sentence that says what to do."""

import ast
from pathlib import Path

import bootstrap
import pytest

BOOTSTRAP = Path(bootstrap.__file__)


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 4), (3, 13, 9)])
def test_supported_pythons_are_not_refused(version):
    assert bootstrap.refusal(version, which=lambda name: None) == ""


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 14, 0)])
def test_other_pythons_are_refused_with_the_versions_that_serve(version):
    sentence = bootstrap.refusal(version, which=lambda name: None)

    assert f"this is Python {version[0]}.{version[1]}" in sentence
    assert "3.11, 3.12 or 3.13" in sentence


def test_refusal_names_an_interpreter_that_is_there():
    sentence = bootstrap.refusal((3, 10, 1), which=lambda name: "/usr/bin/" + name if name == "python3.12" else None)

    assert "python3.12 is installed" in sentence


def test_an_old_interpreter_can_read_the_file_far_enough_to_refuse():
    ast.parse(BOOTSTRAP.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_set_up_needs_the_standard_library_only():
    import sys

    files = [BOOTSTRAP, *(BOOTSTRAP.parent / "ember_setup").glob("*.py")]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            foreign = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"ember_setup"}
            assert not foreign, f"{file.name} imports {foreign}"
