"""Memory without a mouse: its page, what an answer was told, what was sent, the summary, documents, the meter's window."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from desktop.conversation.summaries import Summary
from desktop.core.receipt import Receipt
from desktop.memory.document_service import ReadingState
from desktop.memory.documents import DocumentRoot, DocumentState, RootSummary
from desktop.memory.entities import MemoryItem, MemorySource, MemoryStatus
from desktop.ui.composer.window_popup import WindowPopup
from desktop.ui.inspector.dialog import InspectorDialog
from desktop.ui.memory.edit_dialog import MemoryEditDialog
from desktop.ui.memory.import_dialog import MemoryImportDialog
from desktop.ui.memory.receipts import ReceiptDialog
from desktop.ui.settings.documents_page import DocumentsPage
from desktop.ui.state.context_meter import ContextFill, Shares
from desktop.ui.transcript.summary_dialog import SummaryDialog
from tests.gui.test_inspector import full_record
from tests.gui.test_memory_page_in_place import choose, opened
from tests.support.memory_items import item
from tests.support.settings_world import open_settings
from tests.support.waiting import until
from tests.support.walks import out_of_order, unnamed, walk, without_ring
from tests.support.window_world import WindowWorld, window_world

pytestmark = pytest.mark.usefixtures("qloop")
W = TypeVar("W", bound=QWidget)


async def said(world: WindowWorld, text: str, **fields: object) -> MemoryItem:
    thread_id = await world.add_thread("I keep bees", title="On the roof")
    message = (await world.store.threads.path(thread_id))[0]
    return item(text, source=MemorySource(thread_id=thread_id, message_id=message.id, quote="I keep bees"), **fields)


def checked(root: QWidget) -> list[str]:
    """Walk through, see that all is well, and return where it went by."""
    assert unnamed(root) == []
    way = walk(root)
    assert out_of_order(way, root) == []
    assert without_ring(way) == []
    return [widget.objectName() for widget in way]


async def test_the_page_is_walked_from_its_search_to_the_last_button(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        waits = item("Reads two newspapers", status=MemoryStatus.PENDING)
        await world.memory.add([waits])
        page = await opened(world, await said(world, "Keeps bees"))
        await until(page.window().isActiveWindow)
        choose(page, 0)
        page.search.setFocus()
        way = checked(page)
        wanted = (
            *("memoryBack", "memoryPause", "memoryWrite", "memoryMore", f"tray-accept-{waits.id}", "memorySearch"),
            *("memoryStatus-active", "memoryKindFilter", "memoryList", "memory-pin", "memory-edit", "memory-forget"),
        )
        assert [name for name in way if name in wanted] == list(wanted)


async def test_the_windows_of_memory_are_walked(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        window, now = world.presenter.window, datetime.now(UTC)
        summary = Summary(
            id="s", thread_id="t", until_id="m", text="They spoke of boats.", created_at=now, updated_at=now, model="a"
        )
        inspector = InspectorDialog(window, world.theme)
        inspector.show_requests([full_record(), full_record()], is_running=False)
        dialogs: tuple[QDialog, ...] = (
            MemoryEditDialog(window, await said(world, "Keeps bees"), in_a_chat=True),
            MemoryImportDialog(window, world.theme, "list.md", [], None),
            ReceiptDialog(Receipt(items=2, words=3), world.theme, window),
            SummaryDialog(summary, world.theme, window, is_off=False),
            inspector,
        )
        for dialog in dialogs:
            dialog.open()
            await until(dialog.isActiveWindow)
            name = type(dialog).__name__
            assert len(checked(dialog)) >= 1, name
            dialog.close()


async def test_the_page_of_documents_is_walked(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("documents")
        await until(lambda: open_settings(world).isActiveWindow())
        page = open_settings(world).page("documents")
        assert isinstance(page, DocumentsPage)
        roots = [
            DocumentRoot(id=name, path=Path("/home/user") / name, is_folder=False, added_at=datetime.now(UTC))
            for name in ("lease.pdf", "rules.md")
        ]
        page.show_documents(
            [RootSummary(root=root, states={DocumentState.READY: 1}, pieces=3) for root in roots], {}, ReadingState()
        )
        stop = page.findChild(QWidget, "addDocuments")
        assert stop is not None
        stop.setFocus()
        way = checked(page)
        wanted = ("addDocuments", "addDocumentFolder", "removeDocument-lease.pdf", "openDocument-rules.md")
        assert [name for name in way if name in wanted] == list(wanted)


async def test_what_the_window_is_made_of_is_read_out(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        popup = WindowPopup(world.theme, world.presenter.window)
        popup.show_fill(ContextFill(1_200, 8_000, Shares(system=200, summary=300, messages=700, answer=1_600)))
        assert popup.accessibleName()
        said_of_it = popup.accessibleDescription()
        assert "Messages of this chat: 700" in said_of_it
        assert "tokens" in said_of_it, "in what the figures are"
