"""Conversations in which everything goes wrong, at random but by a seed: the real loop and adapter against a strict endpoint."""

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.conversation.entities import (
    ErrorPart,
    MessageStatus,
    Part,
    ReplayPart,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.service import ConversationService
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import Usage
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
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
from desktop.tools.ports import UserPrompts
from desktop.tools.service import ToolService
from tests.support.endpoint import Answer, LoopbackEndpoint, close, drop, finish, hold, raw, status
from tests.support.endpoint_wire import RecordedRequest, Step
from tests.support.hostile_requests import ARGUMENTS, IDS, NAMES, TEXTS, schema
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryThreadRepository
from tests.support.scripted_prompts import allow_once, decline, refuse
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


class _Person(UserPrompts):
    def __init__(self, random: Random) -> None:
        self._random = random

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return self._random.choice((allow_once, refuse))()

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return decline()


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

    def restart(self, server_id: str) -> None:
        raise AssertionError("nothing is restarted")

    async def call(self, intent: CallIntent, *, deadline_seconds: float) -> ToolOutcome:
        await asyncio.sleep(0)
        if self._random.random() < 0.1:
            raise OSError("the server is gone")
        return ToolOutcome(text=self._random.choice(TEXTS), is_error=self._random.random() < 0.2)


class RandomConversation:
    """One thread: several turns with several models, stopped, failed, edited, continued and crashed as the seed says."""

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
            workspace=lambda: "/workspace",
        )
        async with self.endpoint:
            models = {
                name: OpenAILanguageModel(base_url=self.endpoint.base_url, model=name, patience=NO_PATIENCE)
                for name in MODELS
            }
            chat = ChatService(
                conversations=ConversationService(repository),
                repository=repository,
                loop=lambda _options: AgentLoop(
                    model=models[random.choice(MODELS)],
                    repository=repository,
                    tools=service,
                    system_prompt=lambda: random.choice(("", "Be brief.", "\x00\ud800")),
                    step_limit=4,
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
        for _ in range(random.randint(3, 8)):
            if thread_id is not None and random.random() < 0.2:
                await self._crash(repository, thread_id)
            path = await repository.path(thread_id) if thread_id is not None else ()
            if thread_id is not None and path and random.random() < 0.2:
                await repository.go_back(thread_id, random.choice(path).parent_id)
            thread_id = await self._turn(chat, thread_id)

    async def _turn(self, chat: ChatService, thread_id: str | None) -> str | None:
        """Ask, or let the last answer go on, and perhaps stop it; returns the thread's id."""
        random, seen = self._random, len(self.endpoint.requests)
        self._stops = random.random() < 0.3
        if thread_id is not None and random.random() < 0.15:
            try:
                run = await chat.continue_answer(thread_id)
            except ThreadwellError:
                return thread_id  # the last answer is whole
        else:
            run = await chat.send(thread_id, random.choice(TEXTS))
        if self._stops:
            await until(lambda: run.terminal is not None or any(r.held for r in self.endpoint.requests[seen:]))
            await chat.stop(run.thread_id)
        await run.wait()
        await until(lambda: chat.run_of(run.thread_id) is None)
        return run.thread_id

    async def _crash(self, repository: _Threads, thread_id: str) -> None:
        """A turn of which only a part came to the disk."""
        model = self._random.choice(MODELS)
        turn = await repository.begin_turn(thread_id, self._random.choice(TEXTS), model=model)
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
