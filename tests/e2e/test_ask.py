"""The second front end on real parts: a child process, a real SQLite file, the real bundled server, a real endpoint."""

import dataclasses
from pathlib import Path

import pytest

from desktop.app.container import open_container
from desktop.app.options import LaunchOptions
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import TaskSupervisor
from desktop.tools.entities import ApprovalAnswer, Choice
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, call, finish, status, text, thinking
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.shell_app import ShellApp

COMMAND = "command__execute_command_local"


@pytest.fixture
def app(tmp_path: Path) -> ShellApp:
    return ShellApp(tmp_path / "数据 folder")


@pytest.fixture
def talker(tmp_path: Path) -> ShellApp:
    """For what has nothing to do with tools."""
    return ShellApp(tmp_path / "数据 folder", tools=False)


def at(endpoint: LoopbackEndpoint) -> list[str]:
    return ["--base-url", endpoint.base_url, "--model", "test-model"]


def test_events_are_told_in_order_and_the_thread_is_stored(app: ShellApp) -> None:
    with LoopbackEndpoint([[thinking("let me think"), text("你好，", piece_chars=1), text("世界")]]) as endpoint:
        done = app.run("ask", "问候一下", "--json", *at(endpoint))
    assert done.status == 0, done.err
    assert [line["seq"] for line in done.lines] == list(range(len(done.lines)))
    assert done.lines[-1]["kind"] == "done"
    assert done.lines[-1]["reason"] == "completed"
    assert done.lines[-1]["usage"]["output_tokens"] is not None
    assert "".join(event["delta"] for event in done.of_kind("thinking")) == "let me think"
    assert done.answer == "你好，世界"
    (thread,) = app.threads()
    assert thread["title"] == "问候一下"
    assert {line["thread_id"] for line in done.lines} == {thread["id"]}
    user, answer = app.show(thread["id"])
    assert (user["role"], user["text"]) == ("user", "问候一下")
    assert (answer["role"], answer["text"]) == ("assistant", "你好，世界")
    assert endpoint.problems == []
    assert "authorization" not in endpoint.chats[0].headers


@pytest.mark.parametrize(
    ("rule", "results"),
    [
        ("refuse", ["User denied command execution.", "User denied command execution."]),
        ("once", ["one", "User denied command execution."]),
        ("all", ["one", "two"]),
    ],
)
def test_commands_run_only_as_the_rule_allows(app: ShellApp, tmp_path: Path, rule: str, results: list[str]) -> None:
    script = [
        [call(COMMAND, {"command": f"echo one; touch '{tmp_path}/one'"})],
        # What the model says about asking is of no weight.
        [call(COMMAND, {"command": f"echo two; touch '{tmp_path}/two'", "is_need_user_check": False})],
        [text("done")],
    ]
    with LoopbackEndpoint(script) as endpoint:
        done = app.run("ask", "run two commands", "--json", "--approve", rule, *at(endpoint))
    assert done.status == 0, done.err
    for event, wanted in zip(done.of_kind("tool_result"), results, strict=True):
        assert wanted in event["text"]
    assert [(tmp_path / name).exists() for name in ("one", "two")] == [name in results for name in ("one", "two")]
    states = [event["state"] for event in done.of_kind("tool_call")]
    assert states[:2] == ["proposed", "waiting_approval"]
    assert ("denied" in states) == (rule != "all")
    assert endpoint.problems == []


@pytest.mark.parametrize(
    ("rule", "words"), [("decline", "declined"), ("cancel", "cancelled"), ("defaults", "declined")]
)
def test_forms_are_answered_by_the_rule(app: ShellApp, rule: str, words: str) -> None:
    question = call("command__ask_user", {"question": "Which?", "choices": ["tea", "coffee"]})
    with LoopbackEndpoint([[question], [text("ok")]]) as endpoint:
        done = app.run("ask", "ask me", "--json", "--elicit", rule, *at(endpoint))
    (result,) = done.of_kind("tool_result")
    assert words in result["text"]


def test_a_thread_goes_on(talker: ShellApp) -> None:
    def answer(request: RecordedRequest) -> list[Step]:
        return [text(f"{len(request.messages)} messages")]

    with LoopbackEndpoint(answer) as endpoint:
        first = talker.run("ask", "one", "--json", *at(endpoint))
        thread_id = first.lines[0]["thread_id"]
        second = talker.run("ask", "two", "--json", "--thread", "last", *at(endpoint))
        third = talker.run("ask", "three", "--json", "--thread", thread_id, *at(endpoint))
        other = talker.run("ask", "other", "--json", *at(endpoint))
    assert [done.answer for done in (first, second, third, other)] == [
        "1 messages",
        "3 messages",
        "5 messages",
        "1 messages",
    ]
    assert len(talker.threads()) == 2


def answered_by_name(request: RecordedRequest) -> list[Step]:
    model = request.body["model"]
    return [status(404, {"error": {"message": "no such model"}})] if model == "third" else [text(f"I am {model}")]


