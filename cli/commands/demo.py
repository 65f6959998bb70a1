"""``referee demo``: a refereed game from set-up to victory, by the real commands."""

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.i18n import Paint, language, say, set_language, wrapped, write

WIDTH = 76
"""A longer command is cut: what happened stands in words above it."""

TABLE = "A=blue B=red first A"
SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
)
FIRST_TURN = "A step c1; pick"
BEGINNING = ("B step c1; pick", "A step c2; swap feather")
MISHEARD = (
    "B step c2; swap feather",
    "A step b2; gather",
    "B step b1; gather",
    "A step c3; learn 1d",
    "B step a1; learn 1a",
    "A step c1 to a3; gather",
    "B step c2 to b2; swap crystal",
)
WRONG_MOVE = "12"
ENDING = (
    "A step a3 to c1; pick",
    "B step b2 to c2; gather",
    "A step c1 to a3; sleep 2",
    "B step c1 to a2; gather",
    "A step a3 to c1; pick",
    "B step c2 to b2; swap clover; again swap feather",
    "A step c1 to a3; sleep 3",
    "B step a2 to c2; swap amber",
    "A step a3 to a2; buy crystal",
    "B step c2 to c1; gather",
    "A step c2 to a3; sleep 4",
    "B step c1 to c2; swap crystal; again swap amber",
    "A step a3 to a1; learn 1b; end",
    "B step b2 to c1; pick",
    "A use gift_clover; step a1 to a3; sleep 1",
)


def demo(*, keep: Path | None = None) -> int:
    with _folder(keep) as folder:
        show = _Show()
        other = "en" if language() == "fr" else "fr"
        show.tell("demo.open")
        show.tell("demo.laid")
        show.run("-q", "new", "benevolent", *TABLE.split(), "-p", "A=Ana", "-p", "B=Bo")
        show.run("-q", "log", *SETUP)
        show.tell("demo.first_turn")
        show.run("log", FIRST_TURN)
        show.tell("demo.beginning")
        show.run("-q", "log", *BEGINNING)
        show.tell("demo.refused")
        show.run("log", "B step a3")
        show.tell("demo.in_french")
        show.run("log", "B step a3", "--lang", other)
        show.tell("demo.later")
        show.run("-q", "log", *MISHEARD)
        show.tell("demo.correction")
        show.run("correct", WRONG_MOVE, "A", "swap", "crystal", "-m", "misheard")
        show.tell("demo.stands")
        show.run("log", "--stands", "A step c2 to c1")
        show.tell("demo.undone")
        show.run("undo", "-m", "the step goes back")
        show.tell("demo.dispute")
        show.run("-q", "state", "--toml", "-o", "dispute.toml")
        show.run("check", "--position", "dispute.toml", "A step c2 to a1")
        show.tell("demo.ending")
        show.run("-q", "log", *ENDING)
        show.run("finish")
        show.tell("demo.exported")
        show.run("-q", "state", "--svg", "-o", "board.svg")
        show.run("-q", "export", "record", "-o", "game.jsonl")
        show.run("verify", "game.jsonl")
        show.tell("demo.tampered")
        record = (folder / "game.jsonl").read_bytes()
        (folder / "tampered.jsonl").write_bytes(record.replace(b'"swap"', b'"pick"', 1))
        caught = show.run("verify", "tampered.jsonl")
        show.close(caught == 6, folder if keep else None)
        return 0


class _Show:
    """Says what happens at the table, and runs the real commands for it, quietly."""

    def __init__(self) -> None:
        self.paint = Paint()

    def tell(self, key: str) -> None:
        write(["", *(self.paint("bold", line) for line in wrapped([say(key)]))])

    def run(self, *words: str) -> int:
        from cli.main import main

        lang = language()
        typed = shlex.join(["referee", *words])
        short = typed if len(typed) <= WIDTH else typed[: WIDTH - 1] + "…"
        write([self.paint("dim", f"  $ {short}")])
        code = main([*words, *(() if "--lang" in words else ("--lang", lang))])
        set_language(lang)
        return code

    def close(self, caught: bool, folder: Path | None) -> None:
        if not caught:
            raise RuntimeError("the tampered copy was not caught")
        write(["", say("demo.done")])
        if folder is not None:
            write([say("written", file=str(folder))])


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    previous = {name: os.environ.get(name) for name in ("XDG_DATA_HOME", "REFEREE_STORE")}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        home = Path.cwd()
        os.chdir(folder)
        os.environ["XDG_DATA_HOME"] = str(folder)
        os.environ["REFEREE_STORE"] = str(folder / "demo.db")
        try:
            yield folder
        finally:
            os.chdir(home)
            for name, value in previous.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
