"""A server's wish to use the user's model ("sampling"): what it asks for, what is shown of it, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from desktop.core.costs import Cost
from desktop.tools.entities import Ending

SAMPLING_NAME = "sampling/createMessage"
"""Under which such requests stand in the record of calls: the protocol's own name, which no tool's alias can be."""
SAMPLING_REASON = "a server asks to use the model"
"""The rule by which they are always asked, for the record: no policy and no permission lets one through."""


class SamplingRole(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, kw_only=True)
class SamplingMessage:
    """One message that the server wrote, whoever it says is speaking. Untrusted."""

    role: SamplingRole
    text: str


@dataclass(frozen=True, kw_only=True)
class SamplingRequest:
    """What a server asks the model during a call, within our bounds. All texts are untrusted."""

    server_id: str
    thread_id: str
    turn_id: str
    """The turn whose call it is: its model answers, and its usage grows."""
    messages: tuple[SamplingMessage, ...]
    max_tokens: int
    """How long the answer may be: what the server asked for, or less."""
    asked_tokens: int
    system_prompt: str = ""
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()
    wants_context: bool = False
    """It also asked for what is said in the chat, which no server is given."""

    def to_json(self) -> Mapping[str, Any]:
        """All that goes to the model, for the record."""
        chosen: dict[str, Any] = {"temperature": self.temperature, "stopSequences": list(self.stop_sequences)}
        return {
            "systemPrompt": self.system_prompt,
            "messages": [{"role": message.role.value, "text": message.text} for message in self.messages],
            "maxTokens": self.max_tokens,
            **{key: value for key, value in chosen.items() if value not in (None, [])},
        }


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """What the model made of it."""

    text: str
    stop_reason: str
    """The protocol's word for how it ended: ``endTurn``, ``maxTokens``, ``stopSequence``."""
    output_tokens: int | None = None
    """As the endpoint counted; None where it did not."""


@dataclass(frozen=True, kw_only=True)
class SamplingQuestion:
    """Asks the user: may the model be asked this, or, with an ``answer``, may the server have it?"""

    request: SamplingRequest
    model: str
    endpoint: str
    """What people call the provider; empty for the demo."""
    thread_title: str = ""
    input_tokens: int = 0
    """About how many the model will read."""
    most_cost: Cost | None = None
    """What it may cost, where the user entered prices."""
    answer: ModelAnswer | None = None


class SamplingChoice(StrEnum):
    REFUSE = "refuse"
    ALLOW = "allow"
    """The model may be asked and its answer is shown; or then: the server may have it."""
    ALLOW_AND_SEND = "allow_and_send"
    """The answer goes back without being shown."""


@dataclass(frozen=True, kw_only=True)
class SamplingDecision:
    choice: SamplingChoice
    ending: Ending = Ending.ANSWERED
    shown_seconds: float = 0.0

    @property
    def allows(self) -> bool:
        return self.ending is Ending.ANSWERED and self.choice is not SamplingChoice.REFUSE


ABORTED = SamplingDecision(choice=SamplingChoice.REFUSE, ending=Ending.ABORTED)
"""The question was taken back."""


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """What the server gets."""

    answer: ModelAnswer
    model: str


class Unsampled(StrEnum):
    """Why the server gets nothing."""

    REFUSED = "refused"
    """By the user."""
    WITHDRAWN = "withdrawn"
    """The call, the run or the app ended meanwhile."""
    NO_MODEL = "no_model"
    """Nobody answers in the chat any more."""
    FAILED = "failed"
    """The model could not be asked, or said nothing."""
