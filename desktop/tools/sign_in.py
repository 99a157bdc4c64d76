"""Signing in to a remote server: the page that a person is asked to open, and the name under which the result is kept."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.core.digests import sha256_of_json

_PREFIX = "sign-in:"


def sign_in_name(key: str) -> str:
    """Return what ``ServerSecrets`` calls the sign-in at the server that the settings call ``key``."""
    return f"{_PREFIX}{sha256_of_json(key)[:24]}"


def is_sign_in_name(name: str) -> bool:
    """Whether what ``ServerSecrets`` calls so is a sign-in."""
    return name.startswith(_PREFIX)


@dataclass(frozen=True, kw_only=True)
class OAuthClient:
    """Who the app is to a server's sign-in server, where that was agreed with it by hand."""

    client_id: str
    client_secret: str = ""
    """Perhaps a ``${input:ID}``, as in the rest of a configuration."""
    port: int | None = None
    """Of the address on this computer that the browser returns to, where it was agreed too; any other time a free one."""

    def __repr__(self) -> str:
        return f"OAuthClient(client_id={self.client_id!r})"


@dataclass(frozen=True, kw_only=True)
class SignInPage:
    """A page that wants to be opened in the browser. Everything but ``server_id`` comes from the other side."""

    server_id: str
    url: str
    rights: tuple[str, ...] = ()
    """What the server wants to be allowed (scopes), in its words."""
    given_to: str = ""
    """The host that gets the answer of the page, where it is another one than the page's."""
    former_host: str = ""
    """Where one signed in until now, if that was somewhere else."""


class ServerSignIns(Protocol):
    """Signing in at the configured servers and out again. How that goes is told by the servers' states."""

    def sign_in(self, server_id: str) -> None:
        """Lead the user through a sign-in in the browser, then start the server. Only at the user's word.

        Does nothing unless the server's state is ``NEEDS_SIGN_IN``; that it is again, with the reason, where it fails.
        """
        ...

    def cancel_sign_in(self, server_id: str) -> None:
        """Give up a sign-in that is going on."""
        ...

    def sign_out(self, server_id: str) -> None:
        """Forget the sign-in at this server, and start the server again without."""
        ...


class PageAnswer(StrEnum):
    OPENED = "opened"
    REFUSED = "refused"


class SignInPages(Protocol):
    """Shows a person where a server leads, and opens the page if the person says so."""

    async def open_page(self, page: SignInPage) -> PageAnswer:
        """Ask, then open the system's browser. Cancelling the awaiting task closes the question."""
        ...
