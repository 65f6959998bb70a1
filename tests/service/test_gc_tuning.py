"""``gc.freeze``: what outlives a full collection is not walked again, but not for ever."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from service.gc_tuning import GcFreezer
from service.metrics import Metrics


class Kept:
    """Something in a circle: nobody but a collection finds that it is forgotten."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def every_third() -> Iterator[None]:
    """Full collections come when a test says so, and the third goes through everything."""
    gc.disable()
    gc.unfreeze()
    setting_apart = GcFreezer(thaw_every=3)
    setting_apart.begin()
    yield
    setting_apart.end()
    gc.enable()


@pytest.mark.usefixtures("every_third")
def test_what_outlives_a_collection_is_set_apart() -> None:
    apart = gc.get_freeze_count()
    assert apart > 0
    kept = Kept()
    gc.collect()
    assert gc.get_freeze_count() > apart
    assert not any(found is kept for found in gc.get_objects())


@pytest.mark.usefixtures("every_third")
def test_what_is_forgotten_in_a_circle_after_that_is_found_later() -> None:
    kept = Kept()
    gc.collect()
    seen = weakref.ref(kept)
    del kept
    gc.collect()
    assert seen() is not None
    gc.collect()
    assert seen() is None
    assert gc.get_freeze_count() > 0


def test_at_the_end_everything_is_as_it_was() -> None:
    setting_apart, before = GcFreezer(), list(gc.callbacks)
    setting_apart.begin()
    setting_apart.end()
    assert gc.callbacks == before
    assert gc.get_freeze_count() == 0


def test_the_pause_of_each_full_collection_is_counted() -> None:
    pauses: list[float] = []
    freezer = GcFreezer(pauses.append)
    gc.disable()
    try:
        freezer.begin()
        gc.collect(0)
        gc.collect()
        freezer.end()
        gc.collect()
    finally:
        gc.enable()
    assert len(pauses) == 2
    assert all(pause > 0 for pause in pauses)


def test_pauses_are_shown_in_the_metrics() -> None:
    metrics = Metrics()
    for seconds in (0.25, 0.5, 0.125):
        metrics.gc_pause(seconds)
    text = metrics.text()
    assert "referee_gc_pause_seconds_sum 0.875000\n" in text
    assert "referee_gc_pause_seconds_count 3\n" in text
    assert "referee_gc_pause_longest_seconds 0.500000\n" in text
