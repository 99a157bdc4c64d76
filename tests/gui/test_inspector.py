"""What was sent, looked at as a user does: from an answer, by keys, searched, saved, and led back from."""

import dataclasses
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from desktop.conversation.entities import Message, RecalledRef, RecallPart
from desktop.conversation.request_export import requests_to_json
from desktop.conversation.request_records import (
    LeftOut,
    LeftOutKind,
    Outcome,
    Piece,
    PieceKind,
    RequestRecord,
    SentMessage,
)
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.settings import AppearanceSettings
from desktop.memory.entities import MemorySource
from desktop.storage.sqlite_requests import SqliteRequestRecords
from desktop.ui.inspector import dialog as dialog_module
from desktop.ui.inspector.dialog import InspectorDialog
from desktop.ui.inspector.row_list import ROW
from desktop.ui.inspector.rows import Row, Section, rows_of, tokens_by_section
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.app_language import app_language
from tests.support.clipping import clipped_texts
from tests.support.memory_items import item
from tests.support.scripted_model import said
from tests.support.small_disks import fill_up, mounted
from tests.support.stores import say
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

pytestmark = pytest.mark.usefixtures("qloop")

W = TypeVar("W", bound=QWidget)
HOSTILE = "<b>bold</b> \u202e<img src='http://x/y.png'>\x1b[31m"


def piece(kind: PieceKind, text: str | None, *, name: str = "", tokens: int = 10) -> Piece:
    return Piece(kind=kind, text=text, name=name, tokens=tokens, size=len(text or ""))


def full_record(message_id: str = "m", thread_id: str = "t", *, quoted: str = "f1") -> RequestRecord:
    """A request with something of everything."""
    memory = json.dumps({"id": quoted, "text": "Mara is allergic to hazelnuts"})
    return RequestRecord(
        id=new_id(),
        thread_id=thread_id,
        message_id=message_id,
        step=0,
        sent_at=datetime(2026, 11, 30, 9, 30, tzinfo=UTC),
        model="alpha",
        messages=(
            SentMessage(
                role="system",
                pieces=(
                    piece(PieceKind.INSTRUCTIONS, "Be careful."),
                    piece(PieceKind.WISHES, "Always answer in verse."),
                    piece(PieceKind.SUMMARY, "They spoke of the sea."),
                ),
            ),
            SentMessage(
                role="user",
                origins=("asked",),
                pieces=(
                    piece(PieceKind.MEMORIES, f"<memory>\n{memory}\n</memory>\n\n"),
                    piece(PieceKind.TEXT, HOSTILE),
                    Piece(kind=PieceKind.IMAGE, name="map.png", detail="image/png sha256:77", size=2048, tokens=1100),
                ),
            ),
            SentMessage(role="assistant", pieces=(piece(PieceKind.CALL, "{}", name="files__read"),)),
            SentMessage(role="tool", pieces=(piece(PieceKind.RESULT, "the result", name="files__read"),)),
        ),
        tools=(piece(PieceKind.TOOL, '{"name": "files__read", "description": "Reads."}', name="files__read"),),
        recall=RecallPart(found=(RecalledRef(kind="fact", id=quoted, score=0.5, words=2.0, meaning=None),)),
        left_out=(
            LeftOut(kind=LeftOutKind.WINDOW, count=7),
            LeftOut(kind=LeftOutKind.TOOL, count=1, names=("maps__route",)),
        ),
        outcome=Outcome(finish="stop", usage=Usage(input_tokens=1234, output_tokens=56), seconds=1.5),
    )


def in_sight(kind: type[W], name: str, parent: QWidget) -> list[W]:
    return [widget for widget in parent.findChildren(kind, name) if widget.isVisibleTo(parent)]


def find(kind: type[W], name: str, parent: QWidget) -> W:
    found = in_sight(kind, name, parent)
    assert found, f"no {name} in sight"
    return found[0]


