"""What of a thread is sent to the model: a pure, repairing projection of the stored messages."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from desktop.conversation.entities import (
    Message,
    ReplayPart,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import (
    AssistantMessage,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

MAX_ROUNDS = 50
"""Rounds (a user message and its answer) that are sent at most, the newest ones."""

MISSING_RESULT = "No result: the program ended before this tool finished."


def assemble_context(messages: Sequence[Message], *, system_prompt: str = "") -> tuple[RequestMessage, ...]:
    """Return the request messages for a path of stored messages, oldest first.

    Whatever the record holds (stopped, interrupted or failed answers), the result is a history that strict endpoints
    accept: each call is directly followed by exactly its result, no result stands alone, no assistant message is
    empty, and user messages that follow each other are joined. The user's words are never dropped inside the window.
    """
    sent: list[RequestMessage] = [SystemMessage(text=system_prompt)] if system_prompt.strip() else []
    for message in _newest_rounds(messages):
        if message.role is Role.USER:
            _add_user(sent, message.text)
        else:
            sent.extend(_answer(message))
    return tuple(sent)


def _newest_rounds(messages: Sequence[Message]) -> Sequence[Message]:
    starts = [i for i, message in enumerate(messages) if message.role is Role.USER]
    return messages[starts[-MAX_ROUNDS] :] if len(starts) > MAX_ROUNDS else messages


def _add_user(sent: list[RequestMessage], text: str) -> None:
    if sent and isinstance(last := sent[-1], UserMessage):
        sent[-1] = UserMessage(text=f"{last.text}\n\n{text}")
    else:
        sent.append(UserMessage(text=text))


def _answer(message: Message) -> Iterable[RequestMessage]:
    parts = message.parts
    results = {part.call_id: part for part in parts if isinstance(part, ToolResultPart)}
    for _, of_step in groupby(sorted(parts, key=lambda part: part.step), key=lambda part: part.step):
        step = tuple(of_step)
        text = "\n\n".join(part.text for part in step if isinstance(part, TextPart) and part.text.strip())
        thinking = "\n\n".join(part.text for part in step if isinstance(part, ThinkingPart))
        calls = tuple(part for part in step if isinstance(part, ToolCallPart))
        if not text and not calls:
            continue
        yield AssistantMessage(
            text=text,
            thinking=thinking,
            model=message.model,
            replay={key: value for part in step if isinstance(part, ReplayPart) for key, value in part.fields.items()},
            tool_calls=tuple(
                RequestToolCall(call_id=call.call_id, name=call.name, arguments=call.arguments, extra=call.extra)
                for call in calls
            ),
        )
        for call in calls:
            result = results.get(call.call_id)
            yield ToolMessage(call_id=call.call_id, name=call.name, text=result.text if result else MISSING_RESULT)
