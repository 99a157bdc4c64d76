"""The approval dialog shows exactly what would run, and nothing but a deliberate click allows it."""

from collections.abc import Awaitable, Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from desktop.app.event_loop import QtLoop
from desktop.core.settings import Theme
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, Choice, Ending, Finding
from desktop.ui.controls import IconLabel
from desktop.ui.dialogs.approval_dialog import ApprovalDialog
from desktop.ui.dialogs.arming import Arming
from tests.support.dialog_world import DialogWorld, approval, click, dialog_world, tool
from tests.support.marked_language import marked_language

Until = Callable[[Callable[[], object]], Awaitable[None]]
ALLOW = ("approve_once", "approve_thread", "approve_always")


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


async def shown(world: DialogWorld, until: Until, request: ApprovalRequest, *, armed: bool = True) -> ApprovalDialog:
    """Open the dialog and wait until it is armed; with ``armed`` False it never will be by itself."""
    dialog = ApprovalDialog(world.window, world.theme, request, 0 if armed else 3_600_000)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    if armed:
        await until(lambda: dialog.armed)
    return dialog


def box_text(world: DialogWorld) -> str:
    return world.find(QPlainTextEdit, "approval_text").toPlainText()


async def test_it_shows_who_what_where_and_how_long(world: DialogWorld, until: Until) -> None:
    findings = (Finding(code="network", detail="curl"), Finding(code="deletes", detail="rm -rf build", severe=True))
    request = approval(
        {"command": "curl x | sh; rm -rf build"}, findings=findings, title="旅行计划", model="qwen3:8b\u202ex"
    )
    dialog = await shown(world, until, request)
    assert world.text("headline") == "Run a command"
    assert world.text("subline") == "execute_command_local · command server (built in)"
    assert box_text(world) == "curl x | sh; rm -rf build"
    assert world.text("fact_model") == "Asked for by: qwen3:8b<U+202E>x"
    assert world.text("fact_folder") == "Folder: /home/mei/工作 space"
    assert world.text("fact_timeout") == "Time limit: 10 seconds"
    assert "No sandbox" in world.text("fact_sandbox")
    assert world.text("fact_thread") == "Chat: 旅行计划"
    rows = [w.objectName() for w in dialog.findChildren(QWidget) if w.objectName().startswith("finding_")]
    assert rows == ["finding_deletes", "finding_network"], "what is severe comes first"
    assert world.find(QWidget, "finding_deletes").property("role") == "severe"
    dialog.take_back()


async def test_its_icons_follow_the_theme_while_it_is_open(world: DialogWorld, until: Until) -> None:
    finding = Finding(code="deletes", detail="rm -rf build", severe=True)
    dialog = await shown(world, until, approval({"command": "rm -rf build"}, findings=(finding,)))
    icons = [icon for icon in dialog.findChildren(IconLabel) if icon.isVisible()]
    before = [icon.pixmap().toImage() for icon in icons]
    assert len(icons) >= 2
    world.theme.set_theme(Theme.DARK)
    assert all(icon.pixmap().toImage() != old for icon, old in zip(icons, before, strict=True))
    world.theme.set_theme(Theme.LIGHT)
    dialog.take_back()


@pytest.mark.parametrize(
    ("button", "choice"),
    [
        ("refuse", Choice.REFUSE),
        ("approve_once", Choice.ALLOW_ONCE),
        ("approve_thread", Choice.ALLOW_THREAD),
        ("approve_always", Choice.ALLOW_ALWAYS),
    ],
)
async def test_each_button_is_its_answer(world: DialogWorld, until: Until, button: str, choice: Choice) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    await until(lambda: world.is_enabled(button))
    world.click(button)
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert (dialog.answer.choice, dialog.answer.ending) == (choice, Ending.ANSWERED)
    assert dialog.answer.shown_seconds > 0
    assert not dialog.isVisible()


async def test_escape_and_closing_are_a_cancel(world: DialogWorld, until: Until) -> None:
    for leave in (lambda d: QTest.keyClick(d, Qt.Key.Key_Escape), lambda d: d.close()):
        dialog = await shown(world, until, approval({"command": "ls"}))
        leave(dialog)
        assert isinstance(dialog.answer, ApprovalAnswer)
        assert (dialog.answer.choice, dialog.answer.ending) == (Choice.REFUSE, Ending.CANCELLED)
        assert not dialog.isVisible()


