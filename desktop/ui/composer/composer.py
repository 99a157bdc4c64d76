"""The frame in which a message is written: the text field, a hint, and the button that sends or stops."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui.composer.attached_files import AttachedFiles
from desktop.ui.composer.bar_folding import BarFolding
from desktop.ui.composer.composer_column import ComposerColumn
from desktop.ui.composer.edit_mode import EditMode
from desktop.ui.composer.enter_keys import placeholder
from desktop.ui.composer.key_guard import KeyGuard
from desktop.ui.composer.knowledge import Knowledge
from desktop.ui.composer.message_edit import MessageEdit, can_hold
from desktop.ui.composer.mode_button import ModeButton
from desktop.ui.composer.model_bar import ModelBar
from desktop.ui.composer.send_buttons import SendButtons
from desktop.ui.composer.temporary_line import TemporaryLine
from desktop.ui.controls import Words, announce, set_property
from desktop.ui.state.pasted_text import MOST_BYTES, Composed, byte_count, is_long, joined, left_over, split
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.chip_list import ChipList
    from desktop.ui.composer.pasted_chip import PastedChip

BESIDE_TEXT = 40
"""By how many pixels the frame is wider than the text of the transcript."""


class Composer(QWidget):
    """Emits ``send_requested`` (with blank text only beside files), ``stop_requested``, ``text_edited``, and ``escape_unused``
    for an Escape while nothing can be stopped.

    A long text that is pasted stands folded above the text field. ``content`` tells them apart; ``text`` is all of it
    as it is sent. ``paste_removed`` carries a folded text that the user removed. While an answer runs one can write
    on: what is sent then waits. A message with what looks like a key is held back until the user has
    chosen; ``key_use_requested`` carries a key that becomes one of a model. ``keep_requested`` is about a temporary chat.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    text_edited = Signal()
    escape_unused = Signal()
    paste_removed = Signal(str)
    focus_stops_changed = Signal()
    key_use_requested = Signal(str)
    keep_requested = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerArea")
        self._theme = theme
        self._running = False
        self._sending = False
        self._setting_text = False
        self.edit = MessageEdit()
        self.edit.send_requested.connect(self._enter_pressed)
        self.edit.stop_requested.connect(self._escape_pressed)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.long_text_pasted.connect(self._long_text_pasted)
        self.edit.unfolded.taken_out.connect(self._fold_again)
        self.edit.unfolded.put_in.connect(self._unfolded_again)
        self._chip_list: ChipList[PastedChip] | None = None
        self._temporary = TemporaryLine(theme)
        self._temporary.keep_requested.connect(self.keep_requested)
        self.files = AttachedFiles(theme, self._place_files, self)
        self.files.changed.connect(self._files_changed)
        self.files.left.connect(self.edit.setFocus)
        self.knowledge = Knowledge(theme, self._place_files, self)
        self.knowledge.changed.connect(self.focus_stops_changed)
        self.edit.files_pasted.connect(self.files.given)
        self.edit.picture_pasted.connect(self.files.picture_given)
        self.edit.installEventFilter(self)
        self.editing = EditMode(theme, self._place_files, self.edit, self)
        self._hint = QLabel()
        self._hint.setObjectName("composerHint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.model_bar = ModelBar(theme)
        self.mode_button = ModeButton(theme)
        self._buttons = SendButtons(theme, self)
        self._buttons.send_requested.connect(self._enter_pressed)
        self._buttons.stop_requested.connect(self.stop_requested)
        self._buttons.pressed.connect(self.edit.setFocus)
        self.button = self._buttons.main
        self._frame = QFrame()
        self._frame.setObjectName("composer")
        self._frame.setCursor(Qt.CursorShape.IBeamCursor)
        self.column = ComposerColumn(self._frame)
        self.column.changed.connect(self.focus_stops_changed)
        for control in (self.files.button, self.knowledge.button, self.model_bar, self.mode_button):
            control.setCursor(Qt.CursorShape.ArrowCursor)
        self._keys = KeyGuard(theme, self._place_warning, self)
        self._keys.use_requested.connect(self.key_use_requested)
        self._keys.send_requested.connect(self._enter_pressed)
        self._keys.changed.connect(self.focus_stops_changed)
        self._keys.left.connect(self.edit.setFocus)
        self._arrange()
        self._retranslate()
        self._update()
        theme.changed.connect(self._take_sizes)
        self._take_sizes()

    @property
    def content(self) -> Composed:
        return Composed(self.edit.toPlainText(), tuple(chip.text for chip in self._chips))

    @property
    def text(self) -> str:
        """Typed and folded text as one, in the form in which it is stored and sent."""
        return joined(self.content)

    def set_content(self, content: Composed, *, cursor: int | None = None) -> None:
        """Show another message without telling that it was edited; nothing of the former one can be got by Undo."""
        self._setting_text = True
        self.edit.set_text(content.text, cursor=cursor)
        self._show_chips(content.pasted)
        self._setting_text = False
        self._hint.clear()
        self._update()
        self._keys.look(self.text)

    def set_text(self, text: str) -> None:
        """As ``set_content``, with a text in the form that ``text`` has."""
        self.set_content(split(text))

    def put_text(self, text: str) -> None:
        """Write a text in place of what is typed, as if the user had: it can be undone."""
        self.edit.replace_text(text)

    def insert_text(self, text: str) -> None:
        """Write a text where the cursor is, to be taken out by Undo; a long one stands folded above, as if pasted."""
        if is_long(text):
            self._long_text_pasted(text)
        elif self._fits(byte_count(self.text) + byte_count(text), pasted=True):
            self.edit.insert_text(text)

    @property
    def frame(self) -> QWidget:
        """What can be seen of it: as wide as a list above it should be."""
        return self._frame

    def remove_key(self, key: str) -> None:
        """Take a key out of the message, wherever it stands, beyond the reach of Undo."""
        content = self.content
        if any(key in text for text in (content.text, *content.pasted)):
            self.set_content(Composed(content.text.replace(key, ""), tuple(p.replace(key, "") for p in content.pasted)))
            self.text_edited.emit()

    def add_pasted(self, text: str) -> None:
        """Put a folded text below those that are there."""
        self._show_chips((*self.content.pasted, text))
        self._text_changed()

    def take_sent(self, sent: str) -> None:
        """Remove what was sent; what came to it meanwhile stays."""
        before, position = self.content, self.edit.textCursor().position()
        rest = left_over(before, split(sent))
        if rest.is_blank:
            rest = Composed("")
        self.set_content(rest, cursor=position - (len(before.text) - len(rest.text)))

    def set_running(self, running: bool) -> None:
        """Show Stop while the thread answers, Send otherwise."""
        self._running = running
        self._hint.clear()
        self._update()

    def set_temporary(self, is_temporary: bool, *, can_keep: bool) -> None:
        """Say that nothing of the chat is kept, or no more; ``can_keep``: something was said in it."""
        self._temporary.set_can_keep(can_keep)
        self._temporary.setVisible(is_temporary)
        set_property(self._frame, "temporary", is_temporary)

    def set_sending(self, sending: bool) -> None:
        """While a message is being stored no second one can be sent."""
        self._sending = sending
        self._update()

    def focus_text(self) -> None:
        self.edit.setFocus()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        chips = [*self.files.focus_stops(), *(stop for chip in self._chips for stop in chip.focus_stops())]
        bar = self.model_bar.focus_stops()
        buttons = [self.files.button, self.knowledge.button, *bar, self.mode_button, *self._buttons.all]
        lines = [*self.editing.focus_stops(), *self.knowledge.focus_stops(), self._temporary.keep_button]
        above = [*self.column.focus_stops(), *lines, *chips, *self._keys.focus_stops()]
        return [*above, self.edit, *buttons]

    @property
    def _chips(self) -> "tuple[PastedChip, ...]":
        return self._chip_list.chips if self._chip_list is not None else ()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Draw the focus ring around the frame, in which the text field lies without a border of its own."""
        if watched is self.edit and isinstance(event, QFocusEvent):
            set_property(self._frame, "focused", event.gotFocus())
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._frame.rect().contains(self._frame.mapFrom(self, event.position().toPoint())):
            self.edit.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._update()

    def _take_sizes(self) -> None:
        """Stand over the column of the transcript, however wide the user wants its text."""
        self.column.setMaximumWidth(self._theme.sizes.text_width + BESIDE_TEXT)

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.files.button)
        row.addWidget(self.knowledge.button)
        row.addWidget(self.model_bar)
        row.addWidget(self.mode_button)
        row.addWidget(self._hint, 1)
        for button in self._buttons.all:
            row.addWidget(button)
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(14, 10, 10, 9)
        inside.setSpacing(4)
        self._inside = inside
        self._folding = BarFolding(
            self._frame, row, [self.model_bar.thinking, self.mode_button, self.model_bar.assistants]
        )
        inside.addWidget(self._temporary)
        inside.addWidget(self.edit)
        inside.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 6, 24, 18)
        layout.addStretch(1)
        layout.addWidget(self.column, 1000)
        layout.addStretch(1)

    def _place_warning(self, warning: QWidget) -> None:
        self._inside.insertWidget(self._inside.indexOf(self.edit), warning)

    def _retranslate(self) -> None:
        self.edit.set_placeholder(placeholder())
        self.edit.setAccessibleName(self.tr("Message"))
        self.files.retranslate()
        self.knowledge.retranslate()

    def _update(self) -> None:
        self._buttons.show_state(
            is_running=self._running,
            has_content=self._has_content,
            can_send=self._has_content and not self._sending and not self.files.is_reading,
            is_changing=self.editing.is_on,
        )

    def _text_changed(self) -> None:
        self._update()
        if not self._setting_text:
            self._hint.clear()
            self.text_edited.emit()
            self._keys.look(self.text)

    @property
    def _has_content(self) -> bool:
        return not self.content.is_blank or not self.files.is_empty

    def _files_changed(self) -> None:
        self._update()
        self.focus_stops_changed.emit()

    def _place_files(self, chips: QWidget) -> None:
        self._inside.insertWidget(0, chips)
        chips.stackUnder(self.edit)

    def _enter_pressed(self) -> None:
        if not self._has_content or self._sending:
            return
        if self.files.is_reading:
            self.say(self.tr("A file is still being read. Send the message when that is done."))
            return
        text = self.text
        whole = "\n".join([text, *self.files.texts()])
        if self._fits(byte_count(whole)) and not self._keys.holds_back(whole):
            self.send_requested.emit(text)

    def say(self, hint: str) -> None:
        """Say something about the message, until it changes."""
        self._hint.setText(hint)
        announce(self._hint, hint, assertive=True)

    def _fits(self, size: int, *, pasted: bool = False) -> bool:
        """Say so where a message of ``size`` bytes would be too long."""
        if size <= MOST_BYTES:
            return True
        from desktop.ui.pasted_words import size_words

        if pasted:
            hint = self.tr("Nothing was pasted: the message would have %1, and at most %2 can be sent.")
        else:
            hint = self.tr("This message has %1, and at most %2 can be sent. Shorten it, or send it in parts.")
        self.say(hint.replace("%1", size_words(size)).replace("%2", size_words(MOST_BYTES)))
        return False

    def _long_text_pasted(self, text: str) -> None:
        if self._fits(byte_count(self.text) + byte_count(text), pasted=True):
            self.add_pasted(text)
            announce(self.edit, self._chips[-1].accessibleName())

    def _show_chips(self, texts: Sequence[str]) -> None:
        """Show chips for these texts; those that are there already stay the same widgets."""
        if [chip.text for chip in self._chips] == list(texts):
            return
        left = list(self._chips)
        shown: list[PastedChip] = []
        for text in texts:
            kept = next((chip for chip in left if chip.text == text), None)
            if kept is not None:
                left.remove(kept)
            shown.append(kept or self._make_chip(text))
        if any(chip.isAncestorOf(self.focusWidget() or self) for chip in left):
            self.edit.setFocus()
        self._shown_chips().show_chips(shown)
        self.focus_stops_changed.emit()

    def _make_chip(self, text: str) -> "PastedChip":
        from desktop.ui.composer.pasted_chip import PastedChip

        chip = PastedChip(self._theme, text)
        chip.view_requested.connect(lambda: self.show_text(text, lambda: self.tr("Pasted text")))
        chip.unfold_requested.connect(lambda: self._unfold(chip))
        chip.remove_requested.connect(lambda: self._remove(chip))
        return chip

    def _shown_chips(self) -> "ChipList[PastedChip]":
        if self._chip_list is None:
            from desktop.ui.composer.chip_list import ChipList

            self._chip_list = ChipList("pastedTexts")
            self._place_warning(self._chip_list)
            self._chip_list.stackUnder(self.edit)  # the order in which a screen reader meets them
        return self._chip_list

    def show_text(self, text: str, title: Words) -> None:
        """Show a long text that goes with the message in a window of its own."""
        from desktop.ui.transcript.text_dialog import TextDialog

        TextDialog(text, self._theme, title, self).show()

    def _unfold(self, chip: "PastedChip") -> None:
        """Put the text where the cursor is."""
        if not can_hold(chip.text):
            self.say(self.tr("This text has a line that is too long for the message field. It can be sent as it is."))
            return
        place = self._chips.index(chip)
        self._show_chips([other.text for other in self._chips if other is not chip])
        self.edit.unfold_text(chip.text, place)
        self.edit.setFocus()

    def _fold_again(self, text: str, place: int) -> None:
        texts = list(self.content.pasted)
        texts.insert(place, text)
        self._show_chips(texts)
        self._text_changed()
        announce(self.edit, self._chips[min(place, len(texts) - 1)].accessibleName())

    def _unfolded_again(self, text: str) -> None:
        texts = list(self.content.pasted)
        if text in texts:
            texts.remove(text)
        self._show_chips(texts)
        self._text_changed()

    def _remove(self, chip: "PastedChip") -> None:
        self._show_chips([other.text for other in self._chips if other is not chip])
        self._text_changed()
        self.edit.setFocus()
        self.paste_removed.emit(chip.text)

    def _escape_pressed(self) -> None:
        if self.editing.is_on:
            self.editing.left.emit()
        elif self._running:
            self.stop_requested.emit()
        else:
            self.escape_unused.emit()
