"""A server as it stands in the form: to and from an entry of ``mcpServers``, with what is wrong field by field."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop.ui.state.command_line import OpenQuoteError, join_command_line, split_command_line
from desktop.ui.state.secret_words import looks_secret

MAX_NAME = 60
_MANAGED = frozenset({"command", "args", "env", "cwd", "url", "headers", "disabled", "enabled", "allowInsecure"})
_ALTERED = re.compile("[\0\r\u2028\u2029\u00a0\ufdd0\ufdd1]")
"""Characters that a text field of Qt does not give back as they were."""
_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key"})
_SECRET_VALUE = re.compile(
    r"(sk|ghp|gho|github_pat|glpat|xox[abp]|AKIA|Bearer|Basic)[-_ ]?\S{12,}|[A-Za-z0-9+_-]{32,}={0,2}"
)


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
        rest={key: value for key, value in entry.items() if key not in _MANAGED},
    )


def entry_of(draft: ServerDraft) -> tuple[dict[str, Any], list[FieldProblem]]:
    """Return the entry that the draft stands for, and what is wrong with it as far as it can be told from here."""
    problems: list[FieldProblem] = []
    entry = dict(draft.rest)
    wrong_kinds = {"stdio"} if draft.is_web else set()
    for key in ("type", "transport"):
        kind = str(entry.get(key, "")).lower()
        if kind and (kind in wrong_kinds or (not draft.is_web and kind != "stdio")):
            del entry[key]
    if draft.is_web:
        entry["url"] = draft.url.strip()
        if not entry["url"]:
            problems.append(FieldProblem("url", "url_missing"))
        if headers := _lines(draft.headers, ":", "headers", problems):
            entry["headers"] = headers
        if draft.allow_unencrypted:
            entry["allowInsecure"] = True
    else:
        entry |= _program(draft, problems)
    if not draft.enabled:
        entry["disabled"] = True
    return entry, problems


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


def is_secret(name: str, value: str) -> bool:
    """Tell whether a value sounds like a key or a password that was written out; ``${NAME}`` is none."""
    if not value.strip() or "${" in value:
        return False
    return name.lower() in _SECRET_HEADERS or looks_secret(name) or _SECRET_VALUE.fullmatch(value.strip()) is not None


def written_secrets(draft: ServerDraft) -> list[str]:
    """Return the names of values in the draft that would stand in the settings file as readable secrets."""
    ignored: list[FieldProblem] = []
    if draft.is_web:
        return [key for key, value in _lines(draft.headers, ":", "", ignored).items() if is_secret(key, value)]
    found = [key for key, value in _lines(draft.env, "=", "", ignored).items() if is_secret(key, value)]
    try:
        arguments = split_command_line(draft.command_line)[1:]
    except OpenQuoteError:
        return found
    for index, argument in enumerate(arguments):
        option, equals, value = argument.partition("=")
        following = arguments[index + 1] if index + 1 < len(arguments) else ""
        if option.startswith("-") and is_secret(option, value if equals else following):
            found.append(option)
    return found


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
