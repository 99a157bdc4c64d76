"""What of a thread is sent to the model: a pure, repairing projection of the stored messages."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import groupby

from desktop.conversation.entities import (
    AttachmentKind,
    Message,
    ReplayPart,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.file_blocks import file_block, omitted_image, sent_again
from desktop.conversation.plans import InstructionPart
from desktop.conversation.removals import REMOVED_QUESTION
from desktop.conversation.result_text import USUAL_BYTES, result_text
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

MAX_ROUNDS = 50
"""Rounds (a user message and its answer) that are sent at most, the newest ones."""

MISSING_RESULT = "No result: the program ended before this tool finished."


def assemble_context(
    messages: Sequence[Message],
    *,
    system_prompt: str = "",
    images: Mapping[str, Image] | None = None,
    result_room: int = USUAL_BYTES,
    summary: str = "",
) -> tuple[RequestMessage, ...]:
    """Return the request messages for a path of stored messages, oldest first.

    ``images`` holds those that are sent, by the ids of their attachments; the others are named as left out.
    ``result_room`` is how many bytes of one tool's result are sent; of a longer one it is the beginning and the end.
    ``summary`` is what stands for the messages before the path: data, so it comes before the user's first words and not
    in the system message.

    Whatever the record holds (stopped, interrupted or failed answers), the result is a history that strict endpoints
    accept: each call is directly followed by exactly its result, no result stands alone, no assistant message is
    empty, user messages that follow each other are joined, and an answer whose question was removed follows words that
    say so. The user's words are never dropped inside the window.
    """
    sent: list[RequestMessage] = [SystemMessage(text=system_prompt)] if system_prompt.strip() else []
    newest = _newest_rounds(messages)
    if summary:
        sent.append(UserMessage(text=summary))
    place = {part.attachment_id: message.id for message in newest for part in message.attachments}
    for message in newest:
        if message.role is Role.USER:
            again = {part.attachment_id for part in message.attachments if place[part.attachment_id] != message.id}
            _add_user(sent, _user_message(message, images or {}, again))
            continue
        answer = tuple(_answer(message, images or {}, result_room))
        if answer and not any(isinstance(each, UserMessage) for each in (*sent[-1:], answer[0])):
            sent.append(UserMessage(text=REMOVED_QUESTION))
        for each in answer:
            if isinstance(each, UserMessage):
                _add_user(sent, each)
            else:
                sent.append(each)
    return tuple(sent)


def _newest_rounds(messages: Sequence[Message]) -> Sequence[Message]:
    starts = [i for i, message in enumerate(messages) if message.role is Role.USER]
    return messages[starts[-MAX_ROUNDS] :] if len(starts) > MAX_ROUNDS else messages


def _user_message(message: Message, images: Mapping[str, Image], again: Set[str]) -> UserMessage:
    """The files before the words about them. Those that come ``again``, with a message sent once more, come there."""
    pieces: list[str] = []
    seen: list[Image] = []
    for part in message.attachments:
        if part.attachment_id in again:
            pieces.append(sent_again(part))
        elif part.kind is not AttachmentKind.IMAGE:
            pieces.append(file_block(part))
        elif (image := images.get(part.attachment_id)) is not None:
            seen.append(image)
        else:
            pieces.append(omitted_image(part))
    text = "\n\n".join(piece for piece in (*pieces, message.text) if piece.strip())
    return UserMessage(text=text, images=tuple(seen), origins=(message.id,))


def _add_user(sent: list[RequestMessage], message: UserMessage) -> None:
    if sent and isinstance(last := sent[-1], UserMessage):
        text = "\n\n".join(filter(None, (last.text, message.text)))
        origins = (*last.origins, *message.origins)
        sent[-1] = UserMessage(text=text, images=(*last.images, *message.images), origins=origins)
    else:
        sent.append(message)


def _answer(message: Message, images: Mapping[str, Image], room: int) -> Iterable[RequestMessage]:
    parts = message.parts
    results = {part.call_id: part for part in parts if isinstance(part, ToolResultPart)}
    for _, of_step in groupby(sorted(parts, key=lambda part: part.step), key=lambda part: part.step):
        step = tuple(of_step)
        for told in [part for part in step if isinstance(part, InstructionPart)]:
            yield UserMessage(text=told.text, origins=(message.id,))
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
            origins=(message.id,),
            tool_calls=tuple(
                RequestToolCall(call_id=call.call_id, name=call.name, arguments=call.arguments, extra=call.extra)
                for call in calls
            ),
        )
        for call in calls:
            result = _result(call, results.get(call.call_id), images, room)
            yield dataclasses.replace(result, origins=(message.id,))


def _result(call: ToolCallPart, result: ToolResultPart | None, images: Mapping[str, Image], room: int) -> ToolMessage:
    if result is None:
        return ToolMessage(call_id=call.call_id, name=call.name, text=MISSING_RESULT)
    return ToolMessage(
        call_id=call.call_id,
        name=call.name,
        text=result_text(result, images, room=room),
        images=tuple(images[item.attachment_id] for item in result.items if item.attachment_id in images),
    )
