"""Interprets, completes and suggests lines at a position: short ones depend on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

from engines.kernel.engine.contract import Choice, Setting
from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import LANGUAGES, Language, normalize
from engines.kernel.messages.errors import ParseError
from engines.kernel.notation.abbreviations import (
    Line,
    PlacingShorthand,
    beginnings,
    forced,
    laid,
    only,
)
from engines.kernel.notation.reader import Players
from engines.kernel.rules.actions import Action


class LineInterpreter:
    """Interprets lines at one position of a game, and completes them."""

    def __init__(
        self,
        engine: Engine[Any, Any],
        setting: Setting[Any],
        state: Any,
        lang: Language = "en",
    ) -> None:
        self.engine, self.setting, self.state, self.lang = engine, setting, state, lang

    # what a line means

    def said(self, lines: Sequence[str], players: Players | None = None) -> list[list[str]]:
        """Split each line into single actions, expanding set-up shorthands.

        Shorthands depend on the state, so each part is read in the state that the parts before it
        lead to.
        """
        notation, found = self.engine.notation, list[list[str]]()
        now: LineInterpreter | None = self
        since: list[str] = []
        for line in lines:
            found.append([])
            for part in notation.parts(line, players):
                if now is not None and (now.lays or not notation.reads(part)):
                    now, since = now.after(since), []
                meant = now and (now._laid(part) or now._called(part) or now._counted(part))
                texts = meant or notation.apart(part)
                found[-1] += texts
                since += texts
        return found

    def _called(self, part: str) -> list[str] | None:
        """Replace the name of a thing by its place, if only that makes the line readable."""
        notation = self.engine.notation
        if not self.engine.rules.called or notation.reads(part):
            return None
        lines = {line for kind in self.engine.rules.called for line in self._placed(kind, part)}
        return notation.apart(lines.pop()) if len(lines) == 1 else None

    def _counted(self, part: str) -> list[str] | None:
        """Add the amount that is missing, where only one is legal: ``A stow``."""
        if self.engine.notation.reads(part):
            return None
        said = [normalize(word) for word in part.split()]
        found = {
            self.engine.text(action)
            for action in self.engine.options(self.setting, self.state)
            for lang in LANGUAGES
            for words in (self.engine.text(action, lang).split(),)
            if words[-1].isdecimal()
            and said in ([*map(normalize, words[:-1])], [*map(normalize, words[1:-1])])
        }
        return [found.pop()] if len(found) == 1 else None

    def _placed(self, kind: type[Action], part: str) -> Iterator[str]:
        words, notation = part.split(), self.engine.notation
        places = {
            called.replace("_", " "): place
            for name, place in self.engine.rules.called[kind](self.state, self.setting).items()
            for called in self._names(name)
        }
        longest = max((len(name.split()) for name in places), default=0)
        for start, size in product(range(1, len(words)), range(1, longest + 1)):
            end = start + size
            place = places.get(normalize(" ".join(words[start:end])).replace("_", " "))
            if place is None or end > len(words):
                continue
            line = " ".join([*words[:start], place, *words[end:]])
            if notation.reads(line) and type(notation.read(line)) is kind:
                yield line

    @cached_property
    def lays(self) -> dict[str, type[Action]]:
        """The verbs of set-up and draw actions that are due now and may be typed as a shorthand."""
        return {
            normalize(verb): kind
            for kind in self._due
            if kind.in_order or (kind.observes and (kind.several or not kind.enumerable))
            for verb in (kind.verb_of(), *kind.french)
        }

    def _laid(self, part: str) -> list[str] | None:
        """Expand a set-up shorthand (``g w w``) into one line for each thing placed."""
        head, *said = part.split()
        kind = self.lays.get(normalize(head))
        return None if kind is None else self._laid_out(kind, said)

    def _laid_out(self, kind: type[Action], said: Sequence[str]) -> list[str] | None:
        if not said or normalize(said[0]) in map(normalize, self._places(kind) or ()):
            return None
        lines = laid(self, said, self._laying(kind))
        return None if lines is None else [" ".join(line) for line in lines]

    def _places(self, kind: type[Action]) -> list[str] | None:
        """The places still to be filled, in order; None if the game fills none for this action."""
        fill = self.engine.rules.filled.get((kind, kind.in_order))
        return None if fill is None else [*fill(self.state, self.setting)]

    def _laying(self, kind: type[Action]) -> PlacingShorthand[LineInterpreter]:
        return PlacingShorthand(
            kind.verb_of(),
            lambda now, line: now._offered(kind, line),
            lambda now, line: now.after([" ".join(line)]),
            (lambda now: next(iter(now._places(kind) or ()), None)) if kind.in_order else None,
            self.engine.notation.signs(kind),
        )

    def _offered(self, kind: type[Action], line: Line) -> dict[str, str]:
        """Completions of a line: every normalized name that may come next, and its stored word."""
        if kind.enumerable and not kind.in_order:
            known = self._whole(False, "en") if self.lang != "en" else self._lines
            words = [each[len(line)] for each in known if each[: len(line)] == line != each]
        else:
            typed = [normalize(word) for word in line]
            words = [
                each[-1]
                for each in self.engine.options.begun(self.setting, self.state, kind, typed)
            ]
        return {name: word for word in words for name in self._names(word)}

    def _names(self, word: str) -> Iterator[str]:
        yield normalize(word)
        for lang in LANGUAGES:
            yield normalize(self.engine.words.term(word, lang)).replace(" ", "_")

    def after(self, texts: Sequence[str]) -> LineInterpreter | None:
        """An interpreter for the state after these lines; None if one of them is illegal."""
        state = self.state
        for text in texts:
            try:
                heard = self.engine.judge(self.setting, state, self.engine.read(text))
            except ParseError:
                return None
            if not heard.accepted:
                return None
            state = heard.state
        return LineInterpreter(self.engine, self.setting, state, self.lang)

    # what is meant by less than a line

    def meant(self, part: str) -> list[str]:
        """Infer whole lines from abbreviations; the user confirms them before they are recorded.

        Empty if several lines could be meant.
        """
        if not part.strip():
            return []
        if (lines := self._laid_in_short(part)) is not None:
            return lines
        line = only(self._fitting(part))
        return [] if line is None else [" ".join(line)]

    def verb_in_full(self, part: str) -> list[str]:
        """A line whose verb is cut short and that is not legal: it is to be judged, not misread."""
        words = part.split()
        if not words or self._fitting(part):
            return []
        at = int(len(words) > 1 and words[0].upper() in self.setting.seats)
        typed = normalize(words[at])
        for kinds in (self._due, self.engine.actions):
            verbs = {
                kind.verb_of()
                for kind in kinds
                for verb in (kind.verb_of(), *kind.french)
                if normalize(verb).startswith(typed)
            }
            lines = [" ".join([*words[:at], verb, *words[at + 1 :]]) for verb in verbs]
            if readable := [line for line in lines if self.engine.notation.reads(line)]:
                return readable if len(readable) == 1 else []
        return []

    def in_full(self, parts: Sequence[str]) -> list[str]:
        """Expand the abbreviated parts of a line, each in the state after the one before it.

        From the first part that is not legal on, the parts stay as they were typed.
        """
        now: LineInterpreter | None = self
        found: list[str] = []
        for part in parts:
            texts = [part]
            if now is not None and not now.reads(part):
                texts = now.meant(part) or now.verb_in_full(part) or [part]
            found += texts
            now = now.after(texts) if now is not None else None
        return found

    def reads(self, part: str) -> bool:
        """Whether a part parses without any guessing."""
        return bool(self._laid(part)) or self.engine.notation.reads(part)

    def completed(self, part: str) -> str:
        """Complete a part as far as there is only one continuation."""
        if (fitting := self._fitting(part)) and (words := only(fitting) or forced(fitting)):
            text = " ".join(words)
            return text if only(fitting) else f"{text} "
        *before, last = part.split() if part.strip() and not part.endswith(" ") else (part, "")
        begun = " ".join(before)
        words = tuple(
            choice.word
            for choice in self.choices(begun)
            if normalize(choice.word).startswith(normalize(last))
        )
        return f"{begun} {words[0]} ".lstrip() if len(words) == 1 else part

    def choices(self, begun: str) -> list[Choice]:
        """The words that may come next, in the language of the interpreter."""
        return self.engine.options.choices(self.setting, self.state, begun, self.lang)

    def _laid_in_short(self, part: str) -> list[str] | None:
        """A set-up shorthand whose verb is cut short or left out, if only one kind can be meant."""
        head, *said = part.split()
        kinds = {kind for verb, kind in self.lays.items() if verb.startswith(normalize(head))}
        if len(kinds) == 1 and (lines := self._laid_out(kinds.pop(), said)):
            return lines
        laid = [self._laid_out(kind, [head, *said]) for kind in {*self.lays.values()}]
        understood = [lines for lines in laid if lines]
        if len(understood) != 1 or (len(self._due) > 1 and self._fitting(part)):
            return None
        return understood[0]

    @property
    def _due(self) -> set[type[Action]]:
        kinds = self.engine.rules.duties
        return {kind for duty in self.state.agenda.duties for kind in kinds.get(duty.kind, ())}

    def _fitting(self, part: str) -> list[Line]:
        """The legal lines that match the typed word prefixes.

        Those that are legal now come first, then those that are legal after an implicit end of
        turn.
        """
        first, *rest = part.split() or [""]
        named = bool(rest) and first.upper() in self.setting.seats
        for lines in self._all_lines(named):
            if found := beginnings(part, lines):
                return found
        return []

    def _all_lines(self, named: bool) -> Iterator[list[Line]]:
        yield self._named_lines if named else self._lines
        if self.lang != "en":
            yield self._whole(named, "en")
        for later in self.engine.judge.unsaid(self.setting, self.state):
            yield LineInterpreter(self.engine, self.setting, later)._whole(named, self.lang)

    @cached_property
    def _lines(self) -> list[Line]:
        return self._whole(False, self.lang)

    @cached_property
    def _named_lines(self) -> list[Line]:
        return self._whole(True, self.lang)

    def _whole(self, named: bool, lang: Language) -> list[Line]:
        """All legal lines; with the seat if it was typed or if several seats may act."""
        with_seat = named or len(self.state.agenda.seats) > 1
        lines = self.engine.options.lines(
            self.setting, self.state, [], with_seat=with_seat, lang=lang
        )
        return [tuple(words) for words, whole in lines if whole]
