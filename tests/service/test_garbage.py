"""What outlives a full collection is not gone through again, but not for ever."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from service.gc_tuning import GcFreezer


class Kept:
    """Something in a circle: nobody but a collection finds that it is forgotten."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def every_third() -> Iterator[None]:
    """Full collections come when a test says so, and the third goes through everything."""
    gc.disable()
    gc.unfreeze()
    setting_apart = GcFreezer(everything_after=3)
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
