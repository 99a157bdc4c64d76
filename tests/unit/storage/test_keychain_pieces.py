"""Long secrets in a keychain that takes no more than Windows does: nothing is lost, left behind, or mixed up."""

import random

import pytest

from desktop.storage.keychain_pieces import CutSecretError, read, remove_pieces, write

SERVICE, NAME = "Threadwell", "mcp:sign-in:abc"


class WindowsLike:
    """A keychain with the limit of Windows; ``fail_at`` is the write that does not come to its end."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.writes = 0
        self.fail_at = -1

    def get_password(self, _service: str, name: str) -> str | None:
        return self.entries.get(name)

    def set_password(self, _service: str, name: str, password: str) -> None:
        self.writes += 1
        if self.writes == self.fail_at:
            raise OSError("the power went")
        assert len(password.encode("utf-16-le")) <= 2_560
        self.entries[name] = password

    def delete_password(self, _service: str, name: str) -> None:
        del self.entries[name]


def forget(keychain: WindowsLike) -> None:
    keychain.delete_password(SERVICE, NAME)
    remove_pieces(keychain, SERVICE, NAME)


def test_whatever_is_written_is_read_and_nothing_stays() -> None:
    chance, keychain = random.Random(7), WindowsLike()
    for _ in range(60):
        secret = "".join(chance.choice("aé钥𝄞") for _ in range(chance.choice([1, 1_199, 1_200, 1_201, 4_000, 9_999])))
        write(keychain, SERVICE, NAME, secret)
        assert read(keychain, SERVICE, NAME) == secret
    forget(keychain)
    assert keychain.entries == {}


@pytest.mark.parametrize("fail_at", range(1, 6))
def test_a_crash_leaves_the_old_secret_or_the_new_one(fail_at: int) -> None:
    keychain = WindowsLike()
    write(keychain, SERVICE, NAME, "a" * 4_000)
    keychain.writes, keychain.fail_at = 0, fail_at
    try:
        write(keychain, SERVICE, NAME, "b" * 4_500)
    except OSError:
        assert read(keychain, SERVICE, NAME) == "a" * 4_000
    else:
        pytest.fail("it did not crash")
    keychain.fail_at = -1
    write(keychain, SERVICE, NAME, "c" * 2_000)
    assert read(keychain, SERVICE, NAME) == "c" * 2_000
    forget(keychain)
    assert keychain.entries == {}


def test_a_lost_piece_is_no_shorter_secret() -> None:
    keychain = WindowsLike()
    write(keychain, SERVICE, NAME, "a" * 4_000)
    del keychain.entries[f"{NAME}#b1"]
    with pytest.raises(CutSecretError):
        read(keychain, SERVICE, NAME)
