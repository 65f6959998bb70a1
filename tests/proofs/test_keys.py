"""Keys: made, locked, trusted, lost, revoked, carried from club to club."""

from __future__ import annotations

import builtins
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee.errors import Conflicting, Misused, NotFound, Unfit
from referee.proof.keys import KeyBook, KeyRing, Trusted, is_signed, is_weak, read_keys

SOMEBODY = "a9" * 32


def test_a_new_key_signs_and_is_trusted(ring: KeyRing) -> None:
    made = ring.new("jo")
    key, signature = ring.sign("jo", b"hello")
    assert key == made.key
    assert is_signed(key, b"hello", signature)
    assert not is_signed(key, b"hullo", signature)
    assert not is_signed(SOMEBODY, b"hello", signature)
    assert ring.own() == ["jo"]
    assert ring.trusted() == {made.key: made}


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_private_keys_are_their_owners_alone(ring: KeyRing) -> None:
    ring.new("jo")
    for file in ring.folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(ring.folder.stat().st_mode) == 0o700
    files = [file.name for file in sorted(ring.folder.iterdir())]
    assert files == [".lock", "jo.key", "trusted.json"]


def test_nothing_told_at_the_same_moment_gets_lost(ring: KeyRing) -> None:
    """A revocation above all."""
    keys = [key for number in range(99) if not is_weak(key := f"{number:064x}")][:12]
    for number, key in enumerate(keys[:6]):
        ring.trust(f"old{number}", key)

    def revoke(number: int) -> None:
        KeyRing(ring.folder).revoke(f"old{number}", "2025-01-01T12:00:00.000Z", "lost")

    def trust(number: int) -> None:
        KeyRing(ring.folder).trust(f"new{number}", keys[number])

    with ThreadPoolExecutor(8) as pool:
        done = [pool.submit(revoke, number) for number in range(6)]
        done += [pool.submit(trust, number) for number in range(6, 12)]
        for each in done:
            each.result()
    known = ring.trusted()
    assert set(known) == set(keys)
    assert [known[key].revoked is not None for key in keys] == [True] * 6 + [False] * 6


def test_a_locked_key_needs_its_passphrase(ring: KeyRing) -> None:
    key = ring.new("jo", "correct horse").key
    assert ring.is_locked("jo")
    with pytest.raises(Misused, match="passphrase_needed"):
        ring.sign("jo", b"hello")
    with pytest.raises(Unfit, match="passphrase_wrong"):
        ring.sign("jo", b"hello", "battery staple")
    assert is_signed(key, b"hello", ring.sign("jo", b"hello", "correct horse")[1])


def test_a_damaged_key_is_no_key(ring: KeyRing) -> None:
    ring.new("jo")
    ring.new("eva")
    jo, eva = ring.folder / "jo.key", ring.folder / "eva.key"
    jo.write_bytes(jo.read_bytes().replace(b'"private":"', b'"private":"zz'))
    with pytest.raises(Unfit, match="not_a_key"):
        ring.sign("jo", b"hello")
    other = KeyRing(ring.folder / "other")
    theirs = other.new("eva").key
    eva.write_bytes(eva.read_bytes().replace(ring.find("eva").key.encode(), theirs.encode()))
    with pytest.raises(Unfit, match="not_a_key"):
        ring.sign("eva", b"hello")


def test_names_are_unique_and_plain(ring: KeyRing) -> None:
    ring.new("jo")
    with pytest.raises(Conflicting, match="key_exists"):
        ring.new("jo")
    with pytest.raises(Conflicting, match="key_exists"):
        ring.trust("jo", SOMEBODY)
    for name in ("", "Jo", "../jo", "jo.key", "jo\n", "x" * 41):
        with pytest.raises(Misused, match="bad_key_name"):
            ring.new(name)
        with pytest.raises(Misused, match="bad_key_name"):
            ring.trust(name, SOMEBODY)


def test_keys_are_found_by_name_or_by_their_beginning(ring: KeyRing) -> None:
    eva = ring.trust("eva", SOMEBODY.upper())
    assert eva.key == SOMEBODY
    assert ring.trust("eva", SOMEBODY) == eva
    assert ring.find("eva") == ring.find(SOMEBODY[:6]) == ring.find(SOMEBODY) == eva
    for which in ("jo", "a9", ""):
        with pytest.raises(NotFound, match="no_such_key"):
            ring.find(which)
    for key in ("", "a9", SOMEBODY + "a9", "zz" * 32):
        with pytest.raises(Unfit, match="not_a_key"):
            ring.trust("mallory", key)


