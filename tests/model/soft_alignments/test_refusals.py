import json
import tracemalloc
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from regard.model.archive import to_json, to_npz
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.formats import FORMATS, SENTENCES, read
from regard.model.soft_alignments.given_attention import TOKENS
from regard.model.soft_alignments.record import File, SecondFile
from tests.support.made_traces import SOURCE, TARGET, made_of
from tests.support.model_zips import packed, promising
from tests.support.soon import soon

TRACE = made_of(SOURCE, TARGET)
TOO_LONG = " ".join(["a"] * (TOKENS + 1))


def refused(text: str | bytes, name: str = "", source: str = "", first: int = 0) -> str:
    """Return the reason why a file is refused, or the first of its sentences that is left out."""
    content = text.encode() if isinstance(text, str) else text
    try:
        found = read("bad.txt", content, name, SecondFile(File.decode("source.txt", source.encode()), first))
    except ValueError as error:
        return str(error)
    return found.left_out[0]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (refused("0-0", first=1), "line 1: “0-0”"),
        (refused("1 ||| a ||| 0-0 ||| F0 ||| 0", source="x"), "source.txt, line 1: the sentences end here, but the"),
        (refused("a ||| 0.5,0.25,0.25", source="x"), "weights for 3 source tokens, but 1 tokens"),
        (refused(b"a ||| 1,0\nb \xff ||| 1,0"), "bad.txt, line 2: this is not text in UTF-8"),
        (refused("Call me Ishmael."), "; ".join(known.title for known in FORMATS.values())),
        (refused("Call me Ishmael."), "nearest are Pharaoh links (bad.txt, line 1: “Call” is not a link"),
        (refused("a ||| 0.5,x"), "(read as Marian, soft; nearest are"),
        (refused("a ||| 0.5,x"), "OpenNMT-py, links (bad.txt, line 1: “0.5,x” is not a link"),
        (refused("{}"), "Plain JSON (bad.txt, line 1: accepted is an object with source and weights"),
        (refused("a 0.5 0.5"), "OpenNMT-py, table (bad.txt, line 1: a row of weights, but no source"),
        *((refused(text), "bad.txt is empty") for text in ("", "\n\n", "\ufeff")),
        (refused("0-0", "moses"), "must be one of"),
        (refused(b" " * (ATTENTION_BYTES + 1)), f"{ATTENTION_BYTES + 1:,} bytes"),
        (refused("0-0\n" * (SENTENCES + 1)), f"line {SENTENCES + 1}: the first {SENTENCES:,} sentences"),
    ],
)
def test_a_file_is_refused_for_a_reason(told: str, reason: str) -> None:
    assert reason in told


