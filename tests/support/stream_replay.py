"""Reads the bytes of a model's answer with the real parser, reader and assembler, without a server."""

import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop.agent.assembler import AssembledCall, ToolCallAssembler
from desktop.core.errors import ModelError
from desktop.core.language_model import ModelChunk
from desktop.providers.chat_chunks import ChatStreamReader
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.sse import SseParser
from tests.support.model_streams import Told


@dataclass
class Replayed(Told):
    """What came of a stream."""

    calls: list[AssembledCall] = field(default_factory=list[AssembledCall])

    @property
    def runnable(self) -> list[tuple[str, str]]:
        """The calls that may run: those of a proper end whose arguments all are whole."""
        if self.end is None or self.end.reason not in ("stop", "tool_calls"):
            return []
        return [(c.name, c.arguments) for c in self.calls] if all(c.is_whole for c in self.calls) else []

    def facts(self) -> tuple[Any, ...]:
        """All of it, comparable; ids that were made up are left out."""
        calls = [(call.name, call.arguments, call.extra, call.is_whole) for call in self.calls]
        return self.text, self.thinking, self.sources, calls, self.end, self.code


def replay(pieces: Iterable[bytes], known_names: Sequence[str] = ()) -> Replayed:
    """Read the pieces of a body. Whatever is raised but ``ModelError`` is a fault of the reader."""
    received, assembler = Replayed(), ToolCallAssembler(known_names)
    parser = SseParser()
    reader = ChatStreamReader(ErrorMapper(url="http://127.0.0.1/v1", model="m"))

    def take(chunks: Iterable[ModelChunk]) -> None:
        for chunk in chunks:
            assert received.take(chunk, assembler), f"a reader makes no {chunk}"

    try:
        try:
            for piece in pieces:
                for event in parser.feed(piece):
                    take(reader.feed(event))
            for event in parser.finish():
                take(reader.feed(event))
        finally:
            take(reader.flush())
        received.end = reader.end()
    except ModelError as error:
        received.error = error
    received.calls = assembler.calls(())
    return received


def in_pieces(body: bytes, size: int) -> list[bytes]:
    """The body cut into pieces of ``size`` bytes."""
    return [body[start : start + size] for start in range(0, len(body), size)]


def in_random_pieces(body: bytes, seed: int) -> list[bytes]:
    """The body cut at random places, often close together."""
    chosen = random.Random(seed)
    places, place = [0], 0
    while place < len(body):
        place += chosen.choice((1, 1, 2, 3, 7, 40, 300, 2000))
        places.append(min(place, len(body)))
    return [body[a:b] for a, b in itertools.pairwise(places)]
