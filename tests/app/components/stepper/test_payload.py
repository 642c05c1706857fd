import json
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import numpy as np
import pytest

from regard.app.components.shared.modules import STEPPER, script
from regard.app.components.shared.packed import as_text, pack
from regard.app.components.stepper.payload import ASKING, Head, changeable, formula, payload
from regard.app.theme import component, percent
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import translate
from regard.model.words import END
from tests.support.javascript import SHARED, evaluated
from tests.support.made_traces import MAKER, SOURCE, TARGET, decoded, made_of, sentence
from tests.support.small_transformer import small_transformer

SCRIPT = script(STEPPER / "streamlit.js")
ARRAYS = (
    "annotation initial_state initial_cell state cell context attentional embedding fed_embedding score weight "
    "top_probability rest log_probability mask"
).split()


@pytest.fixture
def trace() -> Trace:
    return made_of(SOURCE, TARGET)


def shown(trace: AnyTrace) -> dict:
    """The one trace of a payload, after a journey through JSON."""
    return json.loads(as_text(payload([trace])))["traces"][0]


@pytest.mark.parametrize("name", ARRAYS)
def test_every_array_arrives_exactly(trace: Trace, name: str) -> None:
    plural = {"top_probability": "top_probabilities", "log_probability": "log_probabilities"}.get(name, f"{name}s")
    array = getattr(trace, plural if hasattr(trace, plural) else name)
    assert np.array_equal(decoded(shown(trace)["arrays"][name]), array)


def test_languages_are_those_of_the_trace_and_an_invented_one_is_left_out() -> None:
    german = made_of(sentence("de", (" Haus", END), (0, 1)), sentence("plain", (" 7", END), (0, 1)))
    drawn = shown(german)
    assert (drawn["source"]["language"], drawn["target"]["language"]) == ("de", "")


def test_a_column_has_its_head_and_the_words_that_the_first_has_other(trace: Trace) -> None:
    other = made_of(SOURCE, sentence("fr", (" un", " foot", "ball", END), (0, 1, 1, 2)), seed=1)
    heads = [Head("general"), Head("dot", (("time", "84 ms"),))]
    first, second = json.loads(as_text(payload([trace, other], heads)))["traces"]
    assert [piece["kind"] for piece in first["head"]["pieces"]] == ["same"]
    assert second["head"]["pieces"][0] == {"text": "un", "kind": "other"}
    assert (second["head"]["title"], second["head"]["facts"]) == ("dot", [["time", "84 ms"]])
    assert second["head"]["log_probability"] == other.log_probability


def test_every_score_and_wiring_has_its_formula() -> None:
    assert ASKING.keys() == {*WIRINGS, "transformer"}
    for score, (wiring, asking) in product(set(SCORES) - {"none"}, (("luong", "s_{t}"), ("bahdanau", "s_{t−1}"))):
        assert asking in formula(replace(MAKER, score=score, wiring=wiring))
    assert formula(replace(MAKER, score="scaled dot", wiring="transformer")) == "e_{ti} = q_t · k_i / √d_k"
    with pytest.raises(KeyError):
        formula(replace(MAKER, score="scaled dot"))  # heads have a score of this name; a recurrent network has none


def test_a_translation_that_nobody_changed_is_sent_once_with_both_its_heads(trace: Trace) -> None:
    drawn = changeable(trace, trace, (Head("Before"), Head("After")), {"hidden": []})
    assert len(drawn["traces"]) == 1
    assert "head" not in drawn["traces"][0]
    assert [head["title"] for head in drawn["what_if"]["heads"]] == ["Before", "After"]


def test_data_enters_the_page_as_text_only() -> None:
    for door in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
        assert door not in SCRIPT


def test_the_browser_writes_numbers_as_the_rest_of_the_app_does() -> None:
    values = [0.0, 0.12345, 0.9999, 1.0, -3.14159, 1e-9, float(np.float32(0.1))]
    written = f"{json.dumps(values)}.map((v) => [percent(v), twoDecimals(v), exact(Math.fround(v))])"
    answer = evaluated(written, {SHARED / "numbers.js": "percent, twoDecimals, exact"})
    assert [(one, two) for one, two, _ in answer] == [(percent(value), component(value)) for value in values]
    assert [np.float32(digits.replace("−", "-")) for *_, digits in answer] == [np.float32(value) for value in values]


def test_every_head_is_sent_as_it_was_computed() -> None:
    (trace,) = translate(small_transformer(), ["I see a red cat."])
    drawn = shown(trace)
    for attention in ("encoder", "decoder", "cross"):
        numbers = trace.attention(attention)
        for layer, sent in enumerate(drawn["heads"][attention]["layers"]):
            assert np.array_equal(decoded(sent["mean"]["weight"]), numbers.mean(layer))
            assert np.array_equal(decoded(sent["arrays"]["stream"]), numbers.stream[layer])
            for head, one in enumerate(sent["heads"]):
                for plural in ("weights", "scores", "queries", "keys", "values", "mixed"):
                    name = plural.removesuffix("s").replace("querie", "query")
                    own = getattr(numbers, plural)[layer, head]
                    assert np.array_equal(decoded(one[name]), own), (attention, name)


def test_every_digit_that_the_browser_prints_is_that_of_the_traces_number() -> None:
    (trace,) = translate(small_transformer(), ["I see a red cat."])
    message = pack(payload([trace])).message({})
    before = f"""
const layers = unpack(Uint8Array.from({list(message)})).traces[0].heads.cross.layers;
const vectors = ({{ arrays, heads }}) => [arrays.stream, arrays.hidden, ...heads.map((head) => head.mixed)];
const arrays = layers.flatMap(vectors);"""
    read = "arrays.map(({ values }) => Array.from(values, (value) => [twoDecimals(value), about(value)]))"
    printed = evaluated(read, {SHARED / "mounting.js": "unpack", SHARED / "numbers.js": "about, twoDecimals"}, before)
    attention, after = trace.cross_attention, trace.decoder_feed_forward
    vectors = [
        array for layer in range(2) for array in (attention.stream[layer], after.hidden[layer], *attention.mixed[layer])
    ]
    assert printed == [[[_two_decimals(value), _three_digits(value)] for value in array.ravel()] for array in vectors]


def _two_decimals(value: np.float32) -> str:
    return str(_rounded(value, -2)).replace("-0.00", "0.00").replace("-", "−")


def _three_digits(value: np.float32) -> str:
    exact = _rounded(value, max(-6, Decimal(float(value)).adjusted() - 2) if abs(value) >= 1e-3 else -6)
    return f"≈ {float(exact):g}".replace("-", "−") if exact else "≈ 0"


def _rounded(value: np.float32, last: int) -> Decimal:
    """The number with its last digit at this power of 10."""
    return Decimal(float(value)).quantize(Decimal((0, (1,), last)), ROUND_HALF_UP)
