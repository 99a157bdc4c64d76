"""What a question says: its content, and the days that it names."""

from datetime import date

import pytest

from desktop.memory.question_words import Day, content_of, days_of


@pytest.mark.parametrize(
    "question",
    [
        "What did we do on May 2nd?",
        "On 2 May, which film did I see?",
        "What happened on the 2nd of May?",
        "在5月2日我们聊了什么？",
        "5 月 2 号我的心情怎么样？",
    ],
)
def test_a_day_is_read_in_english_and_chinese(question: str) -> None:
    assert days_of(question) == [Day(5, 2)]


@pytest.mark.parametrize(
    "question", ["On April 27th, 2023, how far did I run?", "2023年4月27日我跑了多远？", "2023-04-27?"]
)
def test_a_year_that_is_named_counts(question: str) -> None:
    (day,) = days_of(question)
    assert day.is_on(date(2023, 4, 27))
    assert not day.is_on(date(2024, 4, 27))


@pytest.mark.parametrize(
    "question", ["Step 3 may fail", "May I ask you 3 things?", "1月40日", "in March 2023", "12 marches", ""]
)
def test_what_is_no_day_is_none(question: str) -> None:
    assert days_of(question) == []


def test_each_day_is_named_once() -> None:
    assert days_of("Was it on May 2nd or on 3 June? I mean 2 May.") == [Day(5, 2), Day(6, 3)]


def test_the_content_of_a_question_is_without_what_questions_share() -> None:
    assert content_of("What is the name of my sister's cat?") == "name sister's cat"
    assert content_of("你还记得我妹妹养了什么宠物吗？") == "妹妹养 宠物"
    assert content_of("Who are you?") == ""
    assert content_of("我的Redis怎么配置？") == "Redis 配置"
