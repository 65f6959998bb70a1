"""The event store: append-only, hash-chained, durable. See docs/store.md."""

from referee.store.canonical_json import NotCanonical, canonical, check_model, digest
from referee.store.envelopes import GENESIS, Conflict, Draft, KeyReused, Stored, StoreError
from referee.store.event_store import Store
from referee.store.urls import open_store

__all__ = [
    "GENESIS",
    "Conflict",
    "Draft",
    "KeyReused",
    "NotCanonical",
    "Store",
    "StoreError",
    "Stored",
    "canonical",
    "check_model",
    "digest",
    "open_store",
]
