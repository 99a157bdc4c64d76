"""The use cases of talking: send, go on, ask again, stop, and what must happen to a thread that runs when it is deleted."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop.agent.continuing import can_continue, resumed
from desktop.agent.naming import AskedTogether, Namer, first_title
from desktop.agent.run import Run
from desktop.agent.several import Answerers, Unusable, as_chosen
from desktop.agent.whole_answer import Beside, unrecorded
from desktop.conversation.entities import (
    MOST_ANSWERS,
    USUAL_OPTIONS,
    AskedModel,
    AttachmentPart,
    Message,
    Role,
    Thread,
    ThreadOptions,
)
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.endpoint_list import Answering
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.memory_settings import MemoryUse
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor

if TYPE_CHECKING:
    from desktop.agent.loop import AgentLoop


class ChatService:
    """One message at a time in a thread, answered by one model or by several at once; several threads at once.

    Each answer is a ``Run`` of its own, with its own stop, tools, tokens, cost and end.

    Signals:
        run_started: a run began; carries it. The one whose answer is on the path comes first.
        run_ended: a run ended; carries it, with ``terminal`` set. Others may go on beside it (``runs_of``).
        path_changed: the path of a thread goes another way from some message on; carries the thread's id.
        failed: something of what was asked for could not be begun, while the rest goes on; carries the error.
    """

    def __init__(
        self,
        *,
        conversations: ConversationService,
        repository: ThreadRepository,
        loop: "Callable[[ThreadOptions], AgentLoop]",
        tasks: TaskSupervisor,
        answering: Callable[[ThreadOptions], Answering] = as_chosen,
        begin_with: Callable[[ThreadOptions], ThreadOptions] = lambda options: options,
        titles_wanted: Callable[[], bool] = lambda: True,
        beside: Beside = unrecorded,
    ) -> None:
        """``loop`` makes an answer for a thread with these options, and ``answering`` tells whose it is.

        ``begin_with`` returns what a new thread keeps. ``titles_wanted`` tells whether the model is asked for the title
        of a new thread; ``beside`` has it recorded.
        """
        self._conversations = conversations
        self._repository = repository
        self._answerers = Answerers(loop, answering, repository)
        self._begin_with = begin_with
        self._namer = Namer(conversations, repository, tasks, wanted=titles_wanted, beside=beside)
        self._tasks = tasks
        self._runs: dict[str, Run] = {}
        """By the message that each writes, in the order in which they began."""
        self._tips: dict[str, str] = {}
        """The last message of the path, of threads that run."""
        self._starting: dict[str, asyncio.Event] = {}
        self._leaving: set[str] = set()
        """Threads that are on their way out: nothing is begun there."""
        self._unrecorded: list[Run] = []
        """Those that have ended while what was sent for them is still written down."""
        self.run_started = Signal[Run]()
        self.run_ended = Signal[Run]()
        self.path_changed = Signal[str]()
        self.failed = Signal[ThreadwellError]()

    def runs_of(self, thread_id: str) -> tuple[Run, ...]:
        """What is going on in the thread, in the order in which it began; empty when it is free for a message."""
        return tuple(run for run in self._runs.values() if run.thread_id == thread_id)

    def run_of(self, thread_id: str) -> Run | None:
        """The run whose answer is on the thread's path; None when that has ended, even if others go on beside it."""
        return self._runs.get(self._tips.get(thread_id, ""))

    def run_of_message(self, message_id: str) -> Run | None:
        """The run that writes this answer, if any."""
        return self._runs.get(message_id)

    async def send(
        self,
        thread_id: str | None,
        text: str,
        *,
        options: ThreadOptions | None = None,
        attachments: Sequence[AttachmentPart] = (),
        beside: Sequence[AskedModel] | None = None,
        instead_of: str | None = None,
        from_queue: str | None = None,
        approves_plan: bool = False,
    ) -> Run:
        """Store the user's message and start its answers; returns when all are on disk, with the one on the path.

        The thread's own model answers, and beside it each of ``ThreadOptions.asked_beside``, or of ``beside`` for this
        message alone. One that cannot be asked gets an answer that failed, and stops no other. ``instead_of`` names a
        message of the thread that is sent anew: it stays with all that follows it, and the path goes through the new one.

        ``approves_plan``: a plan is carried out without asking, also where nobody could be asked.

        ``from_queue`` is the id of the message among those that wait (``MessageQueue``): it leaves them when it is stored.

        None begins a new thread. With ``options`` it is the one that was being drafted: it begins with them, and what
        was kept for it is forgotten. A thread that exists keeps its own.

        Raises ``ThreadwellError("run.busy")`` while anything in the thread still answers, ``ModelError`` when no model
        can be asked, and ``StorageError``; then nothing was sent.
        """
        if thread_id is not None and self.runs_of(thread_id):
            raise ThreadwellError("run.busy")
        was_drafted = thread_id is None and options is not None
        answerers: Sequence[AgentLoop | Unusable] = ()
        if thread_id is None:
            own = options or USUAL_OPTIONS
            answerers = self._answerers.all(own, beside)  # before a thread is made, which would stay behind empty
            thread_id = (await self._conversations.create_thread(self._begin_with(own))).id
        with self._starting_in(thread_id):
            answerers = answerers or self._answerers.all(await self._conversations.options_of(thread_id), beside)
            turn = await self._repository.begin_turn(
                thread_id,
                text,
                model=answerers[0].model_name,
                from_new_thread=was_drafted,
                attachments=attachments,
                instead_of=instead_of,
                from_queue=from_queue,
            )
            run = Run(turn, is_from_queue=from_queue is not None, approves_plan=approves_plan)
            asked = AskedTogether()
            self._tips[thread_id] = run.message_id
            if instead_of is not None:
                self.path_changed.emit(thread_id)
            self._begin(answerers[0], run, asked)
            await self._begin_beside(run, answerers[1:], asked)
        if turn.user_message.parent_id is None and await self._is_named_by_question(turn.user_message):
            await self._conversations.suggest_title(thread_id, first_title(turn.user_message))
        else:
            await self._conversations.announce(thread_id)
        return run

    async def _is_named_by_question(self, question: Message) -> bool:
        """The thread is called as its first message begins, or as that began before it was changed."""
        thread = await self._repository.get_thread(question.thread_id)
        versions = await self._repository.messages(await self._repository.beside(question.id))
        return thread is not None and thread.title in ("", *map(first_title, versions))

    async def _begin_beside(
        self, first: Run, answerers: "Sequence[AgentLoop | Unusable]", asked: AskedTogether
    ) -> None:
        try:
            for answerer in answerers:
                turn = await self._repository.add_answer(first.message_id, model=answerer.model_name)
                self._begin(answerer, Run(turn), asked)
        except StorageError as error:  # the message is sent, and answered by those that have begun
            self.failed.emit(error)

    async def begin_temporary(self) -> Thread:
        """Make an empty thread that is told nothing of others and leaves nothing: it is purged with ``leave_temporary``,
        at the end of the program, and at the next start after a crash. Raises ``ModelError`` and ``StorageError``."""
        own = ThreadOptions(is_temporary=True, memory=MemoryUse.OFF)
        return await self._conversations.create_thread(self._begin_with(own))

    async def leave_temporary(self, thread_id: str) -> None:
        """Stop what runs in a temporary thread and remove it for good; any other is left as it is."""
        if (await self._conversations.options_of(thread_id)).is_temporary:
            await self.purge_thread(thread_id)

    async def continue_answer(self, thread_id: str) -> Run:
        """Let the last answer of the thread's path go on where it broke off; returns when that is on disk.

        The same message grows: a text that was cut in two has no seam. The model that wrote it goes on if it is still one
        of the thread's, else the thread's own. Other answers to the same message may be running. Raises what ``send``
        does, and ``ThreadwellError("run.nothing_to_continue")`` when the answer is whole.
        """
        with self._starting_in(thread_id):
            answer = next(iter(await self._repository.path(thread_id, last=1)), None)
            self._require_free(thread_id, but_for=answer)
            if answer is None or not can_continue(answer):
                raise ThreadwellError("run.nothing_to_continue")
            await self._require_question(answer)
            loop = await self._loop_for(answer)
            rest = resumed(answer, model=loop.model_name)
            turn = await self._repository.reopen_turn(answer.id, model=loop.model_name, parts=rest.parts)
            run = Run(turn, beside=rest.beside)
            self._tips[thread_id] = run.message_id
            self._begin(loop, run, AskedTogether())
        await self._conversations.announce(thread_id)
        return run

    async def ask_again(self, message_id: str, asked: AskedModel | None = None) -> Run:
        """Begin another answer beside this one, to the same message; the path ends with it from now on.

        None asks the model that wrote this one if it is still one of the thread's, else the thread's own. Other answers
        to the same message may be running. Raises what ``send`` does, ``ModelError("model.endpoint_gone")`` for a model
        that was ``asked`` for and is not there any more, and ``ThreadwellError("run.too_many_answers")`` where there
        are ``MOST_ANSWERS``.
        """
        answer = await self._message(message_id)
        thread_id = answer.thread_id
        with self._starting_in(thread_id):
            self._require_free(thread_id, but_for=answer, may_run=True)
            await self._require_question(answer)
            beside = await self._repository.answers(message_id)
            if sum(not each.is_empty_failure for each in beside) >= MOST_ANSWERS:
                raise ThreadwellError("run.too_many_answers", most=MOST_ANSWERS)
            loop = await self._loop_for(answer, asked)
            turn = await self._repository.add_answer(message_id, model=loop.model_name, chosen=True)
            run = Run(turn)
            self._tips[thread_id] = run.message_id
            self.path_changed.emit(thread_id)
            self._begin(loop, run, AskedTogether())
        await self._conversations.announce(thread_id)
        return run

    async def choose_answer(self, message_id: str) -> None:
        """Let the thread's path go through this message, whatever runs: the next message follows on that path.

        See ``ThreadRepository.choose_answer``. Raises ``StorageError``.
        """
        thread_id = (await self._message(message_id)).thread_id
        await self._repository.choose_answer(message_id)
        thread = await self._repository.get_thread(thread_id)
        if thread is not None and thread.tip is not None and self.runs_of(thread_id):
            self._tips[thread_id] = thread.tip
        self.path_changed.emit(thread_id)
        await self._conversations.announce(thread_id)

    async def _require_question(self, answer: Message) -> None:
        question = await self._repository.messages([answer.parent_id or ""])
        is_there = bool(question) and question[0].role is Role.USER
        if answer.role is Role.ASSISTANT and not is_there:
            raise ThreadwellError("run.question_removed")

    async def _message(self, message_id: str) -> Message:
        found = await self._repository.messages([message_id])
        if not found:
            raise StorageError("storage.thread_missing", thread_id="")
        return found[0]

    async def _loop_for(self, answer: Message, asked: AskedModel | None = None) -> "AgentLoop":
        options = await self._conversations.options_of(answer.thread_id)
        return self._answerers.one(options, asked or self._answerers.who_wrote(answer, options))

    def _require_free(self, thread_id: str, *, but_for: Message | None, may_run: bool = False) -> None:
        """Nothing may run but other answers to the message that ``but_for`` answers, and itself if it ``may_run``."""
        for run in self.runs_of(thread_id):
            if but_for is None or run.turn.user_message.id != but_for.parent_id:
                raise ThreadwellError("run.busy")
            if run.message_id == but_for.id and not may_run:
                raise ThreadwellError("run.busy")

    @contextmanager
    def _starting_in(self, thread_id: str) -> Generator[None, None, None]:
        """Only one thing at a time is begun in a thread."""
        if thread_id in self._starting or thread_id in self._leaving:
            raise ThreadwellError("run.busy")
        started = self._starting[thread_id] = asyncio.Event()
        try:
            yield
        finally:
            del self._starting[thread_id]
            started.set()

    def _begin(self, answerer: "AgentLoop | Unusable", run: Run, asked: AskedTogether) -> None:
        self._runs[run.message_id] = run
        asked.runs.append((run, answerer))
        run.attach(self._tasks.spawn(self._drive(answerer, run, asked), name=f"run {run.message_id}"))
        self.run_started.emit(run)

    async def _drive(self, answerer: "AgentLoop | Unusable", run: Run, asked: AskedTogether) -> None:
        try:
            await answerer.execute(run)
        finally:
            self._runs.pop(run.message_id, None)
            if not self.runs_of(run.thread_id):
                self._tips.pop(run.thread_id, None)
            if run.recording is not None:
                self._unrecorded.append(run)
                run.recording.add_done_callback(lambda _: self._unrecorded.remove(run))
            self.run_ended.emit(run)
        await self._conversations.announce(run.thread_id)
        self._namer.name_soon(asked)

    async def stop(self, thread_id: str) -> None:
        """Stop all that runs in the thread and wait until each end is on disk."""
        if (starting := self._starting.get(thread_id)) is not None:
            await starting.wait()  # else an answer would begin after this
        await _stop((*self.runs_of(thread_id), *(run for run in self._unrecorded if run.thread_id == thread_id)))

    async def stop_answer(self, message_id: str) -> None:
        """Stop the run that writes this answer and wait until its end is on disk; all others go on."""
        if (run := self._runs.get(message_id)) is not None:
            await _stop([run])

    async def recorded(self, message_id: str) -> None:
        """Wait until all is written down that was sent for this answer, if it has ended."""
        for run in [run for run in self._unrecorded if run.message_id == message_id]:
            await run.wait_over()

    async def delete_thread(self, thread_id: str) -> None:
        """Stop what runs in the thread, then move it to the Trash; a temporary one is removed for good."""
        with self._nothing_begins_in(thread_id):
            await self.stop(thread_id)
            if (await self._conversations.options_of(thread_id)).is_temporary:
                await self._conversations.purge(thread_id)
                return
            await self._conversations.delete(thread_id)

    async def purge_thread(self, thread_id: str, *more: str) -> Receipt:
        """Stop what runs in the threads, then remove them for good; return what went."""
        with self._nothing_begins_in(thread_id, *more):
            for each in (thread_id, *more):
                await self.stop(each)
            return await self._conversations.purge(thread_id, *more)

    @contextmanager
    def _nothing_begins_in(self, *thread_ids: str) -> Generator[None, None, None]:
        """Else a message that waited could be sent after what ran there was stopped."""
        self._leaving.update(thread_ids)
        try:
            yield
        finally:
            self._leaving.difference_update(thread_ids)

    async def close(self) -> None:
        """Stop every run and wait until each end is on disk. Nobody waits for a title."""
        for starting in list(self._starting.values()):
            await starting.wait()
        await _stop([*self._runs.values(), *self._unrecorded])
        await self._namer.close()


async def _stop(runs: Sequence[Run]) -> None:
    for run in runs:
        run.stop()
    for run in runs:
        await run.wait_over()
