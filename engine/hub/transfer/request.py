"""What is to be fetched: a repository, a revision, files; and which of their names may be stored.

A repository's names are not trusted: a name is refused where it could leave the folder, where some system cannot store
it, or where two of them would be one file on a system that does not tell upper case from lower case.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from engine.errors import InvalidRequest, UnsafeName

WORK_FOLDER = ".ember-transfer"
_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FORBIDDEN = set('<>:"|?*\\')
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
_MAX_PART_BYTES = 255  # of a name between two slashes, on the usual file systems
_MAX_NAME_BYTES = 1024


@dataclass(frozen=True, slots=True)
class FileWanted:
    """A file by its path in the repository, and what is known of it beforehand.

    Size and digests come from a listing or a catalogue, where there was one; the hub is asked for what is absent, and
    held to what is present. `git_sha1` is git's name of the file's content (a blob), `sha256` that of a large file.
    Raises UnsafeName for a path that cannot be stored and InvalidRequest for a malformed member.
    """

    path: str
    size_bytes: int | None = None
    sha256: str = ""
    git_sha1: str = ""

    def __post_init__(self) -> None:
        check_name(self.path)
        if self.size_bytes is not None and self.size_bytes < 0:
            raise InvalidRequest("size_bytes", str(self.size_bytes), "0 or more")
        if self.sha256 and not _SHA256.fullmatch(self.sha256):
            raise InvalidRequest("sha256", self.sha256, "64 hexadecimal digits in lower case")
        if self.git_sha1 and not _COMMIT.fullmatch(self.git_sha1):
            raise InvalidRequest("git_sha1", self.git_sha1, "40 hexadecimal digits in lower case")


@dataclass(frozen=True, slots=True)
class TransferRequest:
    """Files of one repository at one revision: a branch, a tag, or a commit in full.

    Raises InvalidRequest for a malformed member and UnsafeName where two files cannot lie side by side.
    """

    repo: str
    revision: str
    files: tuple[FileWanted, ...]

    def __post_init__(self) -> None:
        if not _REPO.fullmatch(self.repo) or ".." in self.repo:
            raise InvalidRequest("repo", self.repo, "owner/name")
        if not self.revision or not self.revision.isprintable() or len(self.revision) > 250:
            raise InvalidRequest("revision", self.revision, "a branch, a tag or a commit")
        if not self.files:
            raise InvalidRequest("files", "", "one or more")
        _check_side_by_side([wanted.path for wanted in self.files])

    @property
    def pins_commit(self) -> bool:
        """Whether the revision names one commit for ever."""
        return bool(_COMMIT.fullmatch(self.revision))


def check_name(name: str) -> None:
    """Raises UnsafeName unless `name` is a relative path that every supported system can store."""
    if not name or len(name.encode("utf-8", "surrogatepass")) > _MAX_NAME_BYTES:
        raise UnsafeName(name[:80], f"empty, or longer than {_MAX_NAME_BYTES} bytes")
    for character in name:
        if character in _FORBIDDEN or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            raise UnsafeName(name, f"the character U+{ord(character):04X}")
    for part in name.split("/"):
        if part in ("", ".", ".."):
            raise UnsafeName(name, "a part that is empty or made of dots")
        if part[-1] in ". " or part[0] == " ":
            raise UnsafeName(name, "a part with a space or a dot at its end")
        if part.split(".")[0].rstrip().lower() in _DEVICES:
            raise UnsafeName(name, "the name of a device")
        if len(part.encode()) > _MAX_PART_BYTES:
            raise UnsafeName(name, f"a part longer than {_MAX_PART_BYTES} bytes")
    if name.split("/")[0].casefold() == WORK_FOLDER:
        raise UnsafeName(name, "the folder of unfinished downloads")


def place_in(folder: Path, name: str) -> Path:
    """Where a file goes; `folder` itself may be a link, nothing below it may lead out. Raises UnsafeName."""
    check_name(name)
    root = folder.resolve()
    path = root.joinpath(*PurePosixPath(name).parts)
    if not path.parent.resolve().is_relative_to(root):
        raise UnsafeName(name, "a link that leads out of the folder")
    return path


def _check_side_by_side(names: list[str]) -> None:
    files: set[str] = set()
    folders: set[str] = set()
    for name in names:
        key = unicodedata.normalize("NFC", name).casefold()
        above = {"/".join(key.split("/")[:depth]) for depth in range(1, key.count("/") + 1)}
        if key in files or key in folders or above & files:
            raise UnsafeName(name, "another file of the same name")
        files.add(key)
        folders |= above
