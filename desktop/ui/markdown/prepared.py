"""Long texts that were parsed beside the window before they are shown: that takes up to a second."""

import threading
from collections import OrderedDict

from desktop.ui.markdown.segments import Segment, normalized, rendered_part, split

LONG = 10_000
"""Characters from which on a text is worth it."""
KEPT_CHARACTERS = 4_000_000

_kept: OrderedDict[str, tuple[Segment, ...]] = OrderedDict()
_lock = threading.Lock()


def prepare(text: str) -> None:
    """Parse ``text`` for ``segments_of``, in whatever thread this is called."""
    source = rendered_part(normalized(text))
    if not is_prepared(text):
        segments = tuple(piece.segment for piece in split(source))
        with _lock:
            _kept[source] = segments
            while len(_kept) > 1 and sum(map(len, _kept)) > KEPT_CHARACTERS:
                _kept.popitem(last=False)


def is_prepared(text: str) -> bool:
    """Whether nothing needs to be done for this text, also because it is short."""
    return len(text) < LONG or rendered_part(normalized(text)) in _kept


def segments_of(source: str) -> tuple[Segment, ...]:
    """The segments of a whole text, as ``rendered_part`` gave it: those that were prepared, else parsed now."""
    with _lock:
        known = _kept.get(source)
        if known is not None:
            _kept.move_to_end(source)
    return known if known is not None else tuple(piece.segment for piece in split(source))
