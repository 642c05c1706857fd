"""Store: classes, their students and their votes, in SQLite or in Redis.

One server keeps its classes in SQLite, in its scratch folder. Several servers share a Redis, which
`REGARD_CLASS=redis://…` names, so that it does not matter which of them a phone reaches. A class that nobody has used
for three hours is gone.
"""

import hashlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from regard.app.classroom.questions import Asked
from regard.app.models import temporary
from regard.model.input_error import InputError

SETTING = "REGARD_CLASS"
IDLE = 3 * 3600  # seconds without a press of the teacher's or a vote, after which a class is gone
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # of a code: neither I nor O
LENGTH = 6
MOST_STUDENTS = 500  # of a class
MOST_CLASSES = 200  # of a server without Redis
MOST_QUESTIONS = 100  # of a class
GLANCE = 0.25  # seconds
LONGEST_VOTE = 40  # characters
UNREACHABLE = "The store of the classes cannot be reached: {}. Try again in a moment."
FULL = f"This server already holds {MOST_CLASSES} classes; try again later."
NOT_INSTALLED = f"{SETTING} names a Redis, and its client is not installed: `pip install redis`"
NOT_REDIS = f"{SETTING} must be redis://HOST:PORT, rediss:// or unix://; it is {{!r}}"

Votes = dict[str, str]  # by student


@dataclass(frozen=True)
class Stage:
    """A translation at a step, counted from 1, and the view of it, as every screen of the class shows it."""

    model: str
    sentence: str
    step: int
    picture: str = ""


@dataclass(frozen=True)
class State:
    """A class as its teacher left it. `questions` ends with the one on view; `until` is when its vote closes by itself,
    in seconds since 1970, 0 for never."""

    phase: str = "waiting"  # or "asking", "closed", "revealed", "ended"
    questions: tuple[Asked, ...] = ()
    round: int = 1  # of the vote: 2 after a question was asked again
    until: float = 0.0
    shared: bool = False  # whether the stage is shown once the answer is revealed
    following: bool = False  # whether the stage follows the teacher
    stage: Stage | None = None

    @property
    def asked(self) -> Asked | None:
        """The question on view, or None while the class waits."""
        return self.questions[-1] if self.phase in ("asking", "closed", "revealed") else None

    @property
    def vote(self) -> str:
        """The name of the vote on view."""
        return f"{len(self.questions)}.{self.round}"

    @property
    def open(self) -> str:
        """The name of the vote that takes answers now, or ""."""
        running = self.phase == "asking" and not (self.until and time.time() > self.until)
        return self.vote if running else ""

    @property
    def phase_now(self) -> str:
        """The phase, "closed" once the time is over."""
        return self.phase if self.open or self.phase != "asking" else "closed"

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "State":
        values = json.loads(text)
        values["questions"] = tuple(Asked.of(one) for one in values["questions"])
        values["stage"] = Stage(**values["stage"]) if values["stage"] else None
        return cls(**values)


