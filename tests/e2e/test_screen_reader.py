"""The running program as a screen reader meets it: over AT-SPI, in another process, on a real display."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.displays import a11y_is_installed, session_bus, x_display
from tests.support.source_tree import ROOT

pytest.importorskip("jeepney", reason="jeepney, which speaks D-Bus for the test, is not installed")

from tests.support.atspi import ENABLED, FOCUSABLE, AtSpi, Node, Reference

POLITE, ASSERTIVE = 1, 2


@dataclass
class Reader:
    """The screen reader in front of the program."""

    bus: AtSpi
    program: Reference

    def showing(self) -> list[Node]:
        return self.bus.showing(self.program)

    def wait_for(self, role: str, name: str, *, ending: str = "", enabled: bool = False) -> Node:
        """The object of this role whose name begins with ``name``, as soon as it can be seen, and used."""

        def fits(node: Node) -> bool:
            is_called = node.role == role and node.name.startswith(name) and node.name.endswith(ending)
            return is_called and (node.has(ENABLED) or not enabled)

        return self.bus.until(lambda: next(filter(fits, self.showing()), None), f"{role} {name} {ending}")

    def press(self, role: str, name: str) -> None:
        self.bus.press(self.wait_for(role, name, enabled=True).reference)

    def check_names(self) -> None:
        """Whatever can take the focus says what it is."""
        nodes = self.showing()
        assert sum(node.has(FOCUSABLE) for node in nodes) > 5
        assert [(node.role, node.description) for node in nodes if node.has(FOCUSABLE) and not node.name.strip()] == []

    def order(self, *names: str) -> list[str]:
        """Which of these names can be seen, in the order of reading."""
        seen = [node.name for node in self.showing()]
        fitting = [[name for name in names if said.startswith(name)] for said in seen]
        return [max(names, key=len) for names in fitting if names]  # "Messages" is no "Message"

    def said(self, beginning: str) -> list[tuple[str, int]]:
        return [said for said in self.bus.announcements if said[0].startswith(beginning)]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    if not a11y_is_installed():
        pytest.skip("at-spi2-core is not installed")
    with x_display() as display, session_bus({"DISPLAY": display}) as session:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "DBUS_SESSION_BUS_ADDRESS": session,
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        command = [sys.executable, "-m", "desktop", "--language", "en", "--data-dir", str(tmp_path / "data")]
        bus = AtSpi(session)  # first, so that the program finds a registry that stays
        program = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
        try:
            yield Reader(bus, bus.until(bus.applications, "the program is there")[0])
        finally:
            bus.close()
            program.terminate()
            _, errors = program.communicate(timeout=30)
    assert program.returncode == 0, errors


def test_a_first_answer_with_a_tool_by_screen_reader(reader: Reader) -> None:
    reader.wait_for("push button", "Try the demo model")
    reader.check_names()
    reader.press("push button", "Try the demo model")
    message = reader.wait_for("text", "Message")
    reader.check_names()
    parts = ("Search in titles", "Settings", "Tool servers", "Messages", "Message", "Send")
    assert reader.order(*parts) == list(parts)

    reader.bus.write(message.reference, "run `echo sentinel`")
    reader.press("push button", "Send")
    reader.wait_for("push button", "Allow once", enabled=True)
    reader.check_names()
    ((question, politeness),) = reader.said("Your answer is needed")
    assert "Run a command" in question
    assert politeness == ASSERTIVE
    reader.wait_for("check box", "Tool Run a command", ending="Waiting for your approval, closed")
    reader.press("push button", "Allow once")

    reader.wait_for("push button", "Copy answer")
    reader.bus.until(lambda: reader.said("Answer finished: "), "the answer is announced")
    reader.check_names()
    order = (
        "You said: run `echo sentinel`",
        "Answer from Demo model: ",
        "Tool Run a command",
        "Code, text",
        "Copy answer",
    )
    assert reader.order(*order) == list(order)
    assert "Done" in reader.wait_for("check box", "Tool Run a command").name
    assert "sentinel" in reader.bus.text(reader.wait_for("text", "Code, text").reference)
    assert [politeness for _, politeness in reader.said("Answer")] == [POLITE], "once, not with every piece"
    reader.press("push button", "Settings")
    reader.wait_for("list", "Pages of the settings")
    reader.check_names()
