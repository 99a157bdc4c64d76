"""Whatever is sent, changed, asked again, turned, branched, deleted, brought back and purged: every tree stays sound."""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.conversation.context import assemble_context
from desktop.conversation.entities import (
    Message,
    MessageStatus,
    ResultStatus,
    Role,
    StartedTurn,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.removals import RemovalStore, Removed
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import AssistantMessage, RequestMessage, ToolMessage, Usage, UserMessage
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.stores import opened

Step = Callable[["Forest"], Awaitable[None]]
STEPS = 40


@dataclass
class Tree:
    """One thread. Messages go by the order in which they began: their ids differ from store to store."""

    thread_id: str
    ids: list[str] = field(default_factory=list[str])
    turns: dict[str, StartedTurn] = field(default_factory=dict[str, StartedTurn])
    removed: set[str] = field(default_factory=set[str])
    erased: set[str] = field(default_factory=set[str])
    is_deleted: bool = False
    is_gone: bool = False


class Forest:
    """The threads of one store, also those that are gone."""

    def __init__(self, threads: ThreadRepository, removals: RemovalStore) -> None:
        self.threads = threads
        self.removals = removals
        self.trees: list[Tree] = []
        self.words = 0

    def _word(self) -> str:
        self.words += 1
        return f"word{self.words}x"

    async def create(self) -> None:
        thread = await self.threads.create_thread(title=f"title {len(self.trees)}")
        self.trees.append(Tree(thread.id))

    def _known(self, tree: Tree, turn: StartedTurn) -> None:
        tree.ids += [m.id for m in (turn.user_message, turn.assistant_message) if m.id not in tree.ids]
        tree.turns[turn.assistant_message.id] = turn

    async def send(self, number: int) -> None:
        tree = self.trees[number]
        self._known(tree, await self.threads.begin_turn(tree.thread_id, self._word(), model="m"))

    async def change(self, number: int, place: int) -> None:
        tree = self.trees[number]
        turn = await self.threads.begin_turn(tree.thread_id, self._word(), model="m", instead_of=tree.ids[place])
        self._known(tree, turn)

    async def ask_again(self, number: int, place: int, chosen: bool) -> None:
        tree = self.trees[number]
        self._known(tree, await self.threads.add_answer(tree.ids[place], model="m", chosen=chosen))

    async def choose(self, number: int, place: int) -> None:
        await self.threads.choose_answer(self.trees[number].ids[place])

    async def finish(self, number: int, place: int, status: MessageStatus) -> None:
        tree = self.trees[number]
        if (turn := tree.turns.get(tree.ids[place])) is not None:
            await self.threads.finish_turn(
                turn.turn_id,
                parts=[
                    ToolCallPart(call_id="call", name="bring", arguments="{}"),
                    ToolResultPart(call_id="call", status=ResultStatus.OK, text=self._word()),
                    TextPart(text=self._word(), step=1),
                ],
                status=status,
                reason="x",
                usage=Usage(output_tokens=1),
                duration_seconds=1.0,
            )

    async def reopen(self, number: int, place: int) -> None:
        await self.threads.reopen_turn(self.trees[number].ids[place], model="n", parts=[])

    async def branch(self, number: int, place: int) -> None:
        made = await self.threads.branch(self.trees[number].ids[place], title=f"title {len(self.trees)}")
        tree = Tree(made.id)
        self.trees.append(tree)
        tree.ids = [message.id for message in await self.threads.path(made.id)]

    async def delete(self, number: int) -> None:
        await self.threads.delete_thread(self.trees[number].thread_id)
        self.trees[number].is_deleted = True

    async def restore(self, number: int) -> None:
        await self.threads.restore_thread(self.trees[number].thread_id)
        self.trees[number].is_deleted = False

    async def purge(self, number: int) -> None:
        await self.threads.purge_thread(self.trees[number].thread_id)
        self.trees[number].is_gone = True

    async def write(self, number: int, place: int, text: str) -> None:
        await self.threads.save_draft(self.trees[number].ids[place], text)

    async def recover(self) -> None:
        await self.threads.recover()
        for tree in self.trees:
            tree.erased |= tree.removed

    async def remove(self, number: int, place: int) -> None:
        tree = self.trees[number]
        await self.removals.remove(Removed(tree.ids[place]))
        tree.removed.add(tree.ids[place])

    async def remove_result(self, number: int, place: int) -> None:
        await self.removals.remove(Removed(self.trees[number].ids[place], "call"))

    async def take_back(self, number: int, place: int) -> None:
        tree = self.trees[number]
        for call_id in ("", "call"):
            await self.removals.take_back(Removed(tree.ids[place], call_id))
        if tree.ids[place] not in tree.erased:
            tree.removed.discard(tree.ids[place])

    async def erase(self, number: int, place: int) -> None:
        tree = self.trees[number]
        wanted = [Removed(tree.ids[place]), Removed(tree.ids[place], "call")]
        receipt = await self.removals.erase(wanted)
        assert receipt.messages == (tree.ids[place] in tree.removed - tree.erased)
        if tree.ids[place] in tree.removed:
            tree.erased.add(tree.ids[place])

    # -- what can be seen

    async def shape(self) -> object:
        """Everything, in places instead of ids."""
        return [await self._shape_of(tree) for tree in self.trees]

    async def _shape_of(self, tree: Tree) -> object:
        thread = await self.threads.get_thread(tree.thread_id)
        if thread is None:
            assert tree.is_gone
            assert await self.threads.messages(tree.ids) == ()
            assert await self.threads.tree(tree.thread_id) == ()
            return None
        place = {message_id: number for number, message_id in enumerate(tree.ids)}

        def facts(message: Message) -> tuple[object, ...]:
            parent = None if message.parent_id is None else place[message.parent_id]
            beside = message.answer_number, message.answer_count
            results = [part.text for part in message.parts if isinstance(part, ToolResultPart)]
            return place[message.id], parent, message.role, message.status, message.text, results, *beside

        path = await self.threads.path(tree.thread_id)
        every = await self.threads.messages(tree.ids)
        there = [message_id for message_id in tree.ids if message_id not in tree.removed]
        assert [message.id for message in every] == there, "no message is lost but those that were removed"
        assert [None, *(m.id for m in path)] == [*(m.parent_id for m in path), thread.tip], "the path is whole"
        if not any(each.removed for each in self.trees):
            assert [m.role for m in path] == [(Role.USER, Role.ASSISTANT)[n % 2] for n in range(len(path))]
        require_strict(assemble_context(path))
        nodes = await self.threads.tree(tree.thread_id)
        assert sorted(node.id for node in nodes) == sorted(there)
        assert [node.id for node in nodes if node.is_on_path] == [message.id for message in path]
        known: set[str | None] = {None}
        for node in nodes:
            assert node.parent_id in known, "each comes after the one that it follows"
            known.add(node.id)
        beside = [[place[i] for i in await self.threads.beside(message_id)] for message_id in there]
        for message, others in zip(every, beside, strict=True):
            assert others[message.answer_number - 1] == place[message.id]
            assert message.answer_count == len(others)
        places = [(n.is_on_path, n.beginning, n.status, n.parent_id and place[n.parent_id]) for n in nodes]
        origin = thread.branched_from
        threads = {each.thread_id: number for number, each in enumerate(self.trees)}
        came_from = None if origin is None else (threads[origin.thread_id], origin.is_deleted)
        edited = await self.threads.edited_message(tree.thread_id)
        return (
            [facts(m) for m in path],
            [facts(m) for m in every],
            places,
            beside,
            thread.snippet,
            came_from,
            place.get(edited),
            await self.threads.load_draft(edited) if edited else "",
            await self.threads.load_draft(tree.thread_id),
        )


def require_strict(sent: Sequence[RequestMessage]) -> None:
    """What strict endpoints ask of a history: the user speaks first, nobody twice in turn, each call has one result."""
    before: RequestMessage | None = None
    waiting: list[str] = []
    for message in sent:
        if isinstance(message, ToolMessage):
            waiting.remove(message.call_id)
        else:
            assert not waiting
            assert isinstance(message, UserMessage) or before is not None
            assert not (isinstance(message, UserMessage) and isinstance(before, UserMessage))
            assert not (isinstance(message, AssistantMessage) and isinstance(before, AssistantMessage))
        if isinstance(message, AssistantMessage):
            waiting = [call.call_id for call in message.tool_calls]
        before = message
    assert not waiting


def random_step(chance: random.Random, forest: Forest) -> Step:
    living = [number for number, tree in enumerate(forest.trees) if not tree.is_gone]
    if not living:
        return lambda f: f.create()
    number = chance.choice(living)
    ids = forest.trees[number].ids
    if not ids:
        return lambda f: f.send(number)
    place, chosen, text = chance.randrange(len(ids)), chance.random() < 0.5, chance.choice(("", "a change"))
    status = chance.choice((MessageStatus.COMPLETE, MessageStatus.STOPPED, MessageStatus.FAILED))
    steps: Sequence[tuple[int, Step]] = (
        (4, lambda f: f.send(number)),
        (4, lambda f: f.change(number, place)),
        (3, lambda f: f.ask_again(number, place, chosen)),
        (4, lambda f: f.choose(number, place)),
        (6, lambda f: f.finish(number, place, status)),
        (1, lambda f: f.reopen(number, place)),
        (2, lambda f: f.branch(number, place)),
        (1, lambda f: f.delete(number)),
        (2, lambda f: f.restore(number)),
        (1, lambda f: f.purge(number)),
        (1, lambda f: f.write(number, place, text)),
        (3, lambda f: f.remove(number, place)),
        (2, lambda f: f.remove_result(number, place)),
        (2, lambda f: f.take_back(number, place)),
        (2, lambda f: f.erase(number, place)),
        (1, lambda f: f.recover()),
    )
    return chance.choices([step for _, step in steps], [weight for weight, _ in steps])[0]


async def outcome(forest: Forest, step: Step) -> str:
    try:
        await step(forest)
    except ThreadwellError as error:
        return error.code
    return ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(150 if metafunc.config.getoption("long") else 5))


