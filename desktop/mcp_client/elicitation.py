"""Questions that a server asks during a call: checked, shown to the person, and always answered explicitly.

Nothing but a person's answer is ever an acceptance: what is malformed, unasked for or failing ends as *cancel*, and
what is cancelled without the person is told at the server and in the result of the call.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.calls import ActiveCalls
from desktop.tools.entities import (
    ElicitationAction,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
    Ending,
    ServerConfig,
)
from desktop.tools.ports import UserPrompts
from desktop.tools.server_remarks import Remark

if TYPE_CHECKING:
    import mcp_types
    from mcp.client.session import ClientRequestContext

logger = logging.getLogger(__name__)

MAX_FIELDS = 50
MAX_OPTIONS = 500
MAX_URL_LENGTH = 8_000
MAX_MESSAGE_LENGTH = 1_000_000
MAX_OPEN_QUESTIONS = 8
REFUSED_MARK = "x-threadwell-refused"
"""A schema that was not even let into the SDK carries the reason under this key."""
_MOST_OF_REASON = 200
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FIELD_KEYS = frozenset(
    {"type", "title", "description", "default", "format", "enum", "enumNames", "oneOf", "items"}
    | {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
)
_OPTION_KEYS = frozenset({"const", "title", "description"})


class RefusedQuestionError(ValueError):
    """Says why a question is cancelled without the person: one of ``core.error_details``, whole or up to a colon."""


def checked_schema(schema: Any) -> dict[str, Any]:
    """Return a copy of a form's schema with the keywords that forms may have, no other. Raises ``RefusedQuestionError``.

    The protocol allows one flat object of strings, numbers, booleans and choices. What is not known is left out: a
    pattern of a server's choosing can hold the interpreter for ever, a reference would be fetched.
    """
    if not isinstance(schema, Mapping):
        raise RefusedQuestionError("its form is malformed")
    if REFUSED_MARK in schema:
        raise RefusedQuestionError(str(schema[REFUSED_MARK]))
    properties = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(properties, Mapping):
        raise RefusedQuestionError("its form is malformed: it does not describe an object")
    if len(properties) > MAX_FIELDS:
        raise RefusedQuestionError(f"its form is too long: {len(properties)} fields")
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise RefusedQuestionError("its form is malformed: the list of required fields")
    if unknown := [name for name in required if name not in properties]:
        raise RefusedQuestionError(f"its form requires a field that it lacks: {unknown[0]!r}")
    kept = {
        name: value for name, value in schema.items() if name in ("title", "description") and isinstance(value, str)
    }
    fields = {name: _checked_field(name, field) for name, field in properties.items()}
    return {"type": "object", **kept, "properties": fields, "required": list(required)}


def _checked_field(name: str, field: Any) -> dict[str, Any]:
    if not isinstance(field, Mapping):
        raise RefusedQuestionError(f"a field of its form is malformed: {name!r}")
    kind = field.get("type")
    if kind is None and ("enum" in field or "oneOf" in field):
        kind = "string"
    if kind not in ("string", "number", "integer", "boolean", "array"):
        raise RefusedQuestionError(
            f"its form has a field of a kind that forms cannot have: {name!r} ({str(kind)[:40]})"
        )
    if kind == "array":
        _check_multiple_choice(name, field)
    else:
        _check_options(name, field.get("enum"), field.get("oneOf"))
        if "properties" in field or "items" in field:
            raise RefusedQuestionError(f"its form has a field of a kind that forms cannot have: {name!r} (nested)")
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        _check_bounds(name, field.get(low), field.get(high))
    kept = {key: value for key, value in field.items() if key in _FIELD_KEYS}
    if "oneOf" in kept:
        kept["oneOf"] = _plain_options(kept["oneOf"])
    if kind == "array":
        kept["items"] = _plain_items(kept["items"])
    return {**kept, "type": kind}


def _plain_items(items: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: items[key] for key in ("type", "enum", "enumNames") if key in items}
    return kept | {key: _plain_options(items[key]) for key in ("anyOf", "oneOf") if key in items}


def _plain_options(options: Any) -> Any:
    """The titled choices, which were checked to be objects with a text as ``const``."""
    return options and [{key: option[key] for key in option if key in _OPTION_KEYS} for option in options]


def _check_multiple_choice(name: str, field: Mapping[str, Any]) -> None:
    items = field.get("items")
    if not isinstance(items, Mapping) or items.get("type", "string") != "string":
        raise RefusedQuestionError(f"its form has a field of a kind that forms cannot have: {name!r} (list)")
    titled = items.get("anyOf", items.get("oneOf"))
    if "enum" not in items and titled is None:
        raise RefusedQuestionError(f"its form has a field of a kind that forms cannot have: {name!r} (list)")
    _check_options(name, items.get("enum"), titled)


def _check_options(name: str, values: Any, titled: Any) -> None:
    for options in (values, titled):
        if options is None:
            continue
        if not isinstance(options, list) or not 0 < len(options) <= MAX_OPTIONS:
            raise RefusedQuestionError(f"the choices of a field are malformed or too many: {name!r}")
    if values is not None and not all(isinstance(value, str | int | float) for value in values):
        raise RefusedQuestionError(f"the choices of a field are malformed or too many: {name!r}")
    if titled is not None and not all(isinstance(o, Mapping) and isinstance(o.get("const"), str) for o in titled):
        raise RefusedQuestionError(f"the choices of a field are malformed or too many: {name!r}")


def _check_bounds(name: str, low: Any, high: Any) -> None:
    for bound in (low, high):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | float)):
            raise RefusedQuestionError(f"a field of its form is malformed: {name!r}")
    if low is not None and high is not None and low > high:
        raise RefusedQuestionError(f"nothing can satisfy the bounds of a field: {name!r}")


def shown_url(url: Any) -> str:
    """Return the address for the person, who sees what is odd about it. Raises ``RefusedQuestionError``."""
    if not isinstance(url, str) or not 0 < len(url) <= MAX_URL_LENGTH:
        raise RefusedQuestionError("its address is missing or too long")
    return url


def checked_url(url: Any) -> str:
    """Return the address if it may be opened when the person agrees. Raises ``RefusedQuestionError``."""
    url = shown_url(url)
    if any(character <= " " or "\x7f" <= character <= "\xa0" or character == "\\" for character in url):
        raise RefusedQuestionError("the address contains blanks or control characters")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise RefusedQuestionError("the address is malformed") from None
    if parts.username is not None or parts.password is not None:
        raise RefusedQuestionError("the address contains a user name, which hides the real host")
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)):
        raise RefusedQuestionError("the address is not https")
    return url


def disarm(params: Any) -> None:
    """Make the parameters of a question safe to parse, in place: a refused form becomes an empty, marked one."""
    if not isinstance(params, dict):
        return
    if isinstance(message := params.get("message"), str) and len(message) > MAX_MESSAGE_LENGTH:
        params["message"] = f"{message[:MAX_MESSAGE_LENGTH]}…"
    if params.get("mode", "form") != "form":
        return
    try:
        params["requestedSchema"] = checked_schema(params.get("requestedSchema"))
    except RefusedQuestionError as refusal:
        params["requestedSchema"] = {"type": "object", "properties": {}, REFUSED_MARK: str(refusal)}


class Elicitor:
    """Answers one server's questions by asking the person."""

    def __init__(
        self,
        config: ServerConfig,
        *,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        calls: ActiveCalls,
        on_cancelled: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_cancelled`` is told that ``notes`` changed."""
        self.notes: tuple[Remark, ...] = ()
        """What the person should know of the latest question that was cancelled without them."""
        self._on_cancelled = on_cancelled
        self._config = config
        self._prompts = prompts
        self._tasks = tasks
        self._calls = calls

    async def handle(
        self, context: "ClientRequestContext", params: "mcp_types.ElicitRequestParams"
    ) -> "mcp_types.ElicitResult":
        """Return the answer for the SDK. Never raises, but for the cancellation of the question by its server."""
        import mcp_types

        try:
            answer = await self.ask(self._request(params))
        except RefusedQuestionError as refusal:
            self.cancelled(refusal)
            answer = ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.ABORTED)
        except Exception:
            logger.exception("a question of server %s could not be asked", self._config.id)
            self._tell("it could not be shown")
            answer = ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.ABORTED)
        if answer.action is not ElicitationAction.ACCEPT:
            return mcp_types.ElicitResult(action=answer.action.value)
        if params.mode == "url":
            return mcp_types.ElicitResult(action="accept")
        return mcp_types.ElicitResult(action="accept", content=dict(answer.content))

    def cancelled(self, refusal: RefusedQuestionError) -> None:
        """Note that a question was cancelled without the person: for its call, where that is known, and its server."""
        logger.warning("a question of server %s was refused: %s", self._config.id, refusal)
        self._tell(str(refusal))

    def _tell(self, reason: str) -> None:
        remark = Remark("question_cancelled", reason=reason[:_MOST_OF_REASON])
        if (call := self._calls.asking) is not None:
            call.note(remark)
        if (remark,) != self.notes:
            self.notes = (remark,)
            self._on_cancelled()

    async def ask(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Show the question while a call runs; it is withdrawn (ending ``aborted``) when the last call ends."""
        if not self._calls:
            raise RefusedQuestionError("no call of this server is running")
        if self._calls.open_questions >= MAX_OPEN_QUESTIONS:
            raise RefusedQuestionError("too many of its questions are open")
        question = self._tasks.spawn(self._prompts.elicit(request), name=f"question of {self._config.id}")
        with self._calls.question(question):
            try:
                await asyncio.wait({question})
            finally:
                question.cancel()
        if question.cancelled():
            return ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.ABORTED)
        answer = question.result()
        if answer.unseen:
            raise RefusedQuestionError(answer.unseen)
        if answer.action is ElicitationAction.ACCEPT and request.mode is ElicitationMode.URL:
            checked_url(request.url)  # nothing that must not be opened counts as opened, whoever asked the person
        if answer.action is ElicitationAction.ACCEPT and request.mode is ElicitationMode.FORM:
            _check_content(answer.content, request.schema)
        return answer

    def _request(self, params: "mcp_types.ElicitRequestParams") -> ElicitationRequest:
        common = {
            "server_id": self._config.id,
            "message": params.message,
            "thread_id": self._calls.thread_id,
            "bundled": self._config.bundled,
        }
        if params.mode == "url":
            return ElicitationRequest(mode=ElicitationMode.URL, url=shown_url(params.url), **common)
        return ElicitationRequest(schema=checked_schema(params.requested_schema), **common)


def _check_content(content: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """An answer that the server's own schema refuses is not sent: the server would see our error instead of it."""
    from jsonschema import Draft202012Validator
    from referencing import Registry

    # An explicit empty registry: the default one would fetch what a reference names.
    validator = Draft202012Validator(schema, registry=Registry())
    error = next(validator.iter_errors(dict(content)), None)
    if error is not None:
        raise RefusedQuestionError(f"the answer does not fit the form: {error.message}")
