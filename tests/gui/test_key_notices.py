"""A key that a real keychain was to keep and does not: said until it is there after all."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.core.secrets import KeychainState
from desktop.core.settings import EndpointSettings, KeyPlace
from desktop.storage.keyring_secrets import KeyringSecrets
from tests.support.secret_service import needs_gnome_keyring, secret_service
from tests.support.settings_world import open_settings
from tests.support.window_world import window_world

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # keyring's, when a call fails
Until = Callable[..., Coroutine[Any, Any, None]]
NEW = EndpointSettings(name="Cloud", base_url="https://cloud.example/v1", model="big", models=("big",))


@needs_gnome_keyring
async def test_a_keychain_that_fell_silent_is_told_and_the_notice_goes_when_it_answers(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        store = KeyringSecrets(service="Threadwell test", limit_seconds=0.3)
        assert (await store.probe()).state is KeychainState.AVAILABLE
        async with window_world(qapp, tmp_path, secrets=store) as world:
            notices = world.presenter.window.notices
            service.freeze()
            book = world.book
            book.save(NEW, "some-key-123", active=True)
            await until(lambda: notices.titles == ["The keychain did not answer"])
            (notice,) = notices.shown
            assert notice.key[1].startswith("The key for Cloud is kept only until Threadwell is closed.")
            service.thaw()
            await until(lambda: notices.titles == [])
            assert book.endpoint.key_place is KeyPlace.KEYCHAIN
        await store.close()


@needs_gnome_keyring
async def test_without_the_keychain_one_can_try_again_where_one_looks(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    with secret_service(monkeypatch) as service:
        service.start()
        store = KeyringSecrets(service="Threadwell test", limit_seconds=2)
        assert (await store.probe()).state is KeychainState.AVAILABLE
        async with window_world(qapp, tmp_path, secrets=store) as world:
            world.presenter.open_settings("models")
            notices = open_settings(world).notices
            service.stop()
            book = world.book
            book.save(NEW, "some-key-123", active=True)
            await until(lambda: len(notices.titles) == 1)
            assert world.presenter.window.notices.titles == []
            service.start()
            again = notices.findChild(QPushButton, "noticeAction-0")
            assert again is not None
            again.click()
            assert notices.titles == []
            await until(lambda: book.endpoint.key_place is KeyPlace.KEYCHAIN)
            assert notices.titles == []
        await store.close()
