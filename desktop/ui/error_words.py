"""The words for an error in the language shown: the English of ``core.error_texts`` through Qt's translation."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from desktop.core.error_texts import ERROR_TEXTS, ErrorText, fill
from desktop.core.errors import ThreadwellError
from desktop.ui.punctuation import labelled
from desktop.ui.server_words import phrase_in_language, problem_words, remark_in_language

CONTEXT = "errors"


def error_words(code: str, params: Mapping[str, str | int | float]) -> ErrorText:
    """Return title and detail for an error code; an unknown code falls back to ``unknown`` with the code as detail."""
    text = ERROR_TEXTS.get(code, ERROR_TEXTS["unknown"])
    translated = ErrorText(
        QCoreApplication.translate(CONTEXT, text.title), QCoreApplication.translate(CONTEXT, text.detail)
    )
    own = {
        name: detail_in_language(value) for name in ("detail", "status") if isinstance(value := params.get(name), str)
    }
    if problem := str(params.get("problem", "")):
        words = problem_words(problem, str(params.get("problem_detail", "")))
        own["detail"] = labelled(str(params.get("server", "")), words)
    return fill(translated, {"detail": code, **params, **own})


def words_of_exception(error: BaseException) -> ErrorText:
    """Return the words for any exception: one of ours with its own, another one as an unexpected failure."""
    if isinstance(error, ThreadwellError):
        return error_words(error.code, error.params)
    return error_words(
        "unknown", {"detail": f"{type(error).__name__}: {error}" if str(error) else type(error).__name__}
    )


def detail_in_language(detail: str) -> str:
    """Translate what is one of ``core.error_details``, whole or up to a colon, or a remark on a server; all else stays."""
    if translated := phrase_in_language(detail.removesuffix(".")):
        return translated
    return "\n".join(remark_in_language(line) or line for line in detail.split("\n"))
