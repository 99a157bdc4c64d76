"""What a file is told from its bytes, and its text read in the usual encodings."""

import pytest

from desktop.conversation.entities import AttachmentKind
from desktop.conversation.file_kinds import kind_of, text_of
from desktop.core.errors import FileError

CHINESE = "今天天气很好，我们去公园吧。" * 3


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n....", AttachmentKind.IMAGE),
        (b"\xff\xd8\xff\xe0....", AttachmentKind.IMAGE),
        (b"RIFF\0\0\0\0WEBPVP8 ", AttachmentKind.IMAGE),
        (b"GIF89a..", AttachmentKind.IMAGE),
        (b"BM" + b"\1\0\0\0" + b"\0" * 60, AttachmentKind.IMAGE),
        (b"%PDF-1.7\n", AttachmentKind.PDF),
        (b"\n\n junk %PDF-1.4", AttachmentKind.PDF),
        (b"BMW is a car maker, and this is a text about it.", AttachmentKind.TEXT),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", AttachmentKind.TEXT),
        (b"print('hello')", AttachmentKind.TEXT),
    ],
)
def test_the_kind_goes_by_the_bytes(data: bytes, kind: AttachmentKind) -> None:
    assert kind_of(data) is kind


@pytest.mark.parametrize("brand", [b"heic", b"avif", b"mif1"])
def test_pictures_of_other_kinds_are_refused_by_name(brand: bytes) -> None:
    with pytest.raises(FileError) as raised:
        kind_of(b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0")
    assert raised.value.code == "file.picture_kind"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\r\nwords\rhere\n", "plain\nwords\nhere\n"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        (CHINESE.encode(), CHINESE),
        (CHINESE.encode("utf-16"), CHINESE),
        (CHINESE.encode("gb18030"), CHINESE),
        ("中".encode("gb18030"), "中"),
        ("wide words".encode("utf-16-le"), "wide words"),
        ("wide words".encode("utf-16-be"), "wide words"),
        ("Crème brûlée à la carte, déjà vu".encode("cp1252"), "Crème brûlée à la carte, déjà vu"),
        (b"\x1b[31mred\x1b[0m of a terminal", "\x1b[31mred\x1b[0m of a terminal"),
    ],
)
def test_the_usual_encodings_are_read(data: bytes, text: str) -> None:
    assert text_of(data) == text


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff", "file.binary"),
        (b"PK\3\4\x14\0\6\0\x08\0\0\0!\0", "file.binary"),
        (bytes(range(256)), "file.binary"),
        (b"\xff\xfe\0", "file.binary"),
        (b"\1\2\3\4\5\6" * 50, "file.binary"),
        (b" \n\t\n", "file.empty"),
        (b"\xef\xbb\xbf", "file.empty"),
        (b"x" * 1_000_001, "file.text_too_long"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(FileError) as raised:
        text_of(data)
    assert raised.value.code == code
