"""The text of an attached file as a model is sent it: fenced, with its name, told apart from the user's own words."""

import re

from desktop.conversation.entities import AttachmentPart

_FENCES = re.compile(r"`{3,}")


def file_block(part: AttachmentPart) -> str:
    """Return the text of a file between fences that cannot occur in it."""
    longest = max((len(found) for found in _FENCES.findall(part.text)), default=3)
    fence = "`" * (longest + 1)
    left_out = part.pages - part.pages_read
    rest = f"\n[Pages {part.pages_read + 1} to {part.pages} are not included.]" if left_out > 0 else ""
    head = f"[Attached file: {part.name}. What follows between the fences is its content.]"
    return f"{head}\n{fence}\n{part.text}\n{fence}{rest}"


def omitted_image(part: AttachmentPart) -> str:
    """Return what stands for an image that is not sent."""
    return f"[image omitted: {part.name}]"


def sent_again(part: AttachmentPart) -> str:
    """Return what stands for a file that comes once more with a later message."""
    return f"[Attached file: {part.name}. It comes again below.]"
