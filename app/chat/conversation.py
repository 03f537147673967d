"""What the parts of the program that deal in conversations all say: how an answer stands, what a chat is called."""

STREAMING, DONE, STOPPED, ERROR, INTERRUPTED = "streaming", "done", "stopped", "error", "interrupted"
STATUSES = (STREAMING, DONE, STOPPED, ERROR, INTERRUPTED)

TITLE_CHARACTERS = 60


def title_of(text: str) -> str:
    """A title from a first message: its first line that says something, cut at a word."""
    lines = (line for raw in text.splitlines() if (line := raw.strip().lstrip("#>*-` ").strip()))
    line = next(lines, text.strip())
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARACTERS // 2 :] else cut
    return at_word.rstrip(" ,.;:") + "…"
