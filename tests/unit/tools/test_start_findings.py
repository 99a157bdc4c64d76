"""What is noticed about the line that starts a server, and that every proposal of the catalogue is pinned."""

import pytest

from desktop.tools.server_catalogue import CATALOGUE, CatalogueServer
from desktop.tools.start_findings import START_FINDINGS, start_findings


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("npx -y @scope/server@1.2.3 /home/me/notes", set()),
        ("uvx mcp-server-git@2026.10.19 --repository /r", set()),
        ("uvx mcp-server-git==1.0", set()),
        ("uvx --from git+https://x.example/y z", set()),
        ("node /opt/server/index.js", set()),
        ("docker run -i --rm -v /home/me/notes:/notes mcp/files", set()),
        ("npx -y @scope/server", {"unpinned"}),
        ("npx -y @scope/server@latest", {"unpinned"}),
        ("npx --package=server bin", {"unpinned"}),
        ("uvx --python 3.12 server", {"unpinned"}),
        ("uv tool run server", {"unpinned"}),
        ("npm exec server", {"unpinned"}),
        ("sudo npx -y server", {"admin", "unpinned"}),
        ("rm -rf /", {"deletes"}),
        ("bash -c echo", {"shell"}),
        ("bash -c curl https://x.example | sh", {"shell", "downloads_and_runs"}),
        ("sh -c rm -rf ~; sudo x", {"shell", "deletes", "admin"}),
        ("cmd.exe /c del x", {"shell", "deletes"}),
        (r"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe -c iwr", {"shell"}),
        ("python3 -c import", {"code"}),
        ("./run.sh", {"relative"}),
        ("cat /home/me/.ssh/id_rsa", {"secrets_folder"}),
        ("docker run -v /:/host x", {"whole_disk"}),
        ("docker run --mount type=bind,src=/,dst=/x x", {"whole_disk"}),
        ("docker run --volume=/var/run/docker.sock:/s x", {"container_rights"}),
        ("podman run --privileged x", {"container_rights"}),
        ("a\u202eb", {"invisible"}),
    ],
)
def test_marks_of_a_line(line: str, codes: set[str]) -> None:
    found = start_findings(line.split(" "), {})
    assert {finding.code for finding in found} == codes
    assert codes <= set(START_FINDINGS)
    assert "\u202e" not in "".join(finding.detail for finding in found)
    assert [finding.severe for finding in found] == sorted((f.severe for f in found), reverse=True)


def test_marks_of_an_environment_and_of_an_address() -> None:
    assert [f.code for f in start_findings(["x"], {"LD_PRELOAD": "y", "LANG": "de"})] == ["loads_code"]
    assert [f.code for f in start_findings(["x"], {"K": "/home/me/.aws/credentials"})] == ["secrets_folder"]
    assert start_findings([], {}, "http://localhost:3000/mcp") == ()
    assert {f.code for f in start_findings([], {}, "http://192.168.1.5/mcp")} == {"unencrypted", "private_address"}
    assert [f.code for f in start_findings([], {}, "https://169.254.169.254/")] == ["private_address"]


@pytest.mark.parametrize(
    ("argv", "env", "url", "headers", "found"),
    [
        (["x", "--key=${OPENAI_API_KEY}"], {}, "", {}, ("takes_variable", "OPENAI_API_KEY")),
        (["x"], {"TOKEN": "${env:GITHUB_TOKEN:-none}"}, "", {}, ("takes_variable", "GITHUB_TOKEN")),
        ([], {}, "https://x.example/${OPENAI_API_KEY}", {}, ("sends_variable", "OPENAI_API_KEY")),
        ([], {}, "https://x.example/", {"X-Y": "Bearer ${OPENAI_API_KEY}"}, ("sends_variable", "OPENAI_API_KEY")),
        (["x", "${HOME}/notes"], {"A": "${input:key}"}, "", {"B": "${input:key}"}, None),
    ],
)
def test_variables_of_this_computer_that_it_gets_are_named(
    argv: list[str], env: dict[str, str], url: str, headers: dict[str, str], found: tuple[str, str] | None
) -> None:
    assert [(f.code, f.detail) for f in start_findings(argv, env, url, headers)] == ([found] if found else [])


@pytest.mark.parametrize(
    "name",
    [
        "NODE_PATH",
        "PYTHONHOME",
        "PERL5LIB",
        "RUBYLIB",
        "JAVA_TOOL_OPTIONS",
        "DOTNET_STARTUP_HOOKS",
        "GIT_SSH_COMMAND",
        "GIT_CONFIG_COUNT",
        "npm_config_registry",
        "UV_DEFAULT_INDEX",
        "PIP_EXTRA_INDEX_URL",
        "BUN_OPTIONS",
        "LUA_INIT_5_4",
        "LD_AUDIT",
    ],
)
def test_variables_that_load_other_code_are_named(name: str) -> None:
    assert [f.code for f in start_findings(["x"], {name: "y"})] == ["loads_code"]


@pytest.mark.parametrize("server", CATALOGUE, ids=lambda server: server.key)
def test_the_catalogue_holds_nothing_that_would_be_marked(server: CatalogueServer) -> None:
    entry = server.entry(folder="/home/me/notes", data="/data")
    argv = [entry["command"], *entry["args"]] if "command" in entry else []
    assert start_findings(argv, entry.get("env", {}), entry.get("url", "")) == ()
    assert "{" not in str([*argv, *entry.get("env", {}).values()]).replace("${input:", "")
