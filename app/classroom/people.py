"""People of a class: who a browser is, a pseudonym for it, and codes, which cannot be guessed in bulk."""

import secrets
from collections import OrderedDict
from threading import Lock

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from regard.app.classroom.store import LENGTH, LETTERS, pupil
from regard.app.models.visit_folders import visitor
from regard.app.server.turns import Budget

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
