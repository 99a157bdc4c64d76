"""The use cases of talking: send, stop, and what must happen to a thread that runs when it is deleted."""

from collections.abc import Callable

from desktop.agent.loop import AgentLoop
from desktop.agent.run import Run
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.conversation.titles import title_from_text
from desktop.core.errors import ThreadwellError
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor


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
        loop: Callable[[], AgentLoop],
        tasks: TaskSupervisor,
    ) -> None:
        self._conversations = conversations
        self._repository = repository
        self._loop = loop
        self._tasks = tasks
        self._runs: dict[str, Run] = {}
        self._starting: set[str] = set()
        self.run_started = Signal[Run]()
        self.run_ended = Signal[Run]()

    def run_of(self, thread_id: str) -> Run | None:
        """The run that is going on in the thread, if any."""
        return self._runs.get(thread_id)

    async def send(self, thread_id: str | None, text: str, *, options: ThreadOptions | None = None) -> Run:
        """Store the user's message and start the answer; returns when both are on disk.

        None begins a new thread. With ``options`` it is the one that was being drafted: it begins with them, and what
        was kept for it is forgotten. A thread that exists keeps its own.

        Raises ``ThreadwellError("run.busy")`` while the thread still answers, ``ModelError`` for an unusable endpoint,
        and ``StorageError``; then nothing was sent.
        """
        if thread_id in self._runs or thread_id in self._starting:
            raise ThreadwellError("run.busy")
        loop = self._loop()  # before a thread is made, which would stay behind empty
        was_drafted = thread_id is None and options is not None
        if thread_id is None:
            thread_id = (await self._conversations.create_thread(options)).id
        self._starting.add(thread_id)
        try:
            turn = await self._repository.begin_turn(
                thread_id, text, model=loop.model_name, from_new_thread=was_drafted
            )
        finally:
            self._starting.discard(thread_id)
        run = Run(turn)
        self._runs[thread_id] = run
        run.attach(self._tasks.spawn(self._drive(loop, run), name=f"run {thread_id}"))
        self.run_started.emit(run)
        if turn.user_message.parent_id is None:
            await self._conversations.suggest_title(thread_id, title_from_text(text))
        else:
            await self._conversations.announce(thread_id)
        return run

    async def _drive(self, loop: AgentLoop, run: Run) -> None:
        try:
            await loop.execute(run)
        finally:
            self._runs.pop(run.thread_id, None)
            self.run_ended.emit(run)
        await self._conversations.announce(run.thread_id)

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
        """Stop every run and wait until each end is on disk."""
        for thread_id in list(self._runs):
            await self.stop(thread_id)
