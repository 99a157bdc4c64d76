"""What is recorded of a request is what the endpoint received, each try and each step, and nothing secret."""

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.request_recorder import RequestRecorder
from desktop.agent.sent_pieces import Label, split
from desktop.agent.tool_specs import tool_specs
from desktop.agent.whole_answer import whole_answer
from desktop.agent.window_maker import WindowMaker
from desktop.conversation.entities import AttachmentKind, AttachmentPart, Role, ThreadOptions
from desktop.conversation.request_export import requests_to_json
from desktop.conversation.request_records import LeftOutKind, PieceKind, Purpose, RequestRecord
from desktop.conversation.service import ConversationService
from desktop.conversation.window import Reading
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import (
    Image,
    LanguageModel,
    ModelRequest,
    Sampling,
    SystemMessage,
    TextDelta,
    UserMessage,
)
from desktop.core.tasks import TaskSupervisor
from desktop.core.token_count import count_request
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import Patience
from desktop.storage.store import Store
from desktop.tools.entities import ToolOutcome
from desktop.tools.service import ToolService
from desktop.tools.trust import ServerTrust
from tests.support.endpoint import LoopbackEndpoint, call, status, text
from tests.support.run_world import BehavingGateway, Behaviour, descriptor
from tests.support.scripted_model import ScriptedModel, called, said
from tests.support.scripted_prompts import ScriptedPrompts, allow_once
from tests.support.stores import opened
from tests.support.waiting import until

KEY = "sk-this-is-the-key-of-the-endpoint"
PICTURE = b"\x89PNG the pixels of a picture"


class World:
    """A loop on a real store; ``ask`` sends and returns the requests of the answer."""

    def __init__(
        self,
        store: Store,
        model: LanguageModel,
        tools: Mapping[str, Behaviour],
        images: Mapping[str, Image],
        context_tokens: int | None,
        names: bool,
    ) -> None:
        self.store = store
        self.tasks = TaskSupervisor()
        gateway = BehavingGateway(tools)
        service = ToolService(
            gateway=gateway,
            prompts=ScriptedPrompts(*[allow_once()] * 2),
            journal=store.journal,
            grants=store.grants,
            taints=store.taints,
            trust=lambda _server_id: ServerTrust(is_trusted=True),
            workspace=lambda: "/workspace",
        )

        async def load(_messages: object) -> Mapping[str, Image]:
            return images

        recorder = RequestRecorder(store.requests, self.tasks)
        loop = AgentLoop(
            model=model,
            repository=store.threads,
            tools=service,
            system_prompt=lambda: "You are careful.",
            step_limit=5,
            sampling=Sampling(temperature=0.25, max_output_tokens=500),
            images=load,
            recorder=recorder,
            windows=WindowMaker(Reading(context_tokens=context_tokens)),
        )
        self.chat = ChatService(
            conversations=ConversationService(store.threads),
            repository=store.threads,
            loop=lambda _options: loop,
            tasks=self.tasks,
            titles_wanted=lambda: names,
            beside=recorder.beside,
        )
        self.thread_id: str | None = None

    async def ask(self, words: str, *attachments: AttachmentPart) -> tuple[RequestRecord, ...]:
        run = await self.chat.send(self.thread_id, words, options=ThreadOptions(), attachments=attachments)
        self.thread_id = run.thread_id
        await run.wait_over()
        return await self.store.requests.of_answer(run.message_id)


@asynccontextmanager
async def world(
    folder: Path,
    model: LanguageModel,
    tools: Mapping[str, Behaviour] | None = None,
    images: Mapping[str, Image] | None = None,
    context_tokens: int | None = None,
    *,
    names: bool = False,
) -> AsyncGenerator[World, None]:
    async with opened(folder) as store:
        made = World(store, model, tools or {}, {} if images is None else images, context_tokens, names)
        try:
            yield made
        finally:
            await made.chat.close()
            await made.tasks.close()
            await model.close()


def real_model(endpoint: LoopbackEndpoint, **options: Any) -> OpenAILanguageModel:
    return OpenAILanguageModel(
        base_url=endpoint.base_url,
        model="alpha",
        key=KEY,
        headers={"X-Gateway": KEY},
        patience=Patience(tries=1, pauses=(0.0,)),
        options=ModelOptions(**options),
    )


async def until_some(read: Callable[[], Awaitable[tuple[RequestRecord, ...]]]) -> tuple[RequestRecord, ...]:
    """What is read once there is something."""
    for _ in range(1000):
        if found := await read():
            return found
        await asyncio.sleep(0.01)
    raise AssertionError("nothing came")


