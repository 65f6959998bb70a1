"""Freeze what this version writes: ``python -m tests.frozen.write 0.2.0``, once, at a release.

Whatever the tests of the command line say at their tables is said again, into stores that are
kept: every command, every transcript, a whole sample game of each game, a tournament of each
format. What the version says of all this is kept as data beside it. Nothing of it is written
anew after the release.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from engines.kernel.registry import engine_ids
from referee.record.fold import fold
from referee.store import open_store
from referee.store.sqlite.files import sqlite_url
from referee.untrusted.optional_packages import version
from tests.cli.test_answers import REFUSED, every_command
from tests.cli.transcripts import FOLDER, commands, run, table_folder
from tests.frozen.telling import told
from tests.photos import png
from tests.tournament.test_commands import every_event_command

HERE = Path(__file__).parent
GAMES = ("benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest")
FORMATS = {
    "swiss": "--of benevolent --format swiss --rounds 3",
    "dutch": "--of benevolent --format swiss --system dutch --rounds 3",
    "round-robin": "--of benevolent --format round-robin --rounds 3",
    "knockout": "--of benevolent --format knockout --rounds 2",
    "pods": "--of broom_service --format pods --seats 4 --rounds 2",
    "league": "--of broom_service --format league --seats 4 --rounds 2",
    "ladder": "--of benevolent --format ladder --rounds 2",
}
README = """# What version {version} wrote

Made by `python -m tests.frozen.write {version}` and, since the release, never changed: whatever
comes later must read it, prove it and say the same of it. The tests work on copies.

- `club.db`, `club.db-wal`, `club.people.db`, `club.boxes.db`: a store in which every command was
  said, with every kind of entry, a whole game of each game and a tournament of each format; its
  people and its boxes.
- `records/`, `events/`: the same games and tournaments as they travel (`.jsonl`, `.txt`, `.trf`).
- `positions/`, `box.toml`, `own.toml`: tables written by `state --toml`, a box with declared data,
  a signed one.
- `club.attachments.db`: photographs of a table; `pictures.box`: a box with a photograph, as clubs
  exchange it.
- `seal.toml`, `keys.toml`, `book.toml`, `r1.toml`: a seal of a round, public keys, a book of
  rulings, a ruling as a case.
