"""Metrics in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from threading import Lock

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
"""Any other is counted as ``other``: a client may make up methods, each of which would be kept."""
EDGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Requests by route and status, their latency, what is under way and which streams are open."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._within = [0] * (len(EDGES) + 1)
        """How many took at most so long as an edge, and longer than the one before it."""
        self._seconds = 0.0
        self.under_way = 0
        """Requests whose response has not begun. A live stream counts until it is open."""
        self._gc_pauses = 0
        self._gc_seconds = self._gc_longest = 0.0
        self.streams = 0
        self.dropped = 0
        self.events = 0

    def request(self, method: str, place: str, status: int, seconds: float) -> None:
        method = method if method in METHODS else "other"
        with self._lock:
            self._requests[method, place, status] += 1
            self._seconds += seconds
            self._within[bisect_left(EDGES, seconds)] += 1

    def gc_pause(self, seconds: float) -> None:
        """A full garbage collection, which stops all threads.

        Without the lock: the thread that collects may hold it.
        """
        self._gc_pauses += 1
        self._gc_seconds += seconds
        self._gc_longest = max(self._gc_longest, seconds)

    def text(self) -> str:
        with self._lock:
            return "\n".join([*self._counted(), *self._timed(), *self._live(), ""])

    def _counted(self) -> list[str]:
        return ["# TYPE referee_requests_total counter"] + [
            f'referee_requests_total{{method="{method}",route="{place}",status="{status}"}} {count}'
            for (method, place, status), count in sorted(self._requests.items())
        ]

    def _timed(self) -> list[str]:
        total = sum(self._requests.values())
        buckets = [
            f'referee_request_seconds_bucket{{le="{edge}"}} {count}'
            for edge, count in zip(EDGES, accumulate(self._within), strict=False)
        ]
        return [
            "# TYPE referee_request_seconds histogram",
            *buckets,
            f'referee_request_seconds_bucket{{le="+Inf"}} {total}',
            f"referee_request_seconds_sum {self._seconds:.6f}",
            f"referee_request_seconds_count {total}",
        ]

    def _live(self) -> list[str]:
        return [
            "# TYPE referee_requests_under_way gauge",
            f"referee_requests_under_way {self.under_way}",
            "# TYPE referee_gc_pause_seconds summary",
            f"referee_gc_pause_seconds_sum {self._gc_seconds:.6f}",
            f"referee_gc_pause_seconds_count {self._gc_pauses}",
            "# TYPE referee_gc_pause_longest_seconds gauge",
            f"referee_gc_pause_longest_seconds {self._gc_longest:.6f}",
            "# TYPE referee_streams gauge",
            f"referee_streams {self.streams}",
            "# TYPE referee_streams_dropped_total counter",
            f"referee_streams_dropped_total {self.dropped}",
            "# TYPE referee_entries_followed_total counter",
            f"referee_entries_followed_total {self.events}",
        ]


def summed(expositions: Sequence[str]) -> str:
    """The metrics of all workers as those of one service; of what is longest, the longest."""
    if len(expositions) == 1:
        return expositions[0]
    samples: dict[str, dict[str, float]] = {}
    for text in expositions:
        kind = ""
        for line in text.splitlines():
            if line.startswith("#"):
                kind = line
                continue
            name, _, value = line.rpartition(" ")
            known = samples.setdefault(kind, {})
            before = known.get(name, 0)
            number = float(value) if "." in value else int(value)
            known[name] = max(before, number) if "longest" in name else before + number
    told = [
        line
        for kind, values in samples.items()
        for line in (kind, *(f"{name} {_number(value)}" for name, value in values.items()))
    ]
    return "\n".join([*told, ""])


def _number(value: float) -> str:
    return f"{value:.6f}" if isinstance(value, float) else str(value)
