"""What endpoints and the network say when something fails, turned into ``ModelError``s without a secret in them."""

import errno
import json
import math
import os
import re
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from desktop.core.endpoint_reach import DIRECT
from desktop.core.errors import ModelError
from desktop.core.expressions import Expression
from desktop.providers.context_overflow import Overflow, overflow_in
from desktop.providers.error_bodies import detail_of, parameter_in, parsed_body, status_in
from desktop.providers.retry_after import wait_seconds

DETAIL_CHARS = 299
_BODY_CHARS = 100_000
_WORDS_CHARS = 8_000
"""Where known phrases are looked for: each further thousand would hold up the window for milliseconds."""
_REASON_CHARS = 4_000

_KEY_LIKE = Expression(
    r"(?:\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|r8|csk|fw|tgp|key|AIza|ghp|github_pat)[-_])[A-Za-z0-9*._\-]{4,}"
    r"|\bAIza[A-Za-z0-9_\-]{10,}|\bBearer\s+[^\s\"'<>]+|\beyJ[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)*"
)
_HIDDEN = "***"

_NO_CREDIT = Expression(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota|billing_(?:hard_limit|not_active)"
    r"|payment required|credit balance is too low|(?:run|ran) out of credits|account is in arrears|Arrearage"
    r"|余额不足|欠费|账户余额",
    re.IGNORECASE,
)
_RATE_LIMITED = Expression(
    r"rate[_ -]?limit|too many (?:requests|tokens)|throttl|quota exceeded|resource_exhausted"
    r"|request limit reached|请求过于频繁|速率限制",
    re.IGNORECASE,
)
_OVERLOADED = Expression(
    r"overloaded|at capacity|no capacity|capacity (?:limit|exceeded)|high (?:demand|load)|temporarily unavailable"
    r"|server (?:is )?busy|engine_overloaded|insufficient_system_resource|no available (?:channel|server|provider)|繁忙|负载",
    re.IGNORECASE,
)
_UNAUTHORIZED = Expression(r"authentication|unauthorized|login fail", re.IGNORECASE)
_BAD_KEY = Expression(
    r"(?:invalid|incorrect|expired|missing|no)[_ ](?:api[_ ]?key|access token)"
    r"|access token (?:is )?invalid|api[_ ]key (?:not valid|is invalid|expired)",
    re.IGNORECASE,
)
_LOADING = Expression(r"loading model|model is (?:still |currently )?(?:being )?load(?:ed|ing)", re.IGNORECASE)
_NO_SUCH_MODEL = Expression(
    r"model_not_found|DeploymentNotFound|model_not_available|unknown_model|(?:no such|unknown|invalid|not a valid) model"
    r"|model[\s:=]{1,9}(?:\S{1,120}\s+)?(?:was |is |could )?"
    r"(?:not (?:be )?(?:found|exist|available|supported)|does(?: not|n't) exist)"
    r"|not found the model|no endpoints found for|has been decommissioned|no models loaded|try pulling it|模型.{0,20}不存在",
    re.IGNORECASE,
)
_FILTERED = Expression(
    r"[\"']content_filter[\"']|ResponsibleAIPolicyViolation|content[_ ]policy|data_?inspection_?failed|content exists risk"
    r"|(?:input|output) new_sensitive"
    r"|inappropriate content|flagged (?:by|for|as)|requires moderation|safety (?:system|reasons)|敏感内容|不安全",
    re.IGNORECASE,
)
_NOT_ALLOWED = Expression(
    r"location is not supported|unsupported_country|not (?:available|supported) in your (?:country|region|location)"
    r"|tier_not_allowed|permission_denied|(?:organization|account) must be verified",
    re.IGNORECASE,
)
_CALL_UNREADABLE = Expression(
    r"tool_use_failed|does not match the expected [\w-]+ format"
    r"|failed to (?:call a function|parse (?:the )?(?:tool|function) call(?! arg))"
    r"|tool call validation failed|output_parse_failed|model did not call a tool",
    re.IGNORECASE,
)
_BAD_INPUT = Expression(
    r"invalid_request|invalid request|jinja|template|failed to parse|unsupported|not supported|must alternate|unexpected role"
    r"|image input|validation|expected .{1,60} but|no such file|unknown (?:field|parameter|variant)|missing (?:field|parameter)",
    re.IGNORECASE,
)


class EndpointError(ModelError):
    """What an endpoint answered instead of a model's answer, with what decides whether it is worth asking again."""

    def __init__(
        self,
        base: ModelError,
        *,
        reason: str = "",
        wait: float | None = None,
        is_lasting: bool = False,
        overflow: Overflow | None = None,
    ) -> None:
        """``base`` is the error as the user should hear of it."""
        super().__init__(base.code, **base.params)
        self.reason = reason
        """The endpoint's words uncut, and the parameter that it names. May hold secrets: never shown."""
        self.wait = wait
        """For how many seconds the endpoint wants to be left alone, where it said so."""
        self.is_lasting = is_lasting
        """The same request would fail again."""
        self.overflow = overflow
        """Set where the request was too long."""


