"""Keeps what happened at the start of one server, and the last messages to and fro: cut, bounded, without secrets."""

import asyncio
import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from desktop.core.clock import utc_now
from desktop.mcp_client.child import ChildProcess
from desktop.mcp_client.reach import ServerPlace
from desktop.tools.entities import ServerConfig
from desktop.tools.masking import Masker, is_secret_name
from desktop.tools.server_inputs import REFERENCE
from desktop.tools.server_report import MessageKind, MessageNote, ServerReport, StartStep, StepTime

if TYPE_CHECKING:
    from fastmcp import Client

MOST_MESSAGES = 300
_MOST_PENDING = 500
_MOST_NAME = 200
_MOST_INSTRUCTIONS = 20_000
_STDERR_CHARACTERS = 6_000
_MOST_NODES = 20_000
FIRST_MODERN = "2026-07-28"
"""The first version of the protocol's newer era."""
_SHORTEST_SECRET = 6
"""Of what stands in the environment or in a header: shorter ones are no secrets, and would stand in ordinary words."""


class ServerRecord:
    """Of one configured server, over all its starts."""

    def __init__(self, config: ServerConfig, place: ServerPlace | None = None) -> None:
        self._config = config
        self._place = place or ServerPlace()
        self._masker = Masker(_secrets_of(config, config))
        self._messages: deque[MessageNote] = deque(maxlen=MOST_MESSAGES)
        self._count = 0
        self._methods: dict[object, str] = {}
        """Of requests without an answer yet, by who asked and their id."""
        self._steps: list[StepTime] = []
        self._step_began = 0.0
        self._starts = 0
        self._started_at: datetime | None = None
        self._child: ChildProcess | None = None
        self._claim: dict[str, Any] = {}
        self.instructions = ""
        """As the server gave them the last time it was connected to; cut where they are very long. Untrusted."""

    def begin(self) -> None:
        """A start begins, with its first step."""
        self._starts += 1
        self._started_at = utc_now()
        self._child = None
        self._claim = {}
        self._methods.clear()
        self._steps = []
        self._enter(StartStep.PREPARE)

    def prepared(self, config: ServerConfig) -> None:
        """It is going to be started with this configuration, which has the secrets in it."""
        self._masker.hide(_secrets_of(self._config, config))
        if not config.transport.is_web:
            self._leave()
            self._enter(StartStep.SPAWN)

    def spawned(self, child: ChildProcess | None) -> None:
        """The program runs, or there is none: the host gets ready to speak to it."""
        self._child = child
        self._leave()
        self._enter(StartStep.LOAD)

    def speaks(self) -> None:
        """Now the two get to know each other."""
        self._leave()
        self._enter(StartStep.HANDSHAKE)

    def connected(self, client: "Client[Any]") -> None:
        """They do; what it claims of itself is known, and its tools are listed next."""
        self._leave()
        info, capabilities = client.server_info, client.server_capabilities
        self.instructions = (client.instructions or "")[:_MOST_INSTRUCTIONS]
        self._claim = {
            "protocol_version": client.protocol_version or "",
            "is_newer_era": (client.protocol_version or "") >= FIRST_MODERN,
            "name": (info.name if info is not None else "")[:_MOST_NAME],
            "title": ((info.title if info is not None else "") or "")[:_MOST_NAME],
            "version": (info.version if info is not None else "")[:_MOST_NAME],
            "capabilities": tuple(_capabilities(capabilities.model_dump(exclude_none=True) if capabilities else {})),
        }
        self._enter(StartStep.LIST)

    def listed(self) -> None:
        """The start is over."""
        self._leave()

    def report(self) -> ServerReport:
        """Return what is known now."""
        child = self._child
        return ServerReport(
            server_id=self._config.id,
            program=child.program if child is not None else "",
            addresses=self._place.shown,
            proxy=self._place.proxy_host,
            pid=child.pid if child is not None and not child.ended.is_set() else 0,
            starts=self._starts,
            started_at=self._started_at,
            steps=tuple(self._steps),
            instructions=self._masker.text(self.instructions),
            stderr=self._masker.text(child.stderr_tail(_STDERR_CHARACTERS)) if child is not None else "",
            messages=tuple(self._messages),
            message_count=self._count,
            **self._claim,
        )

    # What the connection tells.

    def message(self, message: Any, *, sent: bool, size: int | None = None) -> None:
        """Note a message of the protocol."""
        method, request_id = getattr(message, "method", ""), getattr(message, "id", None)
        if method and request_id is None:
            last = self._messages[-1] if self._messages else None
            if last is not None and (last.kind, last.method, last.sent) == (MessageKind.NOTICE, method, sent):
                self._again(last)  # of a flood one is enough, and must cost nothing
                return
        if method:
            kind = MessageKind.NOTICE if request_id is None else MessageKind.REQUEST
            value: Any = getattr(message, "params", None)
            if request_id is not None and len(self._methods) < _MOST_PENDING:
                self._methods[sent, request_id] = method
        else:
            error: Any = getattr(message, "error", None)
            kind = MessageKind.ANSWER if error is None else MessageKind.ERROR
            value = message.result if error is None else {"code": error.code, "message": error.message}
            method = self._methods.pop((not sent, request_id), "")
        self._note(
            sent=sent,
            kind=kind,
            method=str(method)[:_MOST_NAME],
            id="" if request_id is None else str(request_id)[:40],
            size=_rough_size(value) if size is None else size,
            excerpt="" if value is None else self._masker.excerpt(value),
        )

    def junk(self, line: bytes) -> None:
        """Note a line that is no message."""
        last = self._messages[-1] if self._messages else None
        if last is not None and last.kind is MessageKind.JUNK:
            self._again(last)
            return
        text = self._masker.excerpt(line[:2_000].decode("utf-8", "replace"), most_of_text=300)
        self._note(sent=False, kind=MessageKind.JUNK, size=len(line), excerpt=text)

    def _note(self, **facts: Any) -> None:
        self._count += 1
        self._messages.append(MessageNote(at=utc_now(), **facts))

    def _again(self, last: MessageNote) -> None:
        self._count += 1
        self._messages[-1] = replace(last, times=last.times + 1)

    def _enter(self, step: StartStep) -> None:
        self._step_began = asyncio.get_running_loop().time()
        self._steps.append(StepTime(step))

    def _leave(self) -> None:
        seconds = asyncio.get_running_loop().time() - self._step_began
        self._steps[-1] = StepTime(self._steps[-1].step, seconds)


