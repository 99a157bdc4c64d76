"""What the user chose about memory: whether chats are remembered and recalled, and what makes the vectors."""

from dataclasses import dataclass
from enum import StrEnum


class MemoryUse(StrEnum):
    """What an answer may be told of what was said before."""

    EVERYWHERE = "everywhere"
    THIS_THREAD = "this_thread"
    """Only what the thread itself holds."""
    OFF = "off"


class EmbedderKind(StrEnum):
    """What makes vectors of texts."""

    BUNDLED = "bundled"
    ENDPOINT = "endpoint"
    """The ``/embeddings`` of an endpoint: what is embedded leaves this computer."""
    NONE = "none"
    """Words alone are compared."""


@dataclass(frozen=True, kw_only=True)
class MemorySettings:
    use: MemoryUse = MemoryUse.EVERYWHERE
    """For all threads that have none of their own."""
    remembers: bool = True
    """Facts are taken from what the user says."""
    embedder: EmbedderKind = EmbedderKind.BUNDLED
    embedding_endpoint_id: str = ""
    """Which of the settings' endpoints embeds; only with ``ENDPOINT``."""
    embedding_model: str = ""
    chroma_url: str = ""
    """A Chroma server that keeps the vectors, ``http(s)://host:port``; empty keeps them in the data folder. Its token
    lies with the secrets."""


USUAL_MEMORY = MemorySettings()
