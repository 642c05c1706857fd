"""All terms, by theme and from A to Z."""

import re

from regard.app.glossary.definition import Definition
from regard.model.files import toml_beside

# One file per theme, in this order; its terms are tables with the fields of `Definition`.
FILES = (
    "attention", "heatmap", "text", "network", "output", "maths", "training", "measures", "questions", "transformers"
)  # fmt: skip


def _read(name: str) -> tuple[str, dict[str, Definition]]:
    """Return a theme's title, and its terms by name."""
    content = toml_beside(__file__, f"{name}.toml")
    return content.pop("theme"), {term: Definition(**fields) for term, fields in content.items()}


THEMES: dict[str, dict[str, Definition]] = dict(map(_read, FILES))
DEFINITIONS: dict[str, Definition] = {name: known for theme in THEMES.values() for name, known in theme.items()}

_LEADING = re.compile(r"^(the\b)?[^a-z]*")  # ignored when sorting terms


def by_letter(at_most: int) -> dict[str, list[str]]:
    """Return all terms from A to Z, in groups of whole letters such as A to C, each near a given size."""
    parts: list[list[str]] = []
    for name in sorted(DEFINITIONS, key=_sorted_by):
        letter = [each for each in DEFINITIONS if _letter(each) == _letter(name)]
        if not parts or (_letter(parts[-1][-1]) != _letter(name) and len(parts[-1]) + len(letter) > at_most):
            parts.append([])
        parts[-1].append(name)
    return {_range(part): part for part in parts}


def _range(part: list[str]) -> str:
    first, last = _letter(part[0]), _letter(part[-1])
    return first if first == last else f"{first} to {last}"


def _letter(name: str) -> str:
    return _sorted_by(name)[0].upper()


def _sorted_by(name: str) -> str:
    return _LEADING.sub("", DEFINITIONS[name].term.casefold())
