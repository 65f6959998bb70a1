"""``referee collection``: games as chapters, with notes and variations."""

from typing import Annotated, Literal

import typer

from answers.review import collections
from cli.session import Key, session

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
Which = Annotated[str, typer.Argument()]
Seen = Literal["private", "link", "public"]


@app.command("list")
def list_() -> int:
    return session().run(collections.collections)


@app.command()
def show(collection: Which) -> int:
    return session().run(collections.collection, collection)


@app.command()
def new(
    name: Annotated[str, typer.Argument()],
    text: Annotated[str, typer.Option("--text")] = "",
    visibility: Annotated[Seen, typer.Option("--visibility")] = "private",
    key: Key = None,
) -> int:
    here = session(creates=True)
    return here.run(collections.new, name, about=text, visibility=visibility, key=key)


@app.command()
def edit(
    collection: Which,
    name: Annotated[str | None, typer.Option("--name")] = None,
    text: Annotated[str | None, typer.Option("--text")] = None,
    visibility: Annotated[Seen | None, typer.Option("--visibility")] = None,
    author: Annotated[str | None, typer.Option("--author")] = None,
    without: Annotated[str | None, typer.Option("--without")] = None,
    key: Key = None,
) -> int:
    return session().run(
        collections.edit,
        collection,
        name=name,
        about=text,
        visibility=visibility,
        author=author,
        without=without,
        key=key,
    )


@app.command()
def put(
    collection: Which,
    chapter: Annotated[str | None, typer.Option("--chapter")] = None,
    title: Annotated[str | None, typer.Option("--title")] = None,
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
    place: Annotated[int | None, typer.Option("--place", min=1)] = None,
    key: Key = None,
) -> int:
    here = session()
    game = None if chapter is not None else here.game_id()
    return here.run(
        collections.put,
        collection,
        game=game,
        chapter=chapter,
        title=title,
        at=at,
        place=place,
        key=key,
    )


@app.command()
def remove(collection: Which, chapter: Annotated[str, typer.Argument()], key: Key = None) -> int:
    return session().run(collections.remove, collection, chapter, key=key)


@app.command()
def note(
    collection: Which,
    chapter: Annotated[str, typer.Argument()],
    number: Annotated[int, typer.Argument(min=0)],
    text: Annotated[str, typer.Argument()] = "",
    instead: Annotated[list[str] | None, typer.Option("--instead")] = None,
    key: Key = None,
) -> int:
    return session().run(
        collections.note, collection, chapter, number, text, instead=instead or [], key=key
    )


@app.command()
def unnote(
    collection: Which,
    chapter: Annotated[str, typer.Argument()],
    note: Annotated[str, typer.Argument()],
    key: Key = None,
) -> int:
    return session().run(collections.unnote, collection, chapter, note, key=key)
