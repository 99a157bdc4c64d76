"""Files with a question, on real parts: the program, its reader, the data folder, and an endpoint that looks closely."""

import base64
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.files_to_attach import GPS_WORDS, pdf_with, picture_bytes, with_exif, written
from tests.support.shell_app import ShellApp


@pytest.fixture
def app(tmp_path: Path) -> ShellApp:
    return ShellApp(tmp_path / "数据 folder", tools=False)


def at(endpoint: LoopbackEndpoint) -> list[str]:
    return ["--base-url", endpoint.base_url, "--model", "test-model"]


def test_files_reach_the_endpoint_and_go_with_the_thread(app: ShellApp, tmp_path: Path) -> None:
    picture = written(tmp_path / "tower.jpg", with_exif(picture_bytes("JPEG"), orientation=6))
    notes = written(tmp_path / "笔记.txt", "丰收十七石".encode("gb18030"))
    pdf = written(tmp_path / "report.pdf", pdf_with("Seventeen bushels"))
    files = [word for path in (picture, notes, pdf) for word in ("--file", str(path))]
    with LoopbackEndpoint([[text("a tower")]]) as endpoint:
        done = app.run("ask", "What is this?", "--json", *files, *at(endpoint))
    assert done.status == 0, done.err
    assert done.answer == "a tower"
    content = endpoint.chats[0].body["messages"][-1]["content"]
    words, shown = content
    for expected in ("笔记.txt", "丰收十七石", "report.pdf", "Seventeen bushels", "What is this?"):
        assert expected in words["text"]
    head, _, data = shown["image_url"]["url"].partition(",")
    assert head == "data:image/jpeg;base64"
    sent = base64.b64decode(data)
    assert GPS_WORDS not in sent
    image = QImage.fromData(sent)
    assert (image.width(), image.height()) == (40, 60), "upright"
    assert endpoint.problems == []
    (thread,) = app.threads()
    assert app.show(thread["id"])[0]["files"] == ["tower.jpg", "笔记.txt", "report.pdf"]
    assert [hit["thread_id"] for hit in app.run("threads", "search", "丰收", "--json").lines] == [thread["id"]]
    assert len(app.bytes_with("Seventeen bushels")) >= 1
    kept = app.data_dir / "attachments"
    assert {path.name for folder in kept.iterdir() for path in folder.glob("original*")} == {
        "original.jpeg",
        "original.txt",
        "original.pdf",
    }
    assert app.run("threads", "purge", thread["id"]).status == 0
    assert list(kept.iterdir()) == []
    assert app.bytes_with("Seventeen bushels") == []


def test_a_file_that_cannot_be_taken_is_said_and_nothing_is_sent(app: ShellApp, tmp_path: Path) -> None:
    path = written(tmp_path / "program.exe", b"MZ\0\1\2")
    with LoopbackEndpoint([[text("never")]]) as endpoint:
        done = app.run("ask", "What is this?", "--file", str(path), *at(endpoint))
    assert done.status != 0
    assert "“program.exe” holds no text" in done.err
    assert endpoint.chats == []
    assert app.threads() == []
