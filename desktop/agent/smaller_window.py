"""Makes a request that is too long fit: the oldest rounds are left out, never a call without its results.

Pure. How long a text is for the model is only known from what the endpoint said of the whole request; between texts it
is taken to go by their bytes, which holds for Chinese and English alike.
"""

import dataclasses
import json
from collections.abc import Sequence

from desktop.conversation.result_text import BYTES_PER_TOKEN
from desktop.core.cut_text import cut_to_bytes
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    AssistantMessage,
    ModelRequest,
    RequestMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

ROOM_FOR_ANSWER = 0.2
"""The part of the context that the answer is left."""
IMAGE_BYTES = 5_000
LEAST_OF_RESULT = 500
MESSAGE_BYTES = 20
"""What stands around each message."""
FULL_FROM = 0.95
"""The part of a known context beyond which nothing is sent as it is: our counts are estimates."""


class KnownTooLongError(ModelError):
    """A request that was not sent, because it is longer than its model is known to read, and can be made shorter.

    It is not the endpoint's word: that may still find the shorter one too long.
    """


def too_long(request: ModelRequest, *, limit: int, needed: int) -> KnownTooLongError | None:
    """Return the error for a request of ``needed`` tokens to which ``limit`` leaves no room for an answer."""
    if needed <= limit * FULL_FROM:
        return None
    if fitted(request.messages, allowed_bytes(request, limit=limit, needed=needed)) == tuple(request.messages):
        return None
    return KnownTooLongError("model.context_full", limit=limit, needed=needed)


def allowed_bytes(request: ModelRequest, *, limit: int | None, needed: int | None) -> int:
    """Return how long the messages may be, given that this request has ``needed`` tokens where ``limit`` are taken."""
    tools = sum(
        len(tool.name) + len(tool.description.encode("utf-8", "replace")) + len(json.dumps(dict(tool.parameters)))
        for tool in request.tools
    )
    whole = tools + sum(map(_weight, request.messages))
    if limit is None:
        return max(whole // 2 - tools, 0)
    answer = max(limit * ROOM_FOR_ANSWER, min(request.sampling.max_output_tokens or 0, limit * 0.75))
    if needed is not None:
        return max(int(whole * (limit - answer) / needed) - tools, 0)
    return max(int(min(whole * 0.6, (limit - answer) * BYTES_PER_TOKEN)) - tools, 0)


def fitted(messages: Sequence[RequestMessage], allowed: int) -> tuple[RequestMessage, ...]:
    """Return the messages without the oldest ones beyond ``allowed`` bytes.

    What stays in any case: the system message, the last user message, and the last step of the answer to it. Whole
    rounds go first, a user message with all that followed it; then the oldest steps of the present answer; at last the
    middle of long results.
    """
    head = [message for message in messages if isinstance(message, SystemMessage)]
    rounds = _split(messages, UserMessage)
    if not rounds:
        return tuple(messages)
    allowed -= sum(map(_weight, head))
    earlier, (question, *rest) = rounds[:-1], rounds[-1]
    steps = _split(rest, AssistantMessage)
    while earlier and _weigh([*earlier, [question], *steps]) > allowed:
        earlier.pop(0)
    while not earlier and len(steps) > 1 and _weigh([[question], *steps]) > allowed:
        steps.pop(0)
    kept = [message for group in (*earlier, [question], *steps) for message in group]
    return (*head, *_with_shorter_results(kept, allowed))


def count_in(error: ModelError, name: str) -> int | None:
    """Return a number that an error names, if it does."""
    value = error.params.get(name)
    return value if isinstance(value, int) and value > 0 else None


def _with_shorter_results(messages: list[RequestMessage], allowed: int) -> list[RequestMessage]:
    """Cut the longest results to the one length at which everything fits, but none to less than ``LEAST_OF_RESULT``."""
    excess = sum(map(_weight, messages)) - allowed
    if excess <= 0:
        return messages
    sizes = sorted(
        (len(m.text.encode("utf-8", "replace")) for m in messages if isinstance(m, ToolMessage)), reverse=True
    )
    level = 0
    for count, smaller in enumerate([*sizes[1:], 0], start=1):
        level = (sum(sizes[:count]) - excess) // count
        if level >= smaller:
            break
    level = max(level, LEAST_OF_RESULT)
    return [
        dataclasses.replace(message, text=cut_to_bytes(message.text, level))
        if isinstance(message, ToolMessage)
        else message
        for message in messages
    ]


def weigh(messages: Sequence[RequestMessage]) -> int:
    """Return the bytes of messages, as ``allowed_bytes`` counts them."""
    return sum(map(_weight, messages))


def _split(messages: Sequence[RequestMessage], first: type[RequestMessage]) -> list[list[RequestMessage]]:
    """The messages in groups that each begin with one of the class ``first``; what stands before is left out."""
    groups: list[list[RequestMessage]] = []
    for message in messages:
        if isinstance(message, first):
            groups.append([message])
        elif groups:
            groups[-1].append(message)
    return groups


def _weigh(groups: Sequence[Sequence[RequestMessage]]) -> int:
    return sum(_weight(message) for group in groups for message in group)


def _weight(message: RequestMessage) -> int:
    size = MESSAGE_BYTES + len(message.text.encode("utf-8", "replace"))
    match message:
        case AssistantMessage():
            calls = sum(len(call.name) + len(call.arguments.encode("utf-8", "replace")) for call in message.tool_calls)
            return size + calls + len(message.thinking.encode("utf-8", "replace"))
        case UserMessage() | ToolMessage():
            return size + IMAGE_BYTES * len(message.images)
        case SystemMessage():
            return size
