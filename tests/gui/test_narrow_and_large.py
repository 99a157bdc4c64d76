"""A narrow window with very large text: nothing lies over anything else, and no words are lost."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextBrowser, QWidget

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.conversation.summaries import Summary
from desktop.core.language_model import Usage
from desktop.tools.taint import Taint, TaintCause
from desktop.ui.plain_label import breakable
from desktop.ui.transcript.summary_dialog import LEAST_LINES, SummaryDialog
from tests.support.settings_world import open_settings, set_appearance
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

LARGE, USUAL = 24.0, 10.0
TABLE = "| A | B |\n|---|---|\n" + "".join(f"| {n} | **{n}** and more |\n" for n in range(8))


@asynccontextmanager
async def narrow_world(qapp: QApplication, folder: Path) -> AsyncGenerator[WindowWorld, None]:
    async with window_world(qapp, folder) as world:
        world.presenter.window.resize(700, 800)
        set_appearance(world, font_size=LARGE)
        yield world


def children_in_order(bar: QWidget) -> list[QWidget]:
    layout = bar.layout()
    assert layout is not None
    found = [layout.itemAt(number).widget() for number in range(layout.count())]  # pyright: ignore[reportOptionalMemberAccess]
    return [widget for widget in found if widget is not None and widget.isVisible()]  # pyright: ignore[reportUnnecessaryComparison]


def has_room(widget: QWidget) -> bool:
    return widget.width() >= (widget.minimumWidth() or widget.minimumSizeHint().width())


async def test_the_chips_of_the_header_are_pictures_where_their_words_have_no_room(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with narrow_world(qapp, tmp_path) as world:
        header = world.presenter.window.header
        taint = Taint(cause=TaintCause.ATTACHMENT, detail="letter.pdf", at=datetime.now(UTC))
        header.set_title("Renovating the house by the canal", has_thread=True)
        header.foreign_text.show_taint(taint)
        header.set_memory_use("Memory paused", is_paused=True)
        header.set_origin("A chat of before")
        await until(lambda: not header.foreign_text.pixmap().isNull())
        await until(lambda: all(has_room(one) for one in children_in_order(header)))
        edges = [(one.x(), one.x() + one.width()) for one in children_in_order(header)]
        assert all(end <= begin for (_, end), (begin, _) in pairwise(edges)), edges
        assert edges[-1][1] <= header.width()
        assert header.foreign_text.accessibleName() == "Foreign text"
        set_appearance(world, font_size=USUAL)
        await until(lambda: header.foreign_text.text() == "Foreign text")


async def test_a_message_in_the_settings_has_the_whole_width_and_all_its_words(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with narrow_world(qapp, tmp_path) as world:
        world.presenter.open_settings("data")
        window = open_settings(world)
        window.resize(680, 660)
        window.notices.show_notice(lambda: "The folder cannot be used", lambda: "Choose another one, please. " * 8)
        notice = window.notices.shown[0]
        await until(lambda: notice.width() > 600 and notice.height() >= notice.heightForWidth(notice.width()))
        assert window.notices.height() >= notice.height()
        set_appearance(world, font_size=USUAL)
        await until(lambda: window.notices.mapTo(window, window.notices.rect().topLeft()).x() > 100)


async def test_a_summary_can_be_read_however_large_the_text_is(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with narrow_world(qapp, tmp_path) as world:
        window, moment = world.presenter.window, datetime.now(UTC)
        made = Summary(id="s", thread_id="t", until_id="m", text="- one\n" * 9, created_at=moment, updated_at=moment)
        dialog = SummaryDialog(made, world.theme, window, is_off=False)
        dialog.open()
        dialog.resize(660, 700)
        text = dialog.findChild(QPlainTextEdit, "summaryText")
        assert text is not None
        await until(lambda: text.viewport().height() >= (LEAST_LINES - 0.5) * text.fontMetrics().lineSpacing())
        dialog.reject()


async def test_another_size_reaches_all_blocks_also_when_somebody_scrolls_meanwhile(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        view = world.presenter.window.transcript
        threads, text = world.store.threads, "\n\n".join([TABLE, "Words. " * 60] * 8)
        thread = await threads.create_thread()
        turn = await threads.begin_turn(thread.id, "Go", model="m")
        await threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=text)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(),
            duration_seconds=1.0,
        )
        await world.presenter.open_thread(thread.id)
        await until(lambda: len(view.findChildren(QTextBrowser)) > 2)

        def sizes() -> set[float]:
            found = [one for one in view.viewport().findChildren(QTextBrowser) if one.isVisible()]
            return {one.document().defaultFont().pointSizeF() for one in found if one.document().toPlainText()}

        for size in (LARGE, USUAL):
            set_appearance(world, font_size=size)
            assert not view.viewport().updatesEnabled(), "what was shown stays until the text in sight is ready"
            if size == LARGE:
                view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
                assert view.viewport().updatesEnabled(), "whoever scrolls sees it at once"
            await until(lambda size=size: view.viewport().updatesEnabled() and sizes() == {size})
            texts = [one for one in view.viewport().findChildren(QTextBrowser) if one.isVisible()]
            assert all(one.document().toPlainText() for one in texts), "none was left empty"


def test_long_words_break_but_no_line_begins_with_a_chinese_comma() -> None:
    assert breakable("x" * 50).split("\u200b") == ["x" * 24, "x" * 24, "x" * 2]
    chinese = "如果那是存放备份的磁盘，换一个文件夹也可以。" * 3
    assert breakable(chinese) == chinese
    assert "\u200b" in breakable(f"{chinese}{'/path' * 10}")
