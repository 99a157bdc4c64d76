"""The log rotates and holds no secrets."""

import logging
from pathlib import Path

import pytest

from desktop.app.log_setup import RedactingFormatter, close_logging, environment_secrets, hide_in_log, set_up_logging
from desktop.core.paths import DataPaths


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefgh12345678",
        '{"api_key": "abcdefgh12345678"}',
        "the key sk-abcdefgh12345678 was refused",
        "token=abcdefgh12345678",
        "password: abcdefgh12345678",
        "the given abcdefgh12345678 itself",
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "%s", (text,), None)
    written = RedactingFormatter(["abcdefgh12345678"]).format(record)
    assert "abcdefgh" not in written
    assert "[hidden]" in written


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer hidethis",
        "Authorization: Basic hidethis",
        '{"api_key": "hidethis"}',
        "api-key=hidethis",
        "password: hidethis",
        "the token hidethis77 was refused",
        "sent as Bearer hidethis-and-all-of-this",
        "the key sk-hidethis was refused",
    ],
)
def test_what_looks_like_a_secret_is_hidden_also_where_nobody_knew_it(text: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "%s", (text,), None)
    written = RedactingFormatter([]).format(record)
    assert "hidethis" not in written
    assert "[hidden]" in written


@pytest.mark.parametrize(
    "text",
    [
        "the database has version 1 now; tokens: 5; call of files__read: allow",
        "the keychain is available (Secret Service)",
        "the token limit was reached, and the password dialog is open",
        "authorization failed; bearer credentials are needed",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, text, (), None)
    assert RedactingFormatter([]).format(record).endswith(text)


def test_secrets_of_the_environment_are_known_by_their_names() -> None:
    environ = {"MY_API_KEY": "value-one-1", "TEAM_TOKEN": "value-two-2", "HOME": "/home/somebody", "API_KEY": "short"}
    assert environment_secrets(environ) == ["value-one-1", "value-two-2"]


def test_the_log_rotates(tmp_path: Path) -> None:
    handler = set_up_logging(DataPaths(tmp_path))
    try:
        for _ in range(70):
            logging.getLogger("desktop.test").info("x" * 100_000)
    finally:
        close_logging(handler)
    files = sorted((tmp_path / "logs").iterdir())
    assert len(files) == 5  # the present one and four older ones; what is older still is gone
    assert all(file.stat().st_size <= 1_000_000 for file in files)


def test_a_secret_learned_later_is_kept_out_of_the_log(tmp_path: Path) -> None:
    hide_in_log("learned before there is a log")
    handler = set_up_logging(DataPaths(tmp_path), secrets=["known-from-the-start"])
    try:
        hide_in_log("a plain passphrase")
        hide_in_log("short")
        logging.getLogger("desktop.test").info("said: a plain passphrase, known-from-the-start, a short word")
    finally:
        close_logging(handler)
    written = (tmp_path / "logs" / "threadwell.log").read_text("utf-8")
    assert "said: [hidden], [hidden], a short word" in written
