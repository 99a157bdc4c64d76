"""How an endpoint is reached beyond its address: extra headers and the proxy, judged before they are kept or used."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

KEY_MARK = "{key}"
"""Stands for the endpoint's key in the value of a header."""
DIRECT = "none"
"""As a proxy: none at all, whatever the system says."""
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")
MOST_HEADER_CHARACTERS = 4_000

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_VALUE = re.compile(r"[\t\x20-\x7e]*")
_OWN = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that belong to the connection or to how the answer is read; another value would break one of them."""
_SECRET_NAME = re.compile(r"authorization|cookie|(?:^|[-_])(?:api-?)?key$|[-_]?(?:token|secret|password|passwd)$", re.I)
_SECRET_VALUE = re.compile(
    r"\b(?:bearer|basic)\s+\S{6,}|\b(?:sk|pk|rk|gsk|csk|xai|pplx|nvapi|hf|r8|fw|tgp|gh[opsu]|github_pat)[-_]\S{12,}"
    r"|\bAIza\S{20,}|\beyJ[\w-]{8,}\.|(?<![\w-])(?=\w*\d)(?=\w*[A-Za-z])\w{32,}(?![\w-])",
    re.IGNORECASE,
)


def header_problem(name: str, value: str) -> str:
    """Return what keeps the header from being kept and sent; empty when nothing does.

    ``bad_name``, ``own_header`` (the app or the connection sets it), ``bad_value``, or ``secret``: it holds a secret,
    which belongs into the keychain as the endpoint's key and into the value as ``{key}``.
    """
    if not _TOKEN.fullmatch(name):
        return "bad_name"
    if name.lower() in _OWN:
        return "own_header"
    if not _VALUE.fullmatch(value) or not value.strip() or len(value) > MOST_HEADER_CHARACTERS:
        return "bad_value"
    rest = value.replace(KEY_MARK, "")
    is_secret = _SECRET_VALUE.search(rest) or (_SECRET_NAME.search(name) and KEY_MARK not in value)
    return "secret" if is_secret else ""


def headers_with_key(headers: Mapping[str, str], key: str) -> tuple[dict[str, str], bool]:
    """Return the headers as they are sent, and whether the key stands in one of them.

    Without a key those that need it are left out.
    """
    sent = {name: text.strip().replace(KEY_MARK, key) for name, text in headers.items() if key or KEY_MARK not in text}
    return sent, any(KEY_MARK in text for text in headers.values())


def proxy_problem(proxy: str) -> str:
    """Return what is wrong with the proxy: ``bad_proxy``, ``proxy_secret`` (a password in it), or nothing."""
    if not proxy or proxy == DIRECT:
        return ""
    try:
        parts = urlsplit(proxy)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "bad_proxy"
    if "@" in parts.netloc:
        return "proxy_secret"
    is_plain = proxy.isascii() and proxy.isprintable() and " " not in proxy
    has_rest = parts.path not in ("", "/") or parts.query or parts.fragment
    if parts.scheme not in PROXY_SCHEMES or not host or port == 0 or not is_plain or has_rest:
        return "bad_proxy"
    return ""
