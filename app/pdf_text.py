"""The text of a PDF file, in a process that is started for one file and bounded in time, memory and pages.

    python -I app/pdf_text.py FILE CHARACTERS

Writes one JSON object: the text, or why there is none; where it ends without one, the file is damaged. Stands by
itself: it imports nothing of Ember, and its parent (app/attachments.py) ends it where it takes too long.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_PAGES = 2000
MAX_MEMORY_BYTES = 1_500_000_000
MAX_SECONDS = 60  # of the processor
LEAST_CHARACTERS = 1  # on all pages together; pictures of pages have none

Answer = dict[str, str | int]


def bound_this_process() -> None:
    """Where the system can: less memory and time than would trouble the computer."""
    try:
        import resource
    except ImportError:  # Windows, where the parent's patience is the only limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))


def text_of(path: Path, max_characters: int) -> Answer:
    """What is told of a file."""
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        return {"refused": "encrypted"}
    n_pages = len(reader.pages)
    if n_pages > MAX_PAGES:
        return {"refused": "too many pages", "found": n_pages, "limit": MAX_PAGES}
    pages, n_characters = [], 0
    for text in _pages(reader):
        pages.append(text)
        n_characters += len(text)
        if n_characters > max_characters:
            return {"refused": "too long", "found": n_characters, "limit": max_characters}
    if n_characters < LEAST_CHARACTERS:
        return {"refused": "no text", "found": n_pages}
    return {"text": "\n\n".join(pages), "found": n_pages}


def _pages(reader) -> Iterator[str]:  # type: ignore[no-untyped-def]
    """The text of each page that has one."""
    for page in reader.pages:
        text = page.extract_text().replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip()
        if text:
            yield text


def main() -> None:
    bound_this_process()
    answer = text_of(Path(sys.argv[1]), int(sys.argv[2]))
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
