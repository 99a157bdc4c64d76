"""The report for a bug: what is planted in settings and logs is not in it, what helps is."""

import dataclasses
from pathlib import Path

import pytest

from desktop.core.settings import AgentSettings, BackupSettings, EndpointSettings, Settings
from desktop.ui.state.problem_report import MOST_LOG_LINES, log_lines, problem_report, settings_lines

SECRETS = (
    "sk-live-0123456789abcdef0123456789abcdef",
    "my-own-host.example",
    "Project Raven",
    "you are a pirate",
    "/home/mira/letters",
    "mira@example.com",
    "raven-server",
    "dav.example.net",
)
SETTINGS = Settings(
    endpoints=(
        EndpointSettings(
            id="a",
            name="Project Raven",
            base_url="https://my-own-host.example/v1?key=sk-live-0123456789abcdef0123456789abcdef",
            model="raven-server",
        ),
        EndpointSettings(id="b", name="x", base_url="http://127.0.0.1:11434/v1", model="m", models=("m", "n")),
    ),
    endpoint_id="b",
    agent=AgentSettings(system_prompt="you are a pirate", workspace="/home/mira/letters"),
    backup=BackupSettings(
        folder="/home/mira/letters", web_address="https://dav.example.net", web_user="mira@example.com"
    ),
    mcp_servers={
        "raven-server": {"command": "/opt/npx", "args": ["--token", SECRETS[0]], "env": {"KEY": SECRETS[0]}},
        "remote": {
            "url": "https://my-own-host.example/mcp",
            "headers": {"Authorization": SECRETS[0]},
            "disabled": True,
        },
        "own": {"command": "/home/mira/letters/raven-server.exe"},
        "odd": 7,
    },
)
LOG = """2026-11-30 10:00:00,123 INFO desktop.app.window: opened 'Project Raven' in /home/mira/letters
2026-11-30 10:00:01,000 WARNING httpx: GET https://my-own-host.example/v1 said "you are a pirate"
2026-11-30 10:00:02,000 WARNING desktop.app.error_reporter: model.refused(detail='you are a pirate', url='x')
2026-11-30 10:00:03,000 WARNING desktop.core.x: https://my-own-host.example failed with sk-live-0123456789abcdef0123456789abcdef
2026-11-30 10:00:04,000 ERROR desktop.app.error_reporter: uncaught ValueError
Traceback (most recent call last):
  File "/home/mira/letters/desktop/agent/loop.py", line 12, in run
    raise ValueError("you are a pirate")
ValueError: you are a pirate
Project Raven stands alone on this line
"""


def test_nothing_that_somebody_wrote_is_in_the_report() -> None:
    lines = LOG.splitlines()
    report = problem_report(["Threadwell 1"], ["platform: xcb"], SETTINGS, lines, lines)
    assert [secret for secret in SECRETS if secret in report] == []


def test_what_helps_is_in_it() -> None:
    report = problem_report(["Threadwell 1"], ["platform: xcb"], SETTINGS, LOG.splitlines(), [])
    for wanted in (
        "Threadwell 1",
        "platform: xcb",
        "  https, public, 0 models",
        "  http, loopback, 2 models, chosen",
        "  program, npx, on",
        "  web, https, public, off",
        "  program, another one, on",
        "own prompt yes, own folder yes",
        "WARNING httpx: (what other packages say is left out)",
        "desktop.app.error_reporter: model.refused\n",
        "desktop/agent/loop.py:12 run",
        "  ValueError\n",
    ):
        assert wanted in report, wanted


@pytest.mark.parametrize("line", ["", "x" * 9000, "\0\0\0", "2026-11-30 10:00 INFO", '  File "', "‮Error: x", "Error"])
def test_odd_lines_do_no_harm(line: str) -> None:
    assert all(len(each) <= 300 and "‮" not in each for each in log_lines([line]))


def test_only_the_end_of_a_long_log_is_taken() -> None:
    lines = [f"2026-11-30 10:00:00,123 INFO desktop.x: number {number}" for number in range(1000)]
    kept = log_lines(lines)
    assert len(kept) == MOST_LOG_LINES
    assert kept[-1].endswith("number 999")


def test_settings_that_were_added_later_are_not_in_it_by_themselves() -> None:
    """Every text of the settings is planted with a mark; only those that are named as harmless may come out."""
    marked = dataclasses.replace(SETTINGS, keys_to_forget=("Project Raven",), server_secrets=("Project Raven",))
    assert not any("Raven" in line for line in settings_lines(marked))
    assert Path.home().name not in settings_lines(SETTINGS)
