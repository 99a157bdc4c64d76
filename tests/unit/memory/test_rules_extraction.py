"""What rules take from the user's words, in English and Chinese, and what they leave for uncertain or not theirs."""

from datetime import UTC, datetime

import pytest

from desktop.memory.candidates import Said
from desktop.memory.entities import MemoryKind
from desktop.memory.own_words import own_words, told
from desktop.memory.rules_extraction import rule_candidates
from desktop.memory.sentences import say_the_same, sentences, with_dates
from desktop.memory.slots import slot_of, without

MONDAY = datetime(2026, 11, 30, 12, tzinfo=UTC)


def said(text: str) -> Said:
    return Said(message_id="m", thread_id="t", text=text, at=MONDAY)


def texts(message: str) -> list[str]:
    found = rule_candidates([said(message)])
    assert all(one.quote in message for one in found)
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("message", "remembered"),
    [
        ("Remember that I am allergic to peanuts.", ["I am allergic to peanuts"]),
        ("Hi, my name is Anna and I live in Bonn.", ["My name is Anna", "I live in Bonn"]),
        ("Please remember: the wifi name is Eichhorn.", ["The wifi name is Eichhorn"]),
        ("Can you remember that my dog is called Rex?", ["My dog is called Rex"]),
        ("I live in Bonn, is it rainy there?", ["I live in Bonn"]),
        ("I'm 30, I live in Bonn, and my name is Otto.", ["I live in Bonn", "My name is Otto"]),
        ("Remember my exam is tomorrow at 9.", ["My exam is tomorrow (2026-12-01) at 9"]),
        ("Remember to always answer briefly.", ["Always answer briefly"]),
        ("don't forget that Mia's birthday is on 12 May", ["Mia's birthday is on 12 May"]),
        ("Remember that my adviser is Mr. Weber from St. Ann.", ["My adviser is Mr. Weber from St. Ann"]),
        ("call me Jo", ["Call me Jo"]),
        ("我上个月搬到了杭州。", ["我上个月（2026-10）搬到了杭州"]),
        ("去年我搬到了杭州，我叫小明", ["去年（2025）我搬到了杭州", "我叫小明"]),
        ("请记住我对花生过敏。", ["我对花生过敏"]),
        ("你好，我叫小明，我住在上海浦东。", ["我叫小明", "我住在上海浦东"]),
        ("记住：我明天去柏林出差", ["我明天（2026-12-01）去柏林出差"]),
        ("我最喜欢的颜色是蓝色。", ["我最喜欢的颜色是蓝色"]),
        ("我 live in 上海, my name is 小明.", ["My name is 小明"]),
        (
            "Remember that I moved to Bern, my name is Anna and my sister Eva is a nurse.",
            ["I moved to Bern", "My name is Anna", "My sister Eva is a nurse"],
        ),
        ("记住：我搬到了伯尔尼，我对花生过敏。", ["我搬到了伯尔尼", "我对花生过敏"]),
        ("Remember my exam is at 9, room 5", ["My exam is at 9, room 5"]),
        ("Remember that I live in Bern and that my rent is 1200", ["I live in Bern", "My rent is 1200"]),
        ("Remember I live in Bonn, Hauptstr. 5, on the left", ["I live in Bonn, Hauptstr. 5, on the left"]),
        ("Remember: my name is Anna, and always answer in German", ["My name is Anna", "Always answer in German"]),
        ("请记住：我叫安娜，以后都用中文回答", ["我叫安娜", "以后都用中文回答"]),
        ("记住我搬到了伯尔尼，离车站很近", ["我搬到了伯尔尼，离车站很近"]),
    ],
)
def test_what_is_said_in_so_many_words_is_taken(message: str, remembered: list[str]) -> None:
    assert texts(message) == remembered


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember my name?",
        "Remember when we went to Rome?",
        "remember to buy milk",
        "Remember that.",
        "I don't remember that my name is on it",
        "Do I live in Bonn?",
        "If I live in Bonn, what tax do I pay?",
        "Suppose my name is Tom. I live in Paris. What then?",
        "My friend says I live in Bonn.",
        "My name is not Tom.",
        "My name is on the list",
        "I live in fear of heights",
        "Call me back later",
        "Please answer in German.",
        "We should always answer the phone.",
        '"My name is Ishmael and I live on the sea, he said." What book is that?',
        "Translate this: My name is Tom. Remember that I live in Oslo.",
        "```\nmy name is code\n```",
        "> my name is quoted",
        "She said: my name is Bob. I live in Rome.",
        "From: a@b.test\nSubject: x\n\nMy name is Bob.",
        "Here is a letter:\nMy name is Bob. I live in Rome.",
        "<email>My name is Bob.</email>",
        "我叫什么名字？",
        "我叫外卖了",
        "如果我住在北京，要交多少税？",
        "假设我叫李雷。我住在北京。",
        "以后我想去日本",
        "我去年住在上海。",
        "记得明天买牛奶",
        "记住了吗？",
        "帮我翻译：我叫小红，我住在北京。",
    ],
)
def test_what_says_nothing_for_certain_is_left(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "Always answer in Chinese.",
        "From now on: always answer in Chinese, please.",
        "from now on, keep your answers short",
        "Please answer in German from now on.",
        "Never use emojis in your answers.",
        "以后都用中文回答",
        "请以后用英文回答我",
        "永远不要用表情符号",
    ],
)
def test_standing_wishes_are_wishes(message: str) -> None:
    (wish,) = rule_candidates([said(message)])
    assert wish.kind is MemoryKind.WISH


