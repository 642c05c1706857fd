"""Store: classes, their students and their votes, in memory or in Redis; who a browser is there, and codes.

One server keeps its classes in memory. Several servers share a Redis, which `REGARD_CLASS=redis://…` names, so that it
does not matter which of them a phone reaches. A class that nobody has used for three hours is gone.
"""

import hashlib
import json
import math
import os
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from threading import Lock, RLock
from typing import Any

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from regard.app.classroom.questions import Asked
from regard.app.models.visit_folders import visitor
from regard.app.server.connections import Budget
from regard.model.input_error import InputError

SETTING = "REGARD_CLASS"
IDLE = 3 * 3600  # seconds without a press of the teacher's or a vote, after which a class is gone
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # of a code: neither I nor O
LENGTH = 6
MOST_STUDENTS = 500  # of a class
MOST_CLASSES = 200  # of a server without Redis
MOST_QUESTIONS = 100  # of a class
LONGEST_VOTE = 40  # characters
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
    def votes(self) -> list[str]:
        """The names of all votes so far, and to come about the question on view."""
        return [f"{number}.{round}" for number in range(1, len(self.questions) + 1) for round in (1, 2)]

    @property
    def open(self) -> str:
        """The name of the vote that takes answers now, or ""."""
        running = self.phase == "asking" and not (self.until and time.time() > self.until)
        return self.vote if running else ""

    @property
    def phase_now(self) -> str:
        """The phase, "closed" once the time is over."""
        return self.phase if self.open or self.phase != "asking" else "closed"

    def with_question(self, asked: Asked, until: float) -> "State":
        """Return the class when it is asked this. Raises InputError once it has been asked `MOST_QUESTIONS`."""
        if len(self.questions) >= MOST_QUESTIONS:
            raise InputError(f"A class can be asked {MOST_QUESTIONS} questions; begin another class.")
        stage = self.stage if self.following else None
        questions = (*self.questions, asked)
        return replace(self, phase="asking", questions=questions, round=1, until=until, stage=stage)

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
    """Return the exceptions of a store that cannot be reached."""
    client = sys.modules.get("redis")
    return (OSError, *([client.RedisError] if client else []))


class Hashes:
    """Tables by key, in this process, with the calls of a Redis client that `Classes` makes; thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.tables: dict[str, dict[str, str]] = {}
        self._until: dict[str, float] = {}  # when each is gone
        self._lock = RLock()

    def hgetall(self, key: str) -> dict[str, str]:
        with self._lock:
            if self._until.get(key, math.inf) <= self.clock():
                del self.tables[key], self._until[key]
            return dict(self.tables.get(key, {}))

    def hget(self, key: str, field: str) -> str | None:
        return self.hgetall(key).get(field)

    def hlen(self, key: str) -> int:
        return len(self.hgetall(key))

    def hset(self, key: str, field: str, value: str) -> None:
        with self._lock:
            self.tables.setdefault(key, {})[field] = value

    def hsetnx(self, key: str, field: str, value: str) -> bool:
        """Begin a table with this field, unless it has it; raise InputError if there are too many such tables."""
        with self._lock:
            here = [other for other in [*self.tables] if field in self.hgetall(other)]
            if len(here) >= MOST_CLASSES:
                raise InputError(FULL)
            if key not in here:
                self.hset(key, field, value)
            return key not in here

    def expire(self, key: str, seconds: int) -> None:
        with self._lock:
            if key in self.tables:
                self._until[key] = self.clock() + seconds


class Classes:
    """Classes by code, in `Hashes` or a Redis: a table of the class, one of its students, and one for each vote.

    `owner` is the teacher's browser, `student` a student's, both as `pupil` names them.
    """

    def __init__(self, client: Any) -> None:
        self.client = client

    def create(self, code: str, owner: str) -> bool:
        """Begin a class of this owner; False if the code is in use."""
        new = bool(self.client.hsetnx(_key(code), "owner", owner))
        return new and self.write(code, owner, State())

    def read(self, code: str) -> tuple[str, State] | None:
        """Return the owner and the state, or None if there is no such class."""
        found = self.client.hgetall(_key(code))
        return (found["owner"], State.from_json(found["state"])) if "state" in found else None

    def write(self, code: str, owner: str, state: State) -> bool:
        """Replace the state; False, and nothing else, for anybody but the owner."""
        if self.client.hget(_key(code), "owner") != owner:
            return False
        self.client.hset(_key(code), "state", state.to_json())
        for part in ("", "students", *state.votes):
            self.client.expire(_key(code, part), IDLE)
        return True

    def join(self, code: str, student: str) -> bool:
        """Add a student, perhaps again; False if the class is full or gone."""
        students = _key(code, "students")
        known = self.client.hget(students, student)
        if not self.read(code) or (not known and self.client.hlen(students) >= MOST_STUDENTS):
            return False
        self.client.hset(students, student, "joined")
        self.client.expire(students, IDLE)
        return True

    def joined(self, code: str) -> int:
        """Return the number of students."""
        return self.client.hlen(_key(code, "students"))

    def answer(self, code: str, vote: str, student: str, value: str) -> bool:
        """Take a student's vote in place of an earlier one; False if it is not open to this student."""
        found = self.read(code)
        if not found or not vote or found[1].open != vote or not self.client.hget(_key(code, "students"), student):
            return False
        self.client.hset(_key(code, vote), student, value[:LONGEST_VOTE])
        for part in ("", "students", vote):
            self.client.expire(_key(code, part), IDLE)
        return True

    def votes(self, code: str, vote: str) -> Votes:
        """Return what was answered, by student."""
        return self.client.hgetall(_key(code, vote))

    def own(self, code: str, student: str, votes: Sequence[str]) -> dict[str, str]:
        """Return what a student answered, by vote."""
        found = {vote: self.client.hget(_key(code, vote), student) for vote in votes}
        return {vote: value for vote, value in found.items() if value is not None}


