import io
import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.archive import from_json, from_npz, to_json, to_npz, weights_csv
from regard.model.changes.intervention import Intervention
from regard.model.trace import AnyTrace, Maker, Trace
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from regard.model.words import Span
from tests.support.small_transformer import small_transformer

FORMATS: list[tuple[Callable, Callable]] = [(to_json, from_json), (to_npz, from_npz)]
both = pytest.mark.parametrize(("write", "read"), FORMATS, ids=["json", "npz"])
NUMBERS = [0.0, -0.0, 1 / 3, -1e-45, 5e-324, 1e37, -1.7e37, np.pi]  # subnormal ones included
TOKENS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=4)


def sentence(tokens: list[str]) -> Sentence:
    spans = tuple(Span(place, place + 1) for place in range(len(tokens)))
    return Sentence("".join(tokens), "xx", tuple(tokens), tuple(tokens), tuple(range(len(tokens))), spans)


def make(source: list[str], target: list[str], cell: int, dtype: str) -> Trace:
    S, T, E, H, A, D, G, K = len(source), len(target), 2, 3, 2, 2, 4, 2
    random = np.random.default_rng(S + T)

    def numbers(*shape: int) -> ndarray:
        return random.choice(NUMBERS, shape).astype(dtype)

    return Trace(
        numbers(S, E), numbers(H), numbers(cell), numbers(T, G, H), numbers(T, H), numbers(T, cell), numbers(T, S),
        numbers(T, S), np.ones((T, S), dtype=bool), numbers(T, E), numbers(S, D), numbers(T, D),
        attentional=numbers(T, A),
        maker=Maker("tiny", "f" * 64, "general", "luong", "lstm", ("input", "forget", "candidate", "output")),
        alignment=Alignment(sentence(source), sentence(target), numbers(T, S)), stop="end",
        source_ids=np.arange(S), target_ids=np.arange(T), logits=numbers(T), log_normaliser=numbers(T),
        top_ids=np.zeros((T, K), dtype=np.int64), top_tokens=(("a", "b"),) * T, top_logits=numbers(T, K),
        intervention=Intervention(words=((0, "é'"),), hidden=(1,), weights=((0, (0.1, 0.9)),), temperature=1 / 3),
    )  # fmt: skip


def same(one: AnyTrace, other: AnyTrace) -> bool:
    """Equal to the bit, types and shapes included."""
    pairs = zip(one.arrays(), other.arrays(), strict=True)
    return (
        all((a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()) for a, b in pairs)
        and (one.maker, one.stop, one.top_tokens) == (other.maker, other.stop, other.top_tokens)
        and one.intervention == other.intervention
        and (one.alignment.source, one.alignment.target) == (other.alignment.source, other.alignment.target)
    )


@both
@given(source=TOKENS, target=TOKENS, cell=st.sampled_from([0, 3]), dtype=st.sampled_from(["float32", "float64"]))
def test_a_trace_comes_back_to_the_bit(
    write: Callable, read: Callable, source: list[str], target: list[str], cell: int, dtype: str
) -> None:
    trace = make(source, target, cell, dtype)
    assert same(read(write(trace)), trace)


def test_a_transformers_trace_comes_back_to_the_bit_and_a_damaged_one_is_refused() -> None:
    (trace,) = translate(small_transformer(), ["The cat sleeps."])
    assert all(same(read(write(trace)), trace) for write, read in FORMATS)
    values = json.loads(to_json(trace))
    assert values["format"] == 3
    for name in ("cross_attention.weights", "encoder_feed_forward.hidden", "weights"):
        assert name in TransformerTrace.array_types()
        with pytest.raises(ValueError, match=r"not a trace|reshape|fit|ask for"):
            from_json(json.dumps({**values, name: values[name][:-1] or [0.0]}))


def test_json_is_one_line_with_the_keys_that_scripts_read() -> None:
    line = to_json(make(["a", "b"], ["c"], 3, "float32"))
    values = json.loads(line, parse_constant=pytest.fail)
    assert len(line.splitlines()) == 1
    assert values["source"] == ["a", "b"]
    assert values["target"] == ["c"]
    assert all(isinstance(values[key], list) for key in ("annotations", "states", "scores", "weights", "contexts"))


@both
def test_an_archive_without_embeddings_is_read_as_embeddings_without_components(
    write: Callable, read: Callable
) -> None:
    trace, kept = make(["a", "b"], ["c"], 3, "float32"), write(make(["a", "b"], ["c"], 3, "float32"))
    if write is to_json:
        old = {name: value for name, value in json.loads(kept).items() if "embeddings" not in name}
        found = read(json.dumps(old))
    else:
        buffer = io.BytesIO()
        with np.load(io.BytesIO(kept)) as file:
            np.savez(buffer, **{name: value for name, value in file.items() if "embeddings" not in name})
        found = read(buffer.getvalue())
    assert (found.embeddings.shape, found.fed_embeddings.shape) == ((2, 0), (1, 0))
    assert np.array_equal(found.states, trace.states)


@both
def test_another_format_version_is_refused_by_its_number(write: Callable, read: Callable) -> None:
    trace = make(["a"], ["b"], 3, "float32")
    if write is to_json:
        content = json.dumps({**json.loads(write(trace)), "format": 99})
    else:
        content = changed_npz(write(trace), words={"format": 99})
    with pytest.raises(ValueError, match="99"):
        read(content)


def changed_npz(content: bytes, words: dict[str, object], **arrays: ndarray) -> bytes:
    """Return the file with some entries replaced."""
    buffer = io.BytesIO()
    with np.load(io.BytesIO(content)) as file:
        text = np.array(json.dumps({**json.loads(str(file["words"])), **words}))
        np.savez(buffer, **{**file, "words": text, **arrays})
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("weights", "heavy"), ("weights", [[1, 2], [3]]), ("states", None), ("stop", "bored"), ("model", {"name": "x"}),
        ("source", []), ("word_of", {"source": [7], "target": [0]}), ("target_ids", [10**400]), ("top_tokens", 3),
        ("types", {"weights": "S1000000000"}), ("shapes", {"weights": [7, 7]}), ("shapes", {}), ("types", {}),
        ("characters", {"source": [[1, 2, 3]], "target": []}),
    ],
)  # fmt: skip
def test_json_with_a_wrong_part_is_refused(key: str, value: object) -> None:
    values = json.loads(to_json(make(["a"], ["b"], 3, "float32")))
    with pytest.raises(ValueError, match=r"."):
        from_json(json.dumps({**values, key: value}))


def test_arrays_that_do_not_fit_each_other_are_refused_by_name() -> None:
    content = to_npz(make(["a"], ["b"], 3, "float32"))
    with pytest.raises(ValueError, match=r"contexts is an array of float32 and shape \(2, 2\)"):
        from_npz(changed_npz(content, {}, contexts=np.zeros((2, 2), dtype=np.float32)))
    with pytest.raises(ValueError, match="states is an array of int64"):
        from_npz(changed_npz(content, {}, states=np.zeros((1, 3), dtype=np.int64)))


@given(st.binary(max_size=200))
def test_bytes_that_are_no_trace_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_npz(content)


def test_the_table_of_weights_has_a_row_a_step_and_a_column_a_source_token() -> None:
    trace = make([" a", "=b", " +c", "-d", "@e"], [" c"], 3, "float32")
    header, row = weights_csv(trace).splitlines()
    assert header == "target, a,'=b,' +c,'-d,'@e"
    assert [float(weight) for weight in row.split(",")[1:]] == trace.weights[0].tolist()