async def test_escape_in_the_text_is_a_cancel(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    QTest.keyClick(dialog.text, Qt.Key.Key_Escape)
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert dialog.answer.ending is Ending.CANCELLED


async def test_enter_does_nothing_wherever_the_focus_is(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    await until(lambda: world.is_enabled("approve_once"))
    dialog.set_waiting_count(1)
    await until(lambda: world.is_enabled("approve_once"))
    places = [dialog, dialog.text, *dialog.findChildren(QPushButton)]
    assert len(places) == 9
    for place in places:
        place.setFocus()
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            QTest.keyClick(place, key)
            QTest.keyClick(place, key, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()
    assert dialog.answer is None
    assert not any(b.isDefault() or b.autoDefault() for b in dialog.findChildren(QPushButton))
    dialog.take_back()


def reason_field(world: DialogWorld) -> QPlainTextEdit:
    return world.find(QPlainTextEdit, "refuse_reason")


@pytest.mark.parametrize("by", ["button", "Ctrl+Enter"])
async def test_a_refusal_can_say_why(world: DialogWorld, until: Until, by: str) -> None:
    dialog = await shown(world, until, approval({"command": "rm -r photos"}))
    dialog.move(dialog.x(), 150)
    await until(lambda: world.is_enabled("approve_once"))
    allow, field = world.find(QPushButton, "approve_once"), reason_field(world)
    place = allow.mapToGlobal(QPoint(0, 0))
    assert not field.isVisible()
    world.click("refuse_say_why")
    assert dialog.focusWidget() is field
    await until(lambda: field.height() > 20)
    assert allow.mapToGlobal(QPoint(0, 0)) == place, "no button moves under the pointer"
    assert dialog.armed
    assert not world.find(QPushButton, "refuse_say_why").isVisible()
    QTest.keyClicks(field, "move them")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "to the trash ")
    assert dialog.answer is None
    if by == "button":
        world.click("refuse")
    else:
        QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert (dialog.answer.choice, dialog.answer.ending) == (Choice.REFUSE, Ending.ANSWERED)
    assert dialog.answer.reason == "move them\nto the trash"


async def test_a_reason_that_was_begun_changes_nothing_else(world: DialogWorld, until: Until) -> None:
    for leave, expected in (
        (lambda d: QTest.keyClick(reason_field(world), Qt.Key.Key_Escape), (Choice.REFUSE, Ending.CANCELLED)),
        (lambda d: d.close(), (Choice.REFUSE, Ending.CANCELLED)),
        (lambda d: world.click("approve_once"), (Choice.ALLOW_ONCE, Ending.ANSWERED)),
    ):
        dialog = await shown(world, until, approval({"command": "ls"}))
        world.click("refuse_say_why")
        QTest.keyClicks(reason_field(world), "because  y ")
        assert dialog.answer is None
        await until(lambda: world.is_enabled("approve_once"))
        leave(dialog)
        assert isinstance(dialog.answer, ApprovalAnswer)
        assert (dialog.answer.choice, dialog.answer.ending) == expected
        assert dialog.answer.reason == ""


async def test_refusing_with_a_reason_never_waits(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}), armed=False)
    world.click("refuse_say_why")
    QTest.keyClick(reason_field(world), Qt.Key.Key_Enter, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert (dialog.answer.choice, dialog.answer.reason) == (Choice.REFUSE, "")


async def test_what_is_typed_when_it_appears_allows_nothing(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    assert dialog.focusWidget() is dialog.text
    QTest.keyClicks(dialog.focusWidget(), "yes please y ")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.answer is None
    assert box_text(world) == "ls"
    dialog.take_back()


async def test_nothing_can_be_allowed_before_it_stood_still(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}), armed=False)
    await until(lambda: dialog.text.end_was_shown)
    assert [world.is_enabled(name) for name in ALLOW] == [False, False, False]
    for name in ALLOW:
        world.click(name)
        world.find(QPushButton, name).setFocus()
        QTest.keyClick(world.find(QPushButton, name), Qt.Key.Key_Space)
    assert dialog.answer is None
    assert world.is_enabled("refuse"), "refusing never waits"
    world.click("refuse")
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert dialog.answer.choice is Choice.REFUSE


@pytest.mark.parametrize("change", ["move", "resize"])
async def test_it_must_stand_still_again_after_a_change(world: DialogWorld, until: Until, change: str) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    await until(lambda: world.is_enabled("approve_once"))
    usual = world.text("hint")
    if change == "move":
        dialog.move(dialog.x() + 40, dialog.y() + 30)
    else:
        dialog.resize(dialog.width() + 50, dialog.height() + 50)
    assert not dialog.armed
    assert not world.is_enabled("approve_once")
    assert world.text("hint").startswith("One moment"), "it says why"
    await until(lambda: world.is_enabled("approve_once"))
    assert world.text("hint") == usual
    dialog.take_back()


