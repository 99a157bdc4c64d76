"""Token counts before sending: known values, no quadratic case, corrected by what endpoints report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.language_model import AssistantMessage, Image, ModelRequest, RequestToolCall, ToolSpec, UserMessage
from desktop.core.model_facts import ModelFacts
from desktop.core.token_count import (
    TOKENS_OF_IMAGE,
    corrected,
    count_message,
    count_request,
    count_tokens,
    guess_tokens,
    learned_ratio,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),
        ("你好，世界", 3),
        ("<|endoftext|>", 7),
        ("antidisestablishmentarianism", 6),
    ],
)
def test_counts_are_those_of_the_published_vocabulary(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.timeout(30)
@pytest.mark.parametrize("text", [" " * 200_000, "!" * 200_000, "中" * 100_000, "a" * 300_000])
def test_runs_without_a_break_are_counted_soon(text: str) -> None:
    assert 0 < count_tokens(text) <= len(text)


@given(st.text(st.characters(), max_size=600))
def test_any_text_can_be_counted_and_longer_text_has_no_fewer_tokens(text: str) -> None:
    count = count_tokens(text)
    assert 0 <= count <= 4 * len(text)
    assert count_tokens(text * 2) >= count


@pytest.mark.parametrize(
    "text",
    [
        "The quick brown fox jumps over the lazy dog, and then it sleeps until the evening comes.\n",
        "def add(first: int, second: int) -> int:\n    return first + second\n\n\n",
        "今天天气很好，我们一起去公园散步，然后回家做饭。",
        "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    ],
)
def test_a_guess_is_near_the_count(text: str) -> None:
    assert guess_tokens("") == 0
    assert guess_tokens(text * 20) == pytest.approx(count_tokens(text * 20), rel=0.35)


def test_a_lone_surrogate_counts_as_what_is_sent_in_its_place() -> None:
    assert count_tokens("a\ud800b") == count_tokens("a\ufffdb")


def test_a_request_is_the_sum_of_all_that_leaves_the_machine() -> None:
    user = UserMessage(text="What is on it?", images=(Image(name="a.png", media_type="image/png", data=b"x"),))
    call = RequestToolCall(call_id="1", name="files__list", arguments='{"path":"."}')
    answer = AssistantMessage(text="", tool_calls=(call,))
    tool = ToolSpec(name="files__list", description="Lists files.", parameters={"type": "object"})
    alone = count_message(user) + count_message(answer)
    assert count_message(user) > TOKENS_OF_IMAGE
    assert count_message(answer) > count_message(AssistantMessage(text=""))
    assert count_request(ModelRequest(messages=(user, answer))) == alone
    assert count_request(ModelRequest(messages=(user, answer), tools=(tool,))) > alone


def test_the_reports_of_an_endpoint_correct_later_counts() -> None:
    facts = ModelFacts()
    for _ in range(20):
        facts = ModelFacts(token_ratio=learned_ratio(facts, counted=1000, reported=1300))
    assert corrected(1000, facts) == pytest.approx(1300, rel=0.01)


@pytest.mark.parametrize(("counted", "reported"), [(10, 500), (1000, 0), (0, 7)])
def test_a_report_that_says_little_changes_nothing(counted: int, reported: int) -> None:
    assert learned_ratio(ModelFacts(token_ratio=1.2), counted=counted, reported=reported) == 1.2


def test_an_absurd_report_is_bounded() -> None:
    assert learned_ratio(ModelFacts(), counted=1000, reported=10**9) <= 1.3
