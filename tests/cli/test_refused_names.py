"""What is refused leaves nothing behind: not even the name that was said with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.transcripts import run

REFUSED = (
    "new benevolent A B -p A=Zoe",
    "new nothing A B -p A=Zoe",
    "new pebbles A B first A -p C=Zoe",
    "new pebbles A B first A --kit nothing -p A=Zoe",
    "new pebbles A B first A --reading nothing=x -p A=Zoe",
    "new pebbles A -p A=Zoe",
    "access give seat:Q Zoe",
    "access give nobody Zoe",
    "tournament players add Zoe",
)


@pytest.mark.parametrize("line", REFUSED)
def test_a_name_that_came_with_what_is_refused_is_not_kept(newcomer: Path, line: str) -> None:
    run("referee -q new pebbles A B first A -p A=Ana -p B=Bo")
    before = run("referee people list")
    assert "Ana" in before[0]
    out, code = run(f"referee --no-input {line}")
    assert code not in (0, 1), out
    assert run("referee people list") == before, out
