"""The words for errors of shared sessions: what happened, what it means, what to do."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

SESSION_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "session.unreachable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The Redis server {server} cannot be reached"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Answers go on without what others said in the shared session, and your turns are shared once it is there"
            " again. Check the address, and whether the server runs.",
        ),
    ),
    "session.refused": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The Redis server {server} refuses the user name or the password"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Nothing is shared until it lets Threadwell in. Enter the password in the settings of shared sessions.",
        ),
    ),
    "session.starting": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The Redis server {server} is starting"),
        QT_TRANSLATE_NOOP("errors", "It reads its data and is not ready yet. Try again in a moment; nothing is lost."),
    ),
    "session.no_package": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The Python package redis is missing"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Sessions cannot be kept on a Redis server without it. Install threadwell[redis], or keep them in the data folder.",
        ),
    ),
    "session.failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Shared sessions do not work"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{detail} Answers go on without what others said, and your turns are shared later. If it stays so, restart"
            " Threadwell.",
        ),
    ),
}