@asynccontextmanager
async def inspected(
    qapp: QApplication, folder: Path, *records: RequestRecord
) -> AsyncGenerator[tuple[WindowWorld, InspectorDialog, Message], None]:
    """The inspector on an answer with these requests."""
    async with window_world(qapp, folder) as world:
        thread = await world.store.threads.create_thread(title="The journey")
        answer = await say(world.store, thread.id, "question", "answer")
        for record in records:
            own = dataclasses.replace(record, thread_id=thread.id, message_id=answer.id)
            await world.store.requests.add(own)
            await world.store.requests.finish(own.id, record.outcome)
        await world.presenter.open_thread(thread.id)
        world.presenter.inspector.open(answer.id)
        dialog = world.presenter.inspector.dialog
        assert dialog is not None
        await until(lambda: dialog.record is not None or not records)
        yield world, dialog, answer
        if world.presenter.inspector.dialog is not None:
            dialog.reject()


def shown_rows(dialog: InspectorDialog) -> Sequence[Row]:
    return dialog.findChildren(QWidget, "inspectorList")[0].model().rows  # pyright: ignore[reportAttributeAccessIssue]


def choose(dialog: InspectorDialog, words: str) -> Row:
    """Choose the row whose title holds these words."""
    view = dialog.findChildren(QWidget, "inspectorList")[0]
    model = view.model()  # pyright: ignore[reportAttributeAccessIssue]
    for place in range(model.rowCount()):
        row = model.index(place).data(ROW)
        if words in row.title and not row.is_heading:
            view.setCurrentIndex(model.index(place))  # pyright: ignore[reportAttributeAccessIssue]
            return row
    raise AssertionError(f"no row {words}")


def text_of(dialog: InspectorDialog) -> str:
    return find(QPlainTextEdit, "inspectorPiece", dialog).toPlainText()


def test_every_part_stands_under_its_heading_with_its_tokens() -> None:
    record = full_record()
    rows = rows_of(record)
    headings = {row.section: row.tokens for row in rows if row.is_heading}
    assert list(headings) == [
        Section.INSTRUCTIONS,
        Section.WISHES,
        Section.SUMMARY,
        Section.MEMORIES,
        Section.MESSAGES,
        Section.TOOLS,
        Section.LEFT_OUT,
        Section.OPTIONS,
        Section.TOKENS,
        Section.EXACT,
    ]
    assert sum(tokens_by_section(record).values()) == record.tokens
    titles = [row.title for row in rows]
    assert "Mara is allergic to hazelnuts" in titles
    assert any("did not go along: 7" in title for title in titles)
    assert any("maps__route" in title for title in titles)
    memory = rows[titles.index("Mara is allergic to hazelnuts")]
    assert memory.snippet == "Score 0.50 · shared words"
    assert "not looked at" in (memory.text or ""), "without vectors nobody knows"


def test_of_a_forgotten_memory_score_and_id_are_left() -> None:
    record = full_record()
    forgotten = dataclasses.replace(
        record, messages=(SentMessage(role="user", pieces=(piece(PieceKind.MEMORIES, None),)),)
    )
    rows = [row for row in rows_of(forgotten) if row.section is Section.MEMORIES and not row.is_heading]
    assert [row.title for row in rows] == ["A memory", "All of it, as the model read it"]
    assert "fact:f1" in (rows[0].text or "")
    assert rows[1].text is None


