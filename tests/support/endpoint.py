"""A scripted model endpoint on the loopback: real HTTP, real SSE, every fault on demand, strict about what it is sent.

In a test: ``async with LoopbackEndpoint([[text("Hello")]]) as endpoint: … endpoint.base_url``. For child processes:
``python -m tests.support.endpoint --port 0 --script FILE.json [--record FILE]``; it prints its base URL.

An answer is a list of steps, each an object with one of these keys (the functions below make them):
``text`` ``thinking`` ``call`` ``chunk`` ``raw`` (bytes or text, sent as they are) ``usage`` ``finish`` ``wait``
(seconds) ``hold`` (until ``release(name)``) ``drop`` (break the connection) ``close`` (end the body, no finish, no
``[DONE]``) ``hang_up`` (close without any answer) ``status`` with ``body`` and ``headers`` (instead of a stream)
``headers`` (of the stream) ``echo`` (``last_user`` or ``tool_results``). An answer that ends without ``finish``,
``close`` or ``drop`` is finished properly, with usage and ``[DONE]``.

A script is a list of answers, used in order; or a function from the request to an answer; or, in a file, an object
``{"rules": [{"match": REGEX, "tool_results": N, "steps": [...]}]}``: the first rule whose pattern is found in the last
user message, and whose number of tool results after it fits, answers. When the script has no answer: status 500.
"""

import argparse
import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from tests.support.endpoint_wire import ChunkStream, Client, ClientGoneError, RecordedRequest, Step, read_request
from tests.support.strict_messages import problem_of

Answer = Sequence[Step]
Script = Sequence[Answer] | Callable[[RecordedRequest], Answer]
T = TypeVar("T")

WAIT_SECONDS = 30.0


def text(content: str, *, piece_chars: int = 0) -> Step:
    """Answer text, in one chunk or in pieces."""
    return {"text": content, "piece_chars": piece_chars}


def thinking(content: str, *, field_name: str = "reasoning_content") -> Step:
    return {"thinking": content, "field": field_name}


def call(name: str, arguments: Mapping[str, Any] | str | None = None, *, call_id: str = "", pieces: int = 1) -> Step:
    """A tool call; ``arguments`` as an object or as raw text, sent in so many ``pieces``."""
    return {
        "call": {"name": name, "arguments": {} if arguments is None else arguments, "id": call_id, "pieces": pieces}
    }


def chunk(value: Any) -> Step:
    """Any JSON value as one event."""
    return {"chunk": value}


def raw(data: bytes | str) -> Step:
    return {"raw": data}


def finish(reason: str | None = "stop") -> Step:
    return {"finish": reason}


def wait(seconds: float) -> Step:
    return {"wait": seconds}


def hold(name: str) -> Step:
    return {"hold": name}


def drop() -> Step:
    return {"drop": True}


def hang_up() -> Step:
    """Close the connection without a word, as a server does that gave it up while it was idle."""
    return {"hang_up": True}


def close() -> Step:
    return {"close": True}


def status(code: int, body: Any = None, headers: Mapping[str, str] | None = None) -> Step:
    """A plain response; a body that is no text is sent as JSON."""
    return {"status": code, "body": body, "headers": dict(headers or {})}


