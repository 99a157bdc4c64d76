"""What the next message takes of a model's context, counted as it will be sent, and what the figures mean."""

import dataclasses
from datetime import UTC, datetime

import pytest

from desktop.conversation.context import MAX_ROUNDS
from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    Message,
    MessageStatus,
    Part,
    Role,
    TextPart,
)
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import Usage
from desktop.core.model_facts import ModelFacts
from desktop.core.settings import EndpointSettings
from desktop.core.token_count import TOKENS_OF_IMAGE, TOKENS_OF_MESSAGE, count_tokens
from desktop.ui.state.context_count import context_limit, count_draft, next_window, told_tokens
from desktop.ui.state.context_meter import ContextFill, Fullness, short_count

PICTURE = AttachmentPart(
    attachment_id="a1", name="p.png", kind=AttachmentKind.IMAGE, size=10, media_type="image/png", sent_size=10
)
FILE = AttachmentPart(attachment_id="a2", name="t.txt", kind=AttachmentKind.TEXT, size=10, text="word " * 500)
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
ENDPOINT = EndpointSettings(id="one", name="One", base_url="http://127.0.0.1:1/v1", model="m")


def message(number: int, *parts: Part) -> Message:
    return Message(
        id=f"m{number}",
        thread_id="t",
        parent_id=f"m{number - 1}" if number else None,
        role=Role.ASSISTANT if number % 2 else Role.USER,
        status=MessageStatus.COMPLETE,
        created_at=MOMENT,
        updated_at=MOMENT,
        parts=parts,
    )


def tokens_of(messages: list[Message], *, system_prompt: str) -> int:
    return next_window(messages, system_prompt=system_prompt).tokens


def test_a_chat_is_counted_with_its_instructions() -> None:
    path = [message(0, TextPart(text="word " * 100)), message(1, TextPart(text="answer " * 50))]
    plain = tokens_of(path, system_prompt="")
    assert plain == 2 * TOKENS_OF_MESSAGE + count_tokens("word " * 100) + count_tokens("answer " * 50)
    prompt = "Answer in rhyme."
    assert tokens_of(path, system_prompt=prompt) == plain + TOKENS_OF_MESSAGE + count_tokens(prompt)
    assert tokens_of([], system_prompt="") == 0


def test_what_the_endpoint_counted_last_is_read_from_the_answer() -> None:
    asked = message(0, TextPart(text="Q"))
    two_requests = message(1, TextPart(text="A"), TextPart(text="B", step=1))
    reported = dataclasses.replace(two_requests, usage=Usage(input_tokens=6000, output_tokens=50))
    assert told_tokens([asked, reported]) == 3050
    assert told_tokens([asked, two_requests]) == told_tokens([asked]) == told_tokens([]) == 0


def test_only_what_will_be_sent_counts() -> None:
    rounds = [message(n, TextPart(text="word " * 20)) for n in range(2 * MAX_ROUNDS)]
    longer = [message(n, TextPart(text="word " * 20)) for n in range(2 * MAX_ROUNDS + 20)]
    assert tokens_of(longer, system_prompt="") == tokens_of(rounds, system_prompt="")


def test_pictures_of_the_chat_count_as_they_are_sent() -> None:
    with_picture = tokens_of([message(0, PICTURE, TextPart(text="look"))], system_prompt="")
    without = tokens_of([message(0, TextPart(text="look"))], system_prompt="")
    assert with_picture == without + TOKENS_OF_IMAGE


def test_what_is_being_written_counts_with_its_files() -> None:
    assert count_draft("  \n", [], []) == 0
    typed = count_draft("hello there", [], [])
    assert typed == TOKENS_OF_MESSAGE + count_tokens("hello there")
    pasted = "word " * 300
    assert count_draft("hello there", [pasted], []) == typed + count_tokens(pasted)
    assert count_draft("hello there", [], [PICTURE]) == typed + TOKENS_OF_IMAGE
    assert count_draft("", [], [FILE]) > 500


def test_the_users_word_on_the_length_goes_first() -> None:
    facts = ModelFacts(context_tokens=8192)
    assert context_limit(ENDPOINT, ModelFacts()) is None
    assert context_limit(ENDPOINT, facts) == 8192
    own = dataclasses.replace(ENDPOINT, model_options={"m": ModelOptions(context_tokens=4096)})
    assert context_limit(own, facts) == 4096


@pytest.mark.parametrize(
    ("tokens", "percent", "fullness"),
    [
        (1, 1, Fullness.ROOMY),
        (120, 12, Fullness.ROOMY),
        (799, 79, Fullness.ROOMY),
        (800, 80, Fullness.FILLING),
        (949, 94, Fullness.FILLING),
        (950, 95, Fullness.FULL),
        (1300, 130, Fullness.FULL),
    ],
)
def test_how_full_it_is(tokens: int, percent: int, fullness: Fullness) -> None:
    fill = ContextFill(tokens, 1000)
    assert (fill.percent, fill.fullness) == (percent, fullness)


def test_without_a_limit_only_the_count_is_known() -> None:
    assert (ContextFill(500, None).percent, ContextFill(500, None).fullness) == (None, Fullness.UNKNOWN)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (512, "512"),
        (4096, "4k"),
        (8000, "8k"),
        (32_768, "32k"),
        (128_000, "128k"),
        (131_072, "128k"),
        (200_000, "200k"),
        (1_000_000, "1M"),
        (1_048_576, "1M"),
        (1_047_576, "1M"),
    ],
)
def test_lengths_are_written_as_models_are_advertised(tokens: int, text: str) -> None:
    assert short_count(tokens) == text
