"""Errors in words a person can act on: the cause with its numbers, then what to do next.

Owns the wording for everything the engine may report, for a dead engine, and for conversations that cannot be stored.
Knows neither Qt nor the terminal: both front-ends show the two sentences as they like. `translate` is applied to the
templates before the numbers are filled in, so that a translation may order them freely.
"""

import signal
from dataclasses import dataclass, replace
from pathlib import PurePosixPath, PureWindowsPath

from app.chat.store_errors import StoreError
from app.device_figures import GIB, MIB
from app.engine_phrases import PHRASED_FIELDS, feed_forward_words, phrase
from app.language import Translate, tr, unchanged
from app.study_commands import command_again
from engine.errors import ErrorReport
from engine.messages import HostDied


@dataclass(frozen=True)
class ErrorText:
    """What happened, and the next step."""

    cause: str
    action: str


TEXTS: dict[str, ErrorText] = {
    "FileMissing": ErrorText(
        "“{path}” was not found or cannot be read{reason}.",
        "Check that the file is still there, that its drive is connected, and that you may read it.",
    ),
    "ForeignFile": ErrorText(
        "“{path}” cannot be read: Ember looked for {expected} and found {found}.",
        "Choose another one. Ember imports GGUF files, and folders with config.json and safetensors or torch weights.",
    ),
    "DamagedFile": ErrorText(
        "“{path}” is damaged: {what}.",
        "It was probably cut short or altered while it was copied or downloaded. Fetch it again.",
    ),
    "UnsupportedModel": ErrorText(
        "Ember cannot run “{path}”: {what} is {found}. Supported: {supported}.",
        "Choose another model. The file itself is intact and was not changed.",
    ),
    "PackedVersionMismatch": ErrorText(
        "“{path}” was prepared by another version of Ember (format {found}, this version reads format {expected}).",
        "Remove the model from the library and import it again.",
    ),
    "OutOfDisk": ErrorText(
        "The drive of “{path}” is full: {needed_bytes} needed, {available_bytes} free.",
        "Free at least {missing_bytes} and try again. Nothing was left half written.",
    ),
    "LibraryNotWritable": ErrorText(
        "The model library “{path}” cannot be written to: {reason}.",
        "Check the permissions of this folder, or set EMBER_HOME to a folder of yours and start Ember again.",
    ),
    "FolderNotConnected": ErrorText(
        "The library’s folder “{path}” is not there: its drive is not connected. Nothing was written in its place.",
        "Connect the drive; its models and downloads come back by themselves. If the folder is gone for good, take it "
        "out of the library’s folders.",
    ),
    "OutOfMemory": ErrorText(
        "Not enough memory for {what}: {needed_bytes} needed, {available_bytes} free.",
        "Close other programs, or choose a smaller model or a shorter context.",
    ),
    "DeviceLost": ErrorText(
        "The graphics card{name} no longer answers{reason}.",
        "The processor goes on without it. Load the model again once the card is back.",
    ),
    "ContextFull": ErrorText(
        "This conversation has {prompt_tokens} tokens, more than the {context_tokens} the model can read.",
        "Start a new chat, or shorten the system prompt or the last message.",
    ),
    "UnknownModel": ErrorText(
        "The library has no model called “{model_id}”.",
        "Choose a model from the list; it may have been removed.",
    ),
    "NoModelLoaded": ErrorText(
        "No model is loaded.",
        "Load a model first.",
    ),
    "InvalidRequest": ErrorText(
        "The setting “{field}” has the value {value}, which is outside its range ({reason}).",
        "Correct this setting and try again.",
    ),
    "TemplateFailed": ErrorText(
        "The chat template of this model cannot be used: {reason}.",
        "Try another file of this model; its publisher may have corrected the template.",
    ),
    "NetworkSwitchedOff": ErrorText(
        "Ember is set to stay offline and did not connect to {host}.",
        "Switch the network on in the settings; downloads that wait for it go on then.",
    ),
    "HubUnreachable": ErrorText(
        "{host} cannot be reached: {reason}.",
        "Check the network and the proxy; if this hub is blocked where you are, set a mirror. Downloads go on trying.",
    ),
    "HubBusy": ErrorText(
        "{host} asked to come back later (status {status}).",
        "Downloads go on by themselves. Try anything else again in a minute.",
    ),
    "TransferStalled": ErrorText(
        "{host} has sent nothing for {silent_s} seconds.",
        "Ember has closed this connection. Downloads go on trying by themselves.",
    ),
    "HubAnswerUnusable": ErrorText(
        "The answer of {host} makes no sense: {what} is “{found}”.",
        "Check the address of the hub or mirror, and whether a proxy asks you to sign in. Then try again.",
    ),
    "NotOnHub": ErrorText(
        "The hub has no “{path}” in {repo} (revision {revision}), or it is private.",
        "Check the name. For a private repository, enter a token that may read it.",
    ),
    "LicenceNotAccepted": ErrorText(
        "{repo} is only given to people who have accepted its terms.",
        "Open {link}, sign in, accept the terms, and enter a token of that account (in a terminal: ember token). Then "
        "continue the download.",
    ),
    "HubAccessDenied": ErrorText(
        "The hub refused access to {repo} (status {status}): {reason}.",
        "Check the token: it may have expired, or may not be allowed to read this repository.",
    ),
    "UnsafeName": ErrorText(
        "The repository names a file “{name}”, which Ember does not store: {reason}.",
        "Do not use this repository; a name like this can be an attempt to write outside the library.",
    ),
    "DownloadMismatch": ErrorText(
        "“{path}” is not what the hub announced: {what} is {found}, expected {expected}.",
        "Try again later. If it happens every time, the file on the hub or the mirror is damaged; use another source.",
    ),
    "DownloadInUse": ErrorText(
        "“{path}” is already being downloaded, perhaps by another Ember.",
        "Wait until that download has ended, or close the other program.",
    ),
    "NoRoomForDownload": ErrorText(
        "The drive of “{path}” is full: {needed_bytes} needed, {available_bytes} free.",
        "Free at least {missing_bytes} there, then continue.",
    ),
    "ModelHeldElsewhere": ErrorText(
        "{repo} is already being downloaded by another Ember (process {process}).",
        "Wait until it has ended, or pause it there or close that program and ask again: nothing that arrived is lost.",
    ),
    "UnknownDownload": ErrorText(
        "There is no download “{download_id}”.",
        "Look at the list: it may have ended, or been given up.",
    ),
    "CacheFolderRefused": ErrorText(
        "“{path}” is in a cache ({found}), where systems and cleaning programs delete files unasked.",
        "Choose a folder of your own for models, for example in your home folder or on another drive.",
    ),
    "ModelInUse": ErrorText(
        "{model_id} is in use.",
        "Choose another model, or wait until its download and preparation have ended, and try again.",
    ),
    "UnknownTrash": ErrorText(
        "The trash holds nothing called “{trash_id}”.",
        "Look at the list: it may have been restored or deleted.",
    ),
    "PlaceTaken": ErrorText(
        "There is something at “{path}” already, and it was left alone.",
        "Move or rename it, and try again.",
    ),
    "TokenNotKept": ErrorText(
        "The token could not be kept: the keyring of this system does not answer, and “{path}” cannot be written "
        "({reason}).",
        "Unlock the keyring or check the permissions of this folder, and enter the token again.",
    ),
    "PackageMissing": ErrorText(
        "The package “{package}”, which this needs, is not installed or does not load ({reason}).",
        "Install it beside Ember, for example with: pip install 'emberchat[{extra}]'. The rest works without it.",
    ),
    "CardUnusable": ErrorText(
        "The graphics card is in a state this version has no words for: {state}{detail}.",
        "Ember computes on the processor. “ember doctor” in a terminal says more.",
    ),
    "CompilerMissing": ErrorText(
        "The emulated card needs a {language} compiler, and none of these was found: {looked_for}.",
        "Install one of them (on Debian and Ubuntu: apt install g++). Everything else works without it.",
    ),
    "NothingSilent": ErrorText(
        "This model’s neurons ({feed_forward}) are never exactly silent, so there is nothing to skip.",
        "Take a census instead: it shows what silencing small activations would save and cost.",
    ),
    "StudyInUse": ErrorText(
        "This study of {model} ({study}) is already running, perhaps in another Ember.",
        "Wait until it has ended, or close the other program.",
    ),
    "TextUnusable": ErrorText(
        "The text “{path}” cannot be used: {reason} ({needed_tokens} tokens needed).", "Choose another text file."
    ),
    "ProfileRefused": ErrorText(
        "The profile “{path}” cannot be used: {reason}.", "Measure one on this computer: ember profile MODEL."
    ),
    "InternalError": ErrorText(
        "Something went wrong inside Ember ({kind}: {detail}).",
        "Try again. If it happens every time, please report it together with the engine's log.",
    ),
}

