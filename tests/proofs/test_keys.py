"""Keys: made, locked, trusted, lost, revoked, carried from club to club."""

from __future__ import annotations

import builtins
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

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

    def bring(number: int) -> None:
        told = Trusted(key=keys[number], name=f"new{number}")
        KeyRing(ring.folder).take_in(KeyBook(keys=(told,)))

    with ThreadPoolExecutor(8) as pool:
        done = [pool.submit(revoke, number) for number in range(6)]
        done += [pool.submit(trust, number) for number in range(6, 9)]
        done += [pool.submit(bring, number) for number in range(9, 12)]
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
    ring.new("eva")
    assert ring.own() == ["eva", "jo"]
    with pytest.raises(NotFound, match="no_such_key"):
        ring.sign("bo", b"hello")
    for name in ("", "Jo", "../jo", "jo.key", "jo\n", "x" * 41):
        with pytest.raises(Misused, match="bad_key_name"):
            ring.new(name)
        with pytest.raises(Misused, match="bad_key_name"):
            ring.trust(name, SOMEBODY)


def test_what_is_no_key_is_not_trusted(ring: KeyRing) -> None:
    assert ring.trust("eva", SOMEBODY.upper()).key == SOMEBODY
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


KEYS = [key for n in range(40) if not is_weak(key := f"abcde{n // 8}{n:058x}")][:8]
"""Several begin with the same six digits."""
NAMES = ("ana", "bo", "cy", "abcde0")
DAYS = ("2026-04-01T00:00:00.000Z", "2026-05-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z")
Told = dict[str, tuple[str, str | None]]
"""Of each key whose it is, and since when no longer."""


def told_by(ring: KeyRing) -> Told:
    return {key: (each.name, each.revoked) for key, each in ring.trusted().items()}


def found_in(told: Told, which: str) -> str | None:
    named = [key for key, (name, _) in told.items() if name == which]
    begun = [key for key in told if key.startswith(which) and len(which) >= 6]
    only = named or begun
    return only[0] if len(only) == 1 else None


def trusted_too(told: Told, name: str, key: str) -> Told | None:
    """None: the name is another key's."""
    if key in told:
        return told
    return None if name in {each for each, _ in told.values()} else {**told, key: (name, None)}


def taken_in(told: Told, theirs: Told) -> Told | None:
    """With what another club says: the earliest revocation counts, and no name changes hands."""
    after = dict(told)
    for key, (name, revoked) in theirs.items():
        grown = trusted_too(after, name, key)
        if grown is None:
            return None
        mine, before = grown[key]
        days = [day for day in (before, revoked) if day is not None]
        after = {**grown, key: (mine, min(days, default=None))}
    return after


@pytest.mark.parametrize("seed", range(12))
def test_two_clubs_know_the_keys_that_they_were_told_of(tmp_path: Path, seed: int) -> None:
    """Beside a dict: trusted, revoked, found by name or beginning, carried from club to club."""
    chance = Random(seed)
    rings, tolds = [KeyRing(tmp_path / name) for name in "ab"], [Told(), Told()]
    for _ in range(40):
        at = chance.randrange(2)
        ring, told, name, key = rings[at], tolds[at], chance.choice(NAMES), chance.choice(KEYS)
        which = chance.choice([name, key, key[:6], key[:5], ""])
        after: Told | None = told
        did: Callable[[], object]
        match chance.choice(["trust", "trust", "revoke", "find", "carry", "book"]):
            case "trust":
                after, did = trusted_too(told, name, key), partial(ring.trust, name, key)
            case "revoke":
                found, day = found_in(told, which), chance.choice(DAYS)
                did = partial(ring.revoke, which, day, "lost")
                if found is None or told[found][1] is not None:
                    after = None
                else:
                    after = {**told, found: (told[found][0], day)}
            case "find":
                found = found_in(told, which)
                did = partial(ring.find, which)
                if found is None:
                    after = None
                else:
                    assert ring.find(which).key == found
            case kind:
                theirs = tolds[1 - at]
                if kind == "book":
                    some = chance.sample(KEYS, 2)
                    theirs = {each: (name, chance.choice([None, *DAYS])) for each in some}
                book = KeyBook(
                    keys=tuple(Trusted(key=k, name=n, revoked=d) for k, (n, d) in theirs.items())
                )
                after, did = taken_in(told, theirs), partial(ring.take_in, book)
                if after is not None:
                    ended = sum(k in told and after[k] != told[k] for k in after)
                    assert ring.take_in(book) == (len(after) - len(told), ended)
        if after is None:
            with pytest.raises((Conflicting, NotFound)):
                did()
        else:
            did()
            tolds[at] = after
        assert told_by(ring) == tolds[at]


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
