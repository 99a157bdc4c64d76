"""A prompt of the library, and how long its parts may be."""

from dataclasses import dataclass
from datetime import datetime

MOST_NAME, MOST_DESCRIPTION, MOST_TEXT = 120, 500, 100_000
"""Characters."""
MOST_PROMPTS = 5_000


@dataclass(frozen=True)
class SavedPrompt:
    """A text to be put into messages; what is to be filled in stands in it as ``template.py`` says."""

    id: str
    name: str
    text: str
    created_at: datetime
    updated_at: datetime
    description: str = ""
    used_count: int = 0
    last_used_at: datetime | None = None