# Why no card takes part, by CardUnusable's state, which is one of placement_reports.CARD_STATES.
CARD_TEXTS: dict[str, ErrorText] = {
    "usable": ErrorText(
        "There is a card that Ember can use, but it takes no part in the loaded model{detail}.",
        "Load the model again. If the card still takes no part, “ember doctor” in a terminal says more.",
    ),
    "not_installed": ErrorText(
        "Ember's support for graphics cards (CuPy) is not installed{detail}.",
        "With an NVIDIA card, install it beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] where the "
        "driver is older than 580. Then restart Ember.",
    ),
    "no_driver": ErrorText(
        "No NVIDIA driver was found{detail}.",
        "If this computer has an NVIDIA card, install NVIDIA's driver and restart. Other makes of card are not used.",
    ),
    "no_answer": ErrorText(
        "The NVIDIA driver does not answer{detail}.",
        "The processor computes everything. Restart the computer; if that does not help, install the driver again.",
    ),
    "old_driver": ErrorText(
        "The NVIDIA driver is too old for the CuPy that is installed{detail}.",
        "Update the driver, or install the support for older ones: pip install 'emberchat[cuda12]'.",
    ),
    "no_device": ErrorText(
        "There is an NVIDIA driver, but it shows no card{detail}.",
        "Check that the card is seated and switched on, and in a container that the card is passed through to it.",
    ),
    "no_compiler": ErrorText(
        "CuPy is installed without the compiler or the headers that Ember's kernels need{detail}.",
        "Install both beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] with an older driver.",
    ),
    "too_old": ErrorText(
        "The card is too old: the CUDA that is installed no longer serves its generation{detail}.",
        "The processor computes everything. A card of the Turing generation (2018) or later can be used.",
    ),
    "failed": ErrorText(
        "The card could not be opened{detail}.",
        "Close programs that use it, or restart the computer. “ember doctor” in a terminal says more.",
    ),
    "emulated": ErrorText(
        "The demonstration of a card takes no part in the loaded model{detail}.",
        "Load the model again. If it still takes no part, “ember doctor” in a terminal says more.",
    ),
}
CARD_SWITCHED_OFF = ErrorText(
    "No graphics card is used: that is what is set.",
    "Choose a card on the Device page, or in a terminal with --card auto, and load the model again.",
)
CARD_GIVEN_UP = ErrorText(
    "The graphics card{name} takes no part any more: Ember gave it up while this model was loaded.",
    "The processor goes on without it. Load the model again to use the card again.",
)
CARD_FULL = ErrorText(
    "The card has no room for this budget: {needed_bytes} needed, {available_bytes} free for Ember.",
    "Choose a smaller budget, or close programs that use the card.",
)
CARD_FULL_FOR = ErrorText(
    "Not enough memory on the card for {what}: {needed_bytes} needed, {available_bytes} free.", CARD_FULL.action
)
CARD_NOT_KNOWN = ErrorText(
    "No card of this computer that can be used is meant by “{value}”, or more than one is.",
    "Choose one of these: {reason}.",
)
ASSUMED_CARD_NOT_KNOWN = ErrorText(
    "Ember has no published figures of a card called “{value}”.", "It knows those of these cards: {reason}."
)
# What the card's own memory is taken for: engine/placement/budget.py PURPOSES.
_ON_THE_CARD = ("context and modules", "workspace", "attention", "head", "predictors", "KV cache", "hot neurons")

