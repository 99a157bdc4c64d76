"""What a shell command says of tool servers beside its answers: those that failed, and tools that are held."""

from collections.abc import Sequence

from desktop.app.headless.output import complain, say
from desktop.core.errors import ToolError
from desktop.tools.entities import ServerStatus
from desktop.tools.pinned import HeldItem

_MOST_NAMES = 8
_MOST_OF_NAME = 60


def report_failed_server(status: ServerStatus) -> None:
    if status.has_failed:
        complain(ToolError("tool.server_gone", server=status.server_id, detail=" ".join(status.text.split())[:500]))


def report_held(items: Sequence[HeldItem]) -> None:
    """Say what of a server is not used because it is not what the user has accepted; what they want off is no news."""
    waiting = [item for item in items if not item.is_kept_off]
    if not waiting:
        return
    tools = [" ".join(item.name[:_MOST_OF_NAME].split()) for item in waiting if not item.is_instructions]
    names = ", ".join([*tools[:_MOST_NAMES], *(["…"] if len(tools) > _MOST_NAMES else [])])
    what = f"tools changed ({len(tools)}: {names})" if tools else "instructions changed"
    say(
        f"[held] {waiting[0].server_id[:_MOST_OF_NAME]}: {what}. They are not used until you have looked at them in the window."
    )
