"""The memory server's spans, as a real collector gets them, and its log, which names the same traces."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.servers.main import main
from desktop.servers.memory.limits import WrongSettingError
from desktop.servers.memory.spans import wants_spans
from tests.support.command_programs import command_program, free_port, is_listening
from tests.support.waiting import until

pytest.importorskip("opentelemetry.exporter.otlp.proto.grpc", reason="the extra otel is not installed")

import grpc
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECRET = "a text that is nobody's business"


class Collector(TraceServiceServicer):
    def __init__(self) -> None:
        self.requests: list[Any] = []

    def Export(self, request: Any, context: Any) -> Any:
        self.requests.append(request)
        return ExportTraceServiceResponse()

    def spans(self) -> list[Any]:
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(2))
    add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield collector, f"http://127.0.0.1:{port}"
    finally:
        server.stop(None)


async def test_a_collector_gets_a_span_of_each_call_in_the_trace_of_its_caller(tmp_path: Path) -> None:
    port = free_port()
    with collecting() as (collector, address):
        process = await command_program(
            *("memory", "--http", "--port", str(port), "--file", str(tmp_path / "m.db"), "--log-level", "info"),
            OTEL_EXPORTER_OTLP_ENDPOINT=address,
        )
        assert process.stderr is not None
        while b"Listening" not in (line := await process.stderr.readline()):
            assert line
        headers = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
        transport = StreamableHttpTransport(f"http://127.0.0.1:{port}/mcp", headers=headers)
        await until(lambda: is_listening(port))
        async with Client(transport) as client:
            arguments = {"session_id": "s", "role": "user", "text": SECRET}
            assert (await client.call_tool_mcp("mem_append", arguments)).content[0].text == "ok"  # type: ignore[union-attr]
            refused = await client.call_tool_mcp("mem_put", {"session_id": "a b", "key": "k", "value": SECRET})
            assert refused.is_error
        process.terminate()  # what was not sent yet is sent at the end
        _, err = await process.communicate()
    calls = {span.name: span for span in collector.spans() if "mem_" in span.name}
    assert sorted(calls) == ["tools/call mem_append", "tools/call mem_put"]
    assert {span.trace_id.hex() for span in calls.values()} == {TRACE}
    assert calls["tools/call mem_put"].status.code == 2
    assert calls["tools/call mem_append"].status.code != 2
    assert SECRET.encode() not in b"".join(request.SerializeToString() for request in collector.requests)
    assert len(re.findall(rf"trace={TRACE} threadwell.memory: mem_".encode(), err)) == 2
    names = {
        attribute.value.string_value
        for request in collector.requests
        for resource in request.resource_spans
        for attribute in resource.resource.attributes
    }
    assert "threadwell-memory" in names


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4317"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_the_usual_variables_say_whether_spans_are_sent(variables: dict[str, str], wanted: bool) -> None:
    assert wants_spans(variables) is wanted


def test_a_protocol_that_is_not_spoken_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}
    with pytest.raises(WrongSettingError, match="grpc and nothing else"):
        wants_spans(variables)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main(["memory"]) == 2
    assert "OTEL_EXPORTER_OTLP_PROTOCOL" in capsys.readouterr().err
