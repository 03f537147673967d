"""The files of Qt Linguist: reading what is translated, writing it back with the texts the code has now.

A file keeps its translations by context and text. What the code no longer asks for is dropped, what is new is marked
as unfinished; a translation known in another context is taken over, since the same words mean the same here.
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from ember_texts.sources import Text

# How many forms a counted text has: gettext calls them plural forms.
FORMS = {"en": 2, "zh_CN": 1}
_PLACE = re.compile(r"%L?n|%\d+|\{[a-z_]*\}|\{\{|\}\}")

Forms = tuple[str, ...]
Translations = Mapping[tuple[str, str], Forms]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a translation is not one."""

    context: str
    source: str
    what: str


def read(path: Path) -> dict[tuple[str, str], Forms]:
    """Finished translations by context and text; nothing where there is no file."""
    if not path.exists():
        return {}
    found = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type"):
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            found[name, message.findtext("source", "")] = tuple(forms)
    return found


def known_elsewhere(known: Translations) -> dict[str, Forms]:
    """By text alone, where every context that has it says the same."""
    by_source: dict[str, set[Forms]] = {}
    for (_, source), forms in known.items():
        by_source.setdefault(source, set()).add(forms)
    return {source: next(iter(forms)) for source, forms in by_source.items() if len(forms) == 1}


def written(language: str, texts: Iterable[Text], known: Translations) -> str:
    """The file's content: every text by context and in order, with what is known of it."""
    elsewhere = known_elsewhere(known)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
    ]
    context = None
    for text in sorted(texts, key=lambda each: (each.context, each.source)):
        if text.context != context:
            if context is not None:
                lines.append("</context>")
            context = text.context
            lines += ["<context>", f"    <name>{escape(context)}</name>"]
        forms = known.get((text.context, text.source)) or elsewhere.get(text.source) or ()
        lines += _message(text, forms, FORMS[language])
    if context is not None:
        lines.append("</context>")
    return "\n".join([*lines, "</TS>", ""])


def _message(text: Text, forms: Forms, n_forms: int) -> list[str]:
    is_done = len(forms) == (n_forms if text.has_count else 1) and all(forms)
    kind = "" if is_done else ' type="unfinished"'
    files = sorted({place.file for place in text.places})
    lines = ['    <message numerus="yes">' if text.has_count else "    <message>"]
    lines += [f'        <location filename="../../{escape(file)}"/>' for file in files]
    lines.append(f"        <source>{escape(text.source)}</source>")
    if text.has_count:
        shown = forms if is_done else ("",) * n_forms
        lines.append(f"        <translation{kind}>")
        lines += [f"            <numerusform>{escape(form)}</numerusform>" for form in shown]
        lines.append("        </translation>")
    else:
        lines.append(f"        <translation{kind}>{escape(forms[0]) if is_done else ''}</translation>")
    return [*lines, "    </message>"]


def faults(language: str, texts: Iterable[Text], known: Translations) -> list[Fault]:
    """Texts without a translation, and translations whose placeholders are not those of the text."""
    found = []
    for text in texts:
        forms = known.get((text.context, text.source), ())
        if len(forms) != (FORMS[language] if text.has_count else 1) or not all(forms):
            found.append(Fault(text.context, text.source, "not translated"))
            continue
        wanted = set(_PLACE.findall(text.source))
        for form in forms:
            there = set(_PLACE.findall(form))
            optional = {"%n", "%Ln"} if text.has_count else set()
            if (there ^ wanted) - optional:
                found.append(Fault(text.context, text.source, f"placeholders differ: {form}"))
    return found
