"""Which packages this program stands on, with their versions and licences, as their installed metadata say."""

import re
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

from desktop.core.paths import resources_folder

PROJECT = "threadwell"
MAX_TEXT = 400_000
_LICENCE_FILE = re.compile(r"(?i)^(un)?licen[cs]es?\b|^copying|^copyright|^notice|^authors|^ofl")
_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


@dataclass(frozen=True, kw_only=True)
class PackageLicence:
    name: str
    version: str
    licence: str
    """Its short name, for example ``MIT``; empty when the package does not say."""


def package_licences() -> list[PackageLicence]:
    """Return Python and every installed package that the program needs, by name.

    Takes a while: hundreds of small files are read.
    """
    python = PackageLicence(name="Python", version=sys.version.split()[0], licence="PSF-2.0")
    found = {_key(d.name): d for d in _needed() if _key(d.name) != PROJECT}
    packages = [PackageLicence(name=d.name, version=d.version, licence=_licence(d)) for d in found.values()]
    return sorted([python, *packages], key=lambda package: package.name.lower())


def licence_text(name: str) -> str:
    """Return the whole text of a package's licence files, or what its metadata say where it brings none."""
    if name == "Python":
        return _python_text()
    try:
        dist = distribution(name)
    except PackageNotFoundError:
        return ""
    texts = [_read(Path(str(dist.locate_file(file)))) for file in dist.files or () if _LICENCE_FILE.match(file.name)]
    text = "\n\n".join(dict.fromkeys(text for text in texts if text.strip()))
    return text or _field(dist, "License") or _licence(dist)


def _needed() -> Iterator[Distribution]:
    """What the project requires, and what that requires, as far as it is installed; all that is where no one knows."""
    waiting = _own_requirements()
    if not waiting:
        yield from distributions()
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = waiting.pop()
        if (_key(name), extra) in seen:
            continue
        seen.add((_key(name), extra))
        try:
            dist = distribution(name)
        except PackageNotFoundError:
            continue  # for another system, or an extra that nobody asked for
        yield dist
        waiting.extend(_requirements(dist.requires or (), extra))


def _own_requirements() -> list[tuple[str, str]]:
    try:
        return _requirements(distribution(PROJECT).requires or (), "")
    except PackageNotFoundError:
        text = _read(resources_folder().parent / "pyproject.toml")  # run from its sources
        return _requirements(tomllib.loads(text).get("project", {}).get("dependencies", ()), "")


def _requirements(lines: Iterable[str], extra: str) -> list[tuple[str, str]]:
    """Return names with each extra that is asked of them (and with none), of the lines that count for ``extra``."""
    found: list[tuple[str, str]] = []
    for line in lines:
        condition = _EXTRA.search(line)
        match = _REQUIREMENT.match(line)
        if match is None or (condition is not None and condition.group(1) != extra):
            continue
        extras = (match.group(2) or "").split(",")
        found.extend((match.group(1), wanted.strip()) for wanted in {"", *extras})
    return found


def _licence(dist: Distribution) -> str:
    short = _field(dist, "License-Expression") or _field(dist, "License")
    if short and "\n" not in short and len(short) <= 80:
        return short
    classifiers = [c.split(" :: ")[-1] for c in dist.metadata.get_all("Classifier") or () if c.startswith("License ::")]
    return ", ".join(classifier for classifier in classifiers if classifier != "OSI Approved")


def _field(dist: Distribution, name: str) -> str:
    return next(iter(dist.metadata.get_all(name) or ()), "")


def _python_text() -> str:
    places = [Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt"]
    return next((text for place in places if (text := _read(place))), sys.copyright)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")[:MAX_TEXT] if path.is_file() else ""
    except OSError:
        return ""


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
