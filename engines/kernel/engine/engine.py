"""The engine: one game's rulebook, kit, notation and faces behind one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic

from pydantic import TypeAdapter, ValidationError

from engines.kernel.box.kit import KitSheet
from engines.kernel.engine.action_text import ActionText
from engines.kernel.engine.choices import Choices
from engines.kernel.engine.contract import (
    Choice,
    Faces,
    Judgement,
    K,
    Positions,
    Result,
    S,
    Secrecy,
    Setting,
)
from engines.kernel.engine.judge import UNKNOWABLE, Judge
from engines.kernel.engine.options import Options
from engines.kernel.engine.positions import DeclaredPositions
from engines.kernel.engine.trays import trays_due
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
    MessageError,
    Mistake,
    ParseError,
    close_to,
    first_mistake,
    hint,
)
from engines.kernel.messages.package_data import catalogue, kit_files, read_tables, read_text
from engines.kernel.notation.reader import Notation
from engines.kernel.notation.usage import Usage
from engines.kernel.rules.actions import Action, Audit, Opening
from engines.kernel.rules.agenda import Duty
from engines.kernel.rules.clauses import Clause, Reading, read_clauses, read_readings
from engines.kernel.rules.hearing import Hearing, Point, Verdict
from engines.kernel.rules.holdings import Holdings, Moves, moves
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.sealed import Moment
from engines.kernel.rules.state import to_plain
from engines.kernel.rules.tray import Tray
from engines.kernel.values.secret import Unknowable
from engines.kernel.values.structs import evolve

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.ground import Ground
    from engines.kernel.picture.layout import News
    from engines.kernel.picture.svg import Picture, Shape

_BOXES_KEPT = 16
"""Size of the cache of parsed kits: the tables of an organiser share a few."""


class Engine(Generic[S, K]):
    """A game. All of its functions are pure; one engine serves any number of tables.

    A facade: judging, listing options, completing lines and declaring positions are each done by
    a part of their own (``judge.py``, ``options.py``, ``choices.py``, ``positions.py``), made when
    it is first needed.

    ``chapters`` are the modules in which the rulebook is written, where that is not the
    package itself. ``balance(state, setting)`` gives the differences from the conservation
    laws (none, if all is well), ``holdings`` who has what: so the engine tells what moved.
    ``guide()`` leads a club through its own box. ``bgg`` is the number under which BoardGameGeek
    lists the game, where somebody has looked it up. ``cooperative``: the whole table wins or loses.
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
        self._positions = positions
        self.position = None if positions is None else positions.action
        self.position_of = None if positions is None else positions.of
        self._describe = faces.describe
        self._picture = faces.picture
        self._card_key = faces.card_key
        self._thing = faces.thing
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
    def _judge(self) -> Judge[S, K]:
        structure = {name for name, clause in self.clauses.items() if clause.kind == "structure"}
        return Judge(self.id, self.rules, self.words, structure, self.position)

    @cached_property
    def _options(self) -> Options[S, K]:
        return Options(self._judge, self.rules)

    @cached_property
    def _choices(self) -> Choices[S, K]:
        return Choices(self._judge, self._options, self.rules, self._text, self.words)

    @cached_property
    def _declaring(self) -> DeclaredPositions[S, K]:
        return DeclaredPositions(
            self.id,
            self._judge,
            self._options,
            self.rules,
            self.words,
            self._positions,
            self.balance,
        )

    @cached_property
    def _text(self) -> ActionText:
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
            told = hint(near, self.reading_values)
            raise ParseError("unknown_reading", reading=Verbatim(name), near=near, hint=told)
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
        told = repr(sheet.content)
        kit = self._boxes.get(told)
        if kit is None:
            kit = self._read_kit(sheet)
            if len(self._boxes) >= _BOXES_KEPT:
                self._boxes.clear()
            self._boxes[told] = kit
        return kit

    def _read_kit(self, sheet: KitSheet) -> K:
        try:
            return self.kit_model.read(sheet)
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
        """Like ``read_kit``, with stricter checks for a kit that is new.

        Older records may hold kits that would not be accepted today.
        """
        kit = self.read_kit(sheet)
        try:
            kit.check_whole()
        except Flaw as flaw:
            problem = Phrase(f"{flaw.group}.{flaw.key}", flaw.facts, self.words)
            raise ParseError("bad_kit", datum=Verbatim(kit.kit), problem=problem) from None
        return kit

    def check_kit(self, sheet: KitSheet) -> tuple[Point, ...]:
        """A verdict on where a kit departs from the rulebook."""
        rule: Hearing[K] = Hearing(self.read_kit(sheet), self.default_readings, lenient=True)
        self.rules.kit_check(rule.kit, rule)
        return rule.breaches

    def open(self, setting: Setting[K], opening: Opening, *, lenient: bool = False) -> Judgement[S]:
        """The first position. A refused opening leads to no state at all."""
        return self._judge.open(setting, opening, lenient=lenient)

    # judging

    def judge(
        self,
        setting: Setting[K],
        state: S,
        action: Action,
        number: int = 0,
        *,
        lenient: bool = False,
    ) -> Judgement[S]:
        """Hear one action: strictly, or ``lenient`` as it happened at the table."""
        heard = self._judge.judge(setting, state, action, number, lenient=lenient)
        if type(action) is self.position and heard.accepted:
            return self._declaring.checked(setting, heard, lenient=lenient)
        return heard

    def judge_hidden(
        self,
        setting: Setting[K],
        state: S,
        action: Action,
        number: int = 0,
        *,
        lenient: bool = False,
    ) -> Judgement[S]:
        """Hear one action as far as the viewer may know, from a state with hidden parts.

        A rule may fail on what ``hide`` has left of the table. To the viewer that is undecided; to
        the author it is a defect, which ``engine check`` names.
        """
        try:
            return self.judge(setting, state, action, number, lenient=lenient)
        except MessageError:
            raise
        except Exception:
            return Judgement(action, UNKNOWABLE, state, True)

    def options_hidden(
        self, setting: Setting[K], state: S, *, in_silence: bool = False
    ) -> list[Action]:
        """The actions that are legal as far as the viewer may know; none, where a rule fails."""
        ask = self.options_in_silence if in_silence else self.options
        try:
            return ask(setting, state)
        except Exception:
            return []

    def unsaid(self, setting: Setting[K], state: S) -> tuple[S, ...]:
        """The states after implicit ends, one by one: turns that the rules end without a word."""
        return self._judge.unsaid(setting, state)

    def said_by(self, setting: Setting[K], state: S, action: Action) -> str | None:
        """Infer the seat of an action that does not name one; None for an action of no seat."""
        return self._judge.said_by(setting, state, action)

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

    # what may come next

    def options(self, setting: Setting[K], state: S) -> list[Action]:
        """Enumerate the legal next actions, in the order of the duties."""
        return self._options.listed(setting, state)

    def options_in_silence(self, setting: Setting[K], state: S) -> list[Action]:
        """Further actions that are legal if the current turn ends implicitly first."""
        return self._options.after_silence(setting, state)

    def due(self, setting: Setting[K], state: S) -> list[tuple[Duty, tuple[str, ...]]]:
        """What must or can be done now, and the verbs that do it."""
        return self._options.due(setting, state)

    def verbs_of(self, duty: Duty) -> tuple[str, ...]:
        """Every verb that may fulfil such a duty."""
        return self._options.verbs_of(duty)

    def unlisted(self, state: S) -> list[tuple[str | None, type[Action]]]:
        """Seat and type of the due actions that cannot be enumerated."""
        return self._options.unlisted(state)

    def trays(self, setting: Setting[K], state: S) -> list[tuple[type[Action], Tray]]:
        """What lies ready to be laid now, by the kind of action that lays it."""
        return [*trays_due(self.rules, self._options, self._text, setting, state)]

    def templates(self, state: S) -> list[tuple[str | None, Usage]]:
        """Seat and form of the due actions that cannot be enumerated."""
        return self._choices.templates(state)

    def choices(
        self, setting: Setting[K], state: S, prefix: str = "", lang: Language = "en"
    ) -> list[Choice]:
        """The completions after the words typed so far."""
        return self._choices.choices(setting, state, prefix, lang)

    def fitting(self, setting: Setting[K], state: S, text: str, misfit: str | None) -> list[str]:
        """Replacements for a word that does not fit; completions behind it, if no word is wrong."""
        return self._choices.fitting(setting, state, text, misfit)

    def lines(
        self,
        setting: Setting[K],
        state: S,
        typed: list[str],
        *,
        with_seat: bool,
        lang: Language = "en",
    ) -> list[tuple[list[str], int]]:
        """The words of every line that is due, and whether it is a whole action."""
        return self._choices.lines(setting, state, typed, with_seat=with_seat, lang=lang)

    def begun(
        self,
        setting: Setting[K],
        state: S,
        action_type: type[Action],
        typed: list[str],
        lang: Language = "en",
    ) -> Iterator[list[str]]:
        """The one-word continuations of an action that is too open to be enumerated."""
        return self._choices.begun(setting, state, action_type, typed, lang)

    # text and data

    @property
    def notation(self) -> Notation:
        """Reads and writes lines of any kind of action."""
        return self._text.notation

    @property
    def adapter(self) -> TypeAdapter[Any]:
        """Validates stored actions, of whatever verb."""
        return self._text.adapter

    def read(self, text: str) -> Action:
        """One action in the scribe's notation."""
        return self._text.read(text)

    def text(self, action: Action, lang: Language = "en") -> str:
        """The line of an action: in the stored notation, or translated."""
        return self._text.text(action, lang)

    def verb_in(self, verb: str, lang: Language) -> str:
        """A verb in the words of a language."""
        return self._text.verb_in(verb, lang)

    def told_in(self, line: str, lang: Language) -> str:
        """Translate a recorded line; text that is not an action is returned unchanged."""
        return self._text.told_in(line, lang)

    def tell(self, action: Action, lang: Language, names: Mapping[str, str] | None = None) -> str:
        """An action in a sentence; ``names`` are those of the people by seat."""
        return self._text.tell(action, lang, names or {})

    def tell_line(self, line: str, lang: Language, names: Mapping[str, str] | None = None) -> str:
        """A recorded line in a sentence; text that is not an action is returned unchanged."""
        return self._text.tell_line(line, lang, names or {})

    def label(self, action: Action, lang: Language, names: Mapping[str, str] | None = None) -> str:
        """What a button says that logs this action."""
        return self._text.label(action, lang, names or {})

    def verb_label(self, verb: str, lang: Language) -> str:
        """What a button says that begins an action of this verb."""
        return self._text.verb_label(verb, lang)

    def load(self, data: Mapping[str, Any]) -> Action:
        """An action from stored data."""
        return self._text.load(data)

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
        drawn = self._picture(state, setting, Speech(self.words, lang, names or {}), last)
        if isinstance(drawn, Picture):
            return drawn
        moved = Moves() if before is None else self.moves(before, state, setting, last)
        if drawn.since is not None and before is not None:
            drawn = drawn.since(before)
        losers = moved.losers(last.by if last is not None else None)
        drawn = drawn._replace(touched=(*drawn.touched, *losers))
        return drawn.picture(shape, self._news(state, moved, lang))

    def _news(self, state: S, moved: Moves, lang: Language) -> dict[str, list[News]]:
        """Labels by seat: the winner first, then points, then what was gained and lost."""
        from engines.kernel.picture.layout import News

        news: dict[str, list[News]] = {}
        result = self.result(state)
        against = result is not None and result.won is None and result.places
        for seat in result.places[0] if result is not None and against else ():
            news.setdefault(seat, []).append(News(self.words.say("news.winner", lang), "winner"))
        for seat, said, gained in moved.by_seat(self.words, lang):
            news.setdefault(seat, []).append(News(said, "gain" if gained else "loss"))
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
        return lambda setting, lang: draw(setting, Speech(self.words, lang))

    def thing(self, word: str, setting: Setting[K], lang: Language) -> str:
        """A small drawing of a component; empty if the game draws none of it."""
        speech = Speech(self.words, lang)
        drawn = self._thing and self._thing(word, setting, speech)
        return "" if drawn is None else drawn.svg(speech.term(word), "", lang=lang)

    # declared positions and adjustments

    def position_data(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """The position that declares this state, as JSON data without nulls (TOML has none)."""
        return self._declaring.data_of(setting, state)

    def compared(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """What two tables are compared by: the position, without orders that mean nothing.

        The whole state in a game whose positions cannot be declared, and where what is hidden
        would have to be.
        """
        if self.position is None:
            return self.plain(state)
        try:
            return self._declaring.compared(setting, state)
        except (Unknowable, ValidationError):
            return self.plain(state)

    def changes_to(
        self, setting: Setting[K], state: S, position: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The merge patch with which ``adjust`` turns a state into this position."""
        return self._declaring.changes_to(setting, state, position)

    def alters(self, setting: Setting[K], state: S, changes: Mapping[str, Any]) -> bool:
        """Whether a merge patch says anything that the position does not."""
        return self._declaring.alters(setting, state, changes)

    def adjust(self, setting: Setting[K], state: S, changes: Mapping[str, Any]) -> S:
        """Apply a merge patch to the position of a state; conservation is counted anew from it."""
        return self._declaring.adjust(setting, state, changes)

    def contradictions(
        self, setting: Setting[K], state: S, changes: Mapping[str, Any]
    ) -> tuple[Verdict, bool]:
        """The rules that an adjustment contradicts, and whether it may be kept anyway."""
        return self._declaring.contradictions(setting, state, changes)
