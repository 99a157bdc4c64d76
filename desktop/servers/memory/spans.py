"""OpenTelemetry: a span for each request, which the SDK of MCP makes, sent where the usual variables say."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext

from desktop import __version__
from desktop.servers.memory.limits import WrongSettingError

_ADDRESSES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_LAST_WORDS_MS = 3_000
"""For what was not sent yet when the server ends; a collector that is away must not hold it up for longer."""


def wants_spans(environment: Mapping[str, str]) -> bool:
    """Tell whether the variables that OpenTelemetry defines ask for spans. Raises ``WrongSettingError``."""
    is_off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if is_off or environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() == "none":
        return False
    if not any(environment.get(name, "").strip() for name in _ADDRESSES):
        return False
    protocol = next((environment[name].strip() for name in _PROTOCOLS if environment.get(name, "").strip()), "grpc")
    if protocol != "grpc":
        raise WrongSettingError(f"OTEL_EXPORTER_OTLP_PROTOCOL can be grpc and nothing else here, not {protocol[:40]!r}")
    return True


@asynccontextmanager
async def sent_spans() -> AsyncIterator[None]:
    """Send the spans of all that happens inside. Raises ``WrongSettingError`` where the ``otel`` extra is missing.

    They hold the name of the tool, the outcome and times; of a failed call also the words that its caller was given.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise WrongSettingError(
            f"OTEL_EXPORTER_OTLP_ENDPOINT is set, and the extra otel is missing ({error})"
        ) from None
    named = Resource({SERVICE_NAME: "threadwell-memory", SERVICE_VERSION: __version__})
    provider = TracerProvider(resource=named.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        await asyncio.to_thread(provider.force_flush, _LAST_WORDS_MS)
        await asyncio.to_thread(provider.shutdown)


def continued(traceparent: str | None) -> AbstractContextManager[object]:
    """Within it, spans belong to the trace that a header of HTTP names, as they do to one that the request itself names."""
    if traceparent is None:
        return nullcontext()
    from opentelemetry.propagate import extract
    from opentelemetry.trace import get_current_span, use_span

    return use_span(get_current_span(extract({"traceparent": traceparent})))


def span_trace_id() -> str:
    """Return the id of the trace that is being recorded, else an empty text."""
    from opentelemetry import trace

    span = trace.get_current_span()
    return format(span.get_span_context().trace_id, "032x") if span.is_recording() else ""