def pupil(browser: bytes, code: str) -> str:
    """Return the name under which a class knows a browser: nobody can go back from it to the browser's secret."""
    return hashlib.sha256(browser + code.encode()).hexdigest()[:24]


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of a store that cannot be reached, or whose disk is full."""
    client = sys.modules.get("redis")
    return (OSError, sqlite3.Error, *([client.RedisError] if client else []))


TABLES = """
CREATE TABLE IF NOT EXISTS class (code TEXT PRIMARY KEY, owner TEXT, state TEXT, used REAL);
CREATE TABLE IF NOT EXISTS student (code TEXT, student TEXT, PRIMARY KEY (code, student));
CREATE TABLE IF NOT EXISTS vote (code TEXT, vote TEXT, student TEXT, value TEXT, PRIMARY KEY (code, vote, student));
"""


class SQLiteStore:
    """Classes by code, in a file; each call is a transaction of its own, from any thread.

    `owner` is the teacher's browser, `student` a student's, both as `pupil` names them.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path, self.clock = path, clock
        with self._open() as data:
            data.executescript(TABLES)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        temporary.make(self.path.parent)
        data = sqlite3.connect(self.path, timeout=10, isolation_level="IMMEDIATE")
        try:
            data.execute("PRAGMA journal_mode=WAL")
            data.execute("PRAGMA synchronous=OFF")  # the file does not outlive the server
            with data:
                yield data
        finally:
            data.close()

    def create(self, code: str, owner: str) -> bool:
        """Begin a class of this owner; False if the code is in use."""
        with self._open() as data:
            if data.execute("SELECT count(*) FROM class").fetchone()[0] >= MOST_CLASSES:
                raise InputError(FULL)
            row = (code, owner, State().to_json(), self.clock())
            return data.execute("INSERT OR IGNORE INTO class VALUES (?, ?, ?, ?)", row).rowcount > 0

    def read(self, code: str) -> tuple[str, State] | None:
        """Return the owner and the state, or None if there is no such class."""
        with self._open() as data:
            self._forget_idle(data)
            found = self._found(data, code)
        return (found[0], State.from_json(found[1])) if found else None

    def write(self, code: str, owner: str, state: State) -> bool:
        """Replace the state; False, and nothing else, for anybody but the owner."""
        row = (state.to_json(), self.clock(), code, owner)
        with self._open() as data:
            return data.execute("UPDATE class SET state = ?, used = ? WHERE code = ? AND owner = ?", row).rowcount > 0

    def join(self, code: str, student: str) -> bool:
        """Add a student, perhaps again; False if the class is full or gone."""
        with self._open() as data:
            if not self._found(data, code):
                return False
            if self._is_student(data, code, student):
                return True
            if self._students(data, code) >= MOST_STUDENTS:
                return False
            data.execute("INSERT INTO student VALUES (?, ?)", (code, student))
            return True

    def joined(self, code: str) -> int:
        """Return the number of students."""
        with self._open() as data:
            return self._students(data, code)

    def answer(self, code: str, vote: str, student: str, value: str) -> bool:
        """Take a student's vote in place of an earlier one; False if it is not open to this student."""
        with self._open() as data:
            found = self._found(data, code)
            if not found or not vote or State.from_json(found[1]).open != vote:
                return False
            if not self._is_student(data, code, student):
                return False
            data.execute("REPLACE INTO vote VALUES (?, ?, ?, ?)", (code, vote, student, value[:LONGEST_VOTE]))
            data.execute("UPDATE class SET used = ? WHERE code = ?", (self.clock(), code))
            return True

    def votes(self, code: str, vote: str) -> Votes:
        """Return what was answered, by student."""
        with self._open() as data:
            return dict(data.execute("SELECT student, value FROM vote WHERE code = ? AND vote = ?", (code, vote)))

    def own(self, code: str, student: str, votes: Sequence[str]) -> dict[str, str]:
        """Return what a student answered, by vote."""
        with self._open() as data:
            found = data.execute("SELECT vote, value FROM vote WHERE code = ? AND student = ?", (code, student))
            return {vote: value for vote, value in found if vote in votes}

    def _found(self, data: sqlite3.Connection, code: str) -> tuple[str, str] | None:
        return data.execute("SELECT owner, state FROM class WHERE code = ?", (code,)).fetchone()

    @staticmethod
    def _students(data: sqlite3.Connection, code: str) -> int:
        return data.execute("SELECT count(*) FROM student WHERE code = ?", (code,)).fetchone()[0]

    @staticmethod
    def _is_student(data: sqlite3.Connection, code: str, student: str) -> bool:
        return bool(data.execute("SELECT 1 FROM student WHERE code = ? AND student = ?", (code, student)).fetchone())

    def _forget_idle(self, data: sqlite3.Connection) -> None:
        codes = data.execute("SELECT code FROM class WHERE used < ?", (self.clock() - IDLE,)).fetchall()
        for table in ("class", "student", "vote") if codes else ():
            data.executemany(f"DELETE FROM {table} WHERE code = ?", codes)


