"""How often each tenant may call: a bucket that fills steadily and holds the calls of one minute."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class _Bucket:
    calls: float
    filled_at: float


class RateLimit:
    """For the calls that one program serves; tenants come from the configuration, so there are few buckets."""

    def __init__(self, calls_per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` never goes backwards; with 0 calls a minute there is no limit."""
        self.calls_per_minute = calls_per_minute
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def wait_for(self, tenant: str) -> float:
        """Return 0 and count the call, or the seconds after which there is room for one again."""
        if not self.calls_per_minute:
            return 0.0
        now = self._clock()
        bucket = self._buckets.setdefault(tenant, _Bucket(self.calls_per_minute, now))
        bucket.calls = min(self.calls_per_minute, bucket.calls + (now - bucket.filled_at) * self.calls_per_minute / 60)
        bucket.filled_at = now
        if bucket.calls >= 1:
            bucket.calls -= 1
            return 0.0
        return (1 - bucket.calls) * 60 / self.calls_per_minute
