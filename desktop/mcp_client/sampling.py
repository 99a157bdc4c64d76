"""A server's requests to the user's model ("sampling"): checked, bounded, passed on, and always answered explicitly.

Text only, no tools, nothing of the chat; and only where the user switched it on for this server.
"""

import asyncio
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeGuard
from weakref import WeakKeyDictionary

from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.calls import ActiveCall, ActiveCalls
from desktop.mcp_client.elicitation import MAX_OPEN_QUESTIONS, REFUSED_MARK
from desktop.tools.entities import ServerConfig
from desktop.tools.ports import ModelForServers
from desktop.tools.server_sampling import Sampled, SamplingMessage, SamplingRequest, SamplingRole, Unsampled
from desktop.tools.visible_text import without_surrogates

if TYPE_CHECKING:
    import mcp_types

logger = logging.getLogger(__name__)

MAX_MESSAGES = 64
MAX_BLOCKS = 64
MAX_CHARACTERS = 100_000
"""Of all texts of one request together: nobody reads more before allowing it."""
MAX_STOP_SEQUENCES = 16
MAX_STOP_CHARACTERS = 200
MAX_TOKENS = 8_192
"""The longest answer, whatever the server asks for."""
MAX_REQUESTS_OF_CALL = 8
MAX_TOKENS_OF_CALL = 32_768
MAX_REFUSALS_OF_CALL = 2
"""Who was refused so often in a call does not ask again in it."""
_CONTEXTS = ("thisServer", "allServers")

USER_REJECTED = -1
"""The protocol's code for it."""
_INVALID_REQUEST, _INVALID_PARAMS, _INTERNAL = -32600, -32602, -32603


class Malformed(StrEnum):
    """Which requests are refused for what they are. The words are for the server's author."""

    PARAMS = "the sampling request is malformed"
    TOOLS = "tools are not offered in sampling"
    CONTENT = "only text is taken in sampling, no pictures, sound or tool results"
    LENGTH = "the sampling request is too long"


_ANSWERS: Mapping[Unsampled, tuple[int, str]] = {
    Unsampled.REFUSED: (USER_REJECTED, "User rejected sampling request"),
    Unsampled.WITHDRAWN: (_INTERNAL, "The sampling request was withdrawn"),
    Unsampled.NO_MODEL: (_INTERNAL, "There is no model to sample from"),
    Unsampled.FAILED: (_INTERNAL, "The model did not answer"),
}


class RefusedSamplingError(ValueError):
    """Says to the server why its request is not shown."""

    def __init__(self, words: str, code: int = _INVALID_REQUEST) -> None:
        super().__init__(words)
        self.code = code


def disarm_sampling(params: Any) -> None:
    """Make the parameters of a request small and safe to parse, in place; a refused one becomes empty and marked."""
    if not isinstance(params, dict):
        return
    try:
        checked = _checked(params)
    except RefusedSamplingError as refusal:
        checked = {"messages": [], "maxTokens": 1, "metadata": {REFUSED_MARK: str(refusal)}}
    params.clear()
    params.update(checked)


def _checked(params: Mapping[str, Any]) -> dict[str, Any]:
    if params.get("tools") is not None or params.get("toolChoice") is not None:
        raise RefusedSamplingError(Malformed.TOOLS)
    system, messages, tokens = params.get("systemPrompt"), params.get("messages"), params.get("maxTokens")
    if not isinstance(messages, list) or not (system is None or isinstance(system, str)):
        raise RefusedSamplingError(Malformed.PARAMS)
    if not messages or not _is_number(tokens) or tokens != int(tokens) or tokens < 1:
        raise RefusedSamplingError(Malformed.PARAMS)
    if len(messages) > MAX_MESSAGES:
        raise RefusedSamplingError(Malformed.LENGTH)
    kept: dict[str, Any] = {"messages": list(map(_checked_message, messages)), "maxTokens": int(tokens)}
    if system:
        kept["systemPrompt"] = without_surrogates(system)
    if sum(map(len, (system or "", *(message["content"]["text"] for message in kept["messages"])))) > MAX_CHARACTERS:
        raise RefusedSamplingError(Malformed.LENGTH)
    if _is_number(temperature := params.get("temperature")):
        kept["temperature"] = min(2.0, max(0.0, float(temperature)))
    if stops := _checked_stops(params.get("stopSequences")):
        kept["stopSequences"] = stops
    if params.get("includeContext") in _CONTEXTS:
        kept["includeContext"] = params["includeContext"]
    return kept


def _checked_message(message: Any) -> dict[str, Any]:
    """Return a message with one text, whatever it was made of."""
    if not isinstance(message, Mapping) or message.get("role") not in list(SamplingRole):
        raise RefusedSamplingError(Malformed.PARAMS)
    content = message.get("content")
    blocks: list[Any] = content if isinstance(content, list) else [content]
    if not blocks:
        raise RefusedSamplingError(Malformed.PARAMS)
    if len(blocks) > MAX_BLOCKS:
        raise RefusedSamplingError(Malformed.LENGTH)
    for block in blocks:
        if not isinstance(block, Mapping):
            raise RefusedSamplingError(Malformed.PARAMS)
        if block.get("type") != "text":
            raise RefusedSamplingError(Malformed.CONTENT)
        if not isinstance(block.get("text"), str):
            raise RefusedSamplingError(Malformed.PARAMS)
    text = without_surrogates("\n\n".join(block["text"] for block in blocks))
    return {"role": message["role"], "content": {"type": "text", "text": text}}


