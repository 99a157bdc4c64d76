"""The filter of system calls, carried out instruction by instruction as the kernel would."""

import errno
import platform
import struct

import pytest

from desktop.core.syscall_filter import is_known_machine, syscall_filter

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
X86, ARM = 0xC000003E, 0xC00000B7
UNIX, INET, INET6, NETLINK, ALG, VSOCK, PACKET = 1, 2, 10, 16, 38, 40, 17


def _verdict(program: bytes, architecture: int, number: int, argument: int = 0, second: int = 0) -> int:
    data = struct.pack("=IIQ6Q", number, architecture, 0, argument, second, 0, 0, 0, 0)
    at = accumulator = 0
    instructions = [struct.unpack_from("=HBBI", program, offset) for offset in range(0, len(program), 8)]
    while True:
        code, jump_true, jump_false, value = instructions[at]
        at += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("=I", data, value)[0]
            case 0x15:
                at += jump_true if accumulator == value else jump_false
            case 0x35:
                at += jump_true if accumulator >= value else jump_false
            case 0x54:
                accumulator &= value
            case 0x06:
                return value
            case _:
                raise AssertionError(f"an unknown instruction {code:#x}")


@pytest.mark.parametrize(("machine", "architecture", "socket"), [("x86_64", X86, 41), ("aarch64", ARM, 198)])
@pytest.mark.parametrize("local", [True, False])
def test_sockets(monkeypatch: pytest.MonkeyPatch, machine: str, architecture: int, socket: int, local: bool) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = syscall_filter(local_sockets=local)
    for family in (INET, INET6, NETLINK):
        assert _verdict(program, architecture, socket, family) == ALLOW
    assert _verdict(program, architecture, socket, UNIX) == (ALLOW if local else REFUSE)
    for family in (0, ALG, VSOCK, PACKET, 31, 0xFFFFFFFF):
        assert _verdict(program, architecture, socket, family) == REFUSE
    # The kernel looks at the lower half of the argument only, and so does the filter.
    assert _verdict(program, architecture, socket, VSOCK | 1 << 32) == REFUSE


@pytest.mark.parametrize(("machine", "architecture", "pair"), [("x86_64", X86, 53), ("aarch64", ARM, 199)])
@pytest.mark.parametrize("local", [True, False])
def test_pairs_of_sockets(
    monkeypatch: pytest.MonkeyPatch, machine: str, architecture: int, pair: int, local: bool
) -> None:
    """One that is not bound to the other could send to any name, whatever may be made with ``socket``."""
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = syscall_filter(local_sockets=local)
    for flags in (0, 0o4000, 0o2000000, 0o2004000):
        for kind in range(16):
            expected = ALLOW if local or kind in {1, 5} else REFUSE
            assert _verdict(program, architecture, pair, UNIX, kind | flags) == expected, (kind, flags)


@pytest.mark.parametrize(
    ("machine", "architecture", "refused"),
    [
        ("x86_64", X86, {248, 249, 250, 298, 321, 323, 425, 426, 427}),
        ("aarch64", ARM, {217, 218, 219, 241, 280, 282, 425, 426, 427}),
    ],
)
def test_every_other_call(monkeypatch: pytest.MonkeyPatch, machine: str, architecture: int, refused: set[int]) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = syscall_filter(local_sockets=True)
    socket = 41 if machine == "x86_64" else 198
    for number in set(range(500)) - {socket}:
        assert _verdict(program, architecture, number) == (REFUSE if number in refused else ALLOW), number
    for number in (0x40000000, 0x40000000 + socket, 0xFFFFFFFF):
        assert _verdict(program, architecture, number, INET) == REFUSE


def test_programs_for_another_machine_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    program = syscall_filter(local_sockets=True)
    for architecture in (ARM, 0x40000003, 0):
        for number in (0, 1, 41, 102):
            assert _verdict(program, architecture, number) == REFUSE
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not is_known_machine()
