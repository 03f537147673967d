"""Text to run models on: bundled, in four kinds, or the user's own files.

Owns the cutting of text into windows of tokens and the division into what is learned from and what is held out: of
every eight consecutive windows of a text the last is held out, so that both see all of it and neither the other's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import FileMissing, TextUnusable
from engine.neuron_reports import KINDS, OWN, Corpus, StudySpec
from engine.text.tokenizer import Tokenizer

# What each bundled text is and under which licence; texts/README.md says where it comes from.
BUNDLED = {
    "prose": ("novels of Jane Austen; Python documentation", "public domain; PSF-2.0"),
    "chinese": (
        "JupyterLab's Chinese texts; ChatterBot corpus; 红楼梦; 古文观止; 唐诗三百首",
        "BSD-3-Clause; public domain; MIT",
    ),
    "code": ("Python's standard library; Lua; Underscore", "PSF-2.0; MIT"),
    "dialogue": ("ChatterBot corpus; conversations of Jane Austen's Emma", "BSD-3-Clause; public domain"),
}
TEXTS = Path(__file__).parent / "texts"
# Of so many consecutive windows the last is held out.
HELD_OUT_EVERY = 8
_MAX_FILE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class TextWindow:
    """Consecutive tokens of one text."""

    kind: str
    tokens: tuple[int, ...]


def calibration_windows(
    tokenizer: Tokenizer, spec: StudySpec, *, n_tokens: int, window_tokens: int, held_out: bool
) -> tuple[tuple[TextWindow, ...], tuple[Corpus, ...]]:
    """Whole windows, the kinds in turns and spread over each text, and what they are of.

    Together at most `n_tokens`, but one window at least of each kind that has so much text. Raises FileMissing, or
    TextUnusable where a file is no text in UTF-8 or there is too little text.
    """
    sources = [(kind, _bundled(kind)) for kind in spec.kinds or (() if spec.paths else KINDS)]
    if spec.paths:
        sources.append((OWN, own_text(spec)))
    chosen: list[list[TextWindow]] = []
    for kind, text in sources:
        tokens = tokenizer.encode(text)
        cut = [
            TextWindow(kind, tuple(tokens[first : first + window_tokens]))
            for first in range(0, len(tokens) - window_tokens + 1, window_tokens)
        ]
        cut = [w for i, w in enumerate(cut) if (i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1) == held_out]
        chosen.append(_spread(cut, n_tokens // window_tokens // len(sources)))
    if not any(chosen):
        least = window_tokens * (HELD_OUT_EVERY if held_out else 1)
        raise TextUnusable("", "too_short", least)
    longest = max(len(windows) for windows in chosen)
    in_turns = [windows[i] for i in range(longest) for windows in chosen if i < len(windows)]
    corpora = (corpus_of(k, sum(len(w.tokens) for w in found)) for (k, _), found in zip(sources, chosen, strict=True))
    return tuple(in_turns), tuple(corpora)


def corpus_of(kind: str, n_tokens: int) -> Corpus:
    """What n_tokens of a kind of text are of; a user's own has no name and no licence."""
    name, licence = BUNDLED.get(kind, ("", ""))
    return Corpus(kind, name, licence, n_tokens)


def _spread(windows: Sequence[TextWindow], most: int) -> list[TextWindow]:
    """At most `most` of them, at equal distances; one at least where there is one."""
    n = min(len(windows), max(most, 1))
    return [windows[i * len(windows) // n] for i in range(n)]


def _bundled(kind: str) -> str:
    return (TEXTS / f"{kind}.txt").read_text(encoding="utf-8")


def own_text(spec: StudySpec) -> str:
    """The user's own files one after the other. Raises FileMissing or TextUnusable of one that cannot be used."""
    return "\n\n".join(_own(Path(path)) for path in spec.paths)


def _own(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise TextUnusable(str(path), "too_large")
        if not path.is_file():  # a pipe would be waited for, perhaps for ever
            raise TextUnusable(str(path), "no_file")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise TextUnusable(str(path), "not_utf8") from error
    if not text.strip():
        raise TextUnusable(str(path), "empty")
    return text
