"""Downloads, the way to the hub, and the library's folders in words: states, speeds, what to do next.

Owns the sentences, and which next step goes with which error. Knows no Qt: `translate` is applied to a template before
its numbers are filled in, so that a translation may order them freely.
"""

from collections.abc import Callable

from app.engine_phrases import phrase
from app.error_text import format_bytes, is_of_repository
from app.language import in_percent
from engine.errors import ErrorReport
from engine.transfer_reports import ConnectionStep, DownloadQueueReport, DownloadReport, TrashedModel

Translate = Callable[[str], str]

STATES: dict[str, str] = {
    "queued": "Waiting for its turn",
    "resolving": "Asking the hub what to fetch",
    "downloading": "Downloading",
    "paused": "Paused",
    "stalled-retrying": "Nothing arrives; trying again",
    "verifying": "Checking what arrived",
    "packing": "Preparing for use (once)",
    "ready": "Ready",
    "failed": "Stopped",
}
FILE_STATES: dict[str, str] = {
    "queued": "waiting",
    "resolving": "asking",
    "downloading": "downloading",
    "paused": "paused",
    "stalled-retrying": "trying again",
    "verifying": "checking",
    "packing": "preparing",
    "ready": "here",
    "failed": "failed",
}
CONNECTION: dict[str, str] = {
    "name": "The hub's name is looked up",
    "connect": "A connection is made",
    "encryption": "The connection is encrypted",
    "hub": "The hub answers",
    "token": "The token is accepted",
    "file": "A file can be read from the middle",
}
STEP_MARKS: dict[str, str] = {"passed": "works", "failed": "fails here", "skipped": "not needed"}

# What a failed step of the connection test most likely needs.
STEP_ADVICE: dict[str, str] = {
    "name": "The network may be down, or its name server may not know the hub. Check the network and the hub's "
    "address; where the hub is blocked, set a proxy or a mirror.",
    "connect": "A firewall may be in the way, or nobody may listen there. Where this network demands a proxy, set it.",
    "encryption": "The certificate may be of someone else. In a company's network, set the file with the company's own "
    "certificates. A wrong date or time on this computer does the same: check its clock.",
    "hub": "Something other than a hub may answer, such as a page that asks to sign in to the network: open a browser "
    "to see. If a mirror is set, it may be none.",
    "token": "The token may have expired or been revoked. Enter a new one.",
    "file": "The hub answers, but the server of its files does not. It may be blocked separately: ask for it to be "
    "allowed, or set a mirror that serves both.",
}
# Errors whose own advice holds at any step.
_OWN_ADVICE = ("NetworkSwitchedOff", "HubBusy", "LicenceNotAccepted")

# What can be done about an error, by one button; everything else can only be tried again.
ONLINE, CONNECTION_SETTINGS, TERMS, TOKEN, FOLDERS, AGAIN = "online", "connection", "terms", "token", "folders", "again"
NEXT_STEPS: dict[str, str] = {
    "NetworkSwitchedOff": ONLINE,
    "HubUnreachable": CONNECTION_SETTINGS,
    "HubAnswerUnusable": CONNECTION_SETTINGS,
    "LicenceNotAccepted": TERMS,
    "HubAccessDenied": TOKEN,
    "TokenNotKept": TOKEN,
    "LibraryNotWritable": FOLDERS,
    "FolderNotConnected": FOLDERS,
    "CacheFolderRefused": FOLDERS,
}
NEXT_STEP_LABELS: dict[str, str] = {
    ONLINE: "Go online",
    CONNECTION_SETTINGS: "Hub and library…",
    TERMS: "Open the page with the terms…",
    TOKEN: "Enter a token…",
    FOLDERS: "Hub and library…",
    AGAIN: "Try again",
}
# Errors that another attempt cannot change: what is wrong is so on the hub, too.
_FINAL = ("UnsupportedModel", "UnsafeName", "InvalidRequest", "ForeignFile", "DamagedFile")
KEPT = "What has arrived is kept."

MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0


def unchanged(text: str) -> str:
    return text


def state_words(download: DownloadReport, translate: Translate = unchanged) -> str:
    """What is happening to a download, in a few words."""
    if download.holder:
        return translate("In another Ember (process {holder})").format(holder=download.holder)
    if download.state == "stalled-retrying" and download.retry_in_s is not None and download.retry_in_s >= 1:
        return translate("No connection; trying again in {time}").format(time=_span(download.retry_in_s, translate))
    if download.state == "paused" and download.error is not None:
        if download.error.code == "NetworkSwitchedOff":
            return translate("Waits until Ember is online again")
        if download.error.code == "FolderNotConnected":
            return translate("Waits until its drive is connected")
        return translate("Paused by Ember")
    if download.state == "packing" and not download.done_bytes:
        return translate("Waiting to be prepared for use (once)")
    return translate(STATES.get(download.state, download.state))


def progress_of(download: DownloadReport) -> float | None:
    """The share done of what it is busy with; None while that cannot be known."""
    if download.state == "ready":
        return 1.0
    if not download.size_bytes or download.state == "resolving":
        return None
    return max(0.0, min(1.0, download.done_bytes / download.size_bytes))


def amount_words(download: DownloadReport, translate: Translate = unchanged) -> str:
    """How much of it is here; empty where nothing is known."""
    share = progress_of(download)
    if download.state == "packing":
        return in_percent(f"{100 * share:.0f}") if share else ""
    if download.state == "ready":
        return format_bytes(download.size_bytes) if download.size_bytes else ""
    if not download.size_bytes:
        return format_bytes(download.done_bytes) if download.done_bytes else ""
    words = translate("{done} of {size}")
    return words.format(done=format_bytes(download.done_bytes), size=format_bytes(download.size_bytes))


