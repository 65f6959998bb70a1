"""What many games say together."""

from pathlib import Path
from typing import Any

from answers.review.stats import Selection, chart, page, statistics
from cli.output import put
from cli.progress import progress_of
from cli.session import session
from referee.archive.process_pool import cores


def stats(
    *,
    selection: Selection,
    names: bool = False,
    rebuild: bool = False,
    svg: bool = False,
    html: bool = False,
    output: Path | None = None,
) -> int:
    here = session()
    how: dict[str, Any] = {"names": names, "processes": cores()}
    told = progress_of()
    if svg or html:
        made = (page if html else chart)(here.caller, selection, **how, progress=told)
        return put(here, made, output)
    found = statistics(here.caller, selection, **how, on_step=told, rebuild=rebuild)
    return here.answer(statistics, found)
