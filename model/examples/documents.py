"""The documents behind the worked examples: their contents, what is right and wrong in them, what to compute."""

from dataclasses import dataclass
from typing import Any

from regard.model.examples import decoder_steps, transformer, tutorials
from regard.model.examples.example import Example
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
    for module in (tutorials, decoder_steps, transformer)
    for example in vars(module).values()
    if isinstance(example, Example)
}


def _document(entry: dict[str, Any]) -> Document:
    lists = {
        "examples": tuple(EXAMPLES[name] for name in entry.get("examples", ())),
        "kinds": tuple(entry.get("kinds", ())),
        "pairs": tuple(entry.get("pairs", ())),
        "remarks": tuple(entry.get("remarks", ())),
    }
    return Document(**{**entry, **lists})


DOCUMENTS = tuple(map(_document, toml_beside(__file__, "documents.toml")["document"]))
