"""A keychain that does not answer never holds up the window's loop, nor its end."""

import asyncio
import time

import pytest

from desktop.core.secrets import KeychainState
from desktop.core.settings import KeyPlace
from desktop.core.tasks import alongside
from desktop.storage.keyring_secrets import KeyringSecrets
from tests.support.secret_service import needs_gnome_keyring, secret_service

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # keyring's, when a call fails

LONGEST_GAP_SECONDS = 0.25


@needs_gnome_keyring
async def test_the_loop_goes_on_while_the_keychain_is_silent(qloop: object, monkeypatch: pytest.MonkeyPatch) -> None:
    gaps: list[float] = []

    async def beat() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.005)
            gaps.append(time.monotonic() - last)
            last = time.monotonic()

    with secret_service(monkeypatch) as service:
        service.start()
        store = KeyringSecrets(service="Threadwell test", limit_seconds=0.4)
        service.freeze()
        async with alongside(beat()):
            assert (await store.probe()).state is KeychainState.FAILED
            assert await store.set("endpoint:e1", "some-key-123") is KeyPlace.SESSION
            assert await store.get("endpoint:e1") == "some-key-123"
            start = time.monotonic()
            await store.close()
            assert time.monotonic() - start < 2
        assert len(gaps) > 20
        assert max(gaps) < LONGEST_GAP_SECONDS
