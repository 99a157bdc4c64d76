"""Looks at every message of a server before the SDK parses it, so that one bad part does not spoil the whole.

Imports ``mcp_types`` at once: only ``transports`` may import this module.
"""

import asyncio
import json
import logging
import math
import re
import time
from collections.abc import Callable
from typing import Any

import mcp_types
from pydantic import ValidationError

from desktop.mcp_client.big_messages import BIG, BigMessages, read_big_message
from desktop.mcp_client.content_guard import check_version, clean_result, usable
from desktop.mcp_client.elicitation import disarm
from desktop.mcp_client.offer_guard import clean_offer
from desktop.mcp_client.sampling import disarm_sampling
from desktop.mcp_client.server_record import ServerRecord
from desktop.mcp_client.tool_list import MAX_TOOLS
from desktop.tools.server_remarks import Remark

logger = logging.getLogger(__name__)

MAX_REQUEST_STATE = 64 * 2**10
MAX_SCHEMA_DEPTH = 60
MAX_SCHEMA_CHARACTERS = 256 * 2**10
MAX_LIST_CHARACTERS = 2 * 2**20
_OPTIONAL_TOOL_FIELDS = ("annotations", "icons", "outputSchema", "execution", "_meta", "title")
MAX_PROGRESS_MESSAGE = 200
PROGRESS_BURST = 10
"""So many reports of progress of a call are let through at once, and in each second; the rest of a flood is dropped."""
MAX_TELLING = 16
"""For so many calls side by side."""
_PASSED_NOTIFICATIONS = frozenset({"notifications/cancelled"})
_STRAY_QUESTION = "unavailable on 2026-07-28 connections"
_MOST_SEARCHED = 2_000
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,80}")')

Message = mcp_types.JSONRPCMessage


