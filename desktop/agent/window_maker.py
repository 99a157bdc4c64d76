"""Chooses what of a chat goes with each request of an answer: the window, sized for the model, and the summary before it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from desktop.agent.answer_state import AnswerState
from desktop.agent.smaller_window import fitted, weigh
from desktop.conversation.entities import Message
from desktop.conversation.result_text import USUAL_BYTES
from desktop.conversation.summaries import NO_SUMMARY, SummaryRepository, SummaryState
from desktop.conversation.window import Measure, Reading, Window, choose_window
from desktop.core.language_model import ToolSpec
from desktop.core.token_count import cached_count, count_tool, guess_tokens

SHORT_CHARACTERS = 1_024
"""So little is not counted exactly: it fits in any case."""


class WindowMaker:
    """Made for one model; holds no state between answers."""

    def __init__(
        self,
        reading: Reading | None = None,
        *,
        result_bytes: int = USUAL_BYTES,
        summaries: SummaryRepository | None = None,
        is_counted: bool = True,
    ) -> None:
        """``is_counted``: a guess of tokens will not do. Without ``summaries`` the chat is sent without any."""
        self.reading = reading or Reading()
        self.result_bytes = result_bytes
        self._summaries = summaries
        self._is_counted = is_counted

    async def summary_for(self, thread_id: str, until: str) -> SummaryState:
        """Return what holds for the path to the message that is answered. Raises ``StorageError``."""
        return NO_SUMMARY if self._summaries is None else await self._summaries.on_path(thread_id, until=until)

    async def choose(
        self, answer: AnswerState, messages: Sequence[Message], *, prompt: str, tools: Sequence[ToolSpec]
    ) -> Window:
        """Return what of these messages is sent; where the request was too long before, in fewer bytes than it had."""
        length = sum(map(_length, messages)) + len(prompt)
        if length <= SHORT_CHARACTERS:
            window = self._choose(answer, messages, prompt, tools, guess_tokens)
        else:
            measure = cached_count if self._is_counted else guess_tokens
            window = await asyncio.to_thread(self._choose, answer, messages, prompt, tools, measure)
        answer.take_window(window)
        return window

    def _choose(
        self,
        answer: AnswerState,
        messages: Sequence[Message],
        prompt: str,
        tools: Sequence[ToolSpec],
        measure: Measure,
    ) -> Window:
        block = answer.told.block + answer.told.shared
        choose = partial(
            choose_window,
            messages,
            system_prompt=prompt,
            reading=self.reading,
            tools=sum(count_tool(tool, measure=measure) for tool in tools),
            beside=measure(block) if block else 0,
            summary=answer.summary.in_use,
            images=answer.images,
            result_room=self.result_bytes,
            measure=measure,
        )
        window, allowed = choose(), answer.allowed_bytes
        if allowed is None:
            return window
        if (size := weigh(window.messages)) > allowed:
            window = choose(most=int(window.tokens * allowed / size))
        return replace(window, messages=fitted(window.messages, allowed))


def _length(message: Message) -> int:
    """Characters of what a message says, roughly; what has no text of its own is short."""
    return sum(len(getattr(part, "text", "")) + len(getattr(part, "arguments", "")) + 20 for part in message.parts)
