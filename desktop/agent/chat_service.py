"""The use cases of talking: send, go on, stop, and what must happen to a thread that runs when it is deleted."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop.agent.continuing import can_continue, resumed
from desktop.agent.events import DoneEvent
from desktop.agent.run import Run
from desktop.conversation.entities import USUAL_OPTIONS, AttachmentPart, ThreadOptions, names_of
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.conversation.titles import title_from_text
from desktop.core.errors import ThreadwellError
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor

if TYPE_CHECKING:
    from desktop.agent.loop import AgentLoop

logger = logging.getLogger(__name__)


class ChatService:
    """One turn at a time in a thread, several threads at once.

    Signals:
        run_started: a run began; carries it.
        run_ended: a run ended; carries it, with ``terminal`` set.
    """

    def __init__(
        self,
        *,
        conversations: ConversationService,
        repository: ThreadRepository,
        loop: "Callable[[ThreadOptions], AgentLoop]",
        tasks: TaskSupervisor,
        begin_with: Callable[[ThreadOptions], ThreadOptions] = lambda options: options,
        titles_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        """``loop`` makes an answer for a thread with these options; ``begin_with`` returns what a new thread keeps.

        ``titles_wanted`` tells whether the model is asked for the title of a new thread.
        """
        self._conversations = conversations
        self._repository = repository
        self._loop = loop
        self._begin_with = begin_with
        self._titles_wanted = titles_wanted
        self._tasks = tasks
        self._runs: dict[str, Run] = {}
        self._starting: set[str] = set()
        self._naming: set[asyncio.Task[None]] = set()
        self.run_started = Signal[Run]()
        self.run_ended = Signal[Run]()

    def run_of(self, thread_id: str) -> Run | None:
        """The run that is going on in the thread, if any."""
        return self._runs.get(thread_id)

    async def send(
        self,
        thread_id: str | None,
        text: str,
        *,
        options: ThreadOptions | None = None,
        attachments: Sequence[AttachmentPart] = (),
    ) -> Run:
        """Store the user's message and start the answer; returns when both are on disk.

        None begins a new thread. With ``options`` it is the one that was being drafted: it begins with them, and what
        was kept for it is forgotten. A thread that exists keeps its own.

        Raises ``ThreadwellError("run.busy")`` while the thread still answers, ``ModelError`` for an unusable endpoint,
        and ``StorageError``; then nothing was sent.
        """
        if thread_id in self._runs or thread_id in self._starting:
            raise ThreadwellError("run.busy")
        was_drafted = thread_id is None and options is not None
        if thread_id is None:
            own = options or USUAL_OPTIONS
            loop = self._loop(own)  # before a thread is made, which would stay behind empty
            thread_id = (await self._conversations.create_thread(self._begin_with(own))).id
        else:
            loop = None
        self._starting.add(thread_id)
        try:
            if loop is None:
                thread = await self._repository.get_thread(thread_id)
                loop = self._loop(thread.options if thread is not None else USUAL_OPTIONS)
            turn = await self._repository.begin_turn(
                thread_id, text, model=loop.model_name, from_new_thread=was_drafted, attachments=attachments
            )
        finally:
            self._starting.discard(thread_id)
        run = Run(turn)
        self._begin(loop, run)
        if turn.user_message.parent_id is None:
            await self._conversations.suggest_title(
                thread_id, title_from_text(text if text.strip() else names_of(attachments))
            )
        else:
            await self._conversations.announce(thread_id)
        return run

    async def continue_answer(self, thread_id: str) -> Run:
        """Let the thread's last answer go on where it broke off; returns when that is on disk.

        The same message grows: a text that was cut in two has no seam. Raises what ``send`` does, and
        ``ThreadwellError("run.nothing_to_continue")`` when the last answer is whole.
        """
        if thread_id in self._runs or thread_id in self._starting:
            raise ThreadwellError("run.busy")
        self._starting.add(thread_id)
        try:
            thread = await self._repository.get_thread(thread_id)
            loop = self._loop(thread.options if thread is not None else USUAL_OPTIONS)
            answers = await self._repository.path(thread_id, last=1)
            if not answers or not can_continue(answers[0]):
                raise ThreadwellError("run.nothing_to_continue")
            rest = resumed(answers[0], model=loop.model_name)
            turn = await self._repository.reopen_turn(answers[0].id, model=loop.model_name, parts=rest.parts)
        finally:
            self._starting.discard(thread_id)
        run = Run(turn, beside=rest.beside)
        self._begin(loop, run)
        await self._conversations.announce(thread_id)
        return run

    def _begin(self, loop: "AgentLoop", run: Run) -> None:
        self._runs[run.thread_id] = run
        run.attach(self._tasks.spawn(self._drive(loop, run), name=f"run {run.thread_id}"))
        self.run_started.emit(run)

    async def _drive(self, loop: "AgentLoop", run: Run) -> None:
        try:
            await loop.execute(run)
        finally:
            self._runs.pop(run.thread_id, None)
            self.run_ended.emit(run)
        await self._conversations.announce(run.thread_id)
        if run.turn.user_message.parent_id is None and isinstance(run.terminal, DoneEvent):
            naming = self._tasks.spawn(self._name_thread(loop, run), name=f"title of {run.thread_id}")
            self._naming.add(naming)
            naming.add_done_callback(self._naming.discard)

    async def _name_thread(self, loop: "AgentLoop", run: Run) -> None:
        """Give the thread the title that the model finds for its first answer; else the question's beginning stays."""
        if not self._titles_wanted():
            return
        from desktop.agent.title_writer import write_title

        try:
            (answer,) = await self._repository.messages([run.message_id])
            title = await write_title(loop.model, question=_question(run), answer=answer.text)
            if title is not None:
                await self._conversations.suggest_title(run.thread_id, title)
        except (ThreadwellError, ValueError) as error:  # deleted meanwhile, or a full disk: it has a title already
            logger.info("the thread keeps its first title: %s", error)

    async def stop(self, thread_id: str) -> None:
        """Stop what runs in the thread and wait until its end is on disk."""
        run = self._runs.get(thread_id)
        if run is not None:
            run.stop()
            await run.wait()

    async def delete_thread(self, thread_id: str) -> None:
        """Stop what runs in the thread, then move it to the Trash."""
        await self.stop(thread_id)
        await self._conversations.delete(thread_id)

    async def purge_thread(self, thread_id: str) -> None:
        """Stop what runs in the thread, then remove it for good."""
        await self.stop(thread_id)
        await self._conversations.purge(thread_id)

    async def close(self) -> None:
        """Stop every run and wait until each end is on disk. Nobody waits for a title."""
        for thread_id in list(self._runs):
            await self.stop(thread_id)
        naming = list(self._naming)
        for task in naming:
            task.cancel()
        await asyncio.gather(*naming, return_exceptions=True)


def _question(run: Run) -> str:
    message = run.turn.user_message
    return message.text if message.text.strip() else names_of(message.attachments)
