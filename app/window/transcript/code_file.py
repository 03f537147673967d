"""A block of code as a file: which name suits it, and writing it so that an older file is whole until the new one is.

Asking where, and whether an older file may go, is the file dialog's. Knows no widget.
"""

import os
import re
from pathlib import Path

SUFFIXES = {
    "bash": "sh", "c": "c", "c#": "cs", "c++": "cpp", "cpp": "cpp", "csharp": "cs", "css": "css",
    "diff": "diff", "dockerfile": "dockerfile", "go": "go", "html": "html", "ini": "ini", "java": "java",
    "javascript": "js", "js": "js", "json": "json", "jsx": "jsx", "kotlin": "kt", "latex": "tex", "lua": "lua",
    "makefile": "mk", "markdown": "md", "matlab": "m", "md": "md", "objective-c": "m", "patch": "diff",
    "perl": "pl", "php": "php", "powershell": "ps1", "ps1": "ps1", "py": "py", "python": "py", "python3": "py",
    "r": "r", "rb": "rb", "rs": "rs", "ruby": "rb", "rust": "rs", "scala": "scala", "sh": "sh", "shell": "sh",
    "sql": "sql", "swift": "swift", "tex": "tex", "toml": "toml", "ts": "ts", "tsx": "tsx", "typescript": "ts",
    "xml": "xml", "yaml": "yaml", "yml": "yml", "zsh": "sh",
}  # fmt: skip
PLAIN_SUFFIX = "txt"

_NAMED = re.compile(
    r"^\s*(?:#|//|--|;|%|<!--|/\*)\s*(?:file(?:name)?:\s*)?([\w\-. /\\]{1,120}\.\w{1,10})\s*(?:-->|\*/)?\s*$"
)
_UNSAFE = re.compile(r"[^\w\-. ]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def suggested_name(code: str, language: str) -> str:
    """A safe name: the one that a comment in the first line gives, without folders, or one by the language."""
    suffix = SUFFIXES.get(language.lower(), PLAIN_SUFFIX)
    named = _NAMED.match(code.split("\n", 1)[0][:200])
    name = _UNSAFE.sub("_", re.split(r"[/\\]", named[1])[-1]).strip(". ") if named else ""
    if not name or "." not in name or _RESERVED.fullmatch(name):
        return f"code.{suffix}"
    return name


def write_code(path: Path, code: str) -> None:
    """Write the code with a line ending at its end. Raises OSError; then a file of that name is as it was."""
    text = code if not code or code.endswith("\n") else code + "\n"
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
