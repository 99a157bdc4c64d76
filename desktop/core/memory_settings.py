"""What the user chose about memory: whether chats are remembered and recalled, and what makes the vectors."""

from dataclasses import dataclass, replace
from enum import StrEnum

CHROMA_TOKEN = "memory:chroma"
"""Under this name the ``SecretStore`` has the token of the Chroma server, if there is one."""


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
    resumes_use: MemoryUse | None = None
    """While memory is paused, what ``use`` is when it goes on; None while it is not paused."""
    resumes_remembering: bool = True
    """While memory is paused, what ``remembers`` is when it goes on."""
    embedder: EmbedderKind = EmbedderKind.BUNDLED
    embedding_endpoint_id: str = ""
    """Which of the settings' endpoints embeds; only with ``ENDPOINT``."""
    embedding_model: str = ""
    chroma_url: str = ""
    """A Chroma server that keeps the vectors, ``http(s)://host:port``; empty keeps them in the data folder. Its token
    lies with the secrets."""
    chroma_left: tuple[str, ...] = ()
    """Servers that kept the vectors before and may still hold some, because they could not be reached when they were left."""

    @property
    def is_paused(self) -> bool:
        """Whether memory rests until the user lets it go on: nothing is taken from chats, and nothing told."""
        return self.resumes_use is not None

    def paused(self) -> "MemorySettings":
        """Return these settings with memory at rest, and what they were kept for when it goes on."""
        if self.is_paused:
            return self
        return replace(
            self, use=MemoryUse.OFF, remembers=False, resumes_use=self.use, resumes_remembering=self.remembers
        )

    def resumed(self) -> "MemorySettings":
        """Return these settings as they were before the pause."""
        if self.resumes_use is None:
            return self
        return replace(
            self, use=self.resumes_use, remembers=self.resumes_remembering, resumes_use=None, resumes_remembering=True
        )


USUAL_MEMORY = MemorySettings()