class WireGuard:
    """The rules for one connection. ``notes`` collects what was left out, for the server's status."""

    def __init__(
        self,
        *,
        on_list_changed: Callable[[], None] = lambda: None,
        on_closed: Callable[[], None] = lambda: None,
        record: ServerRecord | None = None,
    ) -> None:
        """``on_closed`` hears of an end that nobody else sees."""
        self._on_list_changed = on_list_changed
        self.record = record
        if record is not None:
            record.speaks()
        self._allowances: dict[object, tuple[float, float]] = {}
        """How many reports of progress a call may still make, and since when, by its token."""
        self.on_closed = on_closed
        self.protocol_version: Callable[[], str | None] = lambda: None
        self.big = BigMessages()
        """Answers over HTTP that the SDK need not parse."""
        self.pending: set[str | int] = set()
        """Ids of our requests without an answer yet; kept by the transport where it can."""
        self.junk_lines = 0
        self.excluded_tools: dict[str, str] = {}
        self.has_stray_questions = False
        """A tool of it tried to ask in the way of the other era."""
        self.http_problem: Remark | None = None
        """The last refusal on the level of HTTP, which the SDK words without its status."""

    async def read(self, line: bytes) -> Message | None:
        """Return the message in a line of stdout, made safe, or None for a line that is none or that nobody need see.

        What is large is read in a thread.
        """
        message = self.parse(line) if len(line) < BIG else await asyncio.to_thread(self._parse_big, line)
        return None if message is None else await self.admit(message, len(line))

    def _parse_big(self, line: bytes) -> Message | None:
        try:
            return mcp_types.jsonrpc_message_adapter.validate_python(read_big_message(line), by_name=False)
        except ValueError:
            return self._answer_to_unreadable(line)

    def parse(self, line: bytes) -> Message | None:
        """Return the message in a line of stdout, or None for a line that is none.

        Text that the SDK's parser refuses is mended where possible. If it cannot be, and it was meant as the answer
        to a request of ours, that request fails at once instead of waiting for its deadline.
        """
        if not line.strip():
            return None
        try:
            return mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            mended = _mended(line.decode("utf-8", "replace"))
        if mended is not None:
            try:
                return mcp_types.jsonrpc_message_adapter.validate_python(mended, by_name=False)
            except ValueError:
                logger.debug("a message is JSON but no message")
        return self._answer_to_unreadable(line)

    def _answer_to_unreadable(self, line: bytes) -> Message | None:
        if b'"jsonrpc"' not in line or not line.lstrip().startswith(b"{"):
            self.junk_lines += 1
            if self.record is not None:
                self.record.junk(line)
            if self.junk_lines == 1:
                logger.warning("the server writes other things than messages on its stdout")
            return None
        for part in (line[:400], line[-400:]):
            for match in _ID.finditer(part):
                request_id = json.loads(match.group(1))
                if request_id in self.pending:
                    return _failure(request_id, "The server sent an answer that cannot be read.")
        logger.debug("the server sent a message that cannot be read and answers nothing")
        return None

    async def admit(self, message: Message, size: int | None = None) -> Message | None:
        """Return the message, made safe in place, or None when the SDK need not see it. ``size`` is that of its line."""
        held = None
        if isinstance(message, mcp_types.JSONRPCResponse) and (held := self.big.take(message.result)) is not None:
            message.result = held
        if self.record is not None:
            self.record.message(message, sent=False, size=size)
        is_big = held is not None or (size or 0) >= BIG
        if is_big and isinstance(message, mcp_types.JSONRPCResponse):
            return await asyncio.to_thread(self._admitted, message)
        return self._admitted(message)

    def _admitted(self, message: Message) -> Message | None:
        match message:
            case mcp_types.JSONRPCNotification(method=method, params=params):
                if method == "notifications/tools/list_changed":
                    self._on_list_changed()
                if method == "notifications/progress" and params is not None and self._is_telling(params):
                    return message
                # Log messages are not shown anywhere; a flood of either must not delay an answer.
                return message if method in _PASSED_NOTIFICATIONS else None
            case mcp_types.JSONRPCRequest(method=method, params=params):
                _disarm(method, params)
            case mcp_types.JSONRPCResponse(id=request_id, result=result) if isinstance(result, dict):
                return self._admit_result(message, request_id, result)
            case mcp_types.JSONRPCError(error=error) if _STRAY_QUESTION in error.message[:_MOST_SEARCHED]:
                error.message = f"{error.message}\n{self._stray_question()}"
            case _:
                pass
        return message

    def _is_telling(self, params: dict[str, Any]) -> bool:
        """Whether a report of progress is well-formed and not one of a flood; a long message is cut, in place."""
        token, message, now = params.get("progressToken"), params.get("message"), time.monotonic()
        if not isinstance(token, int | str) or not _is_number(params.get("progress")):
            return False
        if not (self._may_tell(token, PROGRESS_BURST, now) and self._may_tell(None, MAX_TELLING * PROGRESS_BURST, now)):
            return False
        if not _is_number(params.get("total")):
            params.pop("total", None)
        line = " ".join(message[: 4 * MAX_PROGRESS_MESSAGE].split()) if isinstance(message, str) else ""
        params["message"] = line[:MAX_PROGRESS_MESSAGE]
        return True

    def _may_tell(self, token: object, burst: float, now: float) -> bool:
        left, since = self._allowances.pop(token, (burst, now))
        left = min(burst, left + (now - since) * burst)
        if len(self._allowances) > MAX_TELLING:  # tokens that nobody gave it
            del self._allowances[next(iter(self._allowances))]
        self._allowances[token] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def _admit_result(self, message: Message, request_id: Any, result: dict[str, Any]) -> Message:
        state = result.get("requestState")
        if isinstance(state, str) and len(state) > MAX_REQUEST_STATE:
            return _failure(request_id, "The server's question carries too much state.")
        requests = result.get("inputRequests")
        if isinstance(requests, dict):
            for request in requests.values():
                if isinstance(request, dict):
                    _disarm(request.get("method"), request.get("params"))
        if isinstance(result.get("tools"), list):
            self._clean_tools(result)
        elif not clean_offer(result, self.protocol_version()) and (
            "content" in result or "structuredContent" in result
        ):
            clean_result(result, self.protocol_version())
            if result.get("isError") is True and _STRAY_QUESTION in _beginning(result):
                result["content"].append({"type": "text", "text": self._stray_question()})
        return message

    def _stray_question(self) -> str:
        """Note it, and return what the model and the reader of the result should know."""
        self.has_stray_questions = True
        self._on_list_changed()  # after which the server's state is told anew
        return f"[Threadwell: {Remark('stray_questions').english}]"

    def _clean_tools(self, result: dict[str, Any]) -> None:
        kept: list[Any] = []
        size = 0
        for tool in result["tools"][: MAX_TOOLS + 1]:  # one too many says that there are more
            try:
                size += len(json.dumps(tool)) if size <= MAX_LIST_CHARACTERS else 0
                if size > MAX_LIST_CHARACTERS:
                    raise ValueError(f"the list is longer than {MAX_LIST_CHARACTERS // 2**20} MB")
                kept.append(self._usable(tool, result))
            except (ValueError, RecursionError) as error:
                name = str(tool.get("name", ""))[:80] if isinstance(tool, dict) else ""
                self.excluded_tools[name] = str(error).splitlines()[0][:200]
                logger.warning("tool %r was left out: %s", name, self.excluded_tools[name])
        result["tools"] = kept

    def _usable(self, tool: Any, result: dict[str, Any]) -> dict[str, Any]:
        """Return the tool, without optional parts that are malformed. Raises ``ValueError`` saying why it is unusable."""
        if not isinstance(tool, dict):
            raise ValueError("it is not an object")
        if not isinstance(tool.get("name"), str) or not tool["name"]:
            raise ValueError("it has no name")
        check_schema(tool.get("inputSchema"))
        if "outputSchema" in tool and _depth(tool["outputSchema"], MAX_SCHEMA_DEPTH) > MAX_SCHEMA_DEPTH:
            tool = {key: value for key, value in tool.items() if key != "outputSchema"}

        def check(candidate: dict[str, Any]) -> None:
            mcp_types.Tool.model_validate(candidate, by_name=False)
            check_version("tools/list", self.protocol_version(), {**result, "tools": [candidate]})

        try:
            return usable(tool, _OPTIONAL_TOOL_FIELDS, check)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"it is malformed: {first['loc']}: {first['msg']}") from None


