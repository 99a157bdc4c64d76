"""Where threads lie that are not in the list; the first paint may import it."""

from enum import StrEnum


class Shelf(StrEnum):
    """In a search it says which chats count: where none is named, all but those in the Trash."""

    ARCHIVE = "archive"
    TRASH = "trash"
