"""A server as it stands in the form: to and from an entry of ``mcpServers``, with what is wrong field by field."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop.tools.entities import MOST_CALL_SECONDS, ProtocolEra
from desktop.tools.server_inputs import INPUTS, REFERENCE, ServerInput, inputs_of, with_inputs
from desktop.ui.state.command_line import OpenQuoteError, join_command_line, split_command_line

MAX_NAME = 60
_MANAGED = frozenset(
    {
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "headers",
        "disabled",
        "enabled",
        "allowInsecure",
        "timeout",
        "protocol",
        "knowsFolder",
        "mayAskModel",
    }
    | {INPUTS, "oauth"}
)
_CLIENT = ("clientId", "clientSecret")
_ALTERED = re.compile("[\0\r\u2028\u2029\u00a0\ufdd0\ufdd1]")
"""Characters that a text field of Qt does not give back as they were."""


@dataclass(frozen=True, kw_only=True)
class ServerDraft:
    """What the form holds; ``env`` and ``headers`` are lines, ``rest`` is what the entry says besides."""

    name: str = ""
    is_web: bool = False
    command_line: str = ""
    env: str = ""
    cwd: str = ""
    url: str = ""
    headers: str = ""
    allow_unencrypted: bool = False
    enabled: bool = True
    is_sse: bool = False
    """The older way over HTTP."""
    timeout: str = ""
    """Seconds for a call; empty: as usual."""
    protocol: str = ProtocolEra.AUTO.value
    knows_folder: bool = False
    """It may ask for the folder of the chat that calls it."""
    may_ask_model: bool = False
    """It may ask to use the model of the chat that calls it."""
    client_id: str = ""
    """Who the app is when somebody signs in; empty: as the sign-in server says."""
    client_secret: str = ""
    sign_in: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the entry says besides about signing in."""
    inputs: Mapping[str, ServerInput] = field(default_factory=dict[str, ServerInput])
    """What the entry describes of the values that it asks for."""
    rest: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class FieldProblem:
    """``field`` is one of the draft's; ``code`` says what is wrong there, ``detail`` with which line."""

    field: str
    code: str
    detail: str = ""


def draft_of(name: str, entry: object) -> ServerDraft | None:
    """Return the draft of an entry; None for one that the form cannot show without losing something of it."""
    if not isinstance(entry, Mapping):
        return None
    arguments, env, headers = entry.get("args", []), entry.get("env") or {}, entry.get("headers") or {}
    texts = [entry.get(key, "") for key in ("command", "cwd", "url")]
    if not (_is_list(arguments) and _is_map(env) and _is_map(headers) and all(_is_line(t) for t in texts)):
        return None
    command, cwd, url = texts
    kind = str(entry.get("transport", entry.get("type", ""))).lower()
    timeout, protocol = entry.get("timeout"), str(entry.get("protocol", ProtocolEra.AUTO)).lower()
    if not isinstance(entry.get(INPUTS, {}), Mapping) or protocol not in set(ProtocolEra):
        return None
    oauth = entry.get("oauth", {})
    if not isinstance(oauth, Mapping) or not all(_is_line(oauth.get(key, "")) for key in _CLIENT):
        return None
    return ServerDraft(
        name=name,
        is_web=kind != "stdio" if kind else "url" in entry,
        command_line=join_command_line([command, *map(str, arguments)]) if command else "",
        env="\n".join(f"{key}={value}" for key, value in env.items()),
        cwd=cwd,
        url=url,
        headers="\n".join(f"{key}: {value}" for key, value in headers.items()),
        allow_unencrypted=entry.get("allowInsecure") is True,
        enabled=is_enabled(entry),
        is_sse=kind == "sse",
        timeout=f"{timeout:g}" if isinstance(timeout, int | float) and not isinstance(timeout, bool) else "",
        protocol=protocol,
        knows_folder=entry.get("knowsFolder") is True,
        may_ask_model=entry.get("mayAskModel") is True,
        client_id=oauth.get("clientId", ""),
        client_secret=oauth.get("clientSecret", ""),
        sign_in={key: value for key, value in oauth.items() if key not in _CLIENT},
        inputs={item.id: item for item in inputs_of(entry)},
        rest={key: value for key, value in entry.items() if key not in _MANAGED},
    )


