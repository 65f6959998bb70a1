"""Stores: backed up, restored, examined, copied; and the schemas of answers."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from answers.admin import maintenance
from answers.limits import Count
from cli.session import session


def backup(
    target: Path,
    *,
    every: Annotated[float | None, Field(ge=0, le=100_000)] = None,
    most: Count = maintenance.MOST_COPIES,
    times: Annotated[int | None, Field(ge=1)] = None,
) -> int:
    """A consistent copy of the store, while it is in use; once or repeatedly."""
    here = session()
    if every is None:
        return here.answer(maintenance.backup, maintenance.backup(here.own_store, target))
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    left = times
    while True:
        made = maintenance.rehearsed_backup(here.own_store, target, datetime.now(UTC), most=most)
        code = here.answer(maintenance.rehearsed_backup, made)
        left = None if left is None else left - 1
        if left == 0:
            return code
        time.sleep(every * 60)


def doctor() -> int:
    here = session()
    here.prepare_folder()
    return here.answer(maintenance.doctor, maintenance.doctor(here.own_store, here.voice))


def copy(target: str, *, no_names: bool = False) -> int:
    from answers.admin import stores
    from cli.progress import progress_of
    from cli.session import store_url

    here = session()
    answered = stores.copy(
        here.own_store, store_url(target), names=not no_names, progress=progress_of()
    )
    return here.answer(stores.copy, answered)


def schema(name: str | None = None) -> int:
    from answers.admin import schemas
    from cli.i18n import write

    if name is None:
        return session().answer(schemas.names, schemas.names())
    write([schemas.schema(name)])
    return 0
