"""What an exception of the SDK or of its HTTP stack means: what is said of it, and whether the connection survives it."""

import sys
from typing import Any

from desktop.mcp_client.launch import CannotStartError
from desktop.tools.server_remarks import Account, Remark

BROKE_OFF = Account(remarks=(Remark("broke_off"),))
NO_ANSWER = Account(remarks=(Remark("no_answer"),))
_CONNECTION_CLOSED = -32000
_INVALID_REQUEST = -32600
_METHOD_NOT_FOUND = -32601
_UNSUPPORTED_VERSION = -32022
_MOST_NOTES = 20


class WrongEraError(ConnectionError):
    """The server answers, but not in the era of the protocol that the user chose for it."""


def account_of(error: BaseException) -> Account:
    """Say what an exception means, in our words where there are some; else its own, one line of them."""
    if isinstance(error, TimeoutError):
        return NO_ANSWER
    match root_of(error):
        case CannotStartError(remark=remark):
            return Account(remarks=(remark,))
        case PermissionError(filename=str(program)):
            return Account(remarks=(Remark("no_permission", program),))
        case WrongEraError():
            return Account(remarks=(Remark("older_protocol"),))
        case root if _is_http(root, "ConnectError"):
            return Account(remarks=(Remark("unreachable"),))
    text = str(error).removeprefix("Client failed to connect: ").strip() or type(error).__name__
    if text == "Failed to initialize server session":
        return NO_ANSWER
    return Account(quoted=text.splitlines()[0][:500])


def root_of(error: BaseException) -> BaseException:
    return error.__cause__ or error


def cannot_be_mended(error: BaseException) -> bool:
    """Whether it is of no use to connect again."""
    return isinstance(root_of(error), CannotStartError | FileNotFoundError | PermissionError | WrongEraError)


def refuses_handshake(error: BaseException) -> bool:
    """Whether the server may speak only the newer era of the protocol."""
    root = root_of(error)
    code = getattr(root, "code", None)
    return code in (_UNSUPPORTED_VERSION, _METHOD_NOT_FOUND) or "Unsupported protocol version" in str(root)


def ends_the_connection(error: BaseException) -> bool:
    """Whether no later call can succeed on this connection. A server's ordinary error answer is not among these."""
    return getattr(error, "code", None) == _CONNECTION_CLOSED or never_arrived(error) or _is_http(error, "HTTPError")


def never_arrived(error: BaseException) -> bool:
    """Whether the call certainly was not begun: nothing listens, or the server does not know the session any more."""
    is_unknown = getattr(error, "code", None) == _INVALID_REQUEST and "session" in str(error).lower()
    return is_unknown or _is_http(error, "ConnectError")


def notes_on(guard: Any) -> Account:
    """Say what of a server that works had to be left out or overlooked."""
    excluded = list(guard.excluded_tools.items())[:_MOST_NOTES]
    remarks = [Remark("tool_left_out", name, why) for name, why in excluded]
    seen = {"stray_questions": guard.has_stray_questions, "junk": guard.junk_lines}
    return Account(remarks=(*remarks, *(Remark(code) for code, is_seen in seen.items() if is_seen)))


def _is_http(error: BaseException, kind: str) -> bool:
    # The stack's module is loaded whenever one of its errors can arrive.
    stack = sys.modules.get("httpx2")
    return stack is not None and isinstance(error, getattr(stack, kind))
