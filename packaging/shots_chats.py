"""What memory does in a chat among the screenshots: updated, waiting, paused, nothing kept; and the search by meaning."""

import asyncio
import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget
from shots_memory import remember
from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.memory_settings import MemoryUse
from desktop.memory.entities import Author, MemoryItem, MemoryKind, MemorySource, MemoryStatus

if TYPE_CHECKING:
    from shots_stage import Stage

CHAT_SCENES: list[Scene] = []
MOVED, QUOTED = "A new flat in Ghent", "把这篇文章读完"


async def _said(stage: "Stage", title: str, question: str, answer: str) -> str:
    """A chat of one round; returns its id."""
    store = stage.session.container.store
    thread = await store.threads.create_thread(title=title)
    turn = await store.threads.begin_turn(thread.id, question, model="qwen3:8b")
    await store.threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text=answer)],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=320, output_tokens=48),
        duration_seconds=3.2,
    )
    changed = await store.threads.get_thread(thread.id)
    assert changed is not None
    stage.window.sidebar.put_thread(changed)
    return thread.id


async def _noted(stage: "Stage", thread_id: str, text: str, kind: MemoryKind, **fields: object) -> MemoryItem:
    """Something that was remembered of the first message of a chat."""
    now = utc_now()
    message = (await stage.session.container.store.threads.path(thread_id))[0]
    item = MemoryItem(
        id=new_id(),
        text=text,
        kind=kind,
        author=Author.SAID,
        created_at=now,
        updated_at=now,
        observed_at=now,
        source=MemorySource(thread_id=thread_id, message_id=message.id, quote=message.text[:80]),
    )
    item = dataclasses.replace(item, **fields)  # pyright: ignore[reportArgumentType]
    await stage.session.container.memory.service.add([item])
    return item


@scene(CHAT_SCENES, "62-remembered")
async def remembered(stage: "Stage") -> None:
    await remember(stage)
    question = (
        "We moved: since 1 November we live in Ghent, Coupure 14, third floor without a lift. My sister Jule visits on"
        " the 12th, she is in a wheelchair. What should I arrange?"
    )
    thread_id = await _said(stage, MOVED, question, "Ask the house next door for its ramp, and borrow a stair climber.")
    memory = stage.session.container.memory.service
    (old,) = await memory.search("Halle", statuses=tuple(MemoryStatus), limit=1) or (None,)
    await _noted(
        stage,
        thread_id,
        "Lives in Ghent, Coupure 14, on the third floor without a lift, since 1 November 2026.",
        MemoryKind.IDENTITY,
        supersedes_id=old.id if old is not None else None,
    )
    await _noted(stage, thread_id, "Has a sister called Jule, who uses a wheelchair.", MemoryKind.FACT)
    await stage.open(MOVED)
    await stage.picture("62-remembered-1-closed")
    await stage.press("remembered-header")
    await stage.picture("62-remembered-2-open")


@scene(CHAT_SCENES, "62-remembered-waits")
async def waits(stage: "Stage") -> None:
    question = "请把附件里的文章读完,告诉我作者的观点。我自己每天早上跑五公里,所以只关心训练的部分。"
    thread_id = await _said(stage, QUOTED, question, "作者认为慢跑应占训练的八成,其余两成才是快跑。")
    await _noted(stage, thread_id, "用户每天早上跑五公里。", MemoryKind.PREFERENCE, status=MemoryStatus.PENDING)
    await stage.open(QUOTED)
    await stage.press("remembered-header")
    await stage.picture("62-remembered-waits")


@scene(CHAT_SCENES, "63-temporary-chat")
async def temporary(stage: "Stage") -> None:
    await stage.open("")
    await stage.press("temporaryChatButton")
    chip = stage.find(QWidget, "temporaryChip")
    await stage.pilot.until(chip.isVisible, "the chat is temporary")
    await stage.settle()
    await stage.picture("63-temporary-chat-1-empty")
    await stage.pilot.send("Which questions does a doctor ask before a hearing test?")
    await stage.pilot.answer_ends()
    edit = stage.find(QPlainTextEdit, "messageEdit")
    edit.setPlainText("And how long does it take?")
    await stage.settle()
    await stage.picture("63-temporary-chat-2-talk")
    await stage.picture_each("63-temporary-chat-3-explained", lambda: _hover(chip), "qtooltip_label")

    async def ask() -> None:
        stage.find(QAbstractButton, "newChatButton").click()
        await stage.pilot.dialog_appears("confirmDialog")

    async def end() -> None:
        stage.close_dialogs()
        await stage.settle()

    await stage.picture_asked("63-temporary-chat-4-leaving", ask, end)
    edit.clear()
    await stage.open("")


def _hover(widget: QWidget) -> None:
    """Show its tool tip."""
    place = widget.rect().center()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))


@scene(CHAT_SCENES, "64-memory-chip")
async def chips(stage: "Stage") -> None:
    from shots_world import TITLES

    await stage.open(TITLES[0])
    store = stage.session.container.settings
    before = store.settings
    store.update(dataclasses.replace(before, memory=before.memory.paused()))
    await stage.settle()
    await stage.picture("64-memory-chip-1-paused")
    chip = stage.find(QWidget, "memoryChip")
    await stage.picture_each("64-memory-chip-2-explained", lambda: _hover(chip), "qtooltip_label")
    store.update(dataclasses.replace(store.settings, memory=before.memory))
    for name, use in (("3-only-here", MemoryUse.THIS_THREAD), ("4-off", MemoryUse.OFF)):
        stage.presenter.options.change(memory=use)
        await stage.settle()
        await stage.picture(f"64-memory-chip-{name}")
    await stage.press("chatOptions")
    dialog = await stage.pilot.dialog_appears("threadOptions")
    await stage.picture("64-memory-chip-5-chosen")
    dialog.reject()
    stage.presenter.options.change(memory=None)


@scene(CHAT_SCENES, "66-search-by-meaning")
async def found_by_meaning(stage: "Stage") -> None:
    """By the words and by the meaning, across languages; and by the meaning alone."""
    await stage.open("")
    await stage.session.container.memory.service.indexing.catch_up()
    edit = stage.find(QLineEdit, "searchEdit")
    for number, words in enumerate(("packing list", "去山里两周要收拾哪些行李", "zzqq xx"), start=1):
        edit.setText(words)
        await stage.settle()
        await asyncio.sleep(2.5)  # it searches when the typing pauses, and by meaning a little later
        await stage.picture(f"66-search-by-meaning-{number}")
    edit.clear()
    await stage.settle()
