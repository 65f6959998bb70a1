"""Translates errors of the operating system into store errors, whose code is localised."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from referee.store.envelopes import StoreError

_CODES = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "cannot_open",
    errno.EACCES: "cannot_open",
    errno.EPERM: "cannot_open",
}


@contextmanager
def translating_os_errors(place: Any) -> Iterator[None]:
    """``place`` is how the error calls the file or the store."""
    try:
        yield
    except OSError as error:
        code = _CODES.get(error.errno or 0, "disk_error")
        raise StoreError(code, path=place, problem=error.strerror) from error
