"""Values of a server that are asked for once, ``${input:ID}`` in its entry: which there are, and which are still missing.

A value that is a secret lies in the ``SecretStore``; the entry holds only the name under which it is kept there.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

INPUTS = "inputs"
"""The key of an entry that describes its inputs by their ids."""
REFERENCE = re.compile(r"\$\{input:([^}]*)\}")
_SECRET_PREFIX = "mcp:"
_FILLED = ("command", "args", "env", "cwd", "url", "headers", "oauth")
"""The keys of an entry in which references are looked for."""
MOST_INPUTS = 50
_MOST_CHARACTERS = 400


@dataclass(frozen=True, kw_only=True)
class ServerInput:
    """One value that a server needs from the user. Description and options may be somebody else's words."""

    id: str
    description: str = ""
    is_secret: bool = True
    """A value of which nothing is known is one."""
    value: str | None = None
    """What was entered, where it is no secret."""
    default: str = ""
    """What is proposed; it counts only once somebody entered it."""
    options: tuple[str, ...] = ()
    kept: str = ""
    """The secret's own part of its name in the ``SecretStore``; empty while none was entered."""

    @property
    def is_missing(self) -> bool:
        return not self.kept if self.is_secret else self.value is None

    @property
    def secret_name(self) -> str:
        """Return the name for the ``SecretStore``."""
        return secret_name(self.kept)

    def as_entry(self) -> dict[str, Any]:
        """Return it as it stands in the settings."""
        entry: dict[str, Any] = {"description": self.description} if self.description else {}
        if self.is_secret:
            entry["password"] = True
            return {**entry, "kept": self.kept} if self.kept else entry
        if self.default:
            entry["default"] = self.default
        if self.options:
            entry["options"] = list(self.options)
        return {**entry, "password": False} if self.value is None else {**entry, "password": False, "value": self.value}


def secret_name(kept: str) -> str:
    """Return the name under which the ``SecretStore`` has the secret that an entry calls ``kept``."""
    return f"{_SECRET_PREFIX}{kept}"


def references(entry: Mapping[str, Any]) -> list[str]:
    """Return the ids that the entry refers to, each once, in their order."""
    found = (name for key in _FILLED for text in _texts(entry.get(key)) for name in REFERENCE.findall(text))
    return list(dict.fromkeys(found))


def inputs_of(entry: Mapping[str, Any]) -> tuple[ServerInput, ...]:
    """Return the inputs that the entry refers to; one that it does not describe is a secret."""
    described = entry.get(INPUTS)
    known: Mapping[str, Any] = cast(Mapping[str, Any], described) if isinstance(described, Mapping) else {}
    return tuple(read_input(name, known.get(name)) for name in references(entry)[:MOST_INPUTS])


def read_input(name: str, given: object) -> ServerInput:
    """Return the input of this description, ours or that of VS Code; what it does not say is left at the usual."""
    if not isinstance(given, Mapping):
        return ServerInput(id=name)
    values = cast(Mapping[str, Any], given)
    is_secret = values.get("password") is not False and "value" not in values and "options" not in values
    if "type" in values and "password" not in values:  # VS Code's, where a value is no secret unless it says so
        is_secret = False
    options = values.get("options")
    return ServerInput(
        id=name,
        description=_text(values.get("description")),
        is_secret=is_secret,
        value=values["value"] if not is_secret and isinstance(values.get("value"), str) else None,
        default="" if is_secret else _text(values.get("default")),
        options=tuple(_options(options)) if not is_secret else (),
        kept=_text(values.get("kept")) if is_secret else "",
    )


def with_inputs(entry: Mapping[str, Any], inputs: Mapping[str, ServerInput]) -> dict[str, Any]:
    """Return the entry with these inputs and no others; those that it does not refer to are left out."""
    described = {name: inputs[name].as_entry() for name in references(entry) if name in inputs}
    changed = {key: value for key, value in entry.items() if key != INPUTS}
    return {**changed, INPUTS: described} if described else changed


def missing(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the values that nobody has entered yet."""
    return tuple(item.id for item in inputs_of(entry) if item.is_missing)


def kept_secrets(entry: object) -> dict[str, str]:
    """Return by their ids the names under which the ``SecretStore`` has the secrets of an entry."""
    if not isinstance(entry, Mapping):
        return {}
    items = inputs_of(cast(Mapping[str, Any], entry))
    return {item.id: item.secret_name for item in items if item.is_secret and item.kept}


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the values that are known put in; a reference to any other stays as it is."""
    return REFERENCE.sub(lambda match: values.get(match.group(1), match.group(0)), text)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast(Mapping[str, Any], value).values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from _texts(inner)


def _text(value: object) -> str:
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else ""


def _options(value: object) -> Iterator[str]:
    for option in cast(list[Any], value)[:MOST_INPUTS] if isinstance(value, list) else []:
        if isinstance(option, str):
            yield option[:_MOST_CHARACTERS]
        elif isinstance(option, Mapping) and isinstance(chosen := cast(Mapping[str, Any], option).get("value"), str):
            yield chosen[:_MOST_CHARACTERS]
