"""Files are read in a process of their own: nothing but pixels is left of a picture, and no file can do harm."""

import os
import sys

import pytest
from PySide6.QtGui import QColor, QImage

from desktop.core.attachment_limits import LONGEST_SIDE, MOST_PICTURE_BYTES
from desktop.core.errors import FileError
from desktop.storage.file_reader import FileReaderProcess
from tests.support.files_to_attach import (
    GPS_WORDS,
    encoded,
    pdf_of_glyphs,
    pdf_that_swells,
    pdf_with,
    picture_bytes,
    png_that_says,
    with_exif,
)


def decoded(data: bytes) -> QImage:
    image = QImage.fromData(data)
    assert not image.isNull()
    return image


def is_reddish(color: QColor) -> bool:
    return color.red() > 180 and color.blue() < 90


async def test_the_place_where_a_picture_was_taken_is_not_sent() -> None:
    given = with_exif(picture_bytes("JPEG"))
    assert GPS_WORDS in given
    read = await FileReaderProcess().picture(given)
    for data in (read.data, read.thumbnail):
        assert GPS_WORDS not in data
        assert b"Exif" not in data
    assert (read.width, read.height, read.media_type, read.file_format) == (60, 40, "image/jpeg", "jpeg")


async def test_a_picture_on_its_side_is_sent_upright() -> None:
    read = await FileReaderProcess().picture(with_exif(picture_bytes("JPEG"), orientation=6))
    image = decoded(read.data)
    assert (image.width(), image.height()) == (read.width, read.height) == (40, 60)
    assert is_reddish(image.pixelColor(20, 5)), "what was left is on top"
    assert not is_reddish(image.pixelColor(20, 55))


async def test_the_texts_in_a_picture_are_not_sent() -> None:
    image = QImage(20, 20, QImage.Format.Format_ARGB32)
    image.fill(QColor(10, 20, 30, 90))
    image.setText("Author", "somebody at home")
    given = encoded(image, "PNG")
    assert b"somebody" in given
    read = await FileReaderProcess().picture(given)
    assert b"somebody" not in read.data
    assert read.media_type == "image/png", "what is transparent stays so"
    assert decoded(read.data).hasAlphaChannel()


async def test_a_large_picture_is_scaled_and_a_screen_stays_sharp() -> None:
    read = await FileReaderProcess().picture(picture_bytes("BMP", 2 * LONGEST_SIDE, 300))
    image = decoded(read.data)
    assert (image.width(), image.height()) == (LONGEST_SIDE, 150)
    assert read.width == 2 * LONGEST_SIDE
    assert read.media_type == "image/png"
    assert len(read.thumbnail) < len(picture_bytes("BMP", 400, 100))


async def test_noise_becomes_small_enough() -> None:
    image = QImage(os.urandom(3000 * 3000 * 4), 3000, 3000, QImage.Format.Format_RGB32)
    read = await FileReaderProcess().picture(encoded(image, "JPEG"))
    assert len(read.data) <= MOST_PICTURE_BYTES


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x89PNG\r\n\x1a\n rubbish", "file.picture_unreadable"),
        (picture_bytes("PNG", 400, 400)[:200], "file.picture_unreadable"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "file.picture_unreadable"),
        (png_that_says(60_000, 60_000), "file.picture_too_large"),
        (png_that_says(2_000_000_000, 2_000_000_000), "file.picture_unreadable"),
        (b"", "file.picture_unreadable"),
    ],
)
async def test_a_hostile_picture_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(FileError) as raised:
        await FileReaderProcess().picture(data)
    assert raised.value.code == code


async def test_a_pdf_is_read_page_by_page() -> None:
    read = await FileReaderProcess().pdf(pdf_with("First page", "", "Third page"))
    assert read.text == "First page\n\nThird page"
    assert (read.pages, read.pages_read) == (3, 3)


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        ("⽤⼾⼿册：⻓⽅形与⻋⻔", "用户手册：长方形与车门"),
        ("ﬁnal ofﬁce eﬃciency", "final office efficiency"),
        ("\uf900\uf9d1", "豈六"),
        ("ﺳﻼﻡ"[::-1], "سلام"),  # from left to right, as it is drawn
        ("E = mc², x₁ ≤ ½ · ①② ㎡ ™ Ａ", "E = mc², x₁ ≤ ½ · ①② ㎡ ™ Ａ"),
        ("café naïve ü 가나다 がぎぐ", "café naïve ü 가나다 がぎぐ"),
    ],
    ids=["radicals", "ligatures", "copies", "arabic", "what-means-something-else", "usual-text"],
)
async def test_characters_of_a_pdf_are_those_that_people_type(drawn: str, text: str) -> None:
    assert (await FileReaderProcess().pdf(pdf_of_glyphs(drawn))).text == text


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pdf_with("", ""), "file.pdf_no_text"),
        (b"%PDF-1.7 rubbish", "file.pdf_unreadable"),
        (pdf_with("Whole")[:80], "file.pdf_unreadable"),
    ],
)
async def test_a_pdf_without_text_and_a_broken_one_are_told_apart(data: bytes, code: str) -> None:
    with pytest.raises(FileError) as raised:
        await FileReaderProcess().pdf(data)
    assert raised.value.code == code


@pytest.mark.allowed_log(r"WARNING desktop\.storage\.file_reader.*took too long")
async def test_a_pdf_that_swells_is_given_up() -> None:
    with pytest.raises(FileError) as raised:
        await FileReaderProcess(patience_seconds=4).pdf(pdf_that_swells(400))
    assert raised.value.code in ("file.too_slow", "file.pdf_no_text", "file.pdf_unreadable")


@pytest.mark.expected_log(r"WARNING desktop\.storage\.file_reader.*took too long")
async def test_a_reader_that_hangs_is_ended() -> None:
    reader = FileReaderProcess(patience_seconds=0.3, command=(sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(FileError) as raised:
        await reader.pdf(b"%PDF-1.4")
    assert raised.value.code == "file.too_slow"


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.stdout.write('x' * 50_000_000)",
        "while True: print('x' * 100_000)",
        "print('{\"sizes\": [5, 5]}')",
        "print('not json')",
        "print('[]')",
        "import os; os._exit(9)",
        'print(\'{"media_type": "text/html", "sizes": [1, 1], "width": 1, "height": 1, "format": "x"}\\nab\', end="")',
    ],
)
async def test_a_reader_that_was_taken_over_is_not_believed(program: str) -> None:
    with pytest.raises(FileError) as raised:
        await FileReaderProcess(command=(sys.executable, "-c", program)).picture(b"x")
    assert raised.value.code == "file.picture_unreadable"


async def test_the_reader_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "sk-secret")
    program = 'import os, sys; sys.exit(0 if \'MODEL_KEY\' in os.environ else print(\'{"error": "file.empty", "params": {}}\'))'
    with pytest.raises(FileError) as raised:
        await FileReaderProcess(command=(sys.executable, "-c", program)).picture(b"x")
    assert raised.value.code == "file.empty"
