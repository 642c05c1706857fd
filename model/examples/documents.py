"""The documents behind the worked examples: their contents, what is right and wrong in them, what to compute."""

from dataclasses import dataclass
from typing import Any

from regard.model.examples.decoder_steps import BAHDANAU, BAHDANAU_GENERAL, LUONG, WITH_CONTEXT, WITHOUT_CONTEXT
from regard.model.examples.example import Example
from regard.model.examples.transformer import CROSS_ATTENTION, HEADS, MASKED, SCALED, SELF_ATTENTION
from regard.model.examples.tutorials import (
    DIFFERENT_SIZES,
    LUONG_GENERAL,
    LUONG_SUMMARY,
    QUERY,
    THREE_DIMENSIONS,
    THREE_SCORES,
)
from regard.model.files import toml_beside


@dataclass(frozen=True)
class Document:
    """A document; `name` is for links."""

    name: str
    title: str
    text: str
    examples: tuple[Example, ...] = ()
    kinds: tuple[dict[str, str], ...] = ()  # its types of attention, each with the example or screen on which to try it
    pairs: tuple[list[str], ...] = ()  # examples with the same inputs, to compare step by step
    remarks: tuple[str, ...] = ()  # remarks on the rest of it
    onward: str = ""  # the screen about its subject


EXAMPLES = {
    example.name: example
    for example in (
        LUONG_GENERAL, LUONG_SUMMARY, THREE_DIMENSIONS, THREE_SCORES, DIFFERENT_SIZES, WITHOUT_CONTEXT, WITH_CONTEXT,
        BAHDANAU, BAHDANAU_GENERAL, LUONG, QUERY, CROSS_ATTENTION, SELF_ATTENTION, SCALED, MASKED, HEADS,
    )
}  # fmt: skip


def _document(entry: dict[str, Any]) -> Document:
    lists = {
        "examples": tuple(EXAMPLES[name] for name in entry.get("examples", ())),
        "kinds": tuple(entry.get("kinds", ())),
        "pairs": tuple(entry.get("pairs", ())),
        "remarks": tuple(entry.get("remarks", ())),
    }
    return Document(**{**entry, **lists})


_TABLE = toml_beside(__file__, "documents.toml")
DOCUMENTS = tuple(map(_document, _TABLE["document"]))
