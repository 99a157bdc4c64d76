"""The life of the API: its switch, its token and its keychain, what it does to the program around it."""

import asyncio
import dataclasses
import signal
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from desktop.api.local_api import LocalApi
from desktop.api.services import ApiServices
from desktop.core.api_settings import API_TOKEN
from desktop.core.local_api import ApiState, ApiStatus
from desktop.core.secrets import KeychainState
from desktop.core.settings import Settings, SettingsStore
from tests.support.api_world import api_world
from tests.support.endpoint import LoopbackEndpoint
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.queue_world import by_its_words, queue_world
from tests.support.waiting import until


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def with_api(settings: Settings, **changes: object) -> Settings:
    return dataclasses.replace(settings, api=dataclasses.replace(settings.api, **changes))


@asynccontextmanager
async def switched(
    folder: Path, secrets: InMemorySecrets
) -> AsyncGenerator[tuple[LocalApi, SettingsStore, list[ApiStatus]], None]:
    """An API that follows settings, off at first."""
    async with LoopbackEndpoint(by_its_words) as endpoint, queue_world(folder, endpoint) as chats:
        store = SettingsStore(folder / "settings.json")
        services = ApiServices(
            chat=chats.chat,
            queue=chats.queue,
            conversations=chats.conversations,
            repository=chats.store.threads,
            settings=store,
            tasks=chats.tasks,
        )
        api, seen = LocalApi(services, secrets), list[ApiStatus]()
        api.changed.connect(lambda status: seen.append(status))
        try:
            yield api, store, seen
        finally:
            await api.close()


async def test_it_is_off_until_somebody_switches_it_on_and_follows_the_settings(tmp_path: Path) -> None:
    secrets = InMemorySecrets()
    async with switched(tmp_path, secrets) as (api, store, seen):
        await api.follow()
        assert (api.status, api.token, seen) == (ApiStatus(), "", [])
        one, two = free_port(), free_port()
        store.update(with_api(store.settings, enabled=True, port=one))
        await until(lambda: api.status == ApiStatus(state=ApiState.ON, port=one))
        assert api.token == await secrets.get(API_TOKEN)
        assert len(api.token) > 40
        store.update(with_api(store.settings, port=two))
        await until(lambda: api.status == ApiStatus(state=ApiState.ON, port=two))
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(
                f"http://127.0.0.1:{two}/v1/threads", headers={"Authorization": f"Bearer {api.token}"}
            )
            assert answer.status_code == 200
        token = api.token
        store.update(with_api(store.settings, enabled=False))
        await until(lambda: api.status == ApiStatus())
        for port in (one, two):
            with socket.socket() as again:
                again.bind(("127.0.0.1", port))
        store.update(with_api(store.settings, enabled=True))
        await until(lambda: api.status.state is ApiState.ON)
        assert api.token == token, "programs need not be told another one"


async def test_many_changes_at_once_end_as_the_last_one_says(tmp_path: Path) -> None:
    async with switched(tmp_path, InMemorySecrets()) as (api, store, _):
        ports = [free_port() for _ in range(4)]
        for port in ports:
            store.update(with_api(store.settings, enabled=True, port=port))
            store.update(with_api(store.settings, enabled=False))
        store.update(with_api(store.settings, enabled=True))
        await until(lambda: api.status == ApiStatus(state=ApiState.ON, port=ports[-1]))


async def test_a_keychain_that_is_locked_keeps_the_token_that_it_has(tmp_path: Path) -> None:
    secrets = InMemorySecrets()
    secrets.set_status(KeychainState.LOCKED)
    async with switched(tmp_path, secrets) as (api, store, _):
        store.update(with_api(store.settings, enabled=True, port=free_port()))
        await until(lambda: api.status.state is ApiState.ON)
        assert api.token
        assert not api.is_token_kept
        assert await secrets.get(API_TOKEN) is None
        await api.renew_token()
        assert await secrets.get(API_TOKEN) == api.token, "that was asked for"


async def test_the_program_keeps_its_signals_and_streams_do_not_hold_up_its_end(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    async with api_world(tmp_path) as world:
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
        thread = await world.new_thread()
        reading = asyncio.get_running_loop().create_task(world.say(thread, "hold it"))
        await world.chats.begun("hold it")
        async with asyncio.timeout(5):
            await world.api.close()
        await asyncio.wait({reading})
        await until(lambda: not world.chats.chat.runs_of(thread))
        assert (await world.chats.path(thread))[-1].status == "stopped"
        assert world.api.status == ApiStatus()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


async def test_settings_of_another_hand_are_kept_in_bounds(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"schema_version": 2, "api": {"enabled": true, "port": 80}}', encoding="utf-8")
    store = SettingsStore(path)
    assert store.set_aside is not None
    assert not store.settings.api.enabled
