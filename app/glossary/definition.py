"""A term of the glossary and its text."""

from typing import NamedTuple

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