def test_several_models_answer_one_after_the_other_on_the_screen(talker: ShellApp) -> None:
    with LoopbackEndpoint(answered_by_name) as endpoint:
        several = [*at(endpoint), "--model", "second", "--model", "test-model"]
        done = talker.run("ask", "who?", *several)
        assert done.status == 0, done.err
        assert done.out == "## test-model\n\nI am test-model\n\n## second\n\nI am second\n"
        (thread,) = talker.threads()
        assert [message["text"] for message in talker.show(thread["id"])] == ["who?", "I am test-model"]

        done = talker.run("ask", "and now?", "--thread", "last", "--json", *several, "--model", "third")
        assert done.status == 1, "one of them failed"
        answers = done.of_kind("answer")
        assert [answer["model"] for answer in answers] == ["test-model", "second", "third"]
        kinds = [
            (line["kind"], line["message_id"]) for line in done.lines if line["kind"] in ("answer", "done", "error")
        ]
        assert kinds == [
            (kind, answer["message_id"])
            for answer, end in zip(answers, ("done", "done", "error"), strict=True)
            for kind in ("answer", end)
        ]
        asked = {chat.body["model"]: [m["content"] for m in chat.body["messages"]] for chat in endpoint.chats[-3:]}
        assert asked["second"][-3:] == asked["third"][-3:] == ["who?", "I am test-model", "and now?"]

        done = talker.run("ask", "alone", "--thread", "last", "--json", *at(endpoint))
        assert done.of_kind("answer") == [], "another time nobody is asked beside it"
    assert endpoint.problems == []


def test_an_endpoint_that_fails_ends_in_an_error_event_and_loses_nothing(talker: ShellApp) -> None:
    with LoopbackEndpoint([[status(401, {"error": {"message": "bad key sk-abcdefghijklmnop"}})]]) as endpoint:
        done = talker.run("ask", "anybody there?", "--json", *at(endpoint))
    assert done.status == 1
    error = done.lines[-1]
    assert (error["kind"], error["code"]) == ("error", "model.unauthorized")
    assert error["title"]
    assert error["detail"]
    assert "sk-abcdefghijklmnop" not in done.out + done.err
    (thread,) = talker.threads()
    assert talker.show(thread["id"])[0]["text"] == "anybody there?"


def test_nobody_at_the_address(talker: ShellApp) -> None:
    done = talker.run("ask", "hi", "--json", "--base-url", "http://127.0.0.1:9/v1", "--model", "m")
    assert done.status == 1
    assert done.lines[-1]["code"] == "model.unreachable"


def test_a_half_written_call_is_never_run(app: ShellApp, tmp_path: Path) -> None:
    script = [[call(COMMAND, {"command": f"touch '{tmp_path}/ran'"}), finish("length")]]
    with LoopbackEndpoint(script) as endpoint:
        done = app.run("ask", "go", "--json", "--approve", "all", *at(endpoint))
    assert done.lines[-1]["reason"] == "length"
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask"],
        ["ask", "hi", "--base-url", "http://127.0.0.1:9/v1"],
        ["ask", "hi", "--demo", "--model", "x"],
        ["ask", "hi", "--approve", "sometimes"],
        ["threads", "paint"],
        ["--nonsense"],
    ],
)
def test_wrong_use_has_status_2_and_says_why(app: ShellApp, arguments: list[str]) -> None:
    done = app.run(*arguments)
    assert done.status == 2
    assert "usage" in done.err
    assert done.out == ""


