import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.input_validation import bounded_json
from tests.support.hostile_values import JSON


@pytest.mark.parametrize(
    "text",
    [
        "[" * 9 + "]" * 9, "[" * 100_000, '{"a":' * 20_000, "NaN", "[1e400]", "-Infinity", "9" * 400, '"\\ud800"',
        '{"\\ud800": 1}',
        "[" + "1," * 20_000 + "1]", '"' + "a" * 300_000 + '"', "", "{", "'x'", "9007199254740993",
    ],
)  # fmt: skip
def test_what_is_beyond_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        bounded_json.read(text)


@pytest.mark.parametrize("text", JSON, ids=range(len(JSON)))
def test_whatever_is_sent_it_is_read_or_a_value_error(text: str) -> None:
    try:
        read = bounded_json.read(text)
    except ValueError:
        return
    json.dumps(read).encode()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15) | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=8,
    )
)
def test_what_a_page_sends_is_read_as_python_reads_it(value: object) -> None:
    assert bounded_json.read(json.dumps([value])) == [value]
