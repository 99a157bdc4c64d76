"""Your assistants in the settings and in a chat: made, changed, deleted with Undo, exchanged, chosen by list and palette."""

import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QMenu, QPlainTextEdit, QPushButton

from desktop.conversation.assistants import transfer
from desktop.conversation.assistants.entities import MOST_ASSISTANTS, Assistant, AssistantMemory
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.ui.assistants.edit_dialog import AssistantEditDialog
from desktop.ui.palette.actions import possible_actions
from desktop.ui.settings.assistants_page import AssistantsPage
from desktop.ui.settings.assistants_presenter import AssistantsPresenter
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.walks import unnamed
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


class Shown:
    """The page with what tests do to it."""

    def __init__(self, world: WindowWorld, settings: SettingsWindow, library: AssistantLibrary) -> None:
        self.world, self.settings, self.library = world, settings, library
        page = settings.page("assistants")
        assert isinstance(page, AssistantsPage)
        self.page = page

    def press(self, name: str) -> None:
        button = self.page.findChild(QPushButton, name)
        assert button is not None
        assert button.isVisible(), name
        button.click()

    def names(self) -> list[str]:
        return [row.name for row in self.page.model.all]

    def choose(self, *names: str) -> None:
        self.page.choose([row.id for row in self.page.model.all if row.name in names])

    def dialog(self) -> AssistantEditDialog:
        (found,) = [dialog for dialog in self.settings.findChildren(AssistantEditDialog) if dialog.isVisible()]
        return found

    def presenter(self) -> AssistantsPresenter:
        found = self.page.findChild(AssistantsPresenter)
        assert found is not None
        return found

    def toast(self) -> str:
        label = self.settings.toast.findChild(QLabel, "toastText")
        assert label is not None
        return label.text()


@asynccontextmanager
async def opened(app: QApplication, folder: Path, *names: str) -> AsyncGenerator[Shown, None]:
    async with window_world(app, folder) as world:
        library = world.presenter.features.assistants.library
        await library.take_in([Assistant(id=f"id-{name}", name=name) for name in names])
        world.presenter.open_settings("assistants")
        yield Shown(world, open_settings(world), library)


def text_of(dialog: AssistantEditDialog, name: str) -> QLineEdit:
    field = dialog.findChild(QLineEdit, name)
    assert field is not None
    return field


async def test_examples_work_together(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path) as shown:
        assert unnamed(shown.page) == []
        shown.press("addAssistantExamples")
        await until(lambda: shown.names() == ["Coordinator", "Researcher", "Editor"])
        chief, researcher, editor = shown.library.known
        assert chief.helpers == (researcher.id, editor.id)
        assert "3 assistants added" in shown.toast()


async def test_one_is_made_and_changed(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, "Other") as shown:
        shown.press("newAssistant")
        dialog = shown.dialog()
        assert unnamed(dialog) == []
        text_of(dialog, "assistantName").setText("  Researcher ")
        text_of(dialog, "assistantDescription").setText("finds facts")
        instructions = dialog.findChild(QPlainTextEdit, "assistantInstructions")
        assert instructions is not None
        instructions.setPlainText("Find facts.\nName sources.")
        for name in ("assistantMemory-own_chats", "assistantSave"):
            if name == "assistantSave":
                box = dialog.findChild(QCheckBox, "assistantHelpers-id-Other")
                assert box is not None
                box.setChecked(True)
            button = dialog.findChild(QPushButton, name)
            assert button is not None
            button.click()
        await until(lambda: shown.names() == ["Other", "Researcher"])
        made = shown.library.known[1]
        assert (made.name, made.description, made.instructions) == (
            "Researcher", "finds facts", "Find facts.\nName sources.",
        )  # fmt: skip
        assert (made.memory, made.tools, made.helpers) == (AssistantMemory.OWN_CHATS, None, ("id-Other",))
        shown.choose("Researcher")
        shown.press("editAssistant")
        dialog = shown.dialog()
        text_of(dialog, "assistantName").setText("other")
        dialog.save_requested.emit(dialog.draft)
        problem = dialog.findChild(QLabel, "assistantProblem")
        assert problem is not None
        await until(lambda: "has this name" in problem.text())
        text_of(dialog, "assistantName").setText("Librarian")
        dialog.save_requested.emit(dialog.draft)
        await until(lambda: shown.names() == ["Other", "Librarian"])
        assert shown.library.known[1].id == made.id


async def test_the_form_of_a_tool_choice_keeps_what_nobody_offers_any_more(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path) as shown:
        await shown.library.add(Assistant(id="", name="A", tools=("gone/look",), endpoint_id="old", model="m"))
        shown.choose("A")
        shown.press("editAssistant")
        draft = shown.dialog().draft
        assert (draft.tools, draft.endpoint_id, draft.model) == (("gone/look",), "old", "m")