async def test_of_a_request_of_which_only_sums_are_kept_all_that_is_said_stays_true(
    qapp: QApplication, tmp_path: Path
) -> None:
    whole = full_record()
    async with inspected(qapp, tmp_path, whole) as (world, dialog, answer):
        shares = tokens_by_section(whole)
        assert dialog.record is not None
        dialog.reject()
        then = datetime(2027, 6, 1, tzinfo=UTC)
        later = SqliteRequestRecords(world.store.database, clock=lambda: then)
        own = dataclasses.replace(full_record(), thread_id=answer.thread_id, message_id=answer.id, sent_at=then)
        await later.add(own)
        world.presenter.inspector.open(answer.id)
        await until(lambda: world.presenter.inspector.dialog is not None)
        again = world.presenter.inspector.dialog
        assert again is not None
        await until(lambda: again.record is not None)
        requests = find(QComboBox, "inspectorRequests", again)
        requests.setCurrentIndex(0)
        record = again.record
        assert record is not None
        assert record.sums
        assert tokens_by_section(record) == shares
        assert find(QLabel, "inspectorFigures", again).text().endswith(" · only sums are kept")
        rows = {row.title: row for row in rows_of(record) if not row.is_heading}
        assert rows["Texts of messages"].snippet.startswith("1 part")
        assert "are not kept any more" in (rows["Results of tools"].text or "")
        assert "are not kept any more" in (rows["The whole request as JSON"].text or "")
        assert rows["A memory"].recalled is not None, "which one it was"
        assert "maps__route" in str([row.title for row in rows.values()]), "what was left out"
        exported = json.loads(requests_to_json([record]))["answers"][0]["requests"][0]
        assert (exported["messages"], exported["tokens"]["counted"]) == ([], whole.tokens)
        assert {each["kind"]: each["count"] for each in exported["sums"]}["memories"] == 1
        again.reject()


async def test_the_button_below_an_answer_shows_what_the_model_was_really_sent(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path, said("Hello there")) as world:
        window = world.presenter.window
        window.composer.edit.insertPlainText("Good morning to you")
        QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)
        await until(lambda: in_sight(QAbstractButton, "what-was-sent", window))
        button = find(QAbstractButton, "what-was-sent", window)
        assert button.toolTip() == "What was sent to the model for this answer"
        button.click()
        await until(lambda: world.presenter.inspector.dialog is not None)
        dialog = world.presenter.inspector.dialog
        assert dialog is not None
        await until(lambda: dialog.record is not None)
        choose(dialog, "You")
        assert text_of(dialog) == "Good morning to you"
        assert dialog.record is not None
        assert [m.text for m in world.model.requests[0].messages] == [
            piece.text for message in dialog.record.messages for piece in message.pieces
        ]
        choose(dialog, "The whole request as JSON")
        assert "demo model" in text_of(dialog)
        dialog.reject()
        assert world.errors == []


