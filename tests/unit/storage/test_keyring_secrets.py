"""Secrets in a real keychain that is locked, refuses, is silent, answers late, or is not there at all."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.core.errors import SettingsError
from desktop.core.secrets import KeychainState
from desktop.core.settings import KeyPlace
from desktop.storage.keyring_secrets import KeyringSecrets
from tests.support.secret_service import needs_gnome_keyring, secret_service

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # keyring's, when a call fails

Until = Callable[..., Coroutine[Any, Any, None]]
SERVICE, NAME, KEY = "Threadwell test", "endpoint:e1", "sk-0123456789abcdef"
SHORT = 0.3
"""A time limit for keychains that are meant to miss it."""


@asynccontextmanager
async def keyring_secrets(*, limit_seconds: float = 20.0) -> AsyncGenerator[KeyringSecrets, None]:
    store = KeyringSecrets(service=SERVICE, limit_seconds=limit_seconds)
    try:
        yield store
    finally:
        await store.close()


def entries() -> dict[str, str]:
    """What really lies in the keychain under our name, seen without the store."""
    import secretstorage

    connection = secretstorage.dbus_init()
    try:
        found = secretstorage.get_default_collection(connection).search_items({"service": SERVICE})
        return {item.get_attributes()["username"]: item.get_secret().decode() for item in found}
    except secretstorage.ItemNotFoundException:
        return {"deleted while it was read": ""}
    finally:
        connection.close()


def lock() -> None:
    """Lock the keychain as a screen lock does."""
    import secretstorage

    connection = secretstorage.dbus_init()
    try:
        secretstorage.get_default_collection(connection).lock()
    finally:
        connection.close()


def no_session_bus(monkeypatch: pytest.MonkeyPatch, _home: Path) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)


def a_bus_that_is_gone(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={home}/gone")


def one_that_forgets(monkeypatch: pytest.MonkeyPatch, _home: Path) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


def a_plain_file(monkeypatch: pytest.MonkeyPatch, _home: Path) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyrings.alt.file.PlaintextKeyring")


def one_that_forgets_by_its_file(_monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    folder = home / ".config" / "python_keyring"
    folder.mkdir(parents=True)
    (folder / "keyringrc.cfg").write_text("[backend]\ndefault-keyring=keyring.backends.null.Keyring\n")


@pytest.mark.parametrize(
    "missing", [no_session_bus, a_bus_that_is_gone, one_that_forgets, a_plain_file, one_that_forgets_by_its_file]
)
async def test_without_a_keychain_that_counts_secrets_stay_in_memory(
    monkeypatch: pytest.MonkeyPatch, missing: Callable[[pytest.MonkeyPatch, Path], None]
) -> None:
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    missing(monkeypatch, Path(os.environ["HOME"]))
    async with keyring_secrets() as store:
        assert await store.set(NAME, KEY) is KeyPlace.SESSION
        assert await store.get(NAME) == KEY
        assert store.status.state is KeychainState.MISSING
        assert store.status.detail
        await store.delete(NAME)  # there is no keychain that could hold it
        assert await store.get(NAME) is None


@needs_gnome_keyring
async def test_a_bus_without_a_secret_service_is_no_keychain(monkeypatch: pytest.MonkeyPatch, until: Until) -> None:
    with secret_service(monkeypatch) as service:
        async with keyring_secrets() as store:
            assert (await store.probe()).state is KeychainState.MISSING
            assert await store.set(NAME, KEY) is KeyPlace.SESSION
            service.start()  # it is looked for again at the next need
            assert (await store.probe()).state is KeychainState.AVAILABLE
            assert store.status.backend == "Secret Service"
            assert await store.set(NAME, KEY) is KeyPlace.KEYCHAIN
            assert entries() == {NAME: KEY}


@needs_gnome_keyring
async def test_a_keychain_that_is_gone_may_still_hold_what_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets() as store:
            assert await store.set(NAME, KEY) is KeyPlace.KEYCHAIN
            service.stop()
            with pytest.raises(SettingsError, match="key_not_deleted"):
                await store.delete(NAME, was_in_keychain=True)
            service.start()
            assert entries() == {NAME: KEY}
            assert await store.get(NAME) is None, "it is not used any more all the same"


@needs_gnome_keyring
async def test_the_probe_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets() as store:
            assert (await store.probe()).state is KeychainState.AVAILABLE
            assert entries() == {}
            await store.set(NAME, KEY)
            assert entries() == {NAME: KEY}
            await store.delete(NAME)
            assert entries() == {}


@needs_gnome_keyring
@pytest.mark.parametrize("had_entries", [False, True], ids=["never-unlocked", "locked-again"])
async def test_a_locked_keychain_says_so_and_is_used_once_it_is_unlocked(
    monkeypatch: pytest.MonkeyPatch, had_entries: bool
) -> None:
    with secret_service(monkeypatch) as service:
        if had_entries:
            service.start()
            async with keyring_secrets() as store:
                assert await store.set(NAME, KEY) is KeyPlace.KEYCHAIN
            lock()
        else:
            service.start(unlocked=False)
        async with keyring_secrets() as store:
            assert await store.get(NAME) is None
            assert store.status.state is KeychainState.LOCKED
            assert store.status.backend == "Secret Service"
            assert (await store.probe()).state is KeychainState.LOCKED
            with pytest.raises(SettingsError, match="key_not_deleted"):
                await store.delete(NAME)
            assert await store.set(NAME, "newer-key-1") is KeyPlace.SESSION
            assert await store.get(NAME) == "newer-key-1"

            service.stop()
            service.start()
            assert await store.set(NAME, "newer-key-2") is KeyPlace.KEYCHAIN
            assert store.status.state is KeychainState.AVAILABLE
            assert entries() == {NAME: "newer-key-2"}


@needs_gnome_keyring
async def test_a_keychain_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with secret_service(monkeypatch, refuses=True) as service:
        service.start()
        async with keyring_secrets() as store:
            assert (await store.probe()).state is KeychainState.REFUSED
            assert await store.set(NAME, KEY) is KeyPlace.SESSION
            assert store.status.state is KeychainState.REFUSED
            assert KEY not in repr(store.status)
            assert await store.get(NAME) == KEY


@needs_gnome_keyring
async def test_a_silent_keychain_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, until: Until) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets() as store:
            await store.set("endpoint:kept", "kept-before-1")
        async with keyring_secrets(limit_seconds=SHORT) as store:
            service.freeze()
            start = time.monotonic()
            assert await store.get("endpoint:kept") is None
            assert store.status.state is KeychainState.FAILED
            assert await store.set(NAME, KEY) is KeyPlace.SESSION
            assert await store.get(NAME) == KEY
            assert (await store.probe()).state is KeychainState.FAILED
            with pytest.raises(SettingsError, match="key_not_deleted"):
                await store.delete("endpoint:kept")
            assert await store.get("endpoint:kept") is None
            assert time.monotonic() - start < 4 * SHORT + 2  # five calls; the key was in memory
            service.thaw()
            await until(lambda: store.status.state is KeychainState.AVAILABLE)
            await until(lambda: entries() == {NAME: KEY})  # what was asked for is done, though late


@needs_gnome_keyring
async def test_a_secret_that_is_taken_late_is_announced(monkeypatch: pytest.MonkeyPatch, until: Until) -> None:
    places: list[tuple[str, KeyPlace]] = []
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets(limit_seconds=SHORT) as store:
            store.place_changed.connect(lambda change: places.append(change))
            service.freeze()
            assert await store.set(NAME, "first-key-1") is KeyPlace.SESSION
            assert await store.set(NAME, "second-key-2") is KeyPlace.SESSION
            assert await store.get(NAME) == "second-key-2"
            assert places == []
            service.thaw()
            await until(lambda: places)
            assert places == [(NAME, KeyPlace.KEYCHAIN)]
            assert entries() == {NAME: "second-key-2"}


@needs_gnome_keyring
async def test_a_secret_deleted_before_it_was_taken_does_not_come_back(
    monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    places: list[tuple[str, KeyPlace]] = []
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets(limit_seconds=SHORT) as store:
            store.place_changed.connect(lambda change: places.append(change))
            service.freeze()
            assert await store.set(NAME, KEY) is KeyPlace.SESSION
            with pytest.raises(SettingsError, match="key_not_deleted"):
                await store.delete(NAME)
            service.thaw()
            await until(lambda: store.status.state is KeychainState.AVAILABLE)
            await until(lambda: entries() == {})
            assert places == []
            assert await store.get(NAME) is None


@needs_gnome_keyring
async def test_a_secret_given_late_is_there_for_the_next_call(monkeypatch: pytest.MonkeyPatch, until: Until) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        async with keyring_secrets() as store:
            await store.set(NAME, KEY)
        async with keyring_secrets(limit_seconds=SHORT) as store:
            service.freeze()
            both = await asyncio.gather(store.get(NAME), store.get(NAME))
            assert both == [None, None]
            service.thaw()
            await until(lambda: store.status.state is KeychainState.AVAILABLE)
            service.freeze()
            assert await store.get(NAME) == KEY
            service.thaw()


async def test_what_the_store_knows_is_told_to_who_keeps_the_log(caplog: pytest.LogCaptureFixture) -> None:
    known: list[str] = []
    store = KeyringSecrets(service=SERVICE, on_secret=known.append)
    with caplog.at_level(logging.DEBUG):
        await store.set(NAME, KEY)
        await store.close()
    assert known == [KEY]
    assert KEY not in caplog.text


async def test_nothing_asks_the_keychain_before_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    async with keyring_secrets() as store:
        assert await store.get(NAME, ask_keychain=False) is None
        assert store.status.state is KeychainState.UNKNOWN
