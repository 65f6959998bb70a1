"""What a table sends back to those who measure how well photographs are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.transcripts import run
from tests.photos import jpeg


def test_a_folder_has_photographs_and_moves_and_neither_names_nor_hands(
    newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (newcomer / "table.jpg").write_bytes(jpeg(300, 200))
    (newcomer / "hand.jpg").write_bytes(jpeg(200, 300))
    for line in (
        "new benevolent A=blue B=red first A -p A=Panabel -p B=Quillon",
        "photo add table.jpg 'of Panabel' --at 0",
        "photo folder out",
        "photo add hand.jpg --at 0 --only A",
        "photo add table.jpg --at 0",
        "photo folder again",
    ):
        out, code = run(f"referee {line}")
        assert code == 0, (line, out)
    first, again = (newcomer / name for name in ("out", "again"))
    assert sorted(path.name for path in first.iterdir()) == ["f1.jpg", "table.json"]
    assert sorted(path.name for path in again.iterdir()) == ["f1.jpg", "f3.jpg", "table.json"]
    for text in (path.read_text("utf-8") for path in newcomer.glob("*/table.json")):
        assert "Panabel" not in text
        assert "Quillon" not in text
    told = json.loads((again / "table.json").read_text("utf-8"))
    assert told["game"] == "benevolent"
    assert [row["file"] for row in told["photographs"]] == ["f1.jpg", "f3.jpg"]
    before = sorted(again.iterdir())
    assert run("referee photo folder again")[1] != 0
    assert sorted(again.iterdir()) == before
