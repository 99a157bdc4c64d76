"""Finding and trying endpoints on the loop that Qt drives: the same results, and nothing left behind."""

import asyncio

from desktop.app.event_loop import QtLoop
from desktop.core.settings import EndpointSettings
from desktop.providers.endpoint_check import Endpoints
from tests.support.endpoint import LoopbackEndpoint, hold, text
from tests.support.local_server import LocalServer, ollama, running


async def test_servers_are_found(qloop: QtLoop) -> None:
    good, silent = ollama("m"), LocalServer(is_silent=True)
    async with running(good, silent):
        (found,) = await Endpoints(environ={}, ports={silent.port: "", good.port: ""}).find_local()
    assert (found.kind, found.models) == ("Ollama", ("m",))


async def test_a_check_answers_and_can_be_left(qloop: QtLoop) -> None:
    directory = Endpoints()
    async with LoopbackEndpoint([[text("Hello")], [hold("never")]]) as server:
        endpoint = EndpointSettings(id="e", base_url=server.base_url, model="loopback-model")
        check = await directory.check(endpoint, "key")
        assert (check.error, check.answer) == (None, "Hello")
        async with asyncio.TaskGroup() as group:
            task = group.create_task(directory.check(endpoint, "key"))
            await server.wait_until(lambda server: len(server.chats) == 2 and server.chats[1].held)
            task.cancel()
            await server.wait_until(lambda server: server.chats[1].is_disconnected)
