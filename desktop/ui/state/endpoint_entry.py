"""What a person enters for an endpoint: keys and addresses as they are pasted, made usable and told apart."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST_CHARACTERS = 4_000
"""Of an address or a key; what is longer is no such thing."""

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_QUOTES = "\"'`<>“”‘’「」"
_ASSIGNMENT = re.compile(r"(?:export\s+|set\s+|\$env:)?[A-Za-z][A-Za-z0-9_]*(?:KEY|TOKEN)\s*[=:]\s*", re.IGNORECASE)
_BEARER = re.compile(r"(?:authorization\s*:\s*)?bearer\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_BARE_ADDRESS = re.compile(
    r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?(?:/\S*)?",
    re.IGNORECASE,
)
_KEY_PREFIX = re.compile(r"(?:sk|pk|rk|gsk|xai|hf|nvapi|tgp|fw|csk|ak)[-_][A-Za-z0-9_.\-]{8,}")
_KEY_SHAPE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_\-]{24,}(?:\.[A-Za-z0-9_\-]{10,})*")
_NEARBY = re.compile(r"localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1|[^./]+(?::|/|$)")
_ENDINGS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/models")


@dataclass(frozen=True, kw_only=True)
class Sorted:
    """A pasted text in the field where it belongs; the other one is None."""

    address: str | None = None
    key: str | None = None


def clean_key(text: str) -> str:
    """Return the key in what was pasted: without blanks, quotes, ``Bearer`` or ``OPENAI_API_KEY=`` around it."""
    key = text.translate(_INVISIBLE).strip().strip(_QUOTES).strip()
    for beginning in (_ASSIGNMENT, _BEARER):
        if match := beginning.match(key):
            key = key[match.end() :].strip().strip(_QUOTES).strip()
    return re.sub(r"[\r\n]+\s*", "", key)


def is_key_usable(key: str) -> bool:
    """True when ``key`` can be sent at all: plain visible characters only."""
    return len(key) <= MOST_CHARACTERS and all("!" <= character <= "~" for character in key)


def tidy_address(text: str) -> str:
    """Return the base URL that a pasted or typed address means; empty for an empty one.

    A missing scheme is added, ``http`` for this machine and its neighbours, else ``https``; the path of one request
    (``/chat/completions``) is taken off. What is no address comes back as it is, for the check to refuse.
    """
    address = text.translate(_INVISIBLE).strip().strip(_QUOTES).strip()
    if not address:
        return ""
    if "://" not in address and _BARE_ADDRESS.fullmatch(address):
        address = f"{'http' if _NEARBY.match(address) else 'https'}://{address}"
    head, mark, query = address.partition("?")
    head = head.rstrip("/")
    for ending in _ENDINGS:
        head = head.removesuffix(ending).rstrip("/")
    return head + mark + query


def is_address_usable(address: str) -> bool:
    """True when ``address`` has the form of a base URL, without a user name or password in it."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    plain = all(character.isprintable() and not character.isspace() for character in address)
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and "@" not in parts.netloc
        and port != 0
        and plain
        and len(address) <= MOST_CHARACTERS
    )


def looks_like_key(text: str) -> bool:
    """True for a text in the address field that can only be a key."""
    key = clean_key(text)
    if _ADDRESS.match(key) or "/" in key:
        return False
    return bool(_KEY_PREFIX.fullmatch(key) or _KEY_SHAPE.fullmatch(key))


def looks_like_address(text: str) -> bool:
    """True for a text in the key field that can only be an address."""
    address = text.translate(_INVISIBLE).strip().strip(_QUOTES)
    if _ADDRESS.fullmatch(address):
        return True
    is_bare = _BARE_ADDRESS.fullmatch(address) is not None
    return is_bare and ("/" in address or re.search(r":\d+$", address) is not None) and not looks_like_key(address)


def sort_address(text: str) -> Sorted:
    """Sort what stands in the address field; one line may hold both, as ``https://host/v1 sk-…`` does."""
    if looks_like_key(text):
        return Sorted(address="", key=clean_key(text))
    words = text.split()
    keys = [word for word in words if looks_like_key(word)]
    addresses = [word for word in words if word not in keys and is_address_usable(tidy_address(word))]
    if len(words) == 2 and len(addresses) == 1 and len(keys) == 1:
        return Sorted(address=tidy_address(addresses[0]), key=clean_key(keys[0]))
    return Sorted(address=tidy_address(text))


def sort_key(text: str) -> Sorted:
    """Sort what stands in the key field."""
    if looks_like_address(text):
        return Sorted(address=tidy_address(text), key="")
    return Sorted(key=clean_key(text))


def host_of(address: str) -> str:
    """Return host and port as people know them, for example ``127.0.0.1:11434``; empty for what is no address."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2]
    except ValueError:
        return ""