@pytest.mark.parametrize(
    ("text", "name", "line", "reason"),
    [
        ("a ||| 0.5,0.5\nb ||| 0.5,x", "", 2, "“x” is not a weight"),
        ("a ||| 0.5,nan", "", 1, "“nan” is not a weight"),
        ("a ||| 0.5,-0.1", "", 1, "“-0.1” is not a weight"),
        ("a ||| 0.5,inf", "marian", 1, "“inf” is not a weight"),
        ("a ||| 0.5,1_0", "marian", 1, "“1_0” is not a weight"),
        ("a ||| 0.5,1.5", "", 1, "a number from 0 to 1"),
        ("a b c ||| 0.5,0.5", "", 1, "weights for 1 target tokens, but 3 tokens"),
        ("a b ||| 0.5,0.5 0.5", "", 1, "1 weights in a row; the rows before it have 2"),
        ("a", "marian", 1, "1 fields"),
        ("a ||| ", "marian", 1, "no weights"),
        ("a b ||| 0-0 1-x", "hard", 1, "“1-x” is not a link"),
        ("a b ||| 0-0 1-7", "", 1, "a link to target token 8, but the sentence has 2"),
        (f"0-0 {TOKENS}-0", "", 1, "beyond token"),
        ("0-0\n\n1-1", "", 2, "no links"),
        ("a ||| b ||| c ||| 0-0", "pharaoh", 1, "4 fields"),
        ("a b 0-0", "sockeye_links", 1, "no tab"),
        ("{", "sockeye_json", 1, "not JSON"),
        ("[]", "sockeye_json", 1, "not an object"),
        ('{"alignments": []}', "", 1, 'not an object with "translations"'),
        ('{"translations": ["a"], "alignments": []}', "", 1, "1 translations but 0 alignments"),
        ('{"translations": ["a"], "alignments": [[[0, true]]]}', "", 1, "[0, true] is not a link"),
        ('{"translations": ["a"], "alignments": [[[0, 1e9]]]}', "", 1, "is not a link"),
        ("0 ||| a ||| 0 ||| x ||| 2 2\n", "", 1, "no rows"),
        ("0 ||| a ||| 0 ||| x ||| 2 2\n0.5 0.5\n0.5\n", "", 3, "1 weights in a row; the rows before it have 2"),
        ("0 ||| a ||| 0 ||| x ||| 2 2\n0.5 y\n", "nematus", 2, "“y” is not a weight"),
        ("0 ||| a b c ||| 0 ||| x ||| 2 2\n1\n", "", 1, "weights for 1 target tokens, but 3 tokens"),
        ("0.5 0.5", "nematus", 1, "1 fields"),
        ("a 0.5 0.5", "opennmt", 1, "no source tokens above"),
        ("{}", "trace", 1, "not a trace"),
        ('{"source": ["a"],\n "target": [b]}', "", 2, "this is not JSON at column 13 (Expecting value)"),
        ('\n{"weights":\n[[1], [}', "plain", 3, "this is not JSON at column 8 (Expecting value)"),
        (f"{TOO_LONG} ||| {' '.join(['1'] * (TOKENS + 1))}", "marian", 1, f"more than {TOKENS:,} target tokens"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_line_and_reason(text: str, name: str, line: int, reason: str) -> None:
    told = refused(text, name)
    assert told.startswith(f"bad.txt, line {line}: ")
    assert reason in told


LONG_LINES = [
    ("149-149\n" * 5_000, ""),
    ("0-0 " * 4_900_000, ""),
    ("0-0 " * 240_000, ""),
    (" ".join(["a"] * 400_000) + " ||| 149-149", ""),
    ("a ||| " + "0.5," * 240_000, ""),
    ("a ||| " + "0.5 " * 240_000, "marian"),
    ("|||" * 300_000, "nematus"),
    ("0 ||| a ||| 0 ||| b ||| 1 1" + ("\n" + "0.5 " * 200_000) * 20, ""),
    ("0 ||| a ||| 0 ||| b ||| 1 1" + "\n0.5" * 400_000, ""),
    ("a\n" + "a 0.5\n" * 400_000, ""),
    ('{"translations": ["a"], "alignments": [[' + "[0,0]," * 150_000 + "[0,0]]]}", ""),
    ('{"types": [' + "[]," * 6_000_000 + "[]]}", ""),
    ("\n" * 19_000_000, ""),
]


@pytest.mark.parametrize("case", range(len(LONG_LINES)))
def test_what_is_too_much_for_one_sentence_is_refused_before_it_is_split(case: int) -> None:
    text, name = LONG_LINES[case]
    with soon():
        assert "bad.txt" in refused(text, name)


@pytest.mark.parametrize(
    ("sequence", "reason"),
    [
        ({}, "there is no 'source' in it"),
        (5, "there is no 'source' in it"),
        ({"source": [], "target": []}, "there is no 'source_attributions' in it"),
        ({"source": ["I"], "target": []}, "there is no 'token' in it"),
        ({"source": None, "target": []}, "'NoneType' object is not iterable"),
        ({"source": [], "target": [], "source_attributions": [[10**400]]}, "int too large"),
    ],
)
def test_a_sequence_of_inseq_without_a_key_names_it_and_what_is_accepted(sequence: object, reason: str) -> None:
    told = refused(json.dumps({"attributes": {"sequence_attributions": [sequence]}}))
    assert told.startswith(f"bad.txt, sequence 1: {reason}")
    assert '; accepted is "source" and "target", whose tokens have a "token", and' in told


@pytest.mark.parametrize("keys", ['"types": 0', '"weights": 0', '"sequence_attributions": 0', '"alignments": 0'])
def test_json_of_too_much_is_refused_before_it_is_parsed(keys: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", lambda _: pytest.fail("parsed"))
    assert "line 1: 600,001 lists and objects; up to" in refused(f'{{{keys}, "a": {"[" * 600_000}')
    many_names, many_values = '"b":' * 1_200_000, "0," * 2_000_001
    assert "line 1: 1,200,002 names; up to" in refused(f'{{{keys}, "a": {{{many_names}')
    assert "line 1: 2,000,002 values; up to 2,000,000" in refused(f'{{{keys}, "a": [{many_values}')


def changed(**otherwise: object) -> str:
    """A trace with something else in its JSON."""
    return json.dumps(json.loads(to_json(TRACE)) | otherwise)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (changed(format=1), "trace format 1"),
        (changed(types={**json.loads(to_json(TRACE))["types"], "weights": "U999999999"}), "arrays are of the types"),
        (changed(weights=[[float("nan")] * 4] * 4), "not finite"),
        (changed(weights=[[-0.5] * 4] * 4), "weights lie between -0.5"),
        (changed(source=[1, 2, 3, 4]), "tokens"),
        (changed(words={"source": ["a"] * 10**4, "target": ["b"]}), "word"),
        (changed(word_of={"source": [0, 0, 0, 0], "target": [0, 0, 0, 0]}), "each word its tokens"),
        (changed(word_of={"source": [1, 0, 1, 2], "target": [0, 1, 1, 2]}), "in order"),
        (changed(top_tokens=[["x"]] * 4), "correspond"),
        (changed(stop="never"), "stop"),
        ("{" * 5000, "this is not JSON at column 2"),
        ("[" * 100_000, "this is not JSON"),
    ],
)
def test_a_trace_that_breaks_its_promises_is_refused(text: str, reason: str) -> None:
    told = refused(text, "trace")
    assert told.startswith("bad.txt, line 1: ")
    assert reason in told


@pytest.mark.parametrize(
    ("otherwise", "reason"),
    [
        ({"weights": np.full((4, 4), -0.5, np.float32)}, "weights lie between -0.5"),
        ({"weights": np.zeros((20_000_000, 0), np.float32)}, "up to 2,000,000 elements"),
        ({"states": np.array([[None]])}, "nothing pickled"),
        ({"words": np.array(json.dumps(json.loads(to_json(TRACE)) | {"top_tokens": [3] * 4}))}, "not a trace"),
        ({"words": np.array(json.dumps(json.loads(to_json(TRACE)) | {"word_of": {"source": ["a", 1, 2, 3]}}))}, ""),
    ],
)
def test_a_trace_in_npz_that_breaks_its_promises_is_refused(otherwise: dict[str, np.ndarray], reason: str) -> None:
    file = BytesIO()
    np.savez(file, allow_pickle=True, **dict(np.load(BytesIO(to_npz(TRACE)))) | otherwise)
    told = refused(file.getvalue())
    assert told.startswith("bad.txt: ")
    assert reason in told


MATRIX = np.random.default_rng(1).dirichlet(np.ones(3), 2).astype(np.float32)


def npy(values: Any) -> bytes:
    file = BytesIO()
    np.save(file, values)
    return file.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    sides = {"source": npy(["I", "see", "it"]), "target": npy(["je", "vois"]), "weights": npy(MATRIX)}
    return packed({f"{name}.npy": content for name, content in (sides | dict(members)).items()}, top="")


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"source": promising((2_000_000, 0), "|i1")}, "source is an array of |i1"),
        ({"source": promising((2_000_000, 0), "<U1")}, "source has 2 dimensions"),
        ({"target": promising((2_000_000,), "<U0")}, "target is an array of <U0"),
        ({"source": npy(np.zeros(2_000_000, "S2"))}, "source is an array of |S2"),
        ({"target": npy(np.zeros(2_000_000, "U1"))}, "target is of shape (2000000,)"),
        ({"next_tokens": promising((2_000_000, 0, 2), "<U1")}, "next_tokens is of shape (2000000, 0, 2)"),
        ({"cross_attentions": promising((1, 1, 50_000_000, 0), "<f4")}, "cross_attentions is of shape (1, 1, 50000000"),
        ({"probabilities": npy(np.zeros(2_000_000))}, "probabilities is of shape (2000000,)"),
        ({"weights": b"0.5"}, "weights does not begin with the header"),
        ({"more": npy(MATRIX)}, "it has 'more'; accepted are arrays named"),
        ({f"m{number}": b"" for number in range(20_000)}, "lists its entries in"),
    ],
)
def test_arrays_and_members_of_an_npz_are_counted_from_their_headers(members: dict[str, bytes], reason: str) -> None:
    content = zipped(members)
    tracemalloc.start()
    try:
        told = refused(content)
        assert told.startswith("bad.txt: ")
        assert reason in told
        assert tracemalloc.get_traced_memory()[1] < len(content) + 40_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["", *FORMATS])
@settings(max_examples=60)
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.lists(st.sampled_from([*'| \n\t01-,.p:a▁{}["', "|||", "@@", "0-0", "0.5", "</s>"]), max_size=40).map(
            lambda parts: "".join(parts).encode()
        ),
    )
)
@example(content=b'{"alignments": 1, "types": 1}')
@example(content=b"9" * 5000 + b" ||| a ||| 0-0 ||| b")
def test_any_bytes_are_read_or_refused_and_weights_are_never_less_than_none(name: str, content: bytes) -> None:
    try:
        found = read("any", content, name)
    except ValueError:
        return
    for sentence in found.sentences:
        assert np.isfinite(sentence.alignment.weights).all()
        assert (sentence.alignment.weights >= 0).all()
        merged = sentence.alignment.by_words()
        assert np.isfinite(merged.weights).all()
