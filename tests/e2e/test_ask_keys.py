"""A key in the keychain from the command line: used, never shown or written, and never waited for without end."""

import json
import time
from pathlib import Path

import pytest

from desktop.app.container import keychain_service, open_container
from desktop.app.options import LaunchOptions
from desktop.core.endpoint_keys import key_name
from desktop.core.secrets import KeychainState
from desktop.core.settings import KeyPlace
from desktop.core.tasks import TaskSupervisor
from desktop.storage.keyring_secrets import LIMIT_SECONDS, KeyringSecrets
from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.secret_service import SecretService, needs_gnome_keyring, secret_service
from tests.support.shell_app import ShellApp

KEY = "a-key-without-any-known-beginning"


@pytest.fixture
def app(tmp_path: Path) -> ShellApp:
    return ShellApp(tmp_path / "data", tools=False)


def write_settings(app: ShellApp, base_url: str, place: KeyPlace) -> None:
    entry = {"id": "e1", "name": "Ours", "base_url": base_url, "model": "m", "key_place": place}
    file = app.data_dir / "settings.json"
    settings = json.loads(file.read_text("utf-8")) | {"endpoints": [entry], "endpoint_id": "e1"}
    file.write_text(json.dumps(settings), "utf-8")


async def keep_key(app: ShellApp, service: SecretService) -> None:
    service.start()
    secrets = KeyringSecrets(service=keychain_service(app.data_dir))
    assert await secrets.set(key_name("e1"), KEY) is KeyPlace.KEYCHAIN
    await secrets.close()


@needs_gnome_keyring
async def test_the_keychain_s_key_is_used_and_stays_there(app: ShellApp, monkeypatch: pytest.MonkeyPatch) -> None:
    with secret_service(monkeypatch) as service, LoopbackEndpoint([[text("hello")]]) as endpoint:
        await keep_key(app, service)
        write_settings(app, endpoint.base_url, KeyPlace.KEYCHAIN)
        done = app.run("ask", "hi", "--json")
        assert (done.status, done.answer) == (0, "hello"), done.err
        assert endpoint.chats[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in done.out + done.err
        assert app.bytes_with(KEY) == []


@needs_gnome_keyring
async def test_a_silent_keychain_is_not_waited_for(app: ShellApp, monkeypatch: pytest.MonkeyPatch) -> None:
    with secret_service(monkeypatch) as service:
        await keep_key(app, service)
        write_settings(app, "http://127.0.0.1:9/v1", KeyPlace.KEYCHAIN)
        service.freeze()
        start = time.monotonic()
        done = app.run("ask", "hi", "--json")
        assert time.monotonic() - start < LIMIT_SECONDS + 15  # a busy machine starts slowly
    assert done.status == 1
    assert done.lines[-1]["code"] == "model.key_unreadable"
    assert "Ours" in done.err
    assert app.threads() == []


def test_a_key_that_is_not_there_is_said_before_a_thread_is_made(app: ShellApp) -> None:
    write_settings(app, "http://127.0.0.1:9/v1", KeyPlace.KEYCHAIN)
    done = app.run("ask", "hi", "--json")
    assert done.status == 1
    assert done.lines[-1]["code"] == "model.key_no_keychain"
    assert "Settings, Models" in done.err
    assert app.threads() == []


def test_folders_do_not_share_keys(tmp_path: Path) -> None:
    names = {keychain_service(tmp_path / name) for name in ("one", "two")}
    assert len(names) == 2
    assert "Threadwell" not in names


async def test_nothing_asks_the_keychain_where_no_key_is_needed(app: ShellApp) -> None:
    with LoopbackEndpoint([[text("hello")]]) as endpoint, ScriptedPrompts() as prompts:
        write_settings(app, endpoint.base_url, KeyPlace.NONE)
        container = await open_container(LaunchOptions(data_dir=app.data_dir), prompts, TaskSupervisor())
        try:
            await container.require_key()
            await (await container.chat.send(None, "hi")).wait()
            assert container.secrets.status.state is KeychainState.UNKNOWN
        finally:
            await container.close()
        assert "authorization" not in endpoint.chats[0].headers
