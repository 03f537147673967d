"""The words that the engine puts into the fields of its errors, for a window of another language.

Owns which of them have a translation: what a person meets while using Ember. What is said of the inside of a broken or
foreign file stays as the engine says it, like the names of tensors and keys beside it.
"""

import re

from app.language import tr

# The fields of errors that hold such words; others hold names and paths.
PHRASED_FIELDS = ("what", "reason", "found", "expected", "supported", "detail")

ENGINE_PHRASES = frozenset(
    {
        "0 or more",
        "0 to 1",
        "1 or more",
        "1 to 200",
        "KV cache",
        "a branch, a tag or a commit",
        "accepted",
        "an address without encryption",
        "inside the proxy's connection",
        "a file of certificates in PEM",
        "a Git LFS pointer: the file itself was not downloaded",
        "a file of another kind",
        "a file without our metadata",
        "a file",
        "a link in the place of a folder",
        "a link that leads out of the cache",
        "a link that leads out of the folder",
        "a link that leads out of the library",
        "a mixture of experts",
        "a model split into several",
        "a model that is prepared for use",
        "a part of it cannot be read",
        "a quantised checkpoint",
        "a repository with weights that Ember reads",
        "an Ember model",
        "an empty file",
        "another file of the same name",
        "attention",
        "cache",
        "chat template",
        "checksums are missing",
        "context and modules",
        "folders apart from each other",
        "head",
        "hot neurons",
        "https://host, without a user or a query",
        "it did not come from a hub",
        "it is none of the library's folders any more",
        "it was written and can no longer be read",
        "its JSON is nested too deeply",
        "its header cannot be read",
        "its list of tensors cannot be read",
        "its metadata cannot be read",
        "its text is not in UTF-8",
        "its text is not the JSON that it should be",
        "mixture of experts",
        "neither packed nor a source",
        "no card",
        "no token is kept for this hub",
        "not a file",
        "not a regular file",
        "not in the library",
        "one of the library's folders",
        "owner/name, owner/name@revision, or a link to a model on the hub",
        "packing",
        "predictors",
        "printable ASCII without spaces",
        "some text",
        "something that is no ordinary file",
        "something that is not a regular file",
        "the SHA-256 differs from the published file's",
        "the address",
        "the answer ended early",
        "the answer",
        "the copy differs from the original",
        "the header is cut short",
        "the kind of answer",
        "the length",
        "the number of redirections",
        "the read-rate probe",
        "the redirection",
        "the size",
        "the status",
        "the token is not valid",
        "there are no files",
        "there is no such file or folder",
        "torch is not installed",
        "torch weights",
        "weights that Ember reads",
        "workspace",
        "your account",
    }
)

# What neurons compute, as ModelConfig.feed_forward says it; a threshold follows where there is one.
FEED_FORWARDS = {
    "gated silu": "gated silu",
    "gated relu": "gated relu",
    "gated fatrelu": "gated fatrelu",
    "gated drelu": "gated drelu",
    "gated relu2": "gated relu2",
    "plain relu": "plain relu",
    "plain fatrelu": "plain fatrelu",
    "plain relu2": "plain relu2",
}


def feed_forward_words(kind: str) -> str:
    """What a model's neurons compute (ModelConfig.feed_forward), in the language of this process."""
    found = _WITH_THRESHOLD.fullmatch(kind)
    name, threshold = (found[1], found[2]) if found else (kind, "")
    return f"{tr(FEED_FORWARDS[name])}{threshold}" if name in FEED_FORWARDS else kind


def parser_words(error: ValueError | RecursionError) -> str:
    """Why a text file was not understood: a parser names the line, and what a codec or a stack say is for nobody."""
    if isinstance(error, UnicodeDecodeError):
        return tr("its text is not in UTF-8")
    return tr("too many values within each other") if isinstance(error, RecursionError) else str(error)


def phrase(words: str) -> str:
    """The words of a field in the language of this process, where they are known."""
    if found := _TOKENS.fullmatch(words):
        return tr("tokens 0 to {last}").format(last=found[1])
    if found := _FETCHED.fullmatch(words):
        return tr("{count} bytes from {host}").format(count=found[1], host=found[2])
    if found := _STATUS.fullmatch(words):
        return tr("status {number}").format(number=found[1])
    return tr(words) if words in ENGINE_PHRASES else words


# What the test of a connection says of a file, and of an answer.
_WITH_THRESHOLD = re.compile(r"(.+fatrelu)( [\d.e+-]+)")
_TOKENS = re.compile(r"tokens 0 to ([\d,]+)")
_STATUS = re.compile(r"status (\d+)")
_FETCHED = re.compile(r"(\d+) bytes from ([^,\s]+)")
