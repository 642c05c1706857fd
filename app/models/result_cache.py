"""Results that are remembered by their arguments, of which the first is the name of a model.

What is about everybody's models is remembered for all visitors. What is about a visitor's own model is remembered for
that visit, and forgotten with it: it takes no place from what others use, and none when its visitor has gone.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from app.models.registry import own
from model.checkpoint import Pretrained

OF_A_VISIT = 4  # results of one function that are remembered of a visitor's own models
NUMBERS = 100_000_000  # parameters of all visitors' models that are in memory at once; 400 MB

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
About = Callable[Concatenate[str, Rest], Result]  # a model by its name


def remembered(most: int, spinner: str | bool = False) -> Callable[[About[Rest, Result]], About[Rest, Result]]:
    """Remember so many results; `spinner` is shown while one is made."""

    def remember(function: About[Rest, Result]) -> About[Rest, Result]:
        cache: Any = st.cache_resource
        for_all = cache(max_entries=most, show_spinner=spinner)(function)
        for_visit = cache(max_entries=min(most, OF_A_VISIT), show_spinner=spinner, scope="session")(function)

        @wraps(function)
        def recall(name: str, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            return (for_visit if name in own() else for_all)(name, *args, **kwargs)

        return recall

    return remember


class Shelved:
    """Visitors' own models in memory, by name: the ones used last, up to so many parameters. Thread-safe."""

    def __init__(self, numbers: int) -> None:
        self.numbers = numbers
        self._models: OrderedDict[str, Pretrained] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str, load: Callable[[], Pretrained]) -> Pretrained:
        """The model, which is loaded where it is not here."""
        with self._lock:
            if name in self._models:
                self._models.move_to_end(name)
                return self._models[name]
        found = load()
        with self._lock:
            self._models[name] = found
            while len(self._models) > 1 and sum(model.parameters for model in self._models.values()) > self.numbers:
                self._models.popitem(last=False)
        return found

    def drop(self, name: str) -> None:
        """Forget it."""
        with self._lock:
            self._models.pop(name, None)


visitors_models = Shelved(NUMBERS)  # the server's only ones
