"""Drawn fields: the fields that the server sent to a browser determine which states it may send back.

A state must belong to a drawn field, be of the field's kind and within what it offers: for a slider a number between
its ends, for a choice one of its options, for a text at most its number of characters.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

import pyarrow.ipc
from pydantic import BaseModel, ValidationError
from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.proto.ButtonGroup_pb2 import ButtonGroup
from streamlit.proto.Dataframe_pb2 import Dataframe
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX

from regard.app.input_validation import bounded_json
from regard.app.input_validation.component_messages import read
from regard.app.input_validation.selections import BoxState, TableState

MOST = 4000  # fields remembered per visit; a page has about fifty
LONGEST = 20_000  # characters of a text field that names no limit
FILES = 4  # of one field
TYPED = ("sentence", "given")  # keys of texts that a page still holds when it reconnects to another server

Accepts = Callable[[WidgetState], bool]
StateT = TypeVar("StateT", bound=BaseModel)


def _accepts(kind: str, fits: Callable[[Any], bool] = lambda _: True, unset: bool = False) -> Accepts:
    """Accept a state whose value is of this kind and fits; with `unset`, one without a value too."""

    def accepts(state: WidgetState) -> bool:
        given = state.WhichOneof("value")
        return (unset and given is None) or (given == kind and fits(getattr(state, kind)))

    return accepts


def _text(field: Any) -> Accepts:
    longest = field.max_chars or LONGEST
    return _accepts("string_value", lambda text: len(text) <= longest, unset=True)


def _number(field: Any) -> Accepts:
    """Return the rule for a number; of a whole one, a browser sends an integer."""
    low = field.min if field.has_min else -math.inf
    high = field.max if field.has_max else math.inf
    kind = "int_value" if field.data_type == NumberInput.INT else "double_value"
    return _accepts(kind, lambda number: _between(low, [number], high), unset=True)


def _slider(field: Any) -> Accepts:
    """Return the rule for a slider over numbers or options."""
    if field.type == Slider.SELECT_SLIDER:
        return _options(frozenset(field.options), 1, 2)
    low, high = field.min, field.max
    return _accepts("double_array_value", lambda numbers: len(numbers.data) > 0 and _between(low, numbers.data, high))


def _choice(field: Any) -> Accepts:
    return _accepts("string_value", frozenset(field.options).__contains__, unset=True)


def _choices(field: Any) -> Accepts:
    options = frozenset(option.content for option in field.options)
    most = len(options) if field.click_mode == ButtonGroup.MULTI_SELECT else 1
    return _options(options, int(field.required), most)


def _options(options: frozenset[str], fewest: int, most: int) -> Accepts:
    return _accepts(
        "string_array_value", lambda chosen: fewest <= len(chosen.data) <= most and options.issuperset(chosen.data)
    )


def _menu(field: Any) -> Accepts:
    options = frozenset(field.options)
    return _accepts("string_trigger_value", lambda chosen: chosen.data in options)


def _files(_: Any) -> Accepts:
    return _accepts("file_uploader_state_value", lambda files: len(files.uploaded_file_info) <= FILES)


def _table(field: Any) -> Accepts:
    """Return the rule for a table's selected or edited cells."""
    if not field.selection_mode and field.editing_mode == Dataframe.READ_ONLY:
        return lambda _: False
    with pyarrow.ipc.open_stream(field.arrow_data.data) as stream:
        columns, rows = frozenset(stream.schema.names), sum(batch.num_rows for batch in stream)
    return _accepts("string_value", lambda text: _is_of_table(text, columns, rows))


def _chart(field: Any) -> Accepts:
    """Accept the boxes drawn on a figure that can be selected in."""
    if not field.selection_mode:
        return lambda _: False
    return _accepts("string_value", lambda text: _parsed(BoxState, text) is not None)


def _component(field: Any) -> Accepts:
    def fits(text: str) -> bool:
        sent = _json(text)
        return isinstance(sent, dict) and all(
            read(field.component_name, name, value) is not None for name, value in sent.items()
        )

    return _accepts("json_value", fits)


def _events(field: Any) -> Accepts:
    """Return the rule for an event of a component: a message, or a list of several."""

    def fits(text: str) -> bool:
        sent = _json(text)
        return all(
            isinstance(one, dict)
            and one.keys() <= {"event", "value"}
            and read(field.component_name, str(one.get("event")), one.get("value")) is not None
            for one in (sent if isinstance(sent, list) else [sent])
        )

    return _accepts("json_trigger_value", fits)


TRIGGER, SWITCH = _accepts("trigger_value"), _accepts("bool_value")
KINDS: dict[str, Callable[[Any], Accepts]] = {  # by Streamlit's name for the element or container
    **dict.fromkeys(("button", "download_button", "dialog"), lambda _: TRIGGER),
    **dict.fromkeys(("checkbox", "expandable", "popover"), lambda _: SWITCH),
    "text_input": _text,
    "text_area": _text,
    "number_input": _number,
    "slider": _slider,
    "selectbox": _choice,
    "radio": _choice,
    "button_group": _choices,
    "menu_button": _menu,
    "file_uploader": _files,
    "dataframe": _table,
    "plotly_chart": _chart,
    "bidi_component": _component,
}


class DrawnFields:
    """The fields drawn in one visit, by id; states of a page that was left may still arrive."""

    def __init__(self) -> None:
        self._accepts: OrderedDict[str, Accepts] = OrderedDict()

    def learn(self, said: ForwardMsg) -> None:
        """Remember the field that this server message draws, if any."""
        for identity, accepts in _fields(said):
            self._accepts[identity] = accepts
            self._accepts.move_to_end(identity)
        while len(self._accepts) > MOST:
            self._accepts.popitem(last=False)

    def fitting(self, states: Iterable[WidgetState]) -> list[WidgetState]:
        """Return the states that the fields can have, and texts typed into the page of a server that is gone."""
        return [state for state in states if self._accepts.get(state.id, _typed_before)(state)]


def _typed_before(state: WidgetState) -> bool:
    key = state.id.rpartition("-")[2]
    return key in TYPED and state.WhichOneof("value") == "string_value" and len(state.string_value) <= LONGEST


def _fields(said: ForwardMsg) -> Iterator[tuple[str, Accepts]]:
    if said.WhichOneof("type") != "delta":
        return
    delta = said.delta
    drawn: Any = delta.new_element if delta.WhichOneof("type") == "new_element" else delta.add_block
    kind = drawn.WhichOneof("type") or ""
    if kind not in KINDS:
        return
    field = getattr(drawn, kind)
    if field.id:
        yield field.id, KINDS[kind](field)
    if kind == "bidi_component":
        yield f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{field.id}{EVENT_DELIM}events", _events(field)


def _between(low: float, numbers: Collection[float], high: float) -> bool:
    return len(numbers) <= 2 and all(low <= number <= high and math.isfinite(number) for number in numbers)


def _json(text: str) -> object:
    """Parse the JSON of a state; None if it is not JSON within bounds."""
    try:
        return bounded_json.read(text)
    except ValueError:
        return None


def _parsed(kind: type[StateT], text: str) -> StateT | None:
    try:
        return kind.model_validate(_json(text))
    except ValidationError:
        return None


def _is_of_table(text: str, columns: frozenset[str], rows: int) -> bool:
    """Return True for a valid message of Streamlit's table: selected rows, or texts in existing cells."""
    if (sent := _parsed(TableState, text)) is None:
        return False
    places = [int(row) for row in sent.edited_rows] + sent.selection.rows
    names = [column for cells in sent.edited_rows.values() for column in cells]
    return all(0 <= place < rows for place in places) and columns.issuperset(names)