def _checked_stops(stops: Any) -> list[str]:
    if stops is None:
        return []
    if not isinstance(stops, list) or not all(isinstance(stop, str) for stop in stops):
        raise RefusedSamplingError(Malformed.PARAMS)
    if len(stops) > MAX_STOP_SEQUENCES or any(len(stop) > MAX_STOP_CHARACTERS for stop in stops):
        raise RefusedSamplingError(Malformed.LENGTH)
    return [without_surrogates(stop) for stop in stops if stop]


def _is_number(value: Any) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 10**12 and math.isfinite(value)


@dataclass
class _Allowance:
    """What one call may still take."""

    requests: int = MAX_REQUESTS_OF_CALL
    refusals: int = MAX_REFUSALS_OF_CALL
    tokens: int = MAX_TOKENS_OF_CALL


class Sampler:
    """Answers one server's requests by the model of the chat that calls it, if the person agrees."""

    def __init__(
        self, config: ServerConfig, *, model: ModelForServers, tasks: TaskSupervisor, calls: ActiveCalls
    ) -> None:
        self._config = config
        self._model = model
        self._tasks = tasks
        self._calls = calls
        self._allowances: WeakKeyDictionary[ActiveCall, _Allowance] = WeakKeyDictionary()
        self._last_refusal = ""

    async def handle(
        self, _messages: object, params: "mcp_types.CreateMessageRequestParams", _context: object
    ) -> "mcp_types.CreateMessageResult | mcp_types.ErrorData":
        """Return the answer for the SDK. Never raises, but for the cancellation of the request by its server."""
        import mcp_types

        try:
            outcome = await self._sample(params)
        except RefusedSamplingError as refusal:
            level = logging.DEBUG if str(refusal) == self._last_refusal else logging.WARNING  # a flood fills no log
            self._last_refusal = str(refusal)
            logger.log(level, "a sampling request of server %s was refused: %s", self._config.id, refusal)
            return mcp_types.ErrorData(code=refusal.code, message=str(refusal))
        except Exception:
            logger.exception("a sampling request of server %s could not be answered", self._config.id)
            outcome = Unsampled.FAILED
        if isinstance(outcome, Unsampled):
            code, words = _ANSWERS[outcome]
            return mcp_types.ErrorData(code=code, message=words)
        return mcp_types.CreateMessageResult(
            role="assistant",
            content=mcp_types.TextContent(type="text", text=outcome.answer.text),
            model=outcome.model,
            stop_reason=outcome.answer.stop_reason,
        )

    async def _sample(self, params: "mcp_types.CreateMessageRequestParams") -> Sampled | Unsampled:
        """Pass the request on; it is withdrawn when its call ends. The call's deadline rests meanwhile."""
        if reason := (params.metadata or {}).get(REFUSED_MARK):
            raise RefusedSamplingError(str(reason), _INVALID_PARAMS)
        call = self._calling()
        allowance = self._allowances.setdefault(call, _Allowance())
        if not (allowance.requests and allowance.refusals and allowance.tokens):
            raise RefusedSamplingError("too many sampling requests in one call")
        if self._calls.open_questions >= MAX_OPEN_QUESTIONS:
            raise RefusedSamplingError("too many of its questions are open")
        granted = min(params.max_tokens, MAX_TOKENS, allowance.tokens)
        allowance.requests -= 1
        allowance.tokens -= granted
        request = self._request(params, call, granted)
        asking = self._tasks.spawn(self._model.sample(request), name=f"sampling of {self._config.id}")
        with self._calls.question(asking, of=call):
            try:
                await asyncio.wait({asking})
            finally:
                asking.cancel()
        if asking.cancelled():
            return Unsampled.WITHDRAWN
        outcome = asking.result()
        if outcome is Unsampled.REFUSED:
            allowance.refusals -= 1
        elif isinstance(outcome, Sampled) and (used := outcome.answer.output_tokens) is not None:
            allowance.tokens += max(0, granted - used)
        return outcome

    def _calling(self) -> ActiveCall:
        """The call during which it is asked. Whose model answers must be certain: chats may have quite different ones."""
        call = self._calls.asking
        if call is None:
            several = "calls of several chats are running, so that it cannot be told whose model to ask"
            raise RefusedSamplingError(several if self._calls else "no call of this server is running")
        return call

    def _request(
        self, params: "mcp_types.CreateMessageRequestParams", call: ActiveCall, granted: int
    ) -> SamplingRequest:
        return SamplingRequest(
            server_id=self._config.id,
            thread_id=call.thread_id,
            turn_id=call.turn_id,
            messages=tuple(map(_message, params.messages)),
            max_tokens=granted,
            asked_tokens=params.max_tokens,
            system_prompt=params.system_prompt or "",
            temperature=params.temperature,
            stop_sequences=tuple(params.stop_sequences or ()),
            wants_context=params.include_context in _CONTEXTS,
        )


def _message(message: "mcp_types.SamplingMessage") -> SamplingMessage:
    text = "\n\n".join(getattr(block, "text", "") for block in message.content_as_list)
    return SamplingMessage(role=SamplingRole(message.role), text=text)
