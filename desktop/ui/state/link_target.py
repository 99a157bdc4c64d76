"""Judges a link of untrusted text before it may be opened: where it really leads, and what is odd about it."""

import re
from dataclasses import dataclass

from desktop.ui.state.url_facts import UrlWarning, url_facts

_MAIL = re.compile(r"mailto:([^\s@?&<>\"',;:\\/%#]+@[^\s@?&<>\"',;:\\/%#]+)", re.IGNORECASE)
_LABEL_HOST = re.compile(r"(?:https?://)?((?:[\w-]+\.)+[a-z]{2,})(?:[:/?#]\S*)?", re.IGNORECASE)
_NEVER_OPENED = frozenset(
    {
        UrlWarning.NO_WEB_ADDRESS,
        UrlWarning.USER_BEFORE_HOST,
        UrlWarning.HIDDEN_CHARACTERS,
        UrlWarning.TOO_LONG,
    }
)


@dataclass(frozen=True, kw_only=True)
class LinkTarget:
    """An address that may be opened once the user has seen and agreed to it."""

    url: str
    host: str
    """The host as it is written; the mail address for ``mailto``."""
    other_name: str = ""
    """The host's other spelling, when it has letters beyond ASCII or is written in punycode."""
    is_mail: bool = False
    warnings: tuple[UrlWarning, ...] = ()


def judge(address: str) -> LinkTarget | None:
    """Return the target, or None for an address that is never opened.

    Only https, http and a bare mail address pass: no user name before the host, no control or invisible characters,
    no blanks. A mail address has no parameters, since some mail programs attach the files that these name.
    """
    if (mail := _MAIL.fullmatch(address)) and mail.group(1).isascii():
        return LinkTarget(url=address, host=mail.group(1), is_mail=True)
    facts = url_facts(address)
    if _NEVER_OPENED.intersection(facts.warnings):
        return None
    return LinkTarget(url=address, host=facts.host, other_name=facts.other_name, warnings=facts.warnings)


def label_contradicts(label: str, target: LinkTarget) -> bool:
    """True when the words of a link look like the address of another host than the one that would open."""
    match = _LABEL_HOST.fullmatch(label.strip())
    if match is None or target.is_mail:
        return False
    names = {_bare(target.host), _bare(target.other_name)}
    return _bare(match.group(1)) not in names


def _bare(host: str) -> str:
    return host.lower().removeprefix("www.")
