"""Changing what was sent, asking again, going between versions, branching off a chat, and the map of all ways."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton, QTreeView, QWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.branches import MessageNode
from desktop.conversation.entities import MessageStatus, Role
from desktop.core.settings import Theme
from desktop.tools.taint import TaintCause
from desktop.ui.branches.dialog import BranchMapDialog
from desktop.ui.header import Header
from desktop.ui.state.branch_map import branch_map
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.answer_switch import AnswerSwitch
from desktop.ui.transcript.row import RowWidget
from tests.support.endpoint import Answer, hold, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import MODELS, SeveralWorld, several_world
from tests.support.waiting import until

K = Qt.Key


def told(request: RecordedRequest) -> Answer:
    """Says how many messages it was sent, and which was the last."""
    said = [m for m in request.body["messages"] if m["role"] != "system"]
    return [text(f"{len(said)} messages, the last: {request.last_user_text}")]


def slowly(request: RecordedRequest) -> Answer:
    return [text(f"On {request.last_user_text}"), hold("alpha"), text(", at last.")]


def sent(request: RecordedRequest) -> list[str]:
    return [str(m["content"]) for m in request.body["messages"] if m["role"] != "system"]


async def ask(world: SeveralWorld, *questions: str) -> None:
    for question in questions:
        world.send(question)
        await until(lambda q=question: any(f"You said: {q}" == words for words in world.shown()))
        await world.all_are_done()
        await until(lambda: world.shown()[-1].startswith("Answer") and ends_with_buttons(world))


def ends_with_buttons(world: SeveralWorld) -> bool:
    """Whether what can be done with it stands below the last answer."""
    buttons = world.window.transcript.viewport().findChildren(QToolButton, "branch-answer")
    seen = [each.mapToGlobal(QPoint()).y() for each in buttons if each.isVisible()]
    rows = [row for row in world.window.transcript.viewport().findChildren(RowWidget) if not row.isHidden()]
    return bool(seen) and max(seen) >= max(row.mapToGlobal(QPoint()).y() for row in rows)


async def texts(world: SeveralWorld) -> list[str]:
    return [message.text for message in await world.path()]


def tool(world: SeveralWorld, name: str, words: str) -> QToolButton:
    """The button of this name in the row of the message that ends so."""
    rows = [row for row in world.window.transcript.viewport().findChildren(RowWidget) if not row.isHidden()]
    ending = [row for row in rows if row.accessibleName().endswith(words)]
    (button,) = [each for row in ending for each in row.findChildren(QToolButton, name) if each.isVisible()]
    return button


def numbers(world: SeveralWorld) -> list[str]:
    """Which versions stand in sight, from the top."""
    labels = [
        *world.window.findChildren(QLabel, "question-number"),
        *world.window.findChildren(QLabel, "answer-number"),
    ]
    seen = [label for label in labels if label.isVisible()]
    return [label.text() for label in sorted(seen, key=lambda label: label.mapToGlobal(QPoint()).y())]


async def test_a_message_is_changed_and_sent_again_and_the_one_before_stays(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        composer = world.window.composer
        await ask(world, "one", "two")
        composer.edit.insertPlainText("a draft")
        tool(world, "edit-question", "one").click()
        await until(lambda: composer.edit.toPlainText() == "one")
        assert world.is_seen("editLine")
        assert composer.edit.hasFocus()
        composer.edit.insertPlainText(" and a half")
        QTest.keyClick(composer.edit, K.Key_Return)
        await until(lambda: "You said: one and a half" in world.shown())
        await world.all_are_done()
        assert composer.edit.toPlainText() == "a draft", "what was being written is there again"
        assert not world.is_seen("editLine")
        assert await texts(world) == ["one and a half", "1 messages, the last: one and a half"]
        assert sent(world.endpoint.requests[-1]) == ["one and a half"]
        await until(lambda: numbers(world) == ["2 of 2"])
        (switch,) = [each for each in world.window.findChildren(AnswerSwitch) if each.isVisible()]
        before = switch.mapToGlobal(QPoint()).y()
        world.press("question-before", switch)
        await until(lambda: "You said: two" in world.shown())
        assert await texts(world) == ["one", "1 messages, the last: one", "two", "3 messages, the last: two"]
        (switch,) = [each for each in world.window.findChildren(AnswerSwitch) if each.isVisible()]
        assert abs(switch.mapToGlobal(QPoint()).y() - before) <= 2, "the message stands where the other one stood"
        QTest.keyClick(world.window, K.Key_Right, Qt.KeyboardModifier.AltModifier)
        await until(lambda: "You said: one and a half" in world.shown())
        assert not world.session.container.chat.runs_of(world.thread_id)


async def test_up_in_the_empty_field_changes_the_last_message_and_escape_leaves_it(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        edit = world.window.composer.edit
        await ask(world, "one", "two")
        QTest.keyClick(edit, K.Key_Up)
        await until(lambda: edit.toPlainText() == "two")
        QTest.keyClick(edit, K.Key_Up)
        assert edit.toPlainText() == "two", "Up within a text moves the cursor"
        QTest.keyClick(edit, K.Key_Escape)
        assert edit.toPlainText() == ""
        assert not world.is_seen("editLine")
        assert not world.window.toast.isVisible(), "nothing was changed"
        QTest.keyClick(edit, K.Key_Up)
        await until(lambda: edit.toPlainText() == "two")
        edit.insertPlainText(" more")
        QTest.keyClick(edit, K.Key_Escape)
        assert edit.toPlainText() == ""
        world.press("toastAction")
        await until(lambda: edit.toPlainText() == "two more")
        assert world.is_seen("editLine")
        QTest.keyClick(edit, K.Key_Escape)
        assert len(await texts(world)) == 4, "nothing was sent"
        edit.insertPlainText("x")
        QTest.keyClick(edit, K.Key_Up)
        assert not world.is_seen("editLine")
        assert len(world.endpoint.requests) == 2


async def test_a_change_survives_another_chat_and_the_end_of_the_program(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one")
        thread_id, edit = world.thread_id, world.window.composer.edit
        tool(world, "edit-question", "one").click()
        await until(lambda: edit.toPlainText() == "one")
        edit.insertPlainText(" changed")
        await world.session.presenter.open_thread(None)
        assert edit.toPlainText() == ""
        assert not world.is_seen("editLine")
        await world.session.presenter.open_thread(thread_id)
        await until(lambda: edit.toPlainText() == "one changed" and world.is_seen("editLine"))
    async with several_world(qapp, tmp_path, told) as world:
        edit = world.window.composer.edit
        await world.session.presenter.open_thread(thread_id)
        await until(lambda: edit.toPlainText() == "one changed" and world.is_seen("editLine"))
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "You said: one changed" in world.shown())
        await world.all_are_done()
        assert await texts(world) == ["one changed", "1 messages, the last: one changed"]
        assert await world.session.container.conversations.edited_message(thread_id) == ""


async def test_a_change_that_is_sent_while_the_answer_runs_stops_it(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, slowly) as world:
        edit = world.window.composer.edit
        world.send("slow")
        await until(lambda: "Answer from alpha: On slow" in world.shown())
        tool(world, "edit-question", "slow").click()
        await until(lambda: edit.toPlainText() == "slow")
        assert "stops" in world.find(QLabel, "editWords").text()
        edit.insertPlainText("er")
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "Answer from alpha: On slower" in world.shown())
        first = (await world.path())[0]
        old, new = await world.session.container.store.threads.beside(first.id)
        assert new == first.id
        (stopped,) = await world.session.container.store.threads.answers(old)
        assert (stopped.status, stopped.text) == (MessageStatus.STOPPED, "On slow")
        world.endpoint.release("alpha")
        await world.all_are_done()
        assert (await texts(world))[-1] == "On slower, at last."


async def test_files_go_along_with_a_change(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        presenter, edit = world.session.presenter.composer, world.window.composer.edit
        for name in ("kept.txt", "left.txt"):
            presenter.files.add_data(name, name.encode())
        await until(lambda: len(presenter.files.parts(presenter.key)) == 2)
        await ask(world, "read these")
        tool(world, "edit-question", "read these").click()
        await until(lambda: len(presenter.files.parts(presenter.key)) == 2)
        chips = [
            each
            for each in world.window.findChildren(QWidget)
            if each.isVisible() and each.accessibleName().startswith("left.txt")
        ]
        assert chips, "the files stand above the text"
        number = next(key for key, part in enumerate(presenter.files.parts(presenter.key)) if part.name == "left.txt")
        list(world.window.composer.files._shown.values())[number].remove_requested.emit()
        await until(lambda: [p.name for p in presenter.files.parts(presenter.key)] == ["kept.txt"])
        edit.insertPlainText(" please")
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "You said: read these please" in world.shown())
        await world.all_are_done()
        question = (await world.path())[0]
        assert [part.name for part in question.attachments] == ["kept.txt"]
        (old, _) = await world.session.container.store.threads.beside(question.id)
        (before,) = await world.session.container.store.threads.messages([old])
        assert [part.name for part in before.attachments] == ["kept.txt", "left.txt"]
        for part in before.attachments:
            path = world.session.container.attachments.original(part.attachment_id)
            assert path is not None
            assert path.read_bytes() == part.name.encode()


async def test_an_answer_is_made_again_by_the_same_model_and_by_another(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one", "two")
        tool(world, "answer-again", "the last: one").click()
        await until(lambda: numbers(world) == ["2 of 2"])
        await world.all_are_done()
        assert await texts(world) == ["one", "1 messages, the last: one"], "what followed stays with the answer before"
        assert sent(world.endpoint.requests[-1]) == ["one"], "no answer knows of those beside it"
        QTest.keyClick(world.window, K.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        await until(lambda: numbers(world) == ["3 of 3"])
        await world.all_are_done()
        assert {request.body["model"] for request in world.endpoint.requests} == {MODELS[0]}
        for number in (2, 1):
            QTest.keyClick(world.window, K.Key_Left, Qt.KeyboardModifier.AltModifier)
            await until(lambda n=number: numbers(world) == [f"{n} of 3"])
        await until(lambda: "You said: two" in world.shown())
        assert (await texts(world))[2:] == ["two", "3 messages, the last: two"]


def menu_words(world: SeveralWorld, words: str) -> Sequence[str]:
    view = world.window.transcript
    rows = [each for each in view.viewport().findChildren(RowWidget) if words in each.accessibleName()]
    place = rows[0].mapTo(view.viewport(), QPoint(20, rows[0].height() // 2))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    menu = next(each for each in world.window.findChildren(QMenu, "transcript-menu") if each.isVisible())
    found = [action.text() for action in menu.actions()]
    menu.close()
    return found


async def test_the_menu_of_a_message_offers_what_can_be_done_with_it(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, slowly) as world:
        world.send("slow")
        await until(lambda: "Answer from alpha: On slow" in world.shown())
        ways, text = ["Go on from here in a new chat", "Map of branches"], ["Copy message", "Save as prompt…"]
        assert menu_words(world, "You said")[3:8] == [*text, "Edit and send again", "Ask this in a new chat", ways[1]]
        assert menu_words(world, "Answer")[3:6] == ["Copy message", "What was sent", ways[1]]
        world.endpoint.release("alpha")
        await world.all_are_done()
        await until(lambda: "Answer again" in menu_words(world, "Answer"))
        assert menu_words(world, "Answer")[3:9] == [*text, "What was sent", "Answer again", *ways]


async def test_a_chat_branches_off_and_leads_back(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one", "two", "three")
        origin = world.thread_id
        await world.session.container.tools.note_foreign_text(origin, TaintCause.WEB_PAGE, "example.org")
        await world.session.container.conversations.rename(origin, "Plans")
        tool(world, "branch-answer", "the last: two").click()
        await until(lambda: world.thread_id != origin and "You said: two" in world.shown())
        made = world.thread_id
        assert (await texts(world))[-2:] == ["two", "3 messages, the last: two"]
        header = world.find(Header, "header")
        assert header.origin.accessibleName() == "Branched from Plans"
        taint = await world.session.container.store.taints.of(made)
        assert taint is not None
        assert taint.cause is TaintCause.BRANCH, "what carries foreign text along says so"
        assert taint.detail == ""
        await ask(world, "elsewhere")
        assert sent(world.endpoint.requests[-1]) == [
            "one",
            "1 messages, the last: one",
            "two",
            "3 messages, the last: two",
            "elsewhere",
        ]
        header.origin.click()
        await until(lambda: world.thread_id == origin and "You said: three" in world.shown())
        assert not header.origin.isVisible()
        assert "You said: elsewhere" not in world.shown()
        await world.session.presenter.open_thread(made)
        await until(header.origin.isVisible)
        await world.session.container.chat.delete_thread(origin)
        await until(lambda: not header.origin.isEnabled())
        await world.session.container.chat.purge_thread(origin)
        await until(lambda: not header.origin.isVisible())
        assert (await texts(world))[-2] == "elsewhere", "the branch stays whole"


async def test_a_message_is_asked_in_a_new_chat(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one", "two")
        origin, edit = world.thread_id, world.window.composer.edit
        tool(world, "branch-question", "two").click()
        await until(lambda: world.thread_id != origin and edit.toPlainText() == "two")
        assert await texts(world) == ["one", "1 messages, the last: one"]
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "You said: two" in world.shown())
        await world.all_are_done()
        assert sent(world.endpoint.requests[-1]) == ["one", "1 messages, the last: one", "two"]


async def test_a_temporary_chat_is_not_branched(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        world.window.sidebar.temporary_chat_requested.emit()
        await until(lambda: world.thread_id)
        await ask(world, "one")
        thread_id = world.thread_id
        tool(world, "branch-answer", "the last: one").click()
        await until(world.window.toast.isVisible)
        assert world.thread_id == thread_id
        assert len(await world.session.container.store.threads.list_threads()) == 0


def lines(tree: QTreeView, parent: QModelIndex | None = None) -> list[str]:
    """The lines in sight of a map, with their places."""
    model, parent = tree.model(), parent or QModelIndex()
    found: list[str] = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        place = index.siblingAtColumn(1).data() or ""
        found.append(f"{index.data()} {place}".strip())
        if tree.isExpanded(index):
            found += [f"  {line}" for line in lines(tree, index)]
    return found


async def test_the_map_shows_all_ways_and_leads_there(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one", "two", "three")
        tool(world, "edit-question", "two").click()
        edit = world.window.composer.edit
        await until(lambda: edit.toPlainText() == "two")
        edit.insertPlainText(" again")
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "You said: two again" in world.shown())
        await world.all_are_done()
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(world.window, K.Key_B, both)
        branches = world.session.presenter.branches
        await until(lambda: branches.dialog is not None and branches.dialog.isVisible())
        dialog = branches.dialog
        assert isinstance(dialog, BranchMapDialog)
        tree = dialog.tree
        await until(tree.hasFocus)
        assert lines(tree) == [
            "You: one", "alpha: 1 messages, the last: one", "You: two 1 of 2", "You: two again 2 of 2",
            "alpha: 3 messages, the last: two again",
        ]  # fmt: skip
        spoken = [tree.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in (2, 3)]
        assert spoken == ["You: two, 1 of 2, on another way, 4 messages", "You: two again, 2 of 2, shown now"]
        tree.setCurrentIndex(tree.model().index(2, 0))
        QTest.keyClick(tree, K.Key_Right)
        assert lines(tree)[3:6] == [
            "  alpha: 3 messages, the last: two",
            "  You: three",
            "  alpha: 5 messages, the last: three",
        ]
        QTest.keyClick(tree, K.Key_Right)
        QTest.keyClick(tree, K.Key_Down)
        assert tree.currentIndex().data() == "You: three"
        QTest.keyClick(tree, K.Key_Return)
        await until(lambda: branches.dialog is None and "You said: three" in world.shown())
        assert (await texts(world))[-2:] == ["three", "5 messages, the last: three"]
        assert await world.session.container.store.threads.beside((await world.path())[2].id)
        # Escape leaves everything as it is, and the map opens at what is shown now.
        world.press("question-map")
        await until(lambda: branches.dialog is not None and branches.dialog.isVisible())
        assert branches.dialog is not None
        assert branches.dialog.tree.currentIndex().data() == "You: two"
        QTest.keyClick(branches.dialog, K.Key_Escape)
        await until(lambda: branches.dialog is None)


async def test_what_a_search_found_on_another_way_is_shown_by_going_there(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one", "needle")
        tool(world, "edit-question", "needle").click()
        edit = world.window.composer.edit
        await until(lambda: edit.toPlainText() == "needle")
        edit.selectAll()
        edit.insertPlainText("other")
        QTest.keyClick(edit, K.Key_Return)
        await until(lambda: "You said: other" in world.shown())
        await world.all_are_done()
        hits = await world.session.container.conversations.search("needle")
        (hit,) = [each for each in hits if each.role is Role.USER]
        world.session.presenter.sidebar.open_requested.emit(hit.thread_id, hit.message_id)
        await until(lambda: "You said: needle" in world.shown())
        assert (await texts(world))[2] == "needle"


@pytest.mark.parametrize("name", ["edit-question", "copy-question", "branch-question"])
async def test_the_tools_of_a_message_are_seen_when_somebody_is_near(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, name: str
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        await ask(world, "one")
        button = tool(world, name, "You said: one")
        row = next(each for each in world.window.findChildren(RowWidget) if "You said" in each.accessibleName())
        QTest.mouseMove(world.window, QPoint(1, 1))

        def is_painted() -> bool:
            image = button.grab().toImage()
            return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 1

        await until(lambda: not is_painted())
        QTest.mouseMove(row, QPoint(row.width() - 30, 10))
        await until(is_painted)
        QTest.mouseMove(world.window, QPoint(1, 1))
        await until(lambda: not is_painted())
        button.setFocus(Qt.FocusReason.TabFocusReason)
        await until(is_painted)


def test_a_map_of_a_thousand_messages_is_led_by_keys(qapp: QApplication) -> None:
    """Every tenth message was changed once: of each place there are two ways, and the newer one is shown."""
    nodes: list[MessageNode] = []
    tip: str | None = None
    for number in range(1000):
        for version in (1, 2) if number % 20 == 10 else (2,):
            made = MessageNode(
                id=f"{number}.{version}",
                parent_id=tip,
                role=Role.ASSISTANT if number % 2 else Role.USER,
                status=MessageStatus.COMPLETE,
                beginning=f"message {number} <b>{version}</b>",
                model="alpha",
                created_at=datetime(2026, 11, 30, tzinfo=UTC),
                is_on_path=version == 2,
                shown=number * 2 + version,
            )
            nodes.append(made)
        tip = nodes[-1].id
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    window = QWidget()
    window.resize(700, 600)
    window.show()
    dialog = BranchMapDialog(window, theme)
    went: list[str] = []
    dialog.chosen.connect(went.append)
    dialog.show_map(branch_map(nodes), "500.2")
    dialog.open()
    tree = dialog.tree
    assert tree.currentIndex().data() == "You: message 500 <b>2</b>"
    assert tree.visualRect(tree.currentIndex()).intersects(tree.viewport().rect())
    assert dialog.width() <= window.width()
    QTest.keyClick(tree, K.Key_Home)
    assert tree.currentIndex().data() == "You: message 0 <b>2</b>"
    for _ in range(2):
        QTest.keyClick(tree, K.Key_Down)
    assert tree.currentIndex().data() == "6 messages", "a stretch without a branch is one line"
    QTest.keyClick(tree, K.Key_Space)
    QTest.keyClick(tree, K.Key_Down)
    assert tree.currentIndex().data() == "You: message 2 <b>2</b>"
    button = dialog.findChild(QPushButton, "branchMapUnfold")
    assert button is not None
    button.click()
    everything = lines(tree)
    assert len([line for line in everything if "message " in line]) == len(nodes)
    assert everything.count("You: message 10 <b>1</b> 1 of 2") == 1
    QTest.keyClick(tree, K.Key_End)
    QTest.keyClick(tree, K.Key_Return)
    assert went == ["999.2"]
    window.close()
    window.deleteLater()
    theme.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


async def test_a_change_is_answered_by_several_models_side_by_side(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, told) as world:
        edit = world.window.composer.edit
        world.choose_all()
        world.send("one")
        await until(lambda: len(world.columns()) == 3)
        await world.all_are_done()
        QTest.keyClick(edit, K.Key_Up)
        await until(lambda: edit.toPlainText() == "one")
        edit.insertPlainText(" more")
        QTest.keyClick(edit, K.Key_Return)
        await until(  # for a moment neither page is there
            lambda: (
                world.is_seen("comparison-question")
                and world.find(QLabel, "comparison-question").text() == "one more"
                and len(world.columns()) == 3
            )
        )
        await world.all_are_done()
        await until(lambda: set(world.texts()) == {"1 messages, the last: one more"})
        assert (await texts(world))[0] == "one more"
        question = (await world.path())[0]
        assert (question.answer_number, question.answer_count) == (2, 2)
