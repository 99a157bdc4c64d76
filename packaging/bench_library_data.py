"""A library of ten years, made by a seed: threads of all lengths in Chinese and English, with code and tool calls.

They go in through the importer's own transaction, so that every row and every index is as the product makes it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random

from bench_data import CHINESE, CODE, LIST, PROSE, TABLE

from desktop.conversation.entities import Part, ResultStatus, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.conversation.interchange.records import ChatRecord, ImportedChat, MessageRecord, Source, TurnRecord
from desktop.core.language_model import Usage
from desktop.storage import chat_import
from desktop.storage.store import Store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
YEARS = 10
MESSAGES_AT_ONCE = 2_000
"""So many messages are stored in one transaction."""
WORDS = 20_000
CHARACTERS = 2_500
FREQUENT = ("the", "parser", "问题", "计划")
RARE_ENGLISH, RARE_CHINESE = "quixotrope", "麒麟阁"
"""Each stands in a single message, in the middle of the longest thread."""
PHRASE = "the incremental parser"
_IDS = "0123456789abcdefghijklmnopqrstuvwxyz"
_STARTS = ("How do I", "Why does", "Please explain", "请解释", "帮我写", "为什么", "怎么", "Plan for", "关于", "Fix")


@dataclass(frozen=True)
class Made:
    """What measurements need to know of the library."""

    longest: str
    middle: str
    """The message in the middle of the longest thread, which holds the rare words."""
    characters: int
    """Of text that was written into it."""


class LibraryMaker:
    """Makes the same library for the same numbers."""

    def __init__(self, seed: int, threads: int, messages: int, longest: int) -> None:
        self._random = Random(seed)
        self._threads, self._messages, self._longest = threads, messages, min(longest, messages)
        letters = [self._word() for _ in range(WORDS)]
        self._words = [*FREQUENT[:2], "incremental", *letters]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))
        self._han = [chr(place) for place in self._random.sample(range(0x4E00, 0x9F00), CHARACTERS)]
        self._han_weights = list(accumulate(1 / rank for rank in range(1, len(self._han) + 1)))
        self._characters = 0

    async def fill(self, store: Store) -> Made:
        """Store all of it; the longest thread is the one before the newest."""
        lengths = self._lengths()
        begin = NOW - timedelta(days=365 * YEARS)
        batch: list[ImportedChat] = []
        held, longest, middle = 0, "", ""
        for number, length in enumerate(lengths):
            moment = begin + (NOW - begin) * (number + 1) / (len(lengths) + 1)
            chat = self._chat(number, length, moment)
            if length == self._longest and not longest:
                longest, middle = chat.chat.id, chat.messages[length // 2].id
            batch.append(chat)
            held += length
            if held >= MESSAGES_AT_ONCE or number == len(lengths) - 1:
                await store.database.write(
                    lambda connection, chats=tuple(batch): [
                        chat_import.take_in(connection, chat, {}, chat.chat.updated_at) for chat in chats
                    ],
                    needs_room=True,
                )
                batch, held = [], 0
        return Made(longest=longest, middle=middle, characters=self._characters)

    def _lengths(self) -> list[int]:
        """Most threads are short and a few are long, as they are; their sum is the number of messages."""
        rest, others = self._messages - self._longest, self._threads - 1
        weights = [self._random.paretovariate(1.3) for _ in range(others)]
        whole = sum(weights) or 1.0
        lengths = [max(2, round(rest * weight / whole / 2) * 2) for weight in weights]
        lengths.insert(max(0, len(lengths) - 1), self._longest)
        return lengths

    def _chat(self, number: int, length: int, moment: datetime) -> ImportedChat:
        messages: list[MessageRecord] = []
        for place in range(length):
            is_answer = place % 2 == 1
            parts = tuple(self._answer(number + place) if is_answer else [TextPart(text=self._question())])
            if length == self._longest and place == length // 2:
                parts = (*parts, TextPart(text=f"{RARE_ENGLISH} {RARE_CHINESE}"))
            self._characters += sum(len(part.text) for part in parts if isinstance(part, TextPart))
            at = moment + timedelta(seconds=place)
            messages.append(
                MessageRecord(
                    id=self._id(),
                    parent_id=messages[-1].id if messages else None,
                    role=Role.ASSISTANT if is_answer else Role.USER,
                    parts=parts,
                    created_at=at,
                    updated_at=at,
                    turn=TurnRecord(
                        model="bench",
                        started_at=at,
                        ended_at=at,
                        reason="completed",
                        usage=Usage(input_tokens=200, output_tokens=100),
                        duration_seconds=1.5,
                    )
                    if is_answer
                    else None,
                )
            )
        title = f"{self._random.choice(_STARTS)} {self._some(3)}{self._chinese(4)}"
        record = ChatRecord(
            id=self._id(), title=title, created_at=moment, updated_at=messages[-1].updated_at, tip=messages[-1].id
        )
        return ImportedChat(source=Source.THREADWELL, chat=record, messages=tuple(messages))

    def _question(self) -> str:
        return f"{self._some(8)}{self._chinese(12)}？" if self._random.random() < 0.6 else f"{self._some(14)}?"

    def _answer(self, number: int) -> Iterator[Part]:
        if number % 12 == 1:
            call_id = f"call-{number}"
            yield ToolCallPart(call_id=call_id, name="files__read", arguments='{"path": "src/parser.py"}')
            yield ToolResultPart(call_id=call_id, status=ResultStatus.OK, text=self._some(40), duration_seconds=0.4)
        text = f"{self._some(30)}.\n\n{self._chinese(40)}。\n\n"
        extra = {0: CODE, 3: TABLE, 6: LIST + PROSE, 9: CHINESE}.get(number % 24, "")
        yield TextPart(text=text + extra, step=1)

    def _some(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=count))

    def _chinese(self, count: int) -> str:
        text = "".join(self._random.choices(self._han, cum_weights=self._han_weights, k=count))
        return text + self._random.choice(FREQUENT[2:]) if self._random.random() < 0.2 else text

    def _word(self) -> str:
        return "".join(self._random.choice("bdfgklmnprst") + self._random.choice("aeiou") for _ in range(3))

    def _id(self) -> str:
        return "".join(self._random.choices(_IDS, k=26))
