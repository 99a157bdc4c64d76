"""Which tools a model is offered where not all fit beside the chat: as many as there is room for, and a search for the rest."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop.agent.tool_specs import tool_specs
from desktop.conversation.entities import Message, ToolCallPart
from desktop.core.language_model import ModelRequest, Remark, ToolSpec
from desktop.core.token_count import count_tool
from desktop.tools.entities import ToolDescriptor
from desktop.tools.host_tools import HostTool
from desktop.tools.tool_search import find_tools_tool, hits_text, search_tools

SHARE_OF_CONTEXT = 0.25
"""The part of what a model reads that its tools may take."""
USUAL_TOKENS = 16_000
"""Of all tools, where nobody knows how much the model reads."""
LEAST_TOKENS, MOST_TOKENS = 1_000, 32_000
MOST_FOUND = 24
"""So many tools that the model searched for stay offered, the last ones."""
HOST_SERVER = "command"
"""The search stands beside the tools that come with the app."""


def _no_limit(tools: Sequence[ToolSpec]) -> int:
    return len(tools)


@dataclass(frozen=True)
class ToolRoom:
    """How many tools can be offered at once. ``count`` returns of how many of these the endpoint takes; 0 is none ever."""

    tokens: int = USUAL_TOKENS
    count: Callable[[Sequence[ToolSpec]], int] = _no_limit

    @property
    def instruction_bytes(self) -> int:
        """How much what servers say of themselves may take beside: no byte is less than a third of a usual token."""
        return self.tokens // 4 * 3


def room_for(context_tokens: int | None, offered: Callable[[ModelRequest], Sequence[ToolSpec]]) -> ToolRoom:
    """Return the room of a model that reads this much; ``offered`` as in ``EndpointDirectory``, for its endpoint."""

    def count(tools: Sequence[ToolSpec]) -> int:
        return len(offered(ModelRequest(messages=(), tools=tuple(tools))))

    if context_tokens is None:
        return ToolRoom(USUAL_TOKENS, count)
    return ToolRoom(max(LEAST_TOKENS, min(MOST_TOKENS, int(context_tokens * SHARE_OF_CONTEXT))), count)


class ToolChoice:
    """The tools of one answer. What fits is the same for the same tools, calls and searches."""

    def __init__(self, tools: Sequence[ToolDescriptor], costs: Mapping[str, int], room: ToolRoom) -> None:
        """``costs`` are the tokens of each tool by its alias; empty where all of them fit."""
        self._tools = tuple(tools)
        self._costs = costs
        self._room = room
        self._search = find_tools_tool(HOST_SERVER)
        self._found: list[str] = []
        self._most = room.count(tool_specs([*tools, self._search])) - 1
        """How many beside the search."""
        self._is_whole = len(tools) <= self._most + 1 and sum(costs.values()) <= room.tokens
        if self._most < 0:  # the endpoint takes no tools, which is said elsewhere
            self._is_whole = True
        self._left = room.tokens - (0 if self._is_whole else _tokens_of(self._search))

    @classmethod
    async def among(cls, tools: Sequence[ToolDescriptor], room: ToolRoom) -> "ToolChoice":
        """Count the tools, in a thread; not even that where they are so short that they must fit."""
        specs = tool_specs(tools)
        if sum(map(_bytes_of, specs)) <= room.tokens:
            return cls(tools, {}, room)
        return cls(tools, await asyncio.to_thread(_costs, specs), room)

    @classmethod
    def counted(cls, tools: Sequence[ToolDescriptor], room: ToolRoom) -> "ToolChoice":
        """The same at once, for a caller who is in a thread of its own."""
        return cls(tools, _costs(tool_specs(tools)), room)

    @property
    def all(self) -> tuple[ToolDescriptor, ...]:
        """What can be called: all tools, and the search where it is needed."""
        return self._tools if self._is_whole else (*self._tools, self._search)

    @property
    def host_tools(self) -> tuple[HostTool, ...]:
        return () if self._is_whole else (HostTool(self._search, self._find),)

    def offered(self, called: Iterable[str] = ()) -> tuple[ToolDescriptor, ...]:
        """Return what the next step offers, in the order of the servers; ``called`` were called before, the latest first.

        First what was searched for and what was called; then whole servers, as many as there is room for; then, tool by
        tool, what still finds room.
        """
        if self._is_whole:
            return self._tools
        known = {tool.alias for tool in self._tools}
        wanted = [[name] for name in (*self._found, *called) if name in known]
        kept: set[str] = set()
        tokens = 0
        for names in (*wanted, *self._groups(), *([tool.alias] for tool in self._tools)):
            new = [name for name in names if name not in kept]
            cost = sum(self._cost(name) for name in new)
            if len(kept) + len(new) <= self._most and tokens + cost <= self._left:
                kept.update(new)
                tokens += cost
        return (self._search, *(tool for tool in self._tools if tool.alias in kept))

    def remark(self, offered: Sequence[ToolDescriptor]) -> Remark | None:
        """What the user should know of the offer; None where nothing was left out."""
        if self._is_whole:
            return None
        total = len(self._tools)
        return Remark(code="tools_searched", params={"left": total - (len(offered) - 1), "total": total})

    def _groups(self) -> list[list[str]]:
        groups: dict[str, list[str]] = {}
        for tool in sorted(self._tools, key=lambda tool: not tool.bundled):
            groups.setdefault(tool.server_id, []).append(tool.alias)
        return list(groups.values())

    def _cost(self, name: str) -> int:
        return self._costs.get(name, 0)

    def _find(self, arguments: Mapping[str, Any]) -> str:
        query = str(arguments["query"])
        usable = [tool for tool in self._tools if self._cost(tool.alias) <= self._left]
        hits = search_tools(usable, query)
        names = [hit.alias for hit in hits]
        self._found = [*names, *(name for name in self._found if name not in names)][:MOST_FOUND]
        return hits_text(query, hits, usable)


def _costs(specs: Sequence[ToolSpec]) -> dict[str, int]:
    return {spec.name: count_tool(spec) for spec in specs}


def _tokens_of(tool: ToolDescriptor) -> int:
    return sum(map(_bytes_of, tool_specs([tool]))) // 3


def _bytes_of(spec: ToolSpec) -> int:
    """No token is shorter than a byte."""
    return len(f"{spec.name}{spec.description}{spec.parameters}".encode("utf-8", "replace"))


def calls_of(messages: Sequence[Message]) -> list[ToolCallPart]:
    """Return the calls that these messages made."""
    return [part for message in messages for part in message.parts if isinstance(part, ToolCallPart)]


def names_called(messages: Sequence[Message]) -> dict[str, None]:
    """Return the names of the tools that were called, the latest first."""
    return dict.fromkeys(call.name for call in reversed(calls_of(messages)))
