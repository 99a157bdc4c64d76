"""Turns what servers list into tool descriptors: names that models accept, bounded texts, a hash of the definition."""

import base64
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
_MAX_SERVER_LENGTH = 24
_HASH_LENGTH = 10
_DEFINING = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
HASHED_NAME = re.compile(r"_[a-z2-7]{10}\Z")
"""How names end that carry a hash; one that ends so by itself gets a hash, too."""


def slug(text: str) -> str:
    """Return ``text`` with everything but ``A-Z a-z 0-9 _ -`` replaced, without ``__``, which separates our names."""
    return re.sub(r"__+", "_", _OTHER_CHARACTERS.sub("_", text)).strip("_")


def name_hash(*names: str) -> str:
    """Return ten letters and digits that stand for exactly these names, the same in every start."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode()[:_HASH_LENGTH].lower()


def alias(server_id: str, tool_name: str) -> str:
    """Return ``server__tool``: at most 64 of ``A-Z a-z 0-9 _ -``, beginning with a letter, as every endpoint takes it.

    It depends on nothing but the two names. Where it cannot show them as they are, it ends in a hash of them; a name
    that looks as if it did gets one, too. So no two tools share an alias, unless their hashes of 50 bits agree.
    """
    server, tool = slug(server_id), slug(tool_name)
    plain = f"{server}__{tool}"
    is_exact = (
        (server, tool) == (server_id, tool_name)
        and server[:1].isalpha()
        and bool(tool)
        and len(plain) <= MAX_ALIAS_LENGTH
        and not HASHED_NAME.search(plain)
    )
    if is_exact:
        return plain
    server = server if server[:1].isalpha() else f"s{server}"
    server = server[:_MAX_SERVER_LENGTH].rstrip("_")
    room = MAX_ALIAS_LENGTH - len(server) - len("__") - len("_") - _HASH_LENGTH
    tool = tool[:room].rstrip("_") or "tool"
    return f"{server}__{tool}_{name_hash(server_id, tool_name)}"


def describe_all(config: ServerConfig, listed: Sequence[Mapping[str, Any]]) -> tuple[ToolDescriptor, ...]:
    """Return a descriptor for each listed tool (as on the wire); of equal names the first one counts."""
    by_alias: dict[str, ToolDescriptor] = {}
    for tool in listed:
        short = alias(config.id, tool["name"])
        if short not in by_alias:
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
        output_schema=output_schema if isinstance(output_schema := tool.get("outputSchema"), dict) else None,
        definition={part: tool[part] for part in _DEFINING if tool.get(part) is not None},
    )


def definition_hash(config: ServerConfig, tool: Mapping[str, Any]) -> str:
    """Return the sha256 over everything that a person could have judged the tool by.

    What the server says of it, and which program or address the server is: a grant given to one must not pass to
    another that lists the same tools. Of the environment and the headers the names count, never the values.
    """
    return sha256_of_json([_identity(config), [tool.get(part) for part in _DEFINING]])


def server_identity(config: ServerConfig) -> str:
    """Return the sha256 over which program or address a server is."""
    return sha256_of_json(_identity(config))


def _identity(config: ServerConfig) -> list[Any]:
    if config.bundled:
        return ["bundled", __version__]  # its path changes with every move of the program
    names = [sorted(config.env), sorted(config.headers)]
    return [config.transport, config.command, config.args, config.cwd, config.url, *names]


def _clipped(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… [cut]"
