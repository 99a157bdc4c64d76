"""What approval and elicitation dialogs have in common: three endings, arming, no default button, the others waiting."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from desktop.ui.controls import announce
from desktop.ui.dialogs.arming import Arming, Wait
from desktop.ui.dialogs.kept_entries import KeptEntries, same_named
from desktop.ui.dialogs.parts import ButtonBar, FittingScrollArea, QuietButton, icon_label, plain_label, row, set_plain
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH = 640
_MOST_HEIGHT = 760
_LITTLE_HEIGHT = 560
_TITLE_BAR = 40
_LEAST_SIZE = QSize(480, 280)
_MARGIN = 20
_ALL = Qt.AlignmentFlag(0)


class PromptDialog(ReturningDialog):
    """A window-modal question. It is opened with ``open()``; ``answer`` is set when ``finished`` comes.

    Escape and closing give the answer ``cancelled_answer``; ``take_back`` closes without any answer. What allows
    something is disabled until the dialog has stood still, in front, for the arming delay, and the hint says so: a
    click or a key that was meant for what was there before must not allow anything.

    In another language all parts are made anew by ``build``; what was entered and read stays.
    """

    refuse_all_requested = Signal()

    def __init__(self, parent: QWidget | None, theme: ThemeManager, arming_delay_ms: int) -> None:
        super().__init__(parent)
        self.theme = theme
        self.answer: object | None = None
        self._hint_words = ""
        self._focus_before_wait: QWidget | None = None
        self._shown_at: float | None = None
        self._grown = 0
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumSize(_LEAST_SIZE)
        self.setSizeGripEnabled(False)
        self._arming = Arming(self, arming_delay_ms)
        self._arming.changed.connect(self._arming_changed)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._waiting_count = 0
        self._unfolded: list[tuple[str, str]] = []
        """The names of the buttons and of the parts that took their places."""
        self._content = self._make_content()
        # A change of the language is told more than once: to the dialog, and by its window.
        self._anew = QTimer(self, singleShot=True, interval=0)
        self._anew.timeout.connect(self._build_anew)

    # What a kind of question provides.

    def build(self) -> None:
        """Make the parts of this question in the language of the moment; called at the end of the construction."""
        raise NotImplementedError

    def restored(self) -> None:
        """What was entered stands in the new parts: say of it what was said before."""

    def cancelled_answer(self) -> object:
        """Return the answer for Escape and closing."""
        raise NotImplementedError

    def update_buttons(self) -> None:
        """Enable what the state allows; called when ``armed`` changes."""
        raise NotImplementedError

    def possible_hints(self) -> Sequence[str]:
        """Return every hint that may come: the dialog has room for the longest from the beginning."""
        return [self._hint_words]

    # For them.

    @property
    def armed(self) -> bool:
        return self._arming.wait is Wait.NO

    @property
    def has_little_room(self) -> bool:
        """Whether the screen is so low that only the most important can be in sight at once."""
        return self._largest_size().height() < self.theme.px(_LITTLE_HEIGHT)

    @property
    def shown_seconds(self) -> float:
        return 0.0 if self._shown_at is None else time.monotonic() - self._shown_at

    def add_headline(self, icon: str, headline: str, subline: str) -> None:
        """Put the app's own words at the top: what is asked, and who asks."""
        badge = QFrame()
        badge.setProperty("role", "badge")
        size = self.theme.px(40)
        badge.setFixedSize(QSize(size, size))
        badge_layout = QHBoxLayout(badge)
        badge_layout.setContentsMargins(0, 0, 0, 0)
        badge_layout.addWidget(icon_label(self.theme, icon, "accent", 22), 0, Qt.AlignmentFlag.AlignCenter)
        words = QWidget()
        layout = QVBoxLayout(words)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        title = plain_label(headline, "title")
        title.setObjectName("headline")
        who = plain_label(subline, "muted")
        who.setObjectName("subline")
        layout.addWidget(title)
        layout.addWidget(who)
        self.body.addLayout(row(badge, words, spacing=12, stretch_last=True))
        self.setAccessibleName(f"{headline} {subline}")

    def add_foot(self, left: list[QPushButton], right: list[QPushButton], *more: QWidget) -> None:
        """Put the hint line and the buttons at the bottom; ``more`` stands between them."""
        foot = QFrame()
        foot.setProperty("role", "foot")
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(_MARGIN, 12, _MARGIN, 14)
        layout.setSpacing(10)
        self.hint = plain_label("", "muted")
        self.hint.setObjectName("hint")
        layout.addWidget(self.hint)
        for widget in more:
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft if isinstance(widget, QPushButton) else _ALL)
        self._buttons = ButtonBar(left, right)
        layout.addWidget(self._buttons)
        self._outer.addWidget(foot)
        self._arming.watch(self._buttons)

    def set_hint(self, text: str) -> None:
        """Say above the buttons what goes for them, unless they have to wait, which stands there first."""
        self._hint_words = text
        shown = self._words_about(self._arming.wait) or text
        set_plain(self.hint, shown)
        self.hint.setVisible(bool(shown))

    def finish(self, answer: object) -> None:
        """Close with the person's answer."""
        if self.answer is None:
            self.answer = answer
        self.done(QDialog.DialogCode.Accepted)

    def take_back(self) -> None:
        """Close because the program no longer asks; ``finished`` still comes, ``answer`` stays None."""
        super().done(QDialog.DialogCode.Rejected)

    def set_waiting_count(self, count: int) -> None:
        """Say how many questions wait behind this one."""
        # Its place is at the top and the dialog grows upwards, so that no button moves under the pointer.
        self._waiting_count = count
        if (count > 0) == self._waiting_row.isHidden():
            with self._arming.one_change():
                self._waiting_row.setVisible(count > 0)
                self._outer.activate()
                height = self._waiting_row.sizeHint().height() if count else -self._grown
                self._grown += self._grow_upwards(height)
        self._say_waiting()

    # Qt's own names from here on.

    def reject(self) -> None:
        """Escape and closing: a cancel by the person."""
        if self.answer is None:
            self.answer = self.cancelled_answer()
        super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # Enter does nothing here, whatever has the focus
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        is_first = self._shown_at is None
        if self._shown_at is None:
            self._shown_at = time.monotonic()
        super().showEvent(event)
        if is_first:
            text = self.tr("Your answer is needed: {question}").format(question=self.accessibleName())
            announce(self, text, assertive=True)

    def open(self) -> None:
        """Show the dialog in a size that fits its content and its window."""
        width = max(min(self.theme.px(_WIDTH), self._largest_size().width()), _LEAST_SIZE.width())
        self.resize(width, self._fit_height(width))
        super().open()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._anew.start()

    def _build_anew(self) -> None:
        """Replace all parts by others in the language of the moment."""
        if self.answer is not None:
            return
        before, had_focus = self._content, self._focus_before_wait or self.focusWidget()
        kept = KeptEntries(before)
        with self._arming.one_change():
            self._focus_before_wait = None
            self._whole.removeWidget(before)
            before.hide()
            self._content = self._make_content()
            self.build()
            self._say_waiting()
            self._waiting_row.setVisible(self._waiting_count > 0)
            for button, part in self._unfolded:
                self._set_unfolded(button, part)
            self._content.show()
            self.grow(self._fit_height(self.width()))
            self._whole.activate()
            kept.give_to(self._content)
            self.restored()
            self.update_buttons()
            self._focus_again(same_named(had_focus, self._content))
        before.setParent(None)
        before.deleteLater()
        self._arming.stand_anew()

    def _focus_again(self, widget: QWidget | None) -> None:
        if widget is not None and not widget.isEnabled():
            self._focus_before_wait = widget
            widget = self
        if widget is not None:
            widget.setFocus()

    def _make_content(self) -> QWidget:
        content = QWidget()
        self._outer = QVBoxLayout(content)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(0)
        self._outer.addWidget(self._make_waiting_row())
        self.body = QVBoxLayout()
        self.body.setContentsMargins(_MARGIN, _MARGIN - 4, _MARGIN, 14)
        self.body.setSpacing(12)
        self._outer.addLayout(self.body, 1)
        self._whole.addWidget(content)
        return content

    def _fit_height(self, width: int) -> int:
        """Fit all parts to this width, and return the height that the dialog should have."""
        self.ensurePolished()
        inner = width - 2 * _MARGIN
        for part in self._parts():
            part.fit(inner)
        self._buttons.fit(inner)
        if not any(part.wants_room for part in self._parts()):
            # Only where all is in view: else it would take the room that another part wants.
            self.body.addSpacerItem(QSpacerItem(0, 0, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding))
        wanted = self._wanted_height(width) + self._room_for_hints(inner)
        return max(_LEAST_SIZE.height(), min(wanted, self._largest_size().height()))

    def unfold(self, button: QPushButton, widget: QWidget) -> None:
        """Show a part of the foot in place of its button; the dialog grows upwards, so that no other button moves."""
        with self._arming.one_change():
            self._unfolded.append((button.objectName(), widget.objectName()))
            widget.show()
            widget.setFocus()
            button.hide()
            self._outer.activate()
            self._grow_upwards(widget.sizeHint().height() - button.height())

    def _set_unfolded(self, button: str, part: str) -> None:
        for name, is_shown in ((button, False), (part, True)):
            if (widget := self._content.findChild(QWidget, name)) is not None:
                widget.setVisible(is_shown)

    def _say_waiting(self) -> None:
        set_plain(self._waiting_text, self.tr("{count} more waiting").format(count=self._waiting_count))

    def _grow_upwards(self, height: int) -> int:
        """Move the upper edge up by ``height``, within the screen; down where it is negative. Returns by how much."""
        if not self.isVisible() or (screen := self.screen()) is None:
            return 0
        place = self.geometry()
        above = max(0, place.top() - screen.availableGeometry().top() - _TITLE_BAR)
        if height > 0:
            height = max(0, min(height, above, self._largest_size().height() - place.height()))
        self.setGeometry(place.adjusted(0, -height, 0, 0))
        return height

    def _largest_size(self) -> QSize:
        most = self.theme.px(_MOST_HEIGHT)
        screen = (self.parentWidget() or self).screen()
        if screen is None:
            return QSize(_WIDTH, most)
        available = screen.availableGeometry().size()
        return QSize(available.width() - 40, min(most, available.height() - 80))

    def _room_for_hints(self, width: int) -> int:
        """How much higher than the hint that is shown the highest one is."""
        hints = (*self.possible_hints(), self._words_about(Wait.AWAY), self._words_about(Wait.CHANGED))
        probe = plain_label("", "muted")
        probe.setFont(self.hint.font())
        heights: list[int] = []
        for words in hints:
            set_plain(probe, words)
            heights.append(probe.heightForWidth(width))
        return max(0, max(heights) - self.hint.heightForWidth(width))

    def _wanted_height(self, width: int) -> int:
        self._outer.activate()
        return self._outer.totalHeightForWidth(width) if self._outer.hasHeightForWidth() else self.sizeHint().height()

    def _parts(self) -> list[PlainBox | FittingScrollArea]:
        """The parts that scroll, outer ones first."""
        areas = self.findChildren(FittingScrollArea)
        inner = [box for area in areas for box in area.findChildren(PlainBox)]
        return [*areas, *(box for box in self.findChildren(PlainBox) if box not in inner)]

    def _make_waiting_row(self) -> QWidget:
        self._waiting_row = QFrame()
        self._waiting_row.setProperty("role", "waiting")
        layout = QHBoxLayout(self._waiting_row)
        layout.setContentsMargins(_MARGIN, 6, _MARGIN - 8, 6)
        self._waiting_text = plain_label("", "muted")
        self._waiting_text.setObjectName("waiting")
        self.refuse_all = QuietButton(self.tr("Refuse all"), "refuse_all", "danger")
        self.refuse_all.setToolTip(self.tr("Refuse this question and all that wait"))
        self.refuse_all.clicked.connect(self.refuse_all_requested)
        layout.addWidget(self._waiting_text, 1)
        layout.addWidget(self.refuse_all)
        self._waiting_row.setVisible(False)
        return self._waiting_row

    def _arming_changed(self) -> None:
        focus = self.focusWidget()
        self.update_buttons()
        if focus is not None and not focus.isEnabled():
            # Qt has moved the focus to the next button, which might be Refuse.
            self._focus_before_wait = focus
            self.setFocus()
        elif self.armed and self._focus_before_wait is not None:
            if self.focusWidget() in (self, None):
                self._focus_before_wait.setFocus()
            self._focus_before_wait = None
        self.set_hint(self._hint_words)

    def _words_about(self, wait: Wait) -> str:
        if wait is Wait.AWAY:
            return self.tr("Go to this window first: while another one is in front, nothing can be allowed here.")
        if wait is Wait.CHANGED:
            return self.tr("One moment: this window has just moved or come to the front.")
        return ""
