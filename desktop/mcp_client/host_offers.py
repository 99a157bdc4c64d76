"""What the host offers to a server only where the user switched it on for it: the chat's folder, and the model."""

from dataclasses import dataclass
from typing import Any

from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.calls import ActiveCalls
from desktop.mcp_client.roots import Roots, WorkspaceOf
from desktop.mcp_client.sampling import Sampler
from desktop.tools.entities import ServerConfig
from desktop.tools.ports import ModelForServers


@dataclass(frozen=True)
class HostOffers:
    """What there is to be offered at all; a server learns of what it is not offered only that it is not there."""

    workspace_of: WorkspaceOf | None = None
    model: ModelForServers | None = None

    def to(self, config: ServerConfig, *, tasks: TaskSupervisor, calls: ActiveCalls) -> dict[str, Any]:
        """Return what answers one server, as ``transports.new_client`` takes it."""
        offers: dict[str, Any] = {}
        if self.workspace_of is not None and config.knows_folder:
            offers["roots"] = Roots(calls, self.workspace_of).handle
        if self.model is not None and config.may_ask_model:
            offers["sampling"] = Sampler(config, model=self.model, tasks=tasks, calls=calls).handle
        return offers
