"""Which bearer token belongs to which tenant, and who a request is by its token."""

import hashlib
import hmac
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop.servers.memory.limits import WrongSettingError, is_id

MIN_TOKEN_CHARS = 16
_MAX_FILE_BYTES = 1_000_000


class Tokens:
    """All tokens of a server. Without any, every request is that of the tenant without a name."""

    def __init__(self, tenants: Mapping[str, str]) -> None:
        """``tenants`` maps a tenant to its token. Raises ``WrongSettingError``."""
        if len(set(tenants.values())) < len(tenants):
            raise WrongSettingError("two tenants have the same token")
        for name, token in tenants.items():
            if len(token) < MIN_TOKEN_CHARS or not token.isascii() or not token.isprintable() or " " in token:
                whose = f"the token of {name}" if name else "the token"
                raise WrongSettingError(f"{whose} must be at least {MIN_TOKEN_CHARS} characters of ASCII, no spaces")
            _check_name(name, tenants)
        self._tenants = {name: _digest(token.encode()) for name, token in tenants.items()}

    def __bool__(self) -> bool:
        return bool(self._tenants)

    def tenant_of(self, token: bytes) -> str | None:
        """Return whose token this is, or None; in the same time whichever it is, and if it is none."""
        given = _digest(token)
        found = None
        for name, digest in self._tenants.items():
            if hmac.compare_digest(given, digest):
                found = name
        return found


def _check_name(name: str, tenants: Mapping[str, str]) -> None:
    if name and not is_id(name):
        raise WrongSettingError(f"{name[:60]!r} cannot name a tenant: letters, digits and - _ . :, at most 128")
    # In Redis the tenant stands before the session, with a colon between: a session "b:c" of tenant "a" would be the
    # session "c" of tenant "a:b".
    for other in tenants:
        if other and name.startswith(f"{other}:"):
            raise WrongSettingError(f"tenant {name} begins with the name of tenant {other} and a colon")


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def read_tenants(path: Path) -> Mapping[str, str]:
    """Read a file that maps tenants to tokens, as JSON. Raises ``WrongSettingError``."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            raw = file.read(_MAX_FILE_BYTES)
    except OSError as error:
        raise WrongSettingError(f"{path} cannot be read: {error.strerror}") from None
    if os.name != "nt" and mode & (stat.S_IRGRP | stat.S_IROTH):
        raise WrongSettingError(f"{path} can be read by others: chmod 600 it first")
    try:
        found: Any = json.loads(raw)
    except (ValueError, RecursionError):
        raise WrongSettingError(f"{path} is no JSON") from None
    if not isinstance(found, dict) or not found or not all(isinstance(token, str) for token in found.values()):
        raise WrongSettingError(f'{path} must map each tenant to its token: {{"alice": "…"}}')
    if "" in found:
        raise WrongSettingError(f"{path} has a tenant without a name")
    return found
