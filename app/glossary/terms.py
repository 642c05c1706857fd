"""Terms of the glossary: their text, all of them by theme, search, and definitions one click away from a number.

Streamlit allows one dialog at a time, although two buttons may be pressed before the page is drawn.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

import streamlit as st

from regard.app.navigation import script
from regard.app.wording import plain_markdown
from regard.model.files import toml_beside

# The letters that `model` uses in its annotations.
LETTERS = {
    "S": "source tokens, `</s>` included",
    "T": "target tokens, or decoder steps",
    "E": "components of an annotation",
    "H": "components of a decoder state",
    "C": "components of a cell state",
    "G": "gates of a recurrent cell",
    "A": "components of an attentional vector",
    "D": "components of an embedding",
    "V": "entries of the vocabulary",
    "Q": "components of a key",
}


class Definition(NamedTuple):
    """One term. `shape` has the letters of `model`, such as "T S"; `also` other names, with commas; `seen` a screen."""

    term: str
    text: str  # Markdown
    formula: str = ""  # LaTeX
    shape: str = ""
    source: str = ""
    seen: str = "translate"  # "" if no screen shows the term
    also: str = ""


def definition_text(known: Definition) -> str:
    """Return everything but the term, as Markdown."""
    parts = [known.text]
    if known.formula:
        parts.append(f"$$\n{known.formula}\n$$")
    small = [f"Also called {known.also}"] if known.also else []
    small += [f"Shape: {shape(known)}"] if known.shape else []
    small += [f"Source: {known.source}"] if known.source else []
    return "\n\n".join([*parts, "  \n".join(f":small[{line}]" for line in small)])


def shape(known: Definition) -> str:
    """Return a shape in words, such as: T × S · T target tokens, or decoder steps · S source tokens."""
    letters = known.shape.split()
    meant = [f"{letter} {LETTERS[letter]}" for letter in dict.fromkeys(letters)]
    return " · ".join([f"**{' × '.join(letters)}**", *meant])


def _definition(name: str, entry: dict[str, Any]) -> Definition:
    """Read an entry of the tables; one without `term` is called by its name there."""
    term, more = {"term": name.replace("_", " ").capitalize()}, entry.pop("more", {})
    return Definition(**term | entry | more)


THEMES: dict[str, dict[str, Definition]] = {  # the terms by the titles of their themes, and by their names
    theme.pop("theme"): {name: _definition(name, entry) for name, entry in theme.items()}
    for table in ("translation", "learning")
    for theme in toml_beside(__file__, f"{table}.toml").values()
}
DEFINITIONS: dict[str, Definition] = {name: known for theme in THEMES.values() for name, known in theme.items()}

FIELD: Any = {"type": "search", "live": True, "max_chars": 60, "placeholder": "such as context, hidden state or BLEU"}
SHOWN_TERMS = 12  # terms shown at once: each takes the browser a moment
SUGGESTED = ("attention", "score", "weight", "context")  # suggestions when nothing is found
_MARKUP = re.compile(r"[*`$\\]")


def matching(typed: str, definitions: Mapping[str, Definition]) -> list[str]:
    """Return the terms that contain all the words typed, best first: in the term, its other names, its text."""
    words = typed.casefold().split()
    ranks = {name: _rank(words, known) for name, known in definitions.items()}
    return sorted((name for name in definitions if ranks[name] < NOWHERE), key=ranks.__getitem__)


def close(typed: str, definitions: Mapping[str, Definition]) -> list[str]:
    """Return the terms spelled nearly like what was typed."""
    named = {_plain(text): name for name, known in definitions.items() for text in _names(known)}
    return list(dict.fromkeys(named[text] for text in get_close_matches(_plain(typed), named, n=3, cutoff=0.6)))


NOWHERE = 4


def _rank(words: list[str], known: Definition) -> int:
    """Return the rank of a match: 0 if a name begins with the words, more if it contains them, most for the text."""
    names, whole = [_plain(text) for text in _names(known)], " ".join(words)
    everything = " ".join([*names, _plain(known.text), _plain(known.source)])
    kinds = (
        names[0].startswith(whole),
        any(text.startswith(whole) for text in names),
        all(any(word in text for text in names) for word in words),
        all(word in everything for word in words),
    )
    return kinds.index(True) if any(kinds) else NOWHERE


def _names(known: Definition) -> list[str]:
    return [known.term, *known.also.split(", ")] if known.also else [known.term]


def _plain(text: str) -> str:
    return _MARKUP.sub("", text).casefold()


def definitions(*names: str) -> None:
    """Draw a row of terms; each opens its definition."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"define-{'-'.join(names)}"):
        st.html('<p class="about">What is</p>', width="content")
        for name in names:
            known = DEFINITIONS[name]
            with st.popover(known.term, type="tertiary", width="content"):
                st.markdown(definition_text(known))
                st.page_link(script("glossary"), label="In the glossary", query_params={"term": name})


@st.dialog("Glossary", width="medium", position="right")
def glossary(screen: str) -> None:
    """Draw a drawer on the right; Escape closes it."""
    typed = st.text_input("Find a term", "", key="glossary-find", **FIELD)
    st.page_link(script("glossary"), label=f"All {len(DEFINITIONS)} terms")
    with st.container(key="defined"):
        here = [name for name, known in DEFINITIONS.items() if known.seen == screen][:SHOWN_TERMS] or SUGGESTED
        for name in found(typed) if typed.strip() else here:
            with st.container():
                st.html(f"<h3>{DEFINITIONS[name].term}</h3>")
                st.markdown(definition_text(DEFINITIONS[name]))


def found(typed: str) -> list[str]:
    """Return the terms that match, or suggestions if none do, and say so."""
    names = matching(typed, DEFINITIONS)
    if not names:
        st.info(f"No term has “{plain_markdown(typed)}”. Here are some to try.")
    elif len(names) > SHOWN_TERMS:
        st.caption(f"{len(names)} terms match; the first {SHOWN_TERMS} are shown.")
    return names[:SHOWN_TERMS] or close(typed, DEFINITIONS) or list(SUGGESTED)


OPENERS = ("glossary-open", "about-open", "take-along", "door-home")  # keys of the buttons, in drawing order


def is_first(opener: str) -> bool:
    """True if this button comes first among those that were pressed."""
    return not any(st.session_state.get(before) for before in OPENERS[: OPENERS.index(opener)])
