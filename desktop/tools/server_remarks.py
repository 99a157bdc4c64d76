"""What the host remarks about a server that it runs or that ended: names, and their words in English.

The UI translates the words (context ``servers``) and fills ``{detail}``, which may be text of the server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from desktop.core.error_texts import QT_TRANSLATE_NOOP

REMARKS: Mapping[str, str] = {
    "program_missing": QT_TRANSLATE_NOOP("servers", "The program “{detail}” was not found."),
    "folder_missing": QT_TRANSLATE_NOOP("servers", "The folder “{detail}” does not exist."),
    "no_permission": QT_TRANSLATE_NOOP("servers", "The system does not allow “{detail}” to be started."),
    "unreachable": QT_TRANSLATE_NOOP("servers", "Nothing answers at its address."),
    "http_status": QT_TRANSLATE_NOOP("servers", "The server answered {detail}."),
    "no_answer": QT_TRANSLATE_NOOP("servers", "It did not answer in time."),
    "broke_off": QT_TRANSLATE_NOOP("servers", "The connection was lost."),
    "output_closed": QT_TRANSLATE_NOOP("servers", "It closed its output."),
    "exit_code": QT_TRANSLATE_NOOP("servers", "It stopped (exit code {detail})."),
    "signal": QT_TRANSLATE_NOOP("servers", "It was ended by signal {detail}."),
    "flood": QT_TRANSLATE_NOOP("servers", "It sent a message longer than {detail} MB and was cut off."),
    "tool_left_out": QT_TRANSLATE_NOOP("servers", "Left out: {detail}."),
    "junk": QT_TRANSLATE_NOOP("servers", "It writes other things than messages to its output."),
}


class Remark(NamedTuple):
    """``code`` is a name of ``REMARKS``."""

    code: str
    detail: str = ""

    @property
    def english(self) -> str:
        return REMARKS[self.code].replace("{detail}", self.detail)


@dataclass(frozen=True, kw_only=True)
class Account:
    """What there is to say of a server: the host's remarks, then what it or its connection said itself (untrusted)."""

    remarks: tuple[Remark, ...] = ()
    quoted: str = ""

    @property
    def english(self) -> str:
        return "\n".join(filter(None, (*(remark.english for remark in self.remarks), self.quoted)))

    def quoting(self, text: str) -> "Account":
        """Return the same with ``text`` at the end of what is quoted."""
        return Account(remarks=self.remarks, quoted="\n".join(filter(None, (self.quoted, text))))