def speed_words(bytes_per_s: float, translate: Translate = unchanged) -> str:
    return translate("{rate}/s").format(rate=format_bytes(round(bytes_per_s)))


def left_words(seconds: float | None, translate: Translate = unchanged) -> str:
    """How long it still takes, rounded as people do; that nobody knows is said too."""
    if seconds is None:
        return translate("time left not known")
    if seconds < 50:
        return translate("less than a minute left")
    return translate("about {time} left").format(time=_span(seconds, translate))


def line_words(download: DownloadReport, translate: Translate = unchanged) -> str:
    """State, amount, speed and time left in one line."""
    parts = [state_words(download, translate), amount_words(download, translate)]
    if download.state == "downloading" and not download.holder:
        if download.rate_bytes_s > 0:
            parts.append(speed_words(download.rate_bytes_s, translate))
        parts.append(left_words(download.left_s, translate))
    elif download.state in ("verifying", "packing") and download.left_s is not None:
        parts.append(left_words(download.left_s, translate))
    return " · ".join(part for part in parts if part)


def queue_words(queue: DownloadQueueReport, translate: Translate = unchanged) -> str:
    """All of them in one line, for the head of the list; empty where there is nothing to say."""
    parts = []
    rate = sum(d.rate_bytes_s for d in queue.downloads if d.state == "downloading" and not d.holder)
    if rate > 0:
        parts.append(speed_words(rate, translate))
    if queue.limit_bytes_s is not None:
        parts.append(translate("limited to {rate}").format(rate=speed_words(queue.limit_bytes_s, translate)))
    if queue.keeps_awake:
        parts.append(translate("keeps this computer awake"))
    return " · ".join(parts)


def file_words(state: str, translate: Translate = unchanged) -> str:
    return translate(FILE_STATES.get(state, state))


def file_amount(done_bytes: int, size_bytes: int | None, translate: Translate = unchanged) -> str:
    if size_bytes is None:
        return format_bytes(done_bytes) if done_bytes else ""
    if done_bytes in (0, size_bytes):
        return format_bytes(size_bytes)
    return translate("{done} of {size}").format(done=format_bytes(done_bytes), size=format_bytes(size_bytes))


def name_of(repo: str) -> str:
    """A repository without its owner."""
    return repo.rpartition("/")[2] or repo


def kept_words(download: DownloadReport, translate: Translate = unchanged) -> str:
    """That a stop has cost nothing, where something has arrived; otherwise empty."""
    return translate(KEPT) if download.done_bytes and download.state != "ready" else ""


def next_step(error: ErrorReport) -> str:
    """The key of the one thing to do about an error; empty where there is nothing to press."""
    return "" if error.code in _FINAL or is_of_repository(error) else NEXT_STEPS.get(error.code, AGAIN)


def next_step_label(step: str, translate: Translate = unchanged) -> str:
    return translate(NEXT_STEP_LABELS[step]) if step else ""


def step_name(step: str, translate: Translate = unchanged) -> str:
    return translate(CONNECTION.get(step, step))


def step_words(step: ConnectionStep, translate: Translate = unchanged) -> str:
    """What a step of a connection test found."""
    words = translate(STEP_MARKS.get(step.state, step.state))
    if step.detail:
        words = translate("{state}: {detail}").format(state=words, detail=phrase(step.detail))
    return f"{words} ({step.took_s * 1000:.0f} ms)" if step.took_s >= 0.001 else words


def step_advice(step: ConnectionStep, translate: Translate = unchanged) -> str:
    """What to do about a step that failed; empty where the error's own advice is the better one."""
    if step.error is None or step.error.code in _OWN_ADVICE:
        return ""
    return translate(STEP_ADVICE.get(step.step, ""))


def token_words(place: str, endpoint: str, translate: Translate = unchanged) -> str:
    """Where the hub's token is kept."""
    texts = {
        "keyring": "A token for {endpoint} is in this system's keyring.",
        "file": "A token for {endpoint} is in a file that only you can read; no keyring kept it.",
    }
    text = texts.get(place, "No token is kept. Most models need none.")
    return translate(text).format(endpoint=endpoint)


def trash_words(models: tuple[TrashedModel, ...], translate: Translate = unchanged) -> str:
    size = format_bytes(sum(model.size_bytes for model in models))
    if len(models) == 1:
        return translate("1 model in the trash, {size}").format(size=size)
    return translate("{count} models in the trash, {size}").format(count=len(models), size=size)


def days_words(days: int, translate: Translate = unchanged) -> str:
    if days <= 0:
        return translate("deleted for good today")
    if days == 1:
        return translate("deleted for good tomorrow")
    return translate("deleted for good in {days} days").format(days=days)


def _span(seconds: float, translate: Translate) -> str:
    if seconds < 59.5:
        return translate("{count} s").format(count=max(1, round(seconds)))
    if seconds < 9.5 * MINUTE_S:
        return translate("{count} min").format(count=max(1, round(seconds / MINUTE_S)))
    if seconds < 57.5 * MINUTE_S:
        return translate("{count} min").format(count=5 * round(seconds / MINUTE_S / 5))
    if seconds < 36 * HOUR_S:
        return translate("{count} h").format(count=f"{round(2 * seconds / HOUR_S) / 2:g}")
    return translate("{count} days").format(count=round(seconds / DAY_S))
