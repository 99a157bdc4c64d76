"""Backups on a real WebDAV server: whole or not at all, in words where the server refuses, and never to anybody else."""

import os
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.core.backups import BackupError
from desktop.storage.backup.job import Job, StoppedError
from desktop.storage.backup.webdav import WebAddress, WebdavPlace
from tests.support.own_certificates import OwnAuthority
from tests.support.webdav_server import PASSWORD, USER, WebdavServer, webdav_server

NAME = "Threadwell-2026-11-30-1015.threadwell-backup"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WebdavServer]:
    with webdav_server(tmp_path / "dav") as running:
        yield running


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source"
    path.write_bytes(os.urandom(3_000_000))
    return path


def place_on(server: WebdavServer, password: str = PASSWORD) -> WebdavPlace:
    return WebdavPlace(WebAddress(url=server.url, user=USER, password=password))


def test_a_backup_goes_there_and_comes_back(server: WebdavServer, source: Path, tmp_path: Path) -> None:
    place = place_on(server)
    assert place.stored() == []
    assert place.store(source, NAME, Job()) == NAME
    assert place.store(source, NAME, Job()) == NAME.replace("1015", "1015-2")
    assert sorted(one.name for one in place.stored()) == sorted(
        path.name for path in (server.folder / "Backups").iterdir()
    )
    assert place.fetch(NAME, tmp_path / "fetched", Job()).read_bytes() == source.read_bytes()
    assert ("MOVE", f"/Backups/{NAME}.threadwell-unfinished") in server.asked
    place.remove(NAME, 1)
    assert len(place.stored()) == 2
    place.remove(NAME, 3_000_000)
    assert len(place.stored()) == 1


def test_where_it_may_not_be_renamed_it_is_stored_and_compared(server: WebdavServer, source: Path) -> None:
    server.answers["MOVE"] = "405 Method Not Allowed"
    assert place_on(server).store(source, NAME, Job()) == NAME
    assert [path.read_bytes() for path in (server.folder / "Backups").iterdir()] == [source.read_bytes()]


@pytest.mark.parametrize("move", ["", "405 Method Not Allowed"])
def test_what_the_server_keeps_otherwise_than_it_was_sent_is_no_backup(
    server: WebdavServer, source: Path, move: str
) -> None:
    if move:
        server.answers["MOVE"] = move
    for change in (lambda body: body[:-1], lambda body: b"x" + body[1:]):
        server.change = lambda _path, body, change=change: change(body)
        with pytest.raises(BackupError) as caught:
            place_on(server).store(source, NAME, Job())
        assert caught.value.code == "backup.not_sound"
        assert list((server.folder / "Backups").iterdir()) == []


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("401 Unauthorized", "web_unauthorized"),
        ("403 Forbidden", "web_forbidden"),
        ("413 Payload Too Large", "web_too_large"),
        ("423 Locked", "web_locked"),
        ("507 Insufficient Storage", "web_full"),
        ("500 Internal Server Error", "web_failed"),
    ],
)
def test_each_refusal_has_its_words(server: WebdavServer, source: Path, status: str, code: str) -> None:
    server.answers["PUT"] = status
    with pytest.raises(BackupError) as caught:
        place_on(server).store(source, NAME, Job())
    assert caught.value.code == f"backup.{code}"
    assert PASSWORD not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_named(server: WebdavServer, source: Path) -> None:
    server.url += "/a/b/c"
    with pytest.raises(BackupError) as caught:
        place_on(server).store(source, NAME, Job())
    assert caught.value.code == "backup.web_not_found"


def test_a_wrong_password_and_no_network_are_told_apart(server: WebdavServer) -> None:
    with pytest.raises(BackupError) as caught:
        place_on(server, "wrong").try_out()
    assert caught.value.code == "backup.web_unauthorized"
    with pytest.raises(BackupError) as caught:
        WebdavPlace(WebAddress(url="http://127.0.0.1:9/x")).try_out()
    assert caught.value.code == "backup.web_unreachable"


def test_a_redirect_gets_neither_the_password_nor_the_backup(
    server: WebdavServer, source: Path, tmp_path: Path
) -> None:
    with webdav_server(tmp_path / "other") as other:
        server.answers["PROPFIND"] = "302 Found"
        server.headers = [("Location", other.url)]
        with pytest.raises(BackupError) as caught:
            place_on(server).store(source, NAME, Job())
        assert caught.value.code == "backup.web_redirected"
        assert other.asked == []


def test_a_stop_in_the_middle_leaves_nothing_there(server: WebdavServer, source: Path) -> None:
    job = Job(lambda progress: job.stop() if getattr(progress, "done", 0) > 1_000_000 else None)
    with pytest.raises(StoppedError):
        place_on(server).store(source, NAME, job)
    folder = server.folder / "Backups"
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://cloud.example/dav", "web_insecure"),
        ("ftp://cloud.example/dav", "web_address"),
        ("https://me:pw@cloud.example/dav", "web_address"),
        ("https://cloud.example/dav?x=1", "web_address"),
        ("https://[::1", "web_address"),
        ("", "web_address"),
    ],
)
def test_an_address_that_may_not_be_used_is_refused_before_anything_is_sent(url: str, code: str) -> None:
    with pytest.raises(BackupError) as caught:
        WebdavPlace(WebAddress(url=url))
    assert caught.value.code == f"backup.{code}"


def test_a_listing_that_names_other_folders_leads_nowhere(server: WebdavServer) -> None:
    (server.folder / "Backups").mkdir()
    (server.folder / "Backups" / "notes.txt").write_text("no backup")
    (server.folder / "Backups" / "folder.threadwell-backup").mkdir()
    assert place_on(server).stored() == []


def test_a_certificate_that_nobody_vouches_for_gets_nothing(tmp_path: Path, source: Path) -> None:
    authority = OwnAuthority(tmp_path)
    with webdav_server(tmp_path / "dav", certificate=authority.context("localhost")) as server:
        server.url = server.url.replace("127.0.0.1", "localhost")
        with pytest.raises(BackupError) as caught:
            place_on(server).store(source, NAME, Job())
        assert caught.value.code == "backup.web_certificate"
        assert server.asked == []
        trust = ssl.create_default_context(cafile=str(authority.bundle))
        place = WebdavPlace(WebAddress(url=server.url, user=USER, password=PASSWORD), trust=trust)
        assert place.store(source, NAME, Job()) == NAME
