"""The user's prompts in the window: after a slash, filled in, saved from a message, as instructions, never sent by itself."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QWidget

from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from desktop.ui.instructions_chip import InstructionsChip
from desktop.ui.prompts.chooser import PromptChooser
from desktop.ui.prompts.edit_dialog import PromptEditDialog
from desktop.ui.prompts.fill_form import FillForm
from desktop.ui.state.offer_rows import OfferKind, OfferSearch, search_at
from tests.gui.test_server_offers import on_paper, popup, press, titles, typed
from tests.support.walks import unnamed
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
SUM = PromptDraft("Sum up briefly", "Sum this up.", "Three sentences")
LETTER = PromptDraft("Letter", "Dear {{name}}, be {{tone:formal|friendly}} in {{city=Berlin}}.")
CHINESE = PromptDraft("周报总结", "写一份周报。")


@asynccontextmanager
async def opened(
    app: QApplication, folder: Path, *drafts: PromptDraft, with_servers: bool = False
) -> AsyncGenerator[tuple[WindowWorld, PromptLibrary], None]:
    async with window_world(app, folder, content=on_paper() if with_servers else None) as world:
        library = PromptLibrary(world.store.prompts)
        await library.take_in(drafts)
        world.presenter.window.show()
        world.presenter.window.activateWindow()
        world.presenter.window.composer.edit.setFocus()
        await asyncio.sleep(0)
        yield world, library


def dialog_of(parent: QWidget, kind: type[W]) -> W:
    found = [dialog for dialog in parent.findChildren(kind) if dialog.isVisible()]
    assert len(found) == 1, found
    return found[0]


def part(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


async def test_a_slash_offers_both_kinds_with_their_sources(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, SUM, CHINESE, with_servers=True) as (world, _library):
        typed(world, "/")
        await until(lambda: len(titles(world)) == 4)
        assert titles(world) == ["Sum up briefly", "周报总结", "Sum up", "Plan a trip"]
        shown = popup(world)
        assert shown is not None
        spoken = [shown.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(4)]
        assert spoken[0] == "Sum up briefly. Your prompts. Three sentences"
        assert spoken[2] == "Sum up. notes. In three sentences."
        typed(world, "sumup")  # a blank would end the search
        assert titles(world) == ["Sum up briefly", "Sum up"]


async def test_chinese_is_found_by_its_characters_and_an_input_method_chooses_nothing(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, SUM, CHINESE) as (world, _library):
        edit = world.presenter.window.composer.edit
        edit.insertPlainText("、")  # the key of the slash in Chinese
        await until(lambda: titles(world) == ["Sum up briefly", "周报总结"])
        preedit = QInputMethodEvent("zhou", [])
        QApplication.sendEvent(edit, preedit)
        press(world, Qt.Key.Key_Return)
        assert world.presenter.window.composer.text == "、"
        commit = QInputMethodEvent()
        commit.setCommitString("周")
        QApplication.sendEvent(edit, commit)
        press(world, Qt.Key.Key_Return)  # the Enter that some input methods pass on
        assert edit.toPlainText() == "、周"
        assert titles(world) == ["周报总结"]
        await asyncio.sleep(0.08)
        press(world, Qt.Key.Key_Return)
        await until(lambda: edit.toPlainText() == "写一份周报。")


async def test_a_choice_stays_when_more_comes_and_a_click_chooses(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, SUM, CHINESE) as (world, library):
        typed(world, "/")
        await until(lambda: len(titles(world)) == 2)
        press(world, Qt.Key.Key_Down)
        shown = popup(world)
        assert shown is not None
        offers = world.presenter.offers
        await library.add(LETTER)
        offers._own = await library.all()  # pyright: ignore[reportPrivateUsage]
        offers._show()  # pyright: ignore[reportPrivateUsage]
        assert titles(world) == ["Sum up briefly", "周报总结", "Letter"]
        assert shown.list.currentRow() == 1
        place = shown.list.visualItemRect(shown.list.item(0)).center()
        QTest.mouseClick(shown.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(lambda: world.presenter.window.composer.text == "Sum this up.")


async def test_a_prompt_is_inserted_undone_counted_and_not_sent(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    long = PromptDraft("Long", "\n".join(f"Line {number}" for number in range(200)))
    async with opened(qapp, tmp_path, SUM, long) as (world, library):
        composer = world.presenter.window.composer
        sent: list[str] = []
        composer.send_requested.connect(sent.append)
        typed(world, "Before")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        typed(world, "/sum")
        await until(lambda: titles(world) == ["Sum up briefly"])
        press(world, Qt.Key.Key_Tab)
        assert composer.text == "Before\nSum this up."
        QTest.keySequence(composer.edit, "Ctrl+Z")
        assert "Sum this up." not in composer.text
        composer.edit.set_text("")
        typed(world, "/long")
        await until(lambda: titles(world) == ["Long"])
        press(world, Qt.Key.Key_Return)
        assert composer.edit.toPlainText() == long.text  # open, although it is long: it is to be changed
        composer.edit.undo()
        assert "Line 7" not in composer.text
        for _ in range(200):
            if sum(prompt.used_count for prompt in await library.all()) == 2:
                break
            await asyncio.sleep(0.01)
        assert [prompt.used_count for prompt in await library.all()] == [1, 1]
        assert sent == []


async def test_gaps_are_filled_in_with_a_preview(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, LETTER) as (world, _library):
        window = world.presenter.window
        typed(world, "/let")
        await until(lambda: titles(world) == ["Letter"])
        press(world, Qt.Key.Key_Return)
        form = dialog_of(window, FillForm)
        assert unnamed(form) == []
        name, tone = part(form, QPlainTextEdit, "gap-name"), part(form, QComboBox, "gap-tone")
        city, preview = part(form, QPlainTextEdit, "gap-city"), part(form, QPlainTextEdit, "fillPreview")
        assert form.focusWidget() is name
        assert preview.toPlainText() == "Dear , be formal in Berlin."
        QTest.keyClicks(name, "Ada")
        QTest.keyClick(name, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(name, "Bob")
        assert name.toPlainText() == "Ada\nBob"
        QApplication.sendEvent(name, QInputMethodEvent("x", []))
        QTest.keyClick(name, Qt.Key.Key_Return)
        assert form.focusWidget() is name  # that was the input method's
        QApplication.sendEvent(name, QInputMethodEvent())
        await asyncio.sleep(0.08)
        QTest.keyClick(name, Qt.Key.Key_Return)
        assert form.focusWidget() is tone
        tone.setCurrentIndex(1)
        assert preview.toPlainText() == "Dear Ada\nBob, be friendly in Berlin."
        city.setFocus()
        QTest.keyClick(city, Qt.Key.Key_Return)
        await until(lambda: window.composer.text == "Dear Ada\nBob, be friendly in Berlin.")
        assert window.findChild(FillForm) is None or not dialog_is_open(window)


def dialog_is_open(window: QWidget) -> bool:
    return any(dialog.isVisible() for dialog in window.findChildren(QDialog))


async def test_a_cancelled_form_inserts_nothing(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, LETTER) as (world, library):
        window = world.presenter.window
        typed(world, "/let")
        await until(lambda: titles(world) == ["Letter"])
        press(world, Qt.Key.Key_Return)
        QTest.keyClick(dialog_of(window, FillForm), Qt.Key.Key_Escape)
        assert window.composer.text == ""
        assert (await library.all())[0].used_count == 0


async def test_the_clipboard_is_read_only_when_it_is_wanted(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prompt = PromptDraft("Fix", "Fix on {{date}}: {{clipboard}} / {{selection}}")
    async with opened(qapp, tmp_path, prompt) as (world, _library):
        QGuiApplication.clipboard().setText("from elsewhere")
        world.presenter.offers.library.selected_text = lambda: "selected words"
        typed(world, "/fix")
        await until(lambda: titles(world) == ["Fix"])
        press(world, Qt.Key.Key_Return)
        form = dialog_of(world.presenter.window, FillForm)
        assert form.findChild(QWidget, "gap-date") is None
        assert "from elsewhere" not in form.text
        assert form.text.endswith(":  / selected words")
        assert "{{" not in form.text
        part(form, QPushButton, "paste-clipboard").click()
        assert form.text.endswith(": from elsewhere / selected words")
        form.reject()


async def test_a_temporary_chat_leaves_no_trace_of_use(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, SUM) as (world, library):
        world.presenter.window.sidebar.temporary_chat_requested.emit()
        await until(lambda: world.presenter.thread_id is not None)
        typed(world, "/sum")
        await until(lambda: titles(world) == ["Sum up briefly"])
        press(world, Qt.Key.Key_Return)
        await until(lambda: world.presenter.window.composer.text == "Sum this up.")
        await asyncio.sleep(0.1)
        assert (await library.all())[0].used_count == 0


async def test_what_is_written_and_what_was_said_become_prompts(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path) as (world, library):
        window = world.presenter.window
        edit = window.composer.edit
        typed(world, "Write {{what}} for me")
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), edit.mapToGlobal(QPoint(5, 5)))
        QApplication.sendEvent(edit, event)
        menu = next(menu for menu in QApplication.topLevelWidgets() if menu.objectName() == "messageMenu")
        assert isinstance(menu, QMenu)
        words = [action.text() for action in menu.actions() if action.text()]
        assert words[-2:] == ["Insert a prompt…", "Save as prompt…"]
        menu.actions()[-1].trigger()
        menu.close()
        dialog = dialog_of(window, PromptEditDialog)
        assert unnamed(dialog) == []
        assert dialog.draft == PromptDraft("Write {{what}} for me", "Write {{what}} for me")
        part(dialog, QLineEdit, "promptName").setText("Writer")
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: not dialog_is_open(window))
        assert [(one.name, one.text) for one in await library.all()] == [("Writer", "Write {{what}} for me")]
        assert window.toast.isVisible()
        thread = await world.add_thread("A question")
        await world.presenter.open_thread(thread)
        answer = (await world.store.threads.path(thread))[1]
        window.transcript.context.actions.prompt_wanted.emit(answer.id)
        await until(lambda: dialog_is_open(window))
        dialog = dialog_of(window, PromptEditDialog)
        assert dialog.draft.text == "Answer to: A question"
        dialog.reject()


async def test_a_prompt_becomes_the_instructions_of_a_chat_and_the_header_shows_them(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, SUM, LETTER) as (world, _library):
        window = world.presenter.window
        thread = await world.add_thread("A question")
        await world.presenter.open_thread(thread)
        chip = part(window, InstructionsChip, "instructionsChip")
        assert not chip.isVisible()
        world.presenter.options.open()
        dialog = dialog_of(window, ThreadOptionsDialog)
        part(dialog, QPushButton, "threadPromptChoice").click()
        await until(lambda: bool(dialog.findChildren(PromptChooser)))
        chooser = dialog_of(dialog, PromptChooser)
        assert unnamed(chooser) == []
        search = part(chooser, QLineEdit, "promptChooserSearch")
        QTest.keyClicks(search, "lett")
        QTest.keyClick(search, Qt.Key.Key_Return)
        form = dialog_of(dialog, FillForm)
        part(form, QPlainTextEdit, "gap-name").setPlainText("<b>Ada</b>")
        part(form, QPushButton, "fillDone").click()
        text = "Dear <b>Ada</b>, be formal in Berlin."
        assert dialog.options.system_prompt == text
        part(dialog, QPlainTextEdit, "threadPrompt").undo()
        assert dialog.options.system_prompt is None
        part(dialog, QPlainTextEdit, "threadPrompt").redo()
        part(dialog, QPushButton, "threadOptionsSave").click()
        await until(chip.isVisible)
        stored = await world.store.threads.get_thread(thread)
        assert stored is not None
        assert stored.options.system_prompt == text
        assert chip.full_text == text
        assert chip.accessibleName() == f"Instructions of this chat: {text}"
        assert "&lt;b&gt;Ada" in chip.toolTip()
        await until(lambda: not dialog_is_open(window))
        chip.click()
        assert dialog_is_open(window)
        dialog_of(window, ThreadOptionsDialog).reject()


@pytest.mark.parametrize("width", [700, 1200])
async def test_the_header_has_room_for_long_instructions(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, width: int
) -> None:
    async with opened(qapp, tmp_path) as (world, _library):
        window = world.presenter.window
        window.resize(width, 600)
        window.sidebar.temporary_chat_requested.emit()
        await until(lambda: world.presenter.options.options.is_temporary and world.presenter.transcript.is_loaded)
        world.presenter.options.change(system_prompt="永远用中文回答。 Always be\u202e brief.\n" * 200)
        chip = part(window, InstructionsChip, "instructionsChip")
        await until(chip.isVisible)
        await asyncio.sleep(0.05)
        header = window.header
        shown = [child for child in header.findChildren(QWidget) if child.isVisible() and child.parent() is header]
        assert all(child.geometry().right() <= header.width() for child in shown)
        assert chip.width() >= 30
        assert header.width() <= window.width()
        assert "<U+202E>" in chip.accessibleName()
        world.presenter.options.change(system_prompt=None)
        assert not chip.isVisible()
        assert world.presenter.options.options.system_prompt is None


SEARCHES = {
    "slash in Chinese": ("、周", 2, True, OfferSearch(OfferKind.PROMPT, 0, 2, "周")),
    "a list in Chinese": ("一、二", 3, True, None),
    "a later line in Chinese": ("、周", 2, False, None),
    "a later line": ("/s", 2, False, OfferSearch(OfferKind.PROMPT, 0, 2, "s")),
    "not at the beginning of a later line": ("x /s", 4, False, None),
}


@pytest.mark.parametrize("case", SEARCHES)
def test_where_a_slash_counts(case: str) -> None:
    line, cursor, is_first, expected = SEARCHES[case]
    assert search_at(line, cursor, is_first_line=is_first) == expected
