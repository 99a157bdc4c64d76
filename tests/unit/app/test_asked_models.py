"""Which models a shell command names."""

import pytest

from desktop.app.options import AskCommand, WindowCommand, parse

ADDRESS = ("--base-url", "http://127.0.0.1:9/v1")


def test_each_model_that_is_named_is_asked() -> None:
    several = parse(["ask", "hi", *ADDRESS, "--model", "a", "--model", "b", "--model", "c"])
    assert isinstance(several, AskCommand)
    assert several.launch.endpoint is not None
    assert (several.launch.endpoint.model, several.launch.models_beside) == ("a", ("b", "c"))
    for one in (parse(["ask", "hi", *ADDRESS, "--model", "a"]), parse([*ADDRESS, "--model", "a"])):
        assert isinstance(one, AskCommand | WindowCommand)
        assert one.launch.endpoint is not None
        assert (one.launch.endpoint.model, one.launch.models_beside) == ("a", ())
    nobody = parse(["ask", "hi"])
    assert isinstance(nobody, AskCommand)
    assert (nobody.launch.endpoint, nobody.launch.models_beside) == (None, ())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "hi", "--model", "a", "--model", "b"], "--base-url"),
        (["ask", "hi", "--demo", "--model", "a"], "--demo"),
        (["ask", "hi", *ADDRESS], "needs --model"),
        (["ask", "hi", *ADDRESS, *(word for name in "abcdefg" for word in ("--model", name))], "at most 6 models"),
    ],
    ids=["no_address", "demo", "no_model", "too_many"],
)
def test_what_does_not_go_together_is_said(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        parse(arguments)
    assert end.value.code == 2
    assert words in capsys.readouterr().err
