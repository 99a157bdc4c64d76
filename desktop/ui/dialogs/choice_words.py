"""What a choice means, said below it."""

from PySide6.QtWidgets import QLabel, QRadioButton, QStyle, QStyleOptionButton


def stand_below(words: QLabel, choice: QRadioButton, *, gap: int) -> None:
    """Let ``words`` begin where those of the choice above do, whatever size its circle has; ``gap`` is left below."""
    choice.ensurePolished()
    option = QStyleOptionButton()
    choice.initStyleOption(option)
    contents = choice.style().subElementRect(QStyle.SubElement.SE_RadioButtonContents, option, choice)
    words.setContentsMargins(contents.x(), 0, 0, gap)