STORE_TEXTS: dict[str, ErrorText] = {
    "corrupt": ErrorText(
        "The file with your conversations is damaged: {path} ({reason}).",
        "Ember has not touched it. It can be kept under another name while you start with an empty file.",
    ),
    "locked": ErrorText(
        "The file with your conversations is in use by another program: {path} ({reason}).",
        "Close the other program, for example a second Ember or a backup, and try again.",
    ),
    "read_only": ErrorText(
        "The file with your conversations is write-protected: {path} ({reason}).",
        "Allow writing to this file and its folder, and try again.",
    ),
    "full": ErrorText(
        "The drive with your conversations is full: {path} ({reason}).",
        "Free some space. What is on the screen is written as soon as there is room.",
    ),
    "unreadable": ErrorText(
        "The file with your conversations cannot be used: {path} ({reason}).",
        "Check that its drive is connected and that you may read and write there.",
    ),
    "newer": ErrorText(
        "The file with your conversations was written by a later Ember: {path} ({reason}).",
        "Use the later version. This one leaves the file as it is.",
    ),
    "in_use": ErrorText(
        "Your conversations are open in another Ember: {path} ({reason}).",
        "Go on there, or close it and try again.",
    ),
    "foreign": ErrorText(
        "This is no file with conversations of Ember: {path} ({reason}).",
        "Move it elsewhere, or choose another folder. Ember leaves the file as it is.",
    ),
    "no_search": ErrorText(
        "This Python's SQLite has no full-text index, which conversations need: {path} ({reason}).",
        "Use a Python whose SQLite has FTS5 and its trigram tokenizer (3.34 or later).",
    ),
    "too_big": ErrorText(
        "A text is too long for the file with your conversations: {path} ({reason}).",
        "Shorten it, or send it in parts.",
    ),
}