def test_a_revoked_key_was_good_before(ring: KeyRing) -> None:
    ring.new("jo")
    revoked = ring.revoke("jo", "2026-05-01T00:00:00.000Z", "stolen")
    assert revoked.good_at("2026-04-30T23:59:59.999Z")
    assert not revoked.good_at("2026-05-01T00:00:00.000Z")
    with pytest.raises(Conflicting, match="key_revoked"):
        ring.revoke("jo", "2026-06-01T00:00:00.000Z", "again")
    with pytest.raises(Conflicting, match="key_revoked"):
        ring.sign("jo", b"hello")
    with pytest.raises(Misused, match="bad_value"):
        KeyRing(ring.folder / "b").revoke(_trusting(ring.folder / "b"), "yesterday", "")


def _trusting(folder: Path) -> str:
    return KeyRing(folder).trust("eva", SOMEBODY).name


def test_keys_and_revocations_travel(ring: KeyRing, tmp_path: Path) -> None:
    mine = ring.new("jo")
    club = KeyRing(tmp_path / "club")
    assert club.take_in(KeyBook(keys=(mine,))) == (1, 0)
    revoked = ring.revoke("jo", "2026-05-01T00:00:00.000Z", "lost")
    assert club.take_in(KeyBook(keys=(revoked,))) == (0, 1)
    assert club.take_in(KeyBook(keys=(revoked, mine))) == (0, 0)
    assert club.find("jo") == revoked
    earlier = revoked.model_copy(update={"revoked": "2026-04-01T00:00:00.000Z"})
    assert club.take_in(KeyBook(keys=(earlier,))) == (0, 1)
    impostor = Trusted(key=SOMEBODY, name="jo")
    with pytest.raises(Conflicting, match="key_exists"):
        club.take_in(KeyBook(keys=(impostor,)))
    assert SOMEBODY not in club.trusted()


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"keys": [{"key": "ab", "name": "jo"}]},
        {"keys": [{"key": SOMEBODY, "name": "../jo"}]},
        {"keys": [{"key": SOMEBODY, "name": "jo", "reason": "\x1b[2J"}]},
        {"keys": [{"key": SOMEBODY, "name": "jo", "private": "x"}]},
        {"keys": [{"key": SOMEBODY, "name": "jo", "revoked": "soon"}]},
    ],
)
def test_hostile_key_files_are_refused(data: object) -> None:
    with pytest.raises(Unfit, match="bad_file"):
        read_keys(data, "keys.toml")


def test_a_damaged_book_of_keys_is_not_passed_over(ring: KeyRing) -> None:
    ring.trust("eva", SOMEBODY)
    (ring.folder / "trusted.json").write_text("{")
    with pytest.raises(Unfit, match="bad_file"):
        ring.trusted()


def test_without_the_extra_the_install_line_is_named(
    ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring.new("jo")
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.startswith("cryptography"):
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    for attempt in (
        lambda: ring.new("eva"),
        lambda: ring.sign("jo", b"x"),
        lambda: is_signed(SOMEBODY, b"", "00" * 64),
    ):
        with pytest.raises(Misused) as refused:
            attempt()
        assert (refused.value.key, refused.value.facts) == ("extra_missing", {"extra": "keys"})


@pytest.mark.parametrize(
    "weak",
    [
        "01" + "00" * 31,
        "00" * 32,
        "00" * 31 + "80",
        "ec" + "ff" * 30 + "7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 31,
        "02" + "00" * 31,
    ],
)
def test_a_key_for_which_anybody_could_sign_is_refused(ring: KeyRing, weak: str) -> None:
    with pytest.raises(Unfit, match="not_a_key"):
        ring.trust("jo", weak)
    with pytest.raises(Unfit, match="not_a_key"):
        ring.take_in(KeyBook(keys=(Trusted(key=weak, name="jo"),)))
    assert ring.trusted() == {}
    neutral = "01" + "00" * 63
    assert not is_signed(weak, b"whatever", neutral)
