"""The official conformance suite's client scenarios (core) against our own host layer, each a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.real_servers import CONFORMANCE, NODE, needs_servers

HERE = Path(__file__).parent
SCENARIOS = (
    *("initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"),
    *("auth/metadata-default", "auth/metadata-var1", "auth/metadata-var2", "auth/metadata-var3", "auth/basic-cimd"),
    *("auth/scope-from-www-authenticate", "auth/scope-from-scopes-supported", "auth/scope-omitted-when-undefined"),
    *("auth/scope-step-up", "auth/scope-retry-limit", "auth/token-endpoint-auth-basic"),
    *("auth/token-endpoint-auth-post", "auth/token-endpoint-auth-none", "auth/resource-mismatch"),
    "auth/pre-registration",
)
"""The suite ``core`` of the pinned version. The suite itself would start all of them at once."""
SAMPLE = frozenset({"auth/metadata-var2"})
"""Of the expected failures only these are tried without ``--long``: each takes some seconds to fail."""


def expected_failures() -> set[str]:
    lines = (HERE / "expected_failures.yml").read_text("utf-8").splitlines()
    return {line.strip().removeprefix("- ") for line in lines if line.strip().startswith("- ")}


pytestmark = [needs_servers, pytest.mark.timeout(150)]


def passes(scenario: str, folder: Path) -> tuple[bool, str]:
    """Run the scenario; returns whether all its checks passed, and what the suite printed."""
    command = f'"{sys.executable}" "{HERE / "client.py"}"'
    options = ["--command", command, "--scenario", scenario, "--timeout", "100000", "-o", str(folder)]
    done = subprocess.run(
        [str(NODE), str(CONFORMANCE), "client", *options], capture_output=True, text=True, timeout=140, check=False
    )
    return done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: str, tmp_path: Path, long_run: bool) -> None:
    is_expected_to_fail = scenario in expected_failures()
    if is_expected_to_fail and not long_run and scenario not in SAMPLE:
        pytest.skip("expected to fail; tried with --long")
    passed, output = passes(scenario, tmp_path)
    assert passed is not is_expected_to_fail, output[-6_000:]


def test_the_list_of_expected_failures_names_scenarios_of_the_suite() -> None:
    assert expected_failures() <= set(SCENARIOS)
    listed = subprocess.run([str(NODE), str(CONFORMANCE), "list"], capture_output=True, text=True, check=True).stdout
    assert {scenario for scenario in SCENARIOS if f"- {scenario}" not in listed} == set()
