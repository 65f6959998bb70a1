"""The workbench of somebody who writes a game: state, agenda and last hearing beside the table.

It asks the same operations as everybody, so it shows nothing that its viewer may not see.
"""

from __future__ import annotations

import json
from typing import Any

from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table import table


@page("workbench", "/games/{game}/workbench")
def workbench(page_context: PageContext) -> Shown:
    """The page of the table, and beside it what is owed, the last hearing and the whole state."""
    shown = table(page_context)
    state: dict[str, Any] = page_context.ask("state").data.state
    agenda = state.pop("agenda", [])
    last = shown.it.last
    asked = page_context.ask("why", line=str(last)) if last else None
    return Shown(
        "workbench",
        shown.title,
        **vars(shown.it),
        agenda=[_owed(item) for item in reversed(agenda)],
        hearing=asked.lines(page_context.voice) if asked else [],
        whole_state=json.dumps(state, indent=2, ensure_ascii=False),
    )


def _owed(item: str | list[dict[str, Any]]) -> str:
    """A derived step by its name, or the duties of a group, whatever the game calls them."""
    if isinstance(item, str):
        return item
    return " · ".join(map(_duty, item))


def _duty(duty: dict[str, Any]) -> str:
    told = f"{duty.get('seat', '')} {duty['kind']}".strip()
    times = duty.get("times", 1)
    told = f"{told} × {times}" if times != 1 else told
    return f"[{told}]" if duty.get("optional") else told
