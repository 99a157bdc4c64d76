"""Which files of a folder are read as documents, by the endings of their names; a single file is read whatever its name."""

from collections.abc import Set
from pathlib import PurePath


def _endings(words: str) -> frozenset[str]:
    return frozenset(f".{word}" for word in words.split())


PACKED = _endings("pdf docx")
HTML = _endings("html htm xhtml")
MARKDOWN = _endings("md markdown mdown mkd")
TEXT = _endings("txt text rst adoc asciidoc org tex log csv tsv srt vtt eml")
CODE = _endings(
    "py pyi js mjs cjs jsx ts mts cts tsx java kt kts scala groovy c h cc cpp cxx hh hpp hxx m mm cs fs vb go rs swift rb"
    " php pl pm lua r jl dart ex exs erl hs ml clj lisp el vue svelte sh bash zsh fish ps1 bat cmd sql graphql proto"
    " css scss sass less json jsonc json5 yaml yml toml ini cfg conf properties xml xsd xsl svg gradle cmake mk tf"
)
READ: Set[str] = PACKED | HTML | MARKDOWN | TEXT | CODE
_BARE_NAMES = frozenset(
    {"readme", "license", "licence", "copying", "changelog", "changes", "authors", "notice", "todo"}
)
_CODE_NAMES = frozenset({"makefile", "dockerfile", "cmakelists.txt", "jenkinsfile", "rakefile", "gemfile"})


def is_read(name: str) -> bool:
    """Whether a file of this name is one of those that are read in a folder."""
    lower = name.lower()
    return PurePath(lower).suffix in READ or lower in _BARE_NAMES or lower in _CODE_NAMES
