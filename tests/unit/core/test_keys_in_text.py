"""Keys in a message are found, and what only resembles them is not."""

import time

import pytest

from desktop.core.keys_in_text import MOST_FOUND, keys_in, without_keys

HEX = "3f9a0c7be51d4286a7cd90e1b2f34586"
LETTERS = "qwmznxbvhgjfkdlsytreuiwopqazxswedcvfrtgbnhyujmki"
MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4"


@pytest.mark.parametrize(
    "key",
    [
        f"sk-{HEX}",
        f"sk-{LETTERS}",
        f"sk-proj-{MIXED}_x-{MIXED}",
        f"sk-ant-api03-{MIXED}-{MIXED}AA",
        f"sk-or-v1-{HEX}{HEX}",
        f"gsk_{MIXED}{MIXED}",
        f"xai-{MIXED}{MIXED}",
        f"hf_{LETTERS[:34]}",
        f"ghp_{MIXED}abcdefghij12",
        f"AIzaSy{MIXED}012345678",
        "AKIAIOSFODNN7EXAMPLE",
        f"{HEX}.aB3dE6gH9jK2mN5p",
    ],
)
def test_keys_of_providers_are_found_wherever_they_stand(key: str) -> None:
    for text in (key, f"My key is {key}, what now?", f'client(api_key="{key}")', f"密钥是{key}。", f"KEY={key}\n"):
        assert keys_in(text) == (key,), text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"api_key: {HEX}", HEX),
        (f'{{"apiKey": "{MIXED}"}}', MIXED),
        (f"Authorization: Bearer {MIXED}", MIXED),
        (f"token = '{MIXED}'", MIXED),
        (f"export DASHSCOPE_API_KEY={HEX}", HEX),
        (f"密钥：{MIXED}", MIXED),
    ],
)
def test_what_the_text_calls_a_key_is_one(text: str, key: str) -> None:
    assert keys_in(text) == (key,)


@pytest.mark.parametrize(
    "text",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "key=550e8400-e29b-41d4-a716-446655440000",
        f"commit {HEX}{HEX[:8]}",
        f"sha256:{HEX}{HEX}",
        f'cache_key = "{HEX}"',
        f"the key of this row is {HEX}",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk-sk-YPhfz0AEYBxVSF-FABJADq",
        f'"integrity": "sha512-{MIXED}{MIXED}=="',
        "pip install scikit-learn, then import sk-learn-contrib-extensions-1.2",
        "sk-SK and sk-internationalization",
        "api_key = YOUR_API_KEY_GOES_RIGHT_HERE",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-...",
        "os.environ['OPENAI_API_KEY']",
        'key="a-long-name-of-a-list-item-in-react-2024"',
        "https://example.com/sk-3f9a0c7be51d4286a7cd90e1b2f34586",
        "What is a bearer token, and what is the key to success?",
        "token: get_current_user_from_request_2",
        "d41d8cd98f00b204e9800998ecf8427e.css",
        "",
    ],
)
def test_what_only_resembles_a_key_is_none(text: str) -> None:
    assert keys_in(text) == ()


def test_each_key_is_told_once_in_the_order_of_the_text() -> None:
    first, second = f"sk-{HEX}", f"gsk_{MIXED}{MIXED}"
    assert keys_in(f"{first} and {second} and again API_KEY={first}") == (first, second)


@pytest.mark.parametrize("piece", ["sk-", "key=", "a" * 50 + " ", "api " * 3, f"sk-{HEX} ", "-_"])
def test_long_texts_are_read_in_a_moment(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    keys_in(text)
    assert time.process_time() - start < 2


def test_all_keys_are_cut_out_and_nothing_else() -> None:
    keys = [f"sk-{number:02}{HEX}" for number in range(2 * MOST_FOUND)]
    assert without_keys(f"First {keys[0]}, then\n{keys[1]}!") == "First , then\n!"
    assert keys_in(without_keys(" and ".join(keys))) == ()
    assert without_keys("Why does sk-learn-is-good-1 fail?") == "Why does sk-learn-is-good-1 fail?"
    assert without_keys(f"sk-{HEX[:9]}sk-{HEX}{HEX[9:]}").count(HEX) == 0
