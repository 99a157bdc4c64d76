"""How a long pasted text is called wherever it stands folded."""

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.ui.state.pasted_text import byte_count, line_count


def pasted_words(text: str) -> str:
    """Return, for example, ``Pasted text, 1,234 lines, 56 kB``."""
    lines = line_count(text)
    if lines == 1:
        words = QCoreApplication.translate("PastedText", "Pasted text, {size}")
    else:
        words = QCoreApplication.translate("PastedText", "Pasted text, %Ln lines, {size}", "", lines)
    return words.replace("{size}", size_words(byte_count(text)))


def size_words(count: int) -> str:
    """Return a number of bytes as people read it, for example ``56 kB``."""
    return QLocale().formattedDataSize(count, 1 if count >= 1_000_000 else 0, QLocale.DataSizeFormat.DataSizeSIFormat)
