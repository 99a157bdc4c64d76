"""The words for errors of the local API: what happened, what it means, what to do."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

API_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "api.port_taken": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Port {port} is in use"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Another program listens there, so the local API is not running. Choose another port, or end that program and try again.",
        ),
    ),
    "api.no_token": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no token in {variable}"),
        QT_TRANSLATE_NOOP(
            "errors",
            "That environment variable is not set or is empty. Set it, or leave out --token-env: a token is made.",
        ),
    ),
    "api.not_started": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The local API could not be started"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The system says: {detail} Other programs cannot chat here now. Choose another port, or try again.",
        ),
    ),
}
