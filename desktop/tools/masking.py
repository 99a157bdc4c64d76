"""Takes secrets out of text that somebody may see or pass on: known values, and what looks like a key."""

import re
from collections.abc import Iterable
from typing import Any, cast

HIDDEN = "••••"
_SHORTEST = 4
_MOST_ENTRIES, _MOST_ITEMS, _DEEPEST = 12, 6, 5
_SECRET_NAME = re.compile(r"(?i)pass(?:w|phrase|code)|secret|token|api[-_ ]?key|authori[sz]ation|cookie|credential")
_HARMLESS_NAME = re.compile(r"(?i)progress_?token|tokens$")
_LOOKS_SECRET = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abps]|hf|AKIA)[-_]?[A-Za-z0-9][\w-]{11,}"
    r"|(?i:\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
)
# What stands before these words in a name does not matter; after them only so much, so that no text takes long.
_NAMED = re.compile(
    r"(?i)(?P<name>(?:passw(?:or)?d|secret|token|api[-_]?key)[\w-]{0,64}[\"']?\s{0,8}[:=]\s{0,8}[\"']?)(?P<value>[^\s\"',;&}]{4,})"
)


class Masker:
    """Knows the secrets of one server."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: tuple[str, ...] = ()
        self.hide(secrets)

    def hide(self, secrets: Iterable[str]) -> None:
        """Take these out, too, from now on; very short ones would stand in ordinary words."""
        known = {*self._secrets, *(secret for secret in secrets if len(secret) >= _SHORTEST)}
        self._secrets = tuple(sorted(known, key=lambda secret: (-len(secret), secret)))

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        text = _LOOKS_SECRET.sub(HIDDEN, text)
        return _NAMED.sub(lambda match: f"{match['name']}{HIDDEN}", text)

    def excerpt(self, value: Any, *, most_of_text: int = 80, most: int = 400) -> str:
        """Return a JSON-like line of the value: long texts, many entries and what is deep are cut, secrets hidden."""
        line = self.text(self._short(value, most_of_text, 0))
        return line if len(line) <= most else f"{line[:most]}…"

    def _short(self, value: Any, most: int, depth: int) -> str:
        match value:
            case str():
                # Masked before it is cut: half a key is one, too.
                shown = self.text(value[: 20 * most])
                return f'"{shown}"' if len(shown) <= most else f'"{shown[:most]}…" ({len(value)})'
            case dict() | list() if depth >= _DEEPEST:
                return "…"
            case dict():
                entries = cast(dict[Any, Any], value)
                parts = [
                    f"{str(key)[:most]}: {HIDDEN if is_secret_name(str(key)) else self._short(entry, most, depth + 1)}"
                    for key, entry in list(entries.items())[:_MOST_ENTRIES]
                ]
                return "{" + ", ".join([*parts, *(["…"] if len(entries) > _MOST_ENTRIES else [])]) + "}"
            case list():
                items = cast(list[Any], value)
                parts = [self._short(item, most, depth + 1) for item in items[:_MOST_ITEMS]]
                return "[" + ", ".join([*parts, *(["…"] if len(items) > _MOST_ITEMS else [])]) + "]"
            case bool():
                return "true" if value else "false"
            case None:
                return "null"
            case int() if value.bit_length() > 1_000:
                return "…"
            case _:
                return str(value)[:most]


def is_secret_name(name: str) -> bool:
    """Whether what is called so is hardly ever to be shown."""
    return _SECRET_NAME.search(name) is not None and _HARMLESS_NAME.search(name) is None
