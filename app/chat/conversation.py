"""What the parts of the program that deal in conversations all say: how an answer stands, what a chat is called."""

from app.chat.attached_files import split_files

STREAMING, DONE, STOPPED, ERROR, INTERRUPTED = "streaming", "done", "stopped", "error", "interrupted"
STATUSES = (STREAMING, DONE, STOPPED, ERROR, INTERRUPTED)

TITLE_CHARACTERS = 60


def title_of(text: str) -> str:
    """A title from a first message: its first line that says something, cut at a word, or the name of its file."""
    text, files = split_files(text)
    text = text if text.strip() or not files else files[0].name
    lines = (line for raw in text.splitlines() if (line := raw.strip().lstrip("#>*-` ").strip()))
    line = next(lines, text.strip())
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARACTERS // 2 :] else cut
    return at_word.rstrip(" ,.;:") + "…"
