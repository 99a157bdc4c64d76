"""Pictures that answers name by web addresses: placeholders until the user has one loaded; kept as long as the window."""

import html
import re
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from desktop.ui.markdown.html_writer import Link

PICTURE, ICON = "picture:", "icon:picture"
ICON_GAP = 5
"""Empty room behind the icon, a part of it: a blank would be copied with the words."""
KEPT_PIXELS = 60_000_000
WIDEST, HIGHEST = 480, 420
_PLACE = re.compile(r'<a href="#(\d+)">')


class PictureReceiver(Protocol):
    """A text with placeholders."""

    def pictures_changed(self) -> None: ...


class RemoteImages:
    """Nothing here fetches anything; what was fetched is put in."""

    def __init__(self) -> None:
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._pixels = 0
        self._receivers: list[weakref.ref[Any]] = []

    def put(self, address: str, image: QImage) -> None:
        """Show a picture wherever its placeholder stands."""
        self._images[address] = image
        self._pixels += image.width() * image.height()
        while self._pixels > KEPT_PIXELS and len(self._images) > 1:
            _, old = self._images.popitem(last=False)
            self._pixels -= old.width() * old.height()
        for reference in list(self._receivers):
            receiver = reference()
            if receiver is None or not shiboken6.isValid(receiver):
                self._receivers.remove(reference)
            else:
                receiver.pictures_changed()

    def get(self, address: str) -> QImage | None:
        return self._images.get(address)

    def watch(self, receiver: PictureReceiver) -> None:
        """Tell ``receiver`` of every picture from now on."""
        if not any(each() is receiver for each in self._receivers):
            self._receivers.append(weakref.ref(receiver))

    def with_pictures(self, text: str, links: Sequence[Link], widest: int, icon: int) -> str:
        """Return HTML with the pictures that are there above the links that stand for them, and an icon of this size before
        the others."""

        def place(found: re.Match[str]) -> str:
            link = links[int(found[1])]
            image = self._images.get(link.target) if link.is_picture else None
            if image is None:
                sign = f'<img src="{ICON}" width="{icon + ICON_GAP}" height="{icon}" style="vertical-align: middle">'
                return sign + found[0] if link.is_picture else found[0]
            size = image.size().scaled(QSize(min(WIDEST, widest), HIGHEST), Qt.AspectRatioMode.KeepAspectRatio)
            size = size.boundedTo(image.size())
            label = html.escape(link.label, quote=True)
            picture = f'<img src="{PICTURE}{found[1]}" width="{size.width()}" height="{size.height()}" alt="{label}">'
            return f"{picture}<br>{found[0]}"

        return _PLACE.sub(place, text) if any(link.is_picture for link in links) else text
