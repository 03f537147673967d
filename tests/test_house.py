"""The house rules that a reader cannot see in one file: who may import whom, what an import loads, names, openings."""

import ast
import pkgutil
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import app
import engine
from tests.conftest import live_children, live_threads

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"numba", "llvmlite", "torch", "cupy"}
QT = {"PySide6", "shiboken6"}
NETWORK = {"httpcore2", "h11", "httpx2", "requests", "urllib3", "huggingface_hub", "truststore"}
SOURCES = [
    path
    for folder in ("app", "engine", "packaging", "assets", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def loaded_by(*modules: str) -> set[str]:
    """Top-level packages in memory after a fresh process imported these modules."""
    code = f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\nprint(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return {name.split(".")[0] for name in answer.stdout.split()}


def modules_below(package) -> list[str]:
    return [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]


def test_import_contracts_hold():
    code = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"

    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert answer.returncode == 0, answer.stdout


@pytest.mark.parametrize("module", ["engine", "engine.api", "engine.messages", "engine.errors", "engine.doctor"])
def test_the_door_of_the_engine_loads_neither_compilers_nor_windows(module):
    assert not loaded_by(module) & (HEAVY | QT)


@pytest.mark.parametrize("module", ["engine.api", "engine.messages", "engine.errors", "engine.doctor", "app.cli"])
def test_the_door_of_the_engine_loads_nothing_that_speaks_to_the_network(module):
    assert not loaded_by(module) & NETWORK


def test_only_one_module_of_the_engine_can_open_a_socket():
    # two more name huggingface_hub, whose client has that line: tests/hub/test_hub_metadata.py holds it to that
    able = NETWORK | {"socket", "ssl", "http", "asyncio", "ftplib", "socketserver"}
    openers = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                named = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            if any(name.split(".")[0] in able or name.startswith("urllib.request") for name in named):
                openers.append(str(path.relative_to(ROOT)))

    of_library = ["engine/hub/hub_client.py", "engine/hub/hub_metadata.py"]
    assert sorted(set(openers)) == [*of_library, "engine/hub/transfer/line.py"]


def test_the_command_line_loads_neither_compilers_nor_windows():
    assert not loaded_by("app.cli") & (HEAVY | QT)


def test_no_module_of_the_application_loads_a_compiler():
    modules = [name for name in modules_below(app) if not name.endswith("__main__")]

    assert not loaded_by(*modules) & HEAVY


def test_no_module_of_the_engine_loads_torch_or_cupy_or_windows():
    modules = [name for name in modules_below(engine) if not name.endswith("__main__")]

    assert not loaded_by(*modules) & ({"torch", "cupy"} | QT)


def test_no_drawer_for_odds_and_ends():
    shapeless = re.compile(r"(utils?|helpers?|common|misc)")

    names = [part for path in SOURCES for part in (path.stem, path.parent.name) if shapeless.fullmatch(part)]

    assert names == []


def test_every_module_opens_with_what_it_owns():
    silent = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "tests" not in path.relative_to(ROOT).parts
        and (text := path.read_text(encoding="utf-8")).strip()
        and not ast.get_docstring(ast.parse(text))
    ]

    assert silent == []


def test_leaks_are_seen():
    threads, children = live_threads(), live_children()
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    assert live_threads() - threads == {thread}
    assert [process.pid for process in live_children() - children] == [child.pid]

    release.set()
    thread.join()
    child.communicate()


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_ci_runs_the_command_that_the_documents_name(document):
    command = "python3 packaging/bootstrap.py test"

    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert command in (ROOT / document).read_text(encoding="utf-8")
