"""Players who register themselves: places, the waiting list, and what strangers learn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.admin import people
from answers.context import Caller
from answers.tournament import players, registration, rounds
from engines.kernel.messages.errors import MessageError
from referee.errors import NotAllowed
from referee.record.entries import SPECTATOR
from referee.store.sidecars.access import AccessPolicy
from referee.store.sidecars.people import PersonDetails
from referee.table.author import Author
from referee.tournament.errors import NotPossible
from referee.tournament.events import MovedUp, RegistrationSet, SignedUp
from referee.tournament.fold import fold
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.proof import verify_tournament
from tests.tournament.asking import Stand, swiss


@pytest.fixture
def stand() -> Stand:
    made = Stand(swiss(), "Ana", "Bo")
    made.ask(registration.set_registration, open=True, capacity=3)
    return made


def stranger(stand: Stand, person: str = "anonymous") -> Caller:
    return Caller(stand.caller.store_context, Author(person, SPECTATOR), scope="nowhere")


def code(stand: Stand) -> str:
    return registration.code_of(stand.caller, stand.id)


def come(stand: Stand, name: str, **told: object) -> registration.SignedUpAnswer:
    there = registration.sign_up(stranger(stand), stand.id, code(stand), name, **told)  # type: ignore[arg-type]
    return there.data


def refused(stand: Stand, name: str, **told: object) -> str:
    with pytest.raises(MessageError) as error:
        come(stand, name, **told)
    return error.value.key


def waiting(stand: Stand) -> list[str]:
    listed = registration.registration(stand.caller, stand.id).data.waiting_list
    return [row.name for row in listed]


def test_whoever_comes_first_has_a_place_and_the_others_wait(stand: Stand) -> None:
    assert (come(stand, "Cleo").number, come(stand, "Dan").place, come(stand, "Eva").place) == (
        3,
        1,
        2,
    )
    assert waiting(stand) == ["Dan", "Eva"]


def test_a_token_is_that_of_the_new_player_in_this_event_alone(stand: Stand) -> None:
    given = come(stand, "Cleo")
    found = stand.caller.store_context.access.pass_of(given.token)
    assert found is not None
    assert (found.role, found.scope, found.person) == ("player", stand.id, given.person)


def test_whoever_makes_room_moves_the_first_up_in_the_same_request(stand: Stand) -> None:
    cleo, dan, eva = come(stand, "Cleo"), come(stand, "Dan"), come(stand, "Eva")
    phone = Caller(stand.caller.store_context, Author(cleo.person, "player"))
    told = players.unregister(phone, stand.id, cleo.person, key="k1").data
    assert [each.kind for each in told.events] == ["player_unregistered", "player_moved_up"]
    again = players.unregister(phone, stand.id, cleo.person, key="k1").data
    assert again.events == told.events
    assert dan.person in stand.now.players
    stand.ask(players.drop, "Bo")
    assert eva.person in stand.now.players
    assert waiting(stand) == []
    store = stand.caller.store_context
    report = verify_tournament(store.desk, stand.id, store.store.read(stand.id))
    assert report.problems == []


def test_more_places_move_as_many_up(stand: Stand) -> None:
    for name in ("Cleo", "Dan", "Eva", "Finn"):
        come(stand, name)
    stand.ask(registration.set_registration, open=True, capacity=5)
    assert waiting(stand) == ["Finn"]
    stand.ask(registration.set_registration, open=False, capacity=None)
    assert waiting(stand) == []


def test_the_desk_gives_a_place_to_whom_it_likes_and_takes_others_off(stand: Stand) -> None:
    for name in ("Cleo", "Dan", "Eva"):
        come(stand, name)
    stand.ask(registration.move_up, "Eva")
    stand.ask(players.unregister, "Dan")
    assert waiting(stand) == []
    assert [each.name for each in stand.ask(players.players).data.players][-1] == "Eva"
    come(stand, "Finn")
    stand.ask(players.register, [PlayerRow(name="Finn")])
    assert waiting(stand) == []


def test_a_player_takes_nobody_else_off_the_list(stand: Stand) -> None:
    cleo = come(stand, "Cleo")
    phone = Caller(stand.caller.store_context, Author(cleo.person, "player"))
    with pytest.raises(NotAllowed):
        players.unregister(phone, stand.id, "Ana")
    assert stand.caller.store_context.access.pass_of(cleo.token) is not None


def test_whoever_is_taken_off_the_list_is_signed_out(stand: Stand) -> None:
    cleo = come(stand, "Cleo")
    stand.ask(players.unregister, "Cleo")
    assert stand.caller.store_context.access.pass_of(cleo.token) is None


@pytest.mark.parametrize("wrong", ["", "ABCD-EFGH", "x" * 40, "é"])
def test_without_the_code_nobody_learns_even_that_there_is_an_event(
    stand: Stand, wrong: str
) -> None:
    for ask in (
        lambda: registration.entry(stranger(stand), stand.id, wrong),
        lambda: registration.sign_up(stranger(stand), stand.id, wrong, "Cleo"),
        lambda: registration.entry(stranger(stand), "tournament-nowhere", wrong),
    ):
        with pytest.raises(MessageError) as error:
            ask()
        assert error.value.key == "no_such_registration"


def test_the_link_tells_no_name_and_only_organisers_and_public_events_tell_the_link(
    stand: Stand,
) -> None:
    come(stand, "Cleo")
    come(stand, "Dan")
    told = registration.entry(stranger(stand), stand.id, code(stand)).data.model_dump_json()
    assert not any(name in told for name in ("Ana", "Bo", "Cleo", "Dan"))
    seen = registration.registration(stranger(stand), stand.id).data
    assert (seen.code, seen.waiting_list, seen.waiting) == ("", [], 1)
    rules = AccessPolicy(open_to="everybody")
    stand.caller.store_context.access.set_rules(stand.id, rules)
    assert registration.registration(stranger(stand), stand.id).data.code != ""


def test_a_name_that_is_there_is_asked_about_and_never_taken_over(stand: Stand) -> None:
    known = {row.name: row.player for row in stand.ask(players.players).data.players}
    assert refused(stand, "  ANA ") == "same_name"
    assert come(stand, "Ana", namesake=True).person != known["Ana"]
    came = come(stand, "Dan")
    assert refused(stand, "dan") == "same_name"
    other = Stand(swiss(), store_context=stand.caller.store_context)
    other.ask(registration.set_registration, open=True)
    assert come(other, "Dan").person != came.person


def test_the_phone_of_somebody_known_says_who_they_are(stand: Stand) -> None:
    came = come(stand, "Dan")
    other = Stand(swiss(), store_context=stand.caller.store_context)
    other.ask(registration.set_registration, open=True)
    phone = stranger(other, came.person)
    again = registration.sign_up(phone, other.id, code(other), "dan").data
    assert again.person == came.person
    sibling = registration.sign_up(phone, other.id, code(other), "Eva").data
    assert sibling.person != came.person


def test_a_lost_answer_is_given_again_and_its_key_is_nobody_elses(stand: Stand) -> None:
    first, again = come(stand, "Cleo", key="k"), come(stand, "Cleo", key="k")
    assert (first.person, first.number) == (again.person, again.number)
    assert first.token != again.token
    assert refused(stand, "Dan", key="k") == "key_reused"
    assert sum(isinstance(each, SignedUp) for each in stand.hosted.events) == 1


def test_what_is_not_asked_is_refused_and_a_last_name_stands_in_the_name(stand: Stand) -> None:
    assert refused(stand, "Cleo", club="North") == "detail_not_asked"
    stand.ask(registration.set_registration, open=True, asks=["last_name", "club", "licence"])
    assert refused(stand, "Cleo Sol") == "last_name_wanted"
    assert refused(stand, "Cleo Sol", last_name="Luna") == "last_name_wanted"
    assert refused(stand, "Sol", last_name="Sol") == "last_name_wanted"
    came = come(stand, "Cleo Sol", last_name="Sol", club="North", licence="A1")
    assert stand.now.players[came.person].club == "North"
    [row] = [each for each in stand.ask(players.players).data.players if each.name == "Cleo Sol"]
    assert (row.last_name, row.licence) == ("Sol", "A1")


def test_closed_by_the_desk_by_the_time_and_by_round_one(stand: Stand) -> None:
    stand.ask(registration.set_registration, open=False, capacity=3)
    assert refused(stand, "Cleo") == "registration_closed"
    with pytest.raises(MessageError, match="past"):
        stand.ask(registration.set_registration, open=True, closes="2001-01-01T00:00:00.000Z")
    stand.caller.store_context.desk.tell(
        stand.id, RegistrationSet(open=True, closes="2001-01-01T00:00:00.000Z")
    )
    assert refused(stand, "Cleo") == "registration_closed"
    stand.ask(registration.set_registration, open=True, closes="2999-01-01T00:00:00.000Z")
    come(stand, "Cleo")
    stand.ask(players.check_in, everybody=True)
    stand.ask(rounds.pair, seed=1)
    assert refused(stand, "Dan") == "registration_over"
    with pytest.raises(NotPossible):
        stand.ask(registration.set_registration, open=True)


def test_after_round_one_nobody_moves_up_by_themselves(stand: Stand) -> None:
    for name in ("Cleo", "Dan"):
        come(stand, name)
    stand.ask(players.check_in, everybody=True)
    stand.ask(rounds.pair, seed=1)
    stand.ask(players.drop, "Bo")
    assert waiting(stand) == ["Dan"]
    stand.ask(registration.move_up, "Dan")
    stand.ask(players.come_late, "Dan")
    assert stand.now.players[stand.hosted.events[-1].player].status == "present"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u0000b", "\u202eana"])
def test_a_hostile_name_is_refused(stand: Stand, name: str) -> None:
    before = len(stand.hosted.told)
    refused(stand, name)
    assert len(stand.hosted.told) == before


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("come"), st.integers(0, 9)),
        st.tuples(st.just("leave"), st.integers(0, 9)),
        st.tuples(st.just("room"), st.integers(2, 6)),
    ),
    max_size=25,
)


@given(STEPS)
def test_nobody_waits_while_there_is_room(steps: list[tuple[str, int]]) -> None:
    """A model: everybody who is registered, in the order they came; the first have the places."""
    stand = Stand(swiss())
    stand.ask(registration.set_registration, open=True, capacity=2)
    capacity, order, inside, phones = 2, [], set(), {}
    for what, number in steps:
        name = f"P{number}"
        if what == "come" and name not in order:
            phones[name] = stranger(stand, come(stand, name).person)
            order.append(name)
        elif what == "come":  # with a place or without, their own phone registers them once
            with pytest.raises(MessageError) as error:
                registration.sign_up(phones[name], stand.id, code(stand), name)
            assert error.value.key == "same_name"
        elif what == "leave" and name in order:
            stand.ask(players.unregister, name)
            order.remove(name)
            inside.discard(name)
        elif what == "room":
            capacity = number
            stand.ask(registration.set_registration, open=True, capacity=number)
        for each in order:
            if each not in inside and len(inside) < capacity:
                inside.add(each)
        listed = {row.name for row in stand.ask(players.players).data.players}
        assert listed == inside
        assert waiting(stand) == [each for each in order if each not in inside]
    assert fold(stand.hosted.events) == stand.now
    ups = [event for event in stand.hosted.events if isinstance(event, MovedUp)]
    assert len({event.player for event in ups}) == len(ups)


def test_what_is_known_of_somebody_has_their_own_registration_also_from_the_waiting_list(
    stand: Stand,
) -> None:
    stand.ask(registration.set_registration, open=True, capacity=3, asks=["club"])
    for name in ("Cleo", "Dan"):
        come(stand, name, club="Chess Club Lyon")
        [row] = people.known(stand.caller, name).data.tournaments
        assert (row.tournament, row.club) == (stand.id, "Chess Club Lyon")
    assert waiting(stand) == ["Dan"]


TOLD = st.fixed_dictionaries(
    {},
    optional={
        "last_name": st.just("Ba"),
        "title": st.sampled_from(("FM", "WGM")),
        "federation": st.sampled_from(("FRA", "GER")),
        "licence": st.sampled_from(("123", "456")),
    },
)


@given(TOLD, TOLD)
def test_what_a_phone_was_asked_is_kept_under_the_entry_of_the_desk(
    desk: dict[str, str], phone: dict[str, str]
) -> None:
    """Where both say something the desk's counts; asked for again, the answer is the same. A judge
    who merges reads no licence."""
    stand = Stand(swiss(), "Ana Ba", "A. Ba", "Bo")
    people, (kept, gone, _) = stand.caller.store_context.people, stand.now.players
    people.describe(kept, **desk)
    people.describe(gone, **phone)
    people.show(gone, b"a face")
    first, again = (
        stand.told(players.merge(stand.caller.keyed("k"), stand.id, "Ana Ba", "A. Ba", "one"))
        for _ in range(2)
    )
    assert again.startswith(first)
    known = people.details([kept]).get(kept, PersonDetails())
    assert {name: value for name, value in known if value} == phone | desk
    assert people.face(kept) == b"a face"
    for licence in {phone.get("licence"), desk.get("licence")} - {None}:
        assert (licence == known.licence) == (licence in first)
    stand.caller = Caller(stand.caller.store_context, Author("pj", "judge"))
    told = stand.told(stand.ask(players.merge, "Ana Ba", "Bo", "one person"))
    assert not known.licence or known.licence not in told
