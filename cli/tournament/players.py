"""``tournament players``: who takes part."""

from typing import Annotated, cast

import typer

from answers.tournament import players
from cli.session import Key
from cli.tournament.context import Reason, RoundOption, one_of, run
from cli.tournament.plan import read_text
from referee.tournament.interchange.json_csv import PlayerRow, read_players
from referee.tournament.values import Unplayed, section_labels

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

UNPLAYED = {"zero": "zero_bye", "half": "half_bye", "full": "full_bye"}

Counts = Annotated[str, typer.Option("--counts")]


def _counts(word: str) -> Unplayed:
    return cast(Unplayed, UNPLAYED[one_of("--counts", word, UNPLAYED)])


@app.command()
def add(
    name: Annotated[list[str], typer.Argument()],
    club: Annotated[str, typer.Option("--club")] = "",
    rating: Annotated[int, typer.Option("--rating", min=0, max=9999)] = 0,
    seed: Annotated[int | None, typer.Option("--seed", min=1)] = None,
    fixed_table: Annotated[int | None, typer.Option("--fixed-table", min=1)] = None,
    namesake: Annotated[bool, typer.Option("--namesake")] = False,
    section: Annotated[list[str] | None, typer.Option("--section")] = None,
    key: Key = None,
) -> int:
    told = section_labels(",".join(section or ()))
    entries = [
        PlayerRow(name=one, club=club, rating=rating, seed=seed, sections=told) for one in name
    ]
    return run(players.register, entries, fixed_table=fixed_table, namesake=namesake, key=key)


@app.command(name="import")
def import_players(file: Annotated[str, typer.Argument()], key: Key = None) -> int:
    listed = read_players(read_text(file))
    return run(players.register_list, listed, file, key=key)


@app.command()
def checkin(
    name: Annotated[list[str] | None, typer.Argument()] = None,
    everybody: Annotated[bool, typer.Option("--all")] = False,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    """For the whole event, or for one round of it."""
    if round is not None:
        return run(players.check_in_for_round, round, name or [], key=key)
    return run(players.check_in, name or [], everybody=everybody, key=key)


@app.command()
def late(
    name: Annotated[str, typer.Argument()],
    counts: Counts = "zero",
    new: Annotated[bool, typer.Option("--new")] = False,
    key: Key = None,
) -> int:
    return run(players.come_late, name, _counts(counts), new=new, key=key)


@app.command()
def edit(
    name: Annotated[str, typer.Argument()],
    club: Annotated[str | None, typer.Option("--club")] = None,
    rating: Annotated[int | None, typer.Option("--rating", min=0, max=9999)] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, max=9999)] = None,
    fixed_table: Annotated[int | None, typer.Option("--fixed-table", min=0, max=999)] = None,
    last_name: Annotated[str | None, typer.Option("--last-name")] = None,
    title: Annotated[str | None, typer.Option("--title")] = None,
    federation: Annotated[str | None, typer.Option("--federation")] = None,
    licence: Annotated[str | None, typer.Option("--licence")] = None,
    section: Annotated[list[str] | None, typer.Option("--section")] = None,
    key: Key = None,
) -> int:
    return run(
        players.edit,
        name,
        club=club,
        rating=rating,
        seed=seed,
        fixed_table=fixed_table,
        last_name=last_name,
        title=title,
        federation=federation,
        licence=licence,
        sections=None if section is None else section_labels(",".join(section)),
        key=key,
    )


@app.command()
def fee(
    name: Annotated[list[str], typer.Argument()],
    unpaid: Annotated[bool, typer.Option("--unpaid")] = False,
    key: Key = None,
) -> int:
    return run(players.mark_fee, name, paid=not unpaid, key=key)


@app.command()
def unregister(
    name: Annotated[str, typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    return run(players.unregister, name, reason=reason, key=key)


@app.command()
def merge(
    name: Annotated[str, typer.Argument()],
    other: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(players.merge, name, other, reason, key=key)


@app.command()
def drop(
    name: Annotated[str, typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    return run(players.drop, name, reason=reason, key=key)


@app.command(name="return")
def return_player(
    name: Annotated[str, typer.Argument()], counts: Counts = "zero", key: Key = None
) -> int:
    return run(players.come_back, name, _counts(counts), key=key)


@app.command()
def bye(
    name: Annotated[str, typer.Argument()],
    round: Annotated[int, typer.Argument(min=1)],
    counts: Counts = "half",
    key: Key = None,
) -> int:
    return run(players.ask_bye, name, round, _counts(counts), key=key)


@app.command(name="list")
def list_players() -> int:
    return run(players.players)
