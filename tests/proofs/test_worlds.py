"""What is shown is what is so in every world that the viewer cannot tell from this one.

Twins prove that two views are alike, not that they are right. Here one public story is told once
for every secret there can be. Whatever a viewer is shown is so in a world that they hold for
possible; what is so in all of these they are shown: nothing is withheld without a reason.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import pytest

from engines.kernel import to_plain
from referee.record.entries import Corrected, Disputed, Logged
from referee.record.game import Game
from referee.record.history import history
from referee.record.line import Item, JudgedItem
from referee.secrecy.query_guard import as_known
from referee.secrecy.redaction import HIDDEN, seen
from referee.table.author import By
from referee.table.bench import BatchBench, Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from tests.proofs.test_discreet_changes import changed, changes
from tests.proofs.test_discretion import AUDITS, JO, TABLET
from tests.proofs.twins import log_lines
from tests.record.conftest import make_bench

pytestmark = pytest.mark.usefixtures("strangers_games")
Key = tuple[Any, ...]
Page = Mapping[Key, object]
MISSING = "(missing)"
STEPS = 9


class Hidden(NamedTuple):
    """A game with something hidden: its table, what it begins with, what each seat can hide, and
    lines that only one world or the other refutes."""

    table: str
    begins: tuple[str, ...]
    secrets: Mapping[str, tuple[str, ...]]
    guesses: tuple[str, ...]
    stories: int

    def worlds(self) -> Iterator[dict[str, str]]:
        for told in product(*self.secrets.values()):
            yield dict(zip(self.secrets, told, strict=True))


GAMES = {
    "smugglers": Hidden(
        "table A B C",
        ("A pack A?", "B pack", "C pack C?"),
        {"A": ("tea", "silk"), "C": ("silk", "tea")},
        tuple(f"{seat} unpack {goods}" for seat in "ABC" for goods in ("tea", "silk")),
        12,
    ),
    "dunes": Hidden(
        "table A B C",
        ("A close A?", "B close", "C close C?"),
        {"A": ("2", "0"), "C": ("2", "0")},
        tuple(f"{seat} open {drops}" for seat in "ABC" for drops in (0, 2)),
        12,
    ),
    "broom_service": Hidden(
        "table A=red B=blue first A side front readings sealed_hands=yes",
        (
            'position {"round": 2, "first": "A", "players": {"A": {"bolts": 25}}}',
            "event gathering", "cursed rg pd wf", "A hand 4 A?", "B hand 4 B?",
        ),
        {"A": ("pw fw hw mw", "fg hg pd vd"), "B": ("pw hw mw vd", "fw fg hg pd")},
        ("A pw brave", "A fg brave", "B fw brave", "B pw coward"),
        3,
    ),
    "bloody_grove": Hidden(
        "table A=black B=green first A",
        (
            "groves bear fox owl", "elite EB2", "elite EF6", "elite EO6", "venerables V6 V3 V9",
            "A draw 4 sealed A?", "B draw 4 sealed B?", "A look t1", "B look t2",
        ),
        {"A": ("b3 f1 b1 b2", "o1 o2 o3 f2"), "B": ("f3 o1 f2 f1", "b1 b2 o2 b3")},
        ("A invoke b3", "B invoke f3", "A invoke o1", "B invoke b1"),
        3,
    ),
}  # fmt: skip
OF_A_PICTURE = {"digest", "size", "width", "height", "about", "caption"}
SELDOM = {"undone", "photos", "photographed"}
REACHED = {
    "said", "steps", "gone", "history", "disputes", "entries", "logged", "corrected", "disputed",
    "two actions disputed", "two secrets put in", "withheld", "withheld, and excused",
}  # fmt: skip
"""In every game; and seldom, where there are many stories."""


def leaves(value: Any, at: Key = ()) -> Iterator[tuple[Key, object]]:
    """Every single thing in plain data; what is of a clause is named by it."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from leaves(each, (*at, name))
    elif isinstance(value, list | tuple):
        often = Counter[object]()
        for place, each in enumerate(value):
            name = each["clause"] if isinstance(each, Mapping) and "clause" in each else place
            often[name] += 1
            yield from leaves(each, (*at, name, often[name]))
    else:
        yield at, value


