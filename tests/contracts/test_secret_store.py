"""What every store of secrets keeps to: in memory, and with the system's keychain behind it, a real one."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from desktop.core.secrets import KeychainStatus, SecretStore
from desktop.core.settings import KeyPlace
from desktop.storage.keyring_secrets import KeyringSecrets
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.secret_service import needs_gnome_keyring, secret_service

Opened = Callable[[], AbstractAsyncContextManager[SecretStore]]
NAME, KEY = "endpoint:e1", "sk-0123456789 ümlaut 钥匙"


@pytest.fixture(params=["memory", pytest.param("keychain", marks=needs_gnome_keyring), "no keychain"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Opens the store under test; where there is a keychain, it stays the same one for the whole test."""

    @asynccontextmanager
    async def make() -> AsyncGenerator[SecretStore, None]:
        memory = request.param == "memory"
        store: SecretStore = (
            InMemorySecrets() if memory else KeyringSecrets(service="Threadwell test", limit_seconds=20)
        )
        try:
            yield store
        finally:
            await store.close()

    if request.param == "keychain":
        with secret_service(monkeypatch) as service:
            service.start()
            yield make
    else:
        yield make


async def test_a_secret_is_there_until_it_is_deleted(opened: Opened) -> None:
    async with opened() as store:
        assert await store.get(NAME) is None
        assert await store.set(NAME, KEY) in (KeyPlace.KEYCHAIN, KeyPlace.SESSION)
        assert await store.get(NAME) == KEY
        assert await store.get("endpoint:e2") is None
        await store.delete(NAME)
        assert await store.get(NAME) is None
        await store.delete(NAME)
        await store.delete("endpoint:never-there")


@pytest.mark.parametrize("long", ["x" * 1_201, "threadwell-pieces:a:1:0", "钥" * 5_000, "𝄞" * 3_001], ids=len)
async def test_a_secret_may_be_longer_than_one_entry_takes(opened: Opened, long: str) -> None:
    async with opened() as store:
        place = await store.set(NAME, long)
    async with opened() as store:
        await store.set("endpoint:e2", "another")
        assert await store.get(NAME) == (long if place is KeyPlace.KEYCHAIN else None)
        await store.set(NAME, f"{long}!")
        await store.set(NAME, "short")
    async with opened() as store:
        assert await store.get(NAME) == ("short" if place is KeyPlace.KEYCHAIN else None)
        await store.set(NAME, long)
        await store.delete(NAME)
    async with opened() as store:
        assert await store.get(NAME) is None


async def test_a_newer_secret_replaces_an_older_one(opened: Opened) -> None:
    async with opened() as store:
        await store.set(NAME, "first")
        await store.set("endpoint:e2", "another")
        await store.set(NAME, "second")
        assert await store.get(NAME) == "second"
        assert await store.get("endpoint:e2") == "another"
        await store.delete(NAME)
        await store.set(NAME, "third")
        assert await store.get(NAME) == "third"


async def test_only_what_lies_in_the_keychain_outlives_the_store(opened: Opened) -> None:
    async with opened() as store:
        place = await store.set(NAME, KEY)
        await store.set("endpoint:e2", "deleted at once")
        await store.delete("endpoint:e2")
    async with opened() as store:
        assert await store.get(NAME, ask_keychain=False) is None
        assert await store.get(NAME) == (KEY if place is KeyPlace.KEYCHAIN else None)
        assert await store.get("endpoint:e2") is None


async def test_an_empty_secret_is_refused(opened: Opened) -> None:
    async with opened() as store:
        with pytest.raises(ValueError, match="empty"):
            await store.set(NAME, "")
        assert await store.get(NAME) is None


async def test_the_probe_says_how_the_keychain_is(opened: Opened) -> None:
    async with opened() as store:
        before = store.status
        told: list[KeychainStatus] = []
        store.status_changed.connect(lambda status: told.append(status))
        status = await store.probe()
        assert status == store.status != before
        assert told == [status]
        assert await store.probe() == status
        place = await store.set(NAME, KEY)
        assert (status.state == "available") == (place is KeyPlace.KEYCHAIN)


async def test_no_secret_is_shown_by_the_store_itself(opened: Opened) -> None:
    async with opened() as store:
        await store.set(NAME, KEY)
        assert KEY not in repr(store) + str(store) + repr(store.status)
