"""What was removed for good, in numbers: the stores count it where they remove it."""

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Counts of what is gone from the data folder. Receipts of several removals add up."""

    items: int = 0
    """Things that were remembered."""
    quotes: int = 0
    """Words of the user that were kept with something remembered; what was remembered may have stayed."""
    chats: int = 0
    messages: int = 0
    results: int = 0
    """What tools returned, removed by itself."""
    words: int = 0
    """Entries of full-text indexes."""
    vectors: int = 0
    """In the database; the index of vectors follows it."""
    summaries: int = 0
    stale_summaries: int = 0
    """Summaries that held something of it and are made anew."""
    files: int = 0
    """Attached files and what tools brought back."""
    documents: int = 0
    """Files that were knowledge of a chat, or of all; they themselves stay where they are."""
    calls: int = 0
    """Records of tool calls."""
    requests: int = 0
    """Records of what a model was sent."""
    waits: bool = False
    """Some bytes of it are still in files that could not be cleaned now; the next start goes on with it."""
    server: str = ""
    """The address of a server that may still hold vectors of it, because it could not be reached."""

    def __add__(self, other: "Receipt") -> "Receipt":
        """Return both together."""
        counts = [each.name for each in fields(self) if each.type is int]
        sums = {name: getattr(self, name) + getattr(other, name) for name in counts}
        return replace(self, **sums, waits=self.waits or other.waits, server=self.server or other.server)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was there to be removed."""
        return self == Receipt(waits=self.waits, server=self.server)
