"""Record a workload, cut its power at many moments, and look what a store has kept."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from referee.store import Draft, Store, Stored, StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.sqlite.files import check_pages, sqlite_url
from tests.store.writers import SIGNED, draft
from tools.measure.powercut.disk import Disk, Event, Fate, Kind, read_recording
from tools.measure.powercut.workload import ACKNOWLEDGED, BATCHES, STORE

ROOT = Path(__file__).parents[3]
SHIM = Path(__file__).with_name("shim.c")
SHARED_MEMORY = "-shm"
"""SQLite maps this file into memory and makes it anew whenever nobody else has it open."""

Entries = dict[tuple[str, int], str]
"""The hash of each entry by its stream and its place."""


class Unavailable(Exception):
    """The power cannot be cut here, for this reason."""


class Blind(Exception):
    """The recording is not what happened, so nothing can be concluded from it."""


@dataclass(frozen=True)
class Recording:
    """What a workload did to its disk, in order."""

    events: Sequence[Event]
    seed: int

    @property
    def acknowledged(self) -> Entries:
        return dict(answers(self.events))

    @property
    def first_answer(self) -> int:
        """How many events there were when something was acknowledged for the first time."""
        return next(n for n, event in enumerate(self.events, 1) if any(answers([event])))


def answers(events: Sequence[Event]) -> Iterator[tuple[tuple[str, int], str]]:
    for event in events:
        if event.kind == Kind.WRITE and event.name == ACKNOWLEDGED:
            stream, seq, head = json.loads(event.data)
            yield (stream, seq), head


def build_shim(folder: Path) -> Path:
    compiler = shutil.which("cc")
    if not sys.platform.startswith("linux"):
        raise Unavailable("this needs Linux")
    if compiler is None:
        raise Unavailable("there is no C compiler (cc)")
    built = folder / "shim.so"
    command = [compiler, "-shared", "-fPIC", str(SHIM), "-o", str(built), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return built


def record(seed: int, games: Sequence[str] = (), *, deaf: str | None = None) -> Recording:
    """Let the workload run on a real disk, which ignores syncs of files whose name ends so."""
    with tempfile.TemporaryDirectory(prefix="powercut-") as name:
        work = Path(name).resolve()
        folder, log = work / "store", work / "recording"
        folder.mkdir()
        settings = {
            "LD_PRELOAD": str(build_shim(work)),
            "POWERCUT_LOG": str(log),
            "POWERCUT_FOLDER": str(folder),
            **({"POWERCUT_DEAF": deaf} if deaf else {}),
        }
        command = [sys.executable, "-m", "tools.measure.powercut.workload", str(folder), str(seed)]
        subprocess.run([*command, *games], cwd=ROOT, env={**os.environ, **settings}, check=True)
        recording = Recording(tuple(read_recording(log)), seed)
        check_sight(recording, {path.name: path.read_bytes() for path in folder.iterdir()})
    return recording


def check_sight(recording: Recording, found: Mapping[str, bytes]) -> None:
    """All that was recorded, done again, makes the files that are there."""
    disk = Disk()
    for event in recording.events:
        disk.happen(event)
        if event.kind == Kind.MAP and not event.name.endswith(SHARED_MEMORY):
            raise Blind(f"{event.name} is written through a mapping, past the recorder")
    made = {name: file.content() for name, file in disk.names().items()}
    if made != found:
        differing = sorted(n for n in made.keys() | found.keys() if made.get(n) != found.get(n))
        raise Blind(f"the recording does not make these files: {', '.join(differing)}")
    if not recording.acknowledged:
        raise Blind("the workload has acknowledged nothing")


@dataclass(frozen=True)
class Cut:
    """One moment at which the power fails, and what becomes of what was not synced."""

    after: int
    fate: Fate
    seed: str

    def __str__(self) -> str:
        return f"after event {self.after}, unsynced writes {self.fate.name.lower()}"


@dataclass
class Outcome:
    """What was found behind all cuts."""

    cuts: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """Cuts that cost something acknowledged, whether the store named it or not."""
        return self.problems["lost"] + self.problems["lost and named"]

    @property
    def failed(self) -> bool:
        return bool(self.problems)

    def add(self, cut: Cut, found: Sequence[Problem]) -> None:
        self.cuts += 1
        self.problems.update({problem.kind for problem in found})
        self.examples += [f"{cut}: {problem.kind}, {problem.about}" for problem in found[:1]]

    def __str__(self) -> str:
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.problems.items()))
        return f"{self.cuts} power cuts, {counts or 'nothing lost, nothing doubled, chains intact'}"


@dataclass(frozen=True)
class Problem:
    kind: str
    about: str


def plan_cuts(recording: Recording, count: int, *, creation: bool) -> list[Cut]:
    """Random moments in order: after the first answer, or while the store is created."""
    chance = random.Random(f"cuts {recording.seed}")
    first = recording.first_answer
    between = (1, first - 1) if creation else (first, len(recording.events))
    moments = sorted(chance.randint(*between) for _ in range(count))
    fates = [chance.choice([*Fate]) for _ in moments]
    return [
        Cut(moment, fate, f"{recording.seed} {number}")
        for number, (moment, fate) in enumerate(zip(moments, fates, strict=True))
    ]


def cut_power(
    recording: Recording,
    count: int,
    *,
    creation: bool = False,
    seconds: float = 600,
    keep: Path | None = None,
) -> Outcome:
    """Look at the store behind each cut; ``keep`` receives the disks behind which it failed."""
    outcome, disk, happened = Outcome(), Disk(), 0
    everything, until = recording.acknowledged, monotonic() + seconds
    for cut in plan_cuts(recording, count, creation=creation):
        if monotonic() > until:
            break
        for event in recording.events[happened : cut.after]:
            disk.happen(event)
        happened = cut.after
        files = disk.after_cut(cut.fate, random.Random(cut.seed))
        files.pop(ACKNOWLEDGED, None)
        acknowledged = dict(answers(recording.events[:happened]))
        with tempfile.TemporaryDirectory(prefix="powercut-") as folder:
            write_files(Path(folder), files)
            found = list(look_at(Path(folder), acknowledged, everything))
        outcome.add(cut, found)
        if found and keep is not None:
            write_files(keep / f"cut-{cut.after}-{cut.fate.name.lower()}", files)
    return outcome


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def look_at(folder: Path, acknowledged: Entries, everything: Entries) -> Iterator[Problem]:
    """Open the store as the next program would, and compare it with what was said."""
    url = sqlite_url(folder / STORE)
    try:
        store = open_store(url)
    except StoreError as error:
        named = error.key in ("entries_lost", "other_entries")
        yield Problem("lost and named" if named else "unusable", str(error))
        return
    try:
        yield from _compare(store, acknowledged, everything)
        yield from _go_on(store)
        check_pages(folder / STORE)
    except StoreError as error:
        yield Problem("unusable", str(error))
    finally:
        store.close()


def _compare(store: Store, acknowledged: Entries, everything: Entries) -> Iterator[Problem]:
    streams = {stream: store.read(stream) for stream in store.streams()}
    found = {(one.stream, one.seq): one.head for entries in streams.values() for one in entries}
    missing = [place for place, head in acknowledged.items() if found.get(place) != head]
    if missing:
        yield Problem("lost", f"{len(missing)} of {len(acknowledged)}, first {missing[0]}")
    invented = [place for place, head in found.items() if everything.get(place) != head]
    if invented:
        yield Problem("invented", f"{len(invented)}, first {invented[0]}")
    for stream, entries in streams.items():
        if (broken := find_break(stream, entries)) is not None:
            yield Problem("broken", str(broken))
        yield from _doubled(stream, entries)
    numbers = [number for number, _ in store.follow(limit=10**6)]
    if numbers != list(range(1, len(found) + 1)):
        yield Problem("broken", "the numbers of the entries have gaps")


def _doubled(stream: str, entries: Sequence[Stored]) -> Iterator[Problem]:
    bodies = [json.loads(entry.body) for entry in entries]
    keys = Counter(body["key"] for body in bodies)
    if any(count > 1 for count in keys.values()):
        yield Problem("doubled", f"a key of {stream}")
    if stream == BATCHES:
        sizes = {body["data"]["batch"]: body["data"]["size"] for body in bodies}
        if Counter(body["data"]["batch"] for body in bodies) != sizes:
            yield Problem("torn", "a batch is there in part")


def _go_on(store: Store) -> Iterator[Problem]:
    """The tables write on: the last request of each is sent again, then another one."""
    for stream in store.streams():
        *_, last = store.read(stream)
        body = json.loads(last.body)
        request = [Draft(body["kind"], body["schema"], body["data"], body["key"])]
        signed = {name: body[name] for name in ("at", "by", "role")}
        if store.append(stream, request, expected=last.seq - 1, **signed) != (last,):
            yield Problem("doubled", f"the last request of {stream} was stored again")
    after = len(store.read(BATCHES)) - 1
    store.append(BATCHES, [draft(0, "after-the-cut")], expected=after, **SIGNED)
