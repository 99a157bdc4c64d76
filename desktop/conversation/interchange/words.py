"""The words in exported chats, which the window gives in its language; English without it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from desktop.conversation.entities import MessageStatus, ResultStatus
from desktop.conversation.plans import StepState
from desktop.core.error_texts import english
from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.core.remark_texts import english_remark

Params = Mapping[str, str | int | float]


def _time(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def _error(code: str, params: Params) -> str:
    text = english(code, params)
    return f"{text.title}. {text.detail}"


@dataclass(frozen=True, kw_only=True)
class ExportWords:
    """``{…}`` stand for what is put in."""

    new_chat: str = "New chat"
    you: str = "You"
    assistant: str = "Assistant"
    demo: str = DEMO_MODEL_NAME
    created: str = "Begun"
    last_message: str = "Last message"
    exported_from: str = "Exported from Threadwell"
    instructions: str = "Instructions of this chat"
    reasoning: str = "Reasoning"
    tool: str = "Tool {name}"
    arguments: str = "Arguments"
    result: str = "Result"
    file: str = "File"
    sources: str = "Sources"
    answer_of: str = "answer {number} of {count}"
    version_of: str = "version {number} of {count}"
    tokens: str = "{input} tokens in, {output} out"
    seconds: str = "{seconds} s"
    statuses: Mapping[MessageStatus, str] = field(
        default_factory=lambda: {
            MessageStatus.STREAMING: "still being written when this was exported",
            MessageStatus.STOPPED: "stopped",
            MessageStatus.INTERRUPTED: "interrupted",
            MessageStatus.FAILED: "failed",
        }
    )
    results: Mapping[ResultStatus, str] = field(
        default_factory=lambda: {
            ResultStatus.OK: "done",
            ResultStatus.ERROR: "failed",
            ResultStatus.DENIED: "not allowed",
            ResultStatus.TIMEOUT: "no result in time",
            ResultStatus.INTERRUPTED: "interrupted",
            ResultStatus.UNKNOWN: "nobody knows how it ended",
        }
    )
    plan: str = "Plan"
    plan_step: str = "Step {number}"
    step_states: Mapping[StepState, str] = field(
        default_factory=lambda: {
            StepState.WAITING: "not begun",
            StepState.RUNNING: "interrupted",
            StepState.DONE: "done",
            StepState.FAILED: "failed",
            StepState.SKIPPED: "not done",
        }
    )
    time: Callable[[datetime], str] = _time
    error: Callable[[str, Params], str] = _error
    remark: Callable[[str, Params], str] = english_remark


ENGLISH = ExportWords()