async def test_keys_open_it_for_the_last_answer_and_the_requests_can_be_chosen(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with inspected(qapp, tmp_path, full_record(), full_record()) as (world, dialog, answer):
        dialog.reject()
        world.presenter.window.sent_requested.emit()
        await until(lambda: world.presenter.inspector.dialog is not None)
        again = world.presenter.inspector.dialog
        assert again is not None
        await until(lambda: again.record is not None)
        box = find(QComboBox, "inspectorRequests", again)
        assert box.count() == 2
        assert again.record == (await world.store.requests.of_answer(answer.id))[1], "the one that brought the answer"
        box.setCurrentIndex(0)
        assert again.record == (await world.store.requests.of_answer(answer.id))[0]
        again.reject()


async def test_hostile_text_is_plain_and_its_marks_can_be_seen(qapp: QApplication, tmp_path: Path) -> None:
    async with inspected(qapp, tmp_path, full_record()) as (_, dialog, _answer):
        choose(dialog, "You")
        assert text_of(dialog) == "<b>bold</b> <U+202E><img src='http://x/y.png'><ESC>[31m"
        assert "\u202e" not in "".join(row.title + row.snippet for row in shown_rows(dialog))


async def test_search_keeps_what_holds_the_words_and_marks_them(qapp: QApplication, tmp_path: Path) -> None:
    async with inspected(qapp, tmp_path, full_record()) as (_, dialog, _answer):
        field = find(QLineEdit, "inspectorSearch", dialog)
        field.setText("HAZELNUTS")
        await until(lambda: len(shown_rows(dialog)) == 2)
        view = find(QPlainTextEdit, "inspectorPiece", dialog)
        assert len(view.extraSelections()) >= 1
        field.setText("nothing has this")
        await until(lambda: len(shown_rows(dialog)) == 0)
        assert text_of(dialog) == ""
        field.clear()
        await until(lambda: len(shown_rows(dialog)) > 10)


async def test_it_is_saved_and_copied_as_json(qapp: QApplication, tmp_path: Path) -> None:
    async with inspected(qapp, tmp_path, full_record(), full_record()) as (world, dialog, answer):
        target = tmp_path / "sent.json"
        for button in ("inspectorSave", "inspectorSaveChat"):
            find(QAbstractButton, button, dialog).click()
            chooser = dialog.findChildren(QFileDialog, "inspectorSaveDialog")[-1]
            chooser.fileSelected.emit(str(target))
            chooser.reject()
            await until(target.exists)
            value = json.loads(target.read_text("utf-8"))
            (written,) = value["answers"]
            assert (written["message_id"], len(written["requests"])) == (answer.id, 2)
            assert value["chat"]["title"] == "The journey"
            request = written["requests"][0]
            assert request["messages"][1]["pieces"][1]["text"] == HOSTILE, "as it was, not as it is shown"
            assert request["tokens"]["reported"]["input_tokens"] == 1234
            assert {each["kind"] for each in request["left_out"]} == {"window", "tool"}
            target.unlink()
        find(QAbstractButton, "inspectorCopy", dialog).click()
        await until(lambda: "threadwell-requests" in QGuiApplication.clipboard().text())
        (tmp_path / "a file").touch()
        blocked = tmp_path / "a file" / "x.json"
        find(QAbstractButton, "inspectorSave", dialog).click()
        chooser = dialog.findChildren(QFileDialog, "inspectorSaveDialog")[-1]
        chooser.fileSelected.emit(str(blocked))
        chooser.reject()
        await until(lambda: world.errors)
        assert "file.not_saved" in str(world.errors[0])


async def test_what_became_of_saving_and_copying_is_said_in_the_dialog(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced: list[str] = []
    monkeypatch.setattr(dialog_module, "announce", lambda _widget, text: announced.append(text))
    async with inspected(qapp, tmp_path, full_record(quoted="gone")) as (world, dialog, _answer):
        assert not dialog.findChildren(QLabel, "inspectorNews")[0].isVisibleTo(dialog)

        def save(target: Path) -> None:
            find(QAbstractButton, "inspectorSave", dialog).click()
            chooser = dialog.findChildren(QFileDialog, "inspectorSaveDialog")[-1]
            chooser.fileSelected.emit(str(target))
            chooser.reject()

        find(QAbstractButton, "inspectorCopy", dialog).click()
        await until(lambda: "The request was copied" in announced)
        assert find(QLabel, "inspectorNews", dialog).text() == "The request was copied"
        save(tmp_path / "sent.json")
        await until(lambda: "Saved as sent.json" in announced)
        assert find(QLabel, "inspectorNews", dialog).accessibleName() == "Saved as sent.json"
        (tmp_path / "a file").touch()
        save(tmp_path / "a file" / "x.json")
        await until(lambda: world.errors)
        assert "x.json" in announced[-1]
        assert not world.presenter.window.toast.isVisible(), "that lies behind the dialog"


async def test_what_was_saved_before_stays_where_the_disk_is_full(qapp: QApplication, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=256k") as disk:
        async with inspected(qapp, tmp_path / "data", full_record()) as (world, dialog, _answer):
            target = disk / "sent.json"
            target.write_text("saved before")
            fill_up(disk)
            find(QAbstractButton, "inspectorSave", dialog).click()
            chooser = dialog.findChildren(QFileDialog, "inspectorSaveDialog")[-1]
            chooser.fileSelected.emit(str(target))
            chooser.reject()
            await until(lambda: world.errors)
            assert "file.not_saved" in str(world.errors[0])
            assert (target.read_text(), sorted(path.name for path in disk.iterdir())) == (
                "saved before",
                ["filler", "sent.json"],
            )


async def test_a_memory_leads_to_the_chat_that_it_comes_from(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        source = await world.store.threads.create_thread(title="Where it was said")
        there = await say(world.store, source.id, "Mara is allergic to hazelnuts", "I see")
        fact = item(
            "Mara is allergic to hazelnuts",
            source=MemorySource(thread_id=source.id, message_id=there.parent_id or "", quote="Mara"),
        )
        await world.store.memory.add(fact)
        thread = await world.store.threads.create_thread(title="Here")
        answer = await say(world.store, thread.id, "question", "answer")
        await world.store.requests.add(full_record(answer.id, thread.id, quoted=fact.id))
        await world.presenter.open_thread(thread.id)
        world.presenter.inspector.open(answer.id)
        dialog = world.presenter.inspector.dialog
        assert dialog is not None
        await until(lambda: dialog.record is not None)
        choose(dialog, "Mara")
        find(QAbstractButton, "inspectorGoTo", dialog).click()
        await until(lambda: world.presenter.thread_id == source.id)
        assert world.presenter.inspector.dialog is None


async def test_an_answer_without_a_record_says_why(qapp: QApplication, tmp_path: Path) -> None:
    async with inspected(qapp, tmp_path) as (_, dialog, _answer):
        await until(lambda: "no record" in find(QLabel, "inspectorNothing", dialog).text())
        save = dialog.findChild(QAbstractButton, "inspectorSave")
        assert save is not None
        assert not save.isVisible(), "there is nothing to be saved of it"
        await until(lambda: dialog.focusWidget() is dialog.findChild(QAbstractButton, "inspectorClose"))


async def test_a_request_of_half_a_million_tokens_is_shown_page_by_page(qapp: QApplication, tmp_path: Path) -> None:
    long = SentMessage(role="user", pieces=(piece(PieceKind.TEXT, "many words of a book " * 100_000),))
    more = [SentMessage(role="assistant", pieces=(piece(PieceKind.TEXT, f"answer {n}"),)) for n in range(2_000)]
    record = dataclasses.replace(full_record(), messages=(*full_record().messages, long, *more))
    async with inspected(qapp, tmp_path, record) as (_, dialog, _answer):
        assert len(shown_rows(dialog)) > 2_000
        row = next(r for r in shown_rows(dialog) if r.snippet.startswith("many words"))
        choose(dialog, row.title)
        assert max(len(r.title) + len(r.snippet) for r in shown_rows(dialog)) < 1_000
        assert len(text_of(dialog)) <= 100_100
        field = find(QLineEdit, "inspectorSearch", dialog)
        field.setText("answer 1999")
        await until(lambda: len(shown_rows(dialog)) == 1)


def test_it_follows_the_language(qapp: QApplication) -> None:
    with app_language(qapp, "en"):
        theme = ThemeManager(qapp, AppearanceSettings(), "en")
        dialog = InspectorDialog(None, theme)
        dialog.show_requests([full_record()], is_running=False)
        choose(dialog, "Mara")
        dialog.retranslate()
        assert "Mara is allergic" in text_of(dialog), "what was chosen stays chosen"
        dialog.deleteLater()
        theme.deleteLater()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_nothing_is_cut_in_a_narrow_window_with_large_letters(
    qapp: QApplication, tmp_path: Path, language: str
) -> None:
    with app_language(qapp, language):
        async with inspected(qapp, tmp_path, full_record()) as (world, dialog, _answer):
            appearance = dataclasses.replace(world.settings.settings.appearance, font_size=16)
            world.theme.set_appearance(appearance)
            dialog.retranslate()
            dialog.resize(700, 640)
            choose(dialog, "Mara")
            await until(lambda: dialog.width() == 700)
            assert clipped_texts(dialog) == []
