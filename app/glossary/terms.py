"""Terms of the glossary: their text, all of them by theme, and search by what a person types."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

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

QUERY_CHARACTERS = 60  # characters to search for
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
