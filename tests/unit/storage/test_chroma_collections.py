"""Chroma's collections opened again after a kill: what only served to move bytes is no key of anything."""

from pathlib import Path

import numpy

from desktop.memory.entities import PassageKind
from desktop.memory.ports import key_of
from desktop.storage.chroma_collections import FolderCollections


def test_what_a_killed_erasure_left_there_is_gone_when_it_is_opened(tmp_path: Path) -> None:
    rows = numpy.eye(3, 8, dtype="float32")
    key = key_of(PassageKind.FACT, "a")
    kept = FolderCollections.begun(tmp_path, "mark")
    kept.put([key], rows[:1])
    # As `stir` does before it deletes them again.
    kept._collections[PassageKind.FACT].upsert(ids=["01m8x", "01m8y"], embeddings=list(rows[1:]))  # pyright: ignore[reportPrivateUsage]
    kept.close()
    found = FolderCollections.found(tmp_path, "mark")
    assert found is not None
    assert [*found.keys] == [key]
    found.check(8)
    assert [near for near, _ in found.nearest(PassageKind.FACT, rows[1], 3)] == [key]
    found.close()
