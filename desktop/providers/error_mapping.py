"""What endpoints and the network say when something fails, turned into ``ModelError``s without a secret in them."""

import errno
import html
import json
import os
import re
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from desktop.core.errors import ModelError

DETAIL_CHARS = 299
_BODY_CHARS = 100_000

_KEY_LIKE = re.compile(
    r"(?:\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|r8|csk|fw|tgp|key|AIza|ghp|github_pat)[-_])[A-Za-z0-9*._\-]{4,}"
    r"|\bAIza[A-Za-z0-9_\-]{10,}|\bBearer\s+[^\s\"'<>]+|\beyJ[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)*"
)
_HIDDEN = "***"

_CONTEXT_FULL = re.compile(
    r"maximum context length|exceeds? the (?:available )?context (?:size|window|length)|context[ _]length[ _]exceeded"
    r"|exceed_context_size|prompt (?:is )?too long|max(?:imum)? context length|total length of all messages is too long"
    r"|greater than the context length|input is too long|reduce the length of the (?:messages|input|prompt)"
    r"|context_window_exceeded",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|funds)|exceeded your current quota|billing_hard_limit|payment required"
    r"|余额不足|欠费",
    re.IGNORECASE,
)
_RATE_LIMITED = re.compile(r"rate[_ -]?limit|too many requests|overloaded_error|throttl", re.IGNORECASE)
_UNAUTHORIZED = re.compile(r"authentication|unauthorized|invalid[_ ]api[_ ]key|incorrect api key", re.IGNORECASE)
_LOADING = re.compile(r"loading model|model is (?:still |currently )?(?:being )?load(?:ed|ing)", re.IGNORECASE)
_NOT_FOUND = re.compile(r"model_not_found|DeploymentNotFound|model .{0,80}does not exist|model .{0,80}not found", re.I)


class ErrorMapper:
    """Makes the errors of one endpoint. ``secrets`` are hidden wherever the endpoint repeats them."""

    def __init__(self, *, url: str, model: str, secrets: Iterable[str] = ()) -> None:
        self._url = url
        self._model = model
        self._secrets: tuple[str, ...] = ()
        for secret in secrets:
            self.hide(secret)

    def hide(self, secret: str) -> None:
        """Hide this one, too, from now on."""
        if len(secret) >= 4 and secret not in self._secrets:
            self._secrets += (secret,)

    def error(self, code: str, detail: str = "", **params: str | int | float) -> ModelError:
        """Return the error ``code`` with what all of this endpoint's errors carry."""
        return ModelError(code, **{"url": self._url, "model": self._model, "detail": self.clean(detail), **params})

    def clean(self, text: str) -> str:
        """Return ``text`` as one short line of plain words without keys."""
        text = text[:_BODY_CHARS]
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        text = _KEY_LIKE.sub(_HIDDEN, text)
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if len(text) > DETAIL_CHARS:
            text = text[: DETAIL_CHARS - 1].rstrip() + "…"
        return text

    def from_status(self, status: int, body: str, *, location: str = "") -> ModelError:
        """Return the error for a response with an error status."""
        value = _parsed(body)
        detail = detail_of(value)
        if 300 <= status < 400:
            return self.error("model.redirected", detail, status=status, location=self.clean(location))
        return self._classified(status, detail or f"HTTP {status}", _words(value))

    def from_body(self, value: Any) -> ModelError:
        """Return the error for an error object inside a stream, or for a body with status 200."""
        status = _status_of(value)
        return self._classified(status, detail_of(value), _words(value))

    def _classified(self, status: int | None, detail: str, words: str) -> ModelError:
        code = _code_for(status, words)
        shown: int | str = status if status is not None else "in the answer"
        return self.error(code, detail, status=shown)

    def unreachable(self, error: BaseException) -> ModelError:
        """Return the error for a connection that never stood."""
        code = "model.unknown_host" if _is_about_name(error) else "model.unreachable"
        return self.error(code, _root_words(error))

    def connection_lost(self, error: BaseException) -> ModelError:
        """Return the error for a connection that broke while the answer came."""
        return self.error("model.connection_lost", _root_words(error))


def is_error_body(value: Any, *, named_error: bool = False) -> bool:
    """True when a parsed event or body is an error and no answer. ``named_error``: the event is called ``error``."""
    if named_error:
        return True
    if not isinstance(value, Mapping):
        return False
    if value.get("error") or value.get("object") == "error":
        return True
    if isinstance(value.get("choices"), list):
        return False
    if value.get("type") == "error" or isinstance(value.get("detail"), str) or value.get("errors"):
        return True
    message = value.get("message", value.get("msg"))
    return isinstance(message, str) and any(key in value for key in ("code", "status", "type", "success"))


