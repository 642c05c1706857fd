"""Messages over the websocket: only fields that were drawn, with values that they offer, reach a screen."""

import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ButtonGroup_pb2 import ButtonGroup
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

from regard.app.input_validation import bounded_json
from regard.app.input_validation.browser_messages import MESSAGE_BYTES, BrowserMessages
from regard.app.input_validation.drawn_fields import DrawnFields
from tests.support.hostile_values import states
from tests.support.soon import soon


def drawn(kind: str, **of: object) -> ForwardMsg:
    """Return the server's message that draws a field with the id `field`."""
    said = ForwardMsg()
    field = getattr(said.delta.new_element, kind)
    field.id = "field"
    for name, value in of.items():
        if name == "options" and kind == "button_group":
            for text in value if isinstance(value, list) else []:
                field.options.add().content = text
        elif isinstance(value, list):
            getattr(field, name).extend(value)
        else:
            setattr(field, name, value)
    return said


def run(*sent: WidgetState, query: str = "") -> BackMsg:
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.widget_states.widgets.extend(sent)
    return message


def state(**value: object) -> WidgetState:
    made = WidgetState(id="field")
    for name, given in value.items():
        if isinstance(given, list):
            getattr(made, name).SetInParent()
            getattr(made, name).data.extend(given)
        elif name == "string_trigger_value":
            made.string_trigger_value.data = str(given)
        else:
            setattr(made, name, given)
    return made


NUMBERS = {"min": 0.0, "max": 9.0, "has_min": True, "has_max": True}
FITTING = [
    (drawn("button"), [state(trigger_value=True)]),
    (drawn("checkbox"), [state(bool_value=False)]),
    (drawn("text_input", max_chars=3), [state(string_value="été"), state()]),
    (drawn("number_input", **NUMBERS), [state(int_value=0), state(int_value=9), state()]),
    (
        drawn("number_input", data_type=NumberInput.FLOAT, **NUMBERS),
        [state(double_value=0), state(double_value=9), state()],
    ),
    (drawn("slider", type=Slider.SLIDER, min=0.0, max=9.0), [state(double_array_value=[0.5])]),
    (drawn("slider", type=Slider.SELECT_SLIDER, options=["a", "b"]), [state(string_array_value=["b"])]),
    (drawn("selectbox", options=["a", "b"]), [state(string_value="a"), state()]),
    (drawn("button_group", options=["a", "b"], required=True), [state(string_array_value=["a"])]),
    (
        drawn("button_group", options=["a", "b"], click_mode=ButtonGroup.MULTI_SELECT),
        [state(string_array_value=["a", "b"]), state(string_array_value=[])],
    ),
    (drawn("menu_button", options=["a"]), [state(string_trigger_value="a")]),
    (drawn("bidi_component", component_name="regard_beam_tree"), [state(json_value="{}")]),
]


@pytest.mark.parametrize(
    "case", range(len(FITTING)), ids=[said.delta.new_element.WhichOneof("type") for said, _ in FITTING]
)
def test_a_field_gets_what_it_offers_and_nothing_else(case: int) -> None:
    said, fitting = FITTING[case]
    fields = DrawnFields()
    assert fields.fitting(fitting) == []  # before it was drawn
    fields.learn(said)
    assert fields.fitting(fitting) == fitting
    kinds = {each.WhichOneof("value") for each in fitting}
    for passed in fields.fitting(states("field")):
        assert passed.WhichOneof("value") in kinds
        assert len(passed.string_value) <= 3
        assert 0 <= passed.double_value <= 9
        assert 0 <= passed.int_value <= 9
        assert all(0 <= number <= 9 for number in passed.double_array_value.data)
        assert set(passed.string_array_value.data) <= {"a", "b"}
        assert passed.json_value in ("", "{}")


@pytest.mark.parametrize("kind", ["text_input", "text_area"])
def test_a_text_that_is_too_long_is_not_heard_whether_its_field_has_a_limit_or_not(kind: str) -> None:
    long = state(string_value="I love you. " * 24_000)
    for most in (0, 300):
        messages = BrowserMessages()
        messages.said(drawn(kind, max_chars=most))
        with soon():
            heard = BackMsg.FromString(messages.fit(run(long).SerializeToString()).content)
        assert list(heard.rerun_script.widget_states.widgets) == []


def test_a_message_that_is_too_long_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BackMsg, "FromString", None)
    empty_states = b"\x0a\x00" * 500_000  # 30 MB when they are read
    for sent in (run(state(string_value="a" * MESSAGE_BYTES)).SerializeToString(), nested(11, nested(2, empty_states))):
        with pytest.raises(ValueError, match=r"the limit is 1,048,576|more than 5,000 fields"), soon():
            BrowserMessages().fit(sent)


