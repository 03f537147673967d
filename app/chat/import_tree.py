"""Nodes of a stranger's tree as messages of ours.

Owns what makes a tree: every parent is there, nothing is its own ancestor, of all versions one is shown. Nodes that are
no message (tools, hidden system texts, attachments without words) are taken out, and what hung on them moves up. Works
without recursion, however deep the tree is.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from app.chat.checked_json import Node
from app.chat.identifiers import imported_id
from app.chat.records import StoredMessage


@dataclass(frozen=True, slots=True)
class ForeignNode:
    """A node as the file has it.

    at        its place, for what may be wrong with it
    key       its name in the file
    parent    its parent's name; None at the top
    message   what it says, without identity; None for a node that is taken out
    """

    at: Node
    key: str
    parent: str | None
    message: StoredMessage | None


def as_messages(
    nodes: Iterable[ForeignNode], origin: tuple[str, ...], conversation_id: str, leaf: str | None
) -> tuple[StoredMessage, ...]:
    """Messages in an order in which parents come first and versions in the order of the nodes.

    origin   where the conversation comes from: with it a message has the same name whenever it is imported
    leaf     the node at which the path that is shown ends; without, the path goes through the latest versions

    Raises ImportRefused: duplicate, no_parent, cycle.
    """
    by_key: dict[str, ForeignNode] = {}
    for node in nodes:
        if node.key in by_key:
            node.at.refuse("duplicate", node.key[:60])
        by_key[node.key] = node
    children: dict[str | None, list[ForeignNode]] = {}
    for node in by_key.values():
        if node.parent is not None and node.parent not in by_key:
            node.at.refuse("no_parent", node.parent[:60])
        children.setdefault(node.parent, []).append(node)
    ordered = _parents_first(by_key, children)
    on_path = _path_up(by_key, leaf)
    names: dict[str | None, str | None] = {None: None}
    found: list[tuple[StoredMessage, bool]] = []
    for node in ordered:
        above = names[node.parent]
        if node.message is None:
            names[node.key] = above
            continue
        names[node.key] = imported_id(*origin, node.key)
        message = _placed(node.message, names[node.key] or "", conversation_id, above)
        found.append((message, node.key in on_path))
    return tuple(_shown(found))


def _parents_first(by_key: dict[str, ForeignNode], children: dict[str | None, list[ForeignNode]]) -> list[ForeignNode]:
    ordered = list(children.get(None, ()))
    for node in ordered:  # grows while it is walked
        ordered.extend(children.get(node.key, ()))
    if len(ordered) < len(by_key):
        reached = {node.key for node in ordered}
        astray = next(node for node in by_key.values() if node.key not in reached)
        astray.at.refuse("cycle", astray.key[:60])
    return ordered


def _path_up(by_key: dict[str, ForeignNode], leaf: str | None) -> set[str]:
    path: set[str] = set()
    while leaf is not None and leaf in by_key:
        path.add(leaf)
        leaf = by_key[leaf].parent
    return path


def _placed(m: StoredMessage, message_id: str, conversation_id: str, parent_id: str | None) -> StoredMessage:
    return StoredMessage(
        message_id, conversation_id, parent_id, m.role, m.content, m.status, m.model, m.created, m.facts
    )


def _shown(found: list[tuple[StoredMessage, bool]]) -> list[StoredMessage]:
    shown: dict[str | None, str] = {}
    for message, is_on_path in found:
        if is_on_path or message.parent_id not in shown:
            shown[message.parent_id] = message.id
    preferred = {message.parent_id for message, is_on_path in found if is_on_path}
    for message, _ in found:
        if message.parent_id not in preferred:
            shown[message.parent_id] = message.id  # the latest
    return [
        StoredMessage(
            m.id, m.conversation_id, m.parent_id, m.role, m.content, m.status, m.model, m.created, m.facts,
            shown[m.parent_id] == m.id,
        )
        for m, _ in found
    ]  # fmt: skip
