"""Takes secrets out of a server's entry: what the settings file holds of them afterwards is a reference, nothing more."""

import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from desktop.tools.server_inputs import REFERENCE, ServerInput, inputs_of, references, with_inputs
from desktop.tools.trust import DECISIONS
from desktop.ui.state.secret_words import looks_secret

_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key"})
_SECRET_VALUE = re.compile(
    r"(sk|ghp|gho|github_pat|glpat|xox[abp]|AKIA|Bearer|Basic)[-_ ]?\S{12,}|[A-Za-z0-9+_-]{32,}={0,2}"
)
_VARIABLE = re.compile(r"\$\{[^}]*\}")


@dataclass(frozen=True)
class Sealed:
    """An entry as it may stand in the settings, and the secrets that were in it by what the entry calls them."""

    entry: dict[str, Any]
    secrets: dict[str, str] = field(repr=False)


def is_secret(name: str, value: str) -> bool:
    """Tell whether a value sounds like a key or a password that was written out; ``${NAME}`` is none."""
    rest = _VARIABLE.sub("", value).strip()
    if not rest or (rest != value.strip() and rest.lower() in ("bearer", "basic", "token")):
        return False
    if "${" in value:
        return False
    return name.lower() in _SECRET_HEADERS or looks_secret(name) or _SECRET_VALUE.fullmatch(rest) is not None


def sealed(
    name: str,
    entry: Mapping[str, Any],
    *,
    answers: Mapping[str, str] | None = None,
    marked: Collection[str] | None = None,
) -> Sealed:
    """Return the entry without its secrets.

    ``answers`` are values that were entered for its inputs. ``marked`` are the names of the values in ``env`` and
    ``headers`` that are secrets; without it that is told by their names and their looks.
    """
    sealer = _Sealer(name, entry, marked)
    changed = sealer.seal()
    for key, value in (answers or {}).items():
        sealer.answer(key, value)
    return Sealed(with_inputs(changed, sealer.inputs), sealer.secrets)


class _Sealer:
    def __init__(self, name: str, entry: Mapping[str, Any], marked: Collection[str] | None) -> None:
        self._server = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:32] or "server"
        self._entry = entry
        self._marked = marked
        self.inputs = {item.id: item for item in inputs_of(entry)}
        self.secrets: dict[str, str] = {}

    def seal(self) -> dict[str, Any]:
        changed = dict(self._entry)
        for key in ("env", "headers"):
            values = changed.get(key)
            if isinstance(values, Mapping):
                changed[key] = {n: self._sealed_value(n, value) for n, value in values.items()}
        if isinstance(arguments := changed.get("args"), list):
            changed["args"] = self._sealed_arguments(arguments)
        if isinstance(oauth := changed.get("oauth"), Mapping) and isinstance(oauth.get("clientSecret"), str):
            secret = oauth["clientSecret"]
            if secret and not REFERENCE.search(secret) and "${" not in secret:
                changed["oauth"] = {**oauth, "clientSecret": self._reference("client_secret", secret)}
        if isinstance(url := changed.get("url"), str):
            changed["url"] = self._sealed_url(url)
        return changed

    def answer(self, key: str, value: str) -> None:
        item = self.inputs.get(key)
        if item is None or not value:
            return
        if item.is_secret:
            self._keep(item, value)
        else:
            self.inputs[key] = replace(item, value=value)

    def _sealed_value(self, name: str, value: Any) -> Any:
        if not isinstance(value, str) or not value or REFERENCE.search(value):
            return value
        wanted = is_secret(name, value) if self._marked is None else name in self._marked
        return self._reference(name, value) if wanted else value

    def _sealed_arguments(self, arguments: list[Any]) -> list[Any]:
        sealed_ones: list[Any] = []
        option = ""
        for argument in arguments:
            if not isinstance(argument, str):
                sealed_ones.append(argument)
                option = ""
                continue
            name, equals, value = argument.partition("=")
            if argument.startswith("-") and equals and is_secret(name, value):
                argument = f"{name}={self._reference(name.lstrip('-'), value)}"
            elif option and not argument.startswith("-") and is_secret(option, argument):
                argument = self._reference(option.lstrip("-"), argument)
            option = argument if argument.startswith("-") and not equals else ""
            sealed_ones.append(argument)
        return sealed_ones

    def _sealed_url(self, url: str) -> str:
        try:
            query = urlsplit(url).query
        except ValueError:
            return url
        for name, value in parse_qsl(query):
            if is_secret(name, value) and f"{name}={value}" in url:
                url = url.replace(f"{name}={value}", f"{name}={self._reference(name, value)}", 1)
        return url

    def _reference(self, name: str, value: str) -> str:
        base = re.sub(r"[^\w.-]+", "_", name).strip("_") or "value"
        key, number = base, 2
        while key in self.inputs or f"${{input:{key}}}" in str(self._entry):
            key, number = f"{base}_{number}", number + 1
        self._keep(ServerInput(id=key), value)
        return f"${{input:{key}}}"

    def _keep(self, item: ServerInput, value: str) -> None:
        """A new secret gets a name that was never used: what another server was given is never found under it."""
        kept = f"{self._server}:{item.id}:{secrets.token_hex(4)}"
        self.inputs[item.id] = replace(item, kept=kept)
        self.secrets[kept] = value


def without_secrets(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry for others to read: what is kept of it here is not named."""
    items = {item.id: replace(item, kept="") for item in inputs_of(entry)}
    return with_inputs(entry, items) if references(entry) else dict(entry)


def with_what_was_decided(entry: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new text of an entry with what the user had decided and entered for it, which no text can say."""
    decided = {key: before[key] for key in DECISIONS if key in before}
    old = {item.id: item for item in inputs_of(before)}
    items = {item.id: old.get(item.id, item) if item.is_missing else item for item in inputs_of(entry)}
    return with_inputs({**{key: value for key, value in entry.items() if key not in DECISIONS}, **decided}, items)