def detail_of(value: Any, depth: int = 0) -> str:
    """Return the words for people in an error body of any known shape; empty when there are none."""
    if depth > 6:
        return ""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, list):
        return "; ".join(filter(None, (detail_of(item, depth + 1) for item in value[:3])))
    if not isinstance(value, Mapping):
        return ""
    metadata = value.get("metadata")
    if isinstance(metadata, Mapping) and isinstance(raw := metadata.get("raw"), str) and raw.strip():
        inner = detail_of(_parsed(raw), depth + 1)  # a router's own words are empty; the provider's are inside
        if inner:
            return inner
    for key in ("error", "message", "detail", "msg", "errors", "error_description", "reason", "title"):
        if found := detail_of(value.get(key), depth + 1):
            where = value.get("loc")
            return f"{'.'.join(map(str, where))}: {found}" if isinstance(where, list) else found
    code = value.get("code") or value.get("type")
    return code if isinstance(code, str) else ""


def _plain(text: str) -> str:
    if not re.match(r"\s*<(?:!|\?|[a-zA-Z])", text):
        return text.strip()
    text = re.sub(r"(?is)<(script|style|head)\b.*?</\1\s*>", " ", text[:_BODY_CHARS])
    return html.unescape(re.sub(r"<[^<>]*>", " ", text)).strip()


def _parsed(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body


def _words(value: Any) -> str:
    """The text in which known phrases and codes are looked for."""
    if isinstance(value, str):
        return value[:_BODY_CHARS]
    try:
        return json.dumps(value, ensure_ascii=False)[:_BODY_CHARS]
    except (TypeError, ValueError, RecursionError):
        return ""


def _status_of(value: Any) -> int | None:
    inner = value.get("error", value) if isinstance(value, Mapping) else None
    for holder in (inner, value):
        if isinstance(holder, Mapping):
            for key in ("code", "status", "status_code"):
                found = holder.get(key)
                if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) == 3:
                    found = int(found)
                if isinstance(found, int) and not isinstance(found, bool) and 400 <= found < 600:
                    return found
    return None


_NO_TLS_THERE = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")

_BY_STATUS = {
    401: "model.unauthorized",
    402: "model.no_credit",
    403: "model.forbidden",
    404: "model.not_found",
    408: "model.server_error",
    429: "model.rate_limited",
}


def _code_for(status: int | None, words: str) -> str:
    if status in (402, 429) or status is None:
        if _NO_CREDIT.search(words):
            return "model.no_credit"
        if status == 429 or _RATE_LIMITED.search(words):
            return "model.rate_limited"
    if status == 503 and _LOADING.search(words):
        return "model.loading"
    if status not in (401, 402, 403, 404, 429) and _CONTEXT_FULL.search(words):
        return "model.context_full"
    if status is not None:
        return _BY_STATUS.get(status, "model.server_error" if status >= 500 else "model.rejected")
    if _UNAUTHORIZED.search(words):
        return "model.unauthorized"
    if _NOT_FOUND.search(words):
        return "model.not_found"
    return "model.server_error"


def _is_about_name(error: BaseException) -> bool:
    """The host's name could not be looked up, which is so for every name where there is no network."""
    return any(isinstance(link, socket.gaierror) for link in _chain(error))


def _root_words(error: BaseException) -> str:
    """The most telling words in a chain of exceptions: the operating system's where there are any."""
    best = ""
    for current in _chain(error):
        if isinstance(current, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {current.verify_message}"
        if isinstance(current, ssl.SSLError) and current.reason in _NO_TLS_THERE:
            return "no secure connection: the server there does not speak https; try http"
        if isinstance(current, ssl.SSLError):
            return f"no secure connection: {(current.reason or 'failed').replace('_', ' ').lower()}"
        if isinstance(current, socket.gaierror):
            return current.strerror or "the host's name is not known"
        if isinstance(current, OSError) and current.errno is not None and current.errno in errno.errorcode:
            return os.strerror(current.errno)
        if type(current).__name__ == "ConnectTimeout":
            return "no connection within the time limit"
        best = str(current) or best or type(current).__name__
    return best


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what caused it, outermost first; of a group the first one."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if isinstance(current, BaseExceptionGroup):
            current = current.exceptions[0]
            continue
        yield current
        current = current.__cause__ or current.__context__
