"""What ``serve`` takes on the command line, and that a token that is named must be there."""

import asyncio
from pathlib import Path

import pytest

from desktop.app.headless.serve import serve
from desktop.app.options import ApproveRule, ElicitRule, ServeCommand, parse
from desktop.core.errors import SettingsError


def parsed(*arguments: str) -> ServeCommand:
    command = parse(["serve", *arguments])
    assert isinstance(command, ServeCommand)
    return command


def test_without_options_nothing_is_approved_and_the_usual_port_is_taken() -> None:
    command = parsed()
    assert (command.port, command.token_env) == (8020, "")
    assert (command.approve, command.elicit) == (ApproveRule.REFUSE, ElicitRule.DECLINE)


@pytest.mark.parametrize("arguments", [("--port", "80"), ("--port", "65536"), ("--port", "x"), ("--host", "0.0.0.0")])
def test_what_it_does_not_take_is_wrong_use(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["serve", *arguments])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_a_token_that_is_named_must_be_there(tmp_path: Path) -> None:
    command = parsed("--data-dir", str(tmp_path / "data"), "--token-env", "THREADWELL_NOT_THERE")
    with pytest.raises(SettingsError) as raised:
        asyncio.run(serve(command))
    assert raised.value.code == "api.no_token"
    assert not (tmp_path / "data").exists()
