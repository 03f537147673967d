"""Finds every text that the window shows, with the context in which Qt looks it up.

Owns the conventions by which the code asks for a translation; what follows none of them is not found, and `stray_texts`
says where a sentence seems to have been forgotten. The code is parsed and never run. The conventions:

- `self.tr("…")` in a class: the class is the context, as PySide looks a text up in the object's class and its bases.
- A module's function that does nothing but `return QCoreApplication.translate("Context", text)`: calls of it by name.
- A module without Qt asks `translate`, which it is handed, or `tr` of app/language.py. Both look in the context WORDS.
  There a sentence may also stand in a table and reach `translate` by a name, so that every text of such a module counts
  that is not a key, a docstring, an operand of a comparison, or part of an f-string.
- What the catalogue of models, assets/catalog.toml, notes of a model, in the context WORDS.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

WORDS = "Words"
FOLDER = "app"
LANGUAGE_MODULE = "app/language.py"
CATALOGUE = "assets/catalog.toml"
# Front-ends of a terminal, which speaks English only, and what asks for no translation.
_NOT_TRANSLATED = (
    "app/terminal/",
    "app/command_line/",
    "app/cli.py",
    "app/__main__.py",
    "app/logs.py",
    "app/display.py",
)
# Tables of a module without Qt whose values are names for the program and not words for people.
_NAMES_ONLY = re.compile(r".*_(INKS|ICONS|KEYS|KINDS|FIELDS|ORDER|START_WORDS)$|^_?(STYLE|FORMATS?|ASSUMABLE_CARDS)$")
# Codes of errors and names of signals, which stand in tables beside words.
_CODE = re.compile(r"(?:[A-Z][a-z]+){2,}|SIG[A-Z]+")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_SENTENCE = re.compile(r"[A-Za-z“][^\s]* +[^\s]*[a-z]{2}")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text with all its places; `has_count` where it is asked for with a number, so that it has plural forms."""

    context: str
    source: str
    has_count: bool = False
    places: tuple[Place, ...] = ()


@dataclass(slots=True)
class Found:
    """What the code asks for, and where it asks for something that cannot be told from the code."""

    texts: dict[tuple[str, str], Text] = field(default_factory=dict)
    unknown: list[Place] = field(default_factory=list)

    def add(self, context: str, source: str, place: Place, *, has_count: bool = False) -> None:
        key = context, source
        before = self.texts.get(key)
        places = (*before.places, place) if before else (place,)
        counted = has_count or (before is not None and before.has_count)
        self.texts[key] = Text(context, source, counted, tuple(sorted(set(places))))


def texts_of(root: Path) -> Found:
    """Every text of the application below `root`."""
    found = Found()
    modules = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in _modules(root)}
    translators = {name: _translators(tree) for name, tree in modules.items()}
    translators[LANGUAGE_MODULE] = {"tr": WORDS}
    for name, tree in modules.items():
        known = dict(translators[name])
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                theirs = translators.get(node.module.replace(".", "/") + ".py", {})
                known |= {
                    alias.asname or alias.name: theirs[alias.name] for alias in node.names if alias.name in theirs
                }
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in known:
                known |= {target.id: known[node.value.id] for target in node.targets if isinstance(target, ast.Name)}
        is_words = not _imports_qt(tree) and asks_for_words(tree)
        _Reader(name, known, found, is_words=is_words).visit(tree)
        if is_words:
            for line, source in _loose_texts(tree):
                found.add(WORDS, source, Place(name, line))
    for source in _catalogue_texts(root / CATALOGUE):
        found.add(WORDS, source, Place(CATALOGUE, 1))
    return found


def _catalogue_texts(path: Path) -> Iterator[str]:
    """What the catalogue says of models in sentences; where a share is from is mostly a paper's name."""
    if path.exists():
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["model"]:
            yield from (entry[key] for key in ("note", "unsupported") if entry.get(key))


