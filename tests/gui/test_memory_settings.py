"""The settings page Memory: what is chosen is stored, what leaves the computer is said before it does, a pause ends."""

import dataclasses
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QProgressBar, QPushButton, QWidget

from desktop.core.memory_settings import CHROMA_TOKEN, EmbedderKind, MemorySettings, MemoryUse
from desktop.core.settings import AppearanceSettings, EndpointSettings, Theme
from desktop.memory.indexing import IndexingState
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.settings.memory_page import MemoryPage, is_server_address
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.settings_world import open_settings, set_appearance
from tests.support.transcript_world import child as find
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

ENDPOINT = EndpointSettings(
    id="e1", name="Office", base_url="https://models.example/v1", models=("chat", "embed-small")
)


async def opened(world: WindowWorld) -> MemoryPage:
    world.presenter.open_settings("memory")
    await until(lambda: open_settings(world).isVisible())
    page = open_settings(world).page("memory")
    assert isinstance(page, MemoryPage)
    await until(page.isVisible)
    return page


def stored(world: WindowWorld) -> MemorySettings:
    return world.settings.settings.memory


def words(page: MemoryPage) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


async def test_what_is_chosen_is_stored_and_reset_can_be_undone(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        click(find(page, QCheckBox, "rememberFromChats"))
        click(find(page, QPushButton, f"memoryUse-{MemoryUse.THIS_THREAD}"))
        click(find(page, QPushButton, f"memoryEmbedder-{EmbedderKind.NONE}"))
        chosen = stored(world)
        assert (chosen.remembers, chosen.use, chosen.embedder) == (False, MemoryUse.THIS_THREAD, EmbedderKind.NONE)
        click(find(page, QPushButton, "reset-memory"))
        assert stored(world) == MemorySettings()
        open_settings(world).toast.act()
        assert stored(world) == chosen


async def test_a_provider_is_used_when_it_and_a_model_are_chosen_and_it_is_said_what_leaves(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.settings.update(dataclasses.replace(world.settings.settings, endpoints=(ENDPOINT,)))
        page = await opened(world)
        provider, model = find(page, ChoiceBox, "memoryProvider"), find(page, QLineEdit, "memoryModel")
        assert "Nothing leaves this computer" in words(page)
        assert not provider.isVisible()
        click(find(page, QPushButton, f"memoryEmbedder-{EmbedderKind.ENDPOINT}"))
        await until(provider.isVisible)
        assert "all messages of all chats" in words(page)
        assert "nothing is sent" in words(page)
        provider.setCurrentIndex(1)
        provider.activated.emit(1)
        model.setText(" embed-small ")
        assert stored(world).embedding_model == ""  # not before it was typed to its end
        model.editingFinished.emit()
        chosen = stored(world)
        assert (chosen.embedding_endpoint_id, chosen.embedding_model) == ("e1", "embed-small")
        assert "Office (models.example)" in words(page)


async def test_a_pause_is_shown_and_ended_by_choosing(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        settings = world.settings.settings
        world.settings.update(dataclasses.replace(settings, memory=settings.memory.paused()))
        page = await opened(world)
        note = find(page, QWidget, "settingsMemoryPaused")
        await until(note.isVisible)
        click(find(page, QPushButton, "resumeMemory"))
        assert stored(world) == MemorySettings()
        assert not note.isVisible()
        world.settings.update(dataclasses.replace(settings, memory=settings.memory.paused()))
        click(find(page, QCheckBox, "rememberFromChats"))
        assert (stored(world).is_paused, stored(world).remembers, stored(world).use) == (
            False,
            True,
            MemoryUse.EVERYWHERE,
        )


async def test_a_server_that_was_left_with_something_is_told_until_it_is_empty_or_given_up(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        note = find(page, QWidget, "serversLeft")
        assert not note.isVisible()
        settings = world.settings.settings
        left = dataclasses.replace(settings.memory, chroma_left=("http://192.168.1.20:8000",))
        world.settings.update(dataclasses.replace(settings, memory=left))
        await until(note.isVisible)
        assert "http://192.168.1.20:8000" in words(page)
        open_settings(world).resize(680, 700)
        for language, size in (("zh_CN", 16), ("en", 16), ("en", 13)):
            set_appearance(world, theme=Theme.LIGHT, language=language, font_size=size)
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            await until(lambda: not clipped_texts(note))
        click(find(page, QPushButton, "memoryUse-off"))
        click(find(page, QPushButton, "reset-memory"))
        assert stored(world).chroma_left, "a server is no choice that could be set back"
        click(find(page, QPushButton, "giveUpServers"))
        assert stored(world).chroma_left == ()
        assert not note.isVisible()


async def test_progress_and_problems_are_told(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        state = find(page, QLabel, "memoryState")
        page.show_state(IndexingState(embedder_id="a", is_working=True, is_changing=True, done=4210, total=10_000))
        bar = find(page, QProgressBar, "memoryProgress")
        assert state.text() == "4,210 of 10,000 texts prepared. Until then the search goes on as before."
        assert (bar.isVisibleTo(page), bar.value(), bar.maximum()) == (True, 4210, 10_000)
        page.show_state(IndexingState(embedder_id="a"))
        assert state.text() == "Ready."
        assert not bar.isVisibleTo(page)
        page.show_state(IndexingState(problem="memory.embedder_missing", detail="no file"))
        assert state.text().startswith("Memories are found by words only. ")
        assert "no file" in state.text()
        assert "Only words are compared" not in state.text(), "it is said once"


async def test_the_server_is_checked_and_its_token_lies_with_the_secrets(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        url, token = find(page, QLineEdit, "chromaUrl"), find(page, QLineEdit, "chromaToken")
        url.setText("file:///etc/passwd")
        url.editingFinished.emit()
        assert stored(world).chroma_url == ""
        assert find(page, QLabel, "chromaUrl-problem").isVisible()
        url.setText("http://192.168.1.20:8000/")
        url.editingFinished.emit()
        assert stored(world).chroma_url == "http://192.168.1.20:8000"
        token.setText("the-token")
        click(find(page, QPushButton, "chromaTokenKeep"))
        await until(lambda: token.placeholderText() == "A token is kept")
        assert await world.secrets.get(CHROMA_TOKEN) == "the-token"
        assert token.text() == ""
        assert "the-token" not in (tmp_path / "settings.json").read_text()
        click(find(page, QPushButton, "chromaTokenForget"))
        await until(lambda: token.placeholderText() == "None")
        assert await world.secrets.get(CHROMA_TOKEN) is None


def test_a_server_address_is_a_server_and_nothing_else() -> None:
    good = ["http://localhost:8000", "https://chroma.example", "http://[::1]:8000", "http://10.0.0.2:8000/"]
    bad = [
        "localhost:8000",
        "ftp://a",
        "http://",
        "http://a:b@c",
        "http://a/path",
        "http://a?x",
        "http://a:99999",
        "http://a b",
    ]
    assert [url for url in good if not is_server_address(url)] == []
    assert [url for url in bad if is_server_address(url)] == []


async def test_the_page_leads_to_the_memories(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        click(find(page, QPushButton, "openMemoryPage"))
        await until(lambda: world.presenter.memory.is_open)


def test_more_memories_than_are_counted_stay_more_in_another_language(qapp: QApplication) -> None:
    page = MemoryPage(ThemeManager(qapp, AppearanceSettings(), "en"))
    page.show_count(999, is_more=True)
    page.retranslate()
    assert "999+ memories" in [label.accessibleName() or label.text() for label in page.findChildren(QLabel)]


async def test_nothing_is_cut_off(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        settings = world.settings.settings
        memory = dataclasses.replace(settings.memory, embedder=EmbedderKind.ENDPOINT).paused()
        world.settings.update(dataclasses.replace(settings, endpoints=(ENDPOINT,), memory=memory))
        page = await opened(world)
        set_appearance(world, theme=Theme.DARK, font_size=16)
        open_settings(world).resize(700, 600)
        await until(lambda: clipped_texts(page) == [])
