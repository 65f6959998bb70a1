"""``referee serve``: where it listens, what it prints, and the sample table."""

from __future__ import annotations

import socket
from html import escape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cli.commands.serve import _open_sample, _qr, serve, welcome
from cli.i18n import learn, set_language
from cli.session import Session, begin, session
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.errors import Conflicting, Misused, NotFound, Unfit
from service.app import make_app
from service.server import ListenAddress, listening, settings_for
from service.settings import Settings


def test_it_listens_on_this_computer_unless_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.server.lan_addresses", lambda: ["192.0.2.7", "club"])
    assert ListenAddress().host == "127.0.0.1"
    assert settings_for(ListenAddress()).hosts == ("127.0.0.1", "localhost", "[::1]")
    lan = ListenAddress(lan=True, names=("Club.example",))
    assert lan.host == "0.0.0.0"
    assert set(settings_for(lan).hosts) >= {"192.0.2.7", "club", "club.example"}


def test_a_link_names_the_port_where_it_is_not_the_usual_one() -> None:
    assert ListenAddress(8420).link("127.0.0.1") == "http://127.0.0.1:8420"
    assert (
        ListenAddress(443, cert=Path("c"), key=Path("k")).link("club.example")
        == "https://club.example"
    )


def test_a_link_behind_a_proxy_is_the_one_that_visitors_use() -> None:
    place = ListenAddress(proxy="127.0.0.1", names=("club.example",))
    assert [place.link(address) for address in place.addresses()] == [
        "https://club.example",
        "http://127.0.0.1:8420",
    ]


def test_a_port_that_is_taken_is_told() -> None:
    access_control, place = listening(ListenAddress(port=0))
    try:
        assert access_control.proto == socket.IPPROTO_TCP, "or small answers are held back"
        with pytest.raises(Conflicting, match="port_taken"):
            listening(ListenAddress(port=place.port))
    finally:
        access_control.close()


def test_a_certificate_that_is_not_there_is_told() -> None:
    with pytest.raises(NotFound, match="no_such_file"):
        listening(ListenAddress(port=0, cert=Path("missing.pem")))


def test_a_certificate_that_is_none_is_told_before_anything_listens(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("hello")
    with pytest.raises(Unfit, match="bad_certificate"):
        listening(ListenAddress(port=0, cert=tmp_path / "cert.pem"))


def test_a_key_without_a_certificate_never_means_plain_http(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("hello")
    with pytest.raises(Misused, match="key_without_certificate"):
        listening(ListenAddress(port=0, key=tmp_path / "key.pem"))


@pytest.mark.parametrize("proxy", ["*", "club.example", "127.0.0.1,", "10.0.0.1/8"])
def test_a_proxy_is_an_address_or_a_network(proxy: str) -> None:
    with pytest.raises(Misused, match="bad_proxy"):
        listening(ListenAddress(port=0, proxy=proxy))
    access_control, _ = listening(ListenAddress(port=0, proxy="127.0.0.1, 10.0.0.0/8"))
    access_control.close()


def test_the_code_is_a_square_of_half_blocks() -> None:
    lines = _qr("http://127.0.0.1:8420/j/ABCD-EFGH")
    assert {len(line) for line in lines} == {len(lines[0])}
    assert set("".join(lines)) <= set("█▀▄ ")


@pytest.fixture
def here() -> Session:
    begin(
        store="memory:", token=None, game=None, json=False, lang=None, author=None, color="never",
        no_input=True, quiet=False, verbose=False,
    )  # fmt: skip
    return session(creates=True)


def test_the_sample_table_is_open_to_everybody(here: Session) -> None:
    game = _open_sample(here)
    assert _open_sample(here) == game
    assert list(here.store_context.store.streams("game-")) == [game]
    assert here.store_context.access.rules(game).open_to == "everybody"
    assert here.store_context.bench.game(game).last_number > 6


@pytest.mark.parametrize("club", ["", "  Les <b>Rois</b> & Cie "])
def test_the_club_that_serves_is_the_head_of_every_page(
    here: Session, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[ListenAddress] = []
    monkeypatch.setattr(
        "service.server.serve", lambda context, place, *_, **__: places.append(place)
    )
    serve(port=0, club=club)
    app = make_app(here.store_context, settings_for(places[0]))
    with TestClient(app, base_url="http://127.0.0.1") as web:
        for lang, usual in (("en", "Referee"), ("fr", "Arbitre")):
            for path in ("/", "/tournaments", "/rules", "/nowhere"):
                shown = web.get(path, headers={"Accept-Language": lang, "Accept": "text/html"}).text
                name = escape(club.strip()) or usual
                assert f"· {name}</title>" in shown, (path, lang)
                assert f"</svg>{name}</a>" in shown, (path, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_last_line_is_the_address_to_open_and_it_leads_to_the_sample_table(
    here: Session, lang: Language
) -> None:
    set_language(lang)
    learn("service")
    game = _open_sample(here)
    *_, last = welcome(here, ListenAddress(), f"table={game}")
    asked = {"en": "Open this address in your browser: ", "fr": "Ouvrez cette adresse"}[lang]
    assert last.startswith(asked)
    link = last.rpartition(" ")[2].removeprefix(ListenAddress().link("127.0.0.1"))
    with TestClient(
        make_app(here.store_context, Settings(any_host=True, docs=Path())), follow_redirects=False
    ) as web:
        own = {"Origin": "http://testserver"}
        assert web.get(link).status_code == 200
        joined = web.post(link, headers=own)
        assert (joined.status_code, joined.headers["location"]) == (303, f"/games/{game}")
        assert "/docs" in web.get(f"/games/{game}").text


def test_a_link_to_join_leads_to_no_other_site(here: Session) -> None:
    link = welcome(here, ListenAddress())[-1].rpartition(" ")[2]
    place = link.removeprefix(ListenAddress().link("127.0.0.1")) + "?to=//evil.example/"
    with TestClient(
        make_app(here.store_context, Settings(any_host=True)), follow_redirects=False
    ) as web:
        joined = web.post(place, headers={"Origin": "http://testserver"})
        assert (joined.status_code, joined.headers["location"]) == (303, "/")