# Of a repository that is only known from the hub, no file is here to be told about.
UNSUPPORTED_ON_HUB = ErrorText(TEXTS["UnsupportedModel"].cause, "Choose another model. No weights of it were fetched.")
DAMAGED_ON_HUB = ErrorText(
    TEXTS["DamagedFile"].cause, "It is so on the hub, and fetching it again changes nothing. Choose another model."
)
MISSING_ON_HUB = ErrorText(
    "“{path}” on the hub is missing or not complete{reason}.",
    "It stays so until its publisher adds what is missing. Choose another model.",
)
BUSY_FOR = ErrorText(
    "{host} asked to come back in {wait_s} seconds (status {status}).",
    "Downloads go on by themselves then. Try anything else again when that time is over.",
)
# Of files that are not on this computer.
ON_HUB = {"UnsupportedModel": UNSUPPORTED_ON_HUB, "DamagedFile": DAMAGED_ON_HUB, "FileMissing": MISSING_ON_HUB}
# A write that failed without anybody knowing how much was still to come.
DRIVE_FULL = ErrorText(
    "The drive of “{path}” is full: {available_bytes} free.",
    "Free some space there, then continue.",
)
ROOM_TO_PREPARE = ErrorText(
    "The drive of “{path}” has too little room: {needed_bytes} needed, {packing_bytes} of that for preparing the "
    "model, {available_bytes} free.",
    TEXTS["NoRoomForDownload"].action,
)
# The system refuses what its drive has room for.
QUOTA_REACHED = ErrorText(
    "The system stores no more in “{path}”: {needed_bytes} needed, and the drive itself has {available_bytes} free.",
    "A quota of your user may be used up. Free some space, or choose a folder on another drive.",
)
NO_REPOSITORY = ErrorText(
    "The hub has no {repo} (revision {revision}), or it is private.",
    "Check the name. For a private repository, enter a token that may read it.",
)

