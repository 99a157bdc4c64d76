"""What the host remarks about a server that it runs or that ended: names, and their words in English.

The UI translates the words (context ``servers``) and fills ``{detail}``, which may be text of the server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from desktop.core.error_text import QT_TRANSLATE_NOOP, within

REMARKS: Mapping[str, str] = {
    "program_missing": QT_TRANSLATE_NOOP("servers", "The program “{detail}” was not found."),
    "runner_missing": QT_TRANSLATE_NOOP(
        "servers", "The program “{detail}” was not found; see Programs in Settings, Tool servers."
    ),
    "secret_missing": QT_TRANSLATE_NOOP("servers", "Its secret “{detail}” was kept only until Threadwell was closed."),
    "secret_locked": QT_TRANSLATE_NOOP("servers", "The system's keychain, which holds “{detail}”, is locked."),
    "secret_refused": QT_TRANSLATE_NOOP(
        "servers", "Access to the system's keychain, which holds “{detail}”, was refused."
    ),
    "secret_no_keychain": QT_TRANSLATE_NOOP("servers", "No keychain was found on this computer; it held “{detail}”."),
    "secret_unreadable": QT_TRANSLATE_NOOP("servers", "The system's keychain did not give “{detail}”."),
    "secret_unusable": QT_TRANSLATE_NOOP("servers", "A secret of it contains a character that is not allowed there."),
    "folder_missing": QT_TRANSLATE_NOOP("servers", "The folder “{detail}” does not exist."),
    "no_permission": QT_TRANSLATE_NOOP("servers", "The system does not allow “{detail}” to be started."),
    "unreachable": QT_TRANSLATE_NOOP("servers", "Nothing answers at its address."),
    "place_nearer": QT_TRANSLATE_NOOP(
        "servers",
        "Its address leads to {detail}, inside this computer or its network, which was not agreed to. Nothing was sent.",
    ),
    "place_forbidden": QT_TRANSLATE_NOOP(
        "servers", "Its address leads to {detail}, where no server is ever asked. Nothing was sent."
    ),
    "http_status": QT_TRANSLATE_NOOP("servers", "The server answered {detail}."),
    "no_answer": QT_TRANSLATE_NOOP("servers", "It did not answer in time."),
    "older_protocol": QT_TRANSLATE_NOOP("servers", "It speaks only the older protocol, and the newer one was chosen."),
    "stray_questions": QT_TRANSLATE_NOOP(
        "servers",
        "It asks its questions in the way of the older protocol, but speaks the newer one here, so they cannot reach you."
        " If the newer one was chosen for it, choose “Automatic”: “Edit…”, “More options”, “Protocol”.",
    ),
    "question_cancelled": QT_TRANSLATE_NOOP(
        "servers", "It asked you something that was cancelled without your answer: {detail}."
    ),
    "broke_off": QT_TRANSLATE_NOOP("servers", "The connection was lost."),
    "output_closed": QT_TRANSLATE_NOOP("servers", "It closed its output."),
    "exit_code": QT_TRANSLATE_NOOP("servers", "It stopped (exit code {detail})."),
    "signal": QT_TRANSLATE_NOOP("servers", "It was ended by signal {detail}."),
    "flood": QT_TRANSLATE_NOOP("servers", "It sent a message longer than {detail} MB and was cut off."),
    "sign_in_wanted": QT_TRANSLATE_NOOP("servers", "It wants to know who you are."),
    "sign_in_refused": QT_TRANSLATE_NOOP("servers", "Signing in was refused on the page: {detail}."),
    "sign_in_timed_out": QT_TRANSLATE_NOOP("servers", "Signing in was not finished within 5 minutes."),
    "sign_in_cancelled": QT_TRANSLATE_NOOP("servers", "Signing in was cancelled."),
    "sign_in_foreign_answer": QT_TRANSLATE_NOOP(
        "servers", "What came back from the browser does not belong to this sign-in. Try again."
    ),
    "sign_in_wrong_issuer": QT_TRANSLATE_NOOP(
        "servers", "The sign-in server is not the one that it says it is. Nothing was sent to it."
    ),
    "sign_in_other_server": QT_TRANSLATE_NOOP(
        "servers", "Its sign-in is for another server: {detail}. Nothing was sent there."
    ),
    "sign_in_no_registration": QT_TRANSLATE_NOOP(
        "servers",
        "Its sign-in server does not know Threadwell and takes no registration. Get a client ID from whoever runs the"
        " server and enter it: “Edit…”, “More options”.",
    ),
    "sign_in_bad_client": QT_TRANSLATE_NOOP(
        "servers", "Its sign-in server does not accept the client ID or secret that was entered."
    ),
    "sign_in_bad_address": QT_TRANSLATE_NOOP("servers", "It leads to an address that is never opened: {detail}"),
    "sign_in_inside": QT_TRANSLATE_NOOP(
        "servers", "It leads to an address inside this computer or its network, which is refused: {detail}"
    ),
    "sign_in_unreachable": QT_TRANSLATE_NOOP("servers", "Its sign-in server does not answer: {detail}."),
    "sign_in_unsupported": QT_TRANSLATE_NOOP(
        "servers", "It offers no way to sign in. It may want a key instead: “Edit…”, “Headers”."
    ),
    "sign_in_has_key": QT_TRANSLATE_NOOP(
        "servers", "It does not accept the key that stands in its headers. Correct or remove it: “Edit…”."
    ),
    "sign_in_unsafe": QT_TRANSLATE_NOOP(
        "servers", "Its sign-in server does not protect the answer of the browser (PKCE), so nothing was sent."
    ),
    "sign_in_port_taken": QT_TRANSLATE_NOOP(
        "servers", "Port {detail}, to which the browser should return, is used by another program."
    ),
    "sign_in_failed": QT_TRANSLATE_NOOP("servers", "Signing in did not work: {detail}"),
    "sign_in_over": QT_TRANSLATE_NOOP("servers", "The sign-in has ended."),
    "sign_in_more_rights": QT_TRANSLATE_NOOP("servers", "It wants more rights than you gave it: {detail}"),
    "sign_in_for_session": QT_TRANSLATE_NOOP(
        "servers", "You are signed in until Threadwell is closed: no keychain took the sign-in."
    ),
    "tool_left_out": QT_TRANSLATE_NOOP("servers", "Left out: {detail}."),
    "junk": QT_TRANSLATE_NOOP("servers", "It writes other things than messages to its output."),
}


class Remark(NamedTuple):
    """``code`` is a name of ``REMARKS``."""

    code: str
    detail: str = ""
    reason: str = ""
    """Why ``detail`` is remarked on: one of ``core.error_details``, whole or up to a colon."""

    @property
    def english(self) -> str:
        detail = ": ".join(filter(None, (self.detail, self.reason)))
        return REMARKS[self.code].replace("{detail}", str(within(REMARKS[self.code], {"detail": detail})["detail"]))


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
