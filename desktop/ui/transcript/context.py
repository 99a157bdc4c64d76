"""What the blocks of the transcript share: the look, the highlighter, and the requests that they make."""

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.ui.markdown.highlighting import Highlighting, highlight, is_highlightable
from desktop.ui.state.row_blocks import Block
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.code_wrapping import CodeWrapping
from desktop.ui.transcript.formulas import FormulaPictures
from desktop.ui.transcript.remote_images import RemoteImages
from desktop.ui.transcript.style import QUIET_SHARE, document_css
from desktop.ui.transcript.thumbnails import Thumbnails

T = TypeVar("T")
TextWidget = QTextEdit | QPlainTextEdit


class BlockWidget(Protocol):
    """What the column needs of a block's widget, beside being a ``QWidget``."""

    def set_block(self, block: Block) -> None:
        """Show ``block``, which is of the type that the widget was made for."""
        ...

    def height_for(self, width: int) -> int: ...

    def text_widget(self) -> TextWidget | None:
        """Where text can be selected, if anywhere."""
        ...

    def focus_widgets(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        ...

    def restyle(self) -> None:
        """Take colours and fonts of the theme again."""
        ...


class BackgroundRunner(Protocol):
    """Runs a function off the GUI thread, then hands its result to ``done`` on the GUI thread."""

    def __call__(self, work: Callable[[], T], done: Callable[[T], None], /) -> None: ...


class HighlightReceiver(Protocol):
    """A widget that asked for colours."""

    def apply_highlighting(self, text: str, highlighting: Highlighting) -> None: ...


class Highlighter:
    """Colours for code: computed in the background when there is a runner, kept for the code seen last."""

    KEPT = 200

    def __init__(self) -> None:
        self._results: OrderedDict[tuple[str, str], Highlighting] = OrderedDict()
        self._runner: BackgroundRunner | None = None

    def set_runner(self, runner: BackgroundRunner) -> None:
        self._runner = runner

    def request(self, language: str, text: str, receiver: "HighlightReceiver") -> None:
        """Give ``receiver`` the colours now or later; never when it is gone by then."""
        key = (language, text)
        if (known := self._results.get(key)) is not None:
            self._results.move_to_end(key)
            receiver.apply_highlighting(text, known)
        elif is_highlightable(language, text):
            weak_receiver = weakref.ref(receiver)

            def done(result: Highlighting) -> None:
                self._keep(key, result)
                alive = weak_receiver()
                if alive is not None and shiboken6.isValid(alive):
                    alive.apply_highlighting(text, result)

            if self._runner is None:
                done(highlight(language, text))
            else:
                self._runner(lambda: highlight(language, text), done)

    def _keep(self, key: tuple[str, str], result: Highlighting) -> None:
        self._results[key] = result
        while len(self._results) > self.KEPT:
            self._results.popitem(last=False)


class BlockActions(QObject):
    """What blocks ask for. The message's id comes first where it matters."""

    fold_toggled = Signal(str, str)
    height_changed = Signal(object)
    """Carries the text that needs another height by now, without its block having changed."""
    place_requested = Signal(object, str)
    """Carries a text, and the name of another place in the same message."""
    link_activated = Signal(str, str)
    copy_requested = Signal(str)
    """Carries the text."""
    markdown_wanted = Signal()
    """What is selected shall be copied as Markdown."""
    code_save_requested = Signal(str, str)
    """Carries the text of a code block and its language."""
    wrapping_chosen = Signal(bool)
    """Long lines of code shall be wrapped from now on, or not."""
    message_copy_requested = Signal(str)
    full_text_requested = Signal(str)
    step_requested = Signal(str, int)
    """What stands before (-1) or after (1) this message in its place: another answer, or another version of it."""
    edit_requested = Signal(str)
    """A message by the user is to be changed and sent again."""
    again_requested = Signal(str)
    """Another answer by the same model, beside this one."""
    removal_requested = Signal(str, str)
    """A message is to be deleted; with the id of a call only what that returned."""
    branch_requested = Signal(str)
    """A chat of its own is to be made of what leads to this message."""
    prompt_wanted = Signal(str)
    """The text of a message is to become one of the user's prompts."""
    map_requested = Signal(str)
    """The map of all branches of the chat is to be shown, at this message."""
    comparison_requested = Signal(str)
    """All answers to the message that this one answers, side by side."""
    sent_requested = Signal(str)
    """What was sent to the model for this answer is to be shown."""
    another_model_requested = Signal(str, object)
    """Another answer to the same message; carries the button, at which a list can open."""
    memories_requested = Signal(object, object, object)
    """What an answer was told of what was said before: its ``RecallPart``, when it was asked for, and the button."""
    summary_requested = Signal()
    """The summary of the chat's earlier part is to be shown."""
    summary_wanted = Signal()
    """A summary is to be made now."""
    summaries_wanted = Signal()
    """The chat is to be sent with summaries again."""
    retry_requested = Signal()
    continue_requested = Signal()
    error_action_requested = Signal(object, dict)
    memory_undo_requested = Signal(str)
    """Carries the id of an item that was remembered of a message, and shall not be."""
    memory_edit_requested = Signal(str)
    memory_accept_requested = Signal(str)
    pasted_requested = Signal(str)
    file_requested = Signal(str, str)
    """Carries the text of an attached file and its name."""
    remote_picture_requested = Signal(str)
    """Carries the web address of a picture whose placeholder was clicked."""
    plan_decided = Signal(str, object)
    """Carries the ``PlanAnswer`` of the user to the plan of an answer."""
    plan_edited = Signal(str, object)
    """Carries the texts of the steps that wait, as the user has them by now."""
    image_requested = Signal(object)
    """Carries the ``AttachmentPart`` of an image that shall be opened."""
    item_requested = Signal(object, str)
    """Carries the ``ResultItem`` of a tool, and what shall be done: ``open``, ``show`` or ``save``."""


class TextEvents(Protocol):
    """Who hears of mouse and keys in the blocks' texts first; True when the text must not act on them as well."""

    def mouse(self, event: QMouseEvent) -> bool: ...

    def key_pressed(self, event: QKeyEvent) -> bool: ...


class Look:
    """Fonts and CSS, made once for a theme: making a font asks the system for every family in it."""

    def __init__(self, theme: ThemeManager) -> None:
        self.tokens = theme.tokens
        self.sizes = theme.sizes
        self.ui_font = theme.ui_font()
        self.code_font = theme.code_font()
        self.strong_font = strong(self.ui_font)
        self.small_font = QFont(self.ui_font)
        self.small_font.setPointSizeF(self.ui_font.pointSizeF() * QUIET_SHARE)
        self.css = document_css(self.tokens, self.sizes, self.code_font)
        self.quiet_css = document_css(self.tokens, self.sizes, self.code_font, is_quiet=True)


class BlockContext:
    """Handed to every block widget. ``look`` is renewed by ``take_theme``."""

    text_events: TextEvents
    focus_filter: QObject
    """Sees the events of every control of the blocks."""

    def __init__(self, theme: ThemeManager, parent: QObject) -> None:
        self.theme = theme
        self.look = Look(theme)
        self.actions = BlockActions(parent)
        self.highlighter = Highlighter()
        self.thumbnails = Thumbnails()
        self.formulas = FormulaPictures(parent)
        self.remote_images = RemoteImages()
        self.code_wrapping = CodeWrapping()
        self.expected_width = self.look.sizes.text_width
        """How wide a block will be that is made now: text is laid out as soon as it is there, once if that is right."""

    def take_theme(self) -> None:
        self.look = Look(self.theme)