TEMPLATE_AT_LINE = ErrorText(
    "The chat template of this model cannot be used: line {line}, {reason}.",
    TEXTS["TemplateFailed"].action,
)
# By the reason of a ProfileRefused.
PROFILE_TEXTS = {
    "nothing_measured": ErrorText(
        "There is no profile to save as “{path}”: none was measured of this model.", "Measure one: ember profile MODEL."
    ),
    "other_weights": ErrorText(
        "The profile “{path}” is of other weights, and says nothing of these neurons.",
        "Add profiles of the same model in the same format only.",
    ),
    "other_version": ErrorText(
        "The profile “{path}” was written by another version of Ember.", "Save it again with the version used here."
    ),
    "counted_before": ErrorText(
        "The profile “{path}” is counted already; nothing was changed.", "Add one that was measured on other text."
    ),
}

# What was measured on this computer is not fetched but measured.
DAMAGED_STUDY = ErrorText(
    "“{path}” is damaged: {what}.",
    "It was made on this computer. Measure again, which replaces it: on the Neurons page, or in a terminal with "
    "{command}.",
)
NO_GGUF = ErrorText("“{path}” is no GGUF file: Ember found {found}.", TEXTS["ForeignFile"].action)
NOT_A_TOKEN = ErrorText(
    "The model has no token {value}: a bias (logit_bias) is for {reason}.", "Correct the number and try again."
)
# What was asked for, where it is no setting; by the field of an InvalidRequest.
ARGUMENT_TEXTS = {
    "reference": ErrorText("“{value}” names no model of the hub: {reason} is expected.", "Correct it and try again."),
    "revision": ErrorText("“{value}” is no revision of a model: {reason} is expected.", "Correct it and try again."),
    "ranks": ErrorText("Predictors of the ranks {value} cannot be trained: {reason} is possible.", "Choose others."),
    "n_tokens": ErrorText("A study cannot read {value} tokens: {reason} is possible.", "Choose another number."),
    "kinds": ErrorText("Text of the kinds {value} is not bundled: {reason}.", "Choose among these."),
    "study": ErrorText("There is no study called “{value}”: {reason}.", "Choose one of these."),
    "model_id": ErrorText("“{value}” cannot be used: {reason} is needed.", "Choose such a model from the list."),
}

# By the reason of a TextUnusable.
OWN_TEXTS = {
    "no_file": ErrorText("“{path}” is no file of text.", "Choose a text file, not a folder."),
    "not_utf8": ErrorText(
        "“{path}” is no text in UTF-8.", "Choose a text file, or save this one in UTF-8 with an editor."
    ),
    "empty": ErrorText("There is no text in “{path}”.", "Choose a file with text in it."),
    "too_large": ErrorText("“{path}” is too large a text to study.", "Choose a part of it, of at most 250 MB."),
    "too_short": ErrorText(
        "The text is too short for this study, which needs {needed_tokens} tokens of it or more.",
        "Choose a longer text, or several files.",
    ),
}

UNKNOWN = ErrorText(
    "The engine reported an error this version has no words for: {code} ({fields}).",
    "Try again. If it happens every time, please report it together with the engine's log.",
)

DEATH_OUT_OF_MEMORY = ErrorText(
    "The engine ran out of memory and ended.",
    "Close other programs or choose a smaller model, then restart the engine. Your conversation is safe.",
)
DEATH_KILLED = ErrorText(
    "The engine was ended from outside ({how}). Most often the system does this when memory runs out.",
    "Close other programs or choose a smaller model, then restart the engine. Your conversation is safe.",
)
DEATH_CRASHED = ErrorText(
    "The engine crashed ({how}).",
    "Restart it. Your conversation is safe. If it happens again, please report it together with the details below.",
)
DEATH_ENDED = ErrorText(
    "The engine ended unexpectedly ({how}).",
    "Restart it. Your conversation is safe. If it happens again, please report it together with the details below.",
)

# What a command in a terminal says instead of what the window does: it has ended, and nobody talked with a model.
_AFTER_MEMORY = "Close other programs or choose a smaller model, and give the command again."
_AFTER_CRASH = "Give the command again. If it happens every time, please report it together with the engine’s log."
COMMAND_ACTIONS = {
    DEATH_OUT_OF_MEMORY: _AFTER_MEMORY,
    DEATH_KILLED: _AFTER_MEMORY,
    DEATH_CRASHED: _AFTER_CRASH,
    DEATH_ENDED: _AFTER_CRASH,
}

