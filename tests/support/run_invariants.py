"""The invariants of ``desktop.agent.events``, checked on the events of one run and the message that it stored."""

from collections.abc import Sequence

from desktop.agent.events import (
    AgentEvent,
    DoneEvent,
    ErrorEvent,
    MessageEvent,
    MessageTakenBackEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from desktop.conversation.entities import Message, MessageStatus, ToolCallPart, ToolResultPart
from desktop.core.language_model import AssistantMessage, RequestMessage, SystemMessage, ToolMessage, UserMessage


def check_run(events: Sequence[AgentEvent], stored: Message | None = None, before: Message | None = None) -> None:
    """Fail when the sequence breaks an invariant, or does not tell what the stored message holds.

    ``before`` is the answer as it was when the run went on with it.
    """
    assert [event.seq for event in events] == list(range(len(events)))
    terminal = [event for event in events if isinstance(event, DoneEvent | ErrorEvent)]
    assert len(terminal) == 1
    assert events[-1] is terminal[0]
    finals = [event for event in events if isinstance(event, MessageEvent) and event.final]
    deltas = [event for event in events if isinstance(event, MessageEvent) and not event.final]
    assert len(finals) == (1 if deltas else 0)
    assert all(not event.delta for event in finals)
    _check_thinking_closed(events)
    proposed = {event.call_id for event in events if isinstance(event, ToolCallEvent)}
    results = [event.call_id for event in events if isinstance(event, ToolResultEvent)]
    assert len(results) == len(set(results))
    assert proposed <= set(results)
    if stored is not None:
        assert stored.text == (before.text if before else "") + _said(events)
        assert stored.status is not MessageStatus.STREAMING
        _check_paired(stored)
        known = {part.call_id for part in before.parts if isinstance(part, ToolResultPart)} if before else set[str]()
        assert {p.call_id for p in stored.parts if isinstance(p, ToolResultPart)} == set(results) | known


def _said(events: Sequence[AgentEvent]) -> str:
    said = ""
    for event in events:
        if isinstance(event, MessageEvent):
            said += event.delta
        elif isinstance(event, MessageTakenBackEvent):
            assert 0 < event.length <= len(said)
            said = said[: -event.length]
    return said


def _check_thinking_closed(events: Sequence[AgentEvent]) -> None:
    is_open = False
    for event in events:
        if isinstance(event, ThinkingEvent):
            is_open = not event.final
        elif isinstance(event, MessageEvent | ToolCallEvent | DoneEvent | ErrorEvent):
            assert not is_open, "a thinking part was left open"


def _check_paired(message: Message) -> None:
    calls = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
    results = [part.call_id for part in message.parts if isinstance(part, ToolResultPart)]
    assert sorted(calls) == sorted(results)
    assert len(set(calls)) == len(calls)


def check_request(messages: Sequence[RequestMessage]) -> None:
    """Fail when a strict endpoint would refuse this history."""
    waiting: list[str] = []
    previous: RequestMessage | None = None
    for message in messages:
        if isinstance(message, ToolMessage):
            assert waiting, "a tool message without a call"
            assert waiting.pop(0) == message.call_id
        else:
            assert not waiting, "a call without its result"
        if isinstance(message, AssistantMessage):
            assert message.text.strip() or message.tool_calls
            assert not isinstance(previous, SystemMessage | None)
            waiting = [call.call_id for call in message.tool_calls]
        if isinstance(message, UserMessage):
            assert not isinstance(previous, UserMessage)
        previous = message
    assert not waiting
