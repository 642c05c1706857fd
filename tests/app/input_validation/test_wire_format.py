import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg

from regard.app.input_validation.wire_format import check_count


@given(st.lists(st.text(max_size=200), max_size=30), st.text(max_size=300), st.booleans())
def test_what_protobuf_writes_is_counted_exactly(ids: list[str], query: str, flag: bool) -> None:
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.is_auto_rerun = flag
    for name in ids:
        message.rerun_script.widget_states.widgets.add().id = name
    fields = 1 + bool(query) + flag + bool(ids) + len(ids)
    check_count(message.SerializeToString(), (11, 2), fields)
    with pytest.raises(ValueError, match="more than"):
        check_count(message.SerializeToString(), (11, 2), fields - 1)


@given(st.binary(max_size=60))
def test_any_bytes_are_counted_or_refused(content: bytes) -> None:
    try:
        check_count(content, (11, 2), 10)
    except ValueError:
        return
    assert len(content) <= 10 * 60


@pytest.mark.parametrize("content", [b"\x0a", b"\x0a\x05a", b"\x80" * 11, b"\x0b", b"\x5a\x02\x12\x09", b"\x0d\x01"])
def test_what_is_cut_is_no_message(content: bytes) -> None:
    with pytest.raises(ValueError, match="no message"):
        check_count(content, (11, 2), 10)
