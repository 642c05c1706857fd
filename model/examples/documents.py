"""The documents behind the worked examples: their contents, what is right and wrong in them, what to compute."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    kinds: Sequence[dict[str, str]] = ()  # its types of attention, each with the example or screen on which to try it
    pairs: Sequence[list[str]] = ()  # examples with the same inputs, to compare step by step
    remarks: Sequence[str] = ()  # remarks on the rest of it
    onward: str = ""  # the screen about its subject


EXAMPLES = {
    example.name: example
    for module in (tutorials, decoder_steps, transformer)
    for example in vars(module).values()
    if isinstance(example, Example)
}


DOCUMENTS = tuple(
    Document(**entry | {"examples": tuple(EXAMPLES[name] for name in entry.get("examples", ()))})
    for entry in toml_beside(__file__, "documents.toml")["document"]
)
