"""All terms, theme by theme and from A to Z."""

import re

from app.glossary.attention import ATTENTION
from app.glossary.definition import Definition
from app.glossary.heatmap import HEATMAP
from app.glossary.maths import MATHS
from app.glossary.measures import MEASURES
from app.glossary.network import NETWORK
from app.glossary.output import OUTPUT
from app.glossary.questions import QUESTIONS
from app.glossary.text import TEXT
from app.glossary.training import TRAINING
from app.glossary.transformers import TRANSFORMERS

THEMES: dict[str, dict[str, Definition]] = {
    "Attention": ATTENTION,
    "Reading a heatmap": HEATMAP,
    "Words and tokens": TEXT,
    "The network": NETWORK,
    "The output": OUTPUT,
    "Vectors and functions": MATHS,
    "Training": TRAINING,
    "Measures": MEASURES,
    "Questioning attention": QUESTIONS,
    "Transformers": TRANSFORMERS,
}
DEFINITIONS: dict[str, Definition] = {name: known for theme in THEMES.values() for name, known in theme.items()}

_LEADING = re.compile(r"^(the\b)?[^a-z]*")  # what a term is not sorted by


def by_letter(at_most: int) -> dict[str, list[str]]:
    """Names of all terms from A to Z in parts of whole letters, such as A to C, that keep to so many where they can."""
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
