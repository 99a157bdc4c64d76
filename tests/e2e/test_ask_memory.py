"""The second front end remembers, too: by words alone, what was said in an earlier chat goes with the next question."""

from pathlib import Path

from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.shell_app import ShellApp


def test_a_shell_is_told_what_was_said_in_another_chat(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data", tools=False)
    with LoopbackEndpoint([[text("Noted.")], [text("Your aunt.")]]) as endpoint:
        given = ["--base-url", endpoint.base_url, "--model", "test-model"]
        first = app.run("ask", "My aunt keeps bees on the roof of the library.", *given)
        second = app.run("ask", "Who keeps bees on the roof?", "--thread", "new", "--json", *given)
    assert (first.status, second.status) == (0, 0), second.err
    question = endpoint.chats[-1].last_user_text
    block, _, typed = question.rpartition("</memory>\n\n")
    assert typed == "Who keeps bees on the roof?"
    assert "My aunt keeps bees on the roof of the library." in block
    (recalled,) = second.of_kind("recalled")
    assert [ref["kind"] for ref in recalled["recall"]["found"]][:1] == ["message"]
    assert recalled["recall"]["had_meaning"] is False
    thread = app.threads()[0]
    assert [line["text"] for line in app.show(thread["id"])] == ["Who keeps bees on the roof?", "Your aunt."]