def told(game: Game) -> dict[Key, object]:
    """All that a record tells, thing by thing, but for its hashes."""
    found = defaultdict[str, dict[Any, Any]](dict)
    for entry in game.entries:
        data = entry.data.model_dump(mode="json")
        logged = isinstance(entry.data, Logged)
        for said in [data] if logged else data.pop("insert", ()):
            line = game.engine.text(game.engine.text.load(said["action"]))
            found["said"][said["number"]] = {**said, "line": line}
        author = {"at": entry.at, "by": entry.by, "role": entry.role, "kind": entry.data.KIND}
        found["entries"][entry.seq] = author if logged else {**author, "data": data}
    for place, step in enumerate(game.steps):
        found["steps"][step.number or f"+{place}"] = _step(game, step)
    for number, stood in game.gone.items():
        found["gone"][number] = _step(game, stood.after)
    for name in ("pending", "undone"):
        for item in getattr(game, name):
            found[name][item.number] = _item(game, item)
    for name in ("notes", "photos", "disputes"):
        for id, one in getattr(game, name).items():
            found[name][id] = one.model_dump(mode="json")
    for line in history(game):
        found["history"][line.number] = line._asdict()
    found["words"] = dict(enumerate(game.engine.describe(game.state, game.setting, "en")))
    return dict(leaves(found))


def _item(game: Game, item: Item) -> dict[str, Any]:
    text = None if item.action is None else game.engine.text(item.action)
    return {"line": text, "stands": item.stands, "changes": item.changes, "reading": item.reading}


def _step(game: Game, step: JudgedItem) -> dict[str, Any]:
    verdict, parts = step.verdict, ("breaches", "claims", "findings", "consulted", "warnings")
    judged = {part: to_plain(getattr(verdict, part)) for part in parts}
    state = to_plain(step.state) if step is game.steps.last else None
    return {**_item(game, step.item), "outcome": verdict.outcome, **judged, "state": state}


