"""The web page reader against real servers on the loopback address, which only these tests let it reach."""

import gzip
import ipaddress
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.core.address_reach import Address
from desktop.core.page_text import decoded, readable
from desktop.mcp_client.bundled import bundled_command_server
from desktop.servers.page_reader import MAX_BYTES, PageError, PageReader
from desktop.tools.assessment import assess
from desktop.tools.entities import Verdict
from desktop.tools.policy import Circumstances, Reason, decide, is_harmless_tool
from desktop.tools.taint import TaintCause
from desktop.tools.text_flow import brings_text_in, is_outward
from desktop.tools.trust import BUNDLED_SERVER
from tests.support.mcp_world import mcp_world
from tests.support.network_guard import take_attempts
from tests.support.web_pages import answer, redirect, tunnel_proxy, web_pages

ARTICLE = """<!doctype html><html><head><title> Tea &amp;
 time </title><style>p{color:red}</style><script>var a = "<p>not this</p>";</script></head><body>
<nav><a href="/menu">Menu</a></nav><h1>How to make <em>tea</em></h1>
<p>Boil water, see <a href="../pot?a=1">the pot</a> or <a href="javascript:alert(1)">this</a>.<br>Wait.</p>
<ul><li>green<ul><li>sencha</ul><li>black</ul><ol start=3><li><p>pour</p><li>drink</ol>
<table><tr><th>Tea</th><th>Minutes</th></tr><tr><td><p>green</p></td><td>2</td></tr></table>
<pre><code>def tea():
    return "hot"</code></pre><p>Use <code>tea()</code>.</p><blockquote>Fine.</blockquote>
<p hidden>secret orders</p><div style="display: none">more <div>orders</div> here</div><p>End.<!-- nor this --></p>"""
READ = """# How to make tea

Boil water, see [the pot](http://a.example/pot?a=1) or this.
Wait.

- green
  - sencha
- black

3. pour

4. drink

Tea | Minutes
green | 2

```
def tea():
    return "hot"
```

Use `tea()`.

> Fine.

End."""


def on_loopback(address: Address) -> bool:
    return address == ipaddress.ip_address("127.0.0.1")


def reader(**proxies: str) -> PageReader:
    return PageReader(allowed=on_loopback, proxies=proxies)


def test_what_is_readable_of_a_page() -> None:
    page = readable(ARTICLE, "http://a.example/tea/")
    assert page.title == "Tea & time"
    assert page.text == READ


async def test_a_page_is_loaded_and_says_where_it_was() -> None:
    async with web_pages({"/tea": answer(ARTICLE)}) as web:
        text = await reader().read(web.url("/tea#part"))
        head = web.requests[0].lower()
    assert text.startswith(f"Address: {web.url('/tea')}#part\nTitle: Tea & time\n\n# How to make tea\n")
    assert "user-agent: threadwell/" in head
    assert f"host: 127.0.0.1:{web.port}" in head
    assert "#part" not in head


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("价格：十元".encode("gb18030"), "gb2312"),
        ("价格：十元".encode("gb18030"), ""),
        ("价格：十元".encode(), ""),
        ("价格：十元".encode("utf-16"), ""),
        ("價格：十元".encode("big5"), "Big5"),
        (b'<meta charset="GBK">' + "价格：十元".encode("gbk"), ""),
        ("Café à Paris".encode("latin-1"), "iso-8859-1"),
        ("Café à Paris".encode("latin-1"), ""),
        ("Привет".encode("koi8-r"), "koi8-r"),
        ("Привет".encode(), "unicode_escape"),
    ],
)
async def test_the_charset_is_found(body: bytes, declared: str) -> None:
    kind = "text/html" + (f"; charset={declared}" if declared else "")
    async with web_pages({"/": answer(body, kind)}) as web:
        text = await reader().read(web.url())
    assert text.rpartition("\n")[2] in ("价格：十元", "價格：十元", "Café à Paris", "Привет")


def test_a_character_that_was_cut_off_does_not_change_the_charset() -> None:
    assert decoded("价格：十元".encode()[:-1]) == "价格：十"


