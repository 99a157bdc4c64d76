"""OpenAI's ``chat/completions``: any client of that protocol gets an answer with Threadwell's memory and tools.

Such a client sends the whole conversation each time. It is one chat here all the same: whoever sends again what was said
and answered goes on in the chat in which that was.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent, MessageEvent, ThinkingEvent
from desktop.agent.run import Run
from desktop.api.bodies import read_body
from desktop.api.event_stream import HEARTBEAT, EventStream, until_gone, with_heartbeats
from desktop.api.guard import ApiLimits
from desktop.api.models import models_of
from desktop.api.problems import bad_request, problem_of
from desktop.api.runs import FollowedRuns
from desktop.api.schemas import COMPLETION
from desktop.api.services import ApiServices
from desktop.api.threads import new_thread
from desktop.conversation.entities import MessageStatus, Role, TextPart, Thread
from desktop.core.digests import sha256_of_json
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import NO_USAGE, Usage
from desktop.core.tasks import alongside

MOST_KNOWN = 500
"""Conversations that are known again."""

_FINISHED = {
    DoneReason.LENGTH: "length",
    DoneReason.STEP_LIMIT: "length",
    DoneReason.CONTENT_FILTER: "content_filter",
}


@dataclass(frozen=True)
class _Said:
    role: Role
    text: str


@dataclass(frozen=True)
class _Asked:
    """What a request asks for."""

    model: str
    system_prompt: str | None
    earlier: tuple[_Said, ...]
    text: str
    is_kept: bool

    def known_as(self, *more: _Said) -> str:
        """Return by what the conversation is known once ``more`` was said in it."""
        said = [[each.role, each.text] for each in (*self.earlier, *more)]
        return sha256_of_json([self.model, self.system_prompt or "", said])


class CompletionPaths:
    """Handlers for Starlette, which raise ``ApiProblem`` and ``ThreadwellError``."""

    def __init__(self, services: ApiServices, runs: FollowedRuns, limits: ApiLimits, closing: asyncio.Event) -> None:
        self._services = services
        self._runs = runs
        self._limits = limits
        self._closing = closing
        self._known: OrderedDict[str, str] = OrderedDict()
        """Threads by what was said in them."""

    async def models(self, _request: Request) -> JSONResponse:
        named = models_of(self._services.settings.settings)
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "threadwell"} for name in named]
        return JSONResponse({"object": "list", "data": listed})

    async def complete(self, request: Request) -> "Response | EventStream":
        body = await read_body(request, COMPLETION)
        asked = _asked(body)
        run = await self._begun(asked)
        self._runs.follow(run, detach=False)
        self._runs.begin_reading(run)
        if body.get("stream"):
            wants_usage = bool((body.get("stream_options") or {}).get("include_usage"))
            pieces = self._chunks(run, asked, wants_usage=wants_usage)
            return EventStream(pieces, closing=self._closing, left=lambda: self._over(run, asked))
        try:
            async with alongside(until_gone(request.receive)):
                end = await run.wait()
        finally:
            self._over(run, asked)
        if isinstance(end, ErrorEvent):
            raise problem_of(ThreadwellError(end.code, **end.params))
        await self._remember(run, asked)
        return JSONResponse(await self._whole(run, asked, end))

    async def _begun(self, asked: _Asked) -> Run:
        if (known := await self._known_thread(asked)) is not None:
            return await self._services.chat.send(known, asked.text)
        thread_id = (await self._new_thread(asked)).id
        try:
            return await self._services.chat.send(thread_id, asked.text)
        except ThreadwellError:  # nothing was asked: what was made for it does not stay behind
            await self._services.chat.purge_thread(thread_id)
            raise

    def _over(self, run: Run, asked: _Asked) -> None:
        self._runs.end_reading(run)
        if not asked.is_kept:
            self._services.tasks.spawn(self._leave(run), name="remove a temporary chat")

    async def _leave(self, run: Run) -> None:
        await run.wait_over()
        await self._services.chat.leave_temporary(run.thread_id)

    async def _remember(self, run: Run, asked: _Asked) -> None:
        """Know the conversation again when its client sends it with one more message."""
        if not asked.is_kept:
            return
        said = (_Said(Role.USER, asked.text), _Said(Role.ASSISTANT, await self._text_of(run)))
        self._known[asked.known_as(*said)] = run.thread_id
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    async def _text_of(self, run: Run) -> str:
        stored = await self._services.repository.messages([run.message_id])
        return stored[0].text if stored else ""

    async def _known_thread(self, asked: _Asked) -> str | None:
        """Return the thread in which all this was said, if it is there and free."""
        known = self._known.pop(asked.known_as(), None) if asked.is_kept and asked.earlier else None
        if known is None:
            return None
        for run in self._services.chat.runs_of(known):
            if run.terminal is not None:  # its end was just told
                await run.wait_over()
        thread = await self._services.conversations.get_thread(known)
        is_there = thread is not None and thread.deleted_at is None
        return known if is_there and not self._services.chat.runs_of(known) else None

    async def _new_thread(self, asked: _Asked) -> Thread:
        thread = await new_thread(
            self._services,
            model=asked.model,
            system_prompt=asked.system_prompt,
            is_temporary=not asked.is_kept,
        )
        for question, answer in _turns(asked.earlier):
            turn = await self._services.repository.begin_turn(thread.id, question, model=asked.model)
            await self._services.repository.finish_turn(
                turn.turn_id,
                parts=[TextPart(text=answer)] if answer else [],
                status=MessageStatus.COMPLETE,
                reason=DoneReason.COMPLETED,
                usage=NO_USAGE,
                duration_seconds=0.0,
            )
        return thread

    async def _whole(self, run: Run, asked: _Asked, end: DoneEvent) -> dict[str, Any]:
        message = {"role": "assistant", "content": await self._text_of(run), "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": _finish_reason(end), "logprobs": None}
        return {**_head(run, asked, "chat.completion"), "choices": [choice], "usage": _usage(end.usage)}

    async def _chunks(self, run: Run, asked: _Asked, *, wants_usage: bool) -> AsyncGenerator[bytes, None]:
        head = _head(run, asked, "chat.completion.chunk")

        def chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
            return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

        yield chunk({"role": "assistant", "content": ""})
        async with (
            aclosing(run.events()) as events,
            aclosing(with_heartbeats(events, self._limits.heartbeat_seconds)) as beating,
        ):
            async for event in beating:
                match event:
                    case None:
                        yield HEARTBEAT
                    case MessageEvent(delta=delta) if delta:
                        yield chunk({"content": delta})
                    case ThinkingEvent(delta=delta) if delta:
                        yield chunk({"reasoning_content": delta})
                    case ErrorEvent(code=code, params=params):
                        yield _data(problem_of(ThreadwellError(code, **params)).to_json())
                    case DoneEvent():
                        yield chunk({}, _finish_reason(event))
                        if wants_usage:
                            yield _data({**head, "choices": [], "usage": _usage(event.usage)})
                    case _:
                        pass
        await self._remember(run, asked)
        yield b"data: [DONE]\n\n"


def _asked(body: dict[str, Any]) -> _Asked:
    system, said = list[str](), list[_Said]()
    for message in body["messages"]:
        text = _text(message["content"])
        if message["role"] in ("system", "developer"):
            system.append(text)
        elif said and said[-1].role == message["role"]:
            said[-1] = _Said(said[-1].role, f"{said[-1].text}\n\n{text}")
        else:
            said.append(_Said(Role(message["role"]), text))
    if not said or said[-1].role is not Role.USER or not said[-1].text.strip():
        raise bad_request(
            "no_question",
            "The last message is not one of the user with a text.",
            "Let “messages” end with the question.",
        )
    return _Asked(
        model=body["model"],
        system_prompt="\n\n".join(system) if system else None,
        earlier=tuple(said[:-1]),
        text=said[-1].text,
        is_kept=body.get("store") is not False,
    )


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


def _turns(said: Sequence[_Said]) -> list[tuple[str, str]]:
    """Return questions with their answers; a greeting that comes before any question answers none."""
    turns: list[tuple[str, str]] = []
    for each in said:
        if each.role is Role.USER:
            turns.append((each.text, ""))
        elif turns:
            turns[-1] = (turns[-1][0], each.text)
        else:
            turns.append(("…", each.text))
    return turns


def _head(run: Run, asked: _Asked, kind: str) -> dict[str, Any]:
    created = int(run.turn.assistant_message.created_at.timestamp())
    return {"id": f"chatcmpl-{run.message_id}", "object": kind, "created": created, "model": asked.model}


def _finish_reason(end: DoneEvent) -> str:
    return _FINISHED.get(end.reason, "stop")


def _usage(usage: Usage) -> dict[str, int]:
    taken, given = usage.input_tokens or 0, usage.output_tokens or 0
    return {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}


def _data(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode("utf-8", "replace")
