"""Chats that ChatGPT exported: a tree of nodes, in which an answer with its tools is a chain of many."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from desktop.conversation.entities import MessageStatus, Part, Role, TextPart
from desktop.conversation.interchange.reading.answers import AnswerParts, file_part
from desktop.conversation.interchange.reading.making import (
    Asset,
    Draft,
    Read,
    UnreadableChatError,
    as_json,
    count,
    fields,
    items,
    key,
    make_chat,
    moment,
    text,
)
from desktop.conversation.interchange.records import Source

_MARK = re.compile("\ue200.*?\ue201|[\ue200-\ue206]", re.DOTALL)
"""References that only its own page can show."""
_POINTER = re.compile(r"(?:file-service|sediment)://(?P<id>[\w-]+)")
_HIDDEN_TYPES = ("user_editable_context", "model_editable_context", "reasoning_recap", "app_pairing_content")
_PICTURES = ("image_asset_pointer",)


def is_one(value: Any) -> bool:
    return isinstance(fields(value).get("mapping"), dict)


def chats(value: Any) -> Iterator[Read]:
    """Give the chat. Raises ``ValueError`` for what is none."""
    chat = fields(value)
    nodes = {name: fields(node) for name, node in fields(chat.get("mapping")).items()}
    if not nodes:
        raise UnreadableChatError("it has no nodes")
    tree = _Tree(nodes)
    drafts = tree.drafts()
    chat_id = key(chat.get("conversation_id") or chat.get("id"), "")
    if not chat_id:
        chat_id = key(drafts[0].id if drafts else "", "chat")
    made = make_chat(
        Source.CHATGPT,
        chat_id=chat_id,
        title=text(chat.get("title")),
        drafts=drafts,
        tip=tree.message_at(text(chat.get("current_node"))),
        created_at=moment(chat.get("create_time")),
        updated_at=moment(chat.get("update_time")),
    )
    yield made, tree.assets


class _Tree:
    """The nodes, and the messages that they are: an answer is all that follows a question up to the next one."""

    def __init__(self, nodes: Mapping[str, Mapping[str, Any]]) -> None:
        self._nodes = nodes
        self._roles = {name: _role(node) for name, node in nodes.items()}
        self._parents = {name: _parent(name, node, nodes) for name, node in nodes.items()}
        self._children: dict[str, list[str]] = {}
        for name, parent in self._parents.items():
            if parent is not None:
                self._children.setdefault(parent, []).append(name)
        self._messages: dict[str, str | None] = {}
        """By its node, the id of the message that ends there or above; None at the root."""
        self.assets: dict[str, Asset] = {}

    def message_at(self, name: str) -> str | None:
        """Return the id of the message that a node belongs to, or ends at the nearest one above."""
        seen = set[str]()
        at: str | None = name if name in self._nodes else None
        while at is not None and at not in seen:
            if at in self._messages:
                return self._messages[at]
            seen.add(at)
            at = self._parents[at]
        return None

    def drafts(self) -> list[Draft]:
        found: list[Draft] = []
        for name in self._from_the_root():
            role = self._roles[name]
            if role is Role.USER:
                parts = self._user_parts(name)
                draft = Draft(id=name, parent_id=None, role=Role.USER, parts=parts, at=self._time(name))
            elif role is Role.ASSISTANT and self._is_end(name):
                draft = self._answer(name)
            else:
                continue
            if draft.parts:
                draft.parent_id = self._message_above(name, draft.role)
                self._messages[name] = draft.id = key(draft.id, f"node-{len(found)}")
                found.append(draft)
        return found

    def _from_the_root(self) -> Iterator[str]:
        """Parents before children, in the order of the children; nodes in a circle are left out."""
        waiting = [name for name, parent in reversed(self._parents.items()) if parent is None]
        seen = set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            yield name
            waiting.extend(reversed(self._ordered_children(name)))

    def _ordered_children(self, name: str) -> Sequence[str]:
        own = self._children.get(name, [])
        order = {
            child: place
            for place, child in enumerate(items(self._nodes[name].get("children")))
            if isinstance(child, str)
        }
        return sorted(own, key=lambda child: order.get(child, len(order)))

    def _is_end(self, name: str) -> bool:
        """Whether an answer ends with this node: a question follows, or nothing that can be seen."""
        return self._follows(name, Role.USER) or not self._follows(name, Role.ASSISTANT)

    def _follows(self, name: str, role: Role) -> bool:
        waiting, seen = list(self._children.get(name, ())), set[str]()
        while waiting:
            child = waiting.pop()
            if child in seen:
                continue
            seen.add(child)
            if self._roles[child] is role:
                return True
            if self._roles[child] is None:
                waiting.extend(self._children.get(child, ()))
        return False

    def _message_above(self, name: str, role: Role) -> str | None:
        """Return the message that this one follows: of an answer the question, of a question the answer that ends there."""
        at = self._parents[name]
        while at is not None:
            if at in self._messages and (role is Role.USER or self._roles[at] is Role.USER):
                return self._messages[at]
            at = self._parents[at]
        return None

    def _answer(self, name: str) -> Draft:
        chain: list[str] = []
        at: str | None = name
        while at is not None and self._roles[at] is not Role.USER:
            if self._roles[at] is Role.ASSISTANT:
                chain.append(at)
            at = self._parents[at]
        chain.reverse()
        parts, model, status = AnswerParts(), "", MessageStatus.COMPLETE
        sources: list[tuple[str, str]] = []
        for one in chain:
            message = fields(self._nodes[one].get("message"))
            metadata = fields(message.get("metadata"))
            model = text(metadata.get("model_slug")) or model
            if message.get("status") == "in_progress":
                status = MessageStatus.INTERRUPTED
            sources += _sources(metadata)
            self._add(parts, one, message)
        parts.sources(sources)
        times = [time for one in chain if (time := self._time(one)) is not None]
        return Draft(
            id=name,
            parent_id=None,
            role=Role.ASSISTANT,
            parts=parts.parts,
            at=times[0] if times else None,
            ended_at=times[-1] if times else None,
            status=status,
            model=model,
        )

    def _add(self, parts: AnswerParts, name: str, message: Mapping[str, Any]) -> None:
        content, author = fields(message.get("content")), fields(message.get("author"))
        kind, said = text(content.get("content_type")), self._said(content)
        if author.get("role") == "tool":
            pictures = [(file_id, shown) for file_id, shown, _ in self._pictures(content, {})]
            parts.result("", text(author.get("name")), said, is_error=kind == "system_error", pictures=pictures)
        elif kind == "thoughts":
            thoughts = [fields(one) for one in items(content.get("thoughts"))]
            lines = ["\n".join(filter(None, (text(t.get("summary")), text(t.get("content"))))) for t in thoughts]
            parts.thinking("\n\n".join(filter(None, lines)))
        elif (recipient := text(message.get("recipient")) or "all") != "all":
            parts.call(name, recipient, said)
        else:
            language = text(content.get("language"))
            is_code = kind == "code" and said.strip()
            mark = "" if language == "unknown" else language
            parts.text(f"```{mark}\n{said}\n```" if is_code else _MARK.sub("", said))
            for file_id, shown, _ in self._pictures(content, {}):
                parts.result("", "image", "", pictures=[(file_id, shown)])

    def _user_parts(self, name: str) -> list[Part]:
        message = fields(self._nodes[name].get("message"))
        content = fields(message.get("content"))
        named = {
            text(one.get("id")): one
            for one in map(fields, items(fields(message.get("metadata")).get("attachments")))
            if text(one.get("id"))
        }
        parts: list[Part] = []
        seen = set[str]()
        for file_id, shown, size in self._pictures(content, named):
            seen.add(file_id)
            parts.append(file_part(file_id, shown, size=size, media_type="image/png"))
        for file_id, one in named.items():
            if file_id not in seen:
                shown = text(one.get("name")) or file_id
                self.assets[file_id] = Asset(name=shown, hint=file_id)
                media_type = text(one.get("mimeType") or one.get("mime_type"))
                parts.append(file_part(file_id, shown, size=count(one.get("size")) or 0, media_type=media_type))
        if said := self._said(content):
            parts.append(TextPart(text=said))
        return parts

    def _pictures(
        self, content: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]]
    ) -> list[tuple[str, str, int]]:
        """Return ids, names and sizes of the pictures in a node."""
        found: list[tuple[str, str, int]] = []
        for one in map(fields, items(content.get("parts"))):
            pointer = _POINTER.match(text(one.get("asset_pointer")))
            if pointer is not None and one.get("content_type") in _PICTURES:
                file_id = pointer["id"]
                shown = text(fields(named.get(file_id)).get("name")) or f"{file_id}.png"
                self.assets[file_id] = Asset(name=shown, hint=file_id)
                found.append((file_id, shown, count(one.get("size_bytes")) or 0))
        return found

    @staticmethod
    def _said(content: Mapping[str, Any]) -> str:
        """Return the text of a node, whatever its content is."""
        pieces: list[str] = []
        for part in items(content.get("parts")):
            if isinstance(part, str):
                pieces.append(part)
            elif said := text(fields(part).get("text")):
                pieces.append(said)  # what was spoken
        for name in ("text", "result"):
            pieces.append(text(content.get(name)))
        if content.get("content_type") == "tether_quote":
            pieces.insert(0, "\n".join(filter(None, (text(content.get("title")), text(content.get("url"))))))
        if not any(pieces) and "content" in content:
            pieces.append(as_json(content["content"]))
        return "\n\n".join(piece for piece in pieces if piece.strip())

    def _time(self, name: str) -> datetime | None:
        message = fields(self._nodes[name].get("message"))
        return moment(message.get("create_time"))


def _role(node: Mapping[str, Any]) -> Role | None:
    """Return who speaks in a node: tools belong to the answer; None for what is not shown."""
    message = fields(node.get("message"))
    metadata, content = fields(message.get("metadata")), fields(message.get("content"))
    if not message or metadata.get("is_visually_hidden_from_conversation") is True:
        return None
    if content.get("content_type") in _HIDDEN_TYPES:
        return None
    match fields(message.get("author")).get("role"):
        case "user":
            return Role.USER
        case "assistant" | "tool":
            return Role.ASSISTANT
        case _:
            return None


def _parent(name: str, node: Mapping[str, Any], nodes: Mapping[str, Any]) -> str | None:
    parent = node.get("parent")
    return parent if isinstance(parent, str) and parent in nodes and parent != name else None


def _sources(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for reference in map(fields, items(metadata.get("content_references"))):
        for one in (reference, *map(fields, items(reference.get("items")))):
            found.append((text(one.get("url")), text(one.get("title"))))
    for citation in map(fields, items(metadata.get("citations"))):
        about = fields(citation.get("metadata"))
        found.append((text(about.get("url")), text(about.get("title"))))
    return [(url, title) for url, title in found if url.startswith(("http://", "https://"))]
