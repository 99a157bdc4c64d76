"""Which session a chat shares, and what is taken for the address of a Redis server."""

import pytest

from desktop.core.session_settings import (
    NO_SESSION,
    OWN_SESSION,
    SessionPlace,
    SessionSettings,
    SessionUse,
    is_session_name,
    split_redis_url,
    with_password,
)


@pytest.mark.parametrize(
    ("use", "own", "session"),
    [
        (SessionUse.OFF, OWN_SESSION, None),
        (SessionUse.OFF, "trip", None),
        (SessionUse.CHOSEN, None, None),
        (SessionUse.CHOSEN, OWN_SESSION, "id"),
        (SessionUse.CHOSEN, "trip", "trip"),
        (SessionUse.CHOSEN, NO_SESSION, None),
        (SessionUse.ALL, None, "id"),
        (SessionUse.ALL, "trip", "trip"),
        (SessionUse.ALL, NO_SESSION, None),
    ],
)
def test_a_chat_shares_what_was_chosen_and_a_temporary_one_nothing(
    use: SessionUse, own: str | None, session: str | None
) -> None:
    settings = SessionSettings(use=use)
    assert settings.session_of("id", own, is_temporary=False) == session
    assert settings.session_of("id", own, is_temporary=True) is None


@pytest.mark.parametrize(
    ("typed", "url", "password"),
    [
        ("redis://nas", "redis://nas", ""),
        (" rediss://me:p%40ss@nas:6380/2 ", "rediss://me@nas:6380/2", "p@ss"),
        ("redis://:secret@[fd00::1]:6379/0", "redis://[fd00::1]:6379/0", "secret"),
    ],
)
def test_the_password_is_taken_out_of_an_address_and_put_back(typed: str, url: str, password: str) -> None:
    assert split_redis_url(typed) == (url, password)
    assert split_redis_url(with_password(url, password)) == (url, password)


@pytest.mark.parametrize(
    "typed",
    ["", "nas:6379", "http://nas", "redis://", "redis://nas:99999", "redis://nas:0", "redis://a b", "redis://nas/x"],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    assert split_redis_url(typed) is None


def test_a_place_is_known_by_its_key() -> None:
    for place in (SessionPlace(), SessionPlace("redis://nas"), SessionPlace("redis://nas", as_lists=True)):
        assert SessionPlace.of(place.key) == place
    assert SessionSettings(as_lists=True).place == SessionPlace(), "lists are kept on Redis only"


@pytest.mark.parametrize(
    ("name", "is_one"), [("a-b_c.d:1", True), ("", False), ("*", False), ("a b", False), ("x" * 129, False)]
)
def test_names_of_sessions_are_those_of_the_memory_server(name: str, is_one: bool) -> None:
    assert is_session_name(name) == is_one
