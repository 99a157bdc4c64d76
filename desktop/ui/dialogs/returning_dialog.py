"""A dialog that opens whole on the screen, and after which the user is where they were before."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QScrollArea, QWidget

from desktop.ui.screen_room import limit_least_size, placed_within, room_on_screen

_SLACK = 4
"""For what is found out only when the dialog is there and turns out some pixels higher."""


class ReturningDialog(QDialog):
    """Gives its window the attention back, which then puts the focus where it was; not every desktop sees to that.

    Only where the dialog had it: who went to another program meanwhile is not called back.
    """

    def setVisible(self, visible: bool) -> None:  # noqa: N802
        if visible and not self.isVisible():
            limit_least_size(self, self.minimumSize())
            if self.testAttribute(Qt.WidgetAttribute.WA_Resized):  # else Qt gives it the size that its content wants
                self.resize(self.size().boundedTo(room_on_screen(self).size()))
        super().setVisible(visible)

    def fit(self, area: QScrollArea, width: int, *, place: QWidget | None = None) -> None:
        """Become ``width`` wide and so high that ``area`` need not scroll; no larger than the screen when it is shown.

        ``place`` is the widget of this dialog's layout that ``area`` stands in.
        """
        content, layout = area.widget(), self.layout()
        if content is None or layout is None:
            return
        for widget in self.findChildren(QWidget):
            widget.ensurePolished()  # else they tell the size that they have in the usual font
        margins = layout.contentsMargins()
        inner = width - margins.left() - margins.right()
        wanted = content.heightForWidth(inner) if content.hasHeightForWidth() else content.sizeHint().height()
        wanted = max(wanted, content.minimumSizeHint().height())
        around = layout.totalSizeHint().height() - (place or area).sizeHint().height()
        self.resize(width, around + wanted + _SLACK)

    def grow(self, height: int) -> None:
        """Become so high, as far as the screen has room, and stay on it."""
        if height <= self.height():
            return
        if not self.isVisible():
            self.resize(self.width(), height)  # Qt puts it over the middle of its window when it is shown
            return
        place = self.geometry()
        place.setHeight(height)
        self.setGeometry(placed_within(place, room_on_screen(self)))

    def done(self, result: int) -> None:
        was_active = self.isActiveWindow()
        super().done(result)
        _give_back(self, was_active)


class GrowingDialog(ReturningDialog):
    """As high as what it holds, when it is opened and whenever that needs more room; wide as it was made.

    What lies in ``area``, if there is one, scrolls where the screen is lower than that.
    """

    area: QScrollArea | None = None

    def open(self) -> None:
        """Show the dialog as high as what it holds: Qt puts it where that is in the middle of the window."""
        for widget in (self, *self.findChildren(QWidget)):
            widget.ensurePolished()  # else they tell the size that they have in the usual font
        self._grow()
        if self.area is not None and (content := self.area.widget()) is not None:
            content.installEventFilter(self)
        super().open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.LayoutRequest:
            self._grow()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._grow()
        return done

    def _grow(self) -> None:
        if self.layout() is not None:
            self.grow(self.wanted_height())

    def wanted_height(self) -> int:
        """How high it is at this width with all that it holds in sight."""
        layout = self.layout()
        if layout is None:
            return self.height()
        layout.activate()
        # The hint is for words in lines as short as Qt likes them best, and so for more lines than there are.
        has_words = layout.hasHeightForWidth()
        wanted = layout.totalHeightForWidth(self.width()) if has_words else layout.totalSizeHint().height()
        return wanted + self._hidden_in_area()

    def _hidden_in_area(self) -> int:
        """How much higher than the area wants to be is what it holds."""
        content = self.area.widget() if self.area is not None else None
        if self.area is None or content is None or self.area.isHidden():
            return 0
        width = self.width() - self.contentsMargins().left() - self.contentsMargins().right()
        if (layout := self.layout()) is not None:
            width -= layout.contentsMargins().left() + layout.contentsMargins().right()
        wanted = content.heightForWidth(width) if content.hasHeightForWidth() else content.sizeHint().height()
        return max(wanted, content.minimumSizeHint().height()) - self.area.sizeHint().height()


class ReturningFileDialog(QFileDialog):
    """The same for the choice of a file or folder."""

    def __init__(self, parent: QWidget, title: str, folder: str) -> None:
        super().__init__(parent, title, folder)
        # Where the system has no such dialog, Qt shows its own; these two words of it are in English in every language.
        translate = QCoreApplication.translate
        self.setLabelText(self.DialogLabel.LookIn, translate("ReturningFileDialog", "Look in:"))
        self.setLabelText(self.DialogLabel.FileType, translate("ReturningFileDialog", "Files of type:"))

    def done(self, result: int) -> None:
        was_active = self.isActiveWindow()
        super().done(result)
        _give_back(self, was_active)


def documents_folder() -> str:
    """Return where the choice of a file begins that is no download."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str(folder if folder.is_dir() else Path.home())


def _give_back(dialog: QWidget, was_active: bool) -> None:
    parent = dialog.parentWidget()
    if was_active and parent is not None:
        parent.window().activateWindow()
