"""Builds frozen values from parsed JSON by their field types: unknown fields are ignored, wrong types refused."""

import functools
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    S = TypeVar("S", bound=DataclassInstance)
else:
    S = TypeVar("S")


def read(kind: type[S], name: str, section: object) -> S:
    """Return the object ``section`` as a ``kind``; ``name`` says in errors what was read. Raises ``ValueError``."""
    if not isinstance(section, dict):
        raise ValueError(f"{name} is not an object")
    given = cast(dict[str, Any], section)
    types = _types(kind)
    return kind(**{f.name: value(types[f.name], f.name, given[f.name]) for f in fields(kind) if f.name in given})


@functools.cache
def _types(kind: Any) -> Mapping[str, Any]:
    """Looking them up takes longer than reading a value by them."""
    return get_type_hints(kind)


def value(kind: Any, name: str, given: Any) -> Any:
    """Return ``given`` as ``kind``: a plain type, a ``StrEnum``, a dataclass, a tuple of texts, a mapping from texts to
    any of these, or one of these or None. Raises ``ValueError``."""
    if kind is Any:
        return given
    if isinstance(kind, UnionType):
        if given is None:
            return None
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        if isinstance(given, list) and all(isinstance(item, str) for item in cast(list[Any], given)):
            return tuple(cast(list[str], given))
        raise ValueError(f"{name} should be a list of texts")
    if get_origin(kind) is Mapping:
        if not isinstance(given, dict):
            raise ValueError(f"{name} is not an object")
        inner = get_args(kind)[1]
        return {key: value(inner, f"{name}.{key}", item) for key, item in cast(dict[str, Any], given).items()}
    if is_dataclass(kind):
        return read(cast("type[DataclassInstance]", kind), name, given)
    if issubclass(kind, StrEnum):
        return kind(given)
    if kind is float and type(given) is int:
        return float(given)
    if type(given) is not kind or (kind is float and not math.isfinite(given)):
        raise ValueError(f"{name} should be of type {kind.__name__}")
    return given
