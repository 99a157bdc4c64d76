"""The use cases of talking: send, go on, ask again, stop, and what must happen to a thread that runs when it is deleted."""

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop.agent.continuing import can_continue, resumed
from desktop.agent.events import DoneEvent
from desktop.agent.run import Run
from desktop.agent.several import Answerers, Unusable, as_chosen
from desktop.conversation.entities import (
    MOST_ANSWERS,
    USUAL_OPTIONS,
    AskedModel,
    AttachmentPart,
    Message,
    Role,
    Thread,
    ThreadOptions,
    names_of,
)
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.conversation.titles import title_from_text
from desktop.core.endpoint_list import Answering
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.memory_settings import MemoryUse
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor

if TYPE_CHECKING:
    from desktop.agent.loop import AgentLoop

logger = logging.getLogger(__name__)

_MOST_IN_VAIN = 12
"""So many messages may have come to nothing before the first answer, after which a model is asked for a title."""


class _Asked:
    """The answers that were begun together: who makes each, in the order in which they were asked."""

    def __init__(self) -> None:
        self.runs: list[tuple[Run, AgentLoop | Unusable]] = []
        self.is_named = False

    @property
    def has_answer(self) -> bool:
        return any(isinstance(run.terminal, DoneEvent) for run, _ in self.runs)


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
    ) -> None:
        """``loop`` makes an answer for a thread with these options, and ``answering`` tells whose it is.

        ``begin_with`` returns what a new thread keeps. ``titles_wanted`` tells whether the model is asked for the title
        of a new thread.
        """
        self._conversations = conversations
        self._repository = repository
        self._answerers = Answerers(loop, answering, repository)
        self._begin_with = begin_with
        self._titles_wanted = titles_wanted
        self._tasks = tasks
        self._runs: dict[str, Run] = {}
        """By the message that each writes, in the order in which they began."""
        self._tips: dict[str, str] = {}
        """The last message of the path, of threads that run."""
        self._starting: dict[str, asyncio.Event] = {}
        self._naming: set[asyncio.Task[None]] = set()
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
    ) -> Run:
        """Store the user's message and start its answers; returns when all are on disk, with the one on the path.

        The thread's own model answers, and beside it each of ``ThreadOptions.asked_beside``, or of ``beside`` for this
        message alone. One that cannot be asked gets an answer that failed, and stops no other.

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
                thread_id, text, model=answerers[0].model_name, from_new_thread=was_drafted, attachments=attachments
            )
            run, asked = Run(turn), _Asked()
            self._tips[thread_id] = run.message_id
            self._begin(answerers[0], run, asked)
            await self._begin_beside(run, answerers[1:], asked)
        if turn.user_message.parent_id is None:
            await self._conversations.suggest_title(thread_id, _first_title(turn.user_message))
        else:
            await self._conversations.announce(thread_id)
        return run

    async def _begin_beside(self, first: Run, answerers: "Sequence[AgentLoop | Unusable]", asked: _Asked) -> None:
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
            loop = await self._loop_for(answer)
            rest = resumed(answer, model=loop.model_name)
            turn = await self._repository.reopen_turn(answer.id, model=loop.model_name, parts=rest.parts)
            run = Run(turn, beside=rest.beside)
            self._tips[thread_id] = run.message_id
            self._begin(loop, run, _Asked())
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
            beside = await self._repository.answers(message_id)
            if sum(not each.is_empty_failure for each in beside) >= MOST_ANSWERS:
                raise ThreadwellError("run.too_many_answers", most=MOST_ANSWERS)
            loop = await self._loop_for(answer, asked)
            turn = await self._repository.add_answer(message_id, model=loop.model_name, chosen=True)
            run = Run(turn)
            self._tips[thread_id] = run.message_id
            self.path_changed.emit(thread_id)
            self._begin(loop, run, _Asked())
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
        if thread_id in self._starting:
            raise ThreadwellError("run.busy")
        started = self._starting[thread_id] = asyncio.Event()
        try:
            yield
        finally:
            del self._starting[thread_id]
            started.set()

    def _begin(self, answerer: "AgentLoop | Unusable", run: Run, asked: _Asked) -> None:
        self._runs[run.message_id] = run
        asked.runs.append((run, answerer))
        run.attach(self._tasks.spawn(self._drive(answerer, run, asked), name=f"run {run.message_id}"))
        self.run_started.emit(run)

    async def _drive(self, answerer: "AgentLoop | Unusable", run: Run, asked: _Asked) -> None:
        try:
            await answerer.execute(run)
        finally:
            self._runs.pop(run.message_id, None)
            if not self.runs_of(run.thread_id):
                self._tips.pop(run.thread_id, None)
            self.run_ended.emit(run)
        await self._conversations.announce(run.thread_id)
        if not asked.is_named and asked.has_answer:
            naming = self._tasks.spawn(self._name_thread(asked), name=f"title of {run.thread_id}")
            self._naming.add(naming)
            naming.add_done_callback(self._naming.discard)

    async def _name_thread(self, asked: _Asked) -> None:
        """Give the thread the title that a model finds for its first answer; else the question's beginning stays.

        That is the first of the models asked that has an answer, once it has.
        """
        if not self._titles_wanted():
            return
        from desktop.agent.title_writer import write_title

        try:
            found = await self._named_by(asked)
            if found is None or asked.is_named:
                return
            asked.is_named = True
            question, answer, loop = found
            first = await self._first_message(question)
            thread = await self._repository.get_thread(answer.thread_id)
            if first is None or thread is None or thread.title != _first_title(first) or thread.options.is_temporary:
                return  # it has a better one, or had its chance, or will not be in the list
            title = await write_title(loop.model, question=_words(question), answer=answer.text)
            if title is not None:
                await self._conversations.suggest_title(thread.id, title)
        except ThreadwellError as error:  # deleted meanwhile, or a full disk: it has a title already
            logger.info("the thread keeps its first title: %s", error)

    async def _first_message(self, question: Message) -> Message | None:
        """The thread's first message, which is ``question`` unless what was asked before got no answer; else None."""
        path = await self._repository.path(question.thread_id, last=_MOST_IN_VAIN, until=question.id)
        is_begin = bool(path) and path[0].parent_id is None
        return (
            path[0] if is_begin and not any(each.text.strip() for each in path if each.role is Role.ASSISTANT) else None
        )

    async def _named_by(self, asked: _Asked) -> "tuple[Message, Message, AgentLoop] | None":
        """The question, and the first answer by the order of the models; None while an earlier one is awaited."""
        for run, answerer in asked.runs:
            if run.terminal is None:
                return None
            if isinstance(run.terminal, DoneEvent) and not isinstance(answerer, Unusable):
                for answer in await self._repository.messages([run.message_id]):
                    if answer.text.strip():
                        return run.turn.user_message, answer, answerer
        return None

    async def stop(self, thread_id: str) -> None:
        """Stop all that runs in the thread and wait until each end is on disk."""
        if (starting := self._starting.get(thread_id)) is not None:
            await starting.wait()  # else an answer would begin after this
        await _stop(self.runs_of(thread_id))

    async def stop_answer(self, message_id: str) -> None:
        """Stop the run that writes this answer and wait until its end is on disk; all others go on."""
        if (run := self._runs.get(message_id)) is not None:
            await _stop([run])

    async def delete_thread(self, thread_id: str) -> None:
        """Stop what runs in the thread, then move it to the Trash; a temporary one is removed for good."""
        await self.stop(thread_id)
        if (await self._conversations.options_of(thread_id)).is_temporary:
            await self._conversations.purge(thread_id)
            return
        await self._conversations.delete(thread_id)

    async def purge_thread(self, thread_id: str) -> Receipt:
        """Stop what runs in the thread, then remove it for good; return what went."""
        await self.stop(thread_id)
        return await self._conversations.purge(thread_id)

    async def close(self) -> None:
        """Stop every run and wait until each end is on disk. Nobody waits for a title."""
        for starting in list(self._starting.values()):
            await starting.wait()
        await _stop(list(self._runs.values()))
        naming = list(self._naming)
        for task in naming:
            task.cancel()
        await asyncio.gather(*naming, return_exceptions=True)


async def _stop(runs: Sequence[Run]) -> None:
    for run in runs:
        run.stop()
    for run in runs:
        await run.wait_over()


def _words(question: Message) -> str:
    return question.text if question.text.strip() else names_of(question.attachments)


def _first_title(question: Message) -> str:
    return title_from_text(_words(question))
