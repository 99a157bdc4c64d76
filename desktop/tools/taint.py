"""Foreign text in a chat: from when on it is there, and where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.core.error_text import QT_TRANSLATE_NOOP


class TaintCause(StrEnum):
    TOOL_OUTPUT = "tool_output"
    COMMAND_OUTPUT = "command_output"
    WEB_PAGE = "web_page"
    ATTACHMENT = "attachment"
    EARLIER_CHAT = "earlier_chat"
    """Memory brought in what was said in a chat that holds foreign text."""
    DOCUMENT = "document"
    """Memory brought in a piece of a file that was added as knowledge."""
    SESSION = "session"
    """What others put into the session that the chat shares was read."""
    BRANCH = "branch"
    """The chat was branched from one that holds foreign text. Details of these four stay empty: what they would name may
    be removed before this chat."""


TAINT_TEXTS: Mapping[TaintCause, str] = {
    TaintCause.TOOL_OUTPUT: QT_TRANSLATE_NOOP("taint", "a result of {detail}"),
    TaintCause.COMMAND_OUTPUT: QT_TRANSLATE_NOOP("taint", "the output of a command: {detail}"),
    TaintCause.WEB_PAGE: QT_TRANSLATE_NOOP("taint", "a web page: {detail}"),
    TaintCause.ATTACHMENT: QT_TRANSLATE_NOOP("taint", "the file {detail}"),
    TaintCause.DOCUMENT: QT_TRANSLATE_NOOP("taint", "a piece of a file that you added as knowledge"),
    TaintCause.SESSION: QT_TRANSLATE_NOOP("taint", "what came from the session that this chat shares with others"),
    TaintCause.BRANCH: QT_TRANSLATE_NOOP("taint", "the chat that this one was branched from"),
    TaintCause.EARLIER_CHAT: QT_TRANSLATE_NOOP("taint", "what was recalled from an earlier chat that holds such text"),
}
"""What the chat has read; ``detail`` is untrusted: shown through ``visible_text.reveal``."""

MOST_DETAIL_CHARS = 120


@dataclass(frozen=True, kw_only=True)
class Taint:
    """The first foreign text in a chat. It ends with the chat, never before."""

    cause: TaintCause
    detail: str = ""
    at: datetime