def test_335_states_of_one_field_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is JSON of 57 kB; Streamlit keeps the last."""
    texts, read = list[str](), bounded_json.read
    monkeypatch.setattr(bounded_json, "read", lambda text: texts.append(text) or read(text))
    messages = BrowserMessages()
    messages.said(drawn("bidi_component", component_name="regard_beam_tree"))
    for count in (18, 335):
        sent = [state(json_value="[" + "[]," * (1000 * (count == 18)) + f"{number}]") for number in range(count)]
        messages.fit(run(*sent).SerializeToString())
        assert [text[-5:] for text in texts] == [sent[-1].json_value[-5:]]
        texts.clear()


def test_states_of_many_fields_are_heard_up_to_300_kilobytes_the_shortest_first() -> None:
    fields, sent = BrowserMessages(), list[WidgetState]()
    for number in range(20):
        said = drawn("text_input")
        said.delta.new_element.text_input.id = f"field{number}"
        fields.said(said)
        sent.append(WidgetState(id=f"field{number}", string_value="a" * 1000 * number))
    fields.said(drawn("text_input"))
    sent += [WidgetState(id="field", string_value="x"), WidgetState(id=sent[-1].id, string_value="a" * 290_000)]
    heard = BackMsg.FromString(fields.fit(run(*sent).SerializeToString()).content).rerun_script.widget_states.widgets
    assert [each.id for each in heard] == [*(f"field{number}" for number in range(19)), "field"]


def test_a_message_of_a_component_is_heard_if_all_of_it_is_one() -> None:
    fields = DrawnFields()
    fields.learn(drawn("bidi_component", component_name="regard_beam_tree"))
    event = "$$STREAMLIT_INTERNAL_KEY_field__events"
    good, bad = {"event": "add", "value": {"text": "1.2g"}}, {"event": "add", "value": 3}
    sent = [
        WidgetState(id=event, json_trigger_value=json.dumps(each)) for each in (good, [good], [good, bad], [3], bad)
    ]
    assert fields.fitting(sent) == sent[:2]


def test_what_was_typed_into_the_page_of_a_server_that_is_gone_is_heard_and_nothing_else_that_was_not_drawn() -> None:
    typed = WidgetState(id="$$ID-0f3a-sentence", string_value="There is a cat.")
    others = [
        WidgetState(id="$$ID-0f3a-sentence", double_value=1.0),
        WidgetState(id="$$ID-0f3a-sentence", string_value="a" * 20_001),
        WidgetState(id="$$ID-0f3a-order", string_value="best"),
    ]
    assert DrawnFields().fitting([*others, typed]) == [typed]


def test_a_link_that_does_not_fit_is_marked_for_the_page() -> None:
    heard = BackMsg.FromString(
        BrowserMessages().fit(run(query="pair=1e400&step=2&left_out=x").SerializeToString()).content
    )
    assert heard.rerun_script.query_string == "step=2&left_out=pair"


def test_what_fits_is_handed_on_unchanged() -> None:
    messages, sent = BrowserMessages(), run(state(string_value="été"), query="sentence=I+love+you.").SerializeToString()
    messages.said(drawn("text_input", max_chars=3))
    assert messages.fit(sent) == (sent, True)


def test_no_visitor_installs_anything_on_the_server() -> None:
    for name in ("install_skills", "dismiss_skills_nudge"):
        message = BackMsg()
        getattr(message.backend_operation_request, name).SetInParent()
        assert BrowserMessages().fit(message.SerializeToString()) == (b"", False)
    message = BackMsg()
    message.backend_operation_request.deferred_file.file_id = "a"
    assert BrowserMessages().fit(message.SerializeToString()).content == message.SerializeToString()


def test_names_and_counts_beyond_all_measure_are_left_out() -> None:
    message = run(*(WidgetState(id=f"{number}", bool_value=True) for number in range(3000)))
    message.rerun_script.page_name = "a" * 10_000
    heard = BackMsg.FromString(BrowserMessages().fit(message.SerializeToString()).content).rerun_script
    assert (heard.page_name, len(heard.widget_states.widgets)) == ("", 0)
    message.rerun_script.cached_message_hashes.extend(["a"] * 5000)
    with pytest.raises(ValueError, match="more than 5,000 fields"):
        BrowserMessages().fit(message.SerializeToString())
    asked = BackMsg()
    asked.file_urls_request.file_names.extend(["a"] * 9)
    assert BrowserMessages().fit(asked.SerializeToString()).content == b""
    asked.file_urls_request.request_id = "a" * 30_000
    assert BrowserMessages().fit(asked.SerializeToString()).content == b""


def nested(number: int, content: bytes) -> bytes:
    """Return a field of this number that has so much content, as protobuf writes it."""
    length, size = b"", len(content)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


def test_a_page_that_another_server_drew_runs_as_a_whole() -> None:
    asked = run()
    asked.rerun_script.fragment_id = "part"
    known, unknown = BrowserMessages(), BrowserMessages()
    said = drawn("button")
    said.delta.fragment_id = "part"
    known.said(said)
    assert [
        BackMsg.FromString(messages.fit(asked.SerializeToString()).content).rerun_script.fragment_id
        for messages in (known, unknown)
    ] == ["part", ""]
