"""Completion: which words may come next in a line that is being typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from engines.kernel.engine.action_text import ActionText
from engines.kernel.engine.contract import Choice, K, S, Setting
from engines.kernel.engine.judge import Judge
from engines.kernel.engine.options import Options
from engines.kernel.messages.catalogue import Catalogue, Language, normalize
from engines.kernel.notation.usage import Usage
from engines.kernel.rules.actions import Action, Audit
from engines.kernel.rules.rulebook import Rulebook


class Choices(Generic[S, K]):
    """Completes lines word by word, from the actions that are due."""

    def __init__(
        self,
        judge: Judge[S, K],
        options: Options[S, K],
        rules: Rulebook,
        text: ActionText,
        words: Catalogue,
    ) -> None:
        self._judge = judge
        self._options = options
        self._rules = rules
        self._text = text
        self._words = words

    def choices(
        self, setting: Setting[K], state: S, prefix: str = "", lang: Language = "en"
    ) -> list[Choice]:
        """The completions after the words typed so far.

        They are in the language in which the line was begun.
        """
        typed = [normalize(word) for word in prefix.split()]
        found = self._choices(setting, state, typed, lang)
        return found or (self._choices(setting, state, typed, "en") if lang != "en" else [])

    def _choices(
        self, setting: Setting[K], state: S, typed: list[str], lang: Language
    ) -> list[Choice]:
        later = self._judge.unsaid(setting, state)
        seats = {seat for each in (state, *later) for seat in each.agenda.seats}
        named = bool(typed) and typed[0] in map(normalize, seats)
        with_seat = named or len(state.agenda.seats) > 1
        lines = self.lines(setting, state, typed, with_seat=with_seat, lang=lang)
        for each in later:
            lines += self.lines(setting, each, typed, with_seat=True, lang=lang)
        lines += [(words, 0) for words in self._audit_lines(setting, state, typed)]
        found: dict[str, Choice] = {}
        for words, listed in lines:
            if (
                len(words) <= len(typed)
                or [normalize(word) for word in words[: len(typed)]] != typed
            ):
                continue
            word = words[len(typed)]
            known = found.get(word, Choice(word, False, 0))
            ends_here = bool(listed) and len(words) == len(typed) + 1
            found[word] = Choice(word, known.complete or ends_here, known.options + listed)
        return list(found.values())

    def fitting(self, setting: Setting[K], state: S, text: str, misfit: str | None) -> list[str]:
        """Replacements for a word that does not fit; completions behind it, if no word is wrong."""
        words = self._text.notation.in_its_own_words(text.split())
        if misfit is not None:
            if misfit not in words[1:]:
                return []
            words = words[: words.index(misfit, 1)]
        return [choice.word for choice in self.choices(setting, state, " ".join(words))]

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
        lines = [
            (self._text.text(action, lang).split()[not with_seat and action.by is not None :], 1)
            for action in self._options.listed(setting, state)
        ]
        for seat, action_type in self._options.unlisted(state):
            said_by = [seat] if seat and with_seat else []
            lines += [
                ([*said_by, *words], 0)
                for words in self.begun(setting, state, action_type, typed[len(said_by) :], lang)
            ]
        return lines

    def begun(
        self,
        setting: Setting[K],
        state: S,
        action_type: type[Action],
        typed: list[str],
        lang: Language = "en",
    ) -> Iterator[list[str]]:
        """The one-word continuations of an action that is too open to be enumerated."""
        if not typed or typed[0] not in map(
            normalize, (action_type.verb_of(), *action_type.french)
        ):
            yield [self._text.verb_in(action_type.verb_of(), lang)]
            return
        for part in self._text.notation.expected(action_type, typed[1:]):
            fill = self._rules.filled.get((action_type, part.field))
            words = fill(state, setting) if fill else part.words
            yield from ([*typed, word] for word in words)

    def _audit_lines(self, setting: Setting[K], state: S, typed: list[str]) -> Iterator[list[str]]:
        """Lines of everything that can be audited; only listed once an audit verb is typed."""
        if not typed or typed[0] not in (Audit.verb_of(), *Audit.french):
            return
        lang: Language = "fr" if typed[0] in Audit.french else "en"
        for subject in self._rules.audits.usages:
            filled = subject.filled(state, setting, setting.seats, self._words, lang)
            yield from ([typed[0], *words] for words in filled)

    def templates(self, state: S) -> list[tuple[str | None, Usage]]:
        """Seat and form of the actions due now that cannot be listed."""
        return [
            (seat, usage)
            for seat, action_type in self._options.unlisted(state)
            for usage in self._text.notation.usages(action_type)
        ]
