"""The engine: one game's rulebook, kit, notation and faces behind one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from engines.kernel.box.kit import KitSheet
from engines.kernel.engine.action_text import ActionText
from engines.kernel.engine.contract import (
    Faces,
    Judgement,
    K,
    Positions,
    Result,
    S,
    Secrecy,
    Setting,
)
from engines.kernel.engine.judge import Judge
from engines.kernel.engine.options import Options
from engines.kernel.engine.positions import DeclaredPositions
from engines.kernel.messages.catalogue import (
    NOBODY,
    Catalogue,
    Language,
    Names,
    Phrase,
    Speech,
    Spoken,
    Verbatim,
)
from engines.kernel.messages.errors import (
    Flaw,
    Mistake,
    ParseError,
    close_to,
    first_mistake,
    hint,
)
from engines.kernel.messages.package_data import catalogue, kit_files, read_tables, read_text
from engines.kernel.notation.reader import Notation
from engines.kernel.rules.actions import Action, Audit, Opening
from engines.kernel.rules.clauses import Clause, Reading, read_clauses, read_readings
from engines.kernel.rules.hearing import Hearing, Moment, Point, Verdict
from engines.kernel.rules.holdings import Holdings, Moves, Rearrangement, moves, rearranged
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.sight import Sight, Things
from engines.kernel.rules.state import to_plain
from engines.kernel.values.secret import Unknowable
from engines.kernel.values.structs import evolve

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.ground import Ground
    from engines.kernel.picture.layout import News
    from engines.kernel.picture.svg import Picture, Shape

_BOXES_KEPT = 16
"""Size of the cache of parsed kits: the tables of an organiser share a few."""

P = TypeVar("P", bound="Picture | None")


class Engine(Generic[S, K]):
    """A game. All of its functions are pure; one engine serves any number of tables.

    Judging, listing options, wording actions and declaring positions are each done by a part of
    their own (``judge``, ``options``, ``text``, ``positions``), made when it is first needed.

    ``chapters`` are the modules in which the rulebook is written, where that is not the
    package itself. ``balance(state, setting)`` gives the differences from the conservation
    laws (none, if all is well), ``holdings`` who has what: so the engine tells what moved.
    ``sight`` is what a photograph shows of it. ``guide()`` leads a club through its own box.
    ``bgg`` is the number under which BoardGameGeek lists the game, where somebody has looked it
    up. ``cooperative``: the whole table wins or loses.
    """

    def __init__(
        self,
        *,
        id: str,
        package: str,
        version: str,
        edition: str,
        seats: tuple[int, int],
        kit: type[K],
        opening: type[Opening],
        actions: Iterable[type[Action]],
        rules: Rulebook,
        chapters: Iterable[ModuleType] = (),
        result: Callable[[S], Result | None],
        balance: Callable[[S, Setting[K]], Mapping[str, int]] = lambda state, setting: {},
        holdings: Holdings | None = None,
        positions: Positions[S, K] | None = None,
        faces: Faces[S, K],
        secrecy: Secrecy[S, K] | None = None,
        sight: Sight | None = None,
        guide: Callable[[], Guide[K]] | None = None,
        bgg: int | None = None,
        cooperative: bool = False,
    ) -> None:
        self.id = id
        self.cooperative = cooperative
        self.bgg = bgg
        self.package = package
        self.version = version
        self.edition = edition
        self.seats = seats
        self.kit_model = kit
        self.opening = opening
        self.actions: tuple[type[Action], ...] = (*actions, Audit)
        self.rules = rules.written_in(package, *(chapter.__name__ for chapter in chapters))
        self.result = result
        self.balance = balance
        self.holdings = holdings or Holdings()
        self.sight = sight
        self._positions = positions
        self.position = None if positions is None else positions.action
        self.position_of = None if positions is None else positions.of
        self._describe = faces.describe
        self._picture = faces.picture
        self._card_key = faces.card_key
        self._thing = faces.thing
        self._spaces = faces.spaces
        self._guide = guide
        secrecy = secrecy or Secrecy()
        self.hide = secrecy.hide
        self.private_facts = frozenset(secrecy.private_facts)
        self.sealed = dict(secrecy.sealed)
        self._boxes: dict[str, K] = {}

    def __repr__(self) -> str:
        return f"<engine {self.id} {self.version}>"

    # what is written about the game

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        return read_clauses(read_tables(self.package, "clauses.toml"))

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        return read_readings(read_tables(self.package, "readings.toml"))

    @cached_property
    def reading_values(self) -> dict[str, tuple[str, ...]]:
        """What each reading may be, by name, the default first."""
        return {name: tuple(reading.values) for name, reading in self.readings.items()}

    @property
    def default_readings(self) -> dict[str, str]:
        """The readings of a table that says nothing about them."""
        return {name: default for name, (default, *_) in self.reading_values.items()}

    @cached_property
    def words(self) -> Catalogue:
        return catalogue(self.package)

    @cached_property
    def kits(self) -> dict[str, KitSheet]:
        return {name: KitSheet(kit) for name, kit in kit_files(self.package).items()}

    @cached_property
    def guide(self) -> Guide[K]:
        from engines.kernel.box.guide import Guide

        return Guide() if self._guide is None else self._guide()

    def edition_in(self, edition: str, lang: Language) -> str:
        """The name of a recorded edition of the rules; an unknown one is returned as recorded."""
        ours = edition == self.edition and "edition" in self.words
        return self.words.say("edition", lang) if ours else edition

    # its parts

    @cached_property
    def judge(self) -> Judge[S, K]:
        """Hears actions: ``engine.judge(setting, state, action)``."""
        structure = {name for name, clause in self.clauses.items() if clause.kind == "structure"}
        return Judge(
            self.id,
            self.rules,
            self.words,
            structure,
            self.position,
            lambda *judged: self.positions.checked(*judged),
        )

    @cached_property
    def options(self) -> Options[S, K]:
        """What may come next: ``engine.options(setting, state)`` are the legal actions."""
        return Options(self.judge, self.rules, self.text, self.words)

    @cached_property
    def positions(self) -> DeclaredPositions[S, K]:
        """Whole tables stated as data, and adjustments."""
        return DeclaredPositions(
            self.id,
            self.judge,
            self.options,
            self.rules,
            self.words,
            self._positions,
            self.balance,
        )

    @cached_property
    def text(self) -> ActionText:
        """Actions as lines, sentences and data: ``engine.text(action)`` is the stored line."""
        return ActionText((self.opening, *self.actions), self.words, self.readings)

    # opening a table

    def setting(
        self,
        opening: Opening,
        sheet: KitSheet | None = None,
        house_rules: Iterable[str] = (),
    ) -> Setting[K]:
        """The pinned setting of a game: readings that are not named get their default."""
        readings = self.default_readings
        for name, value in opening.readings.items():
            readings[name] = self.check_reading(name, value)
        for clause in house_rules:
            if clause not in self.clauses:
                raise ParseError("unknown_clause", clause=clause)
            if self.clauses[clause].kind not in ("rule", "effect"):
                raise ParseError("clause_stays", clause=clause)
        if sheet is None:
            sheet = self.kit_sheet(opening.kit)
        return Setting(
            self.read_kit(sheet), readings, frozenset(house_rules), sheet, tuple(opening.seats)
        )

    def check_reading(self, name: str, value: str) -> str:
        if name not in self.reading_values:
            near = close_to(name, self.reading_values)
            likely = hint(near, self.reading_values)
            raise ParseError("unknown_reading", reading=Verbatim(name), near=near, hint=likely)
        if value not in self.reading_values[name]:
            values = tuple(map(Verbatim, self.reading_values[name]))
            raise ParseError("unknown_value", reading=name, value=Verbatim(value), values=values)
        return value

    def kit_sheet(self, name: str | None) -> KitSheet:
        if name is None:
            return next(iter(self.kits.values()))
        if name not in self.kits:
            raise ParseError("unknown_kit", kit=name, kits=tuple(self.kits))
        return self.kits[name]

    def read_kit(self, sheet: KitSheet) -> K:
        """Parse and validate a kit sheet, memoized: most games use one of a few boxes."""
        content = repr(sheet.content)
        kit = self._boxes.get(content)
        if kit is None:
            kit = self._read_kit(sheet)
            if len(self._boxes) >= _BOXES_KEPT:
                self._boxes.clear()
            self._boxes[content] = kit
        return kit

    def _read_kit(self, sheet: KitSheet, *, new: bool = False) -> K:
        try:
            return self.kit_model.read(sheet, new=new)
        except ValidationError as error:
            wrong = self.mistake_in_kit(sheet, error)
            datum = wrong.place or str(sheet.content.get("kit"))
            raise ParseError("bad_kit", datum=Verbatim(datum), problem=wrong.problem) from None

    def mistake_in_kit(self, sheet: KitSheet, error: ValidationError) -> Mistake:
        """The first thing wrong with a box: its place as people type it, choices in words."""
        wrong = first_mistake(error, self.words)
        problem = wrong.problem
        if problem.key == "flaw.no_such_choice":
            signs = (
                self.guide.spelling(wrong.place).signs
                or self.guide.spelling(wrong.place.rpartition(".")[0]).signs
            )
            choices = signs or str(problem.facts["expected"]).split(", ")
            problem = Phrase(problem.key, {"expected": tuple(map(self.called, choices))})
        return wrong._replace(place=sheet.shown(wrong.place), problem=problem)

    def called(self, thing: str) -> Spoken:
        """What something of the box is called; a code is called by itself."""
        keys = (f"{group}.{thing}" for group in ("box", "term", "colour"))
        key = next((key for key in keys if key in self.words), None)
        return Verbatim(thing) if key is None else Phrase(key, {}, self.words)

    def stated(self, sheet: KitSheet, path: str, value: Any) -> tuple[str, Any]:
        """Normalize a statement about the box to the stored path and value."""
        return self.kit_model.stated(sheet, path, value)

    def read_whole_kit(self, sheet: KitSheet) -> K:
        """Like ``read_new_kit``, and the kit must be whole."""
        return self.read_new_kit(sheet, whole=True)

    def read_new_kit(self, sheet: KitSheet, *, whole: bool = False) -> K:
        """Like ``read_kit``, for a kit that is new: within its limits.

        Older records may hold kits that would not be accepted today.
        """
        try:
            sheet.check_size()
            kit = self._read_kit(sheet, new=True)
            if whole:
                kit.check_whole()
        except Flaw as flaw:
            problem = Phrase(f"{flaw.group}.{flaw.key}", flaw.facts, self.words)
            datum = Verbatim(str(sheet.content.get("kit"))[:80])
            raise ParseError("bad_kit", datum=datum, problem=problem) from None
        return kit

    def check_kit(self, sheet: KitSheet) -> tuple[Point, ...]:
        """A verdict on where a kit departs from the rulebook."""
        rule: Hearing[K] = Hearing(self.read_kit(sheet), self.default_readings, lenient=True)
        self.rules.kit_check(rule.kit, rule)
        return rule.breaches

    def open(self, setting: Setting[K], opening: Opening, *, lenient: bool = False) -> Judgement[S]:
        """The first position. A refused opening leads to no state at all."""
        return self.judge.open(setting, opening, lenient=lenient)

    # judging

    def traced(
        self,
        setting: Setting[K],
        audit: Audit,
        verdict: Verdict,
        moments: Sequence[Moment[S]],
    ) -> Verdict:
        """The verdict on an audit that differs, with the entries that touched what was counted.

        ``moments`` is all that counts before it, from the opening on.
        """
        return self.rules.audits.traced(audit, verdict, moments, setting, setting.seats, self.words)

    # text and data

    @property
    def notation(self) -> Notation:
        """Reads and writes lines of any kind of action."""
        return self.text.notation

    def read(self, text: str) -> Action:
        """One action in the scribe's notation."""
        return self.text.read(text)

    def plain(self, state: S) -> dict[str, Any]:
        """The whole state as JSON-ready data."""
        data: dict[str, Any] = to_plain(state)
        return data

    # faces

    def moves(
        self,
        before: S,
        after: S,
        setting: Setting[K],
        action: Action | None,
        stages: Sequence[S] = (),
    ) -> Moves:
        """What an action moved and scored, by comparing states; in the order of its stages.

        A declared position moves nothing.
        """
        if type(action) is self.position:
            return Moves()
        return moves(self.holdings, before, after, setting, stages)

    def rearranged(
        self, before: S, after: S, setting: Setting[K], setting_after: Setting[K]
    ) -> Rearrangement:
        """What hands must do so that the table of one state lies as that of another."""
        try:
            return rearranged(self.holdings, before, after, setting, setting_after)
        except Unknowable:
            return Rearrangement()

    def things(self, state: S, setting: Setting[K]) -> Things:
        """What lies openly where; nothing in a game that has no sight."""
        return {} if self.sight is None else self.sight.things(self.holdings, state, setting)

    def score(self, state: S) -> tuple[int | None, Mapping[str, int]]:
        """The round, where the game counts its rounds, and the points of each seat."""
        return self.holdings.round(state), self.holdings.points(state)

    def describe(
        self, state: S, setting: Setting[K], lang: Language, names: Names = NOBODY
    ) -> list[str]:
        """The state in words, about people by name where ``names`` has them."""
        return self._describe(state, setting, Speech(self.words, lang, names))

    def picture(
        self,
        state: S,
        setting: Setting[K],
        lang: Language,
        last: Action | None,
        *,
        before: S | None = None,
        shape: Shape = "tall",
        names: Mapping[str, str] | None = None,
        grounds: Mapping[str, Ground] | None = None,
    ) -> Picture:
        """Draw the state, with what the last action touched highlighted.

        With the state ``before`` it, what changed hands is shown at giver and taker. ``names`` are
        those of the people by seat; ``grounds`` photographs of the boards to draw it on.
        """
        from engines.kernel.picture.svg import Picture

        if grounds:
            setting = evolve(setting, grounds=grounds)

        def drawing() -> Picture:
            drawn = self._picture(state, setting, Speech(self.words, lang, names or {}), last)
            if isinstance(drawn, Picture):
                return drawn
            moved = Moves() if before is None else self.moves(before, state, setting, last)
            if drawn.since is not None and before is not None:
                drawn = drawn.since(before)
            losers = moved.losers(last.by if last is not None else None)
            drawn = drawn._replace(touched=(*drawn.touched, *losers))
            return drawn.picture(shape, self._news(state, moved, lang))

        return self._drawn(drawing, lang)

    def spaces(self, state: S, setting: Setting[K], last: Action | None) -> set[str]:
        """The names of the spaces of the picture, without drawing it where the game can."""
        named = None if self._spaces is None else self._spaces(state, setting)
        if named is None:
            return set(self.picture(state, setting, "en", last).anchors)
        return set(named)

    def _drawn(self, drawing: Callable[[], P], lang: Language) -> P | Picture:
        """A picture within the limit of what is drawn; beyond it, one that says so.

        Pages and exports of a table whose box has a number gone wrong still open.
        """
        from engines.kernel.picture import svg

        try:
            with svg.bounded():
                return drawing()
        except ParseError as error:
            if error.key != svg.UNDRAWABLE:
                raise
            lines = svg.wrapped(error.phrase.said(self.words, lang), 52)
        rows = [svg.text(360, 40 + 28 * at, line, 22) for at, line in enumerate(lines)]
        return svg.Picture(720, 40 + 28 * len(lines), svg.joined(rows))

    def _news(self, state: S, moved: Moves, lang: Language) -> dict[str, list[News]]:
        """Labels by seat: the winner first, then points, then what was gained and lost."""
        from engines.kernel.picture.layout import News

        news: dict[str, list[News]] = {}
        result = self.result(state)
        against = result is not None and result.won is None and result.places
        for seat in result.places[0] if result is not None and against else ():
            news.setdefault(seat, []).append(News(self.words.say("news.winner", lang), "winner"))
        for seat, label, gained in moved.by_seat(self.words, lang):
            news.setdefault(seat, []).append(News(label, "gain" if gained else "loss"))
        return news

    @cached_property
    def emblem(self) -> str:
        """A small drawing that stands for the game: ``emblem.svg``, or its initial."""
        drawn = read_text(self.package, "emblem.svg")
        if drawn is not None:
            return drawn.strip()
        from engines.kernel.picture.svg import GREY, WHITE, Picture, el, joined, text

        name = self.words.say("game", "en") if "game" in self.words else self.id
        ground = el("rect", x=0, y=0, width=24, height=24, rx=5, fill=GREY)
        initial = text(12, 17, name[:1].upper(), 14, fill=WHITE, font_weight=700)
        return Picture(24, 24, joined([ground, initial])).svg(name, "", lang="en")

    @property
    def card_key(self) -> Callable[[Setting[K], Language], Picture] | None:
        """Draws the key to the codes of the components; ``None`` if the game has none."""
        draw = self._card_key
        if draw is None:
            return None
        return lambda setting, lang: self._drawn(
            lambda: draw(setting, Speech(self.words, lang)), lang
        )

    def thing(self, word: str, setting: Setting[K], lang: Language) -> str:
        """A small drawing of a component; empty if the game draws none of it."""
        speech = Speech(self.words, lang)
        thing = self._thing
        drawn = None if thing is None else self._drawn(lambda: thing(word, setting, speech), lang)
        return "" if drawn is None else drawn.svg(speech.term(word), "", lang=lang)

    # comparing

    def compared(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """What two tables are compared by: the position, without orders that mean nothing.

        The whole state in a game whose positions cannot be declared, and where what is hidden
        would have to be.
        """
        if self.position is None:
            return self.plain(state)
        try:
            return self.positions.compared(setting, state)
        except (Unknowable, ParseError):
            return self.plain(state)
