"""The whole app with a real endpoint: what the inspector shows is what arrived there, memories and their scores included."""

import asyncio
import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QComboBox

from desktop.app.memory_parts import MemoryParts
from desktop.conversation.request_records import LeftOutKind, PieceKind, Purpose, RequestRecord
from desktop.core.memory_settings import EmbedderKind, MemorySettings
from desktop.core.settings import SettingsStore
from desktop.memory.entities import MemoryKind
from desktop.memory.recall import RecallRules
from desktop.ui.inspector.rows import Section, rows_of
from tests.gui.test_inspector import shown_rows
from tests.support.memory_items import item
from tests.support.several_world import SeveralWorld, at_once, several_world
from tests.support.unrelated_sentences import ENGLISH
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("qloop")


def by_words_alone(data_dir: Path) -> None:
    """No vectors: to make them takes longer than all of the test."""
    store = SettingsStore(data_dir / "settings.json")
    store.update(dataclasses.replace(store.settings, memory=MemorySettings(embedder=EmbedderKind.NONE)))


def be_patient(parts: MemoryParts) -> None:
    """Let memory take as long as a busy machine needs."""
    parts.service._recall._rules = RecallRules(deadline_seconds=20)  # pyright: ignore[reportPrivateUsage]
    parts.recaller._deadline_seconds = 30.0  # pyright: ignore[reportPrivateUsage]


async def newest(world: SeveralWorld) -> tuple[RequestRecord, ...]:
    path = await world.path()
    return await world.session.container.store.requests.of_answer(path[-1].id)


def kinds_of(record: RequestRecord) -> list[PieceKind]:
    return [piece.kind for message in record.messages for piece in message.pieces]


async def test_memories_and_wishes_stand_in_the_record_as_they_arrived_and_go_when_they_are_forgotten(
    qapp: QApplication, tmp_path: Path
) -> None:
    by_words_alone(tmp_path)
    async with several_world(qapp, tmp_path, at_once) as world:
        parts = world.session.container.memory
        memory = parts.service
        be_patient(parts)
        for sentence in ENGLISH[:15]:
            await memory.write(sentence, MemoryKind.FACT)
        fact = await memory.write("Mara is allergic to hazelnuts and almonds", MemoryKind.FACT)
        wish = await memory.write("Always answer in short sentences", MemoryKind.WISH)
        await world.session.presenter.open_thread(None)
        world.send("Which nuts is Mara allergic to?")
        await world.all_are_done()
        (record,) = await newest(world)
        received = [request.body for request in world.endpoint.requests][-1]
        assert record.body == received
        quotes = {piece.kind: piece.quotes for message in record.messages for piece in message.pieces}
        assert quotes[PieceKind.WISHES] == (f"fact:{wish.id}",)
        assert quotes[PieceKind.MEMORIES][0] == f"fact:{fact.id}"
        assert record.recall is not None
        rows = [row for row in rows_of(record) if row.section is Section.MEMORIES and row.recalled is not None]
        assert rows[0].title == fact.text
        assert "0." in rows[0].snippet or "1.00" in rows[0].snippet

        world.send("And what about walnuts?")
        await world.all_are_done()
        (second,) = await newest(world)
        assert second.body == [request.body for request in world.endpoint.requests][-1]
        assert second.recall is not None

        await memory.forget([fact.id])
        path = await world.path()
        (first,) = await world.session.container.store.requests.of_answer(path[1].id)
        assert first.body is None
        texts = [piece.text for piece in first.pieces]
        assert None in texts
        assert not any("hazelnuts and almonds" in (text or "") for text in texts)
        assert PieceKind.MEMORIES in kinds_of(first), "its figures stay"