async def look(arguments: dict[str, object]) -> ToolOutcome:
    return ToolOutcome(text="The result of looking around carefully in the whole house")


async def test_each_step_is_recorded_exactly_as_the_endpoint_received_it(tmp_path: Path) -> None:
    script = [
        [call("files__look", '{"where": "everywhere, in each of the corners"}', call_id="c1")],
        [text("Found it.")],
        [text("Again.")],
    ]
    async with (
        LoopbackEndpoint(script, models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint), {"look": look}) as here,
    ):
        first = await here.ask("Where is the key of the old house by the sea?")
        second = await here.ask("And where is the other one? 那另一把呢？")
        received = [request.body for request in endpoint.requests]
        assert [record.body for record in (*first, *second)] == received
        assert [record.step for record in first] == [0, 1]
        assert [(r.outcome.finish, r.outcome.usage.input_tokens is not None) for r in first] == [
            ("tool_calls", True),
            ("stop", True),
        ]
        assert second[0].sampling == Sampling(temperature=0.25, max_output_tokens=500)
        kinds = [piece.kind.value for message in second[0].messages for piece in message.pieces]
        assert kinds == ["instructions", "text", "call", "result", "text", "text"]
        path = await here.store.threads.path(here.thread_id or "")
        assert [m.origins for m in second[0].messages] == [
            (),
            (path[0].id,),
            (path[1].id,),
            (path[1].id,),
            (path[1].id,),
            (path[2].id,),
        ]
        assert [json.loads(tool.text or "")["name"] for tool in second[0].tools] == ["files__look"]


async def test_the_texts_of_the_pieces_are_together_the_texts_of_the_messages(tmp_path: Path) -> None:
    model = ScriptedModel(called(("c1", "files__look", "{}"), thinking="hm"), said("done"))
    async with world(tmp_path, model, {"look": look}) as here:
        records = await here.ask("Look around")
        for record, request in zip(records, model.requests, strict=True):
            for sent, message in zip(record.messages, request.messages, strict=True):
                words = [p.text for p in sent.pieces if p.kind not in (PieceKind.CALL, PieceKind.THINKING)]
                assert "".join(filter(None, words)) == message.text
            assert record.http == ()
            assert record.are_tokens_guessed


async def test_our_own_count_is_that_of_the_whole_request(tmp_path: Path) -> None:
    async with (
        LoopbackEndpoint([[text("a")]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint), {"look": look}) as here,
    ):
        (record,) = await here.ask("Count this sentence, please")
        request = ModelRequest(
            messages=(SystemMessage(text="You are careful."), UserMessage(text="Count this sentence, please")),
            tools=tool_specs([descriptor("look")]),
        )
        assert record.tokens == count_request(request)
        assert not record.are_tokens_guessed


async def test_what_the_endpoint_refused_is_a_record_of_its_own(tmp_path: Path) -> None:
    refusal = {"error": {"message": "tools is not supported by this model"}}
    async with (
        LoopbackEndpoint([[status(400, body=refusal)], [text("Without.")]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint), {"look": look}) as here,
    ):
        with_tools, without = await here.ask("Look around")
        assert [with_tools.body, without.body] == [request.body for request in endpoint.requests]
        assert with_tools.outcome.finish == "asked_again"
        assert [tool.name for tool in with_tools.tools] == ["files__look"]
        assert without.tools == ()
        assert [(out.kind, out.names) for out in without.left_out] == [(LeftOutKind.TOOL, ("files__look",))]


async def test_results_that_were_cut_to_make_room_are_told(tmp_path: Path) -> None:
    async def read(arguments: dict[str, object]) -> ToolOutcome:
        return ToolOutcome(text="a long line of the file " * 500)

    steps = [step for n in range(2) for step in (called((f"c{n}", "files__read", "{}")), said("Read."))]
    model = ScriptedModel(*steps, said("Yes."))
    async with world(tmp_path, model, {"read": read}, context_tokens=5_600) as here:
        whole = (await here.ask("Read the first file."))[-1]
        assert whole.left_out == ()
        await here.ask("Read the next file.")
        (cut,) = await here.ask("Is that all?")
        (told,) = [out for out in cut.left_out if out.kind is LeftOutKind.RESULT]
        assert told.names == ("files__read",)