async def test_another_question_that_waits_moves_no_button_and_lets_a_press_count(
    world: DialogWorld, until: Until
) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    dialog.move(dialog.x(), 200)
    await until(lambda: world.is_enabled("approve_once"))
    button = world.find(QPushButton, "approve_once")
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    dialog.set_waiting_count(1)
    dialog.set_waiting_count(0)
    dialog.set_waiting_count(2)
    assert dialog.armed
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert dialog.answer.choice is Choice.ALLOW_ONCE


def set_delay(dialog: ApprovalDialog, milliseconds: int) -> None:
    """From now on it has to stand still so long."""
    arming = dialog.findChild(Arming)
    assert arming is not None
    timer = arming.findChild(QTimer)
    assert timer is not None
    timer.setInterval(milliseconds)


async def test_changes_made_at_once_count_only_where_the_buttons_end_up_elsewhere(
    world: DialogWorld, until: Until
) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    arming = dialog.findChild(Arming)
    assert arming is not None
    with arming.one_change():
        dialog.move(dialog.x() + 10, dialog.y())
        dialog.move(dialog.x() - 10, dialog.y())
    assert dialog.armed
    with arming.one_change():
        dialog.move(dialog.x() + 10, dialog.y())
    assert not dialog.armed
    dialog.take_back()


async def test_behind_another_window_it_says_that_it_waits_and_the_click_after_counts(
    world: DialogWorld, until: Until
) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    await until(lambda: world.is_enabled("approve_once"))
    button = world.find(QPushButton, "approve_once")
    button.setFocus()
    set_delay(dialog, 3_600_000)
    other = QWidget()
    other.show()
    other.activateWindow()
    await until(lambda: not dialog.isActiveWindow())
    assert [world.is_enabled(name) for name in ALLOW] == [False, False, False]
    assert world.is_enabled("refuse")
    assert world.text("hint").startswith("Go to this window first")
    world.click("approve_once")
    assert dialog.answer is None
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Space)
    assert dialog.answer is None, "the focus did not go to Refuse meanwhile"
    assert world.text("hint").startswith("One moment")
    set_delay(dialog, 0)
    await until(lambda: world.is_enabled("approve_once"))
    assert button.hasFocus(), "it is where it was"
    world.click("approve_once")
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert dialog.answer.choice is Choice.ALLOW_ONCE
    other.close()
    other.deleteLater()


async def test_a_desktop_that_leaves_the_focus_in_the_window_below_lets_the_first_click_count(
    world: DialogWorld, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as below:
        below.setattr(QApplication, "activeWindow", lambda: world.window)
        dialog = await shown(world, until, approval({"command": "ls"}))
        await until(lambda: world.is_enabled("approve_once"))
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))  # by the click
    world.click("approve_once")
    assert isinstance(dialog.answer, ApprovalAnswer)


async def test_a_desktop_that_tells_nobody_which_window_is_in_front_is_asked_by_a_click(
    world: DialogWorld, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)
    dialog = await shown(world, until, approval({"command": "ls"}), armed=False)
    set_delay(dialog, 0)
    dialog.move(dialog.x() + 10, dialog.y())
    await until(lambda: world.text("hint").startswith("Go to this window first"))
    button = world.find(QPushButton, "approve_once")

    def click_there() -> None:
        place = button.mapTo(dialog, button.rect().center())
        QTest.mouseClick(dialog.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    click_there()
    assert dialog.answer is None
    await until(lambda: world.is_enabled("approve_once"))
    click_there()
    assert isinstance(dialog.answer, ApprovalAnswer)


async def test_a_long_text_must_be_scrolled_to_its_end(world: DialogWorld, until: Until) -> None:
    command = "\n".join(f"echo line {i}" for i in range(300)) + "; rm -rf ~"
    dialog = await shown(world, until, approval({"command": command}))
    assert box_text(world) == command, "nothing is cut"
    assert [world.is_enabled(name) for name in ALLOW] == [False, False, False]
    assert "Scroll to the end" in world.text("hint")
    bar = dialog.text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    dialog.text.viewport().repaint()
    assert not dialog.text.end_was_shown
    QTest.keyClick(dialog.text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: world.is_enabled("approve_once"))
    assert not world.is_enabled("approve_always"), "too long for a permission for good"
    assert "too long" in world.text("hint")
    dialog.take_back()


async def test_lines_are_numbered_and_pieces_of_long_ones_are_not(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "echo a\n" + "b" * 2500 + "\n"}))
    assert [line.number for line in dialog.text.lines] == [1, 2, None, None, 3]
    assert "".join(line.text for line in dialog.text.lines) == "echo a" + "b" * 2500
    assert dialog.text.gutter_width() > 0
    dialog.take_back()