class LoopbackEndpoint:
    """The server, on a thread with a loop of its own: it answers whatever the test's loop does.

    ``strict``: a request that a strict endpoint would refuse gets 400 and never reaches the script.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        strict: bool = True,
        models: Sequence[str] = ("loopback-model",),
        port: int = 0,
        repeat_last: bool = False,
        record: Path | None = None,
        vectors: Callable[[RecordedRequest], Answer] | None = None,
    ) -> None:
        """``vectors`` answers ``/embeddings``, with a ``status`` step at the end; without it there is no such path."""
        self._script = script
        self._vectors = vectors
        self._strict = strict
        self._models = models
        self._port = port
        self._repeat_last = repeat_last
        self._record = record
        self._used = 0
        self.requests: list[RecordedRequest] = []
        """All requests, in the order of arrival. Read-only for tests."""
        self.connection_count = 0
        """Connections that clients opened so far."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="loopback endpoint", daemon=True)
        self._started: Future[int] = Future()
        self._stop = asyncio.Event()
        self._changed = asyncio.Condition()
        self._released: set[str] = set()
        self._connections: set[asyncio.Task[Any]] = set()

    @property
    def port(self) -> int:
        return self._started.result(WAIT_SECONDS)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[RecordedRequest]:
        """The chat requests among ``requests``."""
        return [request for request in self.requests if request.path.startswith("/v1/chat/completions")]

    @property
    def embedded(self) -> list[list[str]]:
        """The texts of each request for vectors."""
        return [request.body["input"] for request in self.requests if request.path.endswith("/embeddings")]

    @property
    def problems(self) -> list[str]:
        """What strict endpoints refuse about the requests so far."""
        return [request.problem for request in self.requests if request.problem]

    def start(self) -> "LoopbackEndpoint":
        self._thread.start()
        self._started.result(WAIT_SECONDS)
        return self

    def stop(self) -> None:
        """End the server and its connections; the thread is gone afterwards."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(WAIT_SECONDS)
            assert not self._thread.is_alive(), "the endpoint's thread did not end"

    def __enter__(self) -> "LoopbackEndpoint":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> "LoopbackEndpoint":
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.stop)

    def release(self, name: str) -> None:
        """Let every answer go on that holds at ``name``, now or later."""

        async def change() -> None:
            self._released.add(name)
            await self._notify()

        asyncio.run_coroutine_threadsafe(change(), self._loop).result(WAIT_SECONDS)

    async def wait_until(self, condition: Callable[["LoopbackEndpoint"], T]) -> T:
        """Wait until ``condition`` of this endpoint is true, and return its value."""
        return await asyncio.wrap_future(self._until(condition))

    def wait_until_blocking(self, condition: Callable[["LoopbackEndpoint"], T]) -> T:
        """The same for a test without a loop."""
        return self._until(condition).result(WAIT_SECONDS)

    def _until(self, condition: Callable[["LoopbackEndpoint"], T]) -> "Future[T]":
        async def until() -> T:
            async with asyncio.timeout(WAIT_SECONDS), self._changed:
                return await self._changed.wait_for(lambda: condition(self))

        return asyncio.run_coroutine_threadsafe(until(), self._loop)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main())
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)
        finally:
            self._loop.close()

    async def _main(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", self._port)
        self._started.set_result(server.sockets[0].getsockname()[1])
        await self._stop.wait()
        server.close()
        for task in list(self._connections):
            task.cancel()
        if self._connections:
            await asyncio.wait(self._connections)
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self.connection_count += 1
        try:
            while (request := await read_request(reader)) is not None:
                if not await self._answer(request, Client(reader, writer)):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, request: RecordedRequest, client: "Client") -> bool:
        """Answer one request; returns whether the connection can be used again."""
        is_chat = request.method == "POST" and request.path.partition("?")[0].endswith("/chat/completions")
        if is_chat:
            request.problem = problem_of(request.body)
        self.requests.append(request)
        self._write_record(request)
        await self._notify()
        try:
            if request.method == "GET" and request.path.endswith("/models"):
                listed = [{"id": name, "object": "model", "owned_by": "test"} for name in self._models]
                await client.plain(200, {"object": "list", "data": listed})
            elif request.path.endswith("/embeddings") and self._vectors is not None:
                await self._play(self._vectors(request), request, client)
            elif not is_chat:
                await client.plain(404, {"error": {"message": f"no such path: {request.path}"}})
            elif request.problem and self._strict:
                await client.plain(400, {"error": {"message": request.problem, "type": "invalid_request_error"}})
            else:
                await self._play(self._steps_for(request), request, client)
            request.is_answered = True
        except ClientGoneError:
            request.is_disconnected = True
        except (ConnectionError, asyncio.CancelledError):
            request.is_disconnected = True
            raise
        finally:
            await self._notify()
        return request.is_answered and client.is_usable

    def _steps_for(self, request: RecordedRequest) -> Answer:
        if callable(self._script):
            return self._script(request)
        if self._used >= len(self._script) and not (self._repeat_last and self._script):
            return [status(500, {"error": {"message": "the script has no further answer"}})]
        place = min(self._used, len(self._script) - 1)
        self._used += 1
        return self._script[place]

    async def _play(self, answer: Answer, request: RecordedRequest, client: "Client") -> None:
        steps = list(answer)
        if steps and "hang_up" in steps[-1]:
            client.is_usable = False
            return
        if steps and "status" in steps[-1]:
            for step in steps[:-1]:
                await self._pause(step, request, client)
            await client.plain(steps[-1]["status"], steps[-1].get("body"), steps[-1].get("headers", {}))
            return
        stream = ChunkStream(client, has_calls=any("call" in step for step in steps))
        for step in steps:
            if "headers" in step:
                client.extra_headers.update(step["headers"])
            elif "wait" in step or "hold" in step:
                await stream.begin()
                await self._pause(step, request, client)
            elif "drop" in step:
                await stream.begin()
                client.abort()
                return
            elif "close" in step:
                await stream.begin()
                await client.end()
                return
            elif "echo" in step:
                await stream.send(
                    text(request.last_user_text if step["echo"] == "last_user" else "\n".join(request.tool_results))
                )
            else:
                await stream.send(step)
        await stream.end()

    async def _pause(self, step: Step, request: RecordedRequest, client: "Client") -> None:
        if "wait" in step:
            await client.while_connected(asyncio.sleep(step["wait"]))
        elif "hold" in step:
            request.held.append(step["hold"])
            await self._notify()
            await client.while_connected(self._wait_for_release(step["hold"]))

    async def _wait_for_release(self, name: str) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: name in self._released)

    def _write_record(self, request: RecordedRequest) -> None:
        if self._record is not None:
            entry = {"path": request.path, "headers": request.headers, "body": request.body, "problem": request.problem}
            with self._record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def script_from_json(value: Any) -> Script:
    """Return the script that a parsed file holds: a list of answers, or an object with ``rules``."""
    if isinstance(value, list):
        return value
    rules = value["rules"]

    def answer(request: RecordedRequest) -> Answer:
        done = len(request.tool_results)
        for rule in rules:
            if re.search(rule.get("match", ""), request.last_user_text) and rule.get("tool_results", done) == done:
                return rule["steps"]
        return [status(500, {"error": {"message": "no rule of the script fits"}})]

    return answer


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A scripted model endpoint on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--record", type=Path, help="append each request to this file, one JSON object a line")
    parser.add_argument("--lenient", action="store_true", help="also accept what strict endpoints refuse")
    parser.add_argument("--repeat-last", action="store_true")
    options = parser.parse_args(arguments)
    endpoint = LoopbackEndpoint(
        script_from_json(json.loads(options.script.read_text("utf-8"))),
        strict=not options.lenient,
        port=options.port,
        repeat_last=options.repeat_last,
        record=options.record,
    )
    with endpoint:
        sys.stdout.write(endpoint.base_url + "\n")
        sys.stdout.flush()
        try:
            sys.stdin.read()  # until the parent closes it, or ends
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
