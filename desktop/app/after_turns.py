"""What is done with a chat once an answer has ended: what waits is sent, its summary, and what is remembered of it."""

from collections.abc import Callable
from functools import partial

from desktop.agent.chat_service import ChatService
from desktop.agent.memory_writer import MemoryWriter, Reader
from desktop.agent.message_queue import MessageQueue
from desktop.agent.summarizing import Summarizer, SummaryWriter
from desktop.app.answer_models import AnswerModels
from desktop.conversation.entities import Thread, ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.core.costs import cost_of
from desktop.core.endpoint_list import Answering
from desktop.core.errors import ModelError
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.service import MemoryService
from desktop.storage.store import Store


class AfterTurns:
    """Works in the background with the model that answers in the chat; none of it can fail an answer."""

    def __init__(
        self,
        *,
        chat: ChatService,
        conversations: ConversationService,
        store: Store,
        memory: MemoryService,
        models: AnswerModels,
        answering: Callable[[ThreadOptions], Answering],
        settings: SettingsStore,
        tasks: TaskSupervisor,
        is_shell: bool,
    ) -> None:
        """``is_shell``: the program ends with the answer, and a summary would come too late."""
        self._models = models
        self._answering = answering
        self._settings = settings
        self.queue = MessageQueue(
            chat=chat, conversations=conversations, repository=store.threads, store=store.queue, tasks=tasks
        )
        self.queue.failed.connect(chat.failed.emit)
        self.summarizer = Summarizer(
            chat=chat,
            repository=store.threads,
            summaries=store.summaries,
            writer=self._summary_writer,
            tasks=tasks,
            wanted=lambda: not is_shell,
            beside=models.beside,
        )
        self.memory_writer = MemoryWriter(
            chat=chat,
            repository=store.threads,
            readings=store.readings,
            memory=memory,
            taints=store.taints,
            tasks=tasks,
            reader=self._memory_reader,
            remembers=lambda: settings.settings.memory.remembers,
            usual=lambda: settings.settings.memory.use,
            beside=models.beside,
        )
        chat.run_ended.connect(lambda _run: memory.indexing.wake())

    def _summary_writer(self, options: ThreadOptions) -> SummaryWriter:
        return self._models.summary_writer(self._answering(options), self._settings.settings.agent.max_output_tokens)

    def _memory_reader(self, thread: Thread) -> Reader:
        """Raises ``ModelError`` where the provider of the chat was removed: what was said to it is for no other one."""
        answering = self._answering(thread.options)
        if answering.is_substitute:
            raise ModelError("model.endpoint_gone", model=thread.options.model or "")
        return Reader(
            model=self._models.make(answering),
            recorded_as=answering.recorded_as or answering.endpoint.model,
            cost_of=partial(cost_of, options=answering.endpoint.options),
        )
