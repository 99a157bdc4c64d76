"""The goals for speed and size, each beside what was measured and the floor of the same run, as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Goal:
    """``name`` and ``floor`` are paths into the figures, like ``open_10k_ms.p95``; at most ``most`` is met.

    ``floor`` is what nothing that draws a window or reads a file could beat here; empty where there is none.
    ``most_floors`` bounds the ratio to it.
    """

    label: str
    name: str
    unit: str
    most: float
    floor: str = ""
    most_floors: float = 0.0

    def line(self, figures: Figures) -> tuple[str, ...]:
        """The row of the table: label, value, floor, ratio, goal, and whether it is met."""
        value, floor = _at(figures, self.name), _at(figures, self.floor) if self.floor else None
        if value is None:
            return self.label, "-", "-", "-", self._goal(), "not measured"
        ratio = value / floor if floor else None
        met = value <= self.most and (not self.most_floors or ratio is None or ratio <= self.most_floors)
        return (
            self.label,
            f"{value:g} {self.unit}",
            "-" if floor is None else f"{floor:g} {self.unit}",
            "-" if ratio is None else f"{ratio:.1f}x",
            self._goal(),
            "met" if met else "NOT MET",
        )

    def _goal(self) -> str:
        ratio = f", {self.most_floors:g}x" if self.most_floors else ""
        return f"<= {self.most:g} {self.unit}{ratio}"


GOALS = (
    Goal("start to first paint, processor", "start_empty.painted_cpu_s", "s", 0.35, "start_empty.bare_window_cpu_s"),
    Goal("start to first paint", "start_empty.painted_s", "s", 0.45, "start_empty.bare_window_s", 2.5),
    Goal("start to ready, nothing stored", "start_empty.usable_s", "s", 0.45, "start_empty.bare_window_s", 2.5),
    Goal("start to ready, all messages stored", "start_filled.usable_s", "s", 0.55, "start_empty.usable_s"),
    Goal("memory after the start", "start_empty.idle_pss_mb", "MB", 110, "start_empty.bare_window_pss_mb"),
    Goal("memory, the long thread open", "start_filled.idle_pss_mb", "MB", 110, "start_empty.idle_pss_mb"),
    Goal("memory after a message was answered", "start_filled.sent_pss_mb", "MB", 170, "start_filled.idle_pss_mb"),
    Goal("idle, processor", "start_filled.idle_cpu_percent", "%", 0.1),
    Goal("idle, processor of the tool servers", "start_filled.idle_servers_cpu_percent", "%", 0.1),
    Goal("open the long thread, p95", "open_10k_ms.p95", "ms", 60, "open_10_ms.p95", 1.5),
    Goal("open the long thread, processor, median", "open_10k_cpu_ms.p50", "ms", 60, "open_10_cpu_ms.p50", 1.5),
    Goal("send until the request is there, p95", "send_10k_ms.p95", "ms", 30, "send_10_ms.p95", 2),
    Goal("200 chunks/s into 50 kB: gap, p95", "large_gap_ms.p95", "ms", 16.7, "plain_gap_ms.p95"),
    Goal("200 chunks/s into 50 kB: gap, p99", "large_gap_ms.p99", "ms", 50, "plain_gap_ms.p99"),
    Goal("200 chunks/s into 50 kB: worst gap", "large_gap_ms.max", "ms", 50, "plain_gap_ms.max"),
    Goal("a chunk until it is painted, p95", "chunk_painted_ms.p95", "ms", 33),
    Goal("hostile tool servers: the worst gap", "flood_gap_ms.worst", "ms", 100, "quiet_gap_ms"),
    Goal("an event parsed and read, processor", "wire_text.us_per_event", "us", 50),
    Goal("an event with a piece of a call", "wire_call.us_per_event", "us", 60),
    Goal("an answer of 2,000 tokens, processor", "stream_cpu_s", "s", 1.0, "plain_cpu_s"),
    Goal("search in all messages, p95", "search_ms.p95", "ms", 50),
    Goal("on disk for a byte of text", "disk_per_text", "B", 1.6),
)

_GAP = 50
MEMORY_GOALS = (
    Goal("recall, p95", "recall.p95", "ms", 150),
    Goal("recall, worst", "recall.max", "ms", 240),
    Goal("recall, first after the start", "recall_first.took", "ms", 240),
    Goal("recall beside a start, p95", "recall_at_start.p95", "ms", 240),
    Goal("recall beside a rebuild, p95", "recall_in_rebuild.p95", "ms", 240),
    Goal("recall beside embedding, p95", "recall_in_embedding.p95", "ms", 240),
    Goal("insert until found, p95", "insert.p95", "ms", 250),
    Goal("store an answer, p95", "answer.p95", "ms", 50),
    Goal("forget an item, worst", "forget.max", "ms", 1_000),
    Goal("forget an item until no byte is left", "forget_whole.took", "ms", 2_000),
    Goal("purge a chat, worst", "purge.max", "ms", 3_000),
    Goal("start, the database", "start_store.took", "ms", 500),
    Goal("start, until vectors are asked", "start.took", "ms", 3_000),
    Goal("gap of the loop: embedding", "embed.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: words of all messages", "words.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: rebuild", "rebuild.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: start", "start.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: recall", "recall.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: insert", "insert.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: forget", "forget.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: forget, in the index", "forget_in_index.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: purge", "purge.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: purge, in the index", "purge_in_index.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: another embedder", "change.gap", "ms", _GAP, "quiet.gap"),
    Goal("longest step of the loop: embedding", "embed.step", "ms", 15, "quiet.step"),
    Goal("longest step of the loop: start", "start.step", "ms", 15, "quiet.step"),
    Goal("longest step of the loop: recall", "recall.step", "ms", 15, "quiet.step"),
    Goal("memory of the index's process", "memory_mb.index_rss", "MB", 500),
    Goal("memory beside it", "memory_mb.app", "MB", 400),
)
"""Those of memory, whatever is stored; the gaps are asked for with ten thousand messages."""
DOCUMENT_GOALS = (
    Goal("gap of the loop: reading", "read.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: embedding", "embed.gap", "ms", _GAP, "quiet.gap"),
    Goal("gap of the loop: removing", "purge.gap", "ms", _GAP, "quiet.gap"),
)
"""Of a long document."""


def table(figures: Figures, goals: tuple[Goal, ...] = GOALS) -> list[str]:
    """Return the lines of the table, its columns aligned."""
    rows = [("", "here", "floor", "ratio", "goal", ""), *(goal.line(figures) for goal in goals)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left = {0, len(rows[0]) - 1}
    return [
        "  ".join(
            text.ljust(width) if column in left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _at(figures: Figures, path: str) -> float | None:
    value: Any = figures
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
