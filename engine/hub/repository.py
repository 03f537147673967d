"""A repository of the hub as Ember fetches it: what people write to name one, and which of its files are wanted.

The weights wanted are those that `model/tensor_files.py` would open in the folder: safetensors before torch files,
whole before in shards, a GGUF file where there are neither. Everything else that repositories carry (the same weights
again, files of other frameworks, code) is left out, with the reason. Knows no network.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from urllib.parse import unquote, urlsplit

from engine.catalog_reports import CatalogEntry, HubFile, HubRepository
from engine.errors import EngineError, ForeignFile, InvalidRequest, UnsafeName
from engine.hub.transfer.request import FileWanted, TransferRequest, check_name

HUB_HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co")
NEWEST = "main"

_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_EXPECTED = "owner/name, owner/name@revision, or a link to a model on the hub"
# What of the hub's addresses begins with owner/name but is no model.
_NO_MODELS = ("datasets", "spaces", "collections", "papers", "docs", "api", "kernels", "buckets", "blog")
_WITH_REVISION = ("tree", "blob", "resolve", "raw", "commit")

# The small files of a model; readers: model/hub_checkpoint.py and text/hub_facts.py. The last two are for people.
_TEXT_FILES = (
    "config.json", "generation_config.json", "tokenizer.json", "tokenizer.model", "vocab.json", "merges.txt",
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja",
    "README.md", "LICENSE*",
)  # fmt: skip
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})\.(safetensors|bin)")
_OTHER_FRAMEWORKS = (".h5", ".msgpack", ".ot", ".onnx", ".tflite", ".mlmodel", ".pdparams", ".keras", ".nemo", ".ckpt")
_OUR_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf")
_CODE = (".py", ".pyc", ".so", ".sh", ".js")
# Which of several GGUF files of one model loses least by being packed anew.
_GGUF_ORDER = ("q8_0", "bf16", "f16", "f32", "q6_k", "q5_k", "q5_", "q4_k", "q4_")
_MAX_TEXT_BYTES = 128 << 20  # as text/hub_facts.py reads at most


@dataclass(frozen=True, slots=True)
class Reference:
    """A repository as it was named; `revision` is empty where none was."""

    repo: str
    revision: str = ""

    def __post_init__(self) -> None:
        check_repo(self.repo)
        check_revision(self.revision)


def check_repo(repo: str) -> None:
    """Raises InvalidRequest unless it is owner/name as the hub forms them."""
    if not _REPO.fullmatch(repo) or ".." in repo or "--" in repo or repo.endswith((".git", ".", "-")):
        raise InvalidRequest("repo", repo[:200], "owner/name")


def check_revision(revision: str) -> None:
    """Raises InvalidRequest for what can be no branch, tag or commit; empty is the newest."""
    if not revision:
        return
    parts = revision.split("/")
    if (
        len(revision) > 250
        or not re.fullmatch(r"[\w./+-]+", revision)
        or any(part in ("", ".", "..") for part in parts)
    ):
        raise InvalidRequest("revision", revision[:200], "a branch, a tag or a commit")


def parse_reference(text: str, endpoint: str = "") -> Reference:
    """What a person pasted: owner/name, with @revision, or a link to a model, a folder or a file of one.

    Links are taken from the hub and from `endpoint`, the mirror in use, and only name the repository: it is always
    asked for at the endpoint. Raises InvalidRequest for anything else.
    """
    written = text.strip()
    if not written or len(written) > 2000 or not written.isprintable():
        raise InvalidRequest("reference", written[:80], _EXPECTED)
    if "://" not in written and written.split("/")[0].lower() in (*HUB_HOSTS, _host_of(endpoint)):
        written = f"https://{written}"
    if written.startswith("hf://"):
        written = written.removeprefix("hf://").removeprefix("models/")
    elif "://" in written:
        return _from_link(written, endpoint)
    repo, at, revision = written.partition("@")
    if at and not revision:
        raise InvalidRequest("reference", written[:200], _EXPECTED)
    return _checked(repo, revision, written)


def _from_link(link: str, endpoint: str) -> Reference:
    try:
        parts = urlsplit(link)
        host = (parts.hostname or "").lower()
    except ValueError as error:
        raise InvalidRequest("reference", link[:200], _EXPECTED) from error
    if parts.scheme not in ("http", "https") or not host or host not in (*HUB_HOSTS, _host_of(endpoint)):
        raise InvalidRequest("reference", link[:200], _EXPECTED)
    above = [segment for segment in urlsplit(endpoint).path.split("/") if segment] if endpoint else []
    segments = [segment for segment in parts.path.split("/") if segment]
    if host not in HUB_HOSTS and segments[: len(above)] == above:  # a mirror below a path of its host
        segments = segments[len(above) :]
    if segments[:1] == ["models"]:
        segments = segments[1:]
    if len(segments) < 2 or segments[0] in _NO_MODELS:
        raise InvalidRequest("reference", link[:200], _EXPECTED)
    revision = ""
    if len(segments) >= 4 and segments[2] in _WITH_REVISION:
        is_ref = segments[3] == "refs" and len(segments) >= 6  # refs/pr/7, written without escapes
        revision = "/".join(segments[3:6]) if is_ref else unquote(segments[3])
    return _checked("/".join(segments[:2]), revision, link)


def _checked(repo: str, revision: str, written: str) -> Reference:
    try:
        return Reference(repo, "" if revision == NEWEST else revision)
    except InvalidRequest as error:
        raise InvalidRequest("reference", written[:200], _EXPECTED) from error


def _host_of(endpoint: str) -> str:
    return (urlsplit(endpoint).hostname or "").lower()


# Which files --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """Every file that may be stored, the wanted ones without `left_out`; `weights` is empty where `error` is set."""

    files: tuple[HubFile, ...]
    weights: str
    error: EngineError | None


def choose_files(repo: str, files: Iterable[HubFile], entry: CatalogEntry | None = None) -> Choice:
    """What to fetch of a repository's listing; of a catalogue's entry nothing beyond its patterns.

    Where a repository has changed so that its entry's patterns name no weights any more, the patterns do not count. A
    listing without weights that Ember reads is no exception but a choice with an error: its files are still shown.
    """
    listed = list(files)
    choice = _choose(repo, listed, entry.files if entry else ("*",))
    return choice if entry is None or choice.error is None else _choose(repo, listed, ("*",))


def _choose(repo: str, files: Iterable[HubFile], patterns: Sequence[str]) -> Choice:
    storable = [file for file in files if _is_storable(file.path)]
    names = {file.path: file for file in storable}
    allowed = [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]
    error: EngineError | None = None
    weights, wanted = "", set[str]()
    try:
        weights, wanted = _weights(repo, names, allowed)
    except EngineError as found:
        error = found
    if weights:
        wanted |= {name for name in allowed if any(fnmatchcase(name, pattern) for pattern in _TEXT_FILES)}
        if weights == "gguf":  # brings its configuration and tokenizer along
            wanted -= {name for name in wanted if not name.endswith(".gguf") and not _is_for_people(name)}
        large = next((n for n in wanted if not n.endswith(_OUR_WEIGHTS) and names[n].size_bytes > _MAX_TEXT_BYTES), "")
        if large:
            error = ForeignFile(repo, f"{large} of at most {_MAX_TEXT_BYTES} bytes", f"{names[large].size_bytes} bytes")
            weights, wanted = "", set()
    return Choice(
        tuple(replace(file, left_out="" if file.path in wanted else _reason(file.path)) for file in storable),
        weights,
        error,
    )


def request_of(repository: HubRepository) -> TransferRequest:
    """The files of a repository as the transfer takes them, held to what the listing says of each.

    Raises the error of a repository that cannot be used, as InvalidRequest, and UnsafeName.
    """
    if not repository.wanted:
        raise InvalidRequest("files", repository.model.repo, "a repository with weights that Ember reads")
    wanted = tuple(FileWanted(f.path, f.size_bytes, f.sha256, f.git_sha1) for f in repository.wanted)
    return TransferRequest(repository.model.repo, repository.commit, wanted)


def _is_storable(name: str) -> bool:
    try:
        check_name(name)
    except UnsafeName:
        return False
    return True


def _is_for_people(name: str) -> bool:
    return name == "README.md" or name.startswith("LICENSE")


def _weights(repo: str, names: dict[str, HubFile], allowed: Sequence[str]) -> tuple[str, set[str]]:
    """The kind of weights and their files. Raises ForeignFile."""
    for whole, kind in (("model.safetensors", "safetensors"), ("pytorch_model.bin", "bin")):
        index, stem = f"{whole}.index.json", whole.partition(".")[0]
        if whole in allowed:
            found = {whole}
        elif index in allowed:
            found = {index, *_shards(repo, stem, kind, allowed)}
        else:
            continue
        if "config.json" not in names:
            raise ForeignFile(repo, "config.json", "weights without it")
        return kind, found
    gguf = [name for name in allowed if name.endswith(".gguf") and "/" not in name]
    if gguf:
        return "gguf", {_best_gguf(repo, gguf, names)}
    found_names = ", ".join(sorted(names)[:6]) or "nothing"
    raise ForeignFile(repo, "model.safetensors or pytorch_model.bin, whole or with an index, or GGUF", found_names)


def _shards(repo: str, stem: str, kind: str, allowed: Sequence[str]) -> set[str]:
    """The shards of a set by their names, all of which must be there."""
    found: dict[int, str] = {}
    count = 0
    for name in allowed:
        match = _SHARD.fullmatch(name.removeprefix(stem)) if name.startswith(stem) else None
        if match and match[3] == kind:
            found[int(match[1])] = name
            count = max(count, int(match[2]))
    if not found or sorted(found) != list(range(1, count + 1)):
        raise ForeignFile(repo, f"{count or 1} shards of {stem}.{kind}", f"{len(found)} of them")
    return set(found.values())


def _best_gguf(repo: str, files: Sequence[str], names: dict[str, HubFile]) -> str:
    whole = [name for name in files if not re.search(r"-\d{5}-of-\d{5}\.gguf$", name)]
    if not whole:
        raise ForeignFile(repo, "one GGUF file", "a model split into several")

    def rank(name: str) -> tuple[int, int]:
        place = next((n for n, piece in enumerate(_GGUF_ORDER) if piece in name.lower()), len(_GGUF_ORDER))
        return place, -names[name].size_bytes

    return min(sorted(whole), key=rank)


def _reason(name: str) -> str:
    if name.endswith(_CODE):
        return "code"
    if name.endswith(_OTHER_FRAMEWORKS) or name.startswith(("tf_", "flax_", "rust_")):
        return "other framework"
    if "/" not in name and (
        name.endswith(_OUR_WEIGHTS) or name.endswith((".safetensors.index.json", ".bin.index.json"))
    ):
        return "duplicate"
    return "not of the model"