async def test_any_sequence_keeps_every_tree_sound_and_every_hit_reachable(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with opened(tmp_path) as store:
        fake = InMemoryThreadRepository()
        forests = [Forest(store.threads, store.removals), Forest(fake, fake)]
        for _ in range(STEPS):
            step = random_step(chance, forests[0])
            real, faked = [await outcome(forest, step) for forest in forests]
            assert real == faked
            assert await forests[0].shape() == await forests[1].shape()
        await _every_hit_can_be_reached(forests[0], chance)


async def _every_hit_can_be_reached(forest: Forest, chance: random.Random) -> None:
    """What was said in a chat that is there is found, where it stands; and from there the path goes through it."""
    for tree in forest.trees:
        said = {} if tree.is_gone else {m.id: m for m in await forest.threads.messages(tree.ids)}
        for message_id in tree.erased:
            assert message_id not in said
        done = [m for m in said.values() if m.status is not MessageStatus.STREAMING and m.text]
        for message in chance.sample(done, min(4, len(done))):
            hits = await forest.threads.search(message.text)
            found = {hit.message_id: hit for hit in hits}
            if tree.is_deleted:
                assert message.id not in found
                continue
            assert found[message.id].thread_id == tree.thread_id
            await forest.threads.choose_answer(message.id)
            assert message.id in {row.id for row in await forest.threads.outline(tree.thread_id)}
