from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from regard.app.components.shared.packed import pack
from regard.app.components.stepper.payload import payload, sides
from regard.model.checkpoint import Pretrained
from regard.model.trace import AnyTrace
from regard.model.translate import translate
from tests.support.javascript import SHARED, evaluated
from tests.support.small_transformer import small_transformer

FIELDS = {
    "weight": "weights",
    "score": "scores",
    "query": "queries",
    "key": "keys",
    "value": "values",
    "mixed": "mixed",
}


def array(encoded: dict) -> np.ndarray:
    return np.frombuffer(encoded["data"], "<f4").reshape(encoded["shape"])


def shown(trace: AnyTrace) -> dict[str, Any]:
    """Return the payload of a trace."""
    drawn: Any = payload([trace])
    return drawn["traces"][0]


def test_every_head_is_sent_as_it_was_computed() -> None:
    (trace,) = translate(small_transformer(), ["I see a red cat."])
    drawn = shown(trace)
    for attention in ("encoder", "decoder", "cross"):
        numbers = trace.attention(attention)
        for layer, sent in enumerate(drawn["heads"][attention]["layers"]):
            assert np.array_equal(array(sent["mean"]["arrays"]["weight"]), numbers.mean(layer))
            assert np.array_equal(array(sent["arrays"]["stream"]), numbers.stream[layer])
            for head, one in enumerate(sent["heads"]):
                for name, own in FIELDS.items():
                    assert np.array_equal(array(one["arrays"][name]), getattr(numbers, own)[layer, head]), (
                        attention,
                        name,
                    )
                assert np.allclose(array(one["words"]["output"]["weight"]).sum(1), 1, atol=1e-5)


def test_every_digit_that_the_browser_prints_is_that_of_the_traces_number() -> None:
    (trace,) = translate(small_transformer(), ["I see a red cat."])
    message = pack(payload([trace])).message({})
    before = f"""
const layers = unpack(Uint8Array.from({list(message)})).traces[0].heads.cross.layers;
const vectors = ({{ arrays, heads }}) => [arrays.stream, arrays.hidden, ...heads.map((head) => head.arrays.mixed)];
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


def test_the_decoder_looks_back_at_what_was_fed_and_no_further() -> None:
    (trace,) = translate(small_transformer(), ["I see a cat."])
    both = sides(trace, "decoder")
    assert both.looked_at.tokens == trace.alignment.fed()
    weights = trace.decoder_attention.weights
    assert not weights[:, :, ~both.mask].any()
    drawn = shown(trace)["heads"]
    assert drawn["decoder"]["source"]["tokens"][0]["title"] == "start of sentence"
    assert drawn["decoder"]["source"]["words"][0]["title"] == "start of sentence"
    assert drawn["encoder"]["begin"] is None
    assert drawn["encoder"]["source"] == drawn["encoder"]["target"]


def test_a_recurrent_trace_is_sent_without_heads(tiny_model: Pretrained) -> None:
    assert "heads" not in shown(*translate(tiny_model, ["I see a cat."]))