_WINDOWS_FAULTS = {0xC0000005: "access violation", 0xC000001D: "illegal instruction", 0xC00000FD: "stack overflow"}
_WINDOWS_OUT_OF_MEMORY = {0xC0000017, 0xC000012D}
_START_WORDS = "engine started pid"  # in the engine's log, at the beginning of each run
_LAST_LINES = 5  # of a log, in which an error that ended the process stands
_CRASH_SIGNALS = {"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS"}


def describe(report: ErrorReport, translate: Translate = unchanged) -> ErrorText:
    """Cause and next action for an error of the engine; an unknown code is shown with its fields rather than hidden."""
    values = {name: _readable(name, value) for name, value in report.fields}
    text = TEXTS.get(report.code)
    if text is None:
        named = ", ".join(f"{name}={value}" for name, value in report.fields)
        return _fill(UNKNOWN, {"code": report.code, "fields": named or "-"}, translate)
    card_text = _card_text(report, values)
    if card_text is not None:
        return _fill(card_text, values, translate)
    if report.code in ("OutOfDisk", "NoRoomForDownload"):
        needed, available = (int(report.field(f"{name}_bytes", 0)) for name in ("needed", "available"))
        values["missing_bytes"] = format_bytes(max(needed - available, 0))
        text = ROOM_TO_PREPARE if report.field("packing_bytes") else text
        text = DRIVE_FULL if not needed else QUOTA_REACHED if needed <= available else text
    if report.code == "NotOnHub" and not report.field("path"):
        text = NO_REPOSITORY
    if report.code == "HubBusy" and report.field("wait_s"):
        text = BUSY_FOR
    if is_of_repository(report):
        text = ON_HUB[report.code]
    if report.code == "DamagedFile" and (command := command_again(str(report.field("path")))):
        text, values["command"] = DAMAGED_STUDY, command
    if report.code == "ForeignFile" and report.field("expected") == "GGUF":
        text = NO_GGUF
    if report.code == "NothingSilent":
        values["feed_forward"] = feed_forward_words(values.get("feed_forward", ""))
    if report.code == "InvalidRequest":
        text = _request_text(report, text)
    if report.code == "TemplateFailed" and report.field("line"):
        text = TEMPLATE_AT_LINE
    if report.code == "ProfileRefused":
        text = PROFILE_TEXTS.get(str(report.field("reason")), text)
    if report.code == "TextUnusable":
        text = OWN_TEXTS.get(str(report.field("reason")), text)
    if report.code == "FileMissing":
        values["reason"] = f" ({values['reason']})" if values.get("reason") else ""
    return _fill(text, values, translate)


def _request_text(report: ErrorReport, text: ErrorText) -> ErrorText:
    """The words for what was asked for wrongly, where it is no setting."""
    name = str(report.field("field"))
    if name == "logit_bias" and str(report.field("value")).lstrip("-").isdigit():
        return NOT_A_TOKEN
    return ARGUMENT_TEXTS.get(name, text)


def is_of_repository(report: ErrorReport) -> bool:
    """Whether an error is of what a repository on the hub holds, and not of a file of this computer."""
    path = str(report.field("path"))
    names_repository = report.code == "UnsupportedModel" or "/" in path  # a model may be refused before it has a path
    return report.code in ON_HUB and names_repository and not _is_local(path)


def _is_local(path: str) -> bool:
    """Whether a path is one of this computer, as the engine tells them, and not a repository's or empty."""
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


def _card_text(report: ErrorReport, values: dict[str, str]) -> ErrorText | None:
    """The words for what concerns a card, with `values` made ready for them; None for anything else."""
    if report.code == "CardUnusable":
        state, detail = str(report.field("state", "")), values.get("detail", "")
        if detail == "switched off":
            return CARD_SWITCHED_OFF
        if state == "too_old" and detail:
            detail = tr("compute capability {number}").format(number=detail)
        values["detail"] = f" ({detail})" if detail else ""
        return CARD_TEXTS.get(state)
    if report.code == "DeviceLost":
        name, reason = values.get("name", ""), values.get("reason", "")
        values["name"], values["reason"] = f" {name}" if name else "", f": {reason}" if reason else ""
        return CARD_GIVEN_UP if reason == "given up before" else None
    if report.code == "OutOfMemory":
        return _full_card_text(report, values)
    if report.code == "InvalidRequest":
        return {"assumed_card": ASSUMED_CARD_NOT_KNOWN, "card": CARD_NOT_KNOWN}.get(str(report.field("field", "")))
    return None


