"""How far the memory of an answer reaches: its chat, its assistant and the settings, each only ever narrowing the last."""

import pytest

from desktop.agent.recall_reach import reach_of
from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.conversation.entities import ThreadOptions
from desktop.core.memory_settings import MemoryUse

ALL, HERE, OFF = MemoryUse.EVERYWHERE, MemoryUse.THIS_THREAD, MemoryUse.OFF
OWN = AssistantMemory.OWN_CHATS


@pytest.mark.parametrize(
    ("chat", "assistant", "usual", "expected"),
    [
        (None, None, ALL, (ALL, "")),
        (None, AssistantMemory.EVERYWHERE, ALL, (ALL, "")),
        (None, AssistantMemory.EVERYWHERE, HERE, (HERE, "")),
        (None, AssistantMemory.EVERYWHERE, OFF, (OFF, "")),
        (None, AssistantMemory.OFF, ALL, (OFF, "")),
        (None, OWN, ALL, (ALL, "a")),
        (None, OWN, HERE, (HERE, "")),
        (None, OWN, OFF, (OFF, "")),
        (HERE, OWN, ALL, (HERE, "")),
        (OFF, AssistantMemory.EVERYWHERE, ALL, (OFF, "")),
        (ALL, AssistantMemory.OFF, OFF, (ALL, "")),
    ],
)
def test_the_chat_goes_before_its_assistant_and_that_before_what_is_usual(
    chat: MemoryUse | None, assistant: AssistantMemory | None, usual: MemoryUse, expected: tuple[MemoryUse, str]
) -> None:
    options = ThreadOptions(memory=chat, assistant=Assistant(id="a", name="A", memory=assistant))
    assert reach_of(options, usual) == expected