def entry_of(draft: ServerDraft) -> tuple[dict[str, Any], list[FieldProblem]]:
    """Return the entry that the draft stands for, and what is wrong with it as far as it can be told from here."""
    problems: list[FieldProblem] = []
    entry = dict(draft.rest)
    wrong_kinds = {"stdio"} | (set() if draft.is_sse else {"sse"}) if draft.is_web else set()
    for key in ("type", "transport"):
        kind = str(entry.get(key, "")).lower()
        if kind and (kind in wrong_kinds or (not draft.is_web and kind != "stdio")):
            del entry[key]
    if draft.is_web:
        if draft.is_sse:
            entry.pop("transport", None)
            entry["type"] = "sse"
        entry["url"] = draft.url.strip()
        if not entry["url"]:
            problems.append(FieldProblem("url", "url_missing"))
        if headers := _lines(draft.headers, ":", "headers", problems):
            entry["headers"] = headers
        if draft.allow_unencrypted:
            entry["allowInsecure"] = True
        if oauth := _sign_in(draft, problems):
            entry["oauth"] = oauth
    else:
        entry |= _program(draft, problems)
    if (seconds := _seconds(draft.timeout, problems)) is not None:
        entry["timeout"] = seconds
    return with_inputs(entry | _choices(draft), draft.inputs), problems


def _choices(draft: ServerDraft) -> dict[str, Any]:
    """What is not as usual."""
    choices: dict[str, Any] = {}
    if draft.protocol != ProtocolEra.AUTO:
        choices["protocol"] = draft.protocol
    if draft.knows_folder:
        choices["knowsFolder"] = True
    if draft.may_ask_model:
        choices["mayAskModel"] = True
    if not draft.enabled:
        choices["disabled"] = True
    return choices


def _sign_in(draft: ServerDraft, problems: list[FieldProblem]) -> dict[str, Any]:
    texts = {"clientId": draft.client_id.strip(), "clientSecret": draft.client_secret.strip()}
    if texts["clientSecret"] and not texts["clientId"]:
        problems.append(FieldProblem("client_id", "client_id_missing"))
    return {**draft.sign_in, **{key: text for key, text in texts.items() if text}}


def _seconds(text: str, problems: list[FieldProblem]) -> float | None:
    if not text.strip():
        return None
    try:
        seconds = float(text.strip().replace(",", "."))
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_CALL_SECONDS:
        problems.append(FieldProblem("timeout", "timeout_unusable"))
        return None
    return int(seconds) if seconds == int(seconds) else seconds


def name_problem(name: str, taken: set[str]) -> FieldProblem | None:
    """Return what is wrong with a name; ``taken`` are those of the other servers."""
    plain = name.strip()
    if not plain:
        return FieldProblem("name", "name_missing")
    if len(plain) > MAX_NAME or not plain.isprintable():
        return FieldProblem("name", "name_unusable")
    if plain.casefold() in {other.casefold() for other in taken}:
        return FieldProblem("name", "name_taken")
    return None


def is_enabled(entry: object) -> bool:
    return isinstance(entry, Mapping) and entry.get("disabled") is not True and entry.get("enabled") is not False


def switched(entry: Mapping[str, Any], on: bool) -> dict[str, Any]:
    """Return the entry switched on or off; nothing else of it changes."""
    changed = {key: value for key, value in entry.items() if key not in ("enabled", "disabled")}
    return changed if on else {**changed, "disabled": True}


def value_names(draft: ServerDraft) -> dict[str, str]:
    """Return the values of the draft that may be secrets by their names: of the environment, or the headers."""
    ignored: list[FieldProblem] = []
    values = _lines(draft.headers, ":", "", ignored) if draft.is_web else _lines(draft.env, "=", "", ignored)
    return {name: value for name, value in values.items() if value and not REFERENCE.search(value)}


def _program(draft: ServerDraft, problems: list[FieldProblem]) -> dict[str, Any]:
    try:
        arguments = split_command_line(draft.command_line)
    except OpenQuoteError:
        problems.append(FieldProblem("command_line", "quote_open"))
        arguments = [""]
    if not arguments:
        problems.append(FieldProblem("command_line", "command_missing"))
        arguments = [""]
    entry: dict[str, Any] = {"command": arguments[0]}
    if arguments[1:]:
        entry["args"] = arguments[1:]
    if env := _lines(draft.env, "=", "env", problems):
        entry["env"] = env
    if draft.cwd.strip():
        entry["cwd"] = draft.cwd.strip()
    return entry


def _lines(text: str, divider: str, field_name: str, problems: list[FieldProblem]) -> dict[str, str]:
    values: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        name, found, value = line.partition(divider)
        name = name.strip()
        if not found or not name or any(c.isspace() for c in name):
            problems.append(FieldProblem(field_name, f"{field_name}_line", str(number)))
        elif name in values:
            problems.append(FieldProblem(field_name, f"{field_name}_twice", name))
        else:
            values[name] = value.strip() if divider == ":" else value
    return values


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_plain(item) and not _ALTERED.search(str(item)) for item in value)


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        _is_plain(item) and not _ALTERED.search(f"{key}{item}") and "\n" not in f"{key}{item}"
        for key, item in value.items()
    )


def _is_line(value: object) -> bool:
    return isinstance(value, str) and not _ALTERED.search(value) and "\n" not in value


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
