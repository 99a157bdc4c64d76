"""A large data folder for the benchmark of memory: messages with vectors as texts like them have, and a long PDF."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import accumulate
from random import Random
from typing import Any

from bench_sentences import BEGIN, made_set

from desktop.conversation.entities import MessageStatus, Role, TextPart
from desktop.core.ids import new_id
from desktop.memory.entities import Passage
from desktop.memory.ports import Embedder, Vector
from desktop.storage.messages import insert_message, require_thread
from desktop.storage.store import Store
from tests.support.document_files import pdf_of

MESSAGES_A_THREAD = 100
QUESTION_SENTENCES, ANSWER_SENTENCES = (1, 3), (3, 8)
RARE_WORDS = 30_000
"""Beside those of the sentences, each more seldom than the one before, as words of a language are."""
NOISE = 0.35
"""How far a message's vector lies from the mean of its sentences' vectors."""
PUT_AT_ONCE = 2_000
LINES_A_PAGE, WORDS_A_LINE = 45, 11


class MadeMessages:
    """Messages out of our own sentences and of rarer words, and what their vectors are: all by a seed."""

    def __init__(self, seed: int) -> None:
        made = made_set(seed)
        self.sentences = list(dict.fromkeys(item["text"] for item in made.items))
        self.questions = [query["text"] for queries in made.queries.values() for query in queries]
        self._random = Random(seed)
        self._random.shuffle(self.questions)
        self._words = [_made_up_word(self._random) for _ in range(RARE_WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(1, RARE_WORDS + 1)))
        self._of_sentences: list[Vector] = []
        self._said: dict[str, list[int]] = {}
        self._last: list[int] = []

    async def learn(self, embedder: Embedder) -> None:
        """Have the sentences embedded, from which the vectors of messages are made."""
        self._of_sentences = await embedder.embed(self.sentences)

    async def fill(self, store: Store, count: int) -> list[str]:
        """Store so many messages as the app would have, questions and answers; return the threads."""
        threads: list[str] = []
        for start in range(0, count, MESSAGES_A_THREAD):
            thread = await store.threads.create_thread()
            threads.append(thread.id)
            places = range(start, min(count, start + MESSAGES_A_THREAD))

            def insert(connection: Any, thread_id: str = thread.id, places: range = places) -> None:
                number, parent = require_thread(connection, thread_id), None
                for place in places:
                    message_id, text = new_id(), self._text(is_answer=place % 2 == 1)
                    self._said[message_id] = self._last
                    parent = insert_message(
                        connection,
                        message_id=message_id,
                        thread_seq=number,
                        parent_seq=parent,
                        role=Role.ASSISTANT if place % 2 else Role.USER,
                        status=MessageStatus.COMPLETE,
                        parts=[TextPart(text=text)],
                        moment=BEGIN + timedelta(minutes=place),
                    )
                connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (parent, number))

            await store.database.write(insert)
        return threads

    async def put_vectors(self, store: Store, embedder_id: str) -> None:
        """Give every message a vector as if this embedder had made it; the index of vectors is not told."""
        await store.passages.catch_up()
        while passages := await store.passages.without_vector(embedder_id, PUT_AT_ONCE):
            vectors = list(zip(passages, self._vectors(passages), strict=True))
            await store.passages.put_vectors(embedder_id, vectors, is_asked=False)

    def pages(self, count: int) -> bytes:
        """Return a PDF of so many pages of text."""
        return pdf_of(["\n".join(self._line() for _ in range(LINES_A_PAGE)) for _ in range(count)])

    def _text(self, *, is_answer: bool) -> str:
        random = self._random
        count = random.randint(*(ANSWER_SENTENCES if is_answer else QUESTION_SENTENCES))
        self._last = [random.randrange(len(self.sentences)) for _ in range(count)]
        pieces: list[str] = []
        for number in self._last:
            pieces += [self.sentences[number], *self._rare(random.randint(0, 5))]
        return " ".join(pieces)

    def _line(self) -> str:
        return " ".join(self._rare(WORDS_A_LINE))

    def _rare(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def _vectors(self, passages: Sequence[Passage]) -> Iterator[Vector]:
        import numpy

        known = numpy.array([numpy.frombuffer(vector, "<f4") for vector in self._of_sentences])
        noise = numpy.random.default_rng(len(self._said))
        for passage in passages:
            mean = known[self._said[passage.id]].mean(axis=0)
            mean /= numpy.linalg.norm(mean)
            chance = noise.standard_normal(len(mean))
            mixed = mean + NOISE * chance / numpy.linalg.norm(chance)
            yield (mixed / numpy.linalg.norm(mixed)).astype("<f4").tobytes()


def _made_up_word(random: Random) -> str:
    syllables = random.randint(2, 4)
    return "".join(random.choice("bdfgklmnprstvz") + random.choice("aeiou") for _ in range(syllables))
