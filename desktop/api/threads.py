"""The paths of chats: made, listed, read, written to, stopped and deleted."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from desktop.agent.run import Run
from desktop.api.bodies import read_body
from desktop.api.event_stream import HEARTBEAT, EventStream, piece
from desktop.api.guard import ApiLimits
from desktop.api.models import USUAL, model_called
from desktop.api.problems import ApiProblem, bad_request, no_such_thread
from desktop.api.runs import FollowedRuns, events_of, read_event_id
from desktop.api.schemas import MOST_PAGE, NEW_MESSAGE, NEW_THREAD
from desktop.api.sending import Sender, Waiting
from desktop.api.services import ApiServices
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import AskedModel, Message, Thread, ThreadOptions
from desktop.conversation.plain_json import message_json, thread_json

USUAL_PAGE = 50


class ThreadPaths:
    """Handlers for Starlette, which raise ``ApiProblem`` and ``ThreadwellError``."""

    def __init__(
        self,
        services: ApiServices,
        runs: FollowedRuns,
        sender: Sender,
        limits: ApiLimits,
        closing: asyncio.Event,
    ) -> None:
        self._services = services
        self._runs = runs
        self._sender = sender
        self._limits = limits
        self._closing = closing

    async def list(self, request: Request) -> JSONResponse:
        limit = _number(request, "limit", usual=USUAL_PAGE, least=1, most=MOST_PAGE)
        offset = _number(request, "offset", usual=0, least=0, most=10_000_000)
        found = await self._services.conversations.list_threads(limit=limit, offset=offset)
        return JSONResponse({"threads": [self._shown(thread) for thread in found]})

    async def create(self, request: Request) -> JSONResponse:
        body = await read_body(request, NEW_THREAD, may_be_empty=True)
        thread = await new_thread(
            self._services,
            model=body.get("model", USUAL),
            system_prompt=body.get("system_prompt"),
            is_temporary=body.get("temporary", False),
            assistant=body.get("assistant"),
        )
        if body.get("title", "").strip():
            await self._services.conversations.rename(thread.id, body["title"])
            thread = await self._thread(thread.id)
        return JSONResponse(self._shown(thread), status_code=201)

    async def delete(self, request: Request) -> JSONResponse:
        thread = await self._thread(request.path_params["thread_id"])
        await self._services.chat.delete_thread(thread.id)
        where = "nowhere" if thread.options.is_temporary else "trash"
        return JSONResponse({"id": thread.id, "deleted": True, "lies_in": where})

    async def messages(self, request: Request) -> JSONResponse:
        thread = await self._thread(request.path_params["thread_id"])
        limit = _number(request, "limit", usual=USUAL_PAGE, least=1, most=MOST_PAGE)
        until = request.query_params.get("until")
        path = await self._services.repository.path(thread.id, last=limit, until=until)
        return JSONResponse({"thread": self._shown(thread), "messages": [_message(message) for message in path]})

    async def send(self, request: Request) -> EventStream:
        """Send the message; with ``Last-Event-ID`` send nothing, and go on behind that event of an earlier answer."""
        thread = await self._thread(request.path_params["thread_id"])
        if "last-event-id" in request.headers:
            await request.body()  # nothing of it may come behind the head of the answer
            return self._resumed(thread, request.headers["last-event-id"])
        body = await read_body(request, NEW_MESSAGE)
        sent = await self._sender.send(
            thread.id,
            body["text"],
            detach=body.get("detach", False),
            approves_plan=body.get("approve_plan", False),
        )
        if isinstance(sent, Waiting):
            reading = _QueuedReading(sent, self._sender, self._runs, self._services, self._limits)
            return EventStream(reading.pieces(), closing=self._closing, left=reading.left)
        return self._stream(sent, after=-1)

    async def events(self, request: Request) -> EventStream:
        """The answer that runs from its beginning, or the one that ``Last-Event-ID`` names from there on."""
        thread = await self._thread(request.path_params["thread_id"])
        await request.body()
        if "last-event-id" in request.headers:
            return self._resumed(thread, request.headers["last-event-id"])
        run = self._services.chat.run_of(thread.id)
        if run is None:
            raise ApiProblem(404, "nothing_runs", "Nothing is being answered here.", "POST a message first.")
        return self._stream(run, after=-1)

    async def stop(self, request: Request) -> JSONResponse:
        thread = await self._thread(request.path_params["thread_id"])
        running = self._services.chat.runs_of(thread.id)
        await self._services.chat.stop(thread.id)
        return JSONResponse({"id": thread.id, "stopped": len(running)})

    def _resumed(self, thread: Thread, last: str) -> EventStream:
        named = read_event_id(last)
        if named is None:
            raise bad_request("bad_event_id", "Last-Event-ID names no event.", "Send the id of the last event you got.")
        run = self._runs.find(thread.id, named[0])
        if run is None:
            raise ApiProblem(
                410,
                "events_gone",
                "The events of this answer are not held any more.",
                "GET the messages of the chat: what was answered stands there.",
            )
        return self._stream(run, after=named[1])

    def _stream(self, run: Run, *, after: int) -> EventStream:
        self._runs.begin_reading(run)
        pieces = events_of(run, after=after, heartbeat_seconds=self._limits.heartbeat_seconds)
        return EventStream(pieces, closing=self._closing, left=lambda: self._runs.end_reading(run))

    async def _thread(self, thread_id: str) -> Thread:
        thread = await self._services.conversations.get_thread(thread_id)
        if thread is None or thread.deleted_at is not None:
            raise no_such_thread(thread_id)
        return thread

    def _shown(self, thread: Thread) -> dict[str, Any]:
        is_running = bool(self._services.chat.runs_of(thread.id))
        own = {"created_at": thread.created_at.isoformat(), "temporary": thread.options.is_temporary}
        return {**thread_json(thread), **own, "running": is_running}


class _QueuedReading:
    """What a client reads whose message waits for its turn: that it waits, and then its answer."""

    def __init__(
        self, waiting: Waiting, sender: Sender, runs: FollowedRuns, services: ApiServices, limits: ApiLimits
    ) -> None:
        self._waiting = waiting
        self._sender = sender
        self._runs = runs
        self._services = services
        self._heartbeat = limits.heartbeat_seconds
        self._run: Run | None = None

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        message = self._waiting.message
        yield piece("queued", {"kind": "queued", "thread_id": message.thread_id, "queued_id": message.id})
        while not self._waiting.run.done():
            await asyncio.wait({self._waiting.run}, timeout=self._heartbeat)
            if not self._waiting.run.done():
                yield HEARTBEAT
        outcome = self._waiting.run.result()
        if isinstance(outcome, ApiProblem):
            yield piece("error", {"kind": "error", "thread_id": message.thread_id, **outcome.to_json()["error"]})
            return
        self._run = outcome
        self._runs.begin_reading(outcome)
        async with aclosing(events_of(outcome, after=-1, heartbeat_seconds=self._heartbeat)) as events:
            async for each in events:
                yield each

    def left(self) -> None:
        if self._run is not None:
            self._runs.end_reading(self._run)
            return
        if self._waiting.run.done() and isinstance(run := self._waiting.run.result(), Run):
            self._runs.begin_reading(run)  # it began, and was not read
            self._runs.end_reading(run)
        else:
            self._services.tasks.spawn(self._sender.give_up(self._waiting), name="take back what nobody waits for")


async def new_thread(
    services: ApiServices,
    *,
    model: str,
    system_prompt: str | None,
    is_temporary: bool = False,
    assistant: str | None = None,
) -> Thread:
    """Make a chat as one that is begun in the window. Raises ``ApiProblem`` for a model or assistant that is not there."""
    asked = model_called(services.settings.settings, model)
    answers = None if assistant is None else _assistant_called(services, assistant)
    if asked is None and answers is not None and answers.endpoint_id is not None:
        asked = AskedModel(endpoint_id=answers.endpoint_id, model=answers.model or "")
    own = ThreadOptions(system_prompt=system_prompt, assistant=answers)
    if asked is not None:
        own = replace(own, endpoint_id=asked.endpoint_id, model=asked.model or None)
    if not is_temporary:
        return await services.conversations.create_thread(services.begin_with(own))
    thread = await services.chat.begin_temporary()
    told = replace(thread.options, system_prompt=system_prompt, assistant=answers)
    own = told if asked is None else replace(told, endpoint_id=own.endpoint_id, model=own.model)
    await services.conversations.set_options(thread.id, own)
    return replace(thread, options=own)


def _assistant_called(services: ApiServices, name: str) -> Assistant:
    found = services.assistants.named(name) if services.assistants is not None else None
    if found is None:
        raise ApiProblem(
            404,
            "assistant_not_found",
            f"There is no assistant “{name[:100]}”.",
            "Look in the settings for their names.",
        )
    return found


def _message(message: Message) -> dict[str, Any]:
    return {**message_json(message), **({"model": message.model} if message.model else {})}


def _number(request: Request, name: str, *, usual: int, least: int, most: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return usual
    if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
        return int(text)
    raise bad_request("bad_number", f"{name} is not a number of {least} to {most}.", "Send digits, or leave it out.")
