"""Sends Qt's own messages to the log instead of a console that a windowed program may not have."""

import logging

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

logger = logging.getLogger("qt")

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    logger.log(_LEVELS.get(kind, logging.WARNING), "%s: %s", context.category or "default", message)


def log_qt_messages() -> None:
    """Install the handler; ``qInstallMessageHandler(None)`` takes it away."""
    qInstallMessageHandler(_log)
