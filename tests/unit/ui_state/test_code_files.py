"""The name under which code is saved."""

import pytest

from desktop.ui.state.code_files import file_name


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("python", "print()", "code.py"),
        ("Rust", "fn main() {}", "code.rs"),
        ("", "x", "code.txt"),
        ("nosuch", "x", "code.txt"),
        ("dockerfile", "FROM x", "Dockerfile"),
        ("python", "# tools/sums.py\nx", "sums.py"),
        ("js", "// file: app.js\nx", "app.js"),
        ("html", "<!-- index.html -->\n<p>", "index.html"),
        ("python", "# see notes.txt for more\n", "code.py"),
        ("python", "# ../../.bashrc\n", "code.py"),
        ("python", "# con.py\n", "code.py"),
        ("sh", "#!/bin/sh\n", "code.sh"),
    ],
)
def test_file_name(language: str, text: str, name: str) -> None:
    assert file_name(language, text) == name
