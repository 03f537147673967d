"""Exports of other programs: ChatGPT, Open WebUI and Jan.

Owns where in their files a title, a message and its parent stand. What they hold beside text (pictures, calls of tools,
hidden instructions) is left out and counted. Everything is checked by app/chat/checked_json.py; nothing is fetched, and
no path in a file is followed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.chat.checked_json import (
    MAX_CONVERSATIONS,
    MAX_MESSAGES,
    TIME_UNKNOWN,
    ImportRefused,
    Node,
    read_json,
    read_json_lines,
)
from app.chat.conversation import title_of
from app.chat.identifiers import imported_id
from app.chat.import_tree import ForeignNode, as_messages
from app.chat.records import FIRST_LINE, PERSON, ROLES, ConversationSummary, StoredConversation, StoredMessage

CHATGPT, OPEN_WEBUI, JAN = "ChatGPT", "Open WebUI", "Jan"
_TITLE_CHARACTERS = 2_000
_NAME_CHARACTERS = 300
_MILLISECONDS_FROM = 1e11  # a number of seconds that large is in the year 5138


@dataclass(frozen=True, slots=True)
class ForeignChats:
    """source: whose; n_left_out: parts of messages that are no text."""

    source: str
    conversations: tuple[StoredConversation, ...]
    n_left_out: int


class _Left:
    """Counts what is left out."""

    def __init__(self) -> None:
        self.n = 0


# ChatGPT ----------------------------------------------------------------------------------------------------------


def chatgpt(root: Node) -> ForeignChats:
    """conversations.json: a list of objects with `mapping`, node by node. Raises ImportRefused."""
    left = _Left()
    found = [_chatgpt_conversation(item, left) for item in root.items(MAX_CONVERSATIONS)]
    return ForeignChats(CHATGPT, tuple(found), left.n)


def _chatgpt_conversation(at: Node, left: _Left) -> StoredConversation:
    key = at.member("conversation_id" if at.has("conversation_id") else "id").text_or_none(_NAME_CHARACTERS)
    created, updated = at.member("create_time").time(), at.member("update_time").time()
    title = at.member("title").text_or_none(_TITLE_CHARACTERS) or ""
    origin = (CHATGPT, key or f"{created}/{title}")
    conversation_id = imported_id(*origin)
    mapping = at.member("mapping")
    nodes = []
    for name, node in mapping.members(MAX_MESSAGES):
        parent = node.member("parent").text_or_none(_NAME_CHARACTERS)
        message = _chatgpt_message(node.member("message"), left)
        nodes.append(ForeignNode(node, name, parent, message))
    leaf = at.member("current_node").text_or_none(_NAME_CHARACTERS)
    messages = as_messages(_as_children_say(nodes), origin, conversation_id, leaf)
    return _conversation(conversation_id, title, created, updated, messages)


def _as_children_say(nodes: list[ForeignNode]) -> list[ForeignNode]:
    """Versions in the order in which their parent lists them; what it does not list comes last."""
    place: dict[str, int] = {}
    for node in nodes:
        children = node.at.member("children")
        if not children.is_nothing:
            for child in children.items(MAX_MESSAGES):
                place.setdefault(child.text(_NAME_CHARACTERS), len(place))
    return sorted(nodes, key=lambda node: place.get(node.key, len(place)))


def _chatgpt_message(at: Node, left: _Left) -> StoredMessage | None:
    if at.is_nothing:
        return None
    role = at.member("author").member("role").text(_NAME_CHARACTERS)
    content = at.member("content")
    text = "" if content.is_nothing else _chatgpt_text(content, left)
    metadata = at.member("metadata")
    is_hidden = metadata.has("is_visually_hidden_from_conversation")
    is_for_tool = at.has("recipient") and at.member("recipient").text(_NAME_CHARACTERS) != "all"
    if role not in ROLES or is_hidden or is_for_tool or not text:
        left.n += bool(text) and role in ROLES
        return None
    model = metadata.member("model_slug").text_or_none(_NAME_CHARACTERS) if metadata.has("model_slug") else None
    created = at.member("create_time").time()
    return StoredMessage("", "", None, role, text, model=model or "", created=created)


def _chatgpt_text(content: Node, left: _Left) -> str:
    kind = content.member("content_type").text(_NAME_CHARACTERS)
    if kind == "code":
        return f"```\n{content.member('text').text()}\n```"
    if kind not in ("text", "multimodal_text"):
        left.n += 1
        return ""
    texts = []
    for part in content.member("parts").items(10_000):
        if isinstance(part.value, dict):
            if part.has("text"):  # what was spoken
                texts.append(part.member("text").text())
            else:
                left.n += 1
        else:
            texts.append(part.text())
    return "\n\n".join(text for text in texts if text.strip())


# Open WebUI -------------------------------------------------------------------------------------------------------


def open_webui(root: Node) -> ForeignChats:
    """A list of objects with `chat`, or one such object. Raises ImportRefused."""
    left = _Left()
    items = root.items(MAX_CONVERSATIONS) if isinstance(root.value, list) else [root]
    return ForeignChats(OPEN_WEBUI, tuple(_webui_conversation(item, left) for item in items), left.n)


def _webui_conversation(at: Node, left: _Left) -> StoredConversation:
    chat = at.member("chat")
    named = at if at.has("title") else chat
    title = named.member("title").text_or_none(_TITLE_CHARACTERS) or ""
    created = _time(at.member("created_at")) or _time(chat.member("timestamp"))
    updated = _time(at.member("updated_at"))
    key = (at if at.has("id") else chat).member("id").text_or_none(_NAME_CHARACTERS)
    origin = (OPEN_WEBUI, key or f"{created}/{title}")
    conversation_id = imported_id(*origin)
    history = chat.member("history")
    nodes = []
    for name, node in history.member("messages").members(MAX_MESSAGES):
        parent = node.member("parentId").text_or_none(_NAME_CHARACTERS)
        nodes.append(ForeignNode(node, name, parent, _webui_message(node, left)))
    leaf = history.member("currentId").text_or_none(_NAME_CHARACTERS)
    messages = as_messages(nodes, origin, conversation_id, leaf)
    system = chat.member("system").text_or_none() if chat.has("system") else None
    is_pinned = at.member("pinned").fact()
    return _conversation(conversation_id, title, created, updated, messages, is_pinned=is_pinned, system=system or "")


def _webui_message(at: Node, left: _Left) -> StoredMessage | None:
    role = at.member("role").text(_NAME_CHARACTERS)
    text = _parts_or_text(at.member("content"), left)
    if at.has("files"):
        left.n += len(at.member("files").items(10_000))
    if role not in ROLES or not text:
        return None
    model = at.member("model").text_or_none(_NAME_CHARACTERS) or ""
    return StoredMessage("", "", None, role, text, model=model, created=_time(at.member("timestamp")))


# Jan --------------------------------------------------------------------------------------------------------------


def jan(folder: Path) -> ForeignChats:
    """A folder of threads, or one thread: thread.json and messages.jsonl. Links are not followed.

    Raises ImportRefused.
    """
    left = _Left()
    try:
        folders = [folder] if (folder / "thread.json").exists() else sorted(p for p in folder.iterdir() if p.is_dir())
    except OSError as error:
        raise ImportRefused(str(folder), "unreadable", "", error.strerror or str(error)) from error
    threads = [path for path in folders if (path / "thread.json").exists()]
    if not threads:
        raise ImportRefused(str(folder), "unknown_format", "", "no thread.json")
    if len(threads) > MAX_CONVERSATIONS:
        raise ImportRefused(str(folder), "too_many", "", f"{len(threads)} > {MAX_CONVERSATIONS}")
    return ForeignChats(JAN, tuple(_jan_thread(path, left) for path in threads), left.n)


def _jan_thread(folder: Path, left: _Left) -> StoredConversation:
    about, lines = folder / "thread.json", folder / "messages.jsonl"
    for path in (folder, about, lines):
        if path.is_symlink():
            raise ImportRefused(str(path), "unreadable", "", "a link")
    thread = read_json(about)
    key = thread.member("id").text(_NAME_CHARACTERS)
    titled = thread if thread.has("title") else thread.member("metadata")
    title = (titled.member("title").text_or_none(_TITLE_CHARACTERS) or "") if titled.has("title") else ""
    created, updated = _time(thread.member("created")), _time(thread.member("updated"))
    origin = (JAN, key)
    conversation_id = imported_id(*origin)
    nodes: list[ForeignNode] = []
    for number, at in enumerate(read_json_lines(lines) if lines.exists() else ()):
        name = at.member("id").text_or_none(_NAME_CHARACTERS) or f"line {number}"
        parent = nodes[-1].key if nodes else None
        nodes.append(ForeignNode(at, name, parent, _jan_message(at, left)))
    leaf = nodes[-1].key if nodes else None
    messages = as_messages(nodes, origin, conversation_id, leaf)
    return _conversation(conversation_id, title, created, updated, messages)


def _jan_message(at: Node, left: _Left) -> StoredMessage | None:
    role = at.member("role").text(_NAME_CHARACTERS)
    text = _parts_or_text(at.member("content"), left)
    if role not in ROLES or not text:
        return None
    return StoredMessage("", "", None, role, text, created=_time(at.member("created_at")))


# In common --------------------------------------------------------------------------------------------------------


def _parts_or_text(content: Node, left: _Left) -> str:
    """A text, or a list of parts `{"type": "text", "text": "…" or {"value": "…"}}`."""
    if content.is_nothing:
        return ""
    if not isinstance(content.value, list):
        return content.text()
    return "\n\n".join(_texts(content, left))


def _texts(content: Node, left: _Left) -> Iterator[str]:
    for part in content.items(10_000):
        if part.member("type").text(_NAME_CHARACTERS) != "text":
            left.n += 1
            continue
        text = part.member("text")
        yield text.member("value").text() if isinstance(text.value, dict) else text.text()


def _time(at: Node) -> float:
    """Seconds, from seconds or milliseconds."""
    is_milliseconds = isinstance(at.value, int | float) and at.value >= _MILLISECONDS_FROM
    return at.time(1e-3 if is_milliseconds else 1.0)


def _conversation(
    conversation_id: str,
    title: str,
    created: float,
    updated: float,
    messages: tuple[StoredMessage, ...],
    *,
    is_pinned: bool = False,
    system: str = "",
) -> StoredConversation:
    title = " ".join(title.split())
    times = [message.created for message in messages if message.created != TIME_UNKNOWN]
    created = created or min(times, default=TIME_UNKNOWN)
    updated = updated or max(times, default=created)
    first = next((message.content for message in messages), "")
    summary = ConversationSummary(
        conversation_id,
        title or title_of(first),
        PERSON if title else FIRST_LINE,
        is_pinned=is_pinned,
        created=created,
        updated=updated,
        opened=updated,
    )
    return StoredConversation(summary, system, messages)
