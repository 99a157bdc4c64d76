"""The tool by which an assistant asks another one. The app carries it out itself; no server has it."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.core.digests import sha256_of_json
from desktop.tools.entities import ToolDescriptor

ASSISTANT_SERVER, ASK_ASSISTANT = "assistants", "ask_assistant"
ASK_ALIAS = f"{ASSISTANT_SERVER}__{ASK_ASSISTANT}"


@dataclass(frozen=True)
class Askable:
    """An assistant that may be asked, and what it is for."""

    name: str
    purpose: str = ""


def ask_assistant_tool(askable: Sequence[Askable]) -> ToolDescriptor:
    """Return the tool for these; there is at least one."""
    names = [one.name for one in askable]
    schema = {
        "type": "object",
        "properties": {
            "assistant": {"type": "string", "enum": names, "description": "Which assistant."},
            "task": {
                "type": "string",
                "minLength": 1,
                "description": "All that it needs to know and what it should answer. It knows nothing of this chat.",
            },
        },
        "required": ["assistant", "task"],
        "additionalProperties": False,
    }
    lines = [f"- {one.name}: {one.purpose}" if one.purpose else f"- {one.name}" for one in askable]
    description = "\n".join(
        ("Give a task to another assistant, which works on it by itself and returns its answer. There are:", *lines)
    )
    return ToolDescriptor(
        server_id=ASSISTANT_SERVER,
        name=ASK_ASSISTANT,
        alias=ASK_ALIAS,
        title="Ask an assistant",
        description=description,
        input_schema=schema,
        definition_hash=sha256_of_json([ASSISTANT_SERVER, ASK_ASSISTANT, description, schema]),
        bundled=True,
        # What its own tools read is noted, and asked about, when they are called.
        annotations={"readOnlyHint": True, "openWorldHint": False},
    )
