"""Component messages: the type of each message that our components may send to Python, by component and message.

A new message of a component must be added here; a message that is not listed, or not of its type, is ignored.
"""

from dataclasses import fields
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from regard.model.arithmetic.quantity import Quantity
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.values import reader

Place = Annotated[int, Field(strict=True, ge=-(2**31), lt=2**31)]
Name = Annotated[str, Field(strict=True, max_length=40)]
Nonce = Annotated[int, Field(strict=True, ge=0, le=2**53)]  # increases with each message; may be a time in milliseconds
Notation = Annotated[str, Field(max_length=4000)]  # parsed elsewhere


class _Message(BaseModel):
    """A message whose fields have exactly these types; unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SentQuantity(_Message):
    """A clicked number, by its kind; its indices are the fields of `Quantity`."""

    kind: Name
    nonce: Nonce
    trace: Place = 0
    step: Place = 0

    @property
    def values(self) -> dict[str, object]:
        return self.model_dump(exclude_unset=True, exclude={"nonce"})


class SentEdit(_Message, extra="allow"):
    """A change of a translation, or undo, redo, reset; the other fields depend on its kind."""

    number: Nonce
    kind: Name

    @property
    def values(self) -> dict[str, object]:
        return {"kind": self.kind, **(self.model_extra or {})}


class SentPreview(_Message):
    """Weights of a step during a drag; of one head if the model has several."""

    nonce: Nonce
    step: Annotated[int, Field(ge=0, lt=10_000)]
    attention: Name = ""
    layer: Place = 0
    head: Place = 0
    row: Annotated[tuple[float, ...], Field(strict=False, max_length=1000)]


class SentTyped(_Message):
    """The finished words of a sentence that is being typed."""

    nonce: Nonce
    text: Annotated[str, Field(min_length=1, max_length=SENTENCE_CHARACTERS)]


class SentPrefixes(_Message):
    """All additions to a beam search by hand, as `regard.model.decoding.beam_tree` writes them."""

    text: Notation


class SentLinks(_Message):
    """All links drawn, in the notation of `alignment_error_rate`, and the number drawn so far."""

    text: Notation
    number: Nonce


class SentBeat(_Message):
    """A page asks what is new in its class, and says at which step its stepper is."""

    nonce: Nonce
    step: Annotated[int, Field(ge=-(10**6), le=10**6)] | None = None


_PLACES: dict[str, Any] = {
    field.name: (Name if field.type is str else Place, field.default) for field in fields(Quantity)[1:]
}
CLICKED = create_model("ClickedNumber", __base__=SentQuantity, **_PLACES)

MESSAGES: dict[tuple[str, str], Any] = {
    ("regard_stepper", "inspect"): CLICKED,
    ("regard_stepper", "rows"): Name,
    ("regard_stepper", "edit"): Annotated[list[SentEdit], Field(max_length=1000)],
    ("regard_stepper", "preview"): SentPreview,
    ("regard_stepper", "typed"): SentTyped,
    ("regard_phase_card", "inspect"): CLICKED,
    ("regard_beam_tree", "add"): SentPrefixes,
    ("regard_link_grid", "drawn"): SentLinks,
    ("regard_pulse", "beat"): SentBeat,
}


def read(component: str, message: str, value: object) -> Any:
    """Return the message as its type, or None if this component sends no such message."""
    if (component, message) not in MESSAGES:
        return None
    try:
        return reader(MESSAGES[component, message]).validate_python(value)
    except ValidationError:
        return None