async def test_text_and_json_come_as_they_are() -> None:
    pages = {"/j": answer('{"a": "<b>1</b>"}', "application/json"), "/t": answer("a  <b>\n\tc", "text/plain")}
    async with web_pages(pages) as web:
        assert (await reader().read(web.url("/j"))).endswith('\n\n{"a": "<b>1</b>"}')
        assert (await reader().read(web.url("/t"))).endswith("\n\na  <b>\n\tc")


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer(b"%PDF-1.7", "application/pdf"), "PDF"),
        (answer(b"%PDF-1.7", "text/plain"), "PDF"),
        (answer(b"\x89PNG", "image/png"), "image/png"),
        (answer(b"a\0b", "text/plain"), "octet-stream"),
        (answer("x", status="404 Not Found"), "404"),
        (answer("x", Content_Encoding="br"), "br"),
        (answer(b"nothing packed", Content_Encoding="gzip"), "packed wrongly"),
        (b"no http at all\r\n\r\n", "could not be loaded"),
        (b"", "could not be loaded"),
    ],
)
async def test_what_is_no_page_is_told(page: bytes, why: str) -> None:
    async with web_pages({"/": page}) as web:
        with pytest.raises(PageError, match=why):
            await reader().read(web.url())


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a.example/", "tea", "http://", "", "http://u:p@a.example/"]
)
async def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(PageError):
        await PageReader().read(url)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "0.0.0.0", "10.0.0.1", "192.168.1.1"),
        *("172.16.0.1", "100.64.0.1", "169.254.169.254", "168.63.129.16", "[::1]", "[::]", "[::ffff:127.0.0.1]"),
        *("[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]"),
        *("[2002:7f00:1::]", "[::7f00:1]", "224.0.0.1", "255.255.255.255", "198.18.0.1"),
    ],
)
async def test_nothing_nearer_than_the_internet_is_connected_to(host: str) -> None:
    with pytest.raises(PageError, match="private network"):
        await PageReader().read(f"http://{host}:9/")
    assert take_attempts() == []


