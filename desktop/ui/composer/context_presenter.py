"""Counts what the next message takes of the model's context, behind the window, and shows it in the composer's meter."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer

from desktop.agent.run import Run
from desktop.agent.tool_specs import tool_specs
from desktop.conversation.context import MAX_ROUNDS
from desktop.conversation.entities import Message
from desktop.conversation.summaries import NO_SUMMARY, Summary
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import ModelRequest
from desktop.core.settings import EndpointSettings
from desktop.core.token_count import cached_count, guess_tokens
from desktop.tools.entities import ToolDescriptor
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.context_count import (
    context_limit,
    count_draft,
    count_tools,
    fill_of,
    next_window,
    reading_of,
    told_tokens,
)
from desktop.ui.thread_options_presenter import ThreadOptionsPresenter

PAUSE_MS = 400
"""So long nothing must have changed before it is counted."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _History:
    key: str
    thread_id: str
    system_prompt: str
    is_guess: bool
    messages: Sequence[Message]
    summary: Summary | None
    told_tokens: int
    """For a guess: at least what the endpoint itself counted last, with tools of servers that do not run now."""


class ContextPresenter(QObject):
    """One count at a time. Nothing is counted for the demo model: it reads no more than the last message.

    Before the first words or answer it is only guessed: whoever only reads does not pay for the tokenizer's 36 MB.
    """

    def __init__(
        self,
        composer: Composer,
        drafts: ComposerPresenter,
        options: ThreadOptionsPresenter,
        services: UiServices,
        parent: QObject,
    ) -> None:
        """``drafts`` knows which chat is written to, ``options`` what it does in its own way."""
        super().__init__(parent)
        self._composer = composer
        self._meter = composer.model_bar.meter
        self._drafts = drafts
        self._options = options
        self._services = services
        self._worker = Worker(services)
        self._history: _History | None = None
        self._shown_key = ""
        self._counting: asyncio.Task[None] | None = None
        self._is_wanted = False
        self._is_closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._due)
        composer.edit.textChanged.connect(self.count_soon)  # also where a draft was loaded
        composer.text_edited.connect(self._text_edited)
        composer.files.changed.connect(self.count_soon)
        options.changed.connect(self.count_soon)
        services.settings.changed.connect(self._settings_changed)
        services.chat.run_ended.connect(self._run_ended)
        services.chat.path_changed.connect(self._path_changed)
        if services.summarizer is not None:
            services.summarizer.changed.connect(self._path_changed)
        services.gateway.status_changed.connect(self._servers_changed)
        services.gateway.servers_changed.connect(self.count_soon)

    def count_soon(self) -> None:
        """Something changed that counts: the chat that is open, its model, what is written."""
        if self._is_closed:
            return
        if self._endpoint.is_demo or self._drafts.key != self._shown_key:
            self._meter.show_fill(None)  # what it says is of something else
        if self._drafts.key or self._is_wanted:  # a new chat is empty until something is written
            self._timer.start()

    @property
    def is_busy(self) -> bool:
        """Something is being counted, or soon will be."""
        return self._timer.isActive() or (self._counting is not None and not self._counting.done())

    def close(self) -> None:
        """Count nothing any more; for the end of the program."""
        self._is_closed = True
        self._timer.stop()

    @property
    def _endpoint(self) -> EndpointSettings:
        own = self._options.options
        return self._services.endpoint_book.answering(endpoint_id=own.endpoint_id, model=own.model).endpoint

    def _settings_changed(self, _settings: object) -> None:
        self.count_soon()

    def _servers_changed(self, _status: object) -> None:
        self.count_soon()

    def _text_edited(self) -> None:
        self._is_wanted = True
        self.count_soon()

    def _run_ended(self, run: Run) -> None:
        self._is_wanted = True
        self._path_changed(run.thread_id)

    def _path_changed(self, thread_id: str) -> None:
        if self._history is not None and self._history.thread_id == thread_id:
            self._history = None
        self.count_soon()

    def _due(self) -> None:
        if self.is_busy:
            self._timer.start()
        elif not self._endpoint.is_demo:
            self._counting = self._worker.start(self._count(), "count the context")

    async def _count(self) -> None:
        key, chat, endpoint = self._drafts.key, self._drafts.thread_key, self._endpoint
        try:
            history = await self._history_of(key)
        except ThreadwellError as error:  # it will be said where somebody asked for something
            logger.info("the context is not counted: %s", error)
            return
        content, files, measure = self._composer.content, self._drafts.files.parts(key), self._measure
        draft = await asyncio.to_thread(count_draft, content.text, content.pasted, files, measure=measure)
        tools = await asyncio.to_thread(self._count_tools, self._listed_tools(chat), endpoint, measure)
        if key != self._drafts.key or endpoint != self._endpoint or self._is_closed:
            return  # counted anew soon
        self._shown_key = key
        if not (history.messages or draft):
            self._meter.show_fill(None)
            return
        facts = self._services.facts.get(endpoint.base_url, endpoint.model)
        reading = reading_of(endpoint, facts, self._services.settings.settings.agent.max_output_tokens)
        window = await asyncio.to_thread(
            next_window,
            history.messages,
            system_prompt=history.system_prompt,
            reading=reading,
            summary=history.summary,
            tools=tools,
            draft=draft,
            measure=measure,
        )
        if key != self._drafts.key or self._is_closed:
            return
        self._meter.show_fill(fill_of(window, facts, context_limit(endpoint, facts), least=history.told_tokens))
        # What a change of an earlier message would take says nothing of the chat as it is.
        if self._services.summarizer is not None and chat and chat == key and not history.is_guess:
            self._services.summarizer.note_window(chat, window)

    def _listed_tools(self, chat: str) -> Sequence[ToolDescriptor]:
        """The tools that a message would find if it were sent now; no server is started or waited for."""
        mode = self._options.options.mode or self._services.settings.settings.agent.permission_mode
        assistant = self._services.assistants.of(self._options.options)
        listed = self._services.listed_tools(mode, chat)
        return [tool for tool in listed if assistant is None or assistant.may_use(tool.server_id, tool.name)]

    @property
    def _measure(self) -> Callable[[str], int]:
        return cached_count if self._is_wanted else guess_tokens

    def _count_tools(
        self, tools: Sequence[ToolDescriptor], endpoint: EndpointSettings, measure: Callable[[str], int]
    ) -> int:
        if not tools:
            return 0
        from desktop.agent.tool_choice import ToolChoice, room_for

        offered = partial(self._services.endpoints.offered_tools, endpoint)
        if measure is guess_tokens:
            return count_tools(offered(ModelRequest(messages=(), tools=tool_specs(tools))), measure=measure)
        limit = context_limit(endpoint, self._services.facts.get(endpoint.base_url, endpoint.model))
        chosen = ToolChoice.counted(tools, room_for(limit, offered)).offered()
        return count_tools(offered(ModelRequest(messages=(), tools=tool_specs(chosen))))

    async def _history_of(self, key: str) -> _History:
        prompt = self._services.assistants.in_force(self._options.options).system_prompt
        if prompt is None:
            prompt = self._services.settings.settings.agent.system_prompt
        known, measure = self._history, self._measure
        is_guess = measure is guess_tokens
        if known is not None and (known.key, known.system_prompt, known.is_guess) == (key, prompt, is_guess):
            return known
        chat, edited = self._drafts.thread_key, self._drafts.edited
        messages: Sequence[Message] = ()
        if chat and (edited is None or edited.parent_id is not None):
            until = None if edited is None else edited.parent_id
            messages = await self._services.repository.path(chat, last=2 * MAX_ROUNDS, until=until)
        summarizer = self._services.summarizer
        state = await summarizer.state(chat) if chat and summarizer is not None else NO_SUMMARY
        summary = state.in_use
        if edited is not None and summary is not None and summary.until_id not in {each.id for each in messages}:
            summary = None
        told = told_tokens(messages) if is_guess else 0
        self._history = _History(key, chat, prompt, is_guess, messages, summary, told)
        return self._history
