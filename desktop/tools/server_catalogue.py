"""Well-known servers to begin with: what each does and needs, and the exact line, with a version that was looked at.

The UI translates the words (context ``catalogue``). An entry is a proposal like any other: its line is shown and agreed
to before anything is fetched or started.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop.core.error_text import QT_TRANSLATE_NOOP

FOLDER = "{folder}"
"""Stands in a line for the folder that the user chooses."""
DATA = "{data}"
"""Stands in a line for a folder of the app's own, in which the server keeps its data."""


@dataclass(frozen=True, kw_only=True)
class CatalogueServer:
    """``line`` begins with the program; ``secret`` is a value of the environment, or of a header, that it needs."""

    key: str
    words: str
    line: tuple[str, ...] = ()
    url: str = ""
    env: tuple[tuple[str, str], ...] = ()
    secret: str = ""

    @property
    def program(self) -> str:
        """What must be there to start it; empty for a web address."""
        return self.line[0] if self.line else ""

    @property
    def needs_folder(self) -> bool:
        return FOLDER in self.line

    def entry(self, *, folder: str = "", data: str = "") -> dict[str, Any]:
        """Return the entry for the settings."""
        if self.url:
            headers = {"Authorization": f"Bearer ${{input:{self.secret}}}"} if self.secret else {}
            return self._with_secret({"type": "http", "url": self.url, **({"headers": headers} if headers else {})})
        filled = [word.replace(FOLDER, folder).replace(DATA, data) for word in self.line]
        env: Mapping[str, str] = {name: value.replace(DATA, data) for name, value in self.env}
        if self.secret:
            env = {**env, self.secret: f"${{input:{self.secret}}}"}
        entry: dict[str, Any] = {"command": filled[0], "args": filled[1:]}
        return self._with_secret({**entry, "env": env} if env else entry)

    def _with_secret(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {**entry, "inputs": {self.secret: {"password": True}}} if self.secret else entry


def _npx(package: str, *arguments: str) -> tuple[str, ...]:
    return ("npx", "-y", package, *arguments)


def _uvx(package: str, *arguments: str) -> tuple[str, ...]:
    return ("uvx", package, *arguments)


CATALOGUE: tuple[CatalogueServer, ...] = (
    CatalogueServer(
        key="filesystem",
        words=QT_TRANSLATE_NOOP("catalogue", "Reads, writes and searches files in one folder that you choose."),
        line=_npx("@modelcontextprotocol/server-filesystem@2026.8.31", FOLDER),
    ),
    CatalogueServer(
        key="fetch",
        words=QT_TRANSLATE_NOOP("catalogue", "Fetches a web page and gives the model its text."),
        line=_uvx("mcp-server-fetch@2026.10.24"),
    ),
    CatalogueServer(
        key="git",
        words=QT_TRANSLATE_NOOP("catalogue", "Reads and changes a Git repository: status, history, commits."),
        line=_uvx("mcp-server-git@2026.10.19", "--repository", FOLDER),
    ),
    CatalogueServer(
        key="time",
        words=QT_TRANSLATE_NOOP("catalogue", "Tells the time in any time zone and converts between them."),
        line=_uvx("mcp-server-time@2026.10.19"),
    ),
    CatalogueServer(
        key="memory",
        words=QT_TRANSLATE_NOOP("catalogue", "Remembers facts between chats, in a file on this computer."),
        line=_npx("@modelcontextprotocol/server-memory@2026.8.31"),
        env=(("MEMORY_FILE_PATH", f"{DATA}/memory.jsonl"),),
    ),
    CatalogueServer(
        key="sequential-thinking",
        words=QT_TRANSLATE_NOOP("catalogue", "Lets the model think a problem through in numbered steps."),
        line=_npx("@modelcontextprotocol/server-sequential-thinking@2026.8.31"),
    ),
    CatalogueServer(
        key="playwright",
        words=QT_TRANSLATE_NOOP("catalogue", "Drives a web browser: opens pages, clicks, fills in forms."),
        line=_npx("@playwright/mcp@0.0.83"),
    ),
    CatalogueServer(
        key="chrome-devtools",
        words=QT_TRANSLATE_NOOP("catalogue", "Looks into pages with Chrome’s developer tools: speed, errors, network."),
        line=_npx("chrome-devtools-mcp@1.11.0"),
    ),
    CatalogueServer(
        key="context7",
        words=QT_TRANSLATE_NOOP("catalogue", "Looks up the present documentation of programming libraries."),
        line=_npx("@upstash/context7-mcp@4.1.1"),
    ),
    CatalogueServer(
        key="duckduckgo",
        words=QT_TRANSLATE_NOOP("catalogue", "Searches the web with DuckDuckGo; needs no key."),
        line=_uvx("duckduckgo-mcp-server@0.7.0"),
    ),
    CatalogueServer(
        key="tavily",
        words=QT_TRANSLATE_NOOP("catalogue", "Searches the web with Tavily, with a key from tavily.com."),
        line=_npx("tavily-mcp@0.2.22"),
        secret="TAVILY_API_KEY",
    ),
    CatalogueServer(
        key="notion",
        words=QT_TRANSLATE_NOOP("catalogue", "Reads and writes pages of your Notion, with a token from Notion."),
        line=_npx("@notionhq/notion-mcp-server@2.5.2"),
        secret="NOTION_TOKEN",
    ),
    CatalogueServer(
        key="github",
        words=QT_TRANSLATE_NOOP(
            "catalogue", "Works with repositories, issues and pull requests on GitHub, with a token."
        ),
        url="https://api.githubcopilot.com/mcp/",
        secret="GITHUB_TOKEN",
    ),
    CatalogueServer(
        key="excel",
        words=QT_TRANSLATE_NOOP("catalogue", "Creates, reads and changes Excel workbooks without Excel."),
        line=_uvx("excel-mcp-server@2.2.2", "stdio"),
    ),
    CatalogueServer(
        key="arxiv",
        words=QT_TRANSLATE_NOOP("catalogue", "Finds scientific papers on arXiv and reads them."),
        line=_uvx("arxiv-mcp-server@0.8.2"),
    ),
    CatalogueServer(
        key="everything",
        words=QT_TRANSLATE_NOOP("catalogue", "Shows all that a tool server can do; for trying things out."),
        line=_npx("@modelcontextprotocol/server-everything@2026.8.31"),
    ),
)
