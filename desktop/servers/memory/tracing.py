"""The trace of a call: taken from the request or made, and put into every line of the log that comes of it."""

import contextvars
import logging
import re
import secrets
from collections.abc import Generator
from contextlib import contextmanager

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_OWN = re.compile(r"[A-Za-z0-9._\-]{1,64}")

_trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="-")


def trace_id(traceparent: object = None, request_id: object = None) -> str:
    """Return the trace that a W3C ``traceparent`` names, else a request's own id where it is one, else a new one."""
    named = _TRACEPARENT.fullmatch(traceparent.strip()) if isinstance(traceparent, str) else None
    if named is not None and named.group(1).strip("0"):
        return named.group(1)
    if isinstance(request_id, str) and _OWN.fullmatch(request_id.strip()):
        return request_id.strip()
    return secrets.token_hex(16)


@contextmanager
def traced(trace: str) -> Generator[None, None, None]:
    """Everything that is logged inside names ``trace``."""
    token = _trace.set(trace)
    try:
        yield
    finally:
        _trace.reset(token)


def log_to_stderr(level: str) -> None:
    """One line a record, each with its trace; stdout belongs to the protocol."""
    handler = logging.StreamHandler()
    handler.addFilter(_add_trace)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s trace=%(trace)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("fastmcp", "uvicorn", "uvicorn.error"):  # they bring handlers of their own
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


def _add_trace(record: logging.LogRecord) -> bool:
    record.trace = _trace.get()
    return True