def _secrets_of(written: ServerConfig, filled: ServerConfig) -> Iterator[str]:
    """Yield the values that are not to be shown: of the environment and headers, and what was put in for a reference."""
    for value in (*filled.env.values(), *filled.headers.values()):
        if len(value) >= _SHORTEST_SECRET:
            yield value
            yield from (part for part in value.split() if len(part) >= 2 * _SHORTEST_SECRET)
    if filled.oauth is not None:
        yield filled.oauth.client_secret
    # An entry may take its keys from our environment.
    yield from (value for name, value in os.environ.items() if is_secret_name(name) and len(value) >= _SHORTEST_SECRET)
    texts = zip((*written.args, written.url, written.command), (*filled.args, filled.url, filled.command), strict=True)
    for before, after in texts:
        if before != after:
            pattern = "(.*)".join(map(re.escape, REFERENCE.split(before)[::2]))
            match = re.fullmatch(pattern, after, re.DOTALL)
            yield from match.groups() if match is not None else (after,)


def _capabilities(declared: dict[str, Any]) -> Iterator[str]:
    """Yield ``tools``, ``tools.list_changed`` and so on, what is switched on."""
    for name, value in list(declared.items())[:50]:
        yield str(name)[:_MOST_NAME]
        if isinstance(value, dict):
            yield from (f"{name}.{part}"[:_MOST_NAME] for part, on in list(value.items())[:20] if on is True)


def _rough_size(value: Any) -> int:
    """Return about how many bytes the value has as JSON, without writing it down: it may be very large."""
    size, nodes, rest = 0, 0, [value]
    while rest and nodes < _MOST_NODES:
        node = rest.pop()
        nodes += 1
        match node:
            case str():
                size += len(node) + 2
            case dict():
                size += 2 + sum(len(str(key)) + 4 for key in node)
                rest.extend(node.values())
            case list():
                size += 2 + len(node)
                rest.extend(node)
            case _:
                size += 4
    return size
