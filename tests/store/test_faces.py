"""Pictures of people and emblems of events: shown beside names, erased with the person."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from answers.admin import faces, people
from answers.admin.maintenance import looked_at
from answers.admin.stores import copy
from answers.context import Caller, open_store_context
from answers.review import photos
from answers.tournament.lifecycle import create
from engines.kernel import Phrase
from engines.kernel.messages.errors import MessageError
from referee.errors import NotAllowed
from referee.store.maintenance.backup import backup, restore
from referee.store.sidecars.people import people_path
from referee.store.sqlite.files import sqlite_url
from referee.store.urls import open_people
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from tests.opening import new_table
from tests.photos import jpeg, png

OPENING = "A=blue B=red first A"


@pytest.fixture
def caller(store_url: str) -> Caller:
    return Caller(open_store_context(store_url))


def opened(caller: Caller) -> str:
    return new_table(caller, "benevolent", OPENING, players={"A": "Ana", "B": "Bo"})


def test_a_picture_stands_beside_the_name_and_goes_with_it_in_every_kind_of_store(
    caller: Caller,
) -> None:
    game = opened(caller)
    made = faces.add(caller, "Ana", jpeg(900, 600)).data
    assert made.digest is not None
    assert faces.at_table(caller, game).data.faces == {"A": made.address}
    shown = Image.open(BytesIO(faces.picture(caller, made.of, made.digest).content))
    assert max(shown.size) <= faces.SIDE
    assert people.known(caller, "Ana").data.picture == made.digest
    people.erase(caller, made.of)
    assert faces.at_table(caller, game).data.faces == {}
    for digest in (made.digest, "0" * 64):
        with pytest.raises(MessageError, match="no_such_picture"):
            faces.picture(caller, made.of, digest)
    with pytest.raises(MessageError):
        faces.add(caller, made.of, jpeg())


def test_another_picture_takes_its_place_and_the_old_address_leads_nowhere(caller: Caller) -> None:
    opened(caller)
    old = faces.add(caller, "Ana", jpeg()).data
    new = faces.add(caller, "Ana", png(70, 70)).data
    assert old.digest != new.digest
    with pytest.raises(MessageError):
        faces.picture(caller, old.of, str(old.digest))
    assert faces.erase(caller, "Ana").data.digest is None
    assert caller.name(old.of) == "Ana"
    with pytest.raises(MessageError):
        faces.erase(caller, "Ana")


def test_an_event_has_an_emblem(caller: Caller) -> None:
    desk = Caller(caller.store_context, Author("porg", "organiser"))
    event = create(desk, "Spring", usual_plan("benevolent", "swiss", 3)).data.tournament
    made = faces.add_emblem(caller, event, png()).data
    assert faces.at_tournament(caller, event).data.emblem == made.address
    faces.erase_emblem(caller, event)
    assert faces.at_tournament(caller, event).data.emblem is None


def test_everybody_changes_their_own_picture_and_an_organiser_those_of_their_people(
    caller: Caller,
) -> None:
    game = opened(caller)
    ana, bo = (caller.store_context.people.find(name)[0] for name in ("Ana", "Bo"))
    outside = caller.store_context.people.add("Cy")

    def may(person: str, role: str, whose: str, scope: str = "") -> bool:
        asking = Caller(caller.store_context, Author(person, role), scope=scope)
        try:
            faces.add_own(asking, whose, jpeg())
        except NotAllowed:
            return False
        return True

    assert may(ana, "seat:A", ana)
    assert may(ana, "player", ana)
    assert not may(ana, "seat:A", bo)
    assert not may(ana, "judge", bo)
    assert may("porg", "organiser", bo)
    assert may("porg", "organiser", bo, game)
    assert not may("porg", "organiser", outside, game)
    assert not may("porg", "organiser", "Cy", game)
    nobody = Author().person
    caller.store_context.people.add(nobody)
    assert not may(nobody, "judge", nobody), "somebody is called as those without a name are"


@pytest.mark.parametrize("content", [b"", b"<svg/>", b"GIF89a", jpeg()[:40]])
def test_what_is_no_picture_is_refused_and_the_old_one_stays(content: bytes) -> None:
    caller = Caller(open_store_context("memory:"))
    opened(caller)
    made = faces.add(caller, "Ana", jpeg()).data
    with pytest.raises(MessageError):
        faces.add(caller, "Ana", content)
    assert faces.picture(caller, made.of, str(made.digest)).content


def test_an_erased_picture_leaves_no_byte_and_does_not_come_back(
    file_url: str, tmp_path: Path
) -> None:
    caller = Caller(open_store_context(file_url))
    opened(caller)
    made = faces.add(caller, "Ana", jpeg(300, 300)).data
    content = faces.picture(caller, made.of, str(made.digest)).content
    backup(file_url, tmp_path / "copy.db")
    back = sqlite_url(tmp_path / "back.db")
    restore(tmp_path / "copy.db", back)
    with closing(open_people(back)) as restored:
        assert restored.face(made.of) == content
    path = people_path(file_url)
    assert path is not None
    assert content[100:160] in path.read_bytes()
    people.erase(caller, made.of)
    assert content[100:160] not in path.read_bytes()
    caller.store_context.close()
    with closing(open_people(back)) as old, closing(open_people(file_url)) as ours:
        old.copy_to(ours)
        assert ours.face(made.of) is None


def test_a_copy_of_a_store_has_them(file_url: str, postgres_url: str) -> None:
    caller = Caller(open_store_context(file_url))
    opened(caller)
    made = faces.add(caller, "Ana", jpeg()).data
    caller.store_context.close()
    copy(file_url, postgres_url)
    with closing(open_people(postgres_url)) as copied:
        assert copied.faces([made.of]) == {made.of: made.digest}


# photographs of a table


def lose(caller: Caller, digest: str) -> None:
    caller.store_context.attachments._change("DELETE FROM photographs WHERE digest = ?", (digest,))


@pytest.mark.parametrize("kept_in", ["file_url", "postgres_url"])
def test_the_doctor_names_a_photograph_that_is_missing(
    kept_in: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(kept_in)
    caller = Caller(open_store_context(url))
    game = opened(caller)
    kept, lost, gone = (photos.add(caller, game, jpeg(40 + n, 40)).data for n in range(3))
    photos.erase(caller, game, gone.id)
    assert "photos" not in {check.name for check in looked_at(url)}
    lose(caller, lost.digest)
    found = next(check for check in looked_at(url) if check.name == "photos")
    assert isinstance(found.message, Phrase)
    named = [str(each) for each in found.message.facts["photos"]]
    assert named == [f"{game.removeprefix('game-')} {lost.id}"]
    assert kept.state == "there"


def test_a_photograph_is_about_a_place_or_a_component(caller: Caller) -> None:
    game = opened(caller)
    assert photos.add(caller, game, jpeg(), about="s1a").data.about == "S1A"
    assert (
        photos.add(caller, game, jpeg(), about="free_swap").data.shows
        == "free_swap (free exchange)"
    )
    with pytest.raises(MessageError, match="no_such_code"):
        photos.add(caller, game, jpeg(), about="nowhere")
    assert [row.about for row in photos.photos(caller, game).data.photos] == ["S1A", "free_swap"]
