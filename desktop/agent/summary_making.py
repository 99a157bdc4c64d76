"""One attempt to summarise a chat: notes on each piece of it by the model, checked, put after those that there are."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.agent.summary_material import CONDENSE, INSTRUCTION, cleaned, condensing, material, transcript_of
from desktop.agent.whole_answer import whole_answer
from desktop.conversation.entities import Message
from desktop.conversation.result_text import USUAL_BYTES
from desktop.conversation.summaries import Summary, SummaryProblem, SummaryRepository
from desktop.conversation.window import Reading, rounds_of
from desktop.core.costs import Cost
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import (
    NO_USAGE,
    LanguageModel,
    ModelRequest,
    Sampling,
    SystemMessage,
    Usage,
    UserMessage,
)
from desktop.core.token_count import count_tokens

logger = logging.getLogger(__name__)

SECONDS = 300.0
"""Nobody waits for a summary, but a request must end."""
MAX_SAID_CHARACTERS = 100_000
PIECE_TOKENS = 12_000
"""Of the chat that is put before the model at once, at most."""
MOST_PIECES = 8
"""Requests that one attempt makes; what is left is taken up after a later turn."""
SHARE_OF_PIECE = 0.4
CONDENSE_FROM = 0.2
"""The part of the room from which on the notes themselves are made shorter."""


@dataclass(frozen=True, kw_only=True)
class SummaryWriter:
    """Who summarises a thread."""

    model: Callable[[], LanguageModel]
    """A model for one summary. May raise ``ModelError``."""
    recorded_as: str
    reading: Reading
    result_bytes: int = USUAL_BYTES
    cost_of: Callable[[Usage], Cost | None] = lambda _usage: None
    is_scripted: bool = False


class _NoNotesError(Exception):
    def __init__(self, problem: SummaryProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass
class Made:
    text: str
    until: str | None = None
    """The last message that the text stands for; None where nothing came of it."""
    usage: Usage = NO_USAGE
    problem: SummaryProblem | None = None


class Making:
    """One attempt: notes on each piece of a chat, put after those that there are, and shortened where they grow long."""

    def __init__(
        self, model: LanguageModel, writer: SummaryWriter, summaries: SummaryRepository, base: Summary | None
    ) -> None:
        self._model = model
        self._summaries = summaries
        self._base = base
        self._room = writer.reading.room
        self._result_bytes = writer.result_bytes

    async def notes_on(self, path: Sequence[Message]) -> Made:
        base = self._base
        made = Made("" if base is None or base.is_stale else base.text)
        if not (path or made.text):
            return made
        for piece in (await self._pieces(path))[:MOST_PIECES]:
            try:
                await self._add(made, piece)
            except _NoNotesError as error:
                made.problem = error.problem
                break
            made.until = piece.until
        return made

    async def _pieces(self, path: Sequence[Message]) -> "list[_Piece]":
        """The rounds, as many at once as fit before the model; one that is longer is cut."""
        most = max(min(PIECE_TOKENS, int(self._room * SHARE_OF_PIECE)), 200)
        texts = await self._summaries.without_forgotten({message.id: message.text for message in path})
        return await asyncio.to_thread(_pieces_of, path, texts, most)

    async def _add(self, made: Made, piece: "_Piece") -> None:
        own = "" if self._base is None else self._base.own_text
        known = "\n\n".join(filter(None, (own.strip(), made.text)))
        notes = await self._ask(made, INSTRUCTION, material(known, piece.text))
        length, source = await asyncio.to_thread(lambda: (count_tokens(notes), count_tokens(piece.text)))
        if length >= source:
            raise _NoNotesError(SummaryProblem.TOO_LONG)
        notes = (await self._summaries.without_forgotten({"": notes}))[""]
        made.text = "\n\n".join(filter(None, (made.text, notes)))
        if await asyncio.to_thread(count_tokens, made.text) > self._room * CONDENSE_FROM:
            await self._condense(made)

    async def _condense(self, made: Made) -> None:
        """Make the notes shorter; where the model cannot, they stay as they are."""
        try:
            shorter = await self._ask(made, CONDENSE, condensing(made.text))
        except _NoNotesError as error:
            logger.info("the notes on a chat stay long: %s", error.problem)
            return
        if await asyncio.to_thread(lambda: count_tokens(shorter) < count_tokens(made.text)):
            made.text = shorter

    async def _ask(self, made: Made, instruction: str, words: str) -> str:
        request = ModelRequest(
            messages=(SystemMessage(text=instruction), UserMessage(text=words)), sampling=Sampling(temperature=0.0)
        )
        try:
            async with asyncio.timeout(SECONDS):
                said, usage = await whole_answer(self._model, request, most_chars=MAX_SAID_CHARACTERS)
        except TimeoutError:
            logger.info("the model made no summary within %d seconds", SECONDS)
            raise _NoNotesError(SummaryProblem.FAILED) from None
        except ThreadwellError as error:
            logger.info("the model made no summary: %s", error.code)
            raise _NoNotesError(SummaryProblem.FAILED) from None
        made.usage += usage
        if said is None:
            raise _NoNotesError(SummaryProblem.TOO_LONG)
        if not (notes := cleaned(said)):
            raise _NoNotesError(SummaryProblem.EMPTY)
        return notes


@dataclass(frozen=True)
class _Piece:
    text: str
    until: str


def _pieces_of(path: Sequence[Message], texts: dict[str, str], most: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    lines: list[str] = []
    size = 0
    for each in rounds_of(path):
        text = transcript_of(each, texts, most)
        tokens = count_tokens(text)
        if lines and size + tokens > most:
            lines, size = [], 0
        if lines:
            pieces.pop()
        lines.append(text)
        size += tokens
        pieces.append(_Piece("\n\n".join(lines), each[-1].id))
    return pieces
