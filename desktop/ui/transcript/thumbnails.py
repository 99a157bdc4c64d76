"""Small pictures of attached images: loaded when one comes into sight, and kept for those seen last."""

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import shiboken6
from PySide6.QtGui import QPixmap

Loader = Callable[[str, Callable[[bytes | None], None]], None]
"""Fetches the thumbnail of an attachment's id and hands it to the function, on the GUI thread; None when it is gone."""


class ThumbnailReceiver(Protocol):
    """A widget that asked for a picture."""

    def show_thumbnail(self, attachment_id: str, picture: QPixmap) -> None:
        """Take the picture; a null one when it is gone."""
        ...


class Thumbnails:
    """Without a loader every picture is gone."""

    KEPT = 100

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, QPixmap] = OrderedDict()
        self._loader: Loader | None = None

    def set_loader(self, loader: Loader) -> None:
        self._loader = loader

    def request(self, attachment_id: str, receiver: ThumbnailReceiver) -> None:
        """Give ``receiver`` the picture now or later; never when it is gone by then."""
        if (known := self._pictures.get(attachment_id)) is not None:
            self._pictures.move_to_end(attachment_id)
            receiver.show_thumbnail(attachment_id, known)
            return
        weak_receiver = weakref.ref(receiver)

        def done(data: bytes | None) -> None:
            picture = pixmap_of(data)
            self._keep(attachment_id, picture)
            alive = weak_receiver()
            if alive is not None and shiboken6.isValid(alive):
                alive.show_thumbnail(attachment_id, picture)

        if self._loader is None:
            done(None)
        else:
            self._loader(attachment_id, done)

    def _keep(self, attachment_id: str, picture: QPixmap) -> None:
        self._pictures[attachment_id] = picture
        while len(self._pictures) > self.KEPT:
            self._pictures.popitem(last=False)


def pixmap_of(data: bytes | None) -> QPixmap:
    """Return the picture of a thumbnail's bytes, a null one where there are none."""
    picture = QPixmap()
    if data:
        picture.loadFromData(data)
    return picture