class Worlds:
    """The same table in every world that anybody holds for possible, and what happened there."""

    def __init__(self, hidden: Hidden, made: Iterable[tuple[dict[str, str], Bench, str]]) -> None:
        self.hidden = hidden
        self.tables = [(world, BatchBench(bench), id) for world, bench, id in made]
        self.done: list[str] = []

    def games(self) -> list[Game]:
        return [bench.game(id) for _, bench, id in self.tables]

    def everywhere(self, act: Callable[[dict[str, str], Bench, Game], object]) -> list[str]:
        return [
            changed(bench, bench.game(id), lambda bench, game, world=world: act(world, bench, game))
            for world, bench, id in self.tables
        ]

    def log(self, rng: random.Random) -> None:
        """The device on the table logs what is on offer to everybody, a guess, or a count; whoever
        hides something does it anew."""
        game = self.games()[0]
        known = as_known(game, "")
        offered = known.engine.options(known.setting, known.state)
        lines = [game.engine.text(action) for action in offered if not action.private_values()]
        lines += [*self.hidden.guesses, f"audit {rng.choice(AUDITS[game.engine.id])}"]
        line, stands = rng.choice(lines), rng.random() < 0.7
        begun = {each.split(" sealed")[0].rsplit(" ", each[-1] == "?")[0]: each
                 for each in self.hidden.begins}  # fmt: skip
        line = begun.get(line, line)
        self.done.append(line)
        answers = self.everywhere(
            lambda world, bench, game: log(
                bench, game.id, in_world(line, world), stands=stands, by=By(TABLET)
            )
        )
        assert len({*answers}) == 1, (self.done, answers)

    def tell_anew(self, rng: random.Random) -> None:
        """One correction puts in, in place of themselves, lines with several secrets."""
        number = rng.choice(self.games()[0].numbers() or [0])
        self.done.append(f"anew from #{number}")

        def anew(world: dict[str, str], bench: Bench, game: Game) -> None:
            steps = [step for step in game.steps[1:] if step.action is not None]
            while steps and steps[0].number != number:
                del steps[0]
            lines = [step.action for step in steps if step.action is not None]
            correct(bench, game.id, number, lines, remove=len(lines), stands=True)

        self.everywhere(anew)

    def call(self, rng: random.Random) -> None:
        """A call for a judge over two actions comes of itself, and cites what the last of them
        breaks or proves: in each world what it is there."""
        numbers = [0, *self.games()[0].numbers()]
        two = tuple(sorted(rng.sample(numbers, min(2, len(numbers)))))
        self.done.append(f"called over {two}")

        def called(world: dict[str, str], bench: Bench, game: Game) -> None:
            verdict = game.stood(two[-1]).after.verdict
            clauses = [each.clause for each in (*verdict.breaches, *verdict.findings)]
            id, clause = f"d{len(game.disputes) + 1}", next(iter(clauses), None)
            dispute = Disputed(id=id, numbers=two, clause=clause, cause="finding")
            bench.tell(game, [dispute], By(JO))

        self.everywhere(called)

    def change(self, rng: random.Random) -> None:
        what, change, _ = changes(self.games()[0], rng)
        self.done.append(what)
        self.everywhere(lambda world, bench, game: change(bench, game))

    def go_on(self, rng: random.Random) -> None:
        acts = (self.log, self.log, self.change, self.tell_anew, self.call)
        for _ in range(STEPS):
            if self.games()[0].state.over:
                return
            rng.choice(acts)(rng)
            self.keep_alike()

    def keep_alike(self) -> None:
        """Whoever sees everything decides by what they see: that tells a world from another."""
        stories = [[(each.data.KIND, each.role) for each in game.entries] for game in self.games()]
        alike = [story == stories[0] for story in stories]
        self.tables = [table for table, same in zip(self.tables, alike, strict=True) if same]

    def not_told_apart(self, viewer: str) -> Iterator[list[int]]:
        """The worlds in which a viewer has the same secret, or none."""
        groups = defaultdict[str, list[int]](list)
        for place, (world, _, _) in enumerate(self.tables):
            groups[world.get(viewer, "")].append(place)
        yield from groups.values()


def in_world(line: str, world: Mapping[str, str]) -> str:
    for seat, secret in world.items():
        line = line.replace(f"{seat}?", secret)
    return line


class Possible(NamedTuple):
    """What the record tells in full in each world that a viewer holds for possible."""

    viewer: str
    games: list[Game]
    pages: list[dict[Key, object]]

    def excuses(self, key: Key) -> bool:
        """What may be withheld though all of them agree: what would be known if it were not."""
        room, name, part, *_ = (*key, None, None)
        page = self.pages[0]
        near = {each[-1]: value for each, value in page.items() if each[:-1] == key[:-1]}
        if "only" in near:  # a picture of a hand
            return key[-1] in OF_A_PICTURE and near["only"] not in (None, self.viewer)
        if room == "words" or {"state", "changes", "variation"} & {*key}:
            return True  # what is hidden of a table is for its game to say
        if room in ("pending", "undone") and part == "stands":
            items = [*self.games[0].pending, *self.games[0].undone]
            return any(each.quietly for each in items if each.number == name)  # nobody said so
        if self.declares(room, name):
            return True  # a position would tell all hands at once
        if key[-1] in ("settled", "settled_by"):
            return True  # by a finding, of which below
        if "findings" in key and self.rests_on_a_secret(key[: key.index("findings") + 3]):
            return True
        if room in ("said", "history") and part in ("verdict", "outcome", "clauses", "stands"):
            at = ("said", name, "verdict")
            points = {each[4] for each in page if each[:3] == at and "clause" in each}
            return not self.all_cite(name, points & {*key} or points)
        if key[-1] == "clause" and "cause" in near:
            last = max(each for each in page if each[:-2] == (*key[:-1], "numbers"))
            return not self.all_cite(page[last], {page[key]})
        return False

    def declares(self, room: object, name: object) -> bool:
        if room == "entries":
            data = next(entry.data for entry in self.games[0].entries if entry.seq == name)
            return isinstance(data, Logged) and data.action["verb"] == "position"
        lines = [self.pages[0].get((each, name, "line")) for each in ("said", room)]
        return any(str(line).startswith("position ") for line in lines)

    def rests_on_a_secret(self, finding: Key) -> bool:
        """Whether something is proven of what another seat has told in secret, or might have."""
        page, game = self.pages[0], self.games[0]
        numbers = {number for each, number in page.items() if each[:-2] == (*finding, "entries")}
        items = [*game.line(), *(stood.after.item for stood in game.gone.values())]
        about = [item.action for item in items if item.number in numbers]
        return any(action and action.known_to(self.viewer) != action for action in about)

    def all_cite(self, number: object, clauses: set[Any]) -> bool:
        """Whether all of these are said of an action as it is judged now, or was when it counted,
        whatever the world."""
        at = ("steps" if self.games[0].counts(int(str(number))) else "gone", number)
        for page in self.pages:
            points = {each[:5] for each in page if each[:2] == at and each[-1] == "clause"}
            cited = {each[3] for each in points if each[2] == "breaches"}
            cited |= {
                each[3] for each in points
                if each[2] == "findings" and not self.rests_on_a_secret(each)
            }  # fmt: skip
            if not clauses or not clauses <= cited:
                return False
        return True


