"""Conversations in which everything goes wrong, at random but by a seed: the real loop and adapter against a strict endpoint."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.run import Run
from desktop.agent.window_maker import WindowMaker
from desktop.conversation.attachments import load_images
from desktop.conversation.entities import (
    AskedModel,
    ErrorPart,
    MessageStatus,
    Part,
    ReplayPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.removals import Removed
from desktop.conversation.result_files import ResultFiles
from desktop.conversation.service import ConversationService
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import Usage
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.core.tool_content import ItemKind, ReceivedItem, ResultItem
from desktop.mcp_client.config import server_ids
from desktop.mcp_client.listing import describe_all
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    ElicitationAnswer,
    ElicitationRequest,
    ServerConfig,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
    Transport,
)
from desktop.tools.pinned import ServerListing
from desktop.tools.ports import ProgressListener, UserPrompts
from desktop.tools.server_report import ServerReport
from desktop.tools.server_sampling import SamplingDecision, SamplingQuestion
from desktop.tools.service import ToolService
from tests.support.endpoint import Answer, LoopbackEndpoint, close, drop, finish, hold, raw, status
from tests.support.endpoint_wire import RecordedRequest, Step
from tests.support.hostile_requests import ARGUMENTS, IDS, NAMES, TEXTS, schema
from tests.support.in_memory_attachments import ReaderOnPaper
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryTaints, InMemoryThreadRepository
from tests.support.scripted_prompts import allow_once, decline, lend, refuse
from tests.support.strict_messages import signature_of
from tests.support.waiting import until

MODELS = ("some-model", "llama-3", "claude-opus-5", "gemini-3-pro", "mistral-large", "deepseek-v4", "kimi-k2-thinking")
SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "object"},
    {"type": "object", "$schema": "x", "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}},
     "properties": {"a": {"$ref": "#/$defs/n"}}},
    {"type": "object", "anyOf": [{"properties": {"a": {"enum": [1, 2]}}}, {"properties": {"路径": {"const": None}}}]},
    {"type": "object", "properties": {"a": True, "b": {"type": ["string", "null"]}, "c": {"pattern": "(?<!x)y"}}},
    {"type": "object", "properties": {"文件": {"type": "array"}}, "required": ["文件"]},
    {"type": "object", "properties": {"a": {"description": "any", "default": {}, "exclusiveMinimum": 3}}},
)  # fmt: skip


class _Threads(InMemoryThreadRepository):
    async def go_back(self, thread_id: str, message_id: str | None) -> None:
        """What an edit does: the thread goes on from an earlier message."""
        self._set(thread_id, tip=message_id)

    def all_of(self, thread_id: str) -> dict[str, Role]:
        """Every message of the thread that was not removed, on its path or not."""
        there = (message for message in self._messages.values() if message.id not in self._gone)
        return {message.id: message.role for message in there if message.thread_id == thread_id}


class _Person(UserPrompts):
    def __init__(self, random: Random) -> None:
        self._random = random

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return self._random.choice((allow_once, refuse))()

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return decline()

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        return lend()


class _Servers:
    """Implements ``ToolGateway``: servers with hostile names and schemas, whose tools do what they like."""

    def __init__(self, random: Random) -> None:
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()
        self._random = random
        names = random.sample(("files", "文件", "Files", "my server", "123", "x" * 60), random.randint(0, 4))
        self._tools = [tool for server_id in server_ids(names).values() for tool in self._listed(server_id)]

    def _listed(self, server_id: str) -> Sequence[ToolDescriptor]:
        def parameters() -> dict[str, Any]:
            made = json.loads(json.dumps(schema(self._random)).replace("NaN", "0").replace("Infinity", "0"))
            return made if isinstance(made, dict) and self._random.random() < 0.3 else self._random.choice(SCHEMAS)

        config = ServerConfig(id=server_id, transport=Transport.STDIO, command="x")
        listed = [
            {"name": name, "description": self._random.choice(TEXTS), "inputSchema": parameters()}
            for name in self._random.sample(NAMES, self._random.randint(1, 6))
        ]
        return describe_all(config, listed)

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return tuple(self._tools) if self._random.random() < 0.9 else ()  # every server may be gone

    def statuses(self) -> tuple[ServerStatus, ...]:
        return ()

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        return tuple(tool for tool in self._tools if tool.server_id == server_id)

    def listing_of(self, server_id: str) -> ServerListing | None:
        return None

    def report(self, server_id: str) -> ServerReport | None:
        return None

    def restart(self, server_id: str) -> None:
        raise AssertionError("nothing is restarted")

    def accept_place(self, server_id: str) -> None:
        raise AssertionError("no server of this test is refused for its place")

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        await asyncio.sleep(0)
        if self._random.random() < 0.1:
            raise OSError("the server is gone")
        return ToolOutcome(
            text=self._random.choice(TEXTS), is_error=self._random.random() < 0.2, received=self._received()
        )

    def _received(self) -> tuple[ReceivedItem, ...]:
        """Nothing, or some images, of which some are none."""
        random = self._random
        if random.random() < 0.2:
            return ()
        picture = ResultItem(kind=ItemKind.IMAGE, file_name="image.png", size=9)
        data = (b"\x89PNG\r\n\x1a\n.", b"\x89PNG\r\n\x1a\n,", b"<svg>", None)
        return tuple(ReceivedItem(picture, random.choice(data)) for _ in range(random.randint(1, 4)))


class RandomConversation:
    """One thread: several turns, some asked of several models at once, stopped, failed, edited, continued, asked again,
    chosen, removed and crashed as the seed says. After each step nothing is lost, and the path is whole."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._stops = False
        self.endpoint = LoopbackEndpoint(self._answer, models=MODELS)
        self._answers = Random(f"answers {seed}")  # the endpoint's own: it works on another thread

    async def run(self) -> None:
        random, tasks, journal = self._random, TaskSupervisor(), InMemoryJournal()
        repository = _Threads(journal=journal)
        service = ToolService(
            gateway=_Servers(random),
            prompts=_Person(random),
            journal=journal,
            grants=InMemoryGrants(),
            taints=InMemoryTaints(),
            workspace=lambda: "/workspace",
            results=ResultFiles(repository.attachments, ReaderOnPaper()),
        )
        async with self.endpoint:
            models = {
                name: OpenAILanguageModel(base_url=self.endpoint.base_url, model=name, patience=NO_PATIENCE)
                for name in MODELS
            }
            chat = ChatService(
                conversations=ConversationService(repository),
                repository=repository,
                loop=lambda options: AgentLoop(
                    model=models[options.model or random.choice(MODELS)],
                    repository=repository,
                    tools=service,
                    system_prompt=lambda: random.choice(("", "Be brief.", "\x00\ud800")),
                    step_limit=4,
                    images=partial(load_images, repository.attachments),
                    windows=WindowMaker(result_bytes=random.choice((100, 1_000, 100_000))),
                ),
                tasks=tasks,
            )
            try:
                await self._talk(chat, repository)
            finally:
                await chat.close()
                await tasks.close()
                for model in models.values():
                    await model.close()

    async def _talk(self, chat: ChatService, repository: _Threads) -> None:
        random = self._random
        thread_id: str | None = None
        known: dict[str, Role] = {}
        for _ in range(random.randint(3, 8)):
            if thread_id is not None and random.random() < 0.2:
                await self._crash(repository, thread_id)
            path = await repository.path(thread_id) if thread_id is not None else ()
            if thread_id is not None and path and random.random() < 0.2:
                await repository.go_back(thread_id, random.choice(path).parent_id)
            if known and random.random() < 0.3:
                await self._remove(repository, random.choice(list(known)))
                known = {key: role for key, role in known.items() if key in repository.all_of(str(thread_id))}
            if known and random.random() < 0.3:
                await chat.choose_answer(random.choice(list(known)))
            thread_id = await self._turn(chat, repository, thread_id)
            assert thread_id is not None
            known = await self._checked(repository, thread_id, known)

    async def _remove(self, repository: _Threads, message_id: str) -> None:
        """Take a message away, or what one of its calls returned; perhaps bring it back, or erase it."""
        random = self._random
        removed = Removed(message_id, random.choice(("", random.choice(IDS))))
        with suppress(ThreadwellError):  # there is no such call
            await repository.remove(removed)
        chance = random.random()
        if chance < 0.3:
            await repository.take_back(removed)
        elif chance < 0.7:
            await repository.erase()

    async def _turn(self, chat: ChatService, repository: _Threads, thread_id: str | None) -> str | None:
        """Ask, ask again, or let the last answer go on, and perhaps stop it; returns the thread's id."""
        random, seen = self._random, len(self.endpoint.requests)
        self._stops = random.random() < 0.3
        chance = random.random()
        answers = [key for key, role in repository.all_of(thread_id or "").items() if role is Role.ASSISTANT]
        if thread_id is not None and chance < 0.15:
            try:
                run = await chat.continue_answer(thread_id)
            except ThreadwellError:
                return thread_id  # the last answer is whole
        elif answers and chance < 0.3:
            try:
                run = await chat.ask_again(random.choice(answers), random.choice((None, self._asked())))
            except ThreadwellError as error:
                if error.code != "run.question_removed":
                    raise
                return thread_id
        else:
            several = random.random() < 0.4
            own = ThreadOptions(asked_beside=tuple(self._asked() for _ in range(random.randint(1, 3) * several)))
            if thread_id is not None:
                await repository.set_thread_options(thread_id, own)
            run = await chat.send(thread_id, random.choice(TEXTS), options=own if thread_id is None else None)
        thread_id = run.thread_id
        if runs := chat.runs_of(thread_id):
            await self._let_them_run(chat, runs, seen)
        return thread_id

    async def _let_them_run(self, chat: ChatService, runs: Sequence[Run], seen: int) -> None:
        """Wait for all ends; perhaps one is chosen or stopped meanwhile, at last all."""
        random, thread_id = self._random, runs[0].thread_id
        if random.random() < 0.3:
            await chat.choose_answer(random.choice(runs).message_id)
        if self._stops:
            await until(lambda: all(run.terminal for run in runs) or any(r.held for r in self.endpoint.requests[seen:]))
            if random.random() < 0.5:
                await chat.stop_answer(random.choice(runs).message_id)
            await chat.stop(thread_id)
        for run in runs:
            await run.wait_over()
        assert chat.runs_of(thread_id) == ()

    def _asked(self) -> AskedModel:
        return AskedModel(endpoint_id="", model=self._random.choice(MODELS))

    @staticmethod
    async def _checked(repository: _Threads, thread_id: str, known: dict[str, Role]) -> dict[str, Role]:
        """Nothing that was known is lost, nothing is still being written, and the path is one from the root to the tip."""
        present = repository.all_of(thread_id)
        assert known.items() <= present.items()
        thread = await repository.get_thread(thread_id)
        path = await repository.path(thread_id)
        assert thread is not None
        assert [None, *(message.id for message in path)] == [*(message.parent_id for message in path), thread.tip]
        assert [row.id for row in await repository.outline(thread_id)] == [message.id for message in path]
        beside = {answer.id for message_id in present for answer in await repository.answers(message_id)}
        assert beside == {message_id for message_id, role in present.items() if role is Role.ASSISTANT}
        stored = await repository.messages(list(present))
        assert all(message.status is not MessageStatus.STREAMING for message in stored)
        for message in stored:
            assert 1 <= message.answer_number <= message.answer_count
        return present

    async def _crash(self, repository: _Threads, thread_id: str) -> None:
        """A turn of which only a part came to the disk."""
        model = self._random.choice(MODELS)
        turn = await repository.begin_turn(thread_id, self._random.choice(TEXTS), model=model)
        if self._random.random() < 0.5:
            beside = await repository.add_answer(
                turn.assistant_message.id, model=model, chosen=self._random.random() < 0.5
            )
            await repository.save_parts(beside.assistant_message.id, [self._part(model)])
        parts = [self._part(model) for _ in range(self._random.randint(0, 6))]
        await repository.save_parts(turn.assistant_message.id, parts)
        if self._random.random() < 0.5:
            await repository.recover()
        else:  # an old program version left something else
            await repository.finish_turn(
                turn.turn_id,
                parts=parts,
                status=self._random.choice((MessageStatus.INTERRUPTED, MessageStatus.STOPPED, MessageStatus.COMPLETE)),
                reason="",
                usage=Usage(input_tokens=None, output_tokens=None),
                duration_seconds=0.0,
            )
            await repository.recover()  # and perhaps an answer beside it

    def _part(self, model: str) -> Part:
        random = self._random
        step, said = random.randint(0, 2), random.choice(TEXTS)
        call_id = random.choice(IDS)
        return random.choice(
            (
                TextPart(text=said, step=step),
                ThinkingPart(text=said, step=step),
                ToolCallPart(call_id=call_id, name=random.choice(NAMES), arguments=random.choice(ARGUMENTS), step=step),
                ToolResultPart(call_id=call_id, status=random.choice(list(ResultStatus)), text=said, step=step),
                ErrorPart(code="model.timeout", params={}, step=step),
                ReplayPart(fields={"reasoning_details": [{"text": said, "signature": signature_of(model)}]}, step=step),
            )
        )

    # -- what the endpoint answers --------------------------------------------------------------------------------

    def _answer(self, request: RecordedRequest) -> Answer:
        random = self._answers
        model = request.body["model"]
        steps: list[Step] = []
        if random.random() < 0.4:
            steps.append(_delta({"reasoning_content": random.choice(TEXTS)}))
            steps.append(_delta({"reasoning_details": [{"type": "reasoning.text", "signature": signature_of(model)}]}))
        if random.random() < 0.7:
            steps.append(_delta({"content": random.choice(TEXTS)}))
        if random.random() < 0.6:
            steps += [self._call(place, request) for place in range(random.randint(1, 3))]
        if self._stops and random.random() < 0.6:
            return [*steps, hold("for ever")]
        ends: tuple[Sequence[Step], ...] = (
            (),
            (),
            (),
            (finish("length"),),
            (finish("content_filter"),),
            (drop(),),
            (close(),),
        )
        if random.random() < 0.1:
            return [status(random.choice((400, 401, 404, 429, 500)), {"error": {"message": random.choice(TEXTS)}})]
        return [*steps, *random.choice(ends)]

    def _call(self, place: int, request: RecordedRequest) -> Step:
        random = self._answers
        offered = [tool["function"]["name"] for tool in request.body.get("tools", ())]
        made: dict[str, Any] = {
            "id": random.choice(IDS),
            "type": "function",
            "function": {"name": random.choice((*offered, *offered, *NAMES)), "arguments": random.choice(ARGUMENTS)},
        }
        if random.random() < 0.7:
            made["index"] = place
        if random.random() < 0.3:
            made["extra_content"] = {"google": {"thought_signature": signature_of(request.body["model"])}}
        return _delta({"tool_calls": [made]})


def _delta(delta: dict[str, Any]) -> Step:
    """A chunk whose halves of surrogate pairs stand as escapes, as endpoints send them."""
    whole = {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
    return raw(f"data: {json.dumps(whole)}\n\n")
