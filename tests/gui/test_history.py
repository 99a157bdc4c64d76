"""The history of decisions and calls with real clicks on a real store: what it shows, finds, copies and leads to."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QListView, QPushButton, QToolButton

from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.core.settings import Theme
from desktop.storage.store import Store
from desktop.tools.entities import CallState, Choice, Ending, Grant, GrantScope
from desktop.tools.ledger import LedgerVerdict
from desktop.tools.policy import Reason
from desktop.tools.server_sampling import SAMPLING_REASON
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.history_words import _REASONS, call_line, details
from desktop.ui.settings.history_dialog import HistoryDialog
from desktop.ui.settings.history_presenter import PAGE
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.scripted_gateway import shell_tool
from tests.support.settings_world import open_settings, set_appearance
from tests.support.stores import opened as opened_store
from tests.support.transcript_world import child as find
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

SHELL = "command__execute_command_local"


async def record(
    store: Store,
    thread_id: str,
    arguments: str,
    *,
    name: str = SHELL,
    decided_by: str = "user",
    choice: Choice | None = Choice.ALLOW_ONCE,
    ending: Ending | None = Ending.ANSWERED,
    reason: str = Reason.NO_GRANT,
    status: str = "ok",
) -> str:
    """Put a call with its decision and its end on disk, as the tool service does."""
    turn, call_id = await store.threads.begin_turn(thread_id, "?", model="m"), new_id()
    await store.journal.propose(call_id, turn_id=turn.turn_id, thread_id=thread_id, name=name, arguments=arguments)
    if decided_by:
        await store.journal.decide(
            call_id,
            state=CallState.DENIED if status == "denied" else CallState.RUNNING,
            server_id=name.partition("__")[0],
            digest="d",
            choice=choice,
            ending=ending,
            decided_by=decided_by,
            shown_seconds=1.0,
            reason=reason,
        )
    await store.journal.finish(call_id, status=status, result="the result", duration_seconds=1.5)
    return call_id


async def opened(world: WindowWorld, button: str = "openHistory") -> HistoryDialog:
    world.presenter.open_settings("permissions")
    window = open_settings(world)
    await until(lambda: window.findChild(QPushButton, button) is not None)
    click(find(window, QPushButton, button))
    await until(lambda: bool(window.findChildren(HistoryDialog)))
    dialog = window.findChildren(HistoryDialog)[-1]
    await until(lambda: dialog.last_number is not None and find(dialog, QComboBox, "historyServer").count() > 1)
    return dialog


def listed(dialog: HistoryDialog) -> list[str]:
    model = find(dialog, QListView, "historyList").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def shown(dialog: HistoryDialog) -> str:
    return find(dialog, PlainBox, "historyDetails").toPlainText()


async def test_every_decision_says_what_by_whom_and_why(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread = await world.store.threads.create_thread()
        await world.store.threads.rename_thread(thread.id, "Garden", by_user=True)
        await record(world.store, thread.id, '{"command":"rm -rf a\u202eb","timeout":10}')
        await record(
            world.store,
            thread.id,
            '{"path":"/x"}',
            name="files__read",
            decided_by="policy",
            choice=None,
            ending=None,
            reason=Reason.BLOCKED,
            status="denied",
        )
        await record(world.store, thread.id, "{broken", name="files__read", decided_by="", status="error")
        await record(world.store, thread.id, '{"command":"ls"}', choice=Choice.REFUSE, status="denied")
        dialog = await opened(world)
        assert listed(dialog) == ["ls", "{broken", '{"path":"/x"}', "rm -rf a<U+202E>b"]
        assert "Refused by you" in shown(dialog)
        view = find(dialog, QListView, "historyList")
        view.setCurrentIndex(view.model().index(3, 0))
        text = shown(dialog)
        for words in ("Garden", "execute_command_local · command", "Allowed by you", "No permission covered it."):
            assert words in text
        assert "Done · 1.5 s" in text
        assert "Exact command:\nrm -rf a<U+202E>b\n" in text
        assert "the result" in text
        click(find(dialog, QPushButton, "historyCopy"))
        assert QGuiApplication.clipboard().text() == text
        view.setCurrentIndex(view.model().index(2, 0))
        assert "Refused by a rule" in shown(dialog)
        assert "blocked in the settings" in shown(dialog)
        view.setCurrentIndex(view.model().index(1, 0))
        assert "Not decided" in shown(dialog)
        assert clipped_texts(dialog) == []
        seen: list[str] = []
        dialog.thread_requested.connect(seen.append)
        click(find(dialog, QPushButton, "historyOpen"))
        assert seen == [thread.id]


async def test_it_is_narrowed_down_and_searched(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread = await world.store.threads.create_thread()
        await record(world.store, thread.id, '{"command":"make tea"}')
        await record(world.store, thread.id, '{"command":"make coffee"}', choice=Choice.REFUSE, status="denied")
        await record(world.store, thread.id, '{"path":"/tea"}', name="files__read", decided_by="", status="error")
        dialog = await opened(world)
        search, server = find(dialog, QLineEdit, "historySearch"), find(dialog, QComboBox, "historyServer")
        verdict = find(dialog, QComboBox, "historyVerdict")
        search.setText("tea")
        await until(lambda: listed(dialog) == ['{"path":"/tea"}', "make tea"])
        verdict.setCurrentIndex(verdict.findData(LedgerVerdict.ALLOWED.value))
        verdict.activated.emit(verdict.currentIndex())
        await until(lambda: listed(dialog) == ["make tea"])
        search.clear()
        verdict.setCurrentIndex(verdict.findData(LedgerVerdict.REFUSED.value))
        verdict.activated.emit(verdict.currentIndex())
        await until(lambda: listed(dialog) == ["make coffee"])
        server.setCurrentIndex(server.findData("command"))
        search.setText("nowhere")
        await until(lambda: listed(dialog) == [])
        assert find(dialog, QLabel, "historyNothing").isVisible()
        assert not find(dialog, QPushButton, "historyOpen").isEnabled()


async def test_a_long_history_is_read_in_pages(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread = await world.store.threads.create_thread()
        for number in range(PAGE + 5):
            await record(world.store, thread.id, f'{{"command":"echo {number}"}}')
        dialog = await opened(world)
        assert len(listed(dialog)) == PAGE
        find(dialog, QListView, "historyList").scrollToBottom()
        await until(lambda: len(listed(dialog)) == PAGE + 5)
        assert listed(dialog)[-1] == "echo 0"


async def test_a_permission_leads_to_its_uses(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread, tool = await world.store.threads.create_thread(), shell_tool()
        given = Grant(
            id="g1",
            scope=GrantScope.ALWAYS,
            thread_id=None,
            server_id=tool.server_id,
            tool_name=tool.name,
            definition_hash=tool.definition_hash,
            digest="d",
            summary="ls -l",
            created_at=utc_now(),
        )
        await world.store.grants.add(given)
        await world.store.grants.mark_used("g1")
        await record(world.store, thread.id, '{"command":"other"}')
        await record(
            world.store,
            thread.id,
            '{"command":"ls -l"}',
            decided_by="grant:g1",
            choice=None,
            ending=None,
            reason=Reason.GRANT,
        )
        dialog = await opened(world, "grantUses-g1")
        assert listed(dialog) == ["ls -l"]
        assert "Allowed by a permission" in shown(dialog)


async def test_what_was_purged_is_gone(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        kept, gone = await world.store.threads.create_thread(), await world.store.threads.create_thread()
        await record(world.store, gone.id, '{"command":"echo secret"}')
        await record(world.store, kept.id, '{"command":"echo kept"}')
        await world.store.threads.purge_thread(gone.id)
        assert listed(await opened(world)) == ["echo kept"]


def test_every_reason_has_words() -> None:
    assert set(_REASONS) == {*Reason, SAMPLING_REASON}


async def test_the_cross_of_a_search_field_follows_the_theme(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path, theme=Theme.DARK) as world:
        world.presenter.open_settings("permissions")
        field = find(open_settings(world), QLineEdit, "settingsSearch")
        field.setText("x")

        def cross() -> bytes:
            button = next(b for b in field.findChildren(QToolButton) if b.isVisible())
            picture = button.icon().pixmap(32, 32).toImage()
            return bytes(picture.constBits())

        dark = cross()
        set_appearance(world, theme=Theme.LIGHT)
        await until(lambda: cross() != dark)
        set_appearance(world, theme=Theme.DARK)
        await until(lambda: cross() == dark)


async def test_a_name_that_is_given_twice_hides_nothing(qapp: QApplication, tmp_path: Path) -> None:
    async with opened_store(tmp_path) as store:
        thread = await store.threads.create_thread()
        for name, twice in ((SHELL, '{"command": "rm x", "command": "ls"}'), ("a__b", '{"path": "/x", "path": "/y"}')):
            await record(store, thread.id, twice, name=name, status="error")
            entry = (await store.ledger.search())[0]
            assert call_line(entry) == twice
            assert twice in details(entry)
