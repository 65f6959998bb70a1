"""What a service offers besides operations: live streams, health checks, metrics.

Streams are requested and authorised like operations.
"""

from __future__ import annotations

from answers.operations.declaration import Resource
from answers.permissions import EVERYBODY, JUDGES, ORGANISER

STREAMS = (
    Resource(name="game-events", http="GET /games/{game}/events", grant=EVERYBODY),
    Resource(
        name="tournament-events", http="GET /tournaments/{tournament}/events", grant=EVERYBODY
    ),
    Resource(
        name="tournament-broadcast-events",
        http="GET /tournaments/{tournament}/broadcast/events",
        grant=EVERYBODY,
    ),
    Resource(name="events", http="GET /events", grant=JUDGES, scope="token"),
)
HEALTH = (
    Resource(name="health", http="GET /health", grant=EVERYBODY, scope="public"),
    Resource(name="ready", http="GET /ready", grant=EVERYBODY, scope="public"),
    Resource(name="metrics", http="GET /metrics", grant=ORGANISER),
)
"""For whoever keeps the service running; their paths are below ``/api``."""