def test_an_unusable_mcp_config_is_said(app: ShellApp, tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{ not json", "utf-8")
    done = app.run("ask", "hi", "--demo", "--mcp-config", str(tmp_path / "mcp.json"))
    assert done.status == 1
    assert "mcp.json" in done.err
    assert app.threads() == []


def test_a_dead_server_does_not_stop_the_answer(app: ShellApp, tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"dead": {"command": "/no/such/program"}}}', "utf-8")
    done = app.run("ask", "2 + 3 * 4 =", "--demo", "--json", "--mcp-config", str(tmp_path / "mcp.json"))
    assert done.status == 0
    assert done.of_kind("tool_result")[0]["text"].endswith("14")


def test_search_delete_restore_purge(talker: ShellApp) -> None:
    with LoopbackEndpoint([[text("the sentinel word is Kaleidoskop 万花筒")]]) as endpoint:
        talker.run("ask", "tell me", *at(endpoint))
    (thread,) = talker.threads()
    for query in ("kaleido", "万", "花筒"):
        (hit,) = talker.run("threads", "search", query, "--json").lines
        assert hit["thread_id"] == thread["id"]
    assert talker.run("threads", "delete", thread["id"]).status == 0
    assert talker.threads() == []
    assert talker.run("threads", "search", "kaleido", "--json").lines == []
    assert talker.run("threads", "restore", thread["id"]).status == 0
    assert len(talker.threads()) == 1
    assert talker.bytes_with("Kaleidoskop")
    assert talker.run("threads", "purge", thread["id"]).status == 0
    assert talker.bytes_with("Kaleidoskop") == []
    assert talker.bytes_with("万花筒") == []
    gone = talker.run("threads", "show", thread["id"])
    assert gone.status == 1
    assert "no longer exists" in gone.err


def test_a_command_that_takes_too_long_is_ended_and_reported_as_such(app: ShellApp) -> None:
    with LoopbackEndpoint(
        [[call(COMMAND, {"command": "echo begun; sleep 60", "timeout": 1})], [text("so")]]
    ) as endpoint:
        done = app.run("ask", "go", "--json", "--approve", "all", *at(endpoint))
    (result,) = done.of_kind("tool_result")
    assert result["status"] == "timeout"
    assert "1 second" in result["text"]
    assert "begun" in result["text"]


def test_hits_tell_the_thread_and_the_message(talker: ShellApp) -> None:
    with LoopbackEndpoint([[text("a needle in it")], [text("later")]]) as endpoint:
        talker.run("ask", "first", *at(endpoint))
        talker.run("ask", "second", "--thread", "last", *at(endpoint))
    (thread,) = talker.threads()
    (hit,) = talker.run("threads", "search", "needle", "--json").lines
    assert {name: hit[name] for name in ("id", "title", "updated_at")} == thread
    assert (hit["role"], hit["text"]) == ("assistant", "a needle in it")
    assert hit["created_at"] < hit["updated_at"]


def test_plain_output_carries_no_control_sequences(talker: ShellApp) -> None:
    with LoopbackEndpoint([[text("red \x1b[31m and back \u202e")]]) as endpoint:
        asked = talker.run("ask", "title \x1b[31m", *at(endpoint))
    (thread,) = talker.threads()
    shown = talker.run("threads", "show", thread["id"])
    listed = talker.run("threads", "list")
    for done in (asked, shown, listed):
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
    assert "<ESC>" in shown.out


async def test_standing_permissions_are_listed_used_and_revoked(app: ShellApp) -> None:
    command = {"command": "echo granted | tee seen"}
    script = [[call(COMMAND, command)], [text("one")], [call(COMMAND, command)], [text("two")]]
    with LoopbackEndpoint(script) as endpoint:
        await allow_always(app.data_dir, endpoint)
        (grant,) = app.run("grants", "list", "--json").lines
        assert grant["summary"] == "echo granted | tee seen"
        assert grant["scope"] == "always"
        done = app.run("ask", "again", "--json", *at(endpoint))  # nobody is asked: the rule is to refuse
        assert "granted" in done.of_kind("tool_result")[0]["text"]
    assert app.run("grants", "revoke", grant["id"]).status == 0
    assert app.run("grants", "list", "--json").lines == []
    again = app.run("grants", "revoke", grant["id"])
    assert again.status == 1
    assert grant["id"] in again.err


async def allow_always(data_dir: Path, endpoint: LoopbackEndpoint) -> None:
    """Ask once with a person who allows it for good, as the dialog does."""
    launch = LaunchOptions(data_dir=data_dir, endpoint=EndpointSettings(base_url=endpoint.base_url, model="m"))
    with ScriptedPrompts(ApprovalAnswer(choice=Choice.ALLOW_ALWAYS)) as prompts:
        container = await open_container(launch, prompts, TaskSupervisor())
        agent = dataclasses.replace(container.settings.settings.agent, name_chats=False)
        container.settings.update(dataclasses.replace(container.settings.settings, agent=agent))
        try:
            container.gateway.start()
            await (await container.chat.send(None, "first")).wait()
        finally:
            await container.close()


def test_a_second_process_is_told_who_holds_the_folder(talker: ShellApp) -> None:
    with (
        LoopbackEndpoint([[text("wait"), {"hold": "go"}]]) as endpoint,
        talker.start("ask", "hi", "--json", *at(endpoint)) as first,
    ):
        assert first.stdout is not None
        first.stdout.readline()
        second = talker.run("threads", "list")
        assert second.status == 1
        assert str(first.pid) in second.err
        endpoint.release("go")
    assert talker.run("threads", "list").status == 0


def test_the_demo_model_uses_every_bundled_tool(app: ShellApp) -> None:
    done = app.run("ask", "演示", "--demo", "--json", "--approve", "once", "--elicit", "defaults")
    assert done.status == 0, done.err
    names = {event["name"].split("__")[1] for event in done.of_kind("tool_call")}
    assert names == {"get_weather", "get_date", "calculate", "execute_command_local", "ask_user"}
    assert any("\u4e00" <= character <= "\u9fff" for character in done.answer)
    assert all(event["status"] in ("ok", "denied") for event in done.of_kind("tool_result"))


def test_the_log_has_neither_texts_nor_keys(app: ShellApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-very-secret-sentinel-key")
    with LoopbackEndpoint([[call(COMMAND, {"command": "echo Zugspitze"})], [text("Matterhorn")]]) as endpoint:
        done = app.run("ask", "Eiger", "--json", "--approve", "all", "--key-env", "TEST_KEY", *at(endpoint))
    assert done.status == 0
    assert endpoint.chats[0].headers["authorization"] == "Bearer sk-very-secret-sentinel-key"
    assert app.bytes_with("sk-very-secret-sentinel-key") == []
    (thread,) = app.threads()
    app.run("threads", "purge", thread["id"])
    assert [name for word in ("Eiger", "Zugspitze", "Matterhorn") for name in app.bytes_with(word)] == []