async def test_records_stand_in_the_order_of_sending_however_long_the_first_takes_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = {"error": {"message": "tools is not supported by this model"}}
    async with (
        LoopbackEndpoint([[status(400, body=refusal)], [text("Without.")]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint), {"look": look}) as here,
    ):
        add, written = here.store.requests.add, list[str]()

        async def slowly_at_first(record: RequestRecord) -> None:
            if record.tools:
                with suppress(AssertionError):
                    await until(lambda: written, within=0.5)  # time to be overtaken
            await add(record)
            written.append(record.id)

        monkeypatch.setattr(here.store.requests, "add", slowly_at_first)
        records = await here.ask("Look around")
        assert [record.body for record in records] == [request.body for request in endpoint.requests]
        assert [record.id for record in records] == written
        assert len(written) == 2


async def test_neither_a_step_nor_the_end_of_an_answer_waits_for_its_records_which_are_all_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel(called(("c1", "files__look", "{}")), said("done"), said("again"))
    async with world(tmp_path, model, {"look": look}) as here:
        add, gate, ended = here.store.requests.add, asyncio.Event(), list[str]()

        async def wait_and_add(record: RequestRecord) -> None:
            await gate.wait()
            await add(record)

        monkeypatch.setattr(here.store.requests, "add", wait_and_add)
        here.chat.run_ended.connect(lambda run: ended.append(run.message_id))
        first = await here.chat.send(None, "Look around")
        await until(lambda: ended)
        second = await here.chat.send(first.thread_id, "And again")  # the chat is free
        await until(lambda: len(ended) == 2)
        assert await here.store.requests.of_answer(first.message_id) == ()
        closing = here.tasks.spawn(here.chat.close(), name="the end of the program")
        gate.set()
        await closing
        records = await here.store.requests.of_answer(first.message_id)
        assert [(record.step, record.outcome.finish) for record in records] == [(0, "tool_calls"), (1, "stop")]
        (record,) = await here.store.requests.of_answer(second.message_id)
        assert record.outcome.finish == "stop"


async def test_who_is_asked_to_end_while_a_record_is_written_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(tmp_path, ScriptedModel(said("done"))) as here:
        await here.ask("Hello")
        (answer,) = [m for m in await here.store.threads.path(here.thread_id or "") if m.role is Role.ASSISTANT]
        add, begun, gate = here.store.requests.add, asyncio.Event(), asyncio.Event()

        async def wait_and_add(record: RequestRecord) -> None:
            begun.set()
            await gate.wait()
            await add(record)

        monkeypatch.setattr(here.store.requests, "add", wait_and_add)
        recorder = RequestRecorder(here.store.requests, here.tasks)
        model = recorder.beside(ScriptedModel(said("worth it")), answer, Purpose.MEMORY)
        request = ModelRequest(messages=(UserMessage(text="What is worth it?"),))
        went_on: list[object] = []

        async def read() -> None:
            went_on.append(await whole_answer(model, request, most_chars=100))

        reading = here.tasks.spawn(read(), name="memory reads what was said")
        await begun.wait()
        reading.cancel()
        await asyncio.sleep(0)
        gate.set()
        await asyncio.wait({reading})
        assert reading.cancelled()
        assert went_on == []
        assert len(await here.store.requests.of_answer(answer.id)) == 2, "it was written all the same"


@pytest.mark.parametrize("way", ["looked at", "purged"])
async def test_whoever_looks_at_records_or_removes_their_chat_waits_until_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    async with world(tmp_path, ScriptedModel(said("done"))) as here:
        add, gate, ended = here.store.requests.add, asyncio.Event(), list[str]()

        async def wait_and_add(record: RequestRecord) -> None:
            await gate.wait()
            await add(record)

        monkeypatch.setattr(here.store.requests, "add", wait_and_add)
        here.chat.run_ended.connect(lambda run: ended.append(run.message_id))
        run = await here.chat.send(None, "Hello")
        await until(lambda: ended)
        work = here.chat.recorded(run.message_id) if way == "looked at" else here.chat.purge_thread(run.thread_id)
        waiting = here.tasks.spawn(work, name=way)
        gate.set()
        await waiting
        assert len(await here.store.requests.of_answer(run.message_id)) == (way == "looked at")


