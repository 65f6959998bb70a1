"""What a record says, as plain data that any later version can be held against.

Positions are the public form of a state; of each step only what it changed is told.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.kernel import to_plain


def told(game: Any) -> dict[str, Any]:
    """All that a folded record says."""
    result = game.engine.result(game.state)
    return _as_json(
        {
            "game": game.engine.id,
            "head": game.head,
            "entries": Counter(entry.data.KIND for entry in game.entries),
            "people": game.seats,
            "steps": list(_steps(game)),
            "pending": game.waiting,
            "taken_back": [item.number for item in game.undone],
            "readings": game.setting.readings,
            "house_rules": sorted(game.setting.house_rules),
            "box": {
                datum.path: datum.value
                for datum in game.sheet.datums()
                if datum.provenance == "declared"
            },
            "held": game.held is not None,
            "closed": game.closed is not None,
            "result": result,
            "disputes": {
                one.id: [one.cause, one.numbers, one.clause, game.settled.get(one.id)]
                for one in game.disputes.values()
            },
            "rulings": {
                one.id: [one.remedy, one.numbers, one.clauses, game.overturned.get(one.id)]
                for one in game.rulings.values()
            },
            "penalties": {
                one.id: [one.seat, one.level, one.id in game.cancelled]
                for one in game.penalties.values()
            },
            "seals": {
                one.id: [
                    one.seat,
                    one.what,
                    _findings(game.seal_findings(one.id)) if one.id in game.unsealed else None,
                ]
                for one in game.seals.values()
            },
            "notes": {
                one.id: [one.number, one.text, one.glyphs, [said.action for said in one.variation]]
                for one in game.notes.values()
            },
        }
    )


def _steps(game: Any) -> Iterator[dict[str, Any]]:
    before: dict[str, Any] = {}
    for step in game.steps:
        position = game.engine.position_of(step.state, step.setting)
        now = dict(_leaves(position.model_dump(mode="json", exclude={"verb", "by"})))
        yield {
            "number": step.number,
            "line": game.engine.text(step.action) if step.action else None,
            "verdict": _verdict(step.verdict),
            "to_act": sorted(step.state.agenda.seats),
            "changed": {path: value for path, value in now.items() if before.get(path) != value},
            "gone": sorted(before.keys() - now.keys()),
        }
        before = now


def _verdict(verdict: Any) -> list[Any]:
    return [
        verdict.outcome,
        [[point.clause, point.facts] for point in verdict.breaches],
        [[point.clause, point.facts] for point in verdict.claims],
        _findings(verdict.findings),
    ]


def _findings(findings: Iterable[Any]) -> list[Any]:
    return [[one.status, one.clause, one.entries, one.facts] for one in findings]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What is not a mapping, by its path; an empty mapping is told too."""
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    else:
        yield path, value


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(to_plain(value)))
