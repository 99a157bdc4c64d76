"""Long secrets in a keychain: Windows takes 2,560 bytes an entry, so what is longer lies there in pieces."""

import hashlib
from collections.abc import Callable
from typing import Protocol

MOST_CHARACTERS = 1_200
"""In one entry: Windows counts two bytes for most characters, and some more for what it keeps beside them."""
_HEAD = "threadwell-pieces:"
_SLOTS = ("a", "b")
"""New pieces never lie where those of the present secret do, so that a crash leaves one of the two whole."""
_MOST_PIECES = 100


class Entries(Protocol):
    """What a keychain of ``keyring`` can do."""

    def get_password(self, service: str, username: str, /) -> str | None: ...

    @property
    def set_password(self) -> Callable[..., None]: ...

    def delete_password(self, service: str, username: str, /) -> None: ...


class CutSecretError(Exception):
    """The pieces in the keychain do not make the secret that was put there."""


def write(backend: Entries, service: str, name: str, secret: str) -> None:
    """Keep the secret in as many entries as it needs."""
    slot = _slot(backend.get_password(service, name) or "")
    if _units(secret) <= MOST_CHARACTERS and not secret.startswith(_HEAD):
        backend.set_password(service, name, secret)
    else:
        new = _SLOTS[0] if slot == _SLOTS[1] else _SLOTS[1]
        pieces = _cut(secret)
        if len(pieces) > _MOST_PIECES:
            raise CutSecretError("the secret is too long for a keychain")
        for number, piece in enumerate(pieces):
            backend.set_password(service, _piece(name, new, number), piece)
        backend.set_password(service, name, f"{_HEAD}{new}:{len(pieces)}:{_digest(secret)}")
    if slot:
        _remove_pieces(backend, service, name, slot)


def read(backend: Entries, service: str, name: str) -> str | None:
    """Return the secret; None when there is none. Raises ``CutSecretError``."""
    head = backend.get_password(service, name)
    slot = _slot(head or "")
    if head is None or not slot:
        return head
    _, count, digest = head.removeprefix(_HEAD).split(":")
    pieces = [backend.get_password(service, _piece(name, slot, number)) or "" for number in range(int(count))]
    secret = "".join(pieces)
    if _digest(secret) != digest:
        raise CutSecretError("a part of the secret is missing")
    return secret


def remove_pieces(backend: Entries, service: str, name: str) -> None:
    """Delete what lies beside the entry ``name`` itself, also what a crash left."""
    for slot in _SLOTS:
        _remove_pieces(backend, service, name, slot)


def _remove_pieces(backend: Entries, service: str, name: str, slot: str) -> None:
    for number in range(_MOST_PIECES):
        if backend.get_password(service, _piece(name, slot, number)) is None:
            return
        backend.delete_password(service, _piece(name, slot, number))


def _cut(secret: str) -> list[str]:
    """A character beyond the first 65,536 counts twice; none is cut in two."""
    pieces, piece, size = list[str](), list[str](), 0
    for character in secret:
        width = _units(character)
        if size + width > MOST_CHARACTERS:
            pieces.append("".join(piece))
            piece, size = [], 0
        piece.append(character)
        size += width
    return [*pieces, "".join(piece)]


def _slot(head: str) -> str:
    parts = head.removeprefix(_HEAD).split(":") if head.startswith(_HEAD) else []
    return parts[0] if len(parts) == 3 and parts[0] in _SLOTS and parts[1].isascii() and parts[1].isdigit() else ""


def _piece(name: str, slot: str, number: int) -> str:
    return f"{name}#{slot}{number}"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:32]