async def test_deceptive_characters_are_tokens_and_named_in_red(world: DialogWorld, until: Until) -> None:
    command = "rm \u202egpj.sh\x1b[2K\r; l\u200bs   x"
    dialog = await shown(world, until, approval({"command": command}))
    assert box_text(world) == "rm <U+202E>gpj.sh<ESC>[2K<CR>; l<U+200B>s<SPACE×3>x"
    row = world.find(QWidget, "finding_hidden_characters")
    assert row.property("role") == "severe"
    words = " ".join(label.accessibleName() for label in row.findChildren(QLabel))
    assert "<U+202E>" in words
    assert "<LT>" not in words
    block = dialog.text.document().firstBlock()
    coloured = [r for r in block.layout().formats() if r.format.foreground().color().name() == "#b3261e"]
    assert [block.text()[r.start : r.start + r.length] for r in coloured] == [
        "<U+202E>",
        "<ESC>",
        "<CR>",
        "<U+200B>",
        "<SPACE×3>",
    ]
    dialog.take_back()


async def test_a_tool_of_a_server_shows_its_arguments_and_the_servers_words(world: DialogWorld, until: Until) -> None:
    arguments = {"path": "/tmp/<b>x</b>", "deep": {"list": [1, 2]}, "文": "a\nb\u202e"}
    said = "Writes a file.\n<b>Always allowed</b> <img src=x>"
    request = approval(arguments, of=tool(name="write\u202e_file", title="Write", description=said))
    dialog = await shown(world, until, request)
    assert world.text("headline") == "Use the tool “write<U+202E>_file”"
    assert world.text("subline") == "Server “files”, which you added"
    text = box_text(world)
    assert '"path": "/tmp/<b>x</b>"' in text
    assert "      1,\n      2\n" in text, "indentation is no token"
    assert "<U+202E>" in text
    assert world.find(QPlainTextEdit, "server_words").toPlainText() == f"Write\n{said}"
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in dialog.findChildren(QLabel) if label.text())
    dialog.take_back()


async def test_what_a_built_in_tool_is_for_is_said_in_the_language(
    qapp: QApplication, world: DialogWorld, until: Until
) -> None:
    of_server = tool(name="get_date", server="command", bundled=True, description="Return the date.")
    for request, words in (
        (approval({"command": "ls"}), "«Runs a command on this computer and tells the model what it printed."),
        (approval({}, of=of_server), "«Tells the model the date, the weekday and the time of this computer."),
    ):
        with marked_language(qapp):
            dialog = await shown(world, until, request)
            assert world.find(QPlainTextEdit, "server_words").toPlainText() == words
            dialog.take_back()
        await until(lambda: world.dialogs() == [])


async def test_choices_that_are_not_offered(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}, may_allow_thread=False, may_allow_always=False))
    await until(lambda: world.is_enabled("approve_once"))
    assert world.find(QPushButton, "approve_thread").isHidden()
    assert not world.is_enabled("approve_always")
    assert "not offered" in world.text("hint")
    world.click("approve_always")
    assert dialog.answer is None
    dialog.take_back()


async def test_others_that_wait_are_counted_and_can_be_refused_together(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    asked: list[bool] = []
    dialog.refuse_all_requested.connect(lambda: asked.append(True))
    assert not world.find(QPushButton, "refuse_all").isVisible()
    dialog.set_waiting_count(3)
    assert world.text("waiting") == "3 more waiting"
    click(world.find(QPushButton, "refuse_all"))
    assert asked == [True]
    dialog.set_waiting_count(0)
    assert not world.find(QPushButton, "refuse_all").isVisible()
    dialog.take_back()


async def test_the_row_of_those_that_wait_takes_no_room_from_the_command(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"a": 1, "b": 2, "c": 3}, of=tool(description="It writes. " * 60)))
    height, box = dialog.height(), dialog.text.height()
    refuse = world.find(QPushButton, "refuse")
    place = refuse.mapToGlobal(refuse.rect().topLeft())
    dialog.set_waiting_count(2)
    await until(lambda: dialog.height() > height and world.find(QPushButton, "refuse_all").height() > 0)
    await until(lambda: dialog.text.height() == box)
    assert refuse.mapToGlobal(refuse.rect().topLeft()) == place, "no button moves under the pointer"
    dialog.set_waiting_count(0)
    await until(lambda: dialog.height() == height)
    assert refuse.mapToGlobal(refuse.rect().topLeft()) == place
    dialog.take_back()


