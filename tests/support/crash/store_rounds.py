"""Killed while messages, streamed text, tool calls and files are stored: everything that was acknowledged is there."""

import random
from pathlib import Path
from typing import Any

from desktop.conversation.entities import MessageStatus, ResultStatus, ToolCallPart, ToolResultPart
from desktop.storage.store import Store
from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sendable, require_sound, require_whole
from tests.support.killing import run_and_kill
from tests.support.stores import opened, say


class StorePromises:
    """What the killed processes said was on disk."""

    def __init__(self) -> None:
        self.created: set[str] = set()
        self.maybe_purged: set[str] = set()
        self.purged: set[str] = set()
        self.sent: dict[str, dict[str, Any]] = {}
        self.saved: dict[str, int] = {}
        self.finished: dict[str, str] = {}
        self.brought: dict[str, tuple[str, int]] = {}
        self.count = 0

    def note(self, line: dict[str, Any]) -> None:
        self.count += 1
        match line["kind"]:
            case "created":
                self.created.add(line["thread"])
            case "sent":
                self.sent[line["message"]] = line
            case "saved":
                self.saved[line["message"]] = line["length"]
            case "brought":
                self.brought[line["message"]] = line["file"], line["length"]
            case "finished":
                self.finished[line["message"]] = line["text"]
            case "asked":
                self.maybe_purged.add(line["thread"])
            case "purged":
                self.purged.add(line["thread"])

    async def require(self, store: Store) -> None:
        """All of it is there, and nothing that was purged."""
        threads = {t.id for t in await store.threads.list_threads(limit=100_000)}
        threads |= {t.id for t in await store.threads.list_threads(limit=100_000, deleted=True)}
        assert not threads & self.purged, "something deleted is back"
        assert self.created - self.maybe_purged <= threads, "a chat is lost"
        for message_id, line in self.sent.items():
            if line["thread"] in threads:
                await self._require_turn(store, message_id, line)
        found = await store.threads.search("天气", limit=1000)
        assert {hit.thread_id for hit in found} <= threads, "the search finds what is gone"

    async def _require_turn(self, store: Store, message_id: str, line: dict[str, Any]) -> None:
        question, answer = await store.threads.messages([message_id, line["answer"]])
        assert question.text == line["text"], "a message is not what was sent"
        assert len(answer.text) >= self.saved.get(answer.id, 0), "streamed text is lost"
        assert answer.status in (MessageStatus.COMPLETE, MessageStatus.INTERRUPTED)
        if answer.id in self.finished:
            assert answer.status is MessageStatus.COMPLETE, "a finished answer is not finished"
            assert answer.text == self.finished[answer.id], "a finished answer is lost"
        calls = [p.call_id for p in answer.parts if isinstance(p, ToolCallPart)]
        results = [p for p in answer.parts if isinstance(p, ToolResultPart)]
        assert calls == [r.call_id for r in results], "a call has no result, or a result no call"
        assert {r.status for r in results} <= {ResultStatus.OK, ResultStatus.UNKNOWN, ResultStatus.INTERRUPTED}
        if answer.id in self.brought:
            file, length = self.brought[answer.id]
            assert [item.attachment_id for item in results[0].items] == [file], "a file of a result is lost"
            path = store.attachments.original(file)
            assert path is not None
            assert path.stat().st_size == length, "a file of a result is cut off"


class StoreKilled(Crash):
    """``kill -9`` at any moment of sending, streaming, calling and purging."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self.promises = StorePromises()

    async def round(self, number: int) -> None:
        await run_and_kill(
            "storage_writer", str(self.data), str(number),
            note=self.promises.note, lines=self.chance.randint(1, 40), most_seconds=0.0, chance=self.chance,
        )  # fmt: skip
        self.promised = self.promises.count
        await self.look()

    async def look(self) -> None:
        """Open it as the next start does, hold it against the promises, and go on with a chat."""
        async with opened(self.data) as store:
            await store.threads.recover()
            await self.promises.require(store)
            await require_sound(store)
            for thread in await store.threads.list_threads(limit=1):
                await say(store, thread.id, "goes on", "fine")
                path = await store.threads.path(thread.id)
                assert path[-1].text == "fine", "the chat does not go on"
                await require_sendable(store, [thread.id])
        require_whole(self.data)
