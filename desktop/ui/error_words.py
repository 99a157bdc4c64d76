"""The words for an error in the language shown: the English of ``core.error_texts`` through Qt's translation."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from desktop.core.error_texts import ERROR_TEXTS, ErrorText, fill
from desktop.core.errors import ThreadwellError

CONTEXT = "errors"


def error_words(code: str, params: Mapping[str, str | int | float]) -> ErrorText:
    """Return title and detail for an error code; an unknown code falls back to ``unknown`` with the code as detail."""
    text = ERROR_TEXTS.get(code, ERROR_TEXTS["unknown"])
    translated = ErrorText(
        QCoreApplication.translate(CONTEXT, text.title), QCoreApplication.translate(CONTEXT, text.detail)
    )
    return fill(translated, {"detail": code, **params})


def words_of_exception(error: BaseException) -> ErrorText:
    """Return the words for any exception: one of ours with its own, another one as an unexpected failure."""
    if isinstance(error, ThreadwellError):
        return error_words(error.code, error.params)
    return error_words(
        "unknown", {"detail": f"{type(error).__name__}: {error}" if str(error) else type(error).__name__}
    )
