"""Files that are taken in, and what of them a model is sent."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.attachments import (
    MOST_IMAGE_BYTES,
    MOST_IMAGES,
    Attachments,
    images_to_send,
    load_images,
    one_line_name,
)
from desktop.conversation.context import assemble_context
from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    Message,
    MessageStatus,
    Role,
    user_parts,
)
from desktop.core.error_texts import ERROR_TEXTS, fill
from desktop.core.errors import FileError
from desktop.core.ids import new_id
from desktop.core.language_model import Image, UserMessage
from tests.support.in_memory_attachments import InMemoryAttachments, ReaderOnPaper

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def taking() -> Attachments:
    return Attachments(InMemoryAttachments(), ReaderOnPaper())


def user(text: str, *parts: AttachmentPart) -> Message:
    return Message(
        id=new_id(),
        thread_id="t",
        parent_id=None,
        role=Role.USER,
        status=MessageStatus.COMPLETE,
        parts=user_parts(text, parts),
        created_at=NOW,
        updated_at=NOW,
    )


def image(name: str, *, sent_size: int = 10, attachment_id: str = "") -> AttachmentPart:
    return AttachmentPart(
        attachment_id=attachment_id or name,
        name=name,
        kind=AttachmentKind.IMAGE,
        size=99,
        media_type="image/png",
        sent_size=sent_size,
    )


def file(name: str, text: str, *, pages: int = 0, pages_read: int = 0) -> AttachmentPart:
    return AttachmentPart(
        attachment_id=name,
        name=name,
        kind=AttachmentKind.TEXT,
        size=9,
        text=text,
        pages=pages,
        pages_read=pages_read,
    )


async def test_a_text_file_is_taken_in(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Words", "utf-8")
    attachments = taking()
    part = await attachments.add_file(tmp_path / "a.md")
    assert (part.name, part.kind, part.text, part.size) == ("a.md", AttachmentKind.TEXT, "# Words", 7)
    path = attachments.original(part.attachment_id)
    assert path is not None
    assert path.read_bytes() == b"# Words"
    await attachments.discard(part)
    assert attachments.original(part.attachment_id) is None


async def test_a_picture_with_the_ending_of_a_text_is_a_picture() -> None:
    part = await taking().add("notes.txt", b"\x89PNG\r\n\x1a\n....")
    assert (part.kind, part.media_type, part.width) == (AttachmentKind.IMAGE, "image/png", 40)


async def test_what_cannot_be_taken_is_named(tmp_path: Path) -> None:
    for path, code in ((tmp_path, "file.no_file"), (tmp_path / "none", "file.unreadable")):
        with pytest.raises(FileError) as raised:
            await taking().add_file(path)
        assert (raised.value.code, raised.value.params["name"]) == (code, path.name)
        words = fill(ERROR_TEXTS[code], raised.value.params)
        assert path.name in words.title


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError) as raised:
        await taking().add_file(tmp_path / "pipe")
    assert raised.value.code == "file.no_file"


async def test_a_file_of_gigabytes_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.log").open("wb") as huge:
        huge.truncate(5_000_000_000)
    with pytest.raises(FileError) as raised:
        await taking().add_file(tmp_path / "huge.log")
    assert raised.value.code == "file.too_large"
    assert raised.value.params["size"] == "5000 MB"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/home/mei/a.txt", "a.txt"),
        ("two\nlines\t.txt", "two lines .txt"),
        ("", "file"),
        ("x" * 300, "x" * 200),
        ("x" * 300 + ".pdf", "x" * 180 + "….pdf"),
        ("bad\udc80.txt", "bad?.txt"),
    ],
)
def test_names_stand_on_one_line(name: str, shown: str) -> None:
    assert one_line_name(name) == shown


def test_a_file_is_sent_with_its_name_and_fences_that_it_cannot_close() -> None:
    text = "code:\n```\nx\n```\nand ````` more"
    (sent,) = assemble_context([user("What is it?", file("a.md", text))])
    assert isinstance(sent, UserMessage)
    assert "a.md" in sent.text
    assert sent.text.endswith("What is it?")
    fence = next(line for line in sent.text.splitlines() if set(line) == {"`"})
    assert f"\n{fence}\n{text}\n{fence}\n" in sent.text
    assert sent.text.count(fence) == 2


def test_pages_that_are_left_out_are_said() -> None:
    (sent,) = assemble_context([user("?", file("a.pdf", "text", pages=900, pages_read=100))])
    assert "Pages 101 to 900 are not included." in sent.text


def test_images_that_are_not_there_are_named() -> None:
    seen = Image(name="b", media_type="image/png", data=b"b")
    (sent,) = assemble_context([user("Look", image("a.png"), image("b.png"))], images={"b.png": seen})
    assert sent == UserMessage(text="[image omitted: a.png]\n\nLook", images=(seen,))


def test_a_message_sent_again_sends_its_files_once() -> None:
    part, seen = image("a.png"), Image(name="a", media_type="image/png", data=b"a")
    (sent,) = assemble_context([user("Look", part), user("Look", part)], images={"a.png": seen})
    assert isinstance(sent, UserMessage)
    assert sent.images == (seen,)


def test_the_newest_images_are_sent_as_many_as_fit() -> None:
    many = [user("x", image(f"{number}")) for number in range(MOST_IMAGES + 5)]
    names = [part.name for part in images_to_send(many)]
    assert names == [str(number) for number in range(MOST_IMAGES + 4, 4, -1)]
    large = [user("x", image(name, sent_size=MOST_IMAGE_BYTES // 2)) for name in ("old", "mid", "new")]
    assert [part.name for part in images_to_send(large)] == ["new", "mid"]


async def test_an_image_whose_file_is_gone_is_left_out() -> None:
    store = InMemoryAttachments()
    there = await store.add(b"x", suffix=".png", sent=b"sent")
    messages = [user("x", image("a", attachment_id=there), image("b", attachment_id="gone"))]
    assert await load_images(store, messages) == {there: Image(name="a", media_type="image/png", data=b"sent")}
