"""Reads a language model's whole answer, its failure included."""

from contextlib import aclosing
from dataclasses import dataclass, field

from desktop.agent.assembler import AssembledCall, ToolCallAssembler
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    LanguageModel,
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
class Received:
    """What arrived. Exactly one of ``end`` and ``error`` is set."""

    text: str = ""
    thinking: str = ""
    sources: tuple[Source, ...] = ()
    end: StreamEnd | None = None
    error: ModelError | None = None
    remarks: list[Remark] = field(default_factory=list[Remark])
    waits: list[Waiting] = field(default_factory=list[Waiting])
    assembler: ToolCallAssembler = field(default_factory=lambda: ToolCallAssembler(()))

    @property
    def calls(self) -> list[AssembledCall]:
        return self.assembler.calls(())

    @property
    def code(self) -> str:
        """The error's code; empty without an error."""
        return self.error.code if self.error else ""


async def receive(model: LanguageModel, request: ModelRequest = HI) -> Received:
    """Stream one answer to its end; asserts that nothing follows a ``StreamEnd``."""
    received = Received()
    try:
        async with aclosing(model.stream(request)) as chunks:
            async for chunk in chunks:
                assert received.end is None, "a chunk after the end"
                match chunk:
                    case TextDelta():
                        received.text += chunk.text
                    case TextWasThinking():
                        received.text, received.thinking = "", received.thinking + received.text.rstrip()
                    case SourcesFound():
                        received.sources += chunk.sources
                    case ThinkingDelta():
                        received.thinking += chunk.text
                    case ToolCallDelta():
                        received.assembler.add(chunk)
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
