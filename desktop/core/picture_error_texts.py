"""The words for errors with pictures from the web, in English; see ``error_texts``."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

PICTURE_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "file.remote_refused": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The picture from {host} was not loaded"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The address leads to this computer or into a private network. Pictures are loaded from the web only.",
        ),
    ),
    "file.remote_slow": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The picture from {host} took too long"),
        QT_TRANSLATE_NOOP("errors", "It was given up after {seconds} seconds. Click it once more to try again."),
    ),
    "file.remote_not_loaded": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The picture from {host} could not be loaded"),
        QT_TRANSLATE_NOOP(
            "errors", "What the web server or the network said: {detail}. The link can be opened in the browser."
        ),
    ),
}
