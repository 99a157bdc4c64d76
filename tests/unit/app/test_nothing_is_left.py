"""What is forgotten or deleted is in no file of the data folder any more, in whatever order everything of it is removed."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.agent.removing import MessageRemoval
from desktop.app.log_setup import close_logging, set_up_logging
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import (
    AttachmentPart,
    MessageStatus,
    Part,
    ResultStatus,
    TextPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import Failure, InstructionPart, PlanPart, PlanStep, StepState
from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.queued import QueuedMessage
from desktop.conversation.removals import Removed
from desktop.conversation.summaries import Summary
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.core.receipt import Receipt
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.memory.documents import DocumentState
from desktop.memory.entities import MemoryKind
from desktop.memory.ports import Vector
from desktop.storage import passage_rows, vector_codec
from desktop.storage.migrator import copy_verified
from desktop.tools.entities import CallState, Grant, GrantScope
from desktop.tools.taint import TaintCause
from tests.support.endpoint import LoopbackEndpoint
from tests.support.memory_app import EMBEDDERS, MemoryApp, loopback, memory_app, vector_of, write_settings
from tests.support.memory_items import NOW
from tests.support.shell_app import ShellApp
from tests.support.traces import Secrets, of_texts, texts_left, vectors_left


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("long") else 1))


def _assistant(words: Secrets, assistant_id: str) -> Assistant:
    return Assistant(
        id=assistant_id, name=words(), description=words(), instructions=f"Be {words()}", tools=(f"own/{words()}",)
    )


class Folder:
    """A data folder with something of everything; what belongs together is removed together."""

    def __init__(self, place: Path, endpoint: LoopbackEndpoint, seed: int) -> None:
        self.data, self.files = place / "data", place / "files"
        self.files.mkdir()
        self.endpoint = endpoint
        self.chance = random.Random(seed)
        names = ("kept", *EXPECTED)
        self.words = {name: Secrets(number) for number, name in enumerate(names)}
        self.ids: dict[str, str] = {}
        self.vectors: dict[str, set[bytes]] = {name: set() for name in names}
        """Those that were ever seen to be kept, in which something of it is."""
        self._stack = AsyncExitStack()
        self._app: MemoryApp | None = None

    @property
    def app(self) -> MemoryApp:
        assert self._app is not None
        return self._app

    async def open(self) -> None:
        handler = set_up_logging(DataPaths(self.data))
        self._stack.callback(close_logging, handler)
        self._app = await self._stack.enter_async_context(memory_app(self.data))

    async def close(self) -> None:
        self._app = None
        await self._stack.aclose()

    async def reopen(self) -> None:
        await self.close()
        await self.open()

    # -- something of everything

    async def fill(self) -> None:
        await self._keep()
        await self._remember()
        await self._chat("chat")
        await self._chat("trash")
        await self._say_and_remove()
        await self._know("for all", None)
        await self._know("for one", self.ids["kept"])
        await self._be_temporary()
        await self._put_away()
        settings = self.app.container.settings
        settings.update(replace(settings.settings, mcp_servers={}))  # it is called no more, and takes long to start
        # Another chat is told of all that: what was sent for it holds words of everybody.
        await self.app.say(self.ids["kept"], "What is there about my cat?")
        await self.app.settled()
        query = "SELECT DISTINCT substr(quoted, 1, 4) FROM request_quotes"
        quoted = await self.app.store.database.read(lambda c: c.execute(query).fetchall())
        assert {name for (name,) in quoted} == {"fact", "mess", "docu"}
        query = "SELECT count(*) FROM messages WHERE is_call_indexed = 1"
        calls = await self.app.store.database.read(lambda c: c.execute(query).fetchone())
        assert calls[0] >= 3, "what tools were asked and what they answered is in an index, too"

    async def _keep(self) -> None:
        words = self.words["kept"]
        run = await self.app.say(None, f"My cat stays {words()}")
        self.ids["kept"] = run.thread_id
        await self.app.memory.write(f"My cat stays {words()}", MemoryKind.FACT)
        (self.files / "kept.md").write_text(f"# Cats\n\nMy cat stays {words()}.")
        await self.app.documents.add([self.files / "kept.md"], only_thread_id=None)

    async def _remember(self) -> None:
        words, app = self.words["item"], self.app
        known = await app.memory.write(f"My cat likes {words()}", MemoryKind.FACT)
        known = await app.memory.edit(known, f"My cat likes {words()} and fish")
        wish = await app.memory.write(f"Always answer with {words()}", MemoryKind.WISH)
        self.ids["item"] = f"{known.id} {wish.id}"
        path = await app.store.threads.path(self.ids["kept"])
        summary = Summary(
            id=new_id(),
            thread_id=self.ids["kept"],
            until_id=path[1].id,
            text=f"Notes of the chat. {known.text}. And more.",
            own_text=f"Own words. {known.text}. And more.",
            pinned=(f"{wish.text}.", "Another sentence."),
            created_at=NOW,
            updated_at=NOW,
        )
        assert await app.store.summaries.put(summary, await app.store.summaries.on_path(self.ids["kept"]))
        await app.say(self.ids["kept"], "And what does my cat like?")

    async def _chat(self, name: str) -> None:
        words, app, store = self.words[name], self.app, self.app.store
        file = await app.container.attachments.add(f"{words()}.txt".replace(" ", "_"), f"A note: {words()}".encode())
        run = await app.say(None, f"My cat is {words()}. Remember that I collect {words()}", attachments=[file])
        thread_id = self.ids[name] = run.thread_id
        brought = await app.say(thread_id, f"Bring {words()}")
        (message,) = await store.threads.messages([brought.message_id])
        assert [part.status for part in message.parts if isinstance(part, ToolResultPart)] == [ResultStatus.OK]
        again = await app.container.chat.ask_again(run.message_id)
        await app.ended(again)
        await app.container.conversations.rename(thread_id, words())
        for _ in range(2):
            options = ThreadOptions(
                system_prompt=f"Be {words()}", workspace=f"/{words()}", assistant=_assistant(words, new_id())
            )
            await app.container.conversations.set_options(thread_id, options)
        await app.say(thread_id, f"Go on about my cat {words()}")
        await self._let_wait(thread_id, words)
        await store.threads.save_draft(thread_id, f"half a thought {words()}")
        await store.attachments.save_draft(thread_id, [await self._file(words())])
        grant = Grant(
            id=new_id(),
            scope=GrantScope.THREAD,
            thread_id=thread_id,
            server_id="own",
            tool_name="bring",
            definition_hash="v1",
            digest="d",
            summary=words(),
            created_at=NOW,
        )
        await store.grants.add(grant)
        await app.container.tools.note_foreign_text(thread_id, TaintCause.DOCUMENT, words())
        path = await store.threads.path(thread_id)
        summary = Summary(
            id=new_id(), thread_id=thread_id, until_id=path[1].id, text=words(), own_text=words(), pinned=(words(),),
            created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        assert await store.summaries.put(summary, await store.summaries.on_path(thread_id))
        await app.settled()

    async def _say_and_remove(self) -> None:
        """A chat that stays, of which a question, an answer and a result are removed."""
        app, store = self.app, self.app.store
        words = self.words["message"]
        file = await app.container.attachments.add(f"{words()}.txt".replace(" ", "_"), f"A note: {words()}".encode())
        asked = await app.say(None, f"My cat is {words()}. Remember that I like {words()}", attachments=[file])
        thread_id, self.ids["message"] = asked.thread_id, asked.message_id
        await store.threads.save_draft(asked.turn.user_message.id, f"half a change {words()}")
        await store.attachments.save_draft(asked.turn.user_message.id, [await self._file(words())])
        self.ids["answer"] = (await app.say(thread_id, f"Bring {self.words['answer']()}")).message_id
        self.ids["result"] = await self._bring(thread_id, self.words["result"])
        await app.say(thread_id, "What was that about my cat?")  # and all of it is sent once more
        path = await store.threads.path(thread_id)
        every = " ".join(self.words[name]() for name in ("message", "answer", "result"))
        summary = Summary(
            id=new_id(), thread_id=thread_id, until_id=path[-3].id, text=every, own_text="Own words.", pinned=(),
            created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        assert await store.summaries.put(summary, await store.summaries.on_path(thread_id))
        await app.settled()

    async def _bring(self, thread_id: str, words: Secrets) -> str:
        """A call of an assistant, whose steps and result say what stands nowhere else; returns the id of its answer."""
        store = self.app.store
        turn = await store.threads.begin_turn(thread_id, "Look for it", model="talker")
        for call_id, arguments in (("c", "{}"), ("c/x", f'{{"of": "{words()}"}}')):
            await store.journal.propose(
                f"{turn.turn_id}:{call_id}",
                turn_id=turn.turn_id,
                thread_id=thread_id,
                name="own__look",
                arguments=arguments,
            )
            await store.journal.decide(
                f"{turn.turn_id}:{call_id}", state=CallState.RUNNING, server_id="own", digest="", choice=None,
                ending=None, decided_by="user",
            )  # fmt: skip
        await store.journal.finish(f"{turn.turn_id}:c/x", status="ok", result=f"See {words()}", duration_seconds=0.1)
        file_id = await store.attachments.add(words().encode(), suffix=".txt")
        item = ResultItem(kind=ItemKind.TEXT, attachment_id=file_id, file_name=f"{words()}.txt", size=9)
        text = f"It is {words()}"
        await store.journal.finish(f"{turn.turn_id}:c", status="ok", result=text, duration_seconds=0.1, items=[item])
        call = ToolCallPart(call_id="c", name="own__look", arguments="{}")
        result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=text, items=(item,))
        inner = InnerRunPart(
            call_id="c",
            assistant=words(),
            parts=(
                TextPart(text=f"I look for {words()}"),
                ToolCallPart(call_id="x", name="own__look", arguments=f'{{"of": "{words()}"}}'),
                ToolResultPart(call_id="x", status=ResultStatus.OK, text=f"See {words()}"),
            ),
        )
        planned: list[Part] = []
        if words is not self.words["result"]:  # of which only what the tool returned is removed
            step = PlanStep(
                text=f"Look for {words()}", state=StepState.FAILED, failure=Failure.SAID, why=f"No {words()}"
            )
            planned = [PlanPart(steps=(step,)), InstructionPart(text=f"Now look for {words()}", place=0)]
        await store.threads.save_parts(turn.assistant_message.id, [*planned, call, inner])
        answer = await store.threads.finish_turn(
            turn.turn_id,
            parts=[*planned, call, inner, result, TextPart(text="I found it.", step=1)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(output_tokens=1),
            duration_seconds=0.1,
        )
        return answer.id

    async def _let_wait(self, thread_id: str, words: Secrets) -> None:
        """One that waits still, one that was changed, one that was removed a moment ago, and one that was before."""
        queue = self.app.store.queue
        waiting = [
            QueuedMessage(
                id=new_id(), thread_id=thread_id, text=f"and then {words()}", attachments=(await self._file(words()),)
            )
            for _ in range(4)
        ]
        for message in waiting:
            await queue.add(message)
        await queue.change(waiting[1].id, f"and then at last {words()}")
        await queue.remove([waiting[2].id, waiting[3].id])
        await queue.forget_removed([waiting[3].id])

    async def _file(self, word: str) -> AttachmentPart:
        return await self.app.container.attachments.add("draft.txt", f"A draft: {word}".encode())

    async def _know(self, name: str, thread_id: str | None) -> None:
        words = self.words[name]
        place = self.files / name / words()
        place.mkdir(parents=True)
        document = place / f"{words()}.md"
        (root,) = await self._read(document, f"# {words()}\n\nMy cat reads {words()}.", place, thread_id)
        self.ids[name] = root
        await self.app.settled()
        # What it said before has to go, too.
        await self._read(document, f"# {words()}\n\nMy cat reads {words()}, in other words.", place, thread_id)

    async def _read(self, document: Path, text: str, place: Path, thread_id: str | None) -> list[str]:
        await asyncio.to_thread(document.write_text, text)
        added = await self.app.documents.add([place], only_thread_id=thread_id)
        self.app.documents._looks_wanted = True  # pyright: ignore[reportPrivateUsage]
        async with asyncio.timeout(120):
            while True:
                await self.app.documents.catch_up()
                summaries = await self.app.documents.summaries()
                if not any(one.count(DocumentState.WAITING) or not one.files for one in summaries):
                    return [root.id for root in added]

    async def _be_temporary(self) -> None:
        words, app = self.words["temporary"], self.app
        thread = await app.container.chat.begin_temporary()
        self.ids["temporary"] = thread.id
        await app.container.conversations.set_options(
            thread.id,
            ThreadOptions(is_temporary=True, system_prompt=f"Be {words()}", assistant=_assistant(words, new_id())),
        )
        taken_back = await self._file(words())
        await app.store.attachments.save_draft(thread.id, [taken_back])
        await app.store.attachments.save_draft(thread.id, [])
        await app.container.attachments.discard(taken_back)
        await app.say(thread.id, f"My cat is {words()}")
        await self._let_wait(thread.id, words)

    async def _put_away(self) -> None:
        """A folder that had another name before, and a prompt that said something else."""
        words, lists, prompts = self.words["folder"], self.app.container.lists, self.app.store.prompts
        folder = await lists.create_folder(words())
        assert folder is not None
        await lists.rename_folder(folder.id, words())
        await lists.move([self.ids["kept"]], folder.id)
        prompt = SavedPrompt(
            id=new_id(), name=words(), text=f"Write of {words()}", created_at=NOW, updated_at=NOW, description=words()
        )
        await prompts.add([prompt])
        await prompts.change(replace(prompt, text=f"Write again of {words()}"))
        assistant = await self.app.container.assistants.add(_assistant(words, ""))
        assert assistant is not None
        await self.app.container.assistants.change(replace(assistant, instructions=f"Be once more {words()}"))
        self.ids["folder"] = f"{folder.id} {prompt.id} {assistant.id}"

    # -- removing

    async def remove(self, name: str) -> Receipt:
        app, chat = self.app, self.app.container.chat
        match name:
            case "item":
                return await app.memory.forget(self.ids[name].split())
            case "chat":
                known = await app.memory.from_threads([self.ids[name]])
                assert known, "it was read"
                receipt = await app.memory.forget([one.id for one in known])
                receipt += await chat.purge_thread(self.ids[name])
                return await app.memory.follow_removal(receipt)
            case "trash":
                known = await app.memory.from_threads([self.ids[name]])
                receipt = await app.memory.forget([one.id for one in known])
                await chat.delete_thread(self.ids[name])
                receipt += await app.container.conversations.purge_trash()
                return await app.memory.follow_removal(receipt)
            case "message" | "answer" | "result":
                return await self._remove_one(name)
            case "folder":
                folder_id, prompt_id, assistant_id = self.ids[name].split()
                await app.container.lists.delete_folder(folder_id)
                await app.container.assistants.remove([assistant_id])
                await app.store.prompts.remove([prompt_id])
                assert await app.store.prompts.erase()
                return Receipt()
            case "temporary":
                await chat.leave_temporary(self.ids[name])
                return Receipt()
            case _:
                await app.documents.remove(self.ids[name])
                return await app.documents.purge([self.ids[name]])

    async def _remove_one(self, name: str) -> Receipt:
        container, store = self.app.container, self.app.store
        removal = MessageRemoval(
            store=store.removals,
            chat=container.chat,
            conversations=container.conversations,
            repository=store.threads,
            memory=self.app.memory,
        )
        (answer,) = await store.threads.messages([self.ids[name]])
        known = await self.app.memory.from_threads([answer.thread_id])
        # What is said in a chat stands in the question and in the answer to it.
        both = [Removed(key) for key in (answer.id, answer.parent_id) if key is not None]
        removed = [Removed(answer.id, "c")] if name == "result" else both
        self.chance.shuffle(removed)
        for one in removed:
            await removal.remove(one)
        receipt = Receipt()
        for some in self.chance.choice(([removed], [[one] for one in removed])):
            receipt += await removal.erase(some)
        if name == "message":  # what is remembered stays until it is forgotten
            receipt += await self.app.memory.forget([item.id for item in known])
        return receipt

    # -- what is left

    def texts_left(self, name: str) -> set[str]:
        return texts_left(self.data, self.words[name])

    def note_vectors(self) -> set[str]:
        """Note what vectors are kept now; return of what there are any, not only together with what was said after it."""
        has_some: set[str] = set()
        with closing(sqlite3.connect(f"{(self.data / 'threadwell.db').as_uri()}?mode=ro", uri=True)) as connection:
            for tables in passage_rows.ALL:
                kept = dict(connection.execute(f"SELECT {tables.owner}, vector FROM {tables.vectors}").fetchall())
                for number, passage in passage_rows.passages(connection, tables, list(kept)).items():
                    for name, words in self.words.items():
                        if words.are_in(f"{passage.before}\n{passage.text}"):
                            self.vectors[name].add(kept[number])
                        if words.are_in(passage.text):
                            has_some.add(name)
        return has_some

    def vectors_left(self, *names: str) -> int:
        """How many vectors are left in which something of these is: of each text alone, and as they were kept."""
        embedded = [one for texts in self.endpoint.embedded for one in texts]
        texts = [one for name in names for one in of_texts(embedded, self.words[name])]
        kept = [vector_codec.from_bytes(one) for name in names for one in sorted(self.vectors[name])]
        return vectors_left(self.data, [*kept, *(vector_of(model, one) for model in EMBEDDERS for one in texts)])

    def copy(self) -> None:
        """As before a migration."""
        with closing(sqlite3.connect(self.data / "threadwell.db")) as connection:
            copy_verified(connection, self.data / "backups" / "threadwell-version-16.db")

    async def require_kept(self) -> None:
        words = self.words["kept"]
        path = await self.app.store.threads.path(self.ids["kept"])
        assert words.latin[0] in path[0].text
        assert [one.text for one in await self.app.memory.search()] == [f"My cat stays {words.latin[1]} {words.han[1]}"]
        (summary,) = await self.app.documents.summaries()
        assert summary.count(DocumentState.READY) == 1
        indexing = self.app.memory.indexing
        await indexing.catch_up()
        assert indexing.meaning is not None
        keys = await self.app.store.passages.vector_keys(indexing.meaning.embedder.id)
        assert await indexing.meaning.index.keys() == keys
        assert {key.partition(":")[0] for key in keys} == {"fact", "message", "document"}


@asynccontextmanager
async def folder_in(place: Path, seed: int) -> AsyncIterator[Folder]:
    async with loopback() as endpoint:
        folder = Folder(place, endpoint, seed)
        write_settings(folder.data, endpoint.base_url)
        await folder.open()
        try:
            yield folder
        finally:
            await folder.close()
        assert endpoint.problems == []


async def nothing(_folder: Folder) -> None:
    """Go on at once."""


async def another_embedder(folder: Folder) -> None:
    settings = folder.app.container.settings.settings.memory
    other = EMBEDDERS[settings.embedding_model == EMBEDDERS[0]]
    folder.app.change_memory(embedding_model=other)
    await folder.app.memory.indexing.catch_up()


async def one_more_message(folder: Folder) -> None:
    await folder.app.say(folder.ids["kept"], "And what else is there about my cat?")
    await folder.app.settled()


async def restart(folder: Folder) -> None:
    await folder.reopen()


async def an_index_made_anew(folder: Folder) -> None:
    await folder.app.memory.indexing._index.clear()  # pyright: ignore[reportPrivateUsage]
    await folder.reopen()


BETWEEN: tuple[Callable[[Folder], Awaitable[None]], ...] = (
    nothing, another_embedder, one_more_message, restart, an_index_made_anew,
)  # fmt: skip
EXPECTED = {
    "item": ("items", "words", "vectors", "stale_summaries"),
    "chat": ("chats", "messages", "items", "quotes", "words", "vectors", "summaries", "files", "calls", "requests"),
    "trash": ("chats", "messages", "items", "quotes", "words", "vectors", "summaries", "files", "calls", "requests"),
    "for all": ("documents", "words", "vectors"),
    "for one": ("documents", "words", "vectors"),
    "temporary": (),
    "message": ("messages", "words", "vectors", "quotes", "files", "requests"),
    "answer": ("messages", "words", "vectors", "calls", "requests"),
    "result": ("results", "files", "requests"),
    "folder": (),
}
"""What each receipt tells of; requests that quote several of these go with the first."""
NOT_EMBEDDED = ("temporary", "result", "folder")
WITH_NEIGHBOURS = ("message", "answer")
"""When what was said before these goes, their vectors go with it, until new ones are made in the background."""


@pytest.mark.timeout(600)
async def test_no_file_of_the_data_folder_holds_anything_of_what_was_removed(tmp_path: Path, seed: int) -> None:
    async with folder_in(tmp_path, seed) as folder:
        await folder.fill()
        order = list(EXPECTED)
        folder.chance.shuffle(order)
        for place, name in enumerate(order):
            if folder.chance.random() < 0.4:
                folder.copy()
            has_vectors = name in folder.note_vectors()
            if has_vectors:
                assert folder.vectors_left(name), f"{name}: the test must be able to find vectors"
            assert has_vectors or name in NOT_EMBEDDED or name in WITH_NEIGHBOURS, f"{name}: it was embedded"
            assert folder.texts_left(name) or name == "temporary", f"{name}: the test must be able to find texts"
            receipt = await folder.remove(name)
            assert not receipt.waits
            assert not receipt.server
            told = {field for field in EXPECTED[name] if getattr(receipt, field)}
            assert told >= set(EXPECTED[name]) - (set() if has_vectors else {"vectors"}), name
            done = order[: place + 1]
            for gone in done:
                assert folder.texts_left(gone) == set(), f"{gone}, after {done}"
            assert folder.vectors_left(*done) == 0, f"after {done}"
            await folder.chance.choice(BETWEEN)(folder)
        await folder.require_kept()
    for name in EXPECTED:
        assert folder.texts_left(name) == set(), f"{name}, closed"
    assert folder.vectors_left(*EXPECTED) == 0, "closed"
    assert folder.texts_left("kept"), "and what was kept is there"
    folder.note_vectors()
    assert folder.vectors_left("kept")
    logs = b"".join(path.read_bytes() for path in (folder.data / "logs").iterdir())
    assert logs
    for words in folder.words.values():
        assert not any(form in logs.lower() for form in words.forms()), "the log never held any of it"


async def said_in(data: Path, endpoint: LoopbackEndpoint, words: Secrets) -> tuple[str, list[Vector]]:
    """Say something and let it be embedded; return the chat, and the vectors that are on the disk of it."""
    write_settings(data, endpoint.base_url, tools=False)
    async with memory_app(data) as app:
        run = await app.say(None, f"My cat is {words()}")
        await app.say(None, "My cat stays.")
        await app.settled()
        texts = of_texts([one for batch in endpoint.embedded for one in batch], words)
        vectors = [vector_of(EMBEDDERS[0], one) for one in texts]
        assert vectors_left(data, vectors)
    return run.thread_id, vectors


async def require_the_rest(app: MemoryApp) -> None:
    await app.memory.indexing.catch_up()
    meaning = app.memory.indexing.meaning
    assert meaning is not None
    keys = await app.store.passages.vector_keys(meaning.embedder.id)
    assert len(keys) == 2
    assert await meaning.index.keys() == keys


async def test_what_the_index_did_not_follow_leaves_it_after_the_next_start_before_anything_is_written(
    tmp_path: Path,
) -> None:
    data, words = tmp_path / "data", Secrets(0)
    async with loopback() as endpoint:
        thread_id, vectors = await said_in(data, endpoint, words)
        async with memory_app(data, starts=False) as app:
            await app.store.threads.purge_thread(thread_id)  # and here it ends, before the index followed
            assert texts_left(data, words) == set()
            assert vectors_left(data, vectors)
        async with memory_app(data, starts=False) as app:
            await app.container.memory.finish_forgetting()
            async with asyncio.timeout(90):
                while await app.store.passages.owes_erasing():  # noqa: ASYNC110 - there is no event for it
                    await asyncio.sleep(0.02)
            assert vectors_left(data, vectors) == 0
            await require_the_rest(app)


async def test_a_chat_that_is_purged_from_a_shell_leaves_no_vector(tmp_path: Path) -> None:
    data, words = tmp_path / "data", Secrets(0)
    async with loopback() as endpoint:
        thread_id, vectors = await said_in(data, endpoint, words)
        purged = await asyncio.to_thread(ShellApp(data).run, "threads", "purge", thread_id)
        assert purged.status == 0
        assert texts_left(data, words) == set()
        assert vectors_left(data, vectors) == 0
        async with memory_app(data) as app:
            await require_the_rest(app)
        assert vectors_left(data, vectors) == 0
