"""Where records are kept: append-only, chained by hash, durable. See docs/store.md."""

from referee.store.base import (
    GENESIS,
    Conflict,
    Draft,
    KeyReused,
    Store,
    Stored,
    StoreError,
    open_store,
)
from referee.store.canon import NotCanonical, canonical, check_model, digest

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
