"""Permissions beyond one call: chosen in the dialog, read in the settings; and foreign text, said where it counts."""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget

from desktop.app.event_loop import QtLoop
from desktop.core.clock import utc_now
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, Choice, Lasting
from desktop.tools.grant_patterns import ArgumentPattern, ArgumentRule, ArgumentTest, CommandPattern
from desktop.tools.taint import Taint, TaintCause
from desktop.ui.dialogs.approval_dialog import ApprovalDialog
from desktop.ui.foreign_text_chip import ForeignTextChip
from tests.gui.test_permissions_page import find, grant, list_tools, opened, rows
from tests.support.dialog_world import DialogWorld, approval, dialog_world
from tests.support.scripted_gateway import shell_tool, tool
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
MKDIR = CommandPattern(program="mkdir", flags=("-p",), folder="/home/mei/工作 space")
NOW = datetime(2026, 5, 1, tzinfo=UTC)
WRITE = tool("write_file")


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


async def shown(world: DialogWorld, until: Until, request: ApprovalRequest) -> ApprovalDialog:
    dialog = ApprovalDialog(world.window, world.theme, request, 0)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    await until(lambda: dialog.armed)
    return dialog


async def test_more_than_this_call_is_allowed_by_choice_only(world: DialogWorld, until: Until) -> None:
    request = replace(approval({"command": "mkdir -p out"}), patterns=(MKDIR,))
    dialog = await shown(world, until, request)
    assert not dialog.lasting.isVisible()
    why, more = (world.find(QPushButton, name) for name in ("refuse_say_why", "more_ways"))
    assert 0 < more.x() - why.geometry().right() < 40  # side by side, from the left
    world.click("more_ways")
    await until(dialog.lasting.isVisible)
    await until(lambda: dialog.armed)
    coverage = world.find(QComboBox, "lasting_coverage")
    assert [coverage.itemText(i) for i in range(coverage.count())] == [
        "what is said above",
        "“mkdir” with -p on files in this folder",
    ]
    coverage.setCurrentIndex(1)
    world.find(QComboBox, "lasting_until").setCurrentIndex(2)
    await until(lambda: world.is_enabled("approve_always"))
    assert "“mkdir” with -p" in world.text("hint")
    world.click("approve_always")
    assert dialog.answer == ApprovalAnswer(
        choice=Choice.ALLOW_ALWAYS,
        pattern=MKDIR,
        lasting=Lasting.DAY,
        shown_seconds=dialog.answer.shown_seconds,  # type: ignore[union-attr]
    )


async def test_allowing_once_gives_nothing_that_lasts(world: DialogWorld, until: Until) -> None:
    dialog = await shown(world, until, replace(approval({"command": "mkdir -p out"}), patterns=(MKDIR,)))
    world.click("more_ways")
    world.find(QComboBox, "lasting_coverage").setCurrentIndex(1)
    await until(lambda: world.is_enabled("approve_once"))
    world.click("approve_once")
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert (dialog.answer.pattern, dialog.answer.lasting) == (None, Lasting.UNTIL_REVOKED)


async def test_where_nothing_lasting_is_offered_there_is_no_choice(world: DialogWorld, until: Until) -> None:
    request = approval({"command": "ls"}, may_allow_thread=False, may_allow_always=False)
    dialog = await shown(world, until, request)
    assert not world.find(QPushButton, "more_ways").isVisible()
    dialog.take_back()


async def test_foreign_text_is_said_with_where_it_came_from(world: DialogWorld, until: Until) -> None:
    taint = Taint(cause=TaintCause.ATTACHMENT, detail="a\u202eb.pdf", at=NOW)
    dialog = await shown(world, until, replace(approval({"command": "curl x"}), taint=taint))
    notice = world.find(QWidget, "foreign_text")
    texts = [label.accessibleName() for label in notice.findChildren(QWidget) if label.accessibleName()]
    assert any("the file a<U+202E>b.pdf" in text for text in texts)
    dialog.take_back()


async def test_the_settings_say_what_a_pattern_covers_and_until_when(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, until: Until
) -> None:
    folder = ArgumentPattern(
        names=("content", "path"),
        rules=(ArgumentRule(name="path", test=ArgumentTest.UNDER_FOLDER, value="/home/me/notes"),),
    )
    async with window_world(qapp, tmp_path) as window:
        list_tools(window, shell_tool(), WRITE)
        soon = utc_now() + timedelta(days=1)
        await window.store.grants.add(
            grant(shell_tool(), "g1", "mkdir -p out", digest=None, pattern=MKDIR, expires_at=soon)
        )
        over = utc_now() - timedelta(seconds=1)
        await window.store.grants.add(grant(WRITE, "g2", "{}", digest=None, pattern=folder, expires_at=over))
        page = await opened(window, until, 2)
        said = {row.view.grant.id: row.accessibleName() for row in rows(page)}
        assert "Run “mkdir” with -p on files in this folder" in said["g1"]
        assert "this tool within /home/me/notes" in said["g2"]
        warning = find(find(page, QWidget, "grant-g2"), QWidget, "grantWarning")
        await until(warning.isVisible)
        assert "until" in find(find(page, QWidget, "grant-g1"), QWidget, "grantUse").accessibleName()


async def test_the_header_says_that_the_open_chat_holds_foreign_text(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as window:
        clean = await window.store.threads.create_thread()
        tainted = await window.store.threads.create_thread()
        await window.store.taints.add(tainted.id, Taint(cause=TaintCause.WEB_PAGE, detail="https://a.example", at=NOW))
        chip = window.presenter.window.findChild(ForeignTextChip)
        assert chip is not None
        await window.presenter.open_thread(tainted.id)
        await until(lambda: not chip.isHidden())
        assert "a web page: https://a.example" in chip.accessibleDescription()
        await window.presenter.open_thread(clean.id)
        await until(chip.isHidden)
        await window.store.taints.add(clean.id, Taint(cause=TaintCause.ATTACHMENT, detail="<b>x</b>", at=NOW))
        await until(lambda: not chip.isHidden())
        assert "&lt;b&gt;" in chip.toolTip()
