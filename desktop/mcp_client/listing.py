"""Turns what servers list into tool descriptors: names that models accept, bounded texts, a hash of the definition."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from desktop import __version__
from desktop.core.digests import sha256_of_json
from desktop.tools.entities import ServerConfig, ToolDescriptor

MAX_ALIAS_LENGTH = 64
MAX_DESCRIPTION_LENGTH = 4_000
MAX_TITLE_LENGTH = 200
_HASH_LENGTH = 6
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")


def slug(text: str) -> str:
    """Return ``text`` with everything but ``A-Z a-z 0-9 _ -`` replaced, without ``__``, which separates our names."""
    return re.sub(r"__+", "_", _OTHER_CHARACTERS.sub("_", text)).strip("_")


def alias(server_id: str, tool_name: str, taken: Mapping[str, Any] | None = None) -> str:
    """Return ``server__tool``. Where that is cut, altered or ``taken``, a hash of the real names keeps it unique."""
    server, tool = slug(server_id), slug(tool_name)
    plain = f"{server}__{tool}"
    exact = tool == tool_name and server == server_id
    if exact and len(plain) <= MAX_ALIAS_LENGTH and plain not in (taken or {}):
        return plain
    digest = hashlib.sha256(f"{server_id}\0{tool_name}".encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    server = server[:24]
    room = MAX_ALIAS_LENGTH - len(server) - len("__") - len("_") - _HASH_LENGTH
    return f"{server}__{tool[:room].rstrip('_')}_{digest}".replace("___", "__")


def describe_all(config: ServerConfig, listed: Sequence[Mapping[str, Any]]) -> tuple[ToolDescriptor, ...]:
    """Return a descriptor for each listed tool (as on the wire); of equal names the first one counts."""
    by_alias: dict[str, ToolDescriptor] = {}
    names: set[str] = set()
    for tool in listed:
        name = tool["name"]
        if name in names:
            continue
        names.add(name)
        short = alias(config.id, name, by_alias)
        if short in by_alias:  # two hashes that agree: the later tool is left out
            continue
        by_alias[short] = _describe(config, tool, short)
    return tuple(by_alias.values())


def _describe(config: ServerConfig, tool: Mapping[str, Any], short: str) -> ToolDescriptor:
    annotations = tool.get("annotations") or {}
    title = tool.get("title") or annotations.get("title") or tool["name"]
    return ToolDescriptor(
        server_id=config.id,
        name=tool["name"],
        alias=short,
        title=_clipped(str(title), MAX_TITLE_LENGTH),
        description=_clipped(str(tool.get("description") or ""), MAX_DESCRIPTION_LENGTH),
        input_schema=tool["inputSchema"],
        definition_hash=definition_hash(config, tool),
        bundled=config.bundled,
        annotations=annotations,
    )


def definition_hash(config: ServerConfig, tool: Mapping[str, Any]) -> str:
    """Return the sha256 over everything that a person could have judged the tool by.

    What the server says of it, and which program or address the server is: a grant given to one must not pass to
    another that lists the same tools. Of the environment and the headers the names count, never the values.
    """
    parts = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
    return sha256_of_json([_identity(config), [tool.get(part) for part in parts]])


def _identity(config: ServerConfig) -> list[Any]:
    if config.bundled:
        return ["bundled", __version__]  # its path changes with every move of the program
    names = [sorted(config.env), sorted(config.headers)]
    return [config.transport, config.command, config.args, config.cwd, config.url, *names]


def _clipped(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… [cut]"
