"""What the program that reads chats writes to the app: frames, each with its kind and its length before it."""

import struct
from enum import IntEnum
from typing import IO

HEADER = struct.Struct(">BQ")
MOST_FRAME_BYTES = 400_000_000


class Kind(IntEnum):
    """Of a frame; all but ``BYTES`` are JSON."""

    CHAT = 1
    """A chat without its messages: its source, and the keys of the files that follow."""
    MESSAGE = 2
    CHAT_END = 3
    """The chat is whole; its files come next."""
    FILE = 4
    """Key and name of a file."""
    BYTES = 5
    """Of the file that was just named."""
    SKIPPED = 6
    PROGRESS = 7
    FAILED = 8
    """Nothing more can be read: the code of an error."""
    DONE = 9


def write(output: IO[bytes], kind: Kind, payload: bytes) -> None:
    """Write a frame."""
    output.write(HEADER.pack(kind, len(payload)))
    output.write(payload)
