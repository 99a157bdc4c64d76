"""Endpoints of the user: stored at once, keys beside that, removals undone to the last detail."""

import asyncio
import dataclasses
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoint_list import free_name, goes_elsewhere
from desktop.core.endpoints import EndpointCheck
from desktop.core.errors import SettingsError, StorageError, ThreadwellError
from desktop.core.secrets import KeychainState
from desktop.core.settings import EndpointSettings, KeyPlace, SettingsStore
from desktop.core.tasks import TaskSupervisor
from tests.support.in_memory_secrets import InMemorySecrets

Until = Callable[..., Coroutine[Any, Any, None]]
NEW = EndpointSettings(name="Host", base_url="https://host.example/v1", model="m", models=("m", "n"))


class Keychain(InMemorySecrets):
    """One that takes keys, and may be slow or refuse to forget."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.go.set()
        self.is_stuck = False
        self.takes_keys = True

    async def set(self, name: str, secret: str) -> KeyPlace:
        await super().set(name, secret)
        await self.go.wait()
        return KeyPlace.KEYCHAIN if self.takes_keys else KeyPlace.SESSION

    async def delete(self, name: str, *, was_in_keychain: bool = False) -> None:
        assert was_in_keychain, "every key of these tests was"
        if self.is_stuck:
            raise SettingsError("settings.key_not_deleted", name=name, detail="stuck")
        await super().delete(name, was_in_keychain=was_in_keychain)


@asynccontextmanager
async def opened(
    folder: Path, given: EndpointSettings | None = None
) -> AsyncGenerator[tuple[EndpointBook, SettingsStore, Keychain], None]:
    store, keychain, tasks = SettingsStore(folder / "settings.json"), Keychain(), TaskSupervisor()
    book = EndpointBook(store, keychain, tasks, given=given)
    yield book, store, keychain
    await tasks.close()
    await book.close()


async def test_a_saved_endpoint_answers_before_the_keychain_has(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        keychain.go.clear()
        saved = book.save(NEW, "sk-secret", active=True)
        assert saved.id
        assert book.endpoint == saved
        assert store.settings.welcomed
        await asyncio.sleep(0)
        assert saved.key_place is KeyPlace.SESSION
        assert await keychain.get(f"endpoint:{saved.id}") == "sk-secret", "it is in force from memory"
        keychain.go.set()
        await until(lambda: book.endpoint.key_place is KeyPlace.KEYCHAIN)
        assert "sk-secret" not in (tmp_path / "settings.json").read_text("utf-8")


async def test_a_key_does_not_follow_to_another_server(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, _store, keychain):
        saved = book.save(NEW, "sk-secret", active=True)
        await until(lambda: book.endpoint.key_place is KeyPlace.KEYCHAIN)
        longer = dataclasses.replace(book.endpoint, base_url="https://host.example/v2")
        assert book.save(longer, None, active=True).key_place is KeyPlace.KEYCHAIN
        elsewhere = dataclasses.replace(book.endpoint, base_url="https://other.example/v1")
        assert book.save(elsewhere, None, active=True).key_place is KeyPlace.NONE
        await until(lambda: not keychain._secrets)
        assert await keychain.get(f"endpoint:{saved.id}") is None


async def test_a_removed_endpoint_comes_back_with_its_key_and_place(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        ids = [book.save(dataclasses.replace(NEW, name=name), f"key-{name}", active=True).id for name in "abc"]
        await until(lambda: all(e.key_place is KeyPlace.KEYCHAIN for e in store.settings.endpoints))
        book.choose(ids[1])
        before = store.settings
        book.remove([ids[1], ids[0]])
        assert book.endpoint.is_demo
        assert [e.id for e in store.settings.endpoints] == [ids[2]]
        book.restore([ids[1], ids[0]])
        assert store.settings == before
        assert await keychain.get(f"endpoint:{ids[1]}") == "key-b"


async def test_nobody_is_put_back_into_use_over_a_newer_choice(tmp_path: Path) -> None:
    async with opened(tmp_path) as (book, _store, _):
        first, second = book.save(NEW, None, active=True), book.save(NEW, None, active=False)
        book.remove([first.id])
        book.choose(second.id)
        book.restore([first.id])
        assert book.endpoint.id == second.id
        book.remove([second.id])
        book.choose("")
        book.restore([second.id])
        assert book.endpoint.is_demo, "the demo model was chosen, too"


async def test_a_key_that_arrives_in_the_keychain_after_the_removal_is_found_there(
    tmp_path: Path, until: Until
) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        keychain.go.clear()
        saved = book.save(NEW, "sk-secret", active=True)
        await until(lambda: bool(keychain._secrets))
        book.remove([saved.id])
        keychain.go.set()
        await asyncio.sleep(0)
        await until(lambda: not [t for t in asyncio.all_tasks() if t.get_name() == "keep a key"])
        book.restore([saved.id])
        assert store.settings.endpoint.key_place is KeyPlace.KEYCHAIN


async def test_keys_of_removed_endpoints_go_when_undo_is_over_or_the_program_ends(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        ids = [book.save(NEW, f"key-{name}", active=False).id for name in "ab"]
        await until(lambda: all(e.key_place is KeyPlace.KEYCHAIN for e in store.settings.endpoints))
        book.remove([ids[0]])
        book.forget_removed([ids[0]])
        await until(lambda: list(keychain._secrets) == [f"endpoint:{ids[1]}"])
        book.restore([ids[0]])
        assert [e.id for e in store.settings.endpoints] == [ids[1]], "what was forgotten cannot come back"
        book.remove([ids[1]])
    assert keychain._secrets == {}


@pytest.mark.expected_log("a key of a removed endpoint was not deleted")
async def test_a_key_that_stays_in_the_keychain_is_told(tmp_path: Path, until: Until) -> None:
    failures: list[ThreadwellError] = []
    async with opened(tmp_path) as (book, _store, keychain):
        book.failed.connect(lambda error: failures.append(error))
        first, second = book.save(NEW, "one", active=False), book.save(NEW, "two", active=False)
        await until(lambda: len(keychain._secrets) == 2)
        keychain.is_stuck = True
        book.remove([first.id])
        book.forget_removed([first.id])
        await until(lambda: [error.code for error in failures] == ["settings.key_not_deleted"])
        book.remove([second.id])


async def test_a_key_that_a_killed_process_left_in_the_keychain_goes_at_the_next_start(
    tmp_path: Path, until: Until
) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        removed, cleared, undone = (book.save(NEW, name, active=False) for name in ("one", "two", "three"))
        await until(lambda: all(e.key_place is KeyPlace.KEYCHAIN for e in store.settings.endpoints))
        assert store.settings.keys_to_forget == ()
        book.remove([undone.id])
        book.restore([undone.id])
        keychain.is_stuck = True
        book.remove([removed.id])
        book.save(cleared, "", active=False)
        # As it stands on disk when the process is killed now.
        left = SettingsStore(tmp_path / "settings.json")
        tasks = TaskSupervisor()
        later = EndpointBook(left, keychain, tasks)
        assert left.settings.keys_to_forget == (removed.id, cleared.id)
        keychain.is_stuck = False
        later.forget_left_over()
        await until(lambda: list(keychain._secrets) == [f"endpoint:{undone.id}"])
        await until(lambda: SettingsStore(tmp_path / "settings.json").settings.keys_to_forget == ())
        await tasks.close()
        store.update(left.settings)
        book.forget_removed([removed.id])


async def test_a_new_key_is_not_forgotten_with_the_old_one(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, store, keychain):
        saved = book.save(NEW, "one", active=True)
        await until(lambda: book.endpoint.key_place is KeyPlace.KEYCHAIN)
        book.save(saved, "", active=True)
        assert store.settings.keys_to_forget == (saved.id,)
        book.save(saved, "two", active=True)
        assert store.settings.keys_to_forget == ()
        await until(lambda: keychain._secrets == {f"endpoint:{saved.id}": "two"})


async def test_a_key_that_the_keychain_should_have_taken_is_told_until_it_has(tmp_path: Path, until: Until) -> None:
    async with opened(tmp_path) as (book, _store, keychain):
        held_back: list[str] = []
        book.held_back.connect(lambda endpoint: held_back.append(endpoint.id))
        keychain.takes_keys = False
        keychain.set_status(KeychainState.MISSING)  # as the form says beside the field
        book.save(NEW, "one", active=True)
        keychain.set_status(KeychainState.AVAILABLE)
        saved = book.save(NEW, "two", active=True)
        await until(lambda: held_back)
        assert held_back == [saved.id]
        book.keep_key_again(saved.id)
        await until(lambda: len(held_back) == 2)
        keychain.takes_keys = True
        book.keep_key_again(saved.id)
        await until(lambda: book.endpoint.key_place is KeyPlace.KEYCHAIN)
        assert len(held_back) == 2


async def test_another_choice_takes_the_place_of_what_the_command_line_gave(tmp_path: Path) -> None:
    given = EndpointSettings(base_url="http://127.0.0.1:9/v1", model="given")
    async with opened(tmp_path, given) as (book, _store, _):
        saved = book.save(NEW, None, active=False)
        assert book.endpoint == given
        book.choose(saved.id, "n")
        assert (book.endpoint.id, book.endpoint.model) == (saved.id, "n")
        book.choose("")
        assert book.endpoint.is_demo
        book.choose_given()
        assert book.endpoint == given


async def test_settings_that_cannot_be_written_leave_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as (book, store, keychain):

        def full(_path: Path, _text: str) -> None:
            raise OSError(28, "No space left on device")

        saved = book.save(dataclasses.replace(NEW, models=()), None, active=False)
        before = store.settings
        checked: list[str] = []
        book.checked.connect(lambda endpoint_id: checked.append(endpoint_id))
        monkeypatch.setattr("desktop.core.settings.write_atomically", full)
        with pytest.raises(StorageError, match=r"storage\.full"):
            book.note_check(saved.id, EndpointCheck(models=("a", "b"), answer="hi"))
        assert checked == [saved.id], "what a test found is shown all the same"
        with pytest.raises(StorageError, match=r"storage\.full"):
            book.save(NEW, "sk-secret", active=True)
        assert store.settings == before
        assert keychain._secrets == {}


async def test_a_test_teaches_the_address_and_the_models(tmp_path: Path) -> None:
    async with opened(tmp_path) as (book, _store, _):
        bare = dataclasses.replace(NEW, base_url="https://host.example", models=())
        saved = book.save(bare, None, active=True)
        book.note_check(saved.id, EndpointCheck(models=("m", "x"), answer="hi", base_url="https://host.example/v1"))
        assert book.endpoint.base_url == "https://host.example/v1"
        assert book.endpoint.models == ("m", "x")
        book.note_check(saved.id, EndpointCheck(models=("y",), answer="hi", base_url="https://evil.example/v1"))
        assert book.endpoint.base_url == "https://host.example/v1"
        assert book.endpoint.models == ("m", "x"), "a list that is known is the user's to change"
        check = book.check_of(saved.id)
        assert check is not None
        assert check.models == ("y",)


def test_names_stay_apart_and_servers_are_told_apart(tmp_path: Path) -> None:
    settings = dataclasses.replace(
        SettingsStore(tmp_path / "settings.json").settings,
        endpoints=(EndpointSettings(id="a", name="Ollama"), EndpointSettings(id="b", name="Ollama 2")),
    )
    assert free_name(settings, "LM Studio") == "LM Studio"
    assert free_name(settings, "Ollama") == "Ollama 3"
    assert not goes_elsewhere("https://h/v1", "https://H:443/v2")
    assert goes_elsewhere("https://h/v1", "http://h/v1")
    assert goes_elsewhere("http://h:1/v1", "http://h:2/v1")
