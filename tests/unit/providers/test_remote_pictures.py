"""A picture from the web: fetched once, from public addresses alone, and nothing but pixels is taken of it."""

import pytest
from PySide6.QtGui import QImage

from desktop.core.address_reach import Address
from desktop.core.errors import FileError
from desktop.providers.remote_pictures import MOST_BYTES, WebPictures
from desktop.storage.file_reader import FileReaderProcess
from tests.support.files_to_attach import GPS_WORDS, picture_bytes, with_exif
from tests.support.picture_server import picture_server


def anywhere(_address: Address) -> bool:
    return True


async def test_a_picture_is_fetched_without_anything_that_tells_of_the_chat_and_made_plain() -> None:
    async with picture_server() as server:
        server.answers["/a.jpg"] = (302, {"Location": "/b"}, b"")
        server.answers["/b"] = (200, {"Content-Type": "text/html"}, with_exif(picture_bytes("JPEG")))
        fetched = await WebPictures(FileReaderProcess(), allowed=anywhere, proxies={}).fetch(server.address("/a.jpg"))
    assert (fetched.width, fetched.height) == (60, 40)
    assert not QImage.fromData(fetched.data).isNull()
    assert GPS_WORDS not in fetched.data
    assert len(server.asked) == 2
    for request in server.asked:
        assert "cookie" not in request.lower()
        assert "referer" not in request.lower()


async def test_this_computer_and_private_networks_are_never_asked() -> None:
    async with picture_server() as server:
        server.answers["/a.png"] = (200, {}, picture_bytes("PNG"))
        for address in (server.address("/a.png"), "http://192.168.0.1/a.png", "http://169.254.169.254/a.png"):
            with pytest.raises(FileError) as caught:
                await WebPictures(FileReaderProcess(), proxies={}).fetch(address)
            assert caught.value.code == "file.remote_refused"
    assert server.asked == []


async def test_no_redirect_leads_to_a_private_address() -> None:
    async with picture_server() as server:
        server.answers["/a.png"] = (302, {"Location": "http://127.0.0.2:1/b.png"}, b"")
        pictures = WebPictures(FileReaderProcess(), allowed=lambda each: str(each) == "127.0.0.1", proxies={})
        with pytest.raises(FileError) as caught:
            await pictures.fetch(server.address("/a.png"))
    assert caught.value.code == "file.remote_refused"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((404, {}, b""), "file.remote_not_loaded"),
        ((200, {"Content-Type": "image/png"}, b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "file.picture_unreadable"),
        ((200, {"Content-Type": "image/png"}, b"<html>no picture</html>"), "file.picture_unreadable"),
        ((200, {}, b"\0" * (MOST_BYTES + 1)), "file.remote_not_loaded"),
        ((302, {"Location": "file:///etc/passwd"}, b""), "file.remote_not_loaded"),
        ((302, {"Location": "/a.png"}, b""), "file.remote_not_loaded"),
    ],
)
async def test_what_is_no_picture_is_said(answer: tuple[int, dict[str, str], bytes], code: str) -> None:
    async with picture_server() as server:
        server.answers["/a.png"] = answer
        with pytest.raises(FileError) as caught:
            await WebPictures(FileReaderProcess(), allowed=anywhere, proxies={}).fetch(server.address("/a.png"))
    assert caught.value.code == code
