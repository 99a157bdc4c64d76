"""Model servers of this machine, imitated: real HTTP on the loopback with the answers by which each kind is known."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What one path answers: ``body`` as JSON unless it is text or bytes."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Routes = Mapping[str, Reply]


@dataclass
class LocalServer:
    """A running one. ``requests`` are its request lines and headers so far, ``everything`` answers unknown paths."""

    routes: Routes = field(default_factory=dict[str, Reply])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    everything: Reply = Reply(body={"error": "no such path"}, status=404)
    is_silent: bool = False
    is_endless: bool = False
    port: int = 0
    requests: list[str] = field(default_factory=list[str])
    bodies: list[Any] = field(default_factory=list[Any])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.requests.append(head.decode("latin-1"))
                if self.is_silent:
                    await asyncio.sleep(60)
                if length := re.search(rb"content-length: *(\d+)", head, re.IGNORECASE):
                    self.bodies.append(json.loads(await reader.readexactly(int(length[1]))))
                path = head.split(b" ", 2)[1].decode()
                await self._answer(self.routes.get(path, self.everything), writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, reply: Reply, writer: asyncio.StreamWriter) -> None:
        body = reply.encoded()
        headers = {"Content-Type": "application/json", **self.headers, **reply.headers}
        if not self.is_endless:
            headers["Content-Length"] = str(len(body))
        lines = [f"HTTP/1.1 {reply.status} Imitated", *(f"{name}: {value}" for name, value in headers.items())]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()
        while self.is_endless:
            writer.write(b'"' + b"x" * 100_000)
            await writer.drain()

    @property
    def paths(self) -> list[str]:
        return [request.split(" ")[1] for request in self.requests]


@asynccontextmanager
async def running(*servers: LocalServer) -> AsyncIterator[Sequence[LocalServer]]:
    """Let the servers listen on ports of their own for the length of a block."""
    async with AsyncExitStack() as stack:
        for server in servers:
            tasks: set[asyncio.Task[Any]] = set()

            async def serve(
                reader: asyncio.StreamReader,
                writer: asyncio.StreamWriter,
                server: LocalServer = server,
                tasks: set[asyncio.Task[Any]] = tasks,
            ) -> None:
                task = asyncio.current_task()
                assert task is not None
                tasks.add(task)
                try:
                    await server.serve(reader, writer)
                finally:
                    tasks.discard(task)

            listener = await asyncio.start_server(serve, "127.0.0.1", 0)
            server.port = listener.sockets[0].getsockname()[1]
            stack.push_async_callback(_end, listener, tasks)
        yield servers


async def _end(listener: asyncio.Server, tasks: set[asyncio.Task[Any]]) -> None:
    listener.close()
    for task in list(tasks):
        task.cancel()
    if tasks:
        await asyncio.wait(list(tasks))


def model_list(*names: str, owner: str = "someone", **more: Any) -> Reply:
    """The list that most servers have under ``/v1/models``."""
    data = [{"id": name, "object": "model", "owned_by": owner, **more} for name in names]
    return Reply(body={"object": "list", "data": data})


def chat_stream(*texts: str, thinking: str = "", finish: str = "stop") -> Reply:
    """An answer as ``/v1/chat/completions`` streams it, whole."""
    deltas = [{"reasoning_content": thinking}] if thinking else []
    deltas += [{"content": text} for text in texts]
    choices: list[Any] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    events = [f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in choices]
    return Reply(body="".join(events) + "data: [DONE]\n\n", headers={"Content-Type": "text/event-stream"})


NO_SUCH_PATH_OF_LM_STUDIO = Reply(body={"error": "Unexpected endpoint or method."})


def lm_studio(*names: str, loaded: Sequence[str] = ()) -> LocalServer:
    """Loaded models read 8192 tokens, of at most 131072."""
    models = [
        {
            "type": "embedding" if "embed" in name else "llm",
            "key": name,
            "loaded_instances": [{"id": name, "config": {"context_length": 8192}}] if name in loaded else [],
            "max_context_length": 131072,
            "capabilities": {"vision": "vl" in name, "trained_for_tool_use": True},
        }
        for name in names
    ]
    routes = {"/api/v1/models": Reply(body={"models": models}), "/v1/models": model_list(*names)}
    return LocalServer(routes, everything=NO_SUCH_PATH_OF_LM_STUDIO)


def older_lm_studio(*names: str, loaded: Sequence[str] = ()) -> LocalServer:
    data = [
        {
            "id": name,
            "object": "model",
            "type": "embeddings" if "embed" in name else "llm",
            "state": "loaded" if name in loaded else "not-loaded",
            "max_context_length": 131072,
            **({"loaded_context_length": 8192} if name in loaded else {}),
        }
        for name in names
    ]
    routes = {"/api/v0/models": Reply(body={"object": "list", "data": data}), "/v1/models": model_list(*names)}
    return LocalServer(routes, everything=NO_SUCH_PATH_OF_LM_STUDIO)


def ollama(*names: str, version: str = "0.13.0", loaded: Sequence[str] = ()) -> LocalServer:
    """Loaded models read 4096 tokens, whatever they were trained for."""
    running_ones = [{"name": name, "model": name, "context_length": 4096} for name in loaded]
    listed = [{"name": name, "model": name, "details": {"family": "llama"}} for name in names]
    return LocalServer(
        {
            "/": Reply(body="Ollama is running", headers={"Content-Type": "text/plain"}),
            "/api/tags": Reply(body={"models": listed or None}),
            "/api/version": Reply(body={"version": version}),
            "/api/ps": Reply(body={"models": running_ones}),
            "/v1/models": Reply(body={"object": "list", "data": [{"id": n, "object": "model"} for n in names] or None}),
        },
        everything=Reply(body="404 page not found", status=404),
    )


def llama_cpp(*names: str) -> LocalServer:
    listed = {
        "object": "list",
        "models": [{"name": name, "model": name} for name in names],
        "data": [{"id": name, "object": "model", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}} for name in names],
    }
    routes = {
        "/props": Reply(body={"default_generation_settings": {"n_ctx": 4096}, "build_info": "b7000-abc"}),
        "/v1/models": Reply(body=listed),
        "/api/tags": Reply(body=listed),
        "/health": Reply(body={"status": "ok"}),
        "/": Reply(body="<!doctype html><title>llama.cpp</title>"),
    }
    missing = Reply(body={"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}, status=404)
    return LocalServer(routes, headers={"Server": "llama.cpp"}, everything=missing)


def llama_cpp_loading() -> LocalServer:
    loading = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}
    return LocalServer(headers={"Server": "llama.cpp"}, everything=Reply(body=loading, status=503))


def vllm(*names: str) -> LocalServer:
    routes = {
        "/version": Reply(body={"version": "0.20.1"}),
        "/v1/models": model_list(*names, owner="vllm", max_model_len=32768),
    }
    return LocalServer(routes, everything=Reply(body={"detail": "Not Found"}, status=404))


def vllm_with_key() -> LocalServer:
    routes = {
        "/version": Reply(body={"version": "0.20.1"}),
        "/v1/models": Reply(body={"error": "Unauthorized"}, status=401),
    }
    return LocalServer(routes, everything=Reply(body={"detail": "Not Found"}, status=404))


def kobold_cpp(name: str, *, protected: bool = False) -> LocalServer:
    routes = {
        "/api/extra/version": Reply(body={"result": "KoboldCpp", "version": "1.101", "protected": protected}),
        "/api/extra/true_max_context_length": Reply(body={"value": 6144}),
        "/v1/models": model_list(f"koboldcpp/{name}", owner="koboldcpp"),
        "/api/tags": Reply(body={"models": [{"name": f"koboldcpp/{name}"}]}),
        "/api/version": Reply(body={"version": "0.7.0"}),
        "/": Reply(body="<html>KoboldAI Lite</html>"),
    }
    return LocalServer(routes)


def sglang(*names: str) -> LocalServer:
    return LocalServer(
        {
            "/get_model_info": Reply(body={"model_path": "/m", "tokenizer_path": "/m"}),
            "/get_server_info": Reply(body={"version": "0.5.4", "context_length": 16384}),
            "/v1/models": model_list(*names, owner="sglang"),
        }
    )


def tgi(name: str) -> LocalServer:
    about = {"model_id": name, "max_total_tokens": 4096, "max_input_tokens": 3072, "version": "3.3"}
    return LocalServer({"/info": Reply(body=about)})


def text_generation_webui(name: str) -> LocalServer:
    about = Reply(body={"model_name": name, "lora_names": []})
    return LocalServer({"/v1/internal/model/info": about, "/v1/models": Reply(body={"detail": "x"}, status=500)})


def tabby_api(name: str, *, protected: bool = False) -> LocalServer:
    """It serves a path of text-generation-webui as well, with other fields."""
    refused = Reply(body={"detail": "Please provide an API key"}, status=401)
    open_routes = {
        "/v1/model": Reply(body={"id": name, "parameters": {"max_seq_len": 12288}}),
        "/v1/internal/model/info": Reply(body={"id": name}),
        "/v1/models": model_list(name, owner="tabbyAPI"),
    }
    routes = {"/health": Reply(body={"status": "healthy", "issues": []})}
    return LocalServer({**routes, **(dict.fromkeys(open_routes, refused) if protected else open_routes)})


def local_ai(*names: str) -> LocalServer:
    data = [{"id": name, "object": "model"} for name in names]
    return LocalServer(
        {
            "/readyz": Reply(body="OK", headers={"Content-Type": "text/plain"}),
            "/version": Reply(body={"version": "v3.8.0 (abcdef)"}),
            "/v1/models": Reply(body={"object": "list", "data": data}),
        }
    )


def lite_llm(*names: str) -> LocalServer:
    return LocalServer(
        {"/health/liveliness": Reply(body='"I\'m alive!"'), "/v1/models": model_list(*names, owner="openai")}
    )


def dev_server() -> LocalServer:
    """A web page under development: every path is the page, as single-page applications have it."""
    return LocalServer(
        everything=Reply(body="<!doctype html><div id=app></div>", headers={"Content-Type": "text/html"})
    )


def json_api() -> LocalServer:
    """Some program's own API, which answers every path with something that looks a little like a list."""
    return LocalServer(everything=Reply(body={"object": "list", "data": [{"id": 1, "name": "A"}], "models": []}))


def login_wall() -> LocalServer:
    return LocalServer(everything=Reply(body={"error": "Unauthorized", "message": "missing token"}, status=401))
