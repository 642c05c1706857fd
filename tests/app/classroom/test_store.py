import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from regard.app.classroom import store as stores
from regard.app.classroom.questions import Asked
from regard.app.classroom.store import (
    IDLE,
    LONGEST_VOTE,
    MOST_STUDENTS,
    RedisStore,
    SQLiteStore,
    Stage,
    State,
    Store,
    pupil,
    shared_store,
)
from regard.model.input_error import InputError
from tests.support.redis_server import redis_server

CODE, OWNER, OTHER = "ABCDEF", "teacher", "somebody"
ASKED = Asked(
    "look", "en-fr", "0" * 64, "I love you.", 2, "Where?", ("I", "love", "you"), 2, "At you.", (0.1, 0.2, 0.7)
)
ASKING = State(phase="asking", questions=(ASKED,), stage=Stage("en-fr", "I love you.", 2))


@pytest.fixture(scope="module")
def redis_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture(params=["SQLite", "Redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "SQLite":
        return SQLiteStore(tmp_path / "classes.sqlite3")
    client = redis.Redis.from_url(request.getfixturevalue("redis_address"), decode_responses=True)
    client.flushall()
    return RedisStore(client)


def begin(store: Store, *students: str) -> None:
    assert store.create(CODE, OWNER)
    for student in students:
        assert store.join(CODE, student)
    assert store.write(CODE, OWNER, ASKING)


def test_a_class_is_read_as_its_teacher_wrote_it(store: Store) -> None:
    begin(store)
    assert store.read(CODE) == (OWNER, ASKING)
    assert store.read("ABCDEG") is None
    assert not store.create(CODE, OTHER), "the code is in use"


def test_nobody_but_the_owner_changes_a_class(store: Store) -> None:
    begin(store)
    assert not store.write(CODE, OTHER, State())
    assert not store.write("ABCDEG", OTHER, State())
    assert store.read(CODE) == (OWNER, ASKING)


def test_the_last_answer_counts_once_and_only_while_the_vote_is_open(store: Store) -> None:
    begin(store, "a", "b")
    for student, value in (("a", "love"), ("b", "I"), ("a", "you"), ("a", "x" * 1000)):
        assert store.answer(CODE, "1.1", student, value)
    assert store.votes(CODE, "1.1") == {"a": "x" * LONGEST_VOTE, "b": "I"}
    assert store.own(CODE, "b", ["1.1", "1.2"]) == {"1.1": "I"}
    for vote in ("1.2", "2.1", ""):
        assert not store.answer(CODE, vote, "a", "you")
    assert not store.answer(CODE, "1.1", "a stranger", "you")
    for over in (replace(ASKING, phase="closed"), replace(ASKING, until=time.time() - 1)):
        assert store.write(CODE, OWNER, over)
        assert not store.answer(CODE, "1.1", "a", "you")
    assert store.write(CODE, OWNER, replace(ASKING, round=2))
    assert store.answer(CODE, "1.2", "a", "you")
    assert store.votes(CODE, "1.1") == {"a": "x" * LONGEST_VOTE, "b": "I"}, "the first vote stays"


def test_a_class_is_full_and_a_student_who_comes_again_is_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MOST_STUDENTS", 2)
    begin(store, "a", "b", "a")
    assert not store.join(CODE, "c")
    assert not store.join("ABCDEG", "c")
    assert store.joined(CODE) == 2
    assert MOST_STUDENTS > 150


def test_no_answer_of_a_hundred_at_once_is_lost(store: Store) -> None:
    students = [f"student {number}" for number in range(100)]
    begin(store, *students)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda one: store.answer(CODE, "1.1", one, "you"), students))
    assert store.votes(CODE, "1.1") == dict.fromkeys(students, "you")


def test_an_idle_class_leaves_nothing(tmp_path: Path) -> None:
    now = [0.0]
    store = SQLiteStore(tmp_path / "classes.sqlite3", lambda: now[0])
    begin(store, "a")
    now[0] = IDLE - 1
    assert store.answer(CODE, "1.1", "a", "you"), "a vote is use, too"
    now[0] += IDLE
    assert store.read(CODE)
    now[0] += 1
    assert store.read(CODE) is None
    assert store.joined(CODE) == 0
    assert store.votes(CODE, "1.1") == {}


def test_an_idle_class_expires_in_redis(redis_address: str) -> None:
    client = redis.Redis.from_url(redis_address, decode_responses=True)
    client.flushall()
    begin(RedisStore(client), "a")
    RedisStore(client).answer(CODE, "1.1", "a", "you")
    keys = client.keys("*")
    assert len(keys) == 3
    assert all(IDLE - 10 < client.ttl(key) <= IDLE for key in keys)


def test_a_browsers_secret_is_not_in_its_name() -> None:
    name = pupil(b"secret", CODE)
    assert name == pupil(b"secret", CODE) != pupil(b"secret", "ABCDEG")
    assert "secret" not in name
    assert len(name) == 24


@pytest.mark.parametrize("address", ["http://localhost", "localhost:6379"])
def test_a_wrong_setting_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.SETTING, address)
    shared_store.cache_clear()
    with pytest.raises(InputError, match=stores.SETTING):
        shared_store()
