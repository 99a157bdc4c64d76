"""The figures of the memory server, as Prometheus reads them; no session, tenant or text stands in them."""

from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder

from desktop.servers.memory.store import Usage

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """Of one server. ``text`` returns them in the format that the asker accepts."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        prefix = "threadwell_mem"
        self._calls = Counter(f"{prefix}_calls", "Calls of tools", ["tool"], registry=registry)
        self._errors = Counter(f"{prefix}_errors", "Calls that failed", ["tool", "reason"], registry=registry)
        self._seconds = Histogram(
            f"{prefix}_call_seconds", "Time of a call", ["tool"], buckets=_SECONDS, registry=registry
        )
        self._reads = Counter(
            f"{prefix}_reads", "Reads, by whether they found something", ["result"], registry=registry
        )
        self._hit_ratio = Gauge(f"{prefix}_hit_ratio", "Share of reads that found something", registry=registry)
        self._sessions = Gauge(f"{prefix}_live_sessions", "Sessions that are not over", registry=registry)
        self._bytes = Gauge(f"{prefix}_store_bytes", "Size of the file, or memory that Redis uses", registry=registry)
        self._up = Gauge(f"{prefix}_store_up", "1 when the store answered", registry=registry)
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._registry = registry
        self._hits = self._misses = 0

    def called(self, tool: str, seconds: float, trace: str, failure: str = "") -> None:
        """Note one call; ``failure`` is the word for what was wrong."""
        self._calls.labels(tool).inc()
        self._seconds.labels(tool).observe(seconds, exemplar={"trace_id": trace})
        if failure:
            self._errors.labels(tool, failure).inc()

    def read(self, *, found: bool) -> None:
        self._hits += found
        self._misses += not found
        self._reads.labels("hit" if found else "miss").inc()
        self._hit_ratio.set(self._hits / (self._hits + self._misses))

    def stored(self, usage: Usage | None) -> None:
        """Note what the store holds, or that it did not answer."""
        self._up.set(usage is not None)
        self._sessions.set(usage.sessions if usage is not None else float("nan"))
        self._bytes.set(usage.size if usage is not None else float("nan"))

    def text(self, accept: str) -> tuple[bytes, str]:
        """Return the figures and their content type. Only OpenMetrics has room for the traces of slow calls."""
        chosen: tuple[Callable[[Any], bytes], str] = choose_encoder(accept)
        encode, content_type = chosen
        return encode(self._registry), content_type
