"""Components of ours: the browser fetches a component's script once, by an address with its hash, and caches it; each
message that it may send to Python has a type.

Streamlit puts a component's script and style into every message that mounts it, which for the stepper is 130 kB with
each sentence. Here a message only has a few lines that import them.

A new message of a component must be added to `MESSAGES`; a message that is not listed, or not of its type, is ignored.
"""

import hashlib
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from string import Template
from typing import Annotated, Any

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from streamlit.components.v2 import component

from regard.app.components.shared.modules import script, style
from regard.model.arithmetic.quantity import Quantity
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.values import reader

PLACE = "/components"  # served by app.server.pages
FOLDERS = "stepper phase_card beam_tree training_monitor matrices link_grid figure_export pulse working".split()

# An adopted style sheet exists before the first drawing, and is parsed once for all instances.
_DRESSED = Template("""$script
const sheet = new CSSStyleSheet();
sheet.replaceSync($style);
export function dress(parent) {
  const root = parent.getRootNode();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
""")
# A component may be drawn twice before its script arrives; Streamlit then removes the first drawing after the second.
# WebKit lets all importers but the first go on before the `await` is over (its bug 242740): their drawings wait.
LOADER = Template("""const latest = new WeakMap(), waiting = [];
let script = null;
export default function mount(given) {
  const place = given.parentElement, drawing = {};
  latest.set(place, drawing);
  const draw = () => {
    if (latest.get(place) !== drawing) return;
    script.dress(place);
    drawing.remove = script.default(given);
  };
  if (script) draw();
  else waiting.push(draw);
  return () => {
    if (latest.get(place) !== drawing) return;
    latest.delete(place);
    drawing.remove?.();
  };
}
script = await import(new URL($address, window.location.origin).href);
waiting.forEach((draw) => draw());
""")
_files: dict[str, bytes] = {}  # by name, with the hash


def served(folder: str, entry: str, sheets: Sequence[str], base: str = "") -> Callable[[], Any]:
    """Return a function that returns a component of `FOLDERS`, ready to mount and registered once.

    `entry` is the module of the folder whose default export draws it; its `sheets` follow the style `base`.
    """

    @cache
    def mounted() -> Any:
        place = Path(__file__).parent.parent / folder
        css = json.dumps("\n".join(filter(None, (base, style(place, sheets)))))
        code = _DRESSED.substitute(script=script(place / entry), style=css).encode()
        name = f"{folder}.{hashlib.sha256(code).hexdigest()[:16]}.js"
        _files[name] = code
        return component(f"regard_{folder}", js=LOADER.substitute(address=json.dumps(address(name))))

    return mounted


def address(name: str) -> str:
    """Return a file's address, from the root of its host."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{'/' + base if base else ''}{PLACE}/{name}"


def file(name: str) -> bytes | None:
    """Return the file of this name, or None if this version has no such component."""
    if name not in _files and name.partition(".")[0] in FOLDERS:
        module = importlib.import_module(f"regard.app.components.{name.partition('.')[0]}.mount")
        module.mounted()  # a page drawn by another replica may ask before this one has drawn any
    return _files.get(name)


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


def sent(name: str, key: str, message: str) -> Any:
    """Return the latest message from a component of this name, mounted under `key`, or None without a valid one."""
    return read(name, message, st.session_state.get(key, {}).get(message))


def hear(name: str, key: str, message: str, act: Callable[[Any], None]) -> None:
    """Pass a component's message on, if there is one, in a callback."""
    if (told := sent(name, key, message)) is not None:
        act(told)
