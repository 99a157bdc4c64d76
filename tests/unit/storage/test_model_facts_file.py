"""What was learned about models outlives the program, and nothing that befalls its file is ever in the way."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.core.endpoints import ListedModel
from desktop.core.model_facts import FactsInMemory, ModelFacts, ModelFactsStore
from desktop.storage import model_facts_file
from desktop.storage.model_facts_file import ModelFactsFile

URL = "http://127.0.0.1:8080/v1"


class SetClock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ModelFactsStore:
    return ModelFactsFile(tmp_path / "models.json") if request.param == "file" else FactsInMemory()


def test_facts_are_kept_by_address_and_model(store: ModelFactsStore) -> None:
    assert store.get(URL, "a") == ModelFacts()
    store.update(URL, "a", without=frozenset({"tools"}))
    assert store.update(URL, "a", context_tokens=4096) == store.get(URL, "a")
    assert store.get(URL, "a") == ModelFacts(without=frozenset({"tools"}), context_tokens=4096)
    assert store.get(URL, "b") == store.get("http://127.0.0.1:1/v1", "a") == ModelFacts()
    assert store.get(URL + "/?api-version=1", "a").context_tokens == 4096


def test_an_address_is_forgotten_with_all_its_models(store: ModelFactsStore) -> None:
    for model in ("a", "b"):
        store.update(URL, model, max_tools=5)
    store.update("http://other/v1", "a", max_tools=6)
    store.forget(URL + "/")
    assert store.get(URL, "a") == store.get(URL, "b") == ModelFacts()
    assert store.get("http://other/v1", "a").max_tools == 6


def test_the_next_start_knows_them(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    first = ModelFactsFile(path)
    facts = first.update(
        URL,
        "通义/千问 \ud800",
        without=frozenset({"images", "tools"}),
        context_tokens=8192,
        token_ratio=1.25,
        max_tools=3,
        sees_images=True,
        takes_tools=False,
    )
    assert ModelFactsFile(path).get(URL, "通义/千问 \ud800") == facts
    first.forget(URL)
    assert ModelFactsFile(path).get(URL, "通义/千问 \ud800") == ModelFacts()
    assert [file.name for file in tmp_path.iterdir()] == ["models.json"]


def test_after_a_month_an_endpoint_is_asked_anew(tmp_path: Path) -> None:
    clock = SetClock()
    store = ModelFactsFile(tmp_path / "models.json", clock=clock)
    store.update(URL, "old", max_tools=1)
    clock.now += timedelta(days=29)
    store.update(URL, "young", max_tools=2)
    clock.now += timedelta(days=2)
    for each in (store, ModelFactsFile(tmp_path / "models.json", clock=clock)):
        assert each.get(URL, "old") == ModelFacts()
        assert each.get(URL, "young").max_tools == 2
    store.update(URL, "new", max_tools=3)
    assert "old" not in (tmp_path / "models.json").read_text("utf-8")


@pytest.mark.expected_log("WARNING desktop.storage.model_facts_file.*forgotten")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"models": 3}',
        b'{"models": [1]}',
        b'{"models": [{"base_url": "u", "model": "m"}]}',
        b"[" * 100_000,
        json.dumps(
            {
                "models": [
                    {
                        "base_url": "u",
                        "model": "m",
                        "learned_at": "2026-03-01T00:00:00+00:00",
                        "without": ["tools"],
                        "context_tokens": "many",
                        "max_tools": None,
                    }
                ]
            }
        ).encode(),
    ],
)
def test_a_broken_file_is_a_fresh_start(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_bytes(content)
    store = ModelFactsFile(path)
    assert store.get("u", "m") == ModelFacts()
    store.update(URL, "a", max_tools=5)
    assert ModelFactsFile(path).get(URL, "a").max_tools == 5


@pytest.mark.expected_log("WARNING desktop.storage.model_facts_file.*forgotten")
@pytest.mark.expected_log("WARNING desktop.storage.model_facts_file.*in memory only")
def test_a_file_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "models.json").mkdir()
    store = ModelFactsFile(tmp_path / "models.json")
    for tools in (1, 2, 3):
        store.update(URL, "a", max_tools=tools)
    assert store.get(URL, "a").max_tools == 3
    assert [file.name for file in tmp_path.iterdir()] == ["models.json"]


def test_the_file_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_facts_file, "MOST_ENTRIES", 3)
    store = ModelFactsFile(tmp_path / "models.json")
    for number in range(5):
        store.update(URL, f"m{number}", max_tools=number + 1)
    store.update(URL, "m" * 2000, max_tools=1)
    again = ModelFactsFile(tmp_path / "models.json")
    assert [again.get(URL, f"m{number}").max_tools for number in range(5)] == [None, None, 3, 4, 5]


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    store = ModelFactsFile(tmp_path / "models.json")
    store.update(URL, "a", max_tools=5)
    (tmp_path / "models.json").unlink()
    store.update(URL, "a", max_tools=5)
    assert not (tmp_path / "models.json").exists()


def test_what_a_whole_list_says_is_kept_at_once(tmp_path: Path) -> None:
    store = ModelFactsFile(tmp_path / "facts.json")
    store.update("https://h.example/v1", "a", max_tools=10, context_tokens=1024, takes_tools=True)
    store.note_listed(
        "https://h.example/v1",
        [
            ListedModel(name="a", sees_images=False),
            ListedModel(name="b", context_tokens=8192, sees_images=True, takes_tools=False),
        ],
    )
    read = ModelFactsFile(tmp_path / "facts.json")
    known = ModelFacts(max_tools=10, context_tokens=1024, takes_tools=True, sees_images=False)
    assert read.get("https://h.example/v1", "a") == known, "what a list does not say stays"
    assert read.get("https://h.example/v1", "b") == ModelFacts(context_tokens=8192, sees_images=True, takes_tools=False)
