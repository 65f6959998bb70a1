"""The documentation as a site of the service: its files, what they may do, and nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from answers.context import open_store_context
from referee.errors import NotFound
from service.app import make_app
from service.server import ListenAddress, listening, settings_for
from service.settings import Settings

PAGE = "<script>var ours=1</script><script src='assets/all.js'></script><p style='color:red'>Hello"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    around = tmp_path_factory.mktemp("around")
    site = around / "site"
    (site / "fr").mkdir(parents=True)
    (site / "assets").mkdir()
    (site / "folder.js").mkdir()
    (site / "index.html").write_text(PAGE, "utf-8")
    (site / "fr" / "index.html").write_text("<p>Bonjour", "utf-8")
    (site / "assets" / "all.js").write_text("var all = 1", "utf-8")
    (site / "assets" / "notes.txt").write_text("of no known kind", "utf-8")
    (around / "secret.html").write_text("not of the site", "utf-8")
    (around / "site-beside").mkdir()
    (around / "site-beside" / "index.html").write_text("not of the site", "utf-8")
    (site / "out.html").symlink_to(around / "secret.html")
    return site


def client_of(docs: Path | None) -> TestClient:
    app = make_app(open_store_context("memory:"), Settings(any_host=True, docs=docs))
    return TestClient(app, follow_redirects=False)


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(folder) as opened:
        yield opened


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
@pytest.mark.parametrize(
    ("lang", "place"), [("en", "/docs/index.html"), ("fr", "/docs/fr/index.html")]
)
def test_everybody_is_led_to_their_own_language(
    client: TestClient, path: str, lang: str, place: str
) -> None:
    reply = client.get(path, headers={"Accept-Language": lang})
    assert (reply.status_code, reply.headers["location"]) == (303, place)
    assert client.get(place).status_code == 200


def test_a_page_may_run_its_own_scripts_and_no_others(client: TestClient) -> None:
    policy = client.get("/docs/index.html").headers["content-security-policy"]
    own = b64encode(sha256(b"var ours=1").digest()).decode()
    assert f"script-src 'self' 'sha256-{own}';" in policy
    assert policy.count("unsafe-inline") == 1
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "sha256-" not in client.get("/docs/fr/").headers["content-security-policy"]
    assert "unsafe-inline" not in client.get("/").headers["content-security-policy"]


def test_what_a_browser_has_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/docs/assets/all.js")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    again = client.get("/docs/assets/all.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.html",
        "%2e%2e/secret.html",
        "..%2fsecret.html",
        "assets/..%2f..%2fsecret.html",
        "%2fetc%2fpasswd",
        "..%2fsite-beside%2findex.html",
        "out.html",
        "assets",
        "folder.js",
        "assets/notes.txt",
        "index.html%00.js",
        "nowhere.html",
        pytest.param("a" * 300 + ".html", id="a name that is too long"),
    ],
)
def test_nothing_but_the_files_of_the_site_is_shown(client: TestClient, path: str) -> None:
    reply = client.get(f"/docs/{path}")
    assert reply.status_code == 404, reply.text
    assert "not of the site" not in reply.text


@pytest.mark.parametrize("path", ["/docs", "/docs/index.html"])
@pytest.mark.parametrize(("lang", "said"), [("en", "is not available"), ("fr", "pas disponible")])
def test_where_no_site_was_built_the_answer_says_so(path: str, lang: str, said: str) -> None:
    with client_of(None) as client:
        page = client.get(path, headers={"Accept": "text/html", "Accept-Language": lang})
        assert page.status_code == 404
        assert said in page.text
        problem = client.get(path).json()
        assert (problem["status"], problem["code"]) == (404, "no_docs")


@pytest.mark.parametrize("path", ["/", "/play", "/rules"])
def test_a_page_links_to_the_documentation_where_there_is_one(
    client: TestClient, path: str
) -> None:
    assert client.get(path).text.count('href="/docs"') == 2
    with client_of(None) as bare:
        assert 'href="/docs"' not in bare.get(path).text


def test_a_folder_without_a_site_is_refused_before_anything_listens(
    tmp_path: Path, folder: Path
) -> None:
    with pytest.raises(NotFound):
        listening(ListenAddress(port=0, docs=tmp_path))
    access_control, place = listening(ListenAddress(port=0, docs=folder))
    access_control.close()
    assert settings_for(place).docs == folder
