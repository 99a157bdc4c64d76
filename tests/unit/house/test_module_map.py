"""The module map of the plan says what the modules say."""

import importlib.util
from types import ModuleType

from tests.support.source_tree import ROOT


def module_map() -> ModuleType:
    spec = importlib.util.spec_from_file_location("module_map", ROOT / "packaging" / "module_map.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_map_is_that_of_the_modules() -> None:
    maker = module_map()
    assert maker.written_map() == maker.module_map(), "run: python packaging/module_map.py"


def test_every_module_tells_its_purpose() -> None:
    assert [line for line in module_map().module_map().splitlines() if line.endswith("` ")] == []