async def test_what_a_tool_is_for_is_shown_without_a_bar_of_its_own(world: DialogWorld, until: Until) -> None:
    said = "\n".join(f"line {number}" for number in range(20))
    dialog = await shown(world, until, approval({"path": "a"}, of=tool(title="Write", description=said)))
    words = world.find(QPlainTextEdit, "server_words")
    assert words.toPlainText() == f"Write\n{said}"
    assert words.verticalScrollBar().maximum() == 0
    dialog.take_back()


async def test_taking_it_back_gives_no_answer(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls"}))
    ended: list[int] = []
    dialog.finished.connect(ended.append)
    dialog.take_back()
    assert ended
    assert dialog.answer is None


@pytest.mark.parametrize("size", [(480, 280), (480, 420), (640, 480), (1600, 1100)])
async def test_it_keeps_its_buttons_in_view_at_every_size(
    world: DialogWorld, until: Until, size: tuple[int, int]
) -> None:
    command = "\n".join(f"echo {i} {'long ' * 40}" for i in range(80))
    findings = tuple(Finding(code="writes", detail=f"/very/long/path/{'x' * 200}/{i}") for i in range(12))
    dialog = await shown(world, until, approval({"command": command}, findings=findings, title="标题" * 100))
    dialog.resize(*size)
    await until(lambda: dialog.armed)
    assert dialog.width() == size[0], "nothing inside forces it wider"
    for button in dialog.findChildren(QPushButton):
        if button.isVisible():
            corner = button.mapTo(dialog, button.rect().bottomRight())
            assert dialog.rect().contains(corner), button.objectName()
            assert button.width() >= button.minimumSizeHint().width(), button.objectName()
    assert dialog.text.height() >= 3 * dialog.text.fontMetrics().lineSpacing()
    dialog.take_back()


async def test_a_megabyte_opens_and_shows_its_end(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "x" * 1_000_000 + " end"}))
    dialog.text.moveCursor(QTextCursor.MoveOperation.End)
    await until(lambda: world.is_enabled("approve_once"))
    assert box_text(world).replace("\n", "").endswith("x end")
    dialog.take_back()


async def test_every_control_has_a_name_and_colours_follow_the_theme(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, approval({"command": "ls \u202e"}))
    named = [*dialog.findChildren(QPushButton), *dialog.findChildren(QPlainTextEdit)]
    assert all(control.accessibleName() and control.objectName() for control in named)
    world.theme.set_theme(Theme.DARK)
    block = dialog.text.document().firstBlock()
    assert {r.format.foreground().color().name() for r in block.layout().formats()} == {"#ff8a82"}
    dialog.take_back()


async def test_red_warnings_below_the_fold_must_be_seen_before_it_can_be_allowed(
    world: DialogWorld, until: Until
) -> None:
    severe = tuple(Finding(code=f"made_up_{number}", detail="x", severe=True) for number in range(40))
    dialog = await shown(world, until, approval({"command": "true"}, findings=severe))
    assert not any(world.is_enabled(name) for name in ALLOW)
    assert "red warnings" in world.text("hint")
    bar = world.find(QScrollArea, "approval_details").verticalScrollBar()
    for place in range(0, bar.maximum() + 1, 40):
        bar.setValue(place)
    bar.setValue(bar.maximum())
    await until(lambda: world.is_enabled("approve_once"))
    dialog.take_back()


async def test_a_jump_over_red_warnings_does_not_count_as_seeing_them(world: DialogWorld, until: Until) -> None:
    severe = tuple(Finding(code=f"made_up_{number}", detail="x", severe=True) for number in range(40))
    dialog = await shown(world, until, approval({"command": "true"}, findings=severe))
    bar = world.find(QScrollArea, "approval_details").verticalScrollBar()
    bar.setValue(bar.maximum())
    assert not world.is_enabled("approve_once")
    dialog.take_back()


async def test_who_asks_the_folder_and_the_sandbox_never_scroll_away(world: DialogWorld, until: Until) -> None:
    many = tuple(Finding(code=f"made_up_{number}", detail="x") for number in range(40))
    request = approval({"command": "\n".join(["true"] * 60)}, findings=many, model="m")
    dialog = await shown(world, until, request, armed=False)
    dialog.resize(dialog.width(), dialog.minimumSizeHint().height())
    for name in ("fact_model", "fact_folder", "fact_sandbox"):
        label = world.find(QLabel, name)
        assert not world.find(QScrollArea, "approval_details").isAncestorOf(label)
        assert label.visibleRegion().boundingRect() == label.rect()
    dialog.take_back()
