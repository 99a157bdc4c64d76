"""Reads the error bodies of endpoints, in every shape that they give them: whether it is one, its words and its status."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

_PAGE_CHARS = 100_000
"""What is read of a web page."""
_MESSAGES = (
    *("error", "errors", "message", "detail", "msg", "error_msg", "errormsg", "err_msg", "errmsg", "errormessage"),
    *("status_msg", "base_resp", "response", "error_description", "reason", "title"),
)
"""The names of what holds the words, or another object that does; in lower case, the likeliest first."""
_ERROR_MESSAGES = frozenset({"error_msg", "errormsg", "err_msg", "errmsg", "errormessage"})
"""Those that no answer has."""
_CODES = ("code", "status", "statuscode", "status_code")
_HIDDEN_PART = re.compile(r"<(script|style|head)\b", re.IGNORECASE)
_ALIVE = re.compile(r"ping|keep-?_?alive|heartbeat|progress|queue|pending|processing|^(?:status|info)$", re.IGNORECASE)
"""Kinds of events that say only that the endpoint is at work."""


def is_error_body(value: Any, *, named_error: bool = False) -> bool:
    """True when a parsed event or body is an error and no answer. ``named_error``: the event is called ``error``."""
    if named_error:
        return True
    if not isinstance(value, Mapping):
        return False
    lowered = _lowered(value)
    if (
        _says_something(lowered.get("error"))
        or lowered.get("object") == "error"
        or _has_failed(lowered.get("base_resp"))
    ):
        return True
    if isinstance(lowered.get("choices"), list):
        return False
    if lowered.get("type") == "error" or lowered.get("errors") or _is_detail(lowered.get("detail")):
        return True
    if any(lowered.get(name) for name in _ERROR_MESSAGES):
        return True
    if isinstance(inner := lowered.get("response"), Mapping) and "error" in _lowered(inner):
        return True
    message = lowered.get("message", lowered.get("msg"))
    kinds = {*_CODES, "type", "success"} & lowered.keys()
    return isinstance(message, str) and bool(kinds) and not _is_no_failure(lowered)


def _lowered(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name).lower(): item for name, item in value.items()}


def _says_something(error: Any) -> bool:
    """False for the error that some relays write into every chunk, with nothing in it."""
    if isinstance(error, Mapping):
        return any(item and item not in ("0", "null", "None") for item in error.values())
    return bool(error)


def _has_failed(base: Any) -> bool:
    """True for MiniMax's word on how it went, when that is no success."""
    return isinstance(base, Mapping) and base.get("status_code") not in (0, "0", None)


def _is_detail(detail: Any) -> bool:
    """True for words, and for what FastAPI says of a request that does not fit."""
    if isinstance(detail, Mapping):
        return bool(detail_of(detail))
    if isinstance(detail, list):
        return any(isinstance(item, Mapping) and "msg" in item for item in detail)
    return isinstance(detail, str)


def _is_no_failure(lowered: Mapping[str, Any]) -> bool:
    """True where a message is the word of a success, or of an endpoint that is still at work."""
    code = next((lowered[name] for name in _CODES if name in lowered), None)
    if lowered.get("success") is True or (not isinstance(code, bool) and code in (0, 200, "0", "200")):
        return True
    if isinstance(code, str) and code.lower() in ("ok", "success"):
        return True
    return any(isinstance(kind := lowered.get(name), str) and _ALIVE.search(kind) for name in ("type", "status"))


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
    lowered = _lowered(value)
    metadata = lowered.get("metadata")
    if isinstance(metadata, Mapping) and isinstance(raw := metadata.get("raw"), str) and raw.strip():
        inner = detail_of(parsed_body(raw), depth + 1)  # a router's own words are empty; the provider's are inside
        if inner:
            return inner
    for name in _MESSAGES:
        if found := detail_of(lowered.get(name), depth + 1):
            where, failed = lowered.get("loc"), lowered.get("failed_generation")
            if isinstance(failed, str) and failed.strip():  # Groq's: what the model wrote instead of a call
                return f"{found} {failed.strip()}"
            return f"{'.'.join(map(str, where))}: {found}" if isinstance(where, list) else found
    code = lowered.get("code") or lowered.get("type")
    return code if isinstance(code, str) else ""


def _plain(text: str) -> str:
    if not re.match(r"\s*<(?:!|\?|[a-zA-Z])", text):
        return text.strip()
    shown = re.sub(r"<[^<>]*>", " ", "".join(_shown_parts(text[:_PAGE_CHARS])))
    return html.unescape(shown).strip()


def _shown_parts(page: str) -> list[str]:
    """What stands outside the scripts, styles and the head of a page; without an end, they go on to the page's."""
    parts: list[str] = []
    place = 0
    while (opening := _HIDDEN_PART.search(page, place)) is not None:
        parts += (page[place : opening.start()], " ")
        closing = re.compile(rf"</{opening[1]}\s*>", re.IGNORECASE).search(page, opening.end())
        if closing is None:
            return parts
        place = closing.end()
    return [*parts, page[place:]]


def parsed_body(body: str) -> Any:
    """Return a body as parsed JSON; one that is none, as it is."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body


def status_in(value: Any) -> int | None:
    """Return the HTTP status that an error body names."""
    inner = value.get("error", value) if isinstance(value, Mapping) else None
    for holder in (inner, value):
        if not isinstance(holder, Mapping):
            continue
        lowered = _lowered(holder)
        for name in _CODES:
            found = lowered.get(name)
            if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) == 3:
                found = int(found)
            if isinstance(found, int) and not isinstance(found, bool) and 400 <= found < 600:
                return found
    return None


def parameter_in(value: Any) -> str:
    """Return the name of the parameter that an error is about, where it says so."""
    inner = value.get("error") if isinstance(value, Mapping) else None
    for holder in (inner, value):
        if isinstance(holder, Mapping) and isinstance(name := holder.get("param"), str):
            return name[:200]
    return ""
