"""Parts that most screens have: a head, a choice that the link stores, an error message, a table of text.

The head has a screen's question, what is asked, the model and the options, at most 150 pixels high on a desk. The row
below the title belongs to the sentence; a screen without one puts its own choice there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import (
    ask,
    entered,
    examples_menu,
    given_field,
    model_field,
    read_chip,
    sentence_field,
    visit,
)
from regard.app.wording import plain_markdown
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError


def heading(title: str, text: str = "") -> None:
    """Draw the screen's title, and a sentence about it; both are HTML."""
    st.html(f"<header class='regard'><h1>{title}</h1>{f'<p>{text}</p>' if text else ''}</header>")


Option = TypeVar("Option")
Options = Mapping[Option, str] | Sequence[Option]  # with their names on screen, or named as they are


def segments(
    label: str, options: Options[Option], first: Option, key: str, about: str = "", bare: bool = False
) -> Option:
    """Draw the options side by side and return the chosen one. `key` is its name in the link; with `bare` the label is
    only read aloud."""
    names = list(options)
    return st.segmented_control(label, names, default=first, required=True, **_field(options, key, about, bare))


def select(
    label: str,
    options: Options[Option],
    first: Option,
    key: str,
    about: str = "",
    width: int | Literal["stretch"] = "stretch",
    bare: bool = False,
    on_change: Callable[[], None] | None = None,
    disabled: bool = False,
) -> Option:
    """Draw a list of the options and return the chosen one, or `first` if the link names none of them."""
    names, field = list(options), _field(options, key, about, bare)
    field |= {"width": width, "on_change": on_change, "disabled": disabled}
    chosen = st.selectbox(label, names, names.index(first), **field)
    return chosen if chosen in names else first


def _field(options: Options[Any], key: str, about: str, bare: bool) -> dict[str, Any]:
    """Return what both kinds of choice have in common."""
    return {
        "format_func": lambda name: options.get(name, str(name)) if isinstance(options, Mapping) else str(name),
        "key": key,
        "bind": "query-params",
        "help": about or None,
        "label_visibility": "collapsed" if bare else "visible",
    }


LAST_SEED = 9999


def seed_field(label: str, key: str, about: str = "", first: int = 0) -> int:
    """Draw the field of a seed and return it. `key` is its name in the link."""
    return st.number_input(label, 0, LAST_SEED, first, step=1, key=key, bind="query-params", help=about or None)


def draw_again(key: str) -> None:
    """Draw the button that takes the next seed for the field with this key."""

    def take_next() -> None:
        st.session_state[key] = (st.session_state[key] + 1) % (LAST_SEED + 1)

    st.button("Draw again", icon=":material/casino:", on_click=take_next)


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an InputError as a message and go on after the block."""
    try:
        yield
    except InputError as error:
        st.error(plain_markdown(str(error)))


def table(rows: Sequence[Mapping[str, str]], label: str) -> None:
    """Draw rows with the same columns; the first column names its row, `label` says what the table contains.

    A keyboard can scroll it, and nothing in it is read as markup.
    """
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in rows[0])
    lines = ""
    for row in rows:
        first, *others = map(escape, row.values())
        lines += f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{value}</td>" for value in others) + "</tr>"
    st.html(
        f'<div class="table" role="region" tabindex="0" aria-label="{escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


class ScreenHead(NamedTuple):
    """Places for what a screen adds: at the right of the title, beside the sentence, and behind *Options*."""

    right: DeltaGenerator
    row: DeltaGenerator
    options: DeltaGenerator


def head(title: str, text: str, asked: Question | None = None, options: bool = False) -> ScreenHead:
    """Draw the title with a sentence about the screen, the choice of the model that `asked` names, and *Options*."""
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        heading(title, text)
        right = st.container(horizontal=True, vertical_alignment="center", width="content", key="header-right")
        if asked:
            with right:
                model_field(asked)
        more = st.popover("Options", icon=":material/tune:", width="content", key="options") if options else right
    return ScreenHead(right, st.container(horizontal=True, vertical_alignment="center", key="head-row"), more)


def question_fields(head: ScreenHead, model: AnyModel, given: str | None = None) -> None:
    """Draw the sentence's field in the head's row, with the examples at its end.

    With `given` a second field takes a translation. A label makes it the visitor's own translation, which stays when
    the sentence is corrected; with "" it is a translation to force.
    """

    def ask_entered() -> None:
        ask(entered(), entered("given") if given and not visit().unasked else "")

    with head.row:
        sentence_field(model, "collapsed", ask_entered)
        if given is not None:
            given_field(model, given, "collapsed")
        examples_menu(model)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="read-chip"):
        read_chip()
