"""How the tools of a turn are put before a model."""

from collections.abc import Sequence

from desktop.core.language_model import ToolSpec
from desktop.tools.entities import ToolDescriptor


def tool_specs(tools: Sequence[ToolDescriptor]) -> tuple[ToolSpec, ...]:
    """Return the tools as a request has them, those that come with the app first."""
    return tuple(
        ToolSpec(
            name=tool.alias,
            description=tool.description.strip() or tool.title,  # all that is legible of a name in other letters
            parameters=tool.input_schema,
            group=tool.server_id,
        )
        for tool in sorted(tools, key=lambda tool: not tool.bundled)
    )
