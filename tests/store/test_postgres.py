"""The schema in PostgreSQL: what it is made of, what it refuses, and what its errors say."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from time import monotonic, sleep
from typing import Any

import pytest

from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.package_data import read_words
from referee.store import Conflict, Store, StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance.health import doctor
from referee.store.maintenance.init import Made, init
from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Seen
from referee.store.urls import open_access, open_attachments, open_boxes, open_people, server_of
from tests.store.cable import Cable
from tests.store.server import PostgresServer, running_server
from tests.store.writers import SIGNED, draft
from tests.waiting import PATIENCE

psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from referee.store.postgres import connection as module  # noqa: E402
from referee.store.postgres import recorder as recorder_module  # noqa: E402
from referee.store.postgres.recorder import PostgresRecorder  # noqa: E402
from referee.store.postgres.schema import LOCK  # noqa: E402
from referee.store.postgres.server import postgres_server  # noqa: E402
from referee.store.postgres.sidecars import PostgresTables  # noqa: E402

WORDS = read_words("referee")


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    opened = open_store(postgres_url)
    yield opened
    opened.close()


@pytest.fixture
def meddler(postgres_url: str) -> Iterator[Any]:
    """A connection as the owner of the tables, who looks into the schema of the store."""
    with raw(postgres_url) as connection:
        yield connection


def raw(url: str) -> Any:
    server = postgres_server(url)
    connection = psycopg.connect(**server.parameters, autocommit=True)
    connection.execute(f"SET search_path = {server.schema}")
    return connection


def fill(store: Store, count: int = 3, stream: str = "game-1") -> None:
    for number in range(count):
        store.append(stream, [draft(number, str(number))], expected=number - 1, **SIGNED)


def refusal(call: Callable[[], object]) -> StoreError:
    with pytest.raises(StoreError) as caught:
        call()
    for lang in LANGUAGES:
        assert "{" not in WORDS.say(f"store.{caught.value.key}", lang, **caught.value.facts)
    return caught.value


# what it is made of


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET state = 'x' WHERE originator_version = 1",
        "DELETE FROM entries WHERE originator_version = 2",
        "DELETE FROM entries",
        "TRUNCATE entries",
        "SET session_replication_role = replica; DELETE FROM entries",
    ],
)
def test_entries_are_never_changed(store: Store, meddler: Any, change: str) -> None:
    fill(store)
    before = store.read("game-1")
    with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
        meddler.execute(change)
    assert store.read("game-1") == before


@pytest.mark.parametrize(
    "attempt",
    [
        "INSERT INTO entries VALUES (9, 'game-9', 0, 'logged@1', 'x', 'k')",
        "UPDATE entries SET topic = 'x'",
        "DELETE FROM entries",
        "TRUNCATE entries",
        "DROP TABLE entries",
        "ALTER TABLE entries DISABLE TRIGGER entries_never_change",
        "UPDATE store SET format = 9",
        "DELETE FROM people",
        "CREATE TABLE mine (id int)",
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    ],
)
def test_writers_can_append_and_nothing_else(
    postgres: PostgresServer, postgres_url: str, attempt: str
) -> None:
    init(postgres_url, writers=["scribe"])
    url = postgres.url(postgres_server(postgres_url).schema, user="scribe")
    store = open_store(url)
    fill(store)
    assert [entry.seq for entry in store.read("game-1")] == [0, 1, 2]
    people = open_people(url)
    people.rename(people.add("Ann"), "Anna")
    people.close()
    access = open_access(url)
    assert access.pass_of(access.give("judge", "", "pjo")[1]) is not None
    assert access.forget("pjo") == 1
    access.close()
    boxes = open_boxes(url)
    boxes.tell("benevolent", "club", [Seen("hexes", 3, "counted")])
    assert boxes.names("benevolent") == ["club"]
    boxes.place("benevolent", "club", "dream_path", {})
    assert boxes.boards("benevolent", "club") == ["dream_path"]
    boxes.close()
    store.close()
    with raw(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(attempt)


def test_strangers_can_do_nothing(postgres: PostgresServer, postgres_url: str) -> None:
    with raw(postgres_url) as owner, suppress(psycopg.errors.DuplicateObject):
        owner.execute("CREATE ROLE stranger LOGIN")
    url = postgres.url(postgres_server(postgres_url).schema, user="stranger")
    assert refusal(lambda: open_store(url)).key == "no_right"
    assert refusal(lambda: open_people(url)).key in ("no_right", "missing_schema")


@pytest.mark.parametrize(
    ("tampering", "seq", "key"),
    [
        ("UPDATE entries SET state = 'x' WHERE notification_id = 2", 1, "not_an_entry"),
        ("UPDATE entries SET topic = 'noted@1' WHERE notification_id = 2", 1, "misplaced"),
        ("DELETE FROM entries WHERE notification_id = 2", 1, "misplaced"),
    ],
)
def test_meddling_behind_the_trigger_breaks_the_chain(
    store: Store, meddler: Any, tampering: str, seq: int, key: str
) -> None:
    fill(store)
    meddler.execute("DROP TRIGGER entries_never_change ON entries")
    meddler.execute(tampering)
    found = find_break("game-1", store.read("game-1"))
    assert found is not None
    assert (found.seq, found.key) == (seq, key)


def test_an_append_is_one_round_trip(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 1)
    sent: list[object] = []
    execute = psycopg.Cursor.execute

    def counted(cursor: Any, query: object, *args: Any, **kwargs: Any) -> Any:
        sent.append(query)
        return execute(cursor, query, *args, **kwargs)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    store.append("game-1", [draft(1, "b"), draft(2, "c")], expected=0, **SIGNED)
    assert len(sent) == 1


def test_refused_appends_leave_no_gap_in_the_numbers(store: Store) -> None:
    fill(store, 2)
    for _ in range(3):
        with pytest.raises(Conflict):
            store.append("game-1", [draft(0, "late")], expected=0, **SIGNED)
    fill(store, 2, "game-2")
    assert [number for number, _ in store.follow()] == [1, 2, 3, 4]


def test_a_reader_who_follows_misses_nothing_while_many_write(store: Store) -> None:
    """Numbers appear in their order: whoever has seen one never finds a smaller one later."""
    writers, count = 4, 40
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not (done.is_set() and len(seen) == writers * count):
            batch = store.follow(seen[-1] if seen else 0)
            seen.extend(number for number, _ in batch)

    reader = threading.Thread(target=read)
    reader.start()
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(lambda n: fill(store, count, f"game-{n}"), range(writers)))
    done.set()
    reader.join(PATIENCE)
    assert seen == list(range(1, writers * count + 1))


def test_nothing_is_acknowledged_early_whatever_the_server_is_set_to(
    postgres: PostgresServer, postgres_url: str
) -> None:
    init(postgres_url, writers=["hasty"])
    with raw(postgres_url) as owner:
        for setting in ("synchronous_commit = off", "default_transaction_isolation = serializable"):
            owner.execute(f"ALTER ROLE hasty SET {setting}")
    store = open_store(postgres.url(postgres_server(postgres_url).schema, user="hasty"))
    recorder = store._recorder
    assert isinstance(recorder, PostgresRecorder)
    with recorder.datastore.get_connection() as connection:
        for name, value in (
            ("synchronous_commit", "on"),
            ("default_transaction_isolation", "read committed"),
            ("lock_timeout", "5s"),
        ):
            row = connection.execute(f"SHOW {name}").fetchone()
            assert row == {name: value}
    store.close()


def test_environment_variables_do_not_reach_the_store(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("POSTGRES_DBNAME", "elsewhere"),
        ("POSTGRES_SCHEMA", "elsewhere"),
        ("ORIGINATOR_ID_TYPE", "uuid"),
        ("POSTGRES_ENABLE_DB_FUNCTIONS", "y"),
    ):
        monkeypatch.setenv(name, value)
    store = open_store(postgres_url)
    fill(store)
    store.close()


# making it


def test_init_is_done_once_and_may_be_repeated(postgres: PostgresServer) -> None:
    url = postgres.url()
    assert init(url) == Made(postgres_server(url).name, created=True)
    store = open_store(url)
    fill(store)
    again = init(url, writers=["scribe"])
    assert (again.created, again.writers) == (False, ("scribe",))
    assert len(store.read("game-1")) == 3
    store.close()


def test_many_may_make_the_store_at_once(postgres: PostgresServer) -> None:
    url = postgres.url()
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda _: init(url, writers=["crowd"]), range(6)))
    assert sorted(one.created for one in made) == [False] * 5 + [True]
    open_store(url).close()


def test_schemas_do_not_touch_each_other(postgres: PostgresServer) -> None:
    stores = []
    for _ in range(2):
        url = postgres.url()
        init(url)
        stores.append(open_store(url))
    fill(stores[0])
    assert (stores[0].position(), stores[1].position()) == (3, 0)
    for store in stores:
        store.close()


def test_a_schema_of_others_is_left_alone(postgres: PostgresServer) -> None:
    url = postgres.url("taken")
    with raw(url) as owner:
        owner.execute("CREATE SCHEMA taken")
        owner.execute("CREATE TABLE taken.people (dish text)")
    assert refusal(lambda: init(url)).key == "not_a_store"
    assert refusal(lambda: open_store(url)).key == "missing_schema"


def test_newer_format_is_not_touched(postgres_url: str, meddler: Any) -> None:
    meddler.execute("UPDATE store SET format = 2")
    assert refusal(lambda: open_store(postgres_url)).key == "newer_format"
    assert refusal(lambda: init(postgres_url)).key == "newer_format"


def test_texts_must_be_utf8(postgres: PostgresServer) -> None:
    with raw(postgres.url()) as owner:
        owner.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    url = postgres.url().replace("/postgres?", "/latin?")
    assert refusal(lambda: init(url)).key == "not_utf8"


def test_old_servers_are_refused(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder_module, "OLDEST_SERVER", 990000)
    assert refusal(lambda: open_store(postgres_url)).key == "postgres_too_old"


# naming it


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://",
        "postgresql://host",
        "postgresql://host/",
        "postgresql://host/db?schema=",
        "postgresql://host/db?schema=Club",
        "postgresql://host/db?schema=a-b",
        "postgresql://host/db?nonsense=1",
        "postgresql:host",
    ],
)
def test_bad_urls(url: str) -> None:
    assert refusal(lambda: open_store(url)).key == "bad_url"


def test_url_names_several_servers_and_a_schema() -> None:
    server = postgres_server("postgresql://ann@h1:5433,h2/club?schema=blue&sslmode=require")
    assert server.schema == "blue"
    assert server.parameters["host"] == "h1,h2"
    assert server.parameters["port"] == "5433,"
    assert server.parameters["sslmode"] == "require"
    assert server.parameters["target_session_attrs"] == "read-write"
    assert server.parameters["connect_timeout"] == "3"
    assert server.name == "postgresql://h1:5433,h2/club?schema=blue"
    assert postgres_server("postgres://h/db?connect_timeout=9").schema == "referee"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cret@/postgres?host=/nowhere",
        "postgresql://ann@/postgres?host=/nowhere&password=s3cret",
        "postgresql://ann:s3cret@host/db?schema=Club",
        "postgresql://ann:s3cret@host/db?password=s3cret&nonsense=1",
    ],
)
def test_passwords_are_not_shown(url: str) -> None:
    told = refusal(lambda: open_store(url))
    assert "s3cret" not in str(told)


def test_without_the_extra_it_is_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("referee.store.postgres.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refusal(lambda: open_store("postgresql://host/db")).key == "not_available"
    assert doctor("postgresql://host/db")[-1].fix == "doctor.fix.extra"
    monkeypatch.undo()
    assert server_of("postgresql://host/db").name


# when something is wrong


def test_server_that_is_not_there(postgres: PostgresServer) -> None:
    url = postgres.url().replace(str(postgres.folder), str(postgres.folder / "none"))
    for call in (lambda: open_store(url), lambda: init(url), lambda: open_people(url)):
        assert refusal(call).key == "unreachable"


def test_missing_schema_and_database(postgres: PostgresServer) -> None:
    assert refusal(lambda: open_store(postgres.url())).key == "missing_schema"
    assert refusal(lambda: open_people(postgres.url())).key == "missing_schema"
    elsewhere = postgres.url().replace("/postgres?", "/nothing?")
    assert refusal(lambda: open_store(elsewhere)).key == "unreachable"


def test_closed_store_says_so(store: Store) -> None:
    store.close()
    assert refusal(lambda: store.read("game-1")).key == "closed"


def test_locked_store(store: Store, meddler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_TIMEOUT", 0.05)
    patient = open_store(store.url)
    with hold_the_lock(store.url):
        assert refusal(lambda: fill(patient)).key == "locked"
        assert patient.read("game-1") == ()
    fill(patient)
    patient.close()


def hold_the_lock(url: str) -> Any:
    channel = postgres_server(url).channel
    connection = raw(url)
    connection.execute("SELECT pg_advisory_lock(%s, hashtext(%s))", (LOCK, channel))
    return closing(connection)


def test_more_threads_than_connections_take_turns(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CONNECTIONS", 2)
    store = open_store(postgres_url)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: fill(store, 5, f"game-{n}"), range(8)))
    assert store.position() == 40
    store.close()


def waiting(connection: Any) -> list[int]:
    """The sessions that wait for the lock of a store."""
    query = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    return [pid for (pid,) in connection.execute(query).fetchall()]


def test_a_session_ended_in_the_middle_of_an_append(store: Store, meddler: Any) -> None:
    """The server throws the writer out while it waits; the request is sent again, once."""
    fill(store)
    with ThreadPoolExecutor(1) as pool:
        with hold_the_lock(store.url):
            writing = pool.submit(store.append, "game-1", [draft(3, "x")], expected=2, **SIGNED)
            deadline = monotonic() + PATIENCE
            while not (found := waiting(meddler)) and monotonic() < deadline:
                sleep(0.01)
            for pid in found:
                meddler.execute("SELECT pg_terminate_backend(%s)", (pid,))
        (stored,) = writing.result(PATIENCE)
    assert found
    assert store.read("game-1")[3:] == (stored,)
    assert [number for number, _ in store.follow()] == [1, 2, 3, 4]


@pytest.mark.parametrize("came_through", [True, False])
def test_lost_reply_is_answered_from_what_is_stored(
    store: Store, monkeypatch: pytest.MonkeyPatch, came_through: bool
) -> None:
    fill(store)
    call = PostgresRecorder._call
    attempts: list[object] = []

    def cut(self: PostgresRecorder, *args: Any) -> Any:
        attempts.append(args)
        answer = call(self, *args) if came_through or len(attempts) > 1 else None
        if len(attempts) == 1:
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return answer

    monkeypatch.setattr(PostgresRecorder, "_call", cut)
    (stored,) = store.append("game-1", [draft(3, "x")], expected=2, **SIGNED)
    assert len(attempts) == 2
    assert store.read("game-1")[3:] == (stored,)


def test_lost_reply_to_a_copy_is_no_divergence(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = open_store("memory:")
    fill(elsewhere, 2)
    fill(elsewhere, 2, "game-2")
    call, lost = PostgresRecorder._call, []

    def cut(self: PostgresRecorder, *args: Any) -> Any:
        answer = call(self, *args)
        if args[1].stream == "game-2" and not lost:
            lost.append(args)
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return answer

    monkeypatch.setattr(PostgresRecorder, "_call", cut)
    for number, entry in elsewhere.follow():
        store.continue_log(number, [entry])
    assert lost
    assert store.follow() == elsewhere.follow()


def test_reply_that_stays_lost_says_that_it_may_be_repeated(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    request = [draft(3, "x")]
    call = PostgresRecorder._call

    def cut(self: PostgresRecorder, *args: Any) -> Any:
        call(self, *args)
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patch:
        patch.setattr(PostgresRecorder, "_call", cut)
        patch.setattr(module, "PATIENCE", 0)
        error = refusal(lambda: store.append("game-1", request, expected=2, **SIGNED))
    assert error.key == "connection_lost"
    (stored,) = store.append("game-1", request, expected=2, **SIGNED)
    assert store.read("game-1")[3:] == (stored,)


def test_sessions_that_the_server_ended_are_replaced(store: Store, meddler: Any) -> None:
    fill(store)
    end_all_sessions(meddler)
    fill(store, 2, "game-2")
    assert store.position() == 5


def end_all_sessions(connection: Any) -> None:
    connection.execute(
        "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity "
        "WHERE application_name = 'referee' AND pid <> pg_backend_pid()"
    )


def test_names_are_kept_once_when_the_answer_gets_lost(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.postgres.sidecars import PostgresPeople

    people = open_people(postgres_url)
    run, lost = PostgresPeople._run_counted, []

    def cut(self: PostgresPeople, sql: str, values: Any) -> Any:
        answer = run(self, sql, values)
        if sql.startswith("INSERT") and not lost:
            lost.append(sql)
            raise StoreError("connection_lost", path="")
        return answer

    monkeypatch.setattr(PostgresPeople, "_run_counted", cut)
    person = people.add("Ann")
    assert people.everybody() == [(person, "Ann")]
    people.close()


def test_a_token_is_given_once_when_the_answer_gets_lost(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = open_access(postgres_url)
    run = PostgresTables._run_counted
    lost = ["INSERT INTO tokens", "INSERT INTO codes"]

    def cut(self: PostgresTables, sql: str, values: Any) -> Any:
        answer = run(self, sql, values)
        for begin in [each for each in lost if sql.startswith(each)]:
            lost.remove(begin)
            raise StoreError("connection_lost", path="")
        return answer

    monkeypatch.setattr(PostgresTables, "_run_counted", cut)
    given, token = access.give("judge", "", "pjo")
    code, _ = access.make_code("seat:A", "", "pana", once=True)
    assert not lost
    assert access.pass_of(token) == given
    assert [one.id for one in access.codes()] == [code.id]
    access.close()


def test_what_stands_beside_the_entries_is_made_by_init_alone(
    postgres_url: str, meddler: Any
) -> None:
    meddler.execute(
        "DROP TABLE tokens, codes, rules, admissions, boxes, box_photos, attachments, photographs"
    )
    for opened in (open_access, open_attachments, open_boxes):
        assert refusal(lambda opened=opened: opened(postgres_url)).key == "missing_schema"
    assert not init(postgres_url, writers=["scribe"]).created
    for opened in (open_access, open_attachments, open_boxes):
        opened(postgres_url).close()


def test_names_of_an_earlier_version_are_read_and_details_are_kept_after_init(
    postgres_url: str, meddler: Any
) -> None:
    meddler.execute("DROP TABLE person_details, faces")
    people = open_people(postgres_url)
    ann, bo = people.add("Ann Lee"), people.add("Bo")
    assert (people.name(ann), people.details([ann])) == ("Ann Lee", {})
    people.erase(bo)
    assert (people.faces([ann]), people.face(ann), people.hide(ann)) == ({}, None, False)
    assert refusal(lambda: people.describe(ann, last_name="Lee")).key == "missing_schema"
    assert not init(postgres_url, writers=["scribe"]).created
    people.describe(ann, last_name="Lee")
    people.show(ann, b"picture")
    assert people.face(ann) == b"picture"
    assert people.details([ann])[ann].last_name == "Lee"
    people.close()


def test_whoever_wrote_in_an_earlier_version_may_write_into_tables_that_are_new(
    postgres: PostgresServer, postgres_url: str, meddler: Any
) -> None:
    """The owner calls ``init`` once after an upgrade, and need not name anybody again."""
    init(postgres_url, writers=["scribe"])
    meddler.execute("DROP TABLE box_photos, box_boards, attachments, photographs, faces, changes")
    init(postgres_url)
    url = postgres.url(postgres_server(postgres_url).schema, user="scribe")
    picture = Attachment(b"board", b"b")
    with closing(open_attachments(url)) as attachments:
        assert attachments.add("game-1", picture)
    with closing(open_boxes(url)) as boxes:
        boxes.show("benevolent", "own", "colours", picture)
        boxes.place("benevolent", "own", "dream_path", {})
    with closing(open_people(url)) as people:
        ann = people.add("Ann")
        people.show(ann, b"picture")
        people.erase(ann)
        assert people.face(ann) is None


def test_a_server_that_says_nothing_is_taken_for_one_that_is_gone(
    postgres: PostgresServer, postgres_url: str
) -> None:
    cable = Cable(postgres.folder / ".s.PGSQL.5432")
    schema = postgres_server(postgres_url).schema
    store = open_store(
        f"postgresql://owner@127.0.0.1:{cable.port}/postgres?schema={schema}&tcp_user_timeout=300"
    )
    fill(store)
    cable.freeze()
    request = [draft(3, "x")]
    error = refusal(lambda: store.append("game-1", request, expected=2, **SIGNED))
    assert error.key == "connection_lost"
    cable.mend()
    (stored,) = store.append("game-1", request, expected=2, **SIGNED)
    assert store.read("game-1")[3:] == (stored,)
    store.close()
    cable.close()


# a server with other settings


@pytest.fixture(scope="module")
def other_server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """One more, whose settings may be changed."""
    with running_server() as server:
        yield server


@pytest.fixture
def setting(other_server: PostgresServer) -> Iterator[Callable[[str, str], None]]:
    with raw(other_server.url()) as owner:

        def change(name: str, value: str) -> None:
            owner.execute(f"ALTER SYSTEM SET {name} = {value}")
            reload(owner)

        yield change
        owner.execute("ALTER SYSTEM RESET ALL")
        reload(owner)


def reload(owner: Any) -> None:
    """When this session has read its settings anew, new ones have them too."""
    read = "SELECT pg_conf_load_time()"
    before, deadline = owner.execute(read).fetchone(), monotonic() + PATIENCE
    owner.execute("SELECT pg_reload_conf()")
    while owner.execute(read).fetchone() == before and monotonic() < deadline:
        sleep(0.01)


def findings(url: str) -> dict[str, tuple[str, str]]:
    checks = doctor(url)
    for check in checks:
        for key in filter(None, (check.message, check.fix)):
            for lang in LANGUAGES:
                assert "{" not in WORDS.say(key, lang, **check.facts)
    return {check.name: (check.level, check.message) for check in checks}


def test_healthy_server(postgres: PostgresServer, postgres_url: str) -> None:
    init(postgres_url, writers=["scribe"])
    url = postgres.url(postgres_server(postgres_url).schema, user="scribe")
    with closing(open_store(url)) as store:
        fill(store)
    assert findings(url) == {
        "server": ("ok", "doctor.server_fine"),
        "fsync": ("ok", "doctor.fsync_on"),
        "pages": ("ok", "doctor.pages_whole"),
        "checksums": ("warn", "doctor.checksums_off"),
        "commits": ("ok", "doctor.commits_safe"),
        "standby": ("ok", "doctor.standby_none"),
        "guard": ("ok", "doctor.guard_apart"),
        "witness": ("ok", "doctor.witness_fine"),
        "chain": ("ok", "doctor.chain_fine"),
        "log": ("ok", "doctor.log_fine"),
        "names": ("ok", "doctor.names_fine"),
        "tokens": ("ok", "doctor.tokens_fine"),
        "boxes": ("ok", "doctor.boxes_fine"),
        "attachments": ("ok", "doctor.attachments_fine"),
        "clock": ("ok", "doctor.clock_fine"),
        "lists": ("ok", "doctor.no_lists"),
    }


@pytest.mark.parametrize(
    ("name", "value", "check", "found"),
    [
        ("fsync", "off", "fsync", ("fail", "doctor.fsync_off")),
        ("full_page_writes", "off", "pages", ("fail", "doctor.pages_torn")),
        ("synchronous_commit", "off", "commits", ("warn", "doctor.commits_early")),
        ("synchronous_commit", "local", "commits", ("warn", "doctor.commits_early")),
        ("synchronous_commit", "remote_apply", "commits", ("ok", "doctor.commits_safe")),
        ("synchronous_standby_names", "'ghost'", "standby", ("fail", "doctor.standby_missing")),
    ],
)
def test_settings_that_lose_entries_are_found(
    other_server: PostgresServer,
    setting: Callable[[str, str], None],
    name: str,
    value: str,
    check: str,
    found: tuple[str, str],
) -> None:
    url = other_server.url()
    init(url)
    assert findings(url)[check] != found or found[0] == "ok"
    setting(name, value)
    assert findings(url)[check] == found


def test_a_server_that_does_not_sync_is_refused(
    other_server: PostgresServer, setting: Callable[[str, str], None]
) -> None:
    url = other_server.url()
    init(url)
    setting("fsync", "off")
    assert refusal(lambda: open_store(url)).key == "forgetful_server"


def test_the_guard_is_looked_at(postgres_url: str, meddler: Any) -> None:
    assert findings(postgres_url)["guard"] == ("warn", "doctor.guard_owner")
    meddler.execute("ALTER TABLE entries ENABLE REPLICA TRIGGER entries_never_change")
    assert findings(postgres_url)["guard"] == ("fail", "doctor.guard_missing")


def test_broken_chain_is_found(store: Store, meddler: Any) -> None:
    fill(store)
    meddler.execute("DROP TRIGGER entries_never_change ON entries")
    meddler.execute("UPDATE entries SET state = '{}' WHERE notification_id = 2")
    assert findings(store.url)["chain"] == ("fail", "store.not_an_entry")


def test_doctor_says_what_is_missing(postgres: PostgresServer) -> None:
    assert findings(postgres.url())["store"] == ("fail", "store.missing_schema")
    away = postgres.url().replace(str(postgres.folder), str(postgres.folder / "none"))
    assert findings(away) == {"store": ("fail", "store.unreachable")}
