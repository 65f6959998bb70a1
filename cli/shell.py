"""The scribe's shell without a terminal: what a line does, what may be typed next.

``Shell.handle`` is all there is to it; ``referee play`` only adds keys and colours. A line
is answered after it has been recorded, so whatever was answered survives a crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from answers.answer import Answered
from answers.explaining import gone_lines, why_lines
from answers.judge.disputes import dispute
from answers.play import going_back
from answers.play.logging import LogAnswer, log
from answers.questions import explained
from answers.review import notes
from answers.telling import short, to_act
from answers.voice import columns
from cli.failures import describe
from cli.session import Session
from cli.speech import say
from engines.kernel import BadForm
from engines.kernel.errors import Keyed
from engines.kernel.sentences import because, clause_text
from referee.record.game import Game
from referee.table import play
from referee.table.notes import Annotation

LISTED = 30


class Completion(NamedTuple):
    """A word that may come next, and what it means."""

    word: str
    meaning: str


class Hint(NamedTuple):
    """What the referee would say of what has been typed so far."""

    sign: str
    text: str


@dataclass
class Reply:
    """The answer to a line. ``rest`` goes back into the buffer; ``leave`` ends the shell."""

    lines: list[str] = field(default_factory=list)
    rest: str = ""
    leave: bool = False


class Shell:
    """One scribe at one table."""

    def __init__(self, here: Session, game_id: str) -> None:
        self.here = here
        self.voice = replace(here.voice, program=None)
        self.caller = here.caller.speaking(self.voice)
        self.game_id = game_id
        self.listed: list[str] = []
        """The last list shown: a number chooses from it."""
        self.offered: str | None = None
        """An illegal line that may be logged as it happened."""
        self._commands: dict[str, Callable[[str], Reply]] = {
            "undo": self._undo,
            "redo": self._redo,
            "why": self._why,
            "state": self._state,
            "options": self._options,
            "moves": self._moves,
            "note": self._note,
            "dispute": self._dispute,
            "help": self._help,
            "quit": self._quit,
        }
        self._aliases = {
            "annuler": "undo",
            "refaire": "redo",
            "pourquoi": "why",
            "etat": "state",
            "coups": "moves",
            "litige": "dispute",
            "aide": "help",
            "quitter": "quit",
            "?": "options",
            "!": "state",
        }

    @property
    def game(self) -> Game:
        """A scribe's shell shows everything: not to a seat that may not see everything."""
        return self.caller.everything(self.game_id, "play")

    # what stands before the cursor, and below it

    def prompt(self) -> str:
        """Who owes something, and the number the next action will have."""
        game = self.game
        who = "/".join(game.state.agenda.seats) or (
            "–" if not game.state.over else say("shell.over")
        )
        return f"{who} #{game.last_number + 1} › "

    def status(self) -> str:
        return to_act(self.voice, self.game)

    def hint(self, text: str) -> Hint:
        """The verdict on the last action of the line, as if the others were accepted."""
        text = text.strip()
        if not text or text.startswith(("/", "?", "!")) or text.isdigit():
            return Hint("", self.status())
        game = self.game
        try:
            parts = self.caller.said(game, text)
            if not parts:
                return Hint("", self.status())
            if len(parts) != 1:
                return Hint("…", say("shell.several", count=len(parts)))
            heard = play.hear(game, game.engine.read(parts[0]))
        except BadForm as error:
            ways = self.completions(text if text.endswith(" ") else text + " ")
            if ways or self.completions(text):
                return Hint("…", say("shell.incomplete", count=len(ways or self.completions(text))))
            return Hint("?", describe(error).message)
        if heard.accepted:
            return Hint("✔", say(f"outcome.{heard.verdict.outcome}"))
        point = heard.verdict.breaches[0]
        lang = self.voice.lang
        facts = because(game.engine, point, lang) or clause_text(
            game.engine, point.clause, lang, game.setting.readings
        )
        told = f"{point.clause} {facts}"
        return Hint("✘", f"{say('outcome.illegal')} {told}")

    def completions(self, text: str) -> list[Completion]:
        """Only what is legal, word by word."""
        before, _, last = text.rpartition(";")
        if before:
            return []
        if last.startswith("/"):
            word = last.removeprefix("/")
            return [
                Completion(f"/{name}", say(f"shell.command_{name}"))
                for name in self._commands
                if name.startswith(word)
            ]
        words = last.split()
        typed = "" if not words or last.endswith(" ") else words.pop()
        game, lang = self.game, self.voice.lang
        found = []
        for choice in game.engine.choices(game.setting, game.state, " ".join(words)):
            if choice.word.lower().startswith(typed.lower()):
                key = f"verb.{choice.word}"
                meaning = game.engine.words.say(key, lang) if key in game.engine.words else ""
                if not meaning:
                    term = game.engine.words.term(choice.word, lang)
                    meaning = term if term != choice.word else ""
                found.append(Completion(choice.word, meaning))
        return found

    # what a line does

    def handle(self, line: str) -> Reply:
        """Do what the line says; whatever goes wrong is an answer too."""
        line = line.strip()
        offered, self.offered = self.offered, None
        try:
            if not line:
                return Reply()
            if offered is not None and line.lower() in say("shell.yes").split():
                return self._stands(offered)
            if offered is not None and line.lower() in say("shell.no").split():
                return Reply()
            if line.isdigit():
                return self._chosen(int(line))
            if line[0] in "/?!":
                return self._command(line)
            return self._log(line)
        except (Keyed, ValueError) as error:
            return Reply([f"✘ {describe(error).message}"])

    def _log(self, line: str) -> Reply:
        """As far as it is legal; the rest goes back into the buffer."""
        parts = self.caller.said(self.game, line)
        reply = Reply()
        for index, part in enumerate(parts):
            try:
                answered = self.caller.ask(log, self.game_id, [part])
            except Keyed as error:
                reply.lines.append(f"✘ {describe(error).message}")
                reply.rest = "; ".join(parts[index:]) if index else ""
                return reply
            reply.lines += self._told(answered)
            if not answered.data.accepted:
                self.listed = answered.data.nearest
                if answered.data.may_stand:
                    self.offered = part
                    reply.lines.append(f"  {say('shell.anyway')}")
                reply.rest = "; ".join(parts[index + 1 :])
                return reply
        return reply

    def _told(self, answered: Answered[LogAnswer]) -> Iterator[str]:
        yield from answered.lines(self.voice)
        yield from (f"  {self.voice.spoken(warning)}" for warning in answered.warnings)

    def _stands(self, line: str) -> Reply:
        answered = self.caller.ask(log, self.game_id, [line], stands=True)
        return Reply(list(self._told(answered)))

    def _chosen(self, number: int) -> Reply:
        if not 1 <= number <= len(self.listed):
            return Reply(
                [f"✘ {say('shell.no_such_choice', number=number, count=len(self.listed))}"]
            )
        return self._log(self.listed[number - 1])

    def _command(self, line: str) -> Reply:
        name, _, rest = line.lstrip("/").partition(" ")
        name = self._aliases.get(name, name)
        if name not in self._commands:
            return Reply([f"✘ {say('shell.no_such_command', name=name)}"])
        return self._commands[name](rest.strip())

    def _undo(self, rest: str) -> Reply:
        count = int(rest) if rest.isdigit() else 1
        return Reply(self.caller.ask(going_back.undo, self.game_id, count).lines(self.voice))

    def _redo(self, rest: str) -> Reply:
        count = int(rest) if rest.isdigit() else 1
        return Reply(self.caller.ask(going_back.redo, self.game_id, count).lines(self.voice))

    def _why(self, rest: str) -> Reply:
        """Of a line, of a logged action, or of the last one."""
        numbers = self.game.numbers()
        asked = rest or str(numbers[-1] if numbers else 0)
        found = self.caller.ask(explained, self.game_id, asked.split())
        gone = gone_lines(self.voice, *found.logged) if found.logged is not None else []
        lines = why_lines(self.voice, found.game, found.judged, found.moves, [])
        return Reply([*gone, *lines])

    def _state(self, rest: str) -> Reply:
        game = self.game
        return Reply(game.engine.describe(game.state, game.setting, self.voice.lang))

    def _options(self, rest: str) -> Reply:
        """A numbered list; a number then chooses from it."""
        game = self.game
        lines = [
            game.engine.text(action) for action in game.engine.options(game.setting, game.state)
        ]
        self.listed = [line for line in lines if rest in line][:LISTED]
        shown = [f"{number:>3}  {line}" for number, line in enumerate(self.listed, start=1)]
        templates = [
            f"     {self.voice.spoken(usage)}" for _, usage in game.engine.templates(game.state)
        ]
        if len(lines) > LISTED and not rest:
            shown.append(f"     {say('shell.more', count=len(lines) - LISTED)}")
        return Reply([self.status(), *shown, *templates])

    def _moves(self, rest: str) -> Reply:
        count = int(rest) if rest.isdigit() else 10
        lines = [
            f"#{step.number} {self.game.engine.text(step.action)}"
            for step in self.game.steps
            if step.action is not None
        ]
        return Reply(lines[-count:])

    def _note(self, rest: str) -> Reply:
        """``/note text`` on the last action, ``/note 12 text`` on another."""
        first, _, text = rest.partition(" ")
        game = self.game
        number = int(first) if first.isdigit() and text else (game.numbers() or [0])[-1]
        text = text if first.isdigit() and text else rest
        if not text:
            return Reply([f"✘ {say('shell.note_what')}"])
        noted = Annotation(text)
        self.caller.ask(notes.add, self.game_id, str(number), noted)
        return Reply([say("shell.noted", number=number)])

    def _dispute(self, rest: str) -> Reply:
        """``/dispute text`` about the last action, ``/dispute 12 text`` about another."""
        first, _, text = rest.partition(" ")
        game = self.game
        number = int(first) if first.isdigit() else (game.numbers() or [0])[-1]
        said = text if first.isdigit() else rest
        called = self.caller.ask(dispute, self.game_id, number, text=said)
        return Reply(called.lines(self.voice))

    def _help(self, rest: str) -> Reply:
        rows = [(f"/{name}", say(f"shell.command_{name}")) for name in self._commands]
        return Reply([*columns(rows), say("shell.keys")])

    def _quit(self, rest: str) -> Reply:
        return Reply([say("shell.bye", game=short(self.game_id))], leave=True)
