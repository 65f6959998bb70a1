"""Single keys as answers about a box: a page of questions, and where one is on it.

Nothing here reads a keyboard or writes to a screen: keys go in (``press``), and out come what the
page looks like (``lines``) and, at its end, what was told (``said``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from answers import box_words
from answers.i18n import Voice
from answers.rulebooks.boxes import OwnBox
from cli.arguments import stated_value
from cli.keyboard import BACKSPACE, ESCAPE
from cli.terminal import joined_within
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Page, Question, apart, new_entry, spelled
from engines.kernel.picture.chart import sketch
from referee.errors import Unfit

ENTER, BACK, STOP, REST = "\r", BACKSPACE, ESCAPE, "."
MORE, LESS = "+", "-"
DIGITS = "123456789"
CHOICES = DIGITS + box_words.LETTERS
NOTHING = "0"
BETWEEN = " · "

End = Literal["told", "more", "back", "stop"]
"""How a page is left: all of it is told; there is more on it than the kit has, so that it is to be
shown again; one goes back a page; or stops for today."""


class PageKeys:
    """One page, read key by key.

    On the page, Enter says that it is as shown; a letter names one datum that is not, a digit a
    thing of which several are not, ``+`` and ``-`` something that is there besides, or not at
    all. Then the keys are those of the question.
    """

    def __init__(self, box: OwnBox, page: Page) -> None:
        self.box = box
        self.page = page
        self.said: dict[str, Any] = {}
        self.end: End | None = None
        self._due: list[Question] = []
        self._chosen: list[Any] | None = None
        self._typed: str | None = None
        self._leaving_out = False

    # reading

    def press(self, key: str) -> None:
        """Take one key; whatever means nothing here is passed over."""
        key = ENTER if key == "\n" else key
        if key == STOP:
            self.end = "stop"
        elif self._due:
            self._answer(self._due[0], key)
        else:
            self._pick(key)

    @property
    def asked(self) -> Question | None:
        """The question that the next key answers."""
        return self._due[0] if self._due else None

    @property
    def answers(self) -> dict[str, Any]:
        """The values of the page as they are now, by path."""
        shown = {question.path: question.value for question in self.page.questions}
        return {**shown, **self.said}

    def _pick(self, key: str) -> None:
        things = box_words.items(self.page)
        if self._leaving_out:
            self._leaving_out = False
            if key in DIGITS[: len(things)]:
                self._leave_out(things[DIGITS.index(key)][0])
        elif key == ENTER:
            self.end = "told"
        elif key == BACK:
            self.end = "back"
        elif key == LESS and self.page.look.more:
            self._leaving_out = True
        elif key == MORE and self.page.look.more:
            self._due = [self._which_table()]
        elif key in DIGITS[: len(things)]:
            self._due = [self._now(question) for question in things[DIGITS.index(key)]]
        elif key in box_words.LETTERS[: len(self.page.questions)]:
            self._due = [self._now(self.page.questions[box_words.LETTERS.index(key)])]

    def _now(self, question: Question) -> Question:
        """A question with what was told of it on this page."""
        return question._replace(value=self.answers[question.path])

    def _which_table(self) -> Question:
        return Question("", None, "one", tuple(self.page.look.more))

    def _leave_out(self, question: Question) -> None:
        """The thing is not in this box: the entry of a table, or the datum itself."""
        for path in (question.item, question.path):
            if path.rpartition(".")[0] in self.page.look.more:
                self.said = {
                    one: value
                    for one, value in self.said.items()
                    if one != path and not one.startswith(f"{path}.")
                }
                self.said[path] = None

    def _add(self, table: str) -> None:
        path = new_entry(self.box.tour.sheet, table)
        self.said[path] = self.page.look.more[table]
        self.end = "more"

    def _answer(self, question: Question, key: str) -> None:
        if self._typed is not None:
            self._type(question, key)
        elif key == REST or (key == BACK and not self._chosen):
            self._due, self._chosen = [], None
        elif question.kind == "one":
            self._choose_one(question, key)
        elif question.kind == "number":
            self._choose_number(question, key)
        elif question.kind == "words":
            self._typed = ""
            self._type(question, key)
        else:
            self._choose_several(question, key)

    def _choose_one(self, question: Question, key: str) -> None:
        if key == ENTER:
            self._next()
        elif key in CHOICES[: len(question.choices)]:
            value = question.choices[CHOICES.index(key)]
            if not question.path:
                self._due = []
                self._add(value)
            else:
                self._tell(question, value)

    def _choose_number(self, question: Question, key: str) -> None:
        if key == ENTER:
            self._next()
        elif key.isdecimal():
            self._tell(question, int(key))
        elif key in (MORE, LESS):
            self._typed = LESS if key == LESS else ""

    def _choose_several(self, question: Question, key: str) -> None:
        signs = question.kind == "signs"
        keys = "".join(map(str, question.choices)) if _are_digits(question) else CHOICES
        if self._chosen is None:
            if key == ENTER:
                self._next()
                return
            self._chosen = [] if signs or question.ordered else apart(question)
        if key == ENTER and not signs:
            self._tell(question, spelled(question, self._chosen))
        elif key == BACK:
            self._chosen = self._chosen[:-1]
        elif key == NOTHING and not signs:
            self._chosen = []
        elif key in keys[: len(question.choices)]:
            self._take(question, question.choices[keys.index(key)])

    def _take(self, question: Question, choice: Any) -> None:
        chosen = self._chosen or []
        if question.kind == "several" and not question.ordered and choice in chosen:
            self._chosen = [one for one in chosen if one != choice]
            return
        self._chosen = [*chosen, choice]
        if question.kind == "signs" and len(self._chosen) == question.spelling.places:
            self._tell(question, spelled(question, self._chosen))

    def _type(self, question: Question, key: str) -> None:
        typed = self._typed or ""
        if key == BACK:
            self._typed = typed[:-1]
        elif key != ENTER:
            self._typed = typed + key if key.isprintable() else typed
        else:
            self._typed = None
            if typed in ("", LESS):
                self._next()
            else:
                self._tell(question, _read(question, typed))

    def _tell(self, question: Question, value: Any) -> None:
        self.said[question.path] = value
        self._next()

    def _next(self) -> None:
        self._due, self._chosen = self._due[1:], None

    # showing

    def lines(self, voice: Voice, width: int = 78) -> Iterator[str]:
        """The page: where it looks, what is asked, and which keys answer."""
        yield from self._head(voice, width)
        if self._due:
            yield from self._question_lines(voice, self._due[0], width)
        else:
            yield from self._rows(voice, width)
            said = voice.say("keys.leave_out") if self._leaving_out else self._page_keys(voice)
            yield from joined_within(said.split(BETWEEN), width, BETWEEN)

    def _head(self, voice: Voice, width: int) -> Iterator[str]:
        engine, look = self.box.engine, self.page.look
        number = [page.look.id for page in self.box.tour.pages].index(look.id) + 1
        facts = {"number": number, "count": len(self.box.tour.pages)}
        where = voice.mark("bold", box_words.title(voice, engine, self.page))
        yield voice.say("keys.head", page=where, **facts)
        asked = self._due[0].item.rpartition(".")[2] if self._due else ""
        pointed = (look.spot, str(int(asked) + 1) if asked.isdecimal() else asked)
        chart = box_words.chart_of(voice, engine, self.box.tour, self.page)
        for line in sketch(chart, pointed, width - 4):
            yield "    " + line

    def _rows(self, voice: Voice, width: int) -> Iterator[str]:
        """The things of the page, each with its number, and its data with their letters."""
        letter = iter(box_words.LETTERS)
        for number, thing in zip(DIGITS, box_words.items(self.page), strict=False):
            label = f"  {number} {self._thing(voice, thing[0])}".rstrip()
            told = [f"{next(letter)} {self._datum(voice, question)}" for question in thing]
            yield from joined_within([label, *told], width)

    def _thing(self, voice: Voice, question: Question) -> str:
        if PART in question.path or not question.item:
            return ""
        return voice.mark("bold", box_words.item_label(voice, self.box.engine, question))

    def _datum(self, voice: Voice, question: Question) -> str:
        name = box_words.name_of(voice, self.box.engine, question)
        return voice.labelled(name, self._value(voice, question))

    def _value(self, voice: Voice, question: Question) -> str:
        gone = [path for path, value in self.said.items() if value is None]
        if any(question.path == path or question.path.startswith(f"{path}.") for path in gone):
            return voice.say("keys.left_out")
        shown = box_words.value_words(voice, self.box.engine, self._now(question))
        return voice.mark("bold", f"*{shown}") if question.path in self.said else shown

    def _page_keys(self, voice: Voice) -> str:
        key = "keys.page_growing" if self.page.look.more else "keys.page"
        return voice.say(key)

    def _question_lines(self, voice: Voice, question: Question, width: int) -> Iterator[str]:
        engine = self.box.engine
        if not question.path:
            yield voice.say("keys.what_more")
        else:
            label = box_words.question_label(voice, engine, question)
            yield "  " + voice.labelled(label, box_words.value_words(voice, engine, question))
        yield from joined_within(self._choice_words(voice, question), width)
        yield from joined_within(voice.say(f"keys.{question.kind}").split(BETWEEN), width, BETWEEN)

    def _choice_words(self, voice: Voice, question: Question) -> list[str]:
        taken = self._chosen or []
        if self._typed is not None:
            return [f"  > {self._typed}"]
        if question.kind in ("number", "words"):
            return ["  >"]
        if _are_digits(question):
            return ["  > " + "".join(map(str, taken))]
        return [
            f"  {key} {'*' if choice in taken else ''}{self._choice(voice, choice)}"
            for key, choice in zip(CHOICES, question.choices, strict=False)
        ]

    def _choice(self, voice: Voice, choice: Any) -> str:
        return box_words.word(voice, self.box.engine, str(choice).rpartition(".")[2])


def _are_digits(question: Question) -> bool:
    return question.kind == "signs" and all(str(choice).isdecimal() for choice in question.choices)


def _read(question: Question, typed: str) -> Any:
    """What was typed, as the datum has it."""
    if isinstance(question.value, list) and not typed.startswith("["):
        return [stated_value(one) for one in typed.split()]
    try:
        return stated_value(typed)
    except Unfit:
        return typed
