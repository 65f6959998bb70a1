"""Golden transcripts of play at a table, in both languages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.transcripts import FOLDER, commands, told


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_the_commands_print_what_the_transcript_says(file: Path, newcomer: Path) -> None:
    written = file.read_text("utf-8")
    result = "\n".join(told(commands(written))) + "\n"
    if os.environ.get("REFEREE_REWRITE"):
        file.write_text(result, "utf-8")
    assert result == written
