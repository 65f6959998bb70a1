"""The scribe's shell without a terminal: what a line does, what may be typed next.

``Shell.handle`` is all there is to it; ``referee play`` only adds keys and colours. A line
is answered after it has been recorded, so whatever was answered survives a crash.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from answers.answer import Answered
from answers.explanation import gone_lines, why_lines
from answers.i18n import columns
from answers.judge.disputes import dispute
from answers.play import corrections
from answers.play.actions import LogAnswer, log
from answers.play.info import info
from answers.privileged import explained
from answers.review import notes
from answers.verdict_text import short, to_act, told_line, typed_step
from cli.errors import describe
from cli.hints import hinting, with_hint
from cli.i18n import say
from cli.session import Session, within
from engines.kernel import ParseError
from engines.kernel.dialogue.clause_text import because, clause_text
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import game_at_fault
from engines.kernel.values.numbers import whole_number
from engines.kernel.values.structs import evolve
from referee.errors import Misused
from referee.record.game import Game
from referee.table import play
from referee.table.notes import Annotation

if TYPE_CHECKING:
    from engines.kernel.dialogue.interpreter import LineInterpreter

LISTED = 30
OF_THE_PROGRAM = frozenset(
    [
        "check",
        "clock",
        "confirm",
        "diff",
        "export",
        "head",
        "hold",
        "info",
        "penalty",
        "reopen",
        "resume",
        "rules",
        "ruling",
        "seal",
        "secret",
        "sign",
        "verify",
        "what-if",
    ]
)
"""Commands of the program that make sense at a table, without a word of their own here."""


class Completion(NamedTuple):
    """A completion: a word that may come next, and what it means."""

    word: str
    meaning: str


class LiveVerdict(NamedTuple):
    """Verdict on the line as it is typed so far, shown below the prompt."""

    sign: str
    text: str


@dataclass
class ShellReply:
    """Result of one line: text to print, what goes back into the buffer, whether to leave."""

    lines: list[str] = field(default_factory=list)
    rest: str = ""
    leave: bool = False


class Shell:
    """The scribe's shell at one table: prompt, completion, hints and commands."""

    def __init__(self, here: Session, game_id: str) -> None:
        self.here = here
        voice = hinting(evolve(here.voice, program=None))
        self.voice = evolve(voice, name_of=self._name_of)
        self.caller = here.caller.speaking(self.voice)
        self.game_id = game_id
        self.listed: list[str] = []
        """The last list shown: a number chooses from it."""
        self.offered: str | None = None
        """An illegal line that may be logged as it happened."""
        self._moment: tuple[str, LineInterpreter] | None = None
        self._commands: dict[str, Callable[[str], ShellReply]] = {
            "options": self._options,
            "undo": self._undo,
            "redo": self._redo,
            "correct": partial(self._of_the_program, "correct"),
            "insert": partial(self._of_the_program, "correct", "--insert"),
            "adjust": partial(self._of_the_program, "adjust"),
            "why": self._why,
            "state": self._state,
            "moves": self._moves,
            "note": self._note,
            "notes": partial(self._of_the_program, "note", "list"),
            "dispute": self._dispute,
            "kit": self._kit,
            "finish": partial(self._of_the_program, "finish"),
            "help": self._help,
            "quit": self._quit,
        }

    @property
    def game(self) -> Game:
        """The whole game; refused to a seat that may not see everything."""
        return self.caller.everything(self.game_id, "play")

    # what stands before the cursor, and below it

    def prompt(self) -> str:
        """Who owes something, and the number the next action will have."""
        game = self.game
        who = "/".join(map(self._called, game.state.agenda.seats)) or (
            "–" if not game.state.over else say("shell.over")
        )
        return f"{who} #{game.last_number + 1} › "

    def _called(self, seat: str) -> str:
        """A seat, with the first name of whoever sits there."""
        names = {seat: name for name, seat in self.caller.players(self.game).items()}
        person = self.game.seats.get(seat)
        name = self.caller.name(person) if person and seat in names else ""
        return f"{seat} {name.split()[0]}" if name else seat

    def _name_of(self, person: str) -> str | None:
        return self._seated.get(person)

    @cached_property
    def _seated(self) -> dict[str, str]:
        """The names at this table: a service tells them with the game, not those of others."""
        # Asked without names: the shell's own voice would look for them here.
        nameless = self.caller.speaking(evolve(self.voice, name_of=lambda person: None))
        names = nameless.ask(info, self.game_id).data.seats
        return {person: names[seat] for seat, person in self.game.seats.items() if seat in names}

    def status(self) -> str:
        return to_act(self.voice, self.game)

    def hint(self, text: str) -> LiveVerdict:
        """The verdict on a line of one action; what it means, where it is cut short."""
        text = text.strip()
        if not text or self._is_no_line(text):
            return LiveVerdict("", self.status())
        game = self.game
        try:
            parts = self.caller.said(game, self.in_full(text))
            if not parts:
                return LiveVerdict("", self.status())
            if len(parts) != 1:
                return LiveVerdict("…", say("shell.several", count=len(parts)))
            heard = play.hear(game, game.engine.read(parts[0]))
        except ParseError as error:
            ways = self.completions(text if text.endswith(" ") else text + " ")
            if ways or self.completions(text):
                return LiveVerdict(
                    "…", say("shell.incomplete", count=len(ways or self.completions(text)))
                )
            return LiveVerdict("?", describe(error).message)
        except Exception as error:
            if game_at_fault(error) is None:
                raise
            return LiveVerdict("?", describe(error).message)
        if heard.accepted:
            return LiveVerdict("✔", say(f"outcome.{heard.verdict.outcome}"))
        point = heard.verdict.breaches[0]
        lang = self.voice.lang
        facts = because(game.engine, point, lang, self.voice.at(game.seats).names) or clause_text(
            game.engine, point.clause, lang, game.setting.readings
        )
        told = f"{point.clause} {facts}"
        return LiveVerdict("✘", f"{say('outcome.illegal')} {told}")

    def _is_no_line(self, text: str) -> bool:
        return text.startswith(("/", "?", "!")) or bool(self.listed and text.isdecimal())

    @property
    def _saying(self) -> LineInterpreter:
        """Interpreter for lines at the current position, cached until something is recorded."""
        game = self.game
        if self._moment is None or self._moment[0] != game.head:
            self._moment = game.head, self.caller.saying(game)
        return self._moment[1]

    def _last_part(self, text: str) -> tuple[str, str, LineInterpreter | None]:
        """Split at the last semicolon: text before it, text behind it, interpreter at that point.

        The interpreter is None where an earlier part is not legal.
        """
        before, semicolon, last = text.rpartition(";")
        parts = self._parts(before)
        now = self._saying.after(self._saying.in_full(parts)) if parts else self._saying
        gap = last[: len(last) - len(last.lstrip())]
        return before + semicolon + gap, last.lstrip(), now

    def _parts(self, line: str) -> list[str]:
        game = self.game
        return game.engine.notation.parts(line, partial(self.caller.players, game))

    def in_full(self, line: str) -> str:
        """A line with its abbreviations expanded, as it would be recorded."""
        if not line.strip() or self._is_no_line(line.strip()) or self._names_a_command(line):
            return line
        try:
            return "; ".join(self._saying.in_full(self._parts(line))) or line
        except ParseError:
            return line

    def suggested(self, text: str) -> str:
        """The expansion of an abbreviated line; of an empty line, the only legal way to go on."""
        if not text.strip():
            lines = self._saying.completed("")
            return lines if lines and not lines.endswith(" ") else ""
        full = self.in_full(text)
        return "" if full.split() == text.split() or full == text.strip() else full

    def completed(self, text: str) -> str:
        """The line after Tab: completed as far as there is only one way to go on."""
        if text.startswith("/"):
            found = [offer.word for offer in self.completions(text)]
            return f"{found[0]} " if len(found) == 1 and " " not in text else text
        before, last, now = self._last_part(text)
        return text if now is None else before + now.completed(last)

    def completions(self, text: str) -> list[Completion]:
        """Only what is legal, word by word."""
        if text.startswith("/"):
            word = normalize(text.removeprefix("/"))
            return [
                Completion(f"/{shown}", say(f"shell.command_{name}"))
                for name in self._commands
                for shown in self._names(name)[:1]
                if any(normalize(each).startswith(word) for each in self._names(name))
            ]
        _, last, now = self._last_part(text)
        if now is None:
            return []
        words = last.split()
        typed = "" if not words or last.endswith(" ") else words.pop()
        engine, lang = now.engine, self.voice.lang
        found = []
        for choice in now.choices(" ".join(words)):
            if normalize(choice.word).startswith(normalize(typed)):
                verb, *_ = engine.notation.in_its_own_words([choice.word])
                key = f"verb.{verb}"
                meaning = engine.words.say(key, lang) if key in engine.words else ""
                if not meaning:
                    term = engine.words.term(choice.word, lang)
                    meaning = term if term != choice.word else ""
                found.append(Completion(choice.word, meaning))
        return found

    def footer(self) -> str:
        """What a newcomer needs to know, in one line."""
        return say("shell.footer")

    # what a line does

    def handle(self, line: str) -> ShellReply:
        """Carry out one line; errors are part of the reply."""
        line = line.strip()
        offered, self.offered = self.offered, None
        try:
            if not line:
                return ShellReply()
            if offered is not None and line.lower() in say("shell.yes").split():
                return self._stands(offered)
            if offered is not None and line.lower() in say("shell.no").split():
                return ShellReply()
            if self.listed and (number := whole_number(line)) is not None:
                return self._chosen(number)
            if line[0] in "/?!" or self._names_a_command(line):
                return self._command(line)
            return self._log(line)
        except Exception as error:
            if not isinstance(error, MessageError | ValueError) and game_at_fault(error) is None:
                raise
            return ShellReply([self._refused(error)])

    def _refused(self, error: BaseException) -> str:
        return f"✘ {with_hint(describe(error), self.voice)}"

    def _log(self, line: str) -> ShellReply:
        """Log the actions of a line up to the first refusal; the rest goes back into the buffer."""
        (parts,) = self.caller.said_now(self.game, [line])
        self.listed = []
        reply = ShellReply()
        for index, part in enumerate(parts):
            try:
                answered = self._heard(part)
            except MessageError as error:
                reply.lines.append(self._refused(error))
                reply.rest = "; ".join(parts[index:]) if index else ""
                return reply
            reply.lines += self._answer_lines(answered)
            if not answered.data.accepted:
                self.listed = answered.data.nearest
                if answered.data.may_stand:
                    self.offered = part
                    reply.lines.append(f"  {say('shell.anyway')}")
                for step in answered.data.forgotten:
                    first = typed_step(self.voice, self.game.engine, step)
                    reply.lines.append(f"  {say('shell.forgotten', line=f'{first}; {part}')}")
                reply.rest = "; ".join(parts[index + 1 :])
                return reply
        if self.game.state.over:
            reply.lines.append(f"  {say('shell.finish')}")
        return reply

    def _heard(self, part: str) -> Answered[LogAnswer]:
        """Log one action; if its refusal rests on assumed data of the box, ask and log it again."""
        answered = self.caller.ask(log, self.game_id, [part])
        if answered.data.accepted or not self.here.may_ask_about_boxes:
            return answered
        from cli.box.ask_on_refusal import ask_about

        if not ask_about(self.here, self.game_id, answered):
            return answered
        self._moment = None
        return self.caller.ask(log, self.game_id, [part])

    def _answer_lines(self, answered: Answered[LogAnswer]) -> Iterator[str]:
        yield from answered.lines(self.voice)
        yield from (f"  {self.voice.spoken(warning)}" for warning in answered.warnings)

    def _stands(self, line: str) -> ShellReply:
        answered = self.caller.ask(log, self.game_id, [line], stands=True)
        return ShellReply(list(self._answer_lines(answered)))

    def _chosen(self, number: int) -> ShellReply:
        if not 1 <= number <= len(self.listed):
            return ShellReply(
                [f"✘ {say('shell.no_such_choice', number=number, count=len(self.listed))}"]
            )
        return self._log(self.listed[number - 1])

    def _command(self, line: str) -> ShellReply:
        sign, word = (line[0], line[1:]) if line[0] in "?!" else ("", line.lstrip("/"))
        name, _, rest = word.partition(" ")
        if sign:
            return self._commands["options" if sign == "?" else "state"](word.strip())
        found = self._command_named(name)
        if found is not None:
            return self._commands[found](rest.strip())
        if name in OF_THE_PROGRAM:
            return self._of_the_program(name, rest)
        return ShellReply([f"✘ {say('shell.no_such_command', name=name)}"])

    def _names(self, command: str) -> list[str]:
        """What a command is called, first in the language of this shell."""
        entry = self.voice.words.entry(f"shell.name.{command}") or {}
        own = entry.get(self.voice.lang, "").split()
        return [*own, *(name for other in entry.values() for name in other.split())]

    def _command_named(self, name: str) -> str | None:
        asked = normalize(name)
        return next(
            (each for each in self._commands if asked in map(normalize, self._names(each))), None
        )

    def _names_a_command(self, line: str) -> bool:
        """Whether a line without a slash is a command: the game knows no such word or player."""
        word = line.split()[0]
        return (
            self._command_named(word) is not None
            and not self.game.engine.notation.knows(word)
            and normalize(word) not in map(normalize, self.caller.players(self.game))
        )

    def _of_the_program(self, *said: str) -> ShellReply:
        """Run a command of the program for this game; it prints its own answer."""
        from cli.main import main

        *command, rest = said
        try:
            words = shlex.split(rest)
        except ValueError:
            return ShellReply([f"✘ {say('shell.open_quote')}"])
        self.listed = []
        with within(self.here):
            main([*self.here.options, "-g", self.game_id, *command, *words])
        return ShellReply()

    def _kit(self, rest: str) -> ShellReply:
        shown = () if rest else ("show", "--only", "assumed")
        return self._of_the_program("kit", *shown, rest)

    def _undo(self, rest: str) -> ShellReply:
        count = _count(rest, 1)
        return ShellReply(self.caller.ask(corrections.undo, self.game_id, count).lines(self.voice))

    def _redo(self, rest: str) -> ShellReply:
        count = _count(rest, 1)
        return ShellReply(self.caller.ask(corrections.redo, self.game_id, count).lines(self.voice))

    def _why(self, rest: str) -> ShellReply:
        """Of a line, of a logged action, or of the last one."""
        asked = rest or str(self.game.last_counting)
        found = self.caller.ask(explained, self.game_id, asked.split())
        gone = gone_lines(self.voice, *found.logged) if found.logged is not None else []
        engine, setting = found.game.engine, found.game.setting
        voice = self.voice.at(found.game.seats)
        lines = why_lines(voice, engine, setting, found.judged, found.moves)
        return ShellReply([*gone, *lines])

    def _state(self, rest: str) -> ShellReply:
        game = self.game
        voice = self.voice.at(game.seats)
        return ShellReply(game.engine.describe(game.state, game.setting, voice.lang, voice.names))

    def _options(self, rest: str) -> ShellReply:
        """A numbered list; a number then chooses from it."""
        game = self.game
        lines = [
            game.engine.text(action, self.voice.lang)
            for action in game.engine.options(game.setting, game.state)
        ]
        self.listed = [line for line in lines if rest in line][:LISTED]
        shown = [f"{number:>3}  {line}" for number, line in enumerate(self.listed, start=1)]
        templates = [
            f"     {self.voice.spoken(usage)}"
            for _, usage in game.engine.options.templates(game.setting, game.state)
        ]
        if len(lines) > LISTED and not rest:
            shown.append(f"     {say('shell.more', count=len(lines) - LISTED)}")
        return ShellReply([self.status(), *shown, *templates])

    def _moves(self, rest: str) -> ShellReply:
        count = _count(rest, 10)
        game = self.game
        voice, steps = self.voice.at(game.seats), [step for step in game.steps if step.action]
        return ShellReply(
            [
                f"#{step.number} {told_line(voice, game.engine, game.engine.text(step.action))}"
                for step in steps[-count:]
                if step.action is not None
            ]
        )

    def _note(self, rest: str) -> ShellReply:
        """``/note text`` on the last action, ``/note 12 text`` on another."""
        first, _, text = rest.partition(" ")
        game = self.game
        number = whole_number(first) if text else None
        if number is None:
            number, text = game.last_counting, rest
        if not text:
            return ShellReply([f"✘ {say('shell.note_what')}"])
        noted = Annotation(text)
        self.caller.ask(notes.add, self.game_id, str(number), noted)
        return ShellReply([say("shell.noted", number=number)])

    def _dispute(self, rest: str) -> ShellReply:
        """``/dispute text`` about the last action, ``/dispute 12 text`` about another."""
        first, _, text = rest.partition(" ")
        game = self.game
        number = whole_number(first)
        if number is None:
            number, text = game.last_counting, rest
        called = self.caller.ask(dispute, self.game_id, number, text=text)
        return ShellReply(called.lines(self.voice))

    def _help(self, rest: str) -> ShellReply:
        rows = [
            (f"/{self._names(name)[0]}", say(f"shell.command_{name}")) for name in self._commands
        ]
        return ShellReply(
            [*columns(rows), say("shell.others"), say("shell.brief"), say("shell.keys")]
        )

    def _quit(self, rest: str) -> ShellReply:
        return ShellReply([say("shell.bye", game=short(self.game_id))], leave=True)


def _count(typed: str, otherwise: int) -> int:
    """How many are meant; a word that is no number is not taken for any."""
    if (number := whole_number(typed)) is None and typed:
        raise Misused("not_a_number", word=typed)
    return otherwise if number is None else number
