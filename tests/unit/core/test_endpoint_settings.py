"""What an endpoint has beyond address and key: kept as it is, refused where no form would have let it through."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from desktop.core.endpoint_reach import header_problem, headers_with_key, proxy_problem
from desktop.core.endpoint_settings import MOST_HEADERS, EndpointSettings, ModelOptions
from desktop.core.language_model import ThinkingEffort
from desktop.core.settings import Settings, SettingsStore

FULL = EndpointSettings(
    id="e",
    name="Gateway",
    base_url="https://gateway.example/v1",
    model="m",
    headers={"X-Title": "Threadwell", "X-Api-Key": "{key}"},
    proxy="socks5://127.0.0.1:1080",
    model_options={
        "m": ModelOptions(
            context_tokens=8192,
            temperature=0.0,
            thinking=ThinkingEffort.OFF,
            sees_images=False,
            takes_tools=True,
            extra_body={"top_k": 40, "nested": {"deep": [1, None]}},
            input_price=0.25,
            output_price=0,
            currency="CNY",
        )
    },
)


def stored(path: Path, **endpoint: Any) -> Settings:
    path.write_text(json.dumps({"schema_version": 2, "endpoints": [{"id": "e", **endpoint}]}), "utf-8")
    return SettingsStore(path).settings


def test_everything_of_an_endpoint_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    store.update(dataclasses.replace(store.settings, endpoints=(FULL,)))
    assert SettingsStore(path).settings.endpoints == (FULL,)
    assert FULL.options.context_tokens == 8192
    assert FULL.options_of("another") == ModelOptions()


def test_an_endpoint_of_an_earlier_version_has_nothing_of_it(tmp_path: Path) -> None:
    (endpoint,) = stored(tmp_path / "settings.json", base_url="http://127.0.0.1:1/v1", model="m").endpoints
    assert (endpoint.headers, endpoint.proxy, endpoint.model_options) == ({}, "", {})


def test_what_a_later_version_wrote_is_ignored(tmp_path: Path) -> None:
    options = {"m": {"temperature": 1, "colour": "red", "thinking": None}}
    (endpoint,) = stored(tmp_path / "settings.json", model_options=options, moods=[1]).endpoints
    assert endpoint.model_options == {"m": ModelOptions(temperature=1.0)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"headers": {"Host": "x"}},
        {"headers": {"X-Api-Key": "sk-abcdefghijklmnopqrst"}},
        {"headers": {"X": 1}},
        {"headers": ["X"]},
        {"headers": {f"X-{number}": "a" for number in range(MOST_HEADERS + 1)}},
        {"headers": {"x-a": "1", "X-A": "2"}},
        {"proxy": "ftp://host"},
        {"proxy": 1},
        {"model_options": []},
        {"model_options": {"m": 1}},
        {"model_options": {"m": {"context_tokens": 0}}},
        {"model_options": {"m": {"context_tokens": 1.5}}},
        {"model_options": {"m": {"temperature": 2.1}}},
        {"model_options": {"m": {"thinking": "utmost"}}},
        {"model_options": {"m": {"sees_images": "yes"}}},
        {"model_options": {"m": {"extra_body": {"messages": []}}}},
        {"model_options": {"m": {"extra_body": []}}},
        {"model_options": {"m": {"input_price": -1}}},
        {"model_options": {"m": {"currency": "x" * 9}}},
    ],
)
def test_what_cannot_be_used_sets_the_file_aside(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = tmp_path / "settings.json"
    assert stored(path, **wrong) == Settings()
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("X-Title", "Threadwell", ""),
        ("HTTP-Referer", "https://threadwell.example/", ""),
        ("anthropic-version", "2023-06-01", ""),
        ("anthropic-beta", "max-tokens-3-5-sonnet-2024-07-15", ""),
        ("OpenAI-Organization", "org-AbCdEfGhIjKlMnOpQrStUvWx", ""),
        ("X-Project", "6f9619ff-8b86-4d01-b42d-00c04fc964ff", ""),
        ("Authorization", "Basic {key}", ""),
        ("api-key", "{key}", ""),
        ("Ocp-Apim-Subscription-Key", "{key}", ""),
        ("User-Agent", "curl/8", ""),
        ("", "x", "bad_name"),
        ("X Title", "x", "bad_name"),
        ("X-Título", "x", "bad_name"),
        ("X\r\nY", "x", "bad_name"),
        ("Host", "evil.example", "own_header"),
        ("connection", "close", "own_header"),
        ("Transfer-Encoding", "chunked", "own_header"),
        ("Content-Length", "0", "own_header"),
        ("Proxy-Authorization", "Basic {key}", "own_header"),
        ("X-Title", "", "bad_value"),
        ("X-Title", "a\r\nX-B: c", "bad_value"),
        ("X-Title", "标题", "bad_value"),
        ("X-Title", "x" * 4_001, "bad_value"),
        ("Authorization", "Bearer abcdef", "secret"),
        ("api-key", "short", "secret"),
        ("X-Auth-Token", "t", "secret"),
        ("Cookie", "session=1", "secret"),
        ("X-Other", "sk-proj-abcdefghijklmnop", "secret"),
        ("X-Other", "0123456789abcdef0123456789abcdef", "secret"),
        ("X-Other", "Bearer abcdefgh", "secret"),
        ("X-Other", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx", "secret"),
        ("X-Other", "{key} and sk-proj-abcdefghijklmnop", "secret"),
    ],
)
def test_headers_are_judged_before_they_are_kept(name: str, value: str, problem: str) -> None:
    assert header_problem(name, value) == problem


def test_the_key_takes_the_place_of_its_mark() -> None:
    headers = {"X-Title": " t ", "api-key": "{key}", "Authorization": "Basic {key}"}
    assert headers_with_key(headers, "abc") == ({"X-Title": "t", "api-key": "abc", "Authorization": "Basic abc"}, True)
    assert headers_with_key(headers, "") == ({"X-Title": "t"}, True)
    assert headers_with_key({"X-Title": "t"}, "abc") == ({"X-Title": "t"}, False)


@pytest.mark.parametrize(
    ("proxy", "problem"),
    [
        ("", ""),
        ("none", ""),
        ("http://127.0.0.1:7890", ""),
        ("http://proxy.example/", ""),
        ("https://proxy.example:443", ""),
        ("socks5://[::1]:1080", ""),
        ("socks5h://host:1080", ""),
        ("127.0.0.1:7890", "bad_proxy"),
        ("http://", "bad_proxy"),
        ("http://host:99999", "bad_proxy"),
        ("http://host:0", "bad_proxy"),
        ("http://ho st", "bad_proxy"),
        ("http://host/path", "bad_proxy"),
        ("http://host?x=1", "bad_proxy"),
        ("http://[::1", "bad_proxy"),
        ("ftp://host", "bad_proxy"),
        ("http://me:secret@host:1", "proxy_secret"),
        ("http://me@host:1", "proxy_secret"),
    ],
)
def test_proxies_are_judged_before_they_are_kept(proxy: str, problem: str) -> None:
    assert proxy_problem(proxy) == problem
