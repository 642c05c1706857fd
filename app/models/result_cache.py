"""Results cached by their arguments, of which the first is a model's name, up to a number of bytes.

Results about everybody's models are cached for all visitors. Results about a visitor's own model have separate room, so
that they displace no others, and are dropped with the model.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import streamlit as st

from regard.app.models.registry import folder, model_names, own
from regard.app.models.result_size import size
from regard.model.input_error import InputError

MEGABYTE = 2**20
OF_VISITORS = 4  # times the room for results about visitors' own models

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
Value = TypeVar("Value")
About = Callable[Concatenate[str, Rest], Result]  # the first argument is a model's name


class Bounded(Generic[Value]):
    """Values by key, up to a number of bytes, the least recently used dropped. Thread-safe; a value is made once
    however many wait.
    """

    def __init__(self, room: float) -> None:
        self.room = room
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value, making it if it is missing. The latest is kept even if it alone is too large."""
        with self._lock:
            if key in self._values:
                return self._used(key)
            turn = self._making.setdefault(key, Lock())
        with turn:
            with self._lock:
                if key in self._values:
                    return self._used(key)
            try:
                value = make()
                self._put(key, value, size(value))
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return value

    def forget(self, which: Callable[[Any], bool]) -> None:
        """Drop the values of the keys for which `which` is true."""
        with self._lock:
            for key in [key for key in self._values if which(key)]:
                self._bytes -= self._values.pop(key)[1]

    def _used(self, key: Hashable) -> Value:
        self._values.move_to_end(key)
        return self._values[key][0]

    def _put(self, key: Hashable, value: Value, bytes_: int) -> None:
        with self._lock:
            self._values[key] = value, bytes_
            self._bytes += bytes_
            while self._bytes > self.room and len(self._values) > 1:
                self._bytes -= self._values.popitem(last=False)[1][1]


_everybodys: list[Bounded[Any]] = []
_visitors: list[Bounded[Any]] = []


def remembered(
    megabytes: int, spinner: str = "", of_visitors: int = 0
) -> Callable[[About[Rest, Result]], About[Rest, Result]]:
    """Cache results up to `megabytes`; `spinner` is shown while one is made.

    Results about visitors' own models get a quarter of that in addition, unless `of_visitors` is given.

    Parameters whose names begin with _ are not part of the key. Errors about unreadable model files do not reveal their
    place on the server.
    """

    def remember(function: About[Rest, Result]) -> About[Rest, Result]:
        for_all = Bounded[Result](megabytes * MEGABYTE)
        for_visitors = Bounded[Result]((of_visitors or megabytes / OF_VISITORS) * MEGABYTE)
        _everybodys.append(for_all)
        _visitors.append(for_visitors)
        names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
        counted = [place for place, name in enumerate(names) if not name.startswith("_")]

        @wraps(function)
        def recall(name: str, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            def make() -> Result:
                with st.spinner(spinner) if spinner else nullcontext():
                    return function(name, *args, **kwargs)

            key = name, *(args[place] for place in counted if place < len(args)), *sorted(kwargs.items())
            try:
                return (for_visitors if name in own() else for_all).get(key, make)
            except (InputError, OSError) as error:
                told = without_place(error, name)
                if told == str(error):
                    raise
                raise InputError(told) from error

        return recall

    return remember


def without_place(error: Exception, name: str) -> str:
    """Return an error's text about a model's files, without their place on the server."""
    if isinstance(error, OSError):
        return f"the files of {name} cannot be read: {error.strerror}"
    text = str(error)
    for known in {*model_names(), name}:
        text = text.replace(str(folder(known)), known)
    return text


def forget_model(name: str) -> None:
    """Drop a visitor's model that is gone, with all results about it."""
    for results in _visitors:
        results.forget(lambda key: key[0] == name)


def forget_all() -> None:
    """Empty all caches."""
    st.cache_resource.clear()
    for results in (*_everybodys, *_visitors):
        results.forget(lambda key: True)
