"""A folder of a WebDAV server as a place for backups: sent under another name, compared, then renamed there.

A server that refuses to rename gets the backup under its name at once; it is compared there, and deleted again where it is not
what was sent. Only what is sent through TLS leaves this computer, unless the user said otherwise for that address; the password
goes to no other host, and no redirect is followed.
"""

import base64
import contextlib
import http.client
import re
import socket
import ssl
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote, urlsplit

from desktop import __version__
from desktop.core.address_reach import Reach, said_reach
from desktop.core.backups import BACKUP_SUFFIX, BackupError, Stage
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.private_files import private
from desktop.storage.backup.archive import BLOCK, digest_of
from desktop.storage.backup.job import Job, StoppedError
from desktop.storage.backup.places import TEMPORARY, Stored

_PATIENCE_SECONDS = 60.0
_MOST_LISTING = 8_000_000
_LISTED = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop><d:getcontentlength/>'
    b"<d:getlastmodified/><d:resourcetype/></d:prop></d:propfind>"
)
_CODES = {
    401: "backup.web_unauthorized",
    403: "backup.web_forbidden",
    404: "backup.web_not_found",
    409: "backup.web_not_found",
    413: "backup.web_too_large",
    423: "backup.web_locked",
    507: "backup.web_full",
}
_CANNOT_MOVE = (400, 403, 404, 405, 409, 415, 500, 501, 502)


@dataclass(frozen=True, kw_only=True)
class WebAddress:
    """A folder of a server, and who asks there."""

    url: str
    user: str = ""
    password: str = field(default="", repr=False)
    allows_plain: bool = False


def address_problem(address: WebAddress) -> str:
    """Return the code of what keeps an address from being used; empty when nothing does."""
    try:
        parts = urlsplit(address.url)
        _ = parts.port
    except ValueError:
        return "backup.web_address"
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.username or parts.query or parts.fragment:
        return "backup.web_address"
    if parts.scheme == "http" and not address.allows_plain and said_reach(parts.hostname) is not Reach.LOOPBACK:
        return "backup.web_insecure"
    return ""


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class WebdavPlace:
    """See ``places.Place``."""

    def __init__(self, address: WebAddress, *, trust: ssl.SSLContext | None = None) -> None:
        problem = address_problem(address)
        if problem:
            raise BackupError(problem, url=address.url[:200])
        self._address, self._trust = address, trust
        parts = urlsplit(address.url)
        self._scheme, self._host, self._port = parts.scheme, parts.hostname or "", parts.port
        self._path = quote(parts.path, safe="/%~!$&'()*+,;=:@").rstrip("/") + "/"

    @property
    def shown(self) -> str:
        return self._address.url

    def store(self, source: Path, name: str, job: Job) -> str:
        self._sweep()
        taken = {one.name for one in self.stored()}
        final, number = name, 1
        while final in taken:
            number += 1
            final = f"{name.removesuffix(BACKUP_SUFFIX)}-{number}{BACKUP_SUFFIX}"
        unfinished = f"{final}{TEMPORARY}"
        try:
            self._put(source, unfinished, job)
            self._compare(source, unfinished, job)
            if self._move(unfinished, final):
                return final
            self._delete(unfinished)
        except BaseException:
            with contextlib.suppress(BackupError):
                self._delete(unfinished)
            raise
        try:
            self._put(source, final, job)
            self._compare(source, final, job)
        except BaseException:
            with contextlib.suppress(BackupError):
                self._delete(final)
            raise
        return final

    def stored(self) -> list[Stored]:
        return [one for one in self._listed() if one.name.endswith(BACKUP_SUFFIX)]

    def fetch(self, name: str, target: Path, job: Job) -> Path:
        with open(target, "xb", opener=private) as file:
            self._get(name, file, job, Stage.FETCHING)
        return target

    def remove(self, name: str, size: int) -> None:
        if any(one.name == name and one.size == size for one in self.stored()):
            self._delete(name)

    def try_out(self) -> None:
        probe = f"threadwell-probe{TEMPORARY}"
        answer = self._ask("PUT", probe, body=b"Threadwell")
        if answer.status in (404, 409):  # the folder is not there yet
            self._require(self._ask("MKCOL", ""), 201)
            answer = self._ask("PUT", probe, body=b"Threadwell")
        self._require(answer, 200, 201, 204)
        self._delete(probe)

    # -- what is asked

    def _put(self, source: Path, name: str, job: Job) -> None:
        size = source.stat().st_size
        answer = self._send(source, name, size, job)
        if answer.status in (404, 409):
            self._require(self._ask("MKCOL", ""), 201)
            answer = self._send(source, name, size, job)
        self._require(answer, 200, 201, 204)

    def _send(self, source: Path, name: str, size: int, job: Job) -> _Answer:
        with source.open("rb") as file:
            return self._ask("PUT", name, body=_Told(file, size, job), length=size)

    def _compare(self, source: Path, name: str, job: Job) -> None:
        """See that the server holds what was sent: its size, then all of it."""
        size = source.stat().st_size
        head = self._ask("HEAD", name)
        self._require(head, 200)
        said = head.headers.get("content-length", "")
        if said.isdigit() and int(said) != size:
            raise BackupError("backup.not_sound", detail=f"The server holds {said} bytes of {size}.")
        with source.open("rb") as file:
            expected = digest_of(file)
        if self._get(name, None, job, Stage.CHECKING) != expected:
            raise BackupError("backup.not_sound", detail="The server gave back something else than was sent.")

    def _get(self, name: str, target: IO[bytes] | None, job: Job, stage: Stage) -> tuple[int, str]:
        with self._asked("GET", name, {}, None) as response:
            if response.status != 200:
                self._require(_Answer(response.status, _headers(response), response.read(2_000)), 200)
            total = response.length or 0
            return digest_of(_Read(response, target), lambda read: job.tell(stage, read, total))

    def _move(self, name: str, final: str) -> bool:
        """Rename; False where the server does not do that."""
        url = f"{self._scheme}://{self._netloc}{self._path}{quote(final)}"
        answer = self._ask("MOVE", name, headers={"Destination": url, "Overwrite": "F"})
        if answer.status in _CANNOT_MOVE:
            return False
        self._require(answer, 200, 201, 204)
        return True

    def _delete(self, name: str) -> None:
        self._require(self._ask("DELETE", name), 200, 202, 204, 404)

    def _sweep(self) -> None:
        """Delete what a killed one left half sent."""
        for one in self._listed():
            if one.name.startswith("Threadwell-") and one.name.endswith(f"{BACKUP_SUFFIX}{TEMPORARY}"):
                with contextlib.suppress(BackupError):
                    self._delete(one.name)

    def _listed(self) -> list[Stored]:
        headers = {"Depth": "1", "Content-Type": "application/xml; charset=utf-8"}
        answer = self._ask("PROPFIND", "", headers=headers, body=_LISTED)
        if answer.status == 404:
            return []
        self._require(answer, 207)
        return list(_read_listing(answer.body, self.shown))

    # -- how it is asked

    @property
    def _netloc(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return host if self._port is None else f"{host}:{self._port}"

    def _ask(
        self,
        method: str,
        name: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: "bytes | _Told | None" = None,
        length: int | None = None,
    ) -> _Answer:
        sent = dict(headers or {})
        if length is not None:
            sent["Content-Length"] = str(length)
        with self._asked(method, name, sent, body) as response:
            content = b"" if method == "HEAD" else response.read(_MOST_LISTING)
            return _Answer(response.status, _headers(response), content)

    @contextlib.contextmanager
    def _asked(
        self, method: str, name: str, headers: Mapping[str, str], body: "bytes | _Told | None"
    ) -> Iterator[http.client.HTTPResponse]:
        connection = self._connection()
        sent = {"User-Agent": f"Threadwell/{__version__}", "Accept-Encoding": "identity", **headers}
        if self._address.user or self._address.password:
            both = f"{self._address.user}:{self._address.password}".encode()
            sent["Authorization"] = f"Basic {base64.b64encode(both).decode()}"
        try:
            with _in_words(self.shown):
                # It may say no before it has heard all; then its answer says why.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    connection.request(method, f"{self._path}{quote(name)}", body, sent)
                with contextlib.closing(connection.getresponse()) as response:
                    if 300 <= response.status < 400:
                        raise BackupError("backup.web_redirected", url=self.shown, place=_place(response))
                    yield response
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if self._scheme == "http":
            return http.client.HTTPConnection(self._host, self._port, timeout=_PATIENCE_SECONDS)
        trust = self._trust or ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=_PATIENCE_SECONDS, context=trust)

    def _require(self, answer: _Answer, *expected: int) -> None:
        if answer.status not in expected:
            code = _CODES.get(answer.status, "backup.web_failed")
            raise BackupError(code, url=self.shown, status=answer.status)