async def test_memories_that_found_no_room_stand_in_the_inspector_among_what_was_left_out(
    qapp: QApplication, tmp_path: Path
) -> None:
    by_words_alone(tmp_path)
    async with several_world(qapp, tmp_path, at_once) as world:
        parts = world.session.container.memory
        memory = parts.service
        be_patient(parts)
        pinned = [item(f"Number {place}: " + f"{ENGLISH[place]} " * 4, is_pinned=True) for place in range(20)]
        wishes = [item(f"Always mention {ENGLISH[place]} " * 6, kind=MemoryKind.WISH) for place in range(12)]
        await memory.add([*pinned, *wishes])
        await world.session.presenter.open_thread(None)
        world.send("What do you know?")
        await world.all_are_done()
        presenter = world.session.presenter.inspector
        presenter.open((await world.path())[-1].id)
        dialog = presenter.dialog
        assert dialog is not None
        await until(lambda: dialog.record is not None)
        record = dialog.record
        assert record is not None
        sent = "".join(piece.text or "" for piece in record.pieces)
        left = {each.text for each in (*pinned, *wishes) if each.text[:40] not in sent}
        assert 8 < len(left) < 32
        (told,) = [each for each in record.left_out if each.kind is LeftOutKind.NO_ROOM]
        assert told.count == len(left)
        rows = [row for row in shown_rows(dialog) if row.section is Section.LEFT_OUT and not row.is_heading]
        assert rows[0].title == f"Memories that were found but had no room: {len(left)}"
        assert {" ".join(text.split())[:100] for text in left} == {row.title[:100] for row in rows if row.recalled}
        assert {row.snippet for row in rows if row.recalled} == {"no room · pinned", "no room · a standing wish"}
        await memory.forget([pinned[-1].id])
        again = await newest(world)
        assert [each for each in again[0].left_out if each.kind is LeftOutKind.NO_ROOM] == [told], "no word of it"
        dialog.reject()


async def test_each_of_several_answers_has_its_own_record(qapp: QApplication, tmp_path: Path) -> None:
    by_words_alone(tmp_path)
    async with several_world(qapp, tmp_path, at_once) as world:
        world.choose_all()
        world.send("Who are you?")
        await until(lambda: len(world.endpoint.requests) == 3)
        await world.all_are_done()
        path = await world.path()
        answers = await world.session.container.store.threads.answers(path[-1].id)
        store = world.session.container.store.requests
        records = await asyncio.gather(*(store.of_answer(answer.id) for answer in answers))
        assert sorted(record.model for (record,) in records) == ["alpha", "beta", "gamma"]
        bodies = [request.body for request in world.endpoint.requests]
        assert all(record.body in bodies for (record,) in records)


async def test_what_was_sent_for_the_title_stands_beside_what_was_sent_for_the_answer(
    qapp: QApplication, tmp_path: Path
) -> None:
    by_words_alone(tmp_path)
    async with several_world(qapp, tmp_path, at_once) as world:
        settings = world.session.container.settings
        agent = dataclasses.replace(settings.settings.agent, name_chats=True)
        settings.update(dataclasses.replace(settings.settings, agent=agent))
        await world.session.presenter.open_thread(None)
        world.send("Where is the key of the old house?")
        await world.all_are_done()
        for _ in range(2_000):
            if [each for each in await newest(world) if each.purpose is Purpose.TITLE and each.outcome.finish]:
                break
            await asyncio.sleep(0.01)
        presenter = world.session.presenter.inspector
        presenter.open((await world.path())[-1].id)
        dialog = presenter.dialog
        assert dialog is not None
        await until(lambda: dialog.record is not None)
        chooser = dialog.findChild(QComboBox, "inspectorRequests")
        assert chooser is not None
        words = [chooser.itemText(place).partition(" · ")[0] for place in range(chooser.count())]
        assert words == ["Request 1 of 1", "For the chat's title"]
        assert dialog.record is not None
        assert dialog.record.purpose is Purpose.ANSWER, "what was asked for comes first"
        chooser.setCurrentIndex(1)
        assert dialog.record.body == world.endpoint.requests[-1].body
        dialog.reject()
