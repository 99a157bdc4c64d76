"""A sign-in is forgotten with its server, comes back with it after Undo, and is looked for only where there was one."""

import dataclasses
from pathlib import Path

import pytest

from desktop.core.settings import Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.tools.server_inputs import secret_name
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import sign_in_name
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.waiting import until

ENTRY = {"url": "https://tracker.example/mcp"}
NAME = sign_in_name("tracker")


@pytest.fixture
def settings(tmp_path: Path) -> SettingsStore:
    store = SettingsStore(tmp_path / "settings.json")
    store.update(Settings(mcp_servers={"tracker": ENTRY}))
    return store


def without_servers(store: SettingsStore) -> None:
    store.update(dataclasses.replace(store.settings, mcp_servers={}))


async def test_it_goes_with_its_server_and_stays_while_that_can_come_back(settings: SettingsStore) -> None:
    tasks, store = TaskSupervisor(), InMemorySecrets()
    secrets = ServerSecrets(settings, store, tasks)
    assert not secrets.is_known(NAME)
    await secrets.keep_one(NAME, "tokens")
    assert secrets.is_known(NAME)
    secrets.forget_unused()
    held = secrets.hold(ENTRY, "tracker")
    without_servers(settings)
    secrets.forget_unused()
    await tasks.close()
    assert await store.get(secret_name(NAME)) == "tokens"
    secrets.release(held)
    await until(lambda: settings.settings.server_secrets == ())
    assert await store.get(secret_name(NAME)) is None
    assert not secrets.is_known(NAME)
    assert await tasks.close() == []


async def test_a_server_of_the_command_line_keeps_its_own(settings: SettingsStore) -> None:
    tasks, store = TaskSupervisor(), InMemorySecrets()
    secrets = ServerSecrets(settings, store, tasks, held=[sign_in_name("given")])
    await secrets.keep_one(sign_in_name("given"), "tokens")
    secrets.forget_unused()
    assert await tasks.close() == []
    assert secrets.is_known(sign_in_name("given"))
    await secrets.forget_one(sign_in_name("given"))
    assert await store.get(secret_name(sign_in_name("given"))) is None


async def test_nothing_is_kept_that_nobody_could_forget(
    settings: SettingsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks, store = TaskSupervisor(), InMemorySecrets()
    secrets = ServerSecrets(settings, store, tasks)

    def full(_settings: Settings) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(settings, "update", full)
    with pytest.raises(OSError, match="no space"):
        await secrets.keep_one(NAME, "tokens")
    assert await store.get(secret_name(NAME)) is None