async def test_deleting_can_be_undone_and_says_which_chats_go_on(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, "A", "B", "C") as shown:
        presenter = shown.world.presenter
        thread = await shown.world.add_thread("hello")
        await presenter.open_thread(thread)
        presenter.features.assistants.choose("id-B")
        button = presenter.window.composer.model_bar.assistants
        await until(lambda: "Assistant: B" in button.accessibleName())
        stored = shown.world.store.threads
        for _ in range(100):
            found = await stored.get_thread(thread)
            if found is not None and found.options.assistant is not None:
                break
        shown.choose("B")
        shown.press("deleteAssistant")
        await until(lambda: shown.names() == ["A", "C"])
        assert "1 chat goes on with it as it was" in shown.toast()
        assert button.accessibleName() == "Assistant: B (deleted)"
        undo = shown.settings.toast.findChild(QPushButton, "toastAction")
        assert undo is not None
        undo.click()
        await until(lambda: shown.names() == ["A", "B", "C"])
        assert button.accessibleName() == "Assistant: B"


async def test_moved_and_duplicated(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, "A", "B") as shown:
        shown.choose("B")
        shown.press("assistantUp")
        await until(lambda: shown.names() == ["B", "A"])
        shown.press("duplicateAssistant")
        await until(lambda: shown.names() == ["B", "B (2)", "A"])


async def test_written_to_a_file_and_taken_in_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path / "here") as shown:
        helper = await shown.library.add(Assistant(id="", name="H", endpoint_id="e", model="m"))
        assert helper is not None
        await shown.library.add(Assistant(id="", name="A", instructions="Say A.", helpers=(helper.id,), most_steps=3))
        file = tmp_path / "a.json"
        await shown.presenter().write_file(file)
        before = shown.library.known
        await shown.library.remove([one.id for one in before])
        shown.presenter().take_files([file])
        await until(lambda: shown.names() == ["H", "A"])
        taken = {one.name: one for one in shown.library.known}
        assert (taken["A"].instructions, taken["A"].most_steps) == ("Say A.", 3)
        assert taken["A"].helpers == (taken["H"].id,)
        assert (taken["H"].endpoint_id, taken["H"].model) == (None, None)
        shown.presenter().take_files([file])
        await until(lambda: "2 were there already" in shown.toast())


def test_a_file_is_believed_nothing() -> None:
    wrong: list[object] = [
        {},
        [],
        {"format": transfer.FORMAT, "version": 1, "assistants": [{"id": "x", "name": ""}, 7, {"name": "n" * 500}]},
        {"format": transfer.FORMAT, "version": 1, "assistants": [{"id": "x", "name": "a", "most_steps": 10**9}]},
        {"format": transfer.FORMAT, "version": 1, "assistants": [{"id": "x", "name": "a", "helpers": ["y"] * 999}]},
    ]
    for content in wrong:
        assert transfer.read(json.dumps(content).encode()).problem is transfer.Problem.NOTHING
    newer = {"format": transfer.FORMAT, "version": 2, "assistants": []}
    assert transfer.read(json.dumps(newer).encode()).problem is transfer.Problem.NEWER
    for data in (b"\xff\xfe\x00", b"{", b"[" * 100_000, b""):
        assert transfer.read(data).problem is transfer.Problem.DAMAGED
    assert transfer.read(b" " * (transfer.MOST_BYTES + 1)).problem is transfer.Problem.TOO_LARGE


async def test_chosen_by_the_list_and_the_palette_and_kept_with_the_chat(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, "A", "B") as shown:
        presenter = shown.world.presenter
        window, button = presenter.window, presenter.window.composer.model_bar.assistants
        assert button.accessibleName() == "Assistant: No assistant"
        button.click()
        menu = window.findChild(QMenu, "assistantMenu")
        assert menu is not None
        next(action for action in menu.actions() if action.text() == "B").trigger()
        menu.hide()
        await until(lambda: button.accessibleName() == "Assistant: B")
        kept = await shown.world.store.threads.load_new_thread_options()
        await until(lambda: presenter.options.options.assistant is not None)
        actions = {one.id: one for one in possible_actions(window, chat=None, open_settings=presenter.open_settings)}
        assert "assistant:id-B" not in actions
        actions["assistant:id-A"].act()
        await until(lambda: button.accessibleName() == "Assistant: A")
        actions["assistant:"].act()
        await until(lambda: button.accessibleName() == "Assistant: No assistant")
        assert kept.assistant is None or kept.assistant.name == "B"


async def test_a_full_library_takes_no_more(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path) as shown:
        drafts = [Assistant(id=f"i{n}", name=f"n{n}") for n in range(MOST_ASSISTANTS + 3)]
        taken = await shown.library.take_in(drafts)
        assert (len(taken.added), taken.left_out) == (MOST_ASSISTANTS, 3)
        shown.choose("n0")
        shown.press("duplicateAssistant")
        words = "There is no room for more assistants"
        await until(lambda: any(label.text() == words for label in shown.settings.findChildren(QLabel)))
        assert len(shown.library.known) == MOST_ASSISTANTS
