"""Conversations with stops, refusals, errors, edits, crashes, hostile names and schemas: no request is ever refused."""

import pytest

from tests.support.random_conversations import RandomConversation

# What is hostile is reported.
pytestmark = pytest.mark.allowed_log(r"WARNING desktop\.(tools|agent)|ERROR desktop\.tools.*is gone")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(200 if metafunc.config.getoption("long") else 20))


async def test_every_request_of_a_random_conversation_is_accepted(seed: int) -> None:
    conversation = RandomConversation(seed)
    await conversation.run()
    assert conversation.endpoint.problems == []
    assert conversation.endpoint.chats


async def test_the_conversations_hold_what_they_should() -> None:
    """Else they would prove nothing."""
    bodies = []
    for seed in range(12):
        conversation = RandomConversation(seed)
        await conversation.run()
        bodies += [request.body for request in conversation.endpoint.chats]
    roles = {message["role"] for body in bodies for message in body["messages"]}
    assert roles == {"system", "user", "assistant", "tool"}
    assert any("tools" in body for body in bodies)
    assert any("tools" not in body for body in bodies)
    assert any("reasoning_details" in message for body in bodies for message in body["messages"])
    assert len({body["model"] for body in bodies}) > 4
