"""OpenCV and NumPy, which only an installation with the extra ``sight`` has."""

from __future__ import annotations

from typing import Any

from referee.untrusted.optional_packages import load

EXTRA = "sight"
Array = Any
"""An array of NumPy."""


def numpy() -> Any:
    return load("numpy", EXTRA)


def opencv() -> Any:
    """OpenCV on one thread: several photographs are looked at at once, each in its own."""
    cv = load("cv2", EXTRA)
    if cv.getNumThreads() != 1:
        cv.setNumThreads(1)
    return cv