def _full_card_text(report: ErrorReport, values: dict[str, str]) -> ErrorText | None:
    what = str(report.field("what", ""))
    if what != "card" and what not in _ON_THE_CARD and not what.endswith(" on the card"):
        return None
    values["what"] = what.removesuffix(" on the card")
    for name in ("needed_bytes", "available_bytes"):
        values[name] = memory_words(int(report.field(name, 0)))
    return CARD_FULL if what == "card" else CARD_FULL_FOR


def describe_host_death(
    event: HostDied, translate: Translate = unchanged, *, is_command: bool = False
) -> ErrorText:  # fmt: skip
    """Why the engine's process ended, as far as its exit code and last words tell.

    `is_command`: what to do is said for a command in a terminal and not for a window with a conversation in it.
    """
    text, how = _death(event)
    return _fill(replace(text, action=COMMAND_ACTIONS[text]) if is_command else text, {"how": how}, translate)


def _death(event: HostDied) -> tuple[ErrorText, str]:
    code = event.exit_code
    unsigned = code & 0xFFFFFFFF
    if _ran_out_of_memory(event.log_tail) or unsigned in _WINDOWS_OUT_OF_MEMORY:
        return DEATH_OUT_OF_MEMORY, ""
    if unsigned in _WINDOWS_FAULTS:
        return DEATH_CRASHED, _WINDOWS_FAULTS[unsigned]
    if code < 0:
        name = _signal_name(-code)
        return DEATH_CRASHED if name in _CRASH_SIGNALS else DEATH_KILLED, name
    return DEATH_ENDED, tr("exit code {code}").format(code=code)


def describe_store_error(error: StoreError, translate: Translate = unchanged) -> ErrorText:
    """Why conversations cannot be read or written."""
    return _fill(STORE_TEXTS[error.kind], {"path": error.path, "reason": error.reason.rstrip(".")}, translate)


def format_bytes(count: int) -> str:
    """A size as people write it: 812 bytes, 3.4 MB, 12 GB."""
    size = float(count)
    if size < 1000:
        return f"{count} bytes"
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 999.5:
            return f"{size:.1f} {unit}" if size < 99.95 else f"{size:.0f} {unit}"
    return f"{size / 1000:.1f} TB"


def memory_words(count: int) -> str:
    """Bytes of a card as its maker counts them: 512 MiB, 2.1 GiB."""
    size = abs(count)
    sign = "−" if count < 0 else ""
    if size < 1024 * MIB - MIB // 2:
        return f"{sign}{size / MIB:.0f} MiB"
    return f"{sign}{size / GIB:.1f} GiB" if size < 99.95 * GIB else f"{sign}{size / GIB:.0f} GiB"


def _readable(name: str, value: str | int) -> str:
    if isinstance(value, int):
        return format_bytes(value) if name.endswith("_bytes") else f"{value:,}"
    return value.rstrip(".") if name in ("reason", "what", "detail") else value


def _ran_out_of_memory(log_tail: str) -> bool:
    """Whether the engine's last words of this run are that memory could not be had."""
    lines = log_tail.rpartition(_START_WORDS)[2].splitlines()
    return any("MemoryError" in line for line in [line for line in lines if line.strip()][-_LAST_LINES:])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _fill(text: ErrorText, values: dict[str, str], translate: Translate) -> ErrorText:
    known = _Blank({name: phrase(value) if name in PHRASED_FIELDS else value for name, value in values.items()})
    return ErrorText(translate(text.cause).format_map(known), translate(text.action).format_map(known))


class _Blank(dict[str, str]):
    """Field values for a template; a field the engine left out shows as a dash instead of failing."""

    def __missing__(self, key: str) -> str:
        return "–"
