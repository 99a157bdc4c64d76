"""Makes a text of a prompt: at once where nothing is to be filled in, else in a form."""

from collections.abc import Callable

from PySide6.QtCore import QDate, QLocale, QTime
from PySide6.QtWidgets import QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.template import KnownGap, filled, gaps_in


def fill_in(
    parent: QWidget,
    prompt: SavedPrompt,
    done: Callable[[str], object],
    *,
    selected: str = "",
    accept_words: str = "",
) -> None:
    """Call ``done`` with the text, if the user wants it. ``selected`` is what the user has selected in the chat."""
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    values = {
        KnownGap.DATE: locale.toString(QDate.currentDate(), QLocale.FormatType.LongFormat),
        KnownGap.TIME: locale.toString(QTime.currentTime(), short),
        KnownGap.SELECTION: selected,
    }
    from desktop.ui.prompts.fill_form import FillForm, needs_no_field

    gaps = gaps_in(prompt.text)
    if all(needs_no_field(gap) for gap in gaps):
        done(filled(prompt.text, {gap.name: values[gap.known] for gap in gaps if gap.known is not None}))
        return
    form = FillForm(parent, prompt, values, accept_words=accept_words)
    form.filled.connect(done)
    form.open()