async def test_what_is_asked_for_a_title_is_recorded_beside_the_answer(tmp_path: Path) -> None:
    async with (
        LoopbackEndpoint([[text("In the drawer.")], [text("The lost key")]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint), names=True) as here,
    ):
        run = await here.chat.send(None, "Where is the key?", options=ThreadOptions())
        await run.wait_over()

        async def both() -> tuple[RequestRecord, ...]:
            found = await here.store.requests.of_answer(run.message_id)
            return found if len(found) == 2 and found[1].outcome.finish else ()

        answered, titled = await until_some(both)
        assert [answered.body, titled.body] == [request.body for request in endpoint.requests]
        assert [answered.purpose, titled.purpose] == [Purpose.ANSWER, Purpose.TITLE]
        assert (titled.left_out, titled.recall, titled.outcome.finish) == ((), None, "stop")
        exported = json.loads(requests_to_json([answered, titled]))["answers"][0]["requests"]
        assert [each["purpose"] for each in exported] == ["answer", "title"]


async def test_a_failure_is_recorded_with_its_error(tmp_path: Path) -> None:
    async with (
        LoopbackEndpoint([[status(401, body={"error": {"message": "no"}})]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint)) as here,
    ):
        (record,) = await here.ask("Hello")
        assert (record.outcome.finish, record.outcome.error_code) == ("", "model.unauthorized")
        assert record.body == endpoint.requests[0].body


async def test_neither_keys_nor_headers_nor_own_fields_nor_pixels_are_in_a_record(tmp_path: Path) -> None:
    images: dict[str, Image] = {}
    picture = Image(name="photo.png", media_type="image/png", data=PICTURE)
    async with (
        LoopbackEndpoint([[text("A cat.")]], models=("alpha",)) as endpoint,
        world(tmp_path, real_model(endpoint, extra_body={"api_token": KEY, "top_k": 3}), images=images) as here,
    ):
        file_id = await here.store.attachments.add(PICTURE, suffix=".png", sent=PICTURE)
        images[file_id] = picture
        part = AttachmentPart(attachment_id=file_id, name="photo.png", kind=AttachmentKind.IMAGE, size=len(PICTURE))
        (record,) = await here.ask("What is this?", part)
        body = endpoint.requests[0].body
        assert body["api_token"] == KEY, "it was sent"
        recorded = json.dumps(record.body)
        assert KEY not in repr(record)
        assert "value is not recorded" in recorded
        assert base64.b64encode(PICTURE).decode() in json.dumps(body)
        assert base64.b64encode(PICTURE).decode() not in recorded
        digest = hashlib.sha256(PICTURE).hexdigest()
        assert f"image/png sha256:{digest} ({len(PICTURE)} bytes)" in recorded
        (image,) = [piece for piece in record.pieces if piece.kind is PieceKind.IMAGE]
        assert (image.name, image.size, image.text) == ("photo.png", len(PICTURE), None)
    assert KEY.encode() not in (tmp_path / "threadwell.db").read_bytes()


async def test_what_was_sent_is_on_disk_while_the_answer_streams_and_says_that_it_was_stopped(tmp_path: Path) -> None:
    model = ScriptedModel([TextDelta(text="begun"), asyncio.Event(), *said("never")])
    async with world(tmp_path, model) as here:
        run = await here.chat.send(None, "Hello")
        records = await until_some(lambda: here.store.requests.of_answer(run.message_id))
        assert [(record.outcome.finish, record.messages[-1].pieces[0].text) for record in records] == [("", "Hello")]
        run.stop()
        await run.wait_over()
        (record,) = await here.store.requests.of_answer(run.message_id)
        assert record.outcome.finish == "stopped"


@pytest.mark.expected_log(r"could not be recorded")
async def test_a_record_that_cannot_be_written_harms_no_answer(tmp_path: Path) -> None:
    async with world(tmp_path, ScriptedModel(said("fine"))) as here:
        await here.store.database.write(lambda c: c.execute("DROP TABLE requests"))
        run = await here.chat.send(None, "Hello")
        await run.wait_over()
        answer = (await here.store.threads.messages([run.message_id]))[0]
        assert answer.text == "fine"


def test_labelled_stretches_are_together_the_text() -> None:
    labels = [Label(PieceKind.MEMORIES, "<memory>m</memory>", ("fact:1",)), Label(PieceKind.SUMMARY, "not there")]
    for whole in ("<memory>m</memory>\n\nHi", "Hi\n\n<memory>m</memory>", "\n<memory>m</memory>\n", "Hi", ""):
        parts = split(whole, labels, PieceKind.TEXT)
        assert "".join(part.text for part in parts) == whole
        assert [part.quotes for part in parts if part.kind is PieceKind.MEMORIES] == [("fact:1",)] * ("memory" in whole)
