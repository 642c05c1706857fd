"""Shape checks: what jaxtyping's import hook puts around every function of `model` while the tests run.

Beartype looks at the arguments and the result of each call, and a letter has one size in a call, as under the
decorator of jaxtyping. That one has arguments looked at twice and bound by name, without arrays too, and took
longer than what is tested.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import is_dataclass
from functools import wraps
from inspect import isclass, isgeneratorfunction
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

TYPED: Any = beartype(conf=BeartypeConf(violation_type=TypeError))  # the kind of error that jaxtyping's is
JAXTYPED: Any = jaxtyping.jaxtyped
ONE_CALL: AbstractContextManager[None] = JAXTYPED("context")  # in which a letter has one size


def jaxtyped(context: str = "", *, typechecker: Callable[[Any], Any] | None = None) -> Any:
    """In place of `jaxtyping.jaxtyped`, to which generators are left."""
    if typechecker is None:
        return JAXTYPED(context)

    def check(checked: Any) -> Any:
        if isclass(checked):
            if is_dataclass(checked):
                checked.__init__ = check(checked.__init__)
            return checked
        if isgeneratorfunction(checked):
            return JAXTYPED(checked, typechecker=typechecker)
        typed = TYPED(checked)
        return _within_one_call(typed) if "jaxtyping." in str(checked.__annotations__) else typed

    return check


def _within_one_call(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def within(*arguments: Any, **named: Any) -> Any:
        with ONE_CALL:
            return function(*arguments, **named)

    return within


jaxtyping.jaxtyped = jaxtyped
