"""The questions of a test: a greeting, which shows that a model answers, and one that a harmless tool would answer."""

import asyncio
import time
from contextlib import aclosing

from desktop.core.endpoints import Ability, Finding
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    LanguageModel,
    ModelRequest,
    Remark,
    Sampling,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolSpec,
    UserMessage,
    Waiting,
)

ANSWER_CHARACTERS = 200
_LIMIT = Sampling(max_output_tokens=300)  # models that think spend most of it before the first word

HELLO = ModelRequest(messages=(UserMessage(text="Say hello in one short sentence."),), sampling=_LIMIT)
TOOL_QUESTION = ModelRequest(
    messages=(UserMessage(text="Which day is it today? Use the tool current_date."),),
    tools=(
        ToolSpec(
            name="current_date",
            description="Returns the date of today.",
            parameters={"type": "object", "properties": {}},
        ),
    ),
    sampling=_LIMIT,
)


class Question:
    """A question on its way: how long the first word took, and the beginning of the answer."""

    def __init__(self, model: LanguageModel, seconds: float, thinking_seconds: float) -> None:
        self._model = model
        self._limit = seconds
        self._thinking_seconds = thinking_seconds
        self._text = ""
        self._pieces = 0
        self._came_whole = False
        self._began = time.monotonic()
        self.seconds = 0.0

    @property
    def words(self) -> str:
        text = " ".join("".join(c if c.isprintable() else " " for c in self._text).split())
        return text if len(text) <= ANSWER_CHARACTERS else f"{text[: ANSWER_CHARACTERS - 1].rstrip()}…"

    @property
    def streaming(self) -> Finding:
        if self._came_whole:
            return Finding(ability=Ability.STREAMING, works=False)
        if self._pieces > 1:
            return Finding(ability=Ability.STREAMING, works=True)
        return Finding(ability=Ability.STREAMING, works=None, note="one_piece")

    async def ask(self, request: ModelRequest) -> None:
        """Return when the model showed that it answers. Raises ``ModelError``, and ``TimeoutError`` for silence."""
        try:
            async with asyncio.timeout(self._limit) as limit, aclosing(self._model.stream(request)) as chunks:
                async for chunk in chunks:
                    match chunk:
                        case StreamEnd():
                            break
                        case Remark():
                            self._came_whole |= chunk.code == "not_streamed"
                            continue
                        case Waiting():
                            continue
                        case _:
                            self._pieces += 1
                    if not self.seconds:
                        self.seconds = time.monotonic() - self._began
                        if isinstance(chunk, ThinkingDelta):
                            now = asyncio.get_running_loop().time()
                            limit.reschedule(min(limit.when() or now, now + self._thinking_seconds))
                    if isinstance(chunk, TextDelta):
                        self._text += chunk.text
                        if len(self._text) > ANSWER_CHARACTERS:
                            break
        except TimeoutError:
            if not self.seconds:
                raise
        self.seconds = self.seconds or time.monotonic() - self._began


async def tools_work(model: LanguageModel, seconds: float) -> Finding:
    """Offer the tool to a model that answers otherwise, and return whether it takes and calls it."""

    def found(works: bool | None, note: str = "") -> Finding:
        return Finding(ability=Ability.TOOLS, works=works, note=note)

    try:
        async with asyncio.timeout(seconds), aclosing(model.stream(TOOL_QUESTION)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, ToolCallDelta):
                    return found(True)
                if isinstance(chunk, Remark) and chunk.code == "without_tools":
                    return found(False)
    except ModelError as error:
        return found(False if error.code == "model.rejected" else None)
    except TimeoutError:
        return found(None)
    return found(True, "not_called")
