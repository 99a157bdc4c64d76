"""What a sandboxed command may not ask the kernel for: a filter program in the form that bubblewrap hands over.

Mounts hide files, and a network namespace hides addresses. Neither hides the kernel's key rings, sockets of virtual
machines, nor, once the network is shared, the sockets that are known by a name instead of a file.
"""

import errno
import platform
import socket
import struct
from typing import NamedTuple

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
"""Where these stand in what a filter is given."""
_ALLOW = 0x7FFF0000
_FAIL = 0x00050000
_FOREIGN_NUMBERS = 0x40000000
"""From here on the calls of another kind of program for the same processor (x32)."""
_USUAL_FAMILIES = (socket.AF_INET, socket.AF_INET6, 16)
"""Of sockets; 16 are questions to the kernel about the network, as programs ask them before they look up a name."""


_CONNECTED_KINDS = (socket.SOCK_STREAM, 5)
"""Of sockets, the second being ``SOCK_SEQPACKET``: one of such a pair stays with the other. Any other kind can send to
whomever it names."""
_KIND = 0xF
"""Where in its argument the kind of a socket stands."""


class _Machine(NamedTuple):
    architecture: int
    socket: int
    socketpair: int
    refused: tuple[int, ...]
    """``add_key``, ``request_key``, ``keyctl``, ``bpf``, ``perf_event_open``, ``userfaultfd``, and ``io_uring``, which
    makes sockets beside this filter."""


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, 53, (248, 249, 250, 321, 298, 323, 425, 426, 427)),
    "aarch64": _Machine(0xC00000B7, 198, 199, (217, 218, 219, 280, 241, 282, 425, 426, 427)),
}


def is_known_machine() -> bool:
    """True where ``syscall_filter`` can be made."""
    return platform.machine() in _MACHINES


def syscall_filter(*, local_sockets: bool) -> bytes:
    """Return the filter. Without ``local_sockets`` no program of this machine can be reached by a socket with a name.

    Pairs of sockets that stay connected, as programs make them to talk to their own children, stay possible.
    """
    machine = _MACHINES[platform.machine()]
    families = (*_USUAL_FAMILIES, *((1,) if local_sockets else ()))
    # From the end to the beginning: each jump says how many instructions it leaps over.
    ends = [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _FAIL | errno.EPERM)]
    of_pairs: list[tuple[int, int, int, int]] = []
    if not local_sockets:
        stream, packets = _CONNECTED_KINDS
        of_pairs = [(_EQUAL, 0, 4, machine.socketpair), (_LOAD, 0, 0, _SECOND_ARGUMENT), (_AND, 0, 0, _KIND)]
        of_pairs += [(_EQUAL, 1, 0, stream), (_EQUAL, 0, 1, packets)]
    of_sockets = [(_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for after, family in reversed(list(enumerate(reversed(families)))):
        of_sockets.append((_EQUAL, after + len(of_pairs), 0 if after else len(of_pairs) + 1, family))
    calls = [(_AT_LEAST, _FOREIGN_NUMBERS), *((_EQUAL, number) for number in machine.refused)]
    rest = len(of_sockets) + len(of_pairs)
    to_refusal = len(calls) + 1 + rest + 1
    of_calls = [(kind, to_refusal - 1 - i, 0, number) for i, (kind, number) in enumerate(calls)]
    of_calls.append((_EQUAL, 0, len(of_sockets), machine.socket))
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 0, 1 + len(of_calls) + rest + 1, machine.architecture),
        (_LOAD, 0, 0, _NUMBER),
        *of_calls,
        *of_sockets,
        *of_pairs,
        *ends,
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