class _Told:
    """A body that says how far it is, and ends where the work was stopped."""

    def __init__(self, file: IO[bytes], total: int, job: Job) -> None:
        self._file, self._total, self._job = file, total, job
        self._done = 0

    def read(self, size: int = BLOCK) -> bytes:
        block = self._file.read(size)
        self._done += len(block)
        self._job.tell(Stage.SENDING, self._done, self._total)
        return block


class _Read:
    """An answer, whose content is written to a file while it is read."""

    def __init__(self, response: http.client.HTTPResponse, target: IO[bytes] | None) -> None:
        self._response, self._target = response, target

    def read(self, size: int = BLOCK) -> bytes:
        block = self._response.read(size)
        if self._target is not None:
            try:
                self._target.write(block)
            except OSError as error:
                raise StorageError.of_unwritten(error) from error
        return block


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _place(response: http.client.HTTPResponse) -> str:
    host = urlsplit(response.getheader("Location") or "").hostname or ""
    return re.sub(r"[^\w.:-]", "", host)[:100] or "?"


@contextlib.contextmanager
def _in_words(url: str) -> Iterator[None]:
    try:
        yield
    except (ThreadwellError, StoppedError):
        raise
    except ssl.SSLCertVerificationError as error:
        raise BackupError("backup.web_certificate", url=url, detail=error.verify_message) from error
    except (TimeoutError, socket.gaierror, ConnectionError, http.client.HTTPException, OSError) as error:
        detail = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise BackupError("backup.web_unreachable", url=url, detail=f"{detail}."[:200]) from error


def _read_listing(body: bytes, url: str) -> Iterator[Stored]:
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:  # a listing needs neither
        raise BackupError("backup.web_failed", url=url, status=207)
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        raise BackupError("backup.web_failed", url=url, status=207) from error
    for entry in root.iter("{DAV:}response"):
        href = entry.findtext("{DAV:}href") or ""
        name = unquote(urlsplit(href.strip()).path.rstrip("/").rpartition("/")[2])
        size = next((one.text or "" for one in entry.iter("{DAV:}getcontentlength")), "")
        if any(True for _ in entry.iter("{DAV:}collection")) or not name or not size.isdigit():
            continue
        yield Stored(name=name, size=int(size), modified_at=_time(entry))


def _time(entry: ElementTree.Element) -> datetime | None:
    text = next((one.text or "" for one in entry.iter("{DAV:}getlastmodified")), "")
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
