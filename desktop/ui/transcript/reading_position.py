"""Where somebody reads in a thread, kept while another thread is open."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadingPosition:
    """The first visible block and its place in the viewport, or the end."""

    message_id: str
    cell_index: int
    y: int
    is_at_end: bool
