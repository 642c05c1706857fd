"""Results cached by their arguments, the first of which is a model's name, up to a number of bytes.

Results about everybody's models are cached for all visitors. Results about a visitor's own model have separate room and
are dropped with the model. All caches together have one bound (`regard.app.models.settings`).
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import fields
from functools import cache, wraps
from itertools import chain
from threading import Lock
from time import perf_counter
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

import numpy as np
import streamlit as st
from torch import Tensor, nn

from regard.app.models.registry import folder, model_names, own
from regard.app.models.settings import cache_megabytes
from regard.model.input_error import InputError
from regard.model.linear import packed_bytes

LEAVES = (int, float, bool, str, bytes, type(None))  # contain nothing else; most parts are of these types


def size(value: object) -> int:
    """Return the size in bytes. Parts shared by several results count for each of them."""
    counted: set[int] = set()
    total, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        if type(part) in LEAVES:
            total += sys.getsizeof(part)
        elif id(part) not in counted:
            counted.add(id(part))
            total += _own(part)
            waiting.extend(_parts(part))
    return total


def _own(part: Any) -> int:
    if isinstance(part, np.ndarray):
        return part.nbytes
    if isinstance(part, Tensor):
        return part.numel() * part.element_size() + packed_bytes(part)
    return sys.getsizeof(part)


def _parts(part: Any) -> Iterable[Any]:
    if isinstance(part, tuple | list | set | frozenset):
        return part
    if isinstance(part, Mapping):
        return chain.from_iterable(part.items())
    if isinstance(part, nn.Module):
        return part.parameters()
    return [getattr(part, name) for name in _names(type(part))]


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none for other types."""
    return tuple(field.name for field in fields(kind)) if hasattr(kind, "__dataclass_fields__") else ()


MEGABYTE = 2**20
OF_VISITORS = 4  # times the room for results about visitors' own models

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
Value = TypeVar("Value")
About = Callable[Concatenate[str, Rest], Result]  # the first argument is a model's name


class CachedResult(NamedTuple):
    """A cached value, its size in bytes and the seconds it took to make."""

    value: Any
    bytes: int
    seconds: float


class Bounded(Generic[Value]):
    """A thread-safe least-recently-used cache bounded in bytes; a value is made once however many wait."""

    def __init__(self, room: float, fit: Callable[["Bounded[Any]", Hashable], None] | None = None) -> None:
        self.room = room
        self.bytes = 0
        self._fit = fit  # makes room among several caches after a value has come
        self._values: OrderedDict[Hashable, CachedResult] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value, making it if it is missing. The latest is kept even if it alone is too large."""
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key].value
                turn = self._making.setdefault(key, Lock())
            with turn:
                if self._making.get(key) is turn:  # otherwise its maker has finished, or raised
                    return self._make(key, make)

    def forget(self, which: Callable[[Any], bool]) -> None:
        """Drop the values of the keys for which `which` is true."""
        with self._lock:
            for key in [key for key in self._values if which(key)]:
                self.bytes -= self._values.pop(key).bytes

    def oldest(self, kept: Hashable) -> tuple[float, Hashable] | None:
        """Return the seconds and key of the least recently used value other than `kept`, or None."""
        with self._lock:
            return next(((entry.seconds, key) for key, entry in self._values.items() if key != kept), None)

    def _make(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Make a value and keep it, then end the turn of this key, even after an error."""
        try:
            began = perf_counter()
            value = make()
            entry = CachedResult(value, size(value), perf_counter() - began)
            with self._lock:
                self._values[key] = entry
                self.bytes += entry.bytes
                while self.bytes > self.room and len(self._values) > 1:
                    self.bytes -= self._values.popitem(last=False)[1].bytes
        finally:
            with self._lock:
                del self._making[key]
        if self._fit:
            self._fit(self, key)
        return value


class Caches:
    """Caches that share one bound in bytes.

    Beyond it, the cheapest to make of the least recently used values goes first. Results about visitors' own
    models go only while they hold more than a quarter, and the others only while they do not.
    """

    def __init__(self, room: float) -> None:
        self.room = room
        self.everybodys: list[Bounded[Any]] = []
        self.visitors: list[Bounded[Any]] = []
        self._lock = Lock()

    def fit(self, last: Bounded[Any], kept: Hashable) -> None:
        """Drop values until the bound is kept; the value that came last stays."""
        with self._lock:
            while held([*self.everybodys, *self.visitors]) > self.room:
                crowded = held(self.visitors) > self.room / OF_VISITORS
                groups = (self.visitors, self.everybodys) if crowded else (self.everybodys, self.visitors)
                found = next(filter(None, (self._oldest(group, last, kept) for group in groups)), None)
                if not found:
                    return
                cache, key = found
                cache.forget(key.__eq__)

    def _oldest(
        self, group: list[Bounded[Any]], last: Bounded[Any], kept: Hashable
    ) -> tuple[Bounded[Any], Hashable] | None:
        """Return the cheapest to make of the least recently used values of a group, and its cache."""
        found = [(*one, cache) for cache in group if (one := cache.oldest(kept if cache is last else None))]
        _, key, cache = min(found, key=lambda one: one[0], default=(0, None, None))
        return (cache, key) if cache else None


def held(caches: list[Bounded[Any]]) -> int:
    """Return the bytes of several caches."""
    return sum(cache.bytes for cache in caches)


_caches = Caches(cache_megabytes() * MEGABYTE)


def remembered(
    megabytes: int, spinner: str = "", of_visitors: int = 0
) -> Callable[[About[Rest, Result]], About[Rest, Result]]:
    """Cache results up to `megabytes`; `spinner` is shown while one is made.

    Results about visitors' own models get a quarter of that in addition, unless `of_visitors` is given.

    Parameters whose names begin with _ are not part of the key. Errors about unreadable model files do not reveal their
    place on the server.
    """

    def remember(function: About[Rest, Result]) -> About[Rest, Result]:
        for_all = Bounded[Result](megabytes * MEGABYTE, _caches.fit)
        for_visitors = Bounded[Result]((of_visitors or megabytes / OF_VISITORS) * MEGABYTE, _caches.fit)
        _caches.everybodys.append(for_all)
        _caches.visitors.append(for_visitors)
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
    for results in _caches.visitors:
        results.forget(lambda key: key[0] == name)


def forget_all() -> None:
    """Empty all caches."""
    st.cache_resource.clear()
    for results in (*_caches.everybodys, *_caches.visitors):
        results.forget(lambda key: True)
