"""A large JSON list is read item by item, and what is whole before a fault is given."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.interchange.reading.json_items import BrokenJsonError, JsonItems

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


class Dripping(io.BytesIO):
    """Gives some bytes at a time, whatever is asked for."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size)


def items(data: bytes, size: int = 1 << 20) -> list[object]:
    return list(JsonItems(Dripping(data, size)).items())


@given(values=st.lists(VALUES, max_size=5), size=st.integers(1, 9), indent=st.none() | st.just(2))
def test_a_list_is_read_whatever_pieces_it_comes_in(values: list[object], size: int, indent: int | None) -> None:
    assert items(json.dumps(values, ensure_ascii=False, indent=indent).encode("utf-8", "surrogatepass"), size) == [
        json.loads(json.dumps(value).encode("utf-8")) for value in values
    ]


@pytest.mark.parametrize("data", [b'{"a": 1}', b'\xef\xbb\xbf  {"a": 1}\n', b"17"], ids=["object", "mark", "number"])
def test_one_value_stands_for_itself(data: bytes) -> None:
    assert items(data, 1) == [json.loads(data.decode("utf-8-sig"))]


@pytest.mark.parametrize(
    "data",
    [b'[{"a": 1}, {"b": ', b'[{"a": 1} {"b": 2}]', b'[{"a": 1}, nonsense]', b'[{"a": 1}, ' + b"[" * 200_000, b'[{"a": 1}'],
    ids=["cut off", "no comma", "nonsense", "deep", "no end"],
)  # fmt: skip
def test_what_is_whole_before_a_fault_is_given(data: bytes) -> None:
    reading = JsonItems(io.BytesIO(data)).items()
    assert next(reading) == {"a": 1}
    with pytest.raises(BrokenJsonError):
        next(reading)


def test_an_item_that_is_too_large_ends_it() -> None:
    data = json.dumps([1, "x" * 3_000_000]).encode()
    with pytest.raises(BrokenJsonError):
        list(JsonItems(io.BytesIO(data), most_item=1_500_000).items())
