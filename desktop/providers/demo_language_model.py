"""The built-in demo model: scripted, without key or network, to try the app's every feature.

What it says is a function of the request alone. It goes through the same loop as a real endpoint.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop.core.ids import new_id
from desktop.core.language_model import (
    DEMO_MODEL_NAME,
    AssistantMessage,
    FinishReason,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolMessage,
    UserMessage,
)
from desktop.core.tool_content import FAILED_MARK
from desktop.providers import demo_plans, demo_texts
from desktop.providers.demo_intents import Intent, Wish, read_intent

PIECE_CHARS = 4
PACE_SECONDS = 0.012


@dataclass(frozen=True)
class _Think:
    text: str


@dataclass(frozen=True)
class _Say:
    text: str


@dataclass(frozen=True)
class _Call:
    alias: str
    arguments: Mapping[str, Any]


_Beat = _Think | _Say | _Call


class DemoLanguageModel:
    """Answers every request after its script. ``pace_seconds`` is the pause before each piece of text."""

    def __init__(self, *, pace_seconds: float = PACE_SECONDS) -> None:
        self._pace_seconds = pace_seconds

    @property
    def name(self) -> str:
        return DEMO_MODEL_NAME

    @property
    def is_scripted(self) -> bool:
        return True

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``. Never fails."""
        beats = _script(request)
        for chunk in _chunks(beats):
            await asyncio.sleep(self._pace_seconds)
            yield chunk
        calls = any(isinstance(beat, _Call) for beat in beats)
        yield StreamEnd(reason=FinishReason.TOOL_CALLS if calls else FinishReason.STOP)

    async def close(self) -> None:
        """Nothing is open."""


def _chunks(beats: list[_Beat]) -> Iterator[ModelChunk]:
    index = 0
    for beat in beats:
        match beat:
            case _Think():
                yield from (ThinkingDelta(text=piece) for piece in _pieces(beat.text))
            case _Say():
                yield from (TextDelta(text=piece) for piece in _pieces(beat.text))
            case _Call():
                yield ToolCallDelta(index=index, call_id=f"call_{new_id()}", name=beat.alias)
                for piece in _pieces(json.dumps(dict(beat.arguments), ensure_ascii=False)):
                    yield ToolCallDelta(index=index, arguments=piece)
                index += 1


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE_CHARS] for start in range(0, len(text), PIECE_CHARS))


def _script(request: ModelRequest) -> list[_Beat]:
    """Decide the next step. Each step of a turn is one stage further, so that every turn ends."""
    said, turn = _present_turn(request)
    if any(tool.name == demo_plans.PLAN_TOOL for tool in request.tools):
        return [_Call(demo_plans.PLAN_TOOL, {"steps": demo_plans.steps_of(said)})]
    asked = next((each.text for each in request.messages if isinstance(each, UserMessage)), "")
    if (ending := demo_plans.ending_of(said, asked)) and not turn:
        return [_Say(ending)]
    intent = read_intent(demo_plans.told_to_do(said))
    offered = {_bare(tool.name): tool.name for tool in reversed(request.tools)}
    stages = [possible for stage in intent.stages if (possible := [wish for wish in stage if wish.tool in offered])]
    done = sum(1 for message in turn if isinstance(message, AssistantMessage) and message.tool_calls)
    if done < len(stages):
        return _step(intent, stages[done], offered, first=done == 0)
    return _answer(intent, turn, offered)


def _present_turn(request: ModelRequest) -> tuple[str, list[AssistantMessage | ToolMessage]]:
    said = ""
    turn: list[AssistantMessage | ToolMessage] = []
    for message in request.messages:
        if isinstance(message, UserMessage):
            said, turn = message.text, []
        elif isinstance(message, AssistantMessage | ToolMessage):
            turn.append(message)
    return said, turn


def _bare(alias: str) -> str:
    return alias.rpartition("__")[2]


def _step(intent: Intent, wishes: list[Wish], offered: Mapping[str, str], *, first: bool) -> list[_Beat]:
    return [
        _Think(demo_texts.thinking(intent, [wish.tool for wish in wishes])),
        *([_Say(demo_texts.opening(intent))] if intent.tour and first else []),
        *(_Call(offered[wish.tool], wish.arguments) for wish in wishes),
    ]


def _answer(intent: Intent, turn: list[AssistantMessage | ToolMessage], offered: Mapping[str, str]) -> list[_Beat]:
    parts = [
        demo_texts.reaction(intent, _bare(m.name), m.text.removeprefix(f"{FAILED_MARK}\n"))
        for m in turn
        if isinstance(m, ToolMessage)
    ]
    wished = dict.fromkeys(wish.tool for stage in intent.stages for wish in stage)
    if missing := [tool for tool in wished if tool not in offered]:
        parts.append(demo_texts.unavailable(intent, missing))
    if intent.tour:
        parts.append(demo_texts.closing(intent))
    if intent.greeting:
        parts.append(demo_texts.about(intent))
    if intent.code:
        parts.append(demo_texts.code(intent))
    if intent.table:
        parts.append(demo_texts.table(intent))
    if intent.long:
        parts.append(demo_texts.long_answer(intent))
    if not parts:
        parts.append(demo_texts.echo(intent))
    return [_Think(demo_texts.thinking(intent, ())), _Say("\n\n".join(part.rstrip("\n") for part in parts) + "\n")]