class ErrorMapper:
    """Makes the errors of one endpoint. ``secrets`` are hidden wherever the endpoint repeats them."""

    def __init__(self, *, url: str, model: str, secrets: Iterable[str] = (), proxy: str = "") -> None:
        """``proxy`` as in ``EndpointSettings``."""
        self._url = url
        self._has_proxy = proxy not in ("", DIRECT)
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

    def from_status(
        self, status: int, body: str, *, location: str = "", headers: Mapping[str, str] | None = None
    ) -> EndpointError:
        """Return the error for a response with an error status. The names of ``headers`` are in lower case."""
        value = parsed_body(body)
        detail = detail_of(value)
        if 300 <= status < 400:
            redirected = self.error("model.redirected", detail, status=status, location=self.clean(location))
            return EndpointError(redirected, is_lasting=True)
        return self._classified(status, detail or f"HTTP {status}", value, headers or {})

    def from_body(self, value: Any) -> EndpointError:
        """Return the error for an error object inside a stream, or for a body with status 200."""
        return self._classified(status_in(value), detail_of(value), value, {})

    def _classified(self, status: int | None, detail: str, value: Any, headers: Mapping[str, str]) -> EndpointError:
        words = _words(value)
        shown: int | str = status if status is not None else "in the answer"
        overflow = overflow_in(status, words, value)
        code = "model.context_full" if overflow is not None else _code_for(status, words)
        if code == "model.no_credit" and status == 429 and wait_seconds({}, value, "") is not None:
            code = "model.rate_limited"  # Gemini calls what it allows in a minute a quota, too
        wait = wait_seconds(headers, value, words) if code in _WORTH_WAITING else None
        seconds = {} if wait is None else {"seconds": math.ceil(wait)}
        return EndpointError(
            self.error(code, detail, status=shown, **seconds, **_lengths(overflow)),
            reason=f"{detail[:_REASON_CHARS]} {parameter_in(value)}",
            wait=wait,
            is_lasting=headers.get("x-should-retry") == "false"
            or (code == "model.server_error" and bool(_BAD_INPUT.search(words))),
            overflow=overflow,
        )

    def unreachable(self, error: BaseException) -> EndpointError:
        """Return the error for a connection that never stood."""
        code = "model.unknown_host" if _is_about_name(error) else "model.unreachable"
        if self._has_proxy or any(type(link).__name__ == "ProxyError" for link in _chain(error)):
            code = "model.proxy_failed"
        is_lasting = any(isinstance(link, _LASTING) for link in _chain(error))
        return EndpointError(self.error(code, _root_words(error)), is_lasting=is_lasting)

    def connection_lost(self, error: BaseException) -> ModelError:
        """Return the error for a connection that broke while the answer came."""
        return self.error("model.connection_lost", _root_words(error))


def _words(value: Any) -> str:
    """The text in which known phrases and codes are looked for."""
    if isinstance(value, str):
        return value[:_WORDS_CHARS]
    try:
        return json.dumps(value, ensure_ascii=False)[:_WORDS_CHARS]
    except (TypeError, ValueError, RecursionError):
        return ""


NO_TLS_WORDS = "no secure connection: the server there does not speak https; try http"
_NO_TLS_THERE = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")

_WORTH_WAITING = frozenset({"model.rate_limited", "model.overloaded", "model.server_error", "model.loading"})
_BY_STATUS = {
    401: "model.unauthorized",
    402: "model.no_credit",
    403: "model.forbidden",
    404: "model.not_found",
    408: "model.server_error",
    429: "model.rate_limited",
    529: "model.overloaded",
}


def _code_for(status: int | None, words: str) -> str:
    for code, statuses, pattern in _BY_WORDS:
        if (status in statuses or (status is not None and status >= 500 and 500 in statuses)) and pattern.search(words):
            return code
    if status is None:
        return "model.server_error"
    return _BY_STATUS.get(status, "model.server_error" if status >= 500 else "model.rejected")


_ANY_400 = (None, 400, 404, 409, 413, 422)
_BY_WORDS: tuple[tuple[str, tuple[int | None, ...], Expression], ...] = (
    # With the statuses among which the words are looked for; 500 stands for all from there on, None for an error
    # inside an answer, which has no status. The first that fits counts.
    ("model.no_credit", (None, 400, 402, 403, 429), _NO_CREDIT),
    ("model.call_unreadable", (*_ANY_400, 500), _CALL_UNREADABLE),
    ("model.filtered", (None, 400, 403, 422), _FILTERED),
    ("model.loading", (None, 500), _LOADING),
    ("model.overloaded", (None, 429, 500), _OVERLOADED),
    ("model.rate_limited", (None,), _RATE_LIMITED),
    ("model.no_such_model", (None, 400, 404, 422), _NO_SUCH_MODEL),
    ("model.unauthorized", (None, 400, 403), _BAD_KEY),
    ("model.unauthorized", (None,), _UNAUTHORIZED),
    ("model.forbidden", (None, 400), _NOT_ALLOWED),
)


def _lengths(overflow: Overflow | None) -> dict[str, int]:
    """The lengths that are known, as parameters of the error."""
    if overflow is None:
        return {}
    known = {"limit": overflow.limit, "needed": overflow.needed}
    return {name: value for name, value in known.items() if value is not None}


_LASTING = (ssl.SSLError, socket.gaierror, ConnectionRefusedError, ImportError, ValueError, TypeError)
"""Reasons for which a connection does not stand a second later, either."""


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
            return NO_TLS_WORDS
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
