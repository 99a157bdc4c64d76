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


TAINT_TEXTS: Mapping[TaintCause, str] = {
    TaintCause.TOOL_OUTPUT: QT_TRANSLATE_NOOP("taint", "a result of {detail}"),
    TaintCause.COMMAND_OUTPUT: QT_TRANSLATE_NOOP("taint", "the output of a command: {detail}"),
    TaintCause.WEB_PAGE: QT_TRANSLATE_NOOP("taint", "a web page: {detail}"),
    TaintCause.ATTACHMENT: QT_TRANSLATE_NOOP("taint", "the file {detail}"),
}
"""What the chat has read; ``detail`` is untrusted: shown through ``visible_text.reveal``."""

MOST_DETAIL_CHARS = 120


@dataclass(frozen=True, kw_only=True)
class Taint:
    """The first foreign text in a chat. It ends with the chat, never before."""

    cause: TaintCause
    detail: str = ""
    at: datetime
