"""The list of packages that the program stands on, read from what is really installed."""

from importlib.metadata import version

from desktop.core.licences import licence_text, package_licences


def test_every_requirement_is_listed_with_version_and_licence() -> None:
    packages = {package.name: package for package in package_licences()}
    for name in ("fastmcp", "openai", "aiosqlite", "keyring", "Pygments", "python-lucide", "qasync"):
        assert packages[name].version == version(name)
        assert packages[name].licence, name
    assert "LGPL" in packages["PySide6_Essentials"].licence
    assert packages["Python"].licence == "PSF-2.0"
    assert [name for name, package in packages.items() if not package.licence] == []


def test_what_requirements_require_is_listed_and_tools_are_not() -> None:
    names = {package.name for package in package_licences()}
    assert {"pydantic", "starlette", "shiboken6"} <= names, "starlette comes with an extra of a requirement"
    assert not names & {"pytest", "ruff", "import-linter", "threadwell"}


def test_whole_texts_come_from_the_packages() -> None:
    assert "Permission is hereby granted" in licence_text("aiosqlite")
    assert "SIL OPEN FONT LICENSE" in licence_text("fontpkg-inter")
    assert "PYTHON SOFTWARE FOUNDATION" in licence_text("Python")
    assert "LGPL" in licence_text("PySide6_Essentials"), "without a file, what the metadata say"
    assert licence_text("no-such-package-anywhere") == ""