def stray_texts(root: Path, found: Found, allowed: Iterable[str] = ()) -> list[tuple[Place, str]]:
    """Literals of the window's modules that read like a sentence and reach no translation."""
    asked = {source for _, source in found.texts}
    allowed = set(allowed)
    stray = []
    for name, path in _modules(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, text in _plain_literals(tree, with_f_strings=True):
            if _SENTENCE.search(text.strip()) and text not in asked and text.strip() not in allowed:
                stray.append((Place(name, node.lineno), text))
    return stray


def _modules(root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted((root / FOLDER).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(_NOT_TRANSLATED):
            yield name, path


def _imports_qt(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "PySide6" for node in ast.walk(tree)
    )


def asks_for_words(tree: ast.Module) -> bool:
    """Whether a module without Qt asks for translations at all."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("translate", "tr")
        for node in ast.walk(tree)
    ) or any(isinstance(node, ast.ImportFrom) and node.module == "app.error_text" for node in ast.walk(tree))


def _translators(tree: ast.Module) -> Mapping[str, str]:
    """The module's own functions that look a text up, with the context they look in."""
    contexts = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if not isinstance(inner, ast.Call) or _attribute(inner.func) != "QCoreApplication.translate":
                    continue
                if len(inner.args) >= 2 and isinstance(inner.args[1], ast.Name):
                    context = inner.args[0]
                    if isinstance(context, ast.Constant):
                        contexts[node.name] = str(context.value)
    return contexts


class _Reader(ast.NodeVisitor):
    """Notes what a module asks for by calls."""

    def __init__(self, name: str, translators: Mapping[str, str], found: Found, *, is_words: bool) -> None:
        self._name = name
        self._translators = translators
        self._found = found
        self._is_words = is_words
        self._classes: list[str] = []
        self._functions: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()

    def visit_Call(self, node: ast.Call) -> None:
        called = _attribute(node.func)
        if called == "self.tr" and self._classes:
            self._note(self._classes[-1], node, 0, n_plain=1)
        elif called == "QCoreApplication.translate":
            if self._functions and self._functions[-1] in self._translators and not self._classes:
                pass  # the function that is itself asked
            elif isinstance(node.args[0], ast.Constant):
                self._note(str(node.args[0].value), node, 1, n_plain=2)
            else:
                self._found.unknown.append(Place(self._name, node.lineno))
        elif called in self._translators:
            self._note(self._translators[called], node, 0, n_plain=1)
        elif self._is_words and called in ("translate", "tr"):
            self._note(WORDS, node, 0, n_plain=1)
        elif called.endswith(".tr") and called != "self.tr":
            self._found.unknown.append(Place(self._name, node.lineno))
        self.generic_visit(node)

    def _note(self, context: str, node: ast.Call, at: int, *, n_plain: int) -> None:
        place = Place(self._name, node.lineno)
        sources = list(_literals(node.args[at])) if len(node.args) > at else []
        if not sources and context != WORDS:
            self._found.unknown.append(place)
        has_count = len(node.args) > n_plain or any(keyword.arg == "n" for keyword in node.keywords)
        for source in sources:
            self._found.add(context, source, place, has_count=has_count)


def _literals(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be: one, or one of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def _attribute(node: ast.expr) -> str:
    """`a.b.c` as it is written; empty for what is no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _attribute(node.value)
        return f"{before}.{node.attr}" if before else f".{node.attr}"
    return ""


def _loose_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts of a module without Qt that may reach `translate` by a name: in its tables, and in its functions."""
    skipped = {
        id(inner)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _NAMES_ONLY.match(_assigned_name(node))
        for inner in ast.walk(node)
    }
    in_tables = {
        id(inner)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_constant_name(_assigned_name(node))
        for inner in ast.walk(node)
    }
    for node, text in _plain_literals(tree, with_f_strings=False):
        if id(node) in skipped or not _LETTERS.search(text) or _CODE.fullmatch(text):
            continue
        if id(node) in in_tables or _SENTENCE.search(text):
            yield node.lineno, text


def _assigned_name(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _is_constant_name(name: str) -> bool:
    return bool(name) and name.upper() == name


def _plain_literals(tree: ast.Module, *, with_f_strings: bool) -> Iterator[tuple[ast.Constant, str]]:
    """String literals in places where a text for people can stand."""
    no_text: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            no_text |= {id(each.value) for each in node.body if isinstance(each, ast.Expr)}
        elif isinstance(node, ast.Dict):
            no_text |= {id(key) for key in node.keys if key is not None}
        elif isinstance(node, ast.Compare):
            no_text |= {id(inner) for each in (node.left, *node.comparators) for inner in ast.walk(each)}
        elif isinstance(node, ast.Subscript):
            no_text |= {id(inner) for inner in ast.walk(node.slice)}
        elif isinstance(node, ast.MatchValue):
            no_text.add(id(node.value))
        elif isinstance(node, ast.JoinedStr) and not with_f_strings:
            no_text |= {id(each) for each in node.values}
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            no_text |= {id(inner) for inner in ast.walk(node.format_spec)}
        elif isinstance(node, ast.Call) and _names_things(node):
            no_text |= {id(inner) for argument in node.args for inner in ast.walk(argument)}
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            no_text |= {id(inner) for inner in ast.walk(node.annotation)}
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            no_text |= {id(inner) for inner in ast.walk(node.returns)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in no_text:
            yield node, node.value


_FOR_PROGRAMS = re.compile(r"(^|\.)(log\.\w+|compile|execute|executescript|setProperty|setObjectName|QKeySequence|"
                           r"replace|strftime|sub|split|join|index|fullmatch|match|search|finditer|QCoreApplication\.\w+|"
                           r"setStyleSheet|encode|decode|startswith|endswith|TypeVar|getattr)$")  # fmt: skip


def _names_things(node: ast.Call) -> bool:
    """Whether a call takes words for the program and not for people."""
    return bool(_FOR_PROGRAMS.search(_attribute(node.func)))
