import json

import numpy as np
import pytest

from regard.app.components.shared.packed import as_text, encode, pack
from tests.support.javascript import SHARED, evaluated
from tests.support.made_traces import decoded
from tests.support.sent import unpacked

WEIGHTS = encode(np.array([[0.1, -2.5], [np.float32(1e-30), 7.0]]))
DATA = {
    "é": "a text of odd length",
    "list": [{"weights": WEIGHTS}, {"weights": WEIGHTS}],
    "none": encode(np.zeros((3, 0))),
    "mask": encode(np.array([True, False])),
    "plain": {"shape": [2], "data": "no array"},
}


def test_arrays_arrive_exactly_behind_the_text_and_inside_it_and_each_is_sent_once() -> None:
    behind, inside = unpacked(pack(DATA).message({"step": 3})), json.loads(as_text(DATA))
    assert behind == inside | {"step": 3, "id": pack(DATA).id}
    expected = np.array([[0.1, -2.5], [1e-30, 7.0]], np.float32)
    assert np.array_equal(decoded(behind["list"][0]["weights"]), expected)
    assert len(pack(DATA).numbers) == 4 * (4 + 2)


def test_encoding_is_little_endian_float32_whatever_comes_in() -> None:
    for array in (np.array([1.5, -2.0]), np.array([1.5, -2.0], ">f4")):
        assert encode(array)["data"] == b"\x00\x00\xc0\x3f\x00\x00\x00\xc0"


def test_the_id_tells_other_texts_and_other_numbers_from_the_same_ones() -> None:
    of = [
        pack({"text": text, "array": encode(np.array([float(number)]))}).id for text, number in ("a1", "b1", "a2", "a1")
    ]
    assert len(set(of)) == 3
    assert of[0] == of[3]


def test_what_is_neither_json_nor_an_array_is_refused() -> None:
    for write in (pack, as_text):
        with pytest.raises(TypeError, match="set is neither JSON nor the bytes of an array"):
            write({"words": {"a", "b"}})


@pytest.mark.parametrize("title", ["", "a", "ab", "abc"])  # numbers begin at a whole word however long the text is
def test_the_browser_reads_what_python_packs(title: str) -> None:
    message = pack(DATA).message({"step": 3, "title": title})
    before = f"""
const padded = Uint8Array.from([9, ...{list(message)}]).subarray(1); // as protobuf gives it: no copy, at an odd place
const plain = (_, value) => (value instanceof Float32Array ? [...value] : value);"""
    read = "JSON.parse(JSON.stringify(unpack(padded), plain))"
    found = evaluated(read, {SHARED / "mounting.js": "unpack"}, before)
    assert found["list"][1]["weights"] == {"shape": [2, 2], "values": [np.float32(0.1), -2.5, np.float32(1e-30), 7.0]}
    assert (found["none"], found["mask"]["values"]) == ({"shape": [3, 0], "values": []}, [1, 0])
    assert (found["plain"], found["step"], found["title"], found["é"]) == (DATA["plain"], 3, title, DATA["é"])