def test_what_there_is_one_of_is_known() -> None:
    assert slot_of("The user lives in Bonn", MemoryKind.FACT) == slot_of("我住在上海", MemoryKind.IDENTITY) == "home"
    assert slot_of("My name is Anna", MemoryKind.IDENTITY) == slot_of("用户名叫小明", MemoryKind.IDENTITY) == "name"
    assert slot_of("我上个月（2026-10）搬到了杭州", MemoryKind.IDENTITY) == "home"
    assert slot_of("I moved last month (2026-10) to Bern", MemoryKind.IDENTITY) == "home"
    for wanted in (
        "I want to live in Japan",
        "I'd like living in Rome",
        "I used to live in Oslo",
        "我想住在海边",
        "我打算搬到北京",
    ):
        assert slot_of(wanted, MemoryKind.PREFERENCE) is None
    assert slot_of("I'm living in Bonn", MemoryKind.FACT) == slot_of("我不住在上海了", MemoryKind.FACT) == "home"
    assert slot_of("My dog's name is Rex", MemoryKind.FACT) is None
    assert (
        slot_of("以后都用中文回答", MemoryKind.WISH)
        == slot_of("Always answer in English", MemoryKind.WISH)
        == "language"
    )
    assert slot_of("Always answer briefly", MemoryKind.WISH) is None


@pytest.mark.parametrize(
    ("text", "slot", "rest"),
    [
        ("My name is Anna and I live in Bonn", "home", "My name is Anna"),
        ("My name is Anna and I live in Bonn", "name", "I live in Bonn"),
        ("I live in Bonn and work as a nurse", "home", "I work as a nurse"),
        ("I work as a nurse and live in Bonn and play chess", "home", "I work as a nurse and I play chess"),
        ("我住在上海，对花生过敏，养了一只猫", "home", "我对花生过敏，养了一只猫"),
        ("我叫小明，我住在上海，一个大城市", "home", "我叫小明"),
        ("我和妻子住在上海，她是医生", "home", "她是医生"),
        ("The user lives in Bonn and the user's dog is called Rex", "home", "The user's dog is called Rex"),
        ("I live in Bonn, my favourite city", "home", ""),
        ("Since May, I live in Bonn", "home", ""),
        ("I live in a house that is large and cold", "home", ""),
        ("I live in Bonn", "home", ""),
    ],
)
def test_what_a_text_says_besides(text: str, slot: str, rest: str) -> None:
    assert without(text, MemoryKind.FACT, slot) == rest


def test_days_become_dates_by_the_day_on_which_it_was_said() -> None:
    assert with_dates("I fly the day after tomorrow", MONDAY) == "I fly the day after tomorrow (2026-12-02)"
    assert with_dates("Exam next Friday", MONDAY) == "Exam next Friday (2026-12-11)"
    assert with_dates("下周三考试", MONDAY) == "下周三（2026-12-09）考试"
    assert with_dates("昨天搬家", MONDAY) == "昨天（2026-11-29）搬家"
    assert with_dates("I moved last month", MONDAY) == "I moved last month (2026-10)"
    assert with_dates("Next month and next year", MONDAY) == "Next month (2026-12) and next year (2027)"
    assert (
        with_dates("下个月去，去年来过，前年也是", MONDAY) == "下个月（2026-12）去，去年（2025）来过，前年（2024）也是"
    )
    assert with_dates("上个月", datetime(2026, 1, 31, 12, tzinfo=UTC)) == "上个月（2025-12）"
    assert with_dates("Tomorrow, 2026-12-01", MONDAY) == "Tomorrow, 2026-12-01"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("I live in Bonn.", "The user lives in Bonn", True),
        ("我现在住在上海。", "用户住在上海", True),
        ("I'm learning Dutch", "I am now learning Dutch!", True),
        ("I like cats", "I do not like cats", False),
        ("我喜欢猫", "我不喜欢猫", False),
        ("Anna likes Tom", "Tom likes Anna", False),
        ("I was a smoker", "I am a smoker", False),
        ("I have 2 cats", "I have 3 cats", False),
    ],
)
def test_the_same_is_only_what_differs_in_nothing(first: str, second: str, same: bool) -> None:
    assert say_the_same(first, second) is same


def test_other_peoples_words_are_blanked_and_every_place_stays() -> None:
    text = 'I like “Mimi”.\n```\ncode\n```\nShe said: "I moved to Oslo for my new job last year" and left.\n> quoted\nMine.'
    own = own_words(text)
    assert len(own) == len(text)
    assert own.count("\n") == text.count("\n")
    assert "Mimi" in own
    assert "and left" in own
    assert "Mine." in own
    assert not any(word in own for word in ("code", "Oslo", "quoted"))
    assert told("Look:\n> quoted\nand mine.") == "Look:\n [left out] and mine."


def test_full_stops_that_end_no_sentence() -> None:
    text = "I saw Dr. No with J. Smith. My wife and I. Version 1.5 is out! 你好。再见"
    assert [sentence.text for sentence in sentences(text)] == [
        "I saw Dr. No with J. Smith.",
        "My wife and I.",
        "Version 1.5 is out!",
        "你好。",
        "再见",
    ]
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in sentences(text))
