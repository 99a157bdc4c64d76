"""What servers offer beside tools, for the user to choose: prompts, and resources with their addresses. All of it untrusted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

_PLACE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9_.%-]+")


@dataclass(frozen=True, kw_only=True)
class ContentArgument:
    """Something that the user fills in."""

    name: str
    title: str = ""
    description: str = ""
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class ServerPrompt:
    """A text that a server writes, with what the user fills in."""

    server_id: str
    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[ContentArgument, ...] = ()

    @property
    def key(self) -> str:
        return f"prompt {self.server_id} {self.name}"


@dataclass(frozen=True, kw_only=True)
class ServerResource:
    """Something that a server holds under an address; with a template as its address, many things."""

    server_id: str
    address: str
    name: str
    title: str = ""
    description: str = ""
    media_type: str = ""
    size: int | None = None
    is_template: bool = False

    @property
    def key(self) -> str:
        return f"resource {self.server_id} {self.address}"

    @property
    def arguments(self) -> tuple[ContentArgument, ...]:
        """What is to be filled in; none where the address is one already."""
        if not self.is_template:
            return ()
        names = dict.fromkeys(name for place in _PLACE.findall(self.address) for name in _names(place))
        return tuple(ContentArgument(name=name, required=True) for name in names)

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the address with these values in it, as RFC 6570 has them."""
        return _PLACE.sub(lambda found: _expanded(found[1], values), self.address) if self.is_template else self.address


@dataclass(frozen=True, kw_only=True)
class ContentFile:
    """Something that came with a prompt, or a resource that was read: to be attached."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class PromptTurn:
    """One message of a prompt: who is to have said it (``user`` or ``assistant``), and what."""

    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class FilledPrompt:
    turns: tuple[PromptTurn, ...]
    files: tuple[ContentFile, ...] = ()


class ServerContent(Protocol):
    """The prompts and resources of all servers that are ready. Nothing is read but what is asked for."""

    async def prompts(self) -> tuple[ServerPrompt, ...]:
        """In the order of the servers; a server that does not answer in time, or not legibly, has none."""
        ...

    async def resources(self) -> tuple[ServerResource, ...]:
        """Those with an address before templates; as ``prompts``."""
        ...

    async def fill(self, prompt: ServerPrompt, values: Mapping[str, str]) -> FilledPrompt:
        """Have the server write the prompt. Raises ``ToolError`` (``server.…``)."""
        ...

    async def read(self, resource: ServerResource, values: Mapping[str, str]) -> tuple[ContentFile, ...]:
        """Read what stands under the address. Raises ``ToolError`` (``server.…``)."""
        ...

    async def complete(
        self, of: ServerPrompt | ServerResource, name: str, typed: str, others: Mapping[str, str]
    ) -> tuple[str, ...]:
        """What the server proposes for an argument; nothing where it proposes nothing or does not answer."""
        ...


def _names(place: str) -> list[str]:
    return [name for part in place.lstrip("+#./;?&").split(",") if (name := part.rstrip("*").split(":")[0])]


def _expanded(place: str, values: Mapping[str, str]) -> str:
    from urllib.parse import quote

    operator = place[:1] if place[:1] in "+#./;?&" and place else ""
    safe = "/:?#[]@!$&'()*+,;=~" if operator in ("+", "#") else "~"
    found = [(name, quote(values[name], safe=safe)) for name in _names(place) if values.get(name)]
    if not found:
        return ""
    if operator in ("?", "&", ";"):
        return operator + (";" if operator == ";" else "&").join(f"{name}={value}" for name, value in found)
    separator = operator if operator in (".", "/") else ","
    return ("" if operator in ("", "+") else operator) + separator.join(value for _, value in found)
