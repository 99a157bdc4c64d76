"""Writes the module map of ``desktop/README.md`` from the first sentence of each module's docstring.

``python packaging/module_map.py`` rewrites it; a test holds the map against the code.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "desktop" / "README.md"
BEGIN, END = "<!-- module map: begin -->\n", "<!-- module map: end -->\n"


def module_map() -> str:
    """Return the map: a heading for each room, below it a line for each module that is more than a name."""
    lines: list[str] = []
    room = ""
    for path in _modules():
        name = path.relative_to(ROOT / "desktop")
        if (here := str(name.parent) if name.parent != Path() else "desktop") != room:
            room = here
            lines += ["", f"**{room}**", ""]
        lines.append(f"- `{name.name}` {_purpose(path)}")
    return "\n".join(lines[1:]) + "\n"


def written_map() -> str:
    """Return the map as it stands in the README."""
    return README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def _modules() -> Iterator[Path]:
    files = sorted((ROOT / "desktop").rglob("*.py"), key=lambda path: (path.parent.parts, path.name))
    return (path for path in files if path.name != "__init__.py")


def _purpose(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def main() -> None:
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    README.write_text(f"{before}{BEGIN}{module_map()}{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    main()
