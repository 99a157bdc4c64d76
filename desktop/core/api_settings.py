"""What the user chose about the local API: whether other programs of this computer may chat here, and on which port."""

from dataclasses import dataclass

USUAL_PORT = 8020
LEAST_PORT = 1024
"""Ports below are the system's."""
MOST_PORT = 65_535

API_TOKEN = "local-api"
"""Under this name the ``SecretStore`` has the token that programs must send."""


@dataclass(frozen=True, kw_only=True)
class ApiSettings:
    enabled: bool = False
    port: int = USUAL_PORT
    """``LEAST_PORT`` to ``MOST_PORT``."""

    @property
    def is_in_bounds(self) -> bool:
        return LEAST_PORT <= self.port <= MOST_PORT


USUAL_API = ApiSettings()
