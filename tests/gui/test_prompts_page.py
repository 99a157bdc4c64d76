"""The page Prompts of the settings: written, changed, moved, deleted with Undo, searched, taken in from files and written."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QWidget

from desktop.conversation.prompts import transfer
from desktop.conversation.prompts.entities import MOST_PROMPTS
from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from desktop.ui.prompts.edit_dialog import PromptEditDialog
from desktop.ui.prompts.examples import examples
from desktop.ui.settings.prompts_page import PromptsPage
from desktop.ui.settings.prompts_presenter import PromptsPresenter
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.walks import unnamed
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


class Shown:
    """The page with what tests do to it."""

    def __init__(self, world: WindowWorld, settings: SettingsWindow) -> None:
        self.world, self.settings = world, settings
        page = settings.page("prompts")
        assert isinstance(page, PromptsPage)
        self.page = page
        self.library = PromptLibrary(world.store.prompts)

    def press(self, name: str) -> None:
        button = self.page.findChild(QPushButton, name)
        assert button is not None
        assert button.isVisible(), name
        button.click()

    def names(self) -> list[str]:
        model = self.page.model
        return [str(model.index(row).data()) for row in range(model.rowCount())]

    def chosen(self) -> list[str]:
        return [prompt.name for prompt in self.page.list.chosen()]

    def choose(self, *names: str) -> None:
        self.page.choose([prompt.id for prompt in self.page.model.all if prompt.name in names])

    def dialog(self) -> PromptEditDialog:
        found = [dialog for dialog in self.settings.findChildren(PromptEditDialog) if dialog.isVisible()]
        assert len(found) == 1
        return found[0]

    def presenter(self) -> PromptsPresenter:
        found = self.page.findChild(PromptsPresenter)
        assert found is not None
        return found

    def toast(self) -> str:
        label = self.settings.toast.findChild(QLabel, "toastText")
        assert label is not None
        return label.text()


@asynccontextmanager
async def opened(app: QApplication, folder: Path, *names: str) -> AsyncGenerator[Shown, None]:
    async with window_world(app, folder) as world:
        await PromptLibrary(world.store.prompts).take_in([PromptDraft(name, f"Text of {name}") for name in names])
        world.presenter.open_settings("prompts")
        shown = Shown(world, open_settings(world))
        for _ in range(200):
            if len(shown.page.model.all) == len(names):
                break
            await asyncio.sleep(0.01)
        yield shown


async def test_an_empty_library_offers_examples(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path) as shown:
        assert unnamed(shown.page) == []
        assert not shown.page.list.isVisible()
        shown.press("addPromptExamples")
        await until(lambda: shown.names() == [draft.name for draft in examples()])
        assert unnamed(shown.page) == []
        await until(lambda: shown.toast() == "6 prompts added")
        shown.settings.toast.act()
        await until(lambda: shown.names() == [])


async def test_a_prompt_is_written_and_changed(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path) as shown:
        shown.press("newPrompt")
        dialog = shown.dialog()
        assert unnamed(dialog) == []
        save = dialog.findChild(QPushButton, "promptSave")
        name, text = dialog.findChild(QLineEdit, "promptName"), dialog.findChild(QPlainTextEdit, "promptText")
        assert save is not None
        assert name is not None
        assert text is not None
        assert not save.isEnabled()
        QTest.keyClicks(name, "Sum")
        QTest.keyClicks(text, "In {{n=3}} {{kind:words|lines}}")
        gaps = dialog.findChild(QLabel, "promptGaps")
        assert gaps is not None
        assert gaps.accessibleName() == "To fill in: n (3), kind (words | lines)"
        QTest.keyClick(name, Qt.Key.Key_Return)
        await until(lambda: shown.names() == ["Sum"] and shown.chosen() == ["Sum"])
        QTest.keyClick(shown.page.list, Qt.Key.Key_Return)
        dialog = shown.dialog()
        name = dialog.findChild(QLineEdit, "promptName")
        assert name is not None
        name.setText("Short")
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: shown.names() == ["Short"])


async def test_what_was_deleted_while_it_is_changed_is_kept_as_new(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, "a") as shown:
        shown.choose("a")
        shown.press("editPrompt")
        await shown.library.remove([prompt.id for prompt in await shown.library.all()])
        QTest.keyClick(shown.dialog(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: shown.names() == ["a"])


async def test_a_full_disk_keeps_what_was_written(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path) as shown:
        drafts = [PromptDraft(f"{number}", "x") for number in range(MOST_PROMPTS)]
        await shown.library.take_in(drafts)
        shown.press("newPrompt")
        dialog = shown.dialog()
        for name, words in (("promptName", "New"), ("promptText", "Text")):
            field = dialog.findChild(QWidget, name)
            assert field is not None
            QTest.keyClicks(field, words)
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        problem = dialog.findChild(QLabel, "promptProblem")
        assert problem is not None
        await until(lambda: problem.accessibleName().startswith("Your library is full"))
        assert dialog.draft.text == "Text"
        dialog.reject()


async def test_prompts_are_moved_by_keys_and_sorted_with_undo(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, "b", "c", "a") as shown:
        shown.choose("a")
        QTest.keyClick(shown.page.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        await until(lambda: shown.names() == ["b", "a", "c"])
        assert shown.chosen() == ["a"]
        QTest.keyClick(shown.page.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        await until(lambda: shown.names() == ["a", "b", "c"])
        up = shown.page.findChild(QPushButton, "promptUp")
        assert up is not None
        assert not up.isEnabled()
        shown.choose("a", "b")
        shown.press("promptDown")
        await until(lambda: shown.names() == ["c", "a", "b"])
        shown.page.sort_requested.emit("name")
        await until(lambda: shown.names() == ["a", "b", "c"])
        shown.settings.toast.act()
        await until(lambda: shown.names() == ["c", "a", "b"])
        await shown.library.note_use(shown.page.model.all[2].id)
        shown.world.presenter.open_settings("data")
        shown.world.presenter.open_settings("prompts")
        await until(lambda: shown.page.model.all[2].used_count == 1)
        shown.page.sort_requested.emit("use")
        await until(lambda: shown.names() == ["b", "c", "a"])


async def test_prompts_are_duplicated_deleted_and_brought_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, "a", "b", "c") as shown:
        shown.choose("a")
        shown.press("duplicatePrompt")
        await until(lambda: shown.names() == ["a", "a (2)", "b", "c"] and shown.chosen() == ["a (2)"])
        shown.choose("a (2)", "b")
        QTest.keyClick(shown.page.list, Qt.Key.Key_Delete)
        await until(lambda: shown.names() == ["a", "c"])
        assert shown.toast() == "2 prompts were deleted"
        QTest.keySequence(shown.settings, "Ctrl+Z")
        await until(lambda: shown.names() == ["a", "a (2)", "b", "c"])
        assert sorted(shown.chosen()) == ["a (2)", "b"]


async def test_the_search_narrows_the_list(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, "Sum up", "周报总结", "Letter") as shown:
        shown.page.search_field.setText("总")
        assert shown.names() == ["周报总结"]
        for name in ("promptUp", "promptDown"):
            button = shown.page.findChild(QPushButton, name)
            assert button is not None
            assert not button.isEnabled()
        shown.page.search_field.setText("of lett")
        assert shown.names() == ["Letter"]
        shown.page.search_field.setText("nothing like it")
        assert shown.names() == []
        assert not shown.page.list.isVisible()
        shown.choose("Sum up")
        assert shown.page.search_field.text() == ""
        assert shown.chosen() == ["Sum up"]


async def test_files_are_taken_in_merged_and_told(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path / "data", "a") as shown:
        file, bad = tmp_path / "prompts.json", tmp_path / "bad.json"
        entries = [{"title": "a", "content": "Text of a"}, {"title": "a", "content": "Other"}, {"title": "x"}]
        file.write_text(json.dumps(entries))
        bad.write_text("{")
        shown.presenter().take_files([file])
        await until(lambda: shown.names() == ["a", "a (2)"])
        await until(lambda: shown.toast() == "1 prompt added. 1 was there already. 1 could not be read")
        shown.settings.toast.act()
        await until(lambda: shown.names() == ["a"])
        shown.presenter().take_files([bad])
        label = "incomplete or damaged"
        await until(lambda: any(label in text.text() for text in shown.settings.notices.findChildren(QLabel)))
        shown.presenter().take_files([tmp_path / "gone.json"])
        await until(lambda: any("gone.json" in text.text() for text in shown.settings.notices.findChildren(QLabel)))
        assert shown.names() == ["a"]


async def test_files_are_written(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path / "data", "a", "b", "c") as shown:
        await shown.presenter().write_file(tmp_path / "all.json", "json")
        found = transfer.read((tmp_path / "all.json").read_bytes(), "all.json")
        assert [draft.name for draft in found.drafts] == ["a", "b", "c"]
        shown.choose("a", "c")
        await shown.presenter().write_file(tmp_path / "some.md", "md")
        assert (tmp_path / "some.md").read_text().startswith("# Prompts\n\n## a\n")
        found = transfer.read((tmp_path / "some.md").read_bytes(), "some.md")
        assert [draft.name for draft in found.drafts] == ["a", "c"]
        assert shown.toast() == "2 prompts exported to some.md"
        shown.press("exportPrompts")
        menu = shown.page.findChild(QMenu, "promptExportMenu")
        assert menu is not None
        assert len(menu.actions()) == 2
        menu.close()


async def test_thousands_are_shown_at_once(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path) as shown:
        await shown.library.take_in([PromptDraft(f"Prompt {n}", "x" * 1000) for n in range(MOST_PROMPTS)])
        shown.world.presenter.open_settings("data")
        shown.world.presenter.open_settings("prompts")
        await until(lambda: shown.page.model.rowCount() == MOST_PROMPTS)
        shown.page.search_field.setText("4999")
        assert shown.names() == ["Prompt 4999"]
