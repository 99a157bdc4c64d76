"""Gives a new thread the title that a model finds for its first answer; until then the question's beginning stands there."""

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop.agent.events import DoneEvent
from desktop.agent.run import Run
from desktop.agent.several import Unusable
from desktop.agent.whole_answer import Beside
from desktop.conversation.entities import Message, Role, names_of
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.request_records import Purpose
from desktop.conversation.service import ConversationService
from desktop.conversation.titles import title_from_text
from desktop.core.errors import ThreadwellError
from desktop.core.tasks import TaskSupervisor

if TYPE_CHECKING:
    from desktop.agent.loop import AgentLoop

logger = logging.getLogger(__name__)

_MOST_IN_VAIN = 12
"""So many messages may have come to nothing before the first answer, after which a model is asked for a title."""


class AskedTogether:
    """The answers that were begun together: who makes each, in the order in which they were asked."""

    def __init__(self) -> None:
        self.runs: list[tuple[Run, AgentLoop | Unusable]] = []
        self.is_named = False

    @property
    def has_answer(self) -> bool:
        return any(isinstance(run.terminal, DoneEvent) for run, _ in self.runs)


class Namer:
    """Nobody waits for a title: ``close`` ends what is under way."""

    def __init__(
        self,
        conversations: ConversationService,
        repository: ThreadRepository,
        tasks: TaskSupervisor,
        *,
        wanted: Callable[[], bool],
        beside: Beside,
    ) -> None:
        self._conversations = conversations
        self._repository = repository
        self._tasks = tasks
        self._wanted = wanted
        self._beside = beside
        self._naming: set[asyncio.Task[None]] = set()

    def name_soon(self, asked: AskedTogether) -> None:
        """One of these has ended: name their thread if it is time and nobody did."""
        if asked.has_answer and not asked.is_named:
            naming = self._tasks.spawn(self._name(asked), name=f"title of {asked.runs[0][0].thread_id}")
            self._naming.add(naming)
            naming.add_done_callback(self._naming.discard)

    async def close(self) -> None:
        naming = list(self._naming)
        for task in naming:
            task.cancel()
        await asyncio.gather(*naming, return_exceptions=True)

    async def _name(self, asked: AskedTogether) -> None:
        """Ask the first of the models asked that has an answer, once it has."""
        if not self._wanted():
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
            if first is None or thread is None or thread.title != first_title(first) or thread.options.is_temporary:
                return  # it has a better one, or had its chance, or will not be in the list
            model = self._beside(loop.model, answer, Purpose.TITLE)
            title = await write_title(model, question=_words(question), answer=answer.text)
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

    async def _named_by(self, asked: AskedTogether) -> "tuple[Message, Message, AgentLoop] | None":
        """The question, and the first answer by the order of the models; None while an earlier one is awaited."""
        for run, answerer in asked.runs:
            if run.terminal is None:
                return None
            if isinstance(run.terminal, DoneEvent) and not isinstance(answerer, Unusable):
                for answer in await self._repository.messages([run.message_id]):
                    if answer.text.strip():
                        return run.turn.user_message, answer, answerer
        return None


def first_title(question: Message) -> str:
    """Return the title of a thread that begins with this message, until there is a better one."""
    return title_from_text(_words(question))


def _words(question: Message) -> str:
    return question.text if question.text.strip() else names_of(question.attachments)
