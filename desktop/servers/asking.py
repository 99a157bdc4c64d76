"""Asks the person behind any MCP client a question during a tool call, in both protocol eras.

Up to 2025-11-25 the server sends a request and waits. From 2026-07-28 on it *returns* the question, and the client
calls the tool again with the answer: the tool's body runs twice, so nothing may happen before the answer is read.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from desktop.core.digests import sha256_of_json

if TYPE_CHECKING:
    import mcp_types
    from fastmcp import Context

_MAX_OPEN_QUESTIONS = 200
_KEY = "answer"


class Action(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    UNSUPPORTED = "unsupported"
    """The client cannot ask anybody, so nobody was asked."""


@dataclass(frozen=True)
class Answer:
    action: Action
    content: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Questioner:
    """Asks, and remembers which questions of the newer era are open, so that each is answered once at most."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}

    async def ask(
        self, context: "Context", message: str, schema: Mapping[str, Any], *, about: Any
    ) -> "Answer | mcp_types.InputRequiredResult":
        """Return the answer, or (newer era) a result that the tool must return as it is.

        ``about`` is what the question is about, as JSON: an answer counts only for a call about the same.
        """
        if not _can_ask(context):
            return Answer(Action.UNSUPPORTED)
        if not _is_stateless(context):
            return await self._request(context, message, schema)
        digest = sha256_of_json(about)
        response = (context.input_responses or {}).get(_KEY)
        if response is not None and self._take(context.request_state, digest):
            return _answer(response)
        return self._question(message, schema, digest)

    async def _request(self, context: "Context", message: str, schema: Mapping[str, Any]) -> Answer:
        from mcp import MCPError

        try:
            result = await context.session.elicit_form(message, dict(schema), related_request_id=context.request_id)
        except MCPError:
            return Answer(Action.CANCEL)
        return _answer(result)

    def _question(self, message: str, schema: Mapping[str, Any], digest: str) -> "mcp_types.InputRequiredResult":
        import mcp_types

        nonce = secrets.token_hex(16)
        while len(self._open) >= _MAX_OPEN_QUESTIONS:  # those that nobody came back for
            self._open.pop(next(iter(self._open)))
        self._open[nonce] = digest
        params = mcp_types.ElicitRequestFormParams(message=message, requested_schema=dict(schema))
        return mcp_types.InputRequiredResult(
            input_requests={_KEY: mcp_types.ElicitRequest(params=params)},
            request_state=json.dumps({"nonce": nonce}),
        )

    def _take(self, state: str | None, digest: str) -> bool:
        """True when ``state`` is that of an open question about the same; it is closed by this."""
        try:
            nonce = json.loads(state or "")["nonce"]
        except (ValueError, TypeError, KeyError):
            return False
        return isinstance(nonce, str) and self._open.pop(nonce, None) == digest


def _answer(result: Any) -> Answer:
    try:
        action = Action(result.action)
    except (AttributeError, ValueError):  # some other kind of response
        return Answer(Action.CANCEL)
    content = result.content
    return Answer(action, dict(content) if isinstance(content, Mapping) else {})


def _can_ask(context: "Context") -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    if elicitation is None:
        return False
    # An empty capability means forms; one that names only URLs does not.
    return elicitation.form is not None or elicitation.url is None


def _is_stateless(context: "Context") -> bool:
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    request = context.request_context
    return request is not None and request.protocol_version in MODERN_PROTOCOL_VERSIONS
