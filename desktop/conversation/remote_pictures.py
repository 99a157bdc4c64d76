"""Pictures that an answer names by a web address: the port of whoever fetches one, which happens only when the user asks."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class RemotePicture:
    """Nothing but pixels is left in it, as in every picture that our own reader made."""

    data: bytes
    width: int
    """Of the picture as it was fetched."""
    height: int


class RemotePictures(Protocol):
    async def fetch(self, address: str) -> RemotePicture:
        """Fetch a picture once, from a public address alone; nothing is sent but the request for it.

        Raises ``FileError``.
        """
        ...