WRITE = """
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'vote', ARGV[3])
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end
return 1
"""
ANSWER = """
if ARGV[1] == '' or redis.call('HGET', KEYS[1], 'vote') ~= ARGV[1] then return 0 end
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end
return 1
"""
JOIN = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local known = redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1
if not known and redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], redis.call('TTL', KEYS[1]))
return 1
"""


class RedisStore:
    """Classes by code, in a Redis, with the calls of `SQLiteStore`; a script there checks and acts at once."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._write, self._answer, self._join = map(client.register_script, (WRITE, ANSWER, JOIN))

    def create(self, code: str, owner: str) -> bool:
        key = self._key(code)
        if not self.client.hsetnx(key, "owner", owner):
            return False
        self.client.hset(key, mapping={"state": State().to_json(), "vote": ""})
        self.client.expire(key, IDLE)
        return True

    def read(self, code: str) -> tuple[str, State] | None:
        owner, state = self.client.hmget(self._key(code), "owner", "state")
        return (owner, State.from_json(state)) if owner and state else None

    def write(self, code: str, owner: str, state: State) -> bool:
        keys = [self._key(code), self._key(code, "students")]
        keys += [
            self._key(code, f"{place}.{round}") for place in range(1, len(state.questions) + 1) for round in (1, 2)
        ]
        return bool(self._write(keys=keys, args=[owner, state.to_json(), state.open, IDLE]))

    def join(self, code: str, student: str) -> bool:
        return bool(self._join(keys=[self._key(code), self._key(code, "students")], args=[student, MOST_STUDENTS]))

    def joined(self, code: str) -> int:
        return self.client.scard(self._key(code, "students"))

    def answer(self, code: str, vote: str, student: str, value: str) -> bool:
        found = self.read(code)
        if not found or found[1].open != vote:  # its time may be over
            return False
        keys = [self._key(code), self._key(code, "students"), self._key(code, vote)]
        return bool(self._answer(keys=keys, args=[vote, student, value[:LONGEST_VOTE], IDLE]))

    def votes(self, code: str, vote: str) -> Votes:
        return self.client.hgetall(self._key(code, vote))

    def own(self, code: str, student: str, votes: Sequence[str]) -> dict[str, str]:
        reading = self.client.pipeline(transaction=False)
        for vote in votes:
            reading.hget(self._key(code, vote), student)
        return {vote: value for vote, value in zip(votes, reading.execute(), strict=True) if value is not None}

    @staticmethod
    def _key(code: str, part: str = "") -> str:
        return f"regard:{{{code}}}:{part}" if part else f"regard:{{{code}}}"  # of one class on one node of a cluster


Store = SQLiteStore | RedisStore


@cache
def shared_store() -> Store:
    """Return the server's store. Raises InputError if the setting is wrong."""
    address = os.environ.get(SETTING, "")
    if not address:
        return SQLiteStore(temporary.root() / "classes.sqlite3")
    if not address.startswith(("redis://", "rediss://", "unix://")):
        raise InputError(NOT_REDIS.format(address))
    try:
        import redis
    except ImportError as error:
        raise InputError(NOT_INSTALLED) from error
    client = redis.Redis.from_url(address, decode_responses=True, socket_timeout=5, socket_connect_timeout=5)
    return RedisStore(client)


_glances: dict[str, tuple[float, State | None]] = {}  # by code: when it was read, and what was


def glance(code: str) -> State | None:
    """Return a class as it was at most `GLANCE` seconds ago: a hundred phones that look at once read it once."""
    when, state = _glances.get(code, (0.0, None))
    if time.monotonic() - when > GLANCE:
        found = shared_store().read(code)
        state = found[1] if found else None
        if len(_glances) >= MOST_CLASSES:
            _glances.clear()
        _glances[code] = time.monotonic(), state
    return state