- `said/`: what {version} said of all this, as data.
"""
PEOPLE = "Ana Bo Cleo Dan Eva Flo Gil Hal"


def answer(line: str, *, may_fail: bool = False) -> Any:
    out, code = run(f"referee {line} --json")
    assert may_fail or code == 0, (line, out)
    return json.loads(out)["data"] if code == 0 else None


def said_at_one_table() -> None:
    """One table at which every command was said."""
    answer("store init")
    for line in every_command(Path.cwd()):
        refused = line in REFUSED or "pebbles" in line  # that game is not ours
        answer(line.removeprefix("referee "), may_fail=refused)


def every_transcript() -> None:
    for file in sorted(FOLDER.glob("*.txt")):
        for line in commands(file.read_text("utf-8")):
            run(line)


def whole_games() -> None:
    for game in GAMES:
        text = resources.files("replays.samples").joinpath(f"{game}.txt")
        Path(f"{game}.txt").write_text(text.read_text("utf-8"), "utf-8")
        answer(f"import {game}.txt")


def every_format() -> None:
    """Two rounds of each, won by whoever comes first in the alphabet."""
    for name, plan in FORMATS.items():
        answer(f'tournament new "{name}" {plan} --no-check-in')
        answer(f"tournament players add {PEOPLE}")
        for _ in range(2):
            answer("tournament pair --seed 7")
            answer("tournament start")
            for table in answer("tournament tables")["tables"]:
                seated = "ABCDEFGH"[: len(table["seats"])]
                points = enumerate(reversed(seated), start=2)
                told = " ".join(f"{seat}={count}" for count, seat in points)
                if name == "ladder":
                    told = f"--measure {table['table']} --measure 3"
                answer(f"tournament result {table['table']} {told} -m slip")
            answer("tournament round close")


def games_of(file: Path) -> Iterator[tuple[str, Any]]:
    store = open_store(sqlite_url(file))
    try:
        for stream in store.streams("game-"):
            yield stream, fold(stream, store.read(stream))
    finally:
        store.close()


def said_of_games(at: str) -> dict[str, Any]:
    return {
        "games": answer(f"{at} games")["games"],
        "people": answer(f"{at} people list"),
        "rulings": answer(f"{at} ruling list"),
        "verified": answer(f"{at} verify --all"),
    }


def said_of_seasons(at: str) -> dict[str, Any]:
    """Each season, with its standings and ratings."""
    found = {}
    for row in answer(f"{at} season list")["seasons"]:
        of = f"{at} season -s {row['season']}"
        asked = ("info", "standings", "ratings")
        found[row["season"]] = {each: answer(f"{of} {each}") for each in asked}
    return found


def said_of_collections(at: str) -> dict[str, Any]:
    listed = answer(f"{at} collection list")["collections"]
    return {
        row["collection"]: answer(f"{at} collection show {row['collection']}") for row in listed
    }


def said_of_photos(at: str) -> dict[str, Any]:
    """The photographs of each game that has any; their digests say what is in them."""
    found = {}
    for row in answer(f"{at} games")["games"]:
        if photos := answer(f"{at} -g {row['game']} photo list")["photos"]:
            found[row["game"]] = photos
    return found


BESIDE = {
    "seasons": said_of_seasons,
    "collections": said_of_collections,
    "photos": said_of_photos,
}
"""What is kept beside games and tournaments, by the name of the file that says it."""


def box_with_a_picture(at: str) -> None:
    """The box of a game whose board was photographed, as it travels."""
    Path("art.png").write_bytes(png())
    answer(f"{at} kit photo broom_service front.F1 art.png")
    answer(f"{at} kit export broom_service --club North --pictures -o pictures.box")


def said_of_event(at: str, event: str) -> dict[str, Any]:
    at = f"{at} tournament -t {event}"
    return {
        "standings": answer(f"{at} standings"),
        "checked": answer(f"{at} check"),
        "exported": json.loads(run(f"referee {at} export json -o -")[0]),
    }


def events_of(at: str) -> list[str]:
    return sorted(row["tournament"] for row in answer(f"{at} tournament list")["tournaments"])


def as_file(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def export(at: str, into: Path) -> None:
    """Every game as it travels, every event, and the last position of a game of each kind."""
    for folder in ("records", "events", "positions"):
        (into / folder).mkdir()
    for row in answer(f"{at} games")["games"]:
        for kind, end in (("record", "jsonl"), ("text", "txt")):
            answer(f"{at} -g {row['game']} export {kind} -o {into}/records/{row['game']}.{end}")
        position = into / "positions" / f"{row['engine']}.toml"
        if not position.exists() and not row["closed"]:
            answer(f"{at} -g {row['game']} state --toml -o {position}")
    for event in events_of(at):
        for kind, end in (("events", "jsonl"), ("trf", "trf")):
            line = f"{at} tournament -t {event} export {kind} -o {into}/events/{event}.{end}"
            answer(line, may_fail=kind == "trf")


def write(into: Path) -> None:
    """All of it, made in a folder of its own."""
    said_at_one_table()
    every_transcript()
    whole_games()
    for line in every_event_command(Path.cwd()):
        answer(line.removeprefix("referee "))
    every_format()
    at = f"--store {Path('club.db').resolve()}"
    box_with_a_picture(at)
    into.mkdir()
    (into / "README.md").write_text(README.format(version=version()), "utf-8")
    for name in (
        "seal.toml",
        "book.toml",
        "r1.toml",
        "box.toml",
        "keys.toml",
        "own.toml",
        "pictures.box",
    ):
        shutil.copy(name, into)
    export(at, into)
    said = into / "said"
    said.mkdir()
    games = {stream: told(game) for stream, game in games_of(Path("club.db"))}
    (said / "told.json").write_text(as_file(games), "utf-8")
    (said / "games.json").write_text(as_file(said_of_games(at)), "utf-8")
    events = {event: said_of_event(at, event) for event in events_of(at)}
    (said / "events.json").write_text(as_file(events), "utf-8")
    for name, ask in BESIDE.items():
        (said / f"{name}.json").write_text(as_file(ask(at)), "utf-8")
    for file in Path.cwd().glob("club.*"):
        if not {"access", "view", "stats", "webhooks", "replaced-1"} & set(
            file.name.split(".")
        ):  # tokens, and what is made anew
            shutil.copy(file, into)


def main(asked: str) -> int:
    into = HERE / asked
    if asked != version():
        print(f"this is {version()}, not {asked}", file=sys.stderr)
        return 2
    if set(engine_ids()) - set(GAMES):
        print("uninstall games that are not ours first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(table_folder(Path(folder)), REFEREE_STORE="club.db")
        os.chdir(folder)
        write(Path(folder, "frozen"))
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(Path(folder, "frozen"), into)
        os.chdir(HERE)
    print(f"written: {into}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