def _beginning(result: dict[str, Any]) -> str:
    """The first words of a result that was made safe."""
    first = next(iter(result["content"]), {})
    return str(first.get("text", ""))[:_MOST_SEARCHED]


def _disarm(method: Any, params: Any) -> None:
    match method:
        case "elicitation/create":
            disarm(params)
        case "sampling/createMessage":
            disarm_sampling(params)
        case _:
            pass


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(float(value))
    except OverflowError:
        return False


def check_schema(schema: Any) -> None:
    """Raise ``ValueError`` unless the schema of a tool's arguments can be used without harm."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise ValueError("its inputSchema does not describe an object")
    if _depth(schema, MAX_SCHEMA_DEPTH) > MAX_SCHEMA_DEPTH:
        raise ValueError(f"its inputSchema is nested more than {MAX_SCHEMA_DEPTH} deep")
    if len(json.dumps(schema)) > MAX_SCHEMA_CHARACTERS:
        raise ValueError("its inputSchema is too large")
    _check_references(schema, schema)


def _check_references(node: Any, root: dict[str, Any]) -> None:
    if isinstance(node, list):
        for item in node:
            _check_references(item, root)
    if not isinstance(node, dict):
        return
    reference = node.get("$ref")
    if isinstance(reference, str):
        _follow(reference, root)
    for value in node.values():
        _check_references(value, root)


def _follow(reference: str, root: dict[str, Any]) -> None:
    """Follow a chain of bare references: it must stay in the document and end."""
    seen: set[str] = set()
    while True:
        if not reference.startswith("#"):
            raise ValueError("its inputSchema refers to another document")
        if reference in seen:
            raise ValueError("its inputSchema refers to itself without end")
        seen.add(reference)
        target = _resolved(reference, root)
        following = target.get("$ref") if isinstance(target, dict) else None
        if not isinstance(following, str):
            return
        reference = following


def _resolved(reference: str, root: dict[str, Any]) -> Any:
    node: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _depth(value: Any, limit: int) -> int:
    """Return how deep a value is nested, at most ``limit`` + 1; without recursion, since it may be deep."""
    level = [value]
    for depth in range(limit + 1):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
            if isinstance(child, dict | list)
        ]
        if not level:
            return depth
    return limit + 1


def _mended(text: str) -> Any:
    """Parse JSON that the SDK's parser refuses: lone surrogates, huge integers, deep nesting. None when that fails too."""
    try:
        value = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 400 else digits)
        return json.loads(_LONE_SURROGATES.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None


def _failure(request_id: Any, message: str) -> Message:
    error = mcp_types.ErrorData(code=mcp_types.INTERNAL_ERROR, message=message)
    return mcp_types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error)