async def test_one_inner_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = _names(monkeypatch, ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(PageError, match="private network"):
        await PageReader().read("http://both.example/")
    assert (looked_up, take_attempts()) == (["both.example"], [])


async def test_the_address_that_was_checked_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with web_pages({"/": answer("<p>here")}) as web:
        looked_up = _names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
        text = await reader().read(web.url(host="turns.example"))
        assert text.endswith("here")
        assert f"host: turns.example:{web.port}" in web.requests[0].lower()
    assert looked_up == ["turns.example"]


def _names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let each look-up of a name get the next answer; numbers stand for themselves. Returns the names."""
    looked_up: list[str] = []
    original = socket.getaddrinfo

    def lookup(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
        if not str(host).endswith(".example"):
            return original(host, port, *arguments, **options)
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in answers[len(looked_up) - 1]]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return looked_up


async def test_redirects_are_followed_five_times_without_cookies_or_referrer() -> None:
    pages = {f"/{n}": redirect(f"/{n + 1}") for n in range(6)} | {"/6": answer("<p>there")}
    async with web_pages(pages) as web:
        assert (await reader().read(web.url("/1"))).startswith(f"Address: {web.url('/6')}\n")
        seen = "".join(web.requests).lower()
        assert "cookie" not in seen
        assert "referer" not in seen
        with pytest.raises(PageError, match="more than 5"):
            await reader().read(web.url("/0"))


async def test_a_redirect_is_checked_like_the_first_address() -> None:
    async with web_pages({"/": answer("inside")}, "127.0.0.2") as inner:
        pages = {"/in": redirect(inner.url(host="127.0.0.2")), "/file": redirect("file:///etc/passwd")}
        async with web_pages(pages) as web:
            with pytest.raises(PageError, match="private network"):
                await reader().read(web.url("/in"))
            with pytest.raises(PageError, match="http://"):
                await reader().read(web.url("/file"))
        assert inner.connections == 0


async def test_a_page_that_unpacks_without_end_is_cut() -> None:
    bomb = gzip.compress(b"<p>x</p>" * (8 * 2**20), 1)
    async with web_pages({"/": answer(bomb, "text/plain", Content_Encoding="gzip")}) as web:
        text = await reader().read(web.url(), 100)
    assert text.endswith(f"[Cut here: 100 of {MAX_BYTES} characters are shown.]")


async def test_a_proxy_is_told_the_checked_address_alone() -> None:
    async with web_pages({"/": answer("<p>through")}) as web, tunnel_proxy() as proxy:
        ours = reader(https=f"http://127.0.0.1:{proxy.port}")
        assert (await ours.read(web.url(host="localhost"))).endswith("through")
        assert proxy.asked == [f"CONNECT 127.0.0.1:{web.port} HTTP/1.1"]
        with pytest.raises(PageError, match="private network"):
            await PageReader(proxies={"https": f"http://127.0.0.1:{proxy.port}"}).read(web.url())
        assert len(proxy.asked) == 1


@pytest.mark.parametrize(
    ("proxy", "url", "why"),
    [
        ("socks5://127.0.0.1:9", "http://127.0.0.1:9/", "of a kind"),
        ("http://127.0.0.1:9", "http://nowhere.invalid:9/", "cannot be checked"),
    ],
)
async def test_a_proxy_through_which_nothing_can_be_checked_is_told(proxy: str, url: str, why: str) -> None:
    with pytest.raises(PageError, match=why):
        await reader(https=proxy).read(url)


async def test_a_proxy_that_refuses_is_told() -> None:
    async with tunnel_proxy(refuses=True) as proxy:
        with pytest.raises(PageError, match="refuses tunnels"):
            await reader(https=f"http://127.0.0.1:{proxy.port}").read("http://127.0.0.1:9/")


@pytest.mark.allowed_log("Error calling tool")
async def test_the_server_as_it_is_started_refuses_loopback_and_its_calls_are_asked_for(tmp_path: Path) -> None:
    async with web_pages({"/": answer("<p>inside")}) as web, mcp_world([bundled_command_server(tmp_path)]) as world:
        tool = next(t for t in await world.gateway.tools() if t.name == "fetch_page")
        for host in ("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]"):
            outcome = await world.call("fetch_page", url=web.url(host=host))
            assert (outcome.is_error, "private network" in outcome.text, web.connections) == (True, True, 0), host
        assert "100 to 100000" in (await world.call("fetch_page", url=web.url(), max_chars=5)).text
    arguments = {"url": "https://a.example"}
    around = Circumstances(trust=BUNDLED_SERVER, assessment=assess(tool, arguments, ""))
    decision = decide(tool, arguments, None, around)
    assert (decision.verdict, decision.reason, is_harmless_tool(tool)) == (Verdict.ASK, Reason.NO_GRANT, False)
    assert is_outward(tool, around.assessment, "none", around.trust)
    assert brings_text_in(tool, around.assessment, "none", around.trust) is TaintCause.WEB_PAGE


@pytest.mark.parametrize(
    "piece",
    [
        *("<!--", "<![CDATA[", "</", "<a ", "<", '<a x="', "<a x='", "<td> ", "<a href=/x>y<p>", "<div hidden>", "&#9"),
        *(
            "<ul><li>",
            "<title>",
            "<script>",
            "</script ",
            "<pre>a",
            "<a  ",
            "a = ",
            "<!-->",
            "<h1>",
            "<table><tr><td>a",
        ),
    ],
)
def test_a_page_of_one_piece_over_and_over_is_read_in_one_pass(piece: str) -> None:
    assert len(readable(piece * (300_000 // len(piece)), "http://a.example/").text) < 3_000_000


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(
                [*("<", ">", "</", "<a href=", "'", '"', "<li>", "<ul>", "</ul>", "<td>", "</td>", "<pre>")]
            ),
            st.sampled_from(
                [*("</pre>", "<h2>", "</h2>", "<a>", "</a>", "<br>", "<nav>", "</nav>", "&#", "<base href=//[>")]
            ),
        ),
        max_size=40,
    )
)
def test_no_page_is_too_odd(pieces: list[str]) -> None:
    page = readable("".join(pieces), "http://a.example/")
    assert "<nav>" not in page.title