def _key(code: str, part: str = "") -> str:
    return f"regard:{{{code}}}:{part}" if part else f"regard:{{{code}}}"  # of one class on one node of a cluster


@cache
def shared_store() -> Classes:
    """Return the server's store. Raises InputError if the setting is wrong."""
    address = os.environ.get(SETTING, "")
    if not address:
        return Classes(Hashes())
    if not address.startswith(("redis://", "rediss://", "unix://")):
        raise InputError(NOT_REDIS.format(address))
    try:
        import redis
    except ImportError as error:
        raise InputError(NOT_INSTALLED) from error
    client = redis.Redis.from_url(address, decode_responses=True, socket_timeout=5, socket_connect_timeout=5)
    return Classes(client)


COLOURS = (
    ("#0072b2", "blue"), ("#d55e00", "orange"), ("#007a58", "green"), ("#a8437f", "pink"), ("#6a4fb3", "violet"),
    ("#8a6d00", "golden"), ("#5b5b5b", "grey"), ("#00788a", "teal"), ("#b3261e", "red"), ("#7a4a1f", "brown"),
)  # fmt: skip
ANIMALS = (
    "badger", "beaver", "crane", "dolphin", "eagle", "falcon", "fox", "frog", "gecko", "hare", "hedgehog", "heron",
    "ibex", "jay", "koala", "lark", "lemur", "lynx", "marten", "mole", "newt", "otter", "owl", "panda", "puffin",
    "raven", "robin", "seal", "sparrow", "squirrel", "stork", "swan", "tapir", "toad", "trout", "turtle", "vole",
    "whale", "wolf", "wren",
)  # fmt: skip
GUESSES, AGAIN = 40.0, 1.0  # wrong codes of one network at once, and per second after that
NETWORKS = 1000  # whose guesses are remembered

_lock = Lock()
_budgets: OrderedDict[str, Budget] = OrderedDict()


def browser() -> bytes:
    """Return the secret of this browser, or the session's if it keeps no cookies; a reload then makes another.

    A run that goes on after its connection was cut has no cookie any more, so the secret stays in the session."""
    cookie = st.context.cookies.get(XSRF_COOKIE_NAME, "")
    secret = decode_xsrf_token_string(cookie)[0] or visitor().session.encode()
    return st.session_state.setdefault("class_browser", secret)


def me(code: str) -> str:
    """Return the name of this browser in a class."""
    return pupil(browser(), code)


def pseudonym(student: str) -> tuple[str, str]:
    """Return a colour and a name for a student, the same at every visit."""
    number = int(student, 16)
    colour, named = COLOURS[number % len(COLOURS)]
    return colour, f"{named} {ANIMALS[number // len(COLOURS) % len(ANIMALS)]}"


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """Return a code as it was meant, or "" if it cannot be one."""
    code = "".join(letter for letter in typed.upper() if letter.isascii() and letter.isalpha())
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def may_guess() -> bool:
    """Count a wrong code of this network; False once there were too many."""
    with _lock:
        budget = _budgets.setdefault(visitor().address, Budget(AGAIN, GUESSES))
        _budgets.move_to_end(visitor().address)
        if len(_budgets) > NETWORKS:
            _budgets.popitem(last=False)
        return budget.take(1.0) == 0.0
