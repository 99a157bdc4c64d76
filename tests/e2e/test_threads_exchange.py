"""Chats are written to files and read from them by the shell commands, as a script does it."""

import json
import zipfile
from pathlib import Path

from tests.support.foreign_chats import chatgpt_chat, chatgpt_export
from tests.support.shell_app import ShellApp


def test_chats_go_from_one_data_folder_to_another(tmp_path: Path) -> None:
    one, other = ShellApp(tmp_path / "one"), ShellApp(tmp_path / "other")
    (tmp_path / "export.zip").write_bytes(chatgpt_export(chatgpt_chat()))
    (line,) = one.run("threads", "import", str(tmp_path / "export.zip"), "--json").lines
    assert (line["verdict"], line["title"], line["messages"]) == ("imported", "A pixel 像素", 5)
    done = one.run("threads", "export", line["thread_id"], str(tmp_path / "mine"), "--json")
    assert done.status == 0, done.err
    assert done.lines == [{"path": str(tmp_path / "mine.zip"), "chats": 1, "left_out": 0}]
    (again,) = other.run("threads", "import", str(tmp_path / "mine.zip"), "--json").lines
    assert (again["verdict"], again["thread_id"]) == ("imported", line["thread_id"])
    assert other.threads() == one.threads()
    assert other.show(line["thread_id"]) == one.show(line["thread_id"])
    text = one.run("threads", "export", "all", str(tmp_path / "text.zip"), "--format", "markdown")
    assert text.status == 0, text.err
    archive = zipfile.ZipFile(tmp_path / "text.zip")
    assert "## You · " in archive.read("A pixel 像素.md").decode()


def test_a_file_without_chats_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(json.dumps({"a": 1}), "utf-8")
    done = ShellApp(tmp_path / "data").run("threads", "import", str(tmp_path / "list.json"))
    assert done.status == 1
    assert "There are no chats in “list.json”." in done.err
