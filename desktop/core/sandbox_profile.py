"""How much of the machine a command can reach, as the host decides it and the command server carries it out."""

from enum import StrEnum


class SandboxProfile(StrEnum):
    """What a command can reach. Stands in ``CallIntent.sandbox``, so it is part of what was shown, allowed and proved."""

    NONE = "none"
    """No sandbox: everything that the user may do."""
    WORKSPACE = "workspace"
    """The system read-only, the home folder hidden, the workspace writable, no network."""
    WORKSPACE_WITH_NETWORK = "workspace+network"
    """The same, and the network."""
