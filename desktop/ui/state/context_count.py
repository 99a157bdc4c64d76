"""Counts what the next message takes of a model's context: the chat as it will be sent, and what is being written."""

from collections.abc import Callable, Sequence

from desktop.conversation.attachments import images_to_send
from desktop.conversation.entities import AttachmentKind, AttachmentPart, Message
from desktop.conversation.file_blocks import file_block
from desktop.conversation.result_text import result_room
from desktop.conversation.summaries import Summary
from desktop.conversation.window import Reading, Window, choose_window
from desktop.core.language_model import Image, ToolSpec, UserMessage
from desktop.core.model_facts import ModelFacts
from desktop.core.settings import EndpointSettings
from desktop.core.token_count import (
    TOKENS_OF_IMAGE,
    TOKENS_OF_MESSAGE,
    cached_count,
    corrected,
    count_message,
    count_tokens,
    count_tool,
)
from desktop.ui.state.context_meter import ContextFill, Shares


def context_limit(endpoint: EndpointSettings, facts: ModelFacts) -> int | None:
    """Return how many tokens the model can read: what the user says of it, else what was learned."""
    return endpoint.options.context_tokens or facts.context_tokens


def reading_of(endpoint: EndpointSettings, facts: ModelFacts, max_output_tokens: int | None) -> Reading:
    """Return how much the model reads, and how it counts, as the window of its answers is made."""
    return Reading(
        context_tokens=context_limit(endpoint, facts),
        token_ratio=facts.token_ratio,
        max_output_tokens=max_output_tokens,
    )


def next_window(
    messages: Sequence[Message],
    *,
    system_prompt: str,
    reading: Reading | None = None,
    summary: Summary | None = None,
    tools: int = 0,
    draft: int = 0,
    measure: Callable[[str], int] = cached_count,
) -> Window:
    """Return what of a path would go with the next message. Slow the first time: call it in a thread.

    ``draft`` are the tokens of that message, ``tools`` those of the tools that go with it.
    """
    reading = reading or Reading()
    images = {
        part.attachment_id: Image(name=part.name, media_type=part.media_type, data=b"")
        for part in images_to_send(messages)
    }
    return choose_window(
        messages,
        system_prompt=system_prompt,
        reading=reading,
        tools=tools,
        beside=draft,
        summary=summary,
        images=images,
        result_room=result_room(reading.context_tokens),
        measure=measure,
    )


def fill_of(window: Window, facts: ModelFacts, limit: int | None, *, least: int = 0) -> ContextFill:
    """Return what the meter shows, as the endpoint counts it; ``least`` is what it takes in any case."""
    shares = Shares(
        system=corrected(window.system, facts),
        summary=corrected(window.summary_tokens, facts),
        messages=corrected(window.rounds, facts),
        draft=corrected(window.beside, facts),
        tools=corrected(window.tools, facts),
        answer=window.reading.answer,
        left_out=len(window.dropped),
    )
    return ContextFill(max(corrected(window.tokens + window.beside + window.tools, facts), least), limit, shares)


def told_tokens(messages: Sequence[Message]) -> int:
    """Return what the endpoint counted for the last of these answers: all that it read, tools included, and wrote.

    Zero where it told nothing. Of an answer with several requests it is the average of what was read.
    """
    last = messages[-1] if messages else None
    if last is None or last.usage.input_tokens is None:
        return 0
    requests = 1 + max((part.step for part in last.parts), default=0)
    return last.usage.input_tokens // requests + (last.usage.output_tokens or 0)


def count_tools(tools: Sequence[ToolSpec], *, measure: Callable[[str], int] = cached_count) -> int:
    """Return the tokens of the tools that go with each message. What was counted before costs next to nothing."""
    return sum(count_tool(tool, measure=measure) for tool in tools)


def count_draft(
    typed: str,
    pasted: Sequence[str],
    files: Sequence[AttachmentPart],
    *,
    measure: Callable[[str], int] = cached_count,
) -> int:
    """Return the tokens of a message that is being written. What was pasted or attached is counted only once."""
    pictures = sum(part.kind is AttachmentKind.IMAGE for part in files)
    texts = [*pasted, *(file_block(part) for part in files if part.kind is not AttachmentKind.IMAGE)]
    if not (typed.strip() or texts or pictures):
        return 0
    beside = sum(count_message(UserMessage(text=text), measure=measure) - TOKENS_OF_MESSAGE for text in texts)
    # What is being typed is another text with each key, and not worth remembering.
    own = count_tokens(typed) if measure is cached_count else measure(typed)
    return TOKENS_OF_MESSAGE + own + beside + TOKENS_OF_IMAGE * pictures
