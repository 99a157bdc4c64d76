"""Repairs a history before it is sent, whatever a crash, a stop or another model left in it. Pure functions.

Each takes messages and returns messages that have one fault less; together they make a history that no endpoint refuses.
"""

import base64
import dataclasses
import hashlib
import re
from collections.abc import Callable, Sequence

from desktop.core.language_model import (
    AssistantMessage,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from desktop.providers.sendable import sendable_arguments, sendable_text

STOPPED_NOTE = "(This answer was stopped before it was complete.)"
BEGINNING_NOTE = "(The beginning of this chat is not shown.)"
CONTINUE_NOTE = "Please go on."
EMPTY_NOTE = "(no text)"
NO_OUTPUT = "(no output)"
PICTURES_NOTE = "(The tool returned images, which follow.)"
UNSEEN_NOTE = "[You cannot see images, so they were not sent to you. The user can see them.]"
NO_RESULT = "(No result: this call was not finished.)"

_SHORT_ID = re.compile(r"[A-Za-z0-9]{9}\Z")
_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")
_LONG_ID = re.compile(r"functions\.[A-Za-z0-9_-]{1,64}:\d{1,6}\Z")


def paired(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Put directly after each answer with calls exactly one result for each; results without a call are left out.

    Where ids are used again, a result belongs to the latest answer before it that made such a call.
    """
    open_calls: dict[str, list[tuple[int, int]]] = {}
    results: dict[tuple[int, int], ToolMessage] = {}
    for place, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            of_answer: dict[str, list[tuple[int, int]]] = {}
            for number, call in enumerate(message.tool_calls):
                of_answer.setdefault(call.call_id, []).append((place, number))
            open_calls.update(of_answer)
        elif isinstance(message, ToolMessage) and open_calls.get(message.call_id):
            results[open_calls[message.call_id].pop(0)] = message
    out: list[RequestMessage] = []
    for place, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        out.append(message)
        if isinstance(message, AssistantMessage):
            for number, call in enumerate(message.tool_calls):
                result = results.get((place, number))
                text = NO_RESULT if result is None else result.text if result.text.strip() else NO_OUTPUT
                images = () if result is None else result.images
                out.append(ToolMessage(call_id=call.call_id, name=call.name, text=text, images=images))
    return out


def sendable(messages: Sequence[RequestMessage], name_of: Callable[[str], str]) -> list[RequestMessage]:
    """Make every text, the calls' arguments and, with ``name_of``, the tools' names fit to be sent."""
    out: list[RequestMessage] = []
    for message in messages:
        text = sendable_text(message.text)
        match message:
            case AssistantMessage():
                calls = tuple(
                    dataclasses.replace(call, name=name_of(call.name), arguments=sendable_arguments(call.arguments))
                    for call in message.tool_calls
                )
                thinking = sendable_text(message.thinking)
                out.append(dataclasses.replace(message, text=text, thinking=thinking, tool_calls=calls))
            case ToolMessage():
                out.append(dataclasses.replace(message, text=text, name=name_of(message.name)))
            case _:
                out.append(dataclasses.replace(message, text=text))
    return out


def with_call_ids(
    messages: Sequence[RequestMessage], model: str, *, short: bool = False, long: bool = False
) -> list[RequestMessage]:
    """Give each call, and its result, an id of its own. Expects ``paired`` messages.

    An id that the same model gave stays if it is plain and unique; any other becomes nine letters and digits, the one
    form that every endpoint takes: with ``short`` all that have another form, with ``long`` not those of Kimi. The new
    ids follow from the old ones, so that a history that grows keeps its beginning.
    """
    taken: set[str] = set()
    out: list[RequestMessage] = []
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            out.append(dataclasses.replace(message, call_id=waiting.pop(0)))
        elif isinstance(message, AssistantMessage):
            is_own = message.model in ("", model) and not short
            for call in message.tool_calls:
                kept = _SHORT_ID.match(call.call_id) or (
                    is_own and (_PLAIN_ID.match(call.call_id) or (long and _LONG_ID.match(call.call_id)))
                )
                new = call.call_id if kept and call.call_id not in taken else _short_id(call.call_id, taken)
                taken.add(new)
                waiting.append(new)
            calls = tuple(
                dataclasses.replace(call, call_id=new) for call, new in zip(message.tool_calls, waiting, strict=True)
            )
            out.append(dataclasses.replace(message, tool_calls=calls))
        else:
            out.append(message)
    return out


def _short_id(call_id: str, taken: set[str]) -> str:
    number = 0
    while True:
        digest = hashlib.sha256(f"{number}\0{call_id}".encode("utf-8", "surrogatepass")).digest()
        candidate = re.sub(r"[^A-Za-z0-9]", "0", base64.b64encode(digest).decode()[:9])
        if candidate not in taken:
            return candidate
        number += 1


def with_pictures_after(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Send the images of results in a message of the user that follows them: results themselves take none.

    A note of the model stands between, because after a result some endpoints take nothing but an answer. The words
    beside the images say which calls they are of. Expects ``paired`` messages.
    """
    out: list[RequestMessage] = []
    seen: list[ToolMessage] = []
    for message in messages:
        if seen and not isinstance(message, ToolMessage):
            out.extend(_pictures(seen))
            seen = []
        if isinstance(message, ToolMessage) and message.images:
            seen.append(message)
            message = dataclasses.replace(message, images=())
        out.append(message)
    return [*out, *_pictures(seen)]


def without_pictures(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Say in the text of each result with images that the model does not get them."""
    return [
        dataclasses.replace(message, text=f"{message.text}\n{UNSEEN_NOTE}", images=())
        if isinstance(message, ToolMessage) and message.images
        else message
        for message in messages
    ]


def _pictures(results: Sequence[ToolMessage]) -> list[RequestMessage]:
    if not results:
        return []
    lines = [
        f"[From the result of the tool {result.name}, call {result.call_id}: {', '.join(i.name for i in result.images)}]"
        for result in results
    ]
    images = tuple(image for result in results for image in result.images)
    return [AssistantMessage(text=PICTURES_NOTE), UserMessage(text="\n".join(lines), images=images)]


def one_call_at_a_time(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Turn an answer with several calls into several answers. Expects ``paired`` messages."""
    out: list[RequestMessage] = []
    waiting: list[RequestToolCall] = []
    answer = AssistantMessage(text="")
    for message in messages:
        if isinstance(message, AssistantMessage):
            answer, waiting = message, list(message.tool_calls)
            out.append(dataclasses.replace(message, tool_calls=message.tool_calls[:1]))
        elif isinstance(message, ToolMessage):
            call = waiting.pop(0)
            if call is not answer.tool_calls[0]:
                out.append(dataclasses.replace(answer, text="", thinking="", replay={}, tool_calls=(call,)))
            out.append(message)
        else:
            out.append(message)
    return out


def told(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Tell calls and their results in the answers' texts, for endpoints without tools. Expects ``paired`` messages."""
    out: list[RequestMessage] = []
    waiting: list[RequestToolCall] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            waiting = list(message.tool_calls)
            out.append(dataclasses.replace(message, tool_calls=()))
        elif isinstance(message, ToolMessage):
            call = waiting.pop(0)
            answer = out[-1]
            assert isinstance(answer, AssistantMessage)
            text = f"[Used the tool {call.name} with {call.arguments}. Result: {message.text}]"
            out[-1] = dataclasses.replace(answer, text=_joined(answer.text, text))
        else:
            out.append(message)
    return out


def in_order(messages: Sequence[RequestMessage]) -> list[RequestMessage]:
    """Return one system message, if any, and then user and assistant in turn, results only after their calls.

    It begins with a user message and ends with one or with a result. Expects ``paired`` messages.
    """
    system = "\n\n".join(m.text for m in messages if isinstance(m, SystemMessage) and m.text.strip())
    out: list[RequestMessage] = []
    for message in messages:
        match message:
            case SystemMessage():
                pass
            case UserMessage():
                _add_user(out, message)
            case AssistantMessage():
                _add_answer(out, message)
            case ToolMessage():
                out.append(message)
    if not out:
        out.append(UserMessage(text=""))
    if isinstance(out[-1], AssistantMessage):
        out.append(UserMessage(text=CONTINUE_NOTE))
    out = [_not_empty(message) for message in out]
    return [SystemMessage(text=system), *out] if system else out


def _add_user(out: list[RequestMessage], message: UserMessage) -> None:
    last = out[-1] if out else None
    if isinstance(last, UserMessage):
        images = (*last.images, *message.images)
        out[-1] = dataclasses.replace(last, text=_joined(last.text, message.text), images=images)
        return
    if isinstance(last, ToolMessage):  # the answer stopped there
        out.append(AssistantMessage(text=STOPPED_NOTE))
    out.append(message)


def _add_answer(out: list[RequestMessage], message: AssistantMessage) -> None:
    if not message.text.strip() and not message.tool_calls:
        return
    last = out[-1] if out else None
    if last is None:
        out.append(UserMessage(text=BEGINNING_NOTE))
    if isinstance(last, AssistantMessage) and not last.tool_calls:
        out[-1] = dataclasses.replace(message, text=_joined(last.text, message.text))
    else:
        out.append(message)


def _not_empty(message: RequestMessage) -> RequestMessage:
    if isinstance(message, UserMessage) and not message.text.strip() and not message.images:
        return UserMessage(text=EMPTY_NOTE)
    return message


def _joined(one: str, other: str) -> str:
    return "\n\n".join(text for text in (one, other) if text.strip())
