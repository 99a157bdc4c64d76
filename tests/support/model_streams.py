"""Reads a language model's whole answer, its failure included."""

from contextlib import aclosing
from dataclasses import dataclass, field

from desktop.agent.assembler import AssembledCall, ToolCallAssembler
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    Source,
    SourcesFound,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    ToolCallDelta,
    UserMessage,
    Waiting,
)

HI = ModelRequest(messages=(UserMessage(text="Hi"),))


@dataclass
class Told:
    """What a model has told so far. At its end exactly one of ``end`` and ``error`` is set."""

    text: str = ""
    thinking: str = ""
    sources: tuple[Source, ...] = ()
    end: StreamEnd | None = None
    error: ModelError | None = None

    def take(self, chunk: ModelChunk, assembler: ToolCallAssembler) -> bool:
        """Add what belongs to the answer; False for a chunk about it."""
        match chunk:
            case TextDelta():
                self.text += chunk.text
            case TextWasThinking():
                self.text, self.thinking = "", self.thinking + self.text.rstrip()
            case ThinkingDelta():
                self.thinking += chunk.text
            case SourcesFound():
                self.sources += chunk.sources
            case ToolCallDelta():
                assembler.add(chunk)
            case _:
                return False
        return True

    @property
    def code(self) -> str:
        """The error's code; empty without an error."""
        return self.error.code if self.error else ""


@dataclass
class Received(Told):
    """What arrived of one answer, and what was said about it."""

    remarks: list[Remark] = field(default_factory=list[Remark])
    waits: list[Waiting] = field(default_factory=list[Waiting])
    assembler: ToolCallAssembler = field(default_factory=lambda: ToolCallAssembler(()))

    @property
    def calls(self) -> list[AssembledCall]:
        return self.assembler.calls(())


async def receive(model: LanguageModel, request: ModelRequest = HI) -> Received:
    """Stream one answer to its end; asserts that nothing follows a ``StreamEnd``."""
    received = Received()
    try:
        async with aclosing(model.stream(request)) as chunks:
            async for chunk in chunks:
                assert received.end is None, "a chunk after the end"
                if received.take(chunk, received.assembler):
                    continue
                match chunk:
                    case Remark():
                        received.remarks.append(chunk)
                    case Waiting():
                        received.waits.append(chunk)
                    case StreamEnd():
                        received.end = chunk
    except ModelError as error:
        received.error = error
    assert (received.end is None) != (received.error is None)
    return received
