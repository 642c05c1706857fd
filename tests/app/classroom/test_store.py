import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import redis

from regard.app.classroom import store as stores
from regard.app.classroom.questions import Asked
from regard.app.classroom.store import IDLE, LONGEST_VOTE, MOST_STUDENTS, Classes, Hashes, Stage, State, shared_store
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


@pytest.fixture(params=["memory", "Redis"])
def store(request: pytest.FixtureRequest) -> Classes:
    if request.param == "memory":
        return Classes(Hashes())
    client = redis.Redis.from_url(request.getfixturevalue("redis_address"), decode_responses=True)
    client.flushall()
    return Classes(client)


def begin(store: Classes, *students: str) -> None:
    assert store.create(CODE, OWNER)
    for student in students:
        assert store.join(CODE, student)
    assert store.write(CODE, OWNER, ASKING)


def test_nobody_but_the_owner_changes_a_class(store: Classes) -> None:
    begin(store)
    assert not store.write(CODE, OTHER, State())
    assert not store.write("ABCDEG", OTHER, State())
    assert store.read(CODE) == (OWNER, ASKING)


def test_the_last_answer_counts_once_and_only_while_the_vote_is_open(store: Classes) -> None:
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
    store: Classes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MOST_STUDENTS", 2)
    begin(store, "a", "b", "a")
    assert not store.join(CODE, "c")
    assert not store.join("ABCDEG", "c")
    assert store.joined(CODE) == 2
    assert MOST_STUDENTS > 150


def test_an_idle_class_leaves_nothing() -> None:
    now = [0.0]
    store = Classes(Hashes(lambda: now[0]))
    begin(store, "a")
    now[0] = IDLE - 1
    assert store.answer(CODE, "1.1", "a", "you"), "a vote is use, too"
    now[0] += IDLE
    assert store.read(CODE) is None
    assert store.joined(CODE) == 0
    assert store.votes(CODE, "1.1") == {}


def test_an_idle_class_expires_in_redis(redis_address: str) -> None:
    client = redis.Redis.from_url(redis_address, decode_responses=True)
    client.flushall()
    begin(Classes(client), "a")
    Classes(client).answer(CODE, "1.1", "a", "you")
    keys = client.keys("*")
    assert len(keys) == 3
    assert all(IDLE - 10 < client.ttl(key) <= IDLE for key in keys)


@pytest.mark.parametrize("address", ["http://localhost", "localhost:6379"])
def test_a_wrong_setting_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.SETTING, address)
    shared_store.cache_clear()
    with pytest.raises(InputError, match=stores.SETTING):
        shared_store()


def test_too_many_questions_are_refused_and_the_last_one_stays_closed() -> None:
    state = replace(ASKING, questions=(ASKED,) * stores.MOST_QUESTIONS, phase="revealed")
    with pytest.raises(InputError, match="begin another class"):
        state.with_question(ASKED, 0.0)