def is_wrong(possible: Possible, key: Key, value: object, reached: Counter[str]) -> bool:
    """Whether something is shown, or left out, that is so in none of the worlds."""
    so = {page.get(key, MISSING) for page in possible.pages}
    if value in so:
        return False
    if len(so) > 1:
        reached["withheld"] += 1
        shortened = isinstance(value, str) and all(str(each).startswith(value) for each in so)
        if shortened or value in (HIDDEN, None, MISSING):
            return False
    else:
        reached["withheld, and excused"] += 1
    return not possible.excuses(key)


@pytest.mark.parametrize("name", GAMES)
def test_everybody_is_shown_what_they_cannot_doubt_and_nothing_else(name: str) -> None:
    hidden, reached = GAMES[name], Counter[str]()
    made = []
    for world in hidden.worlds():
        bench = make_bench()
        game = open_game(bench, name, hidden.table).game.id
        log_lines(bench, game, *(in_world(line, world) for line in hidden.begins))
        made.append((world, bench, game))
    for story in range(hidden.stories):
        worlds = Worlds(hidden, made)
        worlds.go_on(random.Random(f"{name} {story}"))
        games = worlds.games()
        pages = [told(game) for game in games]
        reached.update(what_happened(games[0]))
        if games[0].state.over:
            assert [told(seen(game, "public")) for game in games] == pages, worlds.done
            continue
        for viewer in ("", *games[0].setting.seats):
            view = f"seat:{viewer}" if viewer else "public"
            for group in worlds.not_told_apart(viewer):
                shown, *others = (told(seen(games[place], view)) for place in group)
                for other in others:
                    apart = {*shown.items()} ^ {*other.items()}
                    assert not apart, (worlds.done, view, sorted(apart, key=str)[:6])
                possible = Possible(viewer, [games[p] for p in group], [pages[p] for p in group])
                for key in set[Key]().union(shown, *possible.pages):
                    reached[key[0]] += 1
                    value = shown.get(key, MISSING)
                    assert not is_wrong(possible, key, value, reached), (
                        worlds.done,
                        view,
                        key,
                        value,
                    )
    seldom = SELDOM if hidden.stories > 9 else set()
    assert {each for each in REACHED | seldom if reached[each] < 2} == set()


def what_happened(game: Game) -> Iterator[str]:
    for entry in game.entries:
        yield entry.data.KIND
        if isinstance(entry.data, Disputed) and len(entry.data.numbers) > 1:
            yield "two actions disputed"
        if isinstance(entry.data, Corrected):
            actions = [game.engine.text.load(said.action) for said in entry.data.insert]
            if sum(bool(action.private_values()) for action in actions) > 1:
                yield "two secrets put in"
