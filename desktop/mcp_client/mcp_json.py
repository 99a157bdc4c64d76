"""Finds the server entries in a text as people copy it: from a file, a web page, another program's settings."""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.core.errors import SettingsError
from desktop.core.nesting import is_nested_deeper
from desktop.core.settings import MOST_ENTRY_LEVELS
from desktop.mcp_client.entry_shapes import as_new

MAX_CHARACTERS = 2_000_000
_STRING = r'("(?:\\.|[^"\\])*(?:"|\\?\Z))'
"""One that is never closed reaches to the end: else each quote in it would be tried as the beginning of another."""
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)
_TOML = re.compile(r"^\[[\w. \"'-]+\]", re.MULTILINE)
_LINK = re.compile(r"[a-z][a-z0-9.+-]*:\S+\Z", re.IGNORECASE)
_RUNNERS = frozenset(
    {"npx", "bunx", "pnpx", "uvx", "pipx", "uv", "node", "bun", "deno", "python", "python3", "py", "docker"}
)
_RUNNERS_OWN_WORDS = frozenset({"run", "tool", "exec", "dlx"})
_ROOTS = ("mcpServers", "servers", "context_servers", "mcp_servers", "amp.mcpServers", "mcp", "settings")
"""Where programs keep their servers; ``mcp`` and ``settings`` may hold another of these."""
_NO_SERVERS = frozenset({"inputs", "$schema", "version"})
_ENTRY_KEYS = ("command", "url", "httpUrl", "serverUrl", "baseUrl")


def read_mcp_json(text: str, *, source: str, any_root: bool = True) -> dict[str, Any]:
    """Return the entries in a text by their names, in our shape, with nothing allowed on their word.

    Accepts the root ``mcpServers``, VS Code's ``servers`` with ``inputs``, those of other programs, the servers
    themselves, one entry, a link that other programs install a server by, and TOML; comments, trailing commas and a
    missing outer brace, as they come with what people copy, are overlooked. Without ``any_root`` an object that names
    none of the roots holds no servers. Raises ``SettingsError`` with code ``settings.mcp_config``; ``source`` names the
    text there.
    """
    root = _read(text.removeprefix("\ufeff").strip(), source)
    if not isinstance(root, dict):
        raise _error(source, "It does not hold an object.")
    if _is_entry(root):
        return {_name_for(root): as_new(root)}
    servers, inputs = _find_servers(root, source)
    if servers is None:
        if not any_root:
            return {}
        servers = {name: entry for name, entry in root.items() if name not in _NO_SERVERS}
    return dict(_named(servers, inputs))


def _find_servers(root: Mapping[str, Any], source: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the servers and the inputs that stand beside them; None where there is no root that we know."""
    for key in _ROOTS:
        if key not in root or (key in ("mcp", "settings") and not isinstance(root[key], dict)):
            continue
        found = root[key]
        if not isinstance(found, dict):
            raise _error(source, f"“{key}” is not an object.")
        if _is_entry(found):
            continue  # a server that is called like that
        if key in ("mcp", "settings"):
            servers, inputs = _find_servers(found, source)
            if servers is None and key == "settings":
                continue
            return (found if servers is None else servers), {**_inputs(root), **_inputs(found), **inputs}
        return found, _inputs(root)
    return None, _inputs(root)


def _inputs(root: Mapping[str, Any]) -> dict[str, Any]:
    given = root.get("inputs")
    described = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
    return {item["id"]: item for item in described if isinstance(item.get("id"), str)}


def _named(servers: Mapping[str, Any], inputs: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    taken: set[str] = set()
    for key, entry in servers.items():
        name = key
        if not isinstance(entry, dict):
            yield name, entry
            continue
        # Cherry Studio's keys are ids; the name that people know stands in the entry.
        if isinstance(own := entry.get("name"), str) and "isActive" in entry and own.strip():
            name = own.strip()
        number, base = 2, name
        while name in taken:
            name, number = f"{base} {number}", number + 1
        taken.add(name)
        yield name, as_new(entry, inputs)


def _is_entry(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in _ENTRY_KEYS) or isinstance(value.get("command"), list)


def _read(text: str, source: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise _error(source, f"It is longer than {MAX_CHARACTERS:,} characters.")
    try:
        value = _read_link(text) if _LINK.match(text) else _read_leniently(text)
        if is_nested_deeper(value, MOST_ENTRY_LEVELS):
            raise _error(source, f"It is nested more than {MOST_ENTRY_LEVELS} levels deep.")
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _error(source, "It contains half of a character (a lone surrogate).") from None
    except TypeError:  # TOML has dates, which no server needs
        raise _error(source, "It holds a value that is neither text, number nor list.") from None
    except (ValueError, RecursionError) as error:
        raise _error(source, f"It is not JSON: {error}.") from None
    return value


def _read_leniently(text: str) -> Any:
    try:
        return _loads(text)
    except ValueError as strict:
        if text[:1] not in '{"/,' and _TOML.search(text):
            import tomllib  # hardly ever needed

            return tomllib.loads(text)
        plain = _TRAILING_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text)).strip()
        if plain.startswith('"'):  # members without the braces around them
            plain = f"{{{plain.removesuffix(',')}}}"
        try:
            return _loads(plain)
        except ValueError:
            raise strict from None


def _loads(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_with_both)


def _with_both(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two servers of one name are two servers: whoever reads the list must not see another one than is used."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        name, number = key, 2
        while name in found and isinstance(value, dict) and _is_entry(value):
            name, number = f"{key} {number}", number + 1
        found[name] = value
    return found


def _read_link(link: str) -> Any:
    """Return what a link says by which other programs install a server: its JSON, plain or in base64."""
    parts = urlsplit(link)
    query = parse_qs(parts.query)
    name = next(iter(query.get("name", [])), "")
    texts = [*query.get("config", []), *query.get("servers", []), unquote(parts.query)]
    for text in texts:
        value = _json_or_none(text) or _json_or_none(_from_base64(text))
        if isinstance(value, dict):
            own = value.pop("name", "") if _is_entry(value) else ""
            return {name or own: value} if (name or own) and _is_entry(value) else value
    raise ValueError("this link holds no server")


def _json_or_none(text: str) -> Any:
    try:
        return _loads(text) if text else None
    except ValueError:
        return None


def _from_base64(text: str) -> str:
    plain = text.replace(" ", "+").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def _error(source: str, detail: str) -> SettingsError:
    return SettingsError("settings.mcp_config", path=source, detail=detail)


def _name_for(entry: Mapping[str, Any]) -> str:
    """Return a name for an entry that came without one: its host, or what is started, without folder and version."""
    shaped = as_new(entry)
    if isinstance(url := shaped.get("url"), str) and not isinstance(shaped.get("command"), str):
        try:
            return urlsplit(url).hostname or "server"
        except ValueError:
            return "server"
    command = _last_part(str(shaped["command"]))
    arguments = shaped.get("args")
    if command.lower().removesuffix(".exe").removesuffix(".cmd") in _RUNNERS and isinstance(arguments, list):
        names = [a for a in arguments if isinstance(a, str) and not a.startswith("-") and a not in _RUNNERS_OWN_WORDS]
        command = _last_part(names[0]) if names else command
    return re.sub(r"(?<=.)@.*|\.(exe|cmd|py|js|mjs|ts|sh)$", "", command) or "server"


def _last_part(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
