"""Results cached by their arguments, the first of which is a model's name, up to a number of bytes together.

Results about everybody's models are shared by all visitors. Results about a visitor's own model are dropped with the
model.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import fields
from functools import cache, wraps
from itertools import chain
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

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
OF_VISITORS = 0.25  # of the room, for results about visitors' own models

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
About = Callable[Concatenate[str, Rest], Result]  # the first argument is a model's name


class ResultCache:
    """A thread-safe cache bounded in bytes; the least recently used goes first. A value is made once however many wait.

    Values about visitors' own models have a quarter of the room, the others the rest.
    """

    def __init__(self, room: float) -> None:
        self.room = {True: OF_VISITORS * room, False: (1 - OF_VISITORS) * room}
        self._values: dict[bool, OrderedDict[Hashable, tuple[Any, int]]] = {True: OrderedDict(), False: OrderedDict()}
        self._making: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()  # while somebody makes it or waits
        self._lock = Lock()

    def held(self, visitors: bool) -> int:
        """Return the bytes held about visitors' own models, or about everybody's."""
        return sum(size for _, size in self._values[visitors].values())

    def get(self, key: Hashable, make: Callable[[], Result], visitors: bool = False) -> Result:
        """Return the value, making it if it is missing. The latest is kept even if it alone is too large."""
        values = self._values[visitors]
        with self._lock:
            if key in values:
                values.move_to_end(key)
                return values[key][0]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in values:  # made meanwhile
                    return values[key][0]
            value = make()
            entry = value, size(value)
            with self._lock:
                values[key] = entry
                while self.held(visitors) > self.room[visitors] and len(values) > 1:
                    values.popitem(last=False)
            return value

    def forget(self, which: Callable[[Any], bool]) -> None:
        """Drop the values of the keys for which `which` is true."""
        with self._lock:
            for values in self._values.values():
                for key in [key for key in values if which(key)]:
                    del values[key]


_results = ResultCache(cache_megabytes() * MEGABYTE)


def remembered(spinner: str = "") -> Callable[[About[Rest, Result]], About[Rest, Result]]:
    """Cache a function's results; `spinner` is shown while one is made.

    Parameters whose names begin with _ are not part of the key. Errors about unreadable model files do not reveal their
    place on the server.
    """

    def remember(function: About[Rest, Result]) -> About[Rest, Result]:
        names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
        counted = [place for place, name in enumerate(names) if not name.startswith("_")]

        @wraps(function)
        def recall(name: str, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            def make() -> Result:
                with st.spinner(spinner) if spinner else nullcontext():
                    return function(name, *args, **kwargs)

            chosen = (args[place] for place in counted if place < len(args))
            key = name, function, *chosen, *sorted(kwargs.items())
            try:
                return _results.get(key, make, name in own())
            except (InputError, OSError) as error:
                message = without_place(error, name)
                if message == str(error):
                    raise
                raise InputError(message) from error

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
    _results.forget(lambda key: key[0] == name)


def forget_all() -> None:
    """Empty the cache."""
    st.cache_resource.clear()
    _results.forget(lambda key: True)
