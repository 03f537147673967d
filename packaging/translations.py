"""Keeps the window's translations up to date.

    python packaging/translations.py update    find the texts of the code, write assets/translations/*.ts
    python packaging/translations.py compile   make the *.qm that the window reads, with PySide6's lrelease
    python packaging/translations.py check     say what is not translated; exit code 1 where there is something
    python packaging/translations.py strays    sentences in the code that seem to reach no translation

Translations are written into the .ts files with Qt Linguist (pyside6-linguist) or any editor. Both kinds of file are
committed: an installed Ember needs no tool to speak Chinese. Run it with the Python of the development environment.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ember_texts.linguist import FORMS, faults, read, written
from ember_texts.sources import Found, Place, Text, stray_texts, texts_of

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "translations"
# Literals of the window that look like sentences and are names for the program: of states, fonts, keys, an example.
NAMES = frozenset(
    {
        "card only", "gpu only", "no model", "page picture", "data folder", "settings folder", "reset all",
        "reset keys", "http://proxy:8080, socks5h://localhost:1080", "Noto Sans CJK SC", "Source Han Sans SC",
        "Microsoft YaHei", "Log of the", "GB free", "Ctrl+=; Ctrl++",
    }
)  # fmt: skip


def file_of(language: str) -> Path:
    return FOLDER / f"ember_{language}.ts"


def texts_for(language: str, texts: Sequence[Text]) -> list[Text]:
    """English is in the code; only its plural forms are a translation."""
    return [text for text in texts if text.has_count or language != "en"]


def update() -> None:
    texts = list(texts_of(ROOT).texts.values())
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language in FORMS:
        path = file_of(language)
        path.write_text(written(language, texts_for(language, texts), read(path)), encoding="utf-8", newline="\n")


def compile_to(folder: Path) -> None:
    """The .qm of every language; raises CalledProcessError where a file is none."""
    lrelease = Path(sys.executable).parent / "pyside6-lrelease"
    for language in FORMS:
        target = folder / f"ember_{language}.qm"
        command = [str(lrelease), "-silent", "-nounfinished", str(file_of(language)), "-qm", str(target)]
        subprocess.run(command, check=True, capture_output=True, text=True)


def check() -> int:
    texts = list(texts_of(ROOT).texts.values())
    n_faults = 0
    for language in FORMS:
        for fault in faults(language, texts_for(language, texts), read(file_of(language))):
            print(f"{language}: {fault.context}: {fault.source!r}: {fault.what}")
            n_faults += 1
    print(f"{len(texts)} texts, {n_faults} faults")
    return 1 if n_faults else 0


def strays(found: Found) -> list[tuple[Place, str]]:
    """Sentences in the window's modules that seem to reach no translation."""
    return [(place, text) for place, text in stray_texts(ROOT, found, NAMES) if place.file.startswith("app/window/")]


def say_strays() -> int:
    found = strays(texts_of(ROOT))
    for place, text in found:
        print(f"{place.file}:{place.line}: {text!r}")
    return 1 if found else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("task", choices=("update", "compile", "check", "strays"))
    task = parser.parse_args(arguments).task
    if task == "update":
        update()
    elif task == "compile":
        compile_to(FOLDER)
    else:
        return check() if task == "check" else say_strays()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
