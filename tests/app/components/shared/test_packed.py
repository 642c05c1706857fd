import json

import numpy as np
import pytest

from regard.app.components.shared.packed import as_text, encode, pack
from tests.support.javascript import SHARED, evaluated
from tests.support.made_traces import decoded
from tests.support.sent import unpacked

DATA = {
    "é": "a text of odd length",
    "list": [{"weights": encode(np.array([[0.1, -2.5], [np.float32(1e-30), 7.0]]))}],
    "none": encode(np.zeros((3, 0))),
    "mask": encode(np.array([True, False])),
    "sparse": encode(np.where(np.arange(100) % 7 == 3, -0.0, np.arange(100) % 9 == 0).reshape(4, 25)),
    "nothing": encode(np.zeros(130)),
    "plain": {"shape": [2], "data": "no array"},
}


def test_arrays_arrive_exactly_behind_the_text_and_inside_it() -> None:
    behind, inside = unpacked(pack(DATA).message({"step": 3})), json.loads(as_text(DATA))
    assert behind == inside | {"step": 3, "id": pack(DATA).id}
    expected = np.array([[0.1, -2.5], [1e-30, 7.0]], np.float32)
    assert np.array_equal(decoded(behind["list"][0]["weights"]), expected)


def test_what_stands_twice_and_what_is_0_is_sent_once_or_not_at_all() -> None:
    random = np.random.default_rng(1).normal(size=400)
    relu = encode(np.where(np.arange(400) % 10, 0, random))
    assert len(pack({"one": encode(random), "two": encode(random)}).numbers) == 1600
    assert len(pack({"hidden": relu}).numbers) == 4 * (13 + 40)
    assert unpacked(pack({"hidden": relu}).message({}))["hidden"] == json.loads(as_text(relu))


def test_encoding_is_little_endian_float32_whatever_comes_in() -> None:
    for array in (np.array([1.5, -2.0]), np.array([1.5, -2.0], ">f4")):
        assert encode(array)["data"] == b"\x00\x00\xc0\x3f\x00\x00\x00\xc0"


def test_the_id_tells_other_texts_and_other_numbers_from_the_same_ones() -> None:
    ids = [
        pack({"text": text, "array": encode(np.array([number]))}).id for text, number in (("a", 1), ("b", 1), ("a", 2))
    ]
    assert len(set(ids)) == 3
    assert pack({"text": "a", "array": encode(np.array([1.0]))}).id == ids[0]


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
    assert found["list"][0]["weights"] == {"shape": [2, 2], "values": [np.float32(0.1), -2.5, np.float32(1e-30), 7.0]}
    assert (found["none"], found["mask"]["values"]) == ({"shape": [3, 0], "values": []}, [1, 0])
    assert (found["plain"], found["step"], found["title"], found["é"]) == (DATA["plain"], 3, title, DATA["é"])
    assert found["nothing"] == {"shape": [130], "values": [0] * 130}
    assert found["sparse"] == {
        "shape": [4, 25],
        "values": decoded(json.loads(as_text(DATA["sparse"]))).ravel().tolist(),
    }
