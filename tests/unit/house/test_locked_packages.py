"""The lock: no addresses, run within dev, nothing missing that is not left out on purpose, and Chroma works with it."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.source_tree import ROOT

LOCKS = ROOT / "packaging" / "lock"


def pins(name: str) -> dict[str, str]:
    """Return ``package==version ; marker`` -> hashes of a lock file."""
    text = (LOCKS / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    return {line.split(" --hash")[0].strip(): line for line in text.splitlines() if "==" in line}


@pytest.mark.parametrize("name", ["run", "dev"])
def test_a_lock_names_no_address_and_hashes_everything(name: str) -> None:
    text = (LOCKS / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|--(index|extra|find|trusted)|@", text)
    assert pins(name)
    assert [line for line in pins(name).values() if "--hash=sha256:" not in line] == []


def test_what_tests_install_satisfies_run() -> None:
    run, dev = pins("run"), pins("dev")
    assert {pin: line for pin, line in run.items() if dev.get(pin) != line} == {}


def test_left_out_packages_are_not_locked() -> None:
    left_out = (LOCKS / "excludes.txt").read_text(encoding="utf-8").split()
    assert left_out
    locked = {re.split(r"==|\[", pin)[0] for pin in pins("dev")}
    assert locked & set(left_out) == set()


@pytest.mark.skipif(
    importlib.util.find_spec("pip") is None, reason="this environment was made without a pip of its own"
)
def test_only_the_left_out_packages_are_missing() -> None:
    run = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    left_out = (LOCKS / "excludes.txt").read_text(encoding="utf-8").split()
    version = next(pin for pin in pins("run") if pin.startswith("chromadb==")).removeprefix("chromadb==")
    expected = [f"chromadb {version} requires {name}, which is not installed." for name in sorted(left_out)]
    assert sorted(run.stdout.splitlines()) == expected


CHROMA = """
import sys
import chromadb
from chromadb.config import Settings

def open_index():
    client = chromadb.PersistentClient(sys.argv[1], settings=Settings(anonymized_telemetry=False))
    return client.get_or_create_collection("messages", embedding_function=None)

index = open_index()
index.add(ids=["a", "b", "c"], embeddings=[[1.0, 0.0], [0.0, 1.0], [0.7, 0.7]])
assert index.query(query_embeddings=[[1.0, 0.1]], n_results=2)["ids"] == [["a", "c"]]
index.delete(ids=["a"])
print(index.query(query_embeddings=[[1.0, 0.1]], n_results=1)["ids"])
chromadb.api.client.SharedSystemClient.clear_system_cache()
print(open_index().count(), sorted(open_index().get()["ids"]))
print(sorted({"kubernetes", "onnxruntime", "tokenizers"} & set(sys.modules)))
"""


def test_chroma_works_without_the_left_out_packages(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHROMA, str(tmp_path / "index")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == ["[['c']]", "2 ['b', 'c']", "[]"], run.stderr
