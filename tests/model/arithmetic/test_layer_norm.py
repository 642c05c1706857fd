import numpy as np
import pytest

from regard.model.arithmetic.derivation import Derivation
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.checkpoint import shipped
from regard.model.reference.transformer import EPSILON, load_transformer_parameters, recompute_transformer
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate

NAME = "reverse-transformer"


@pytest.mark.parametrize(
    ("asked", "stream"),
    [
        (Quantity("normalised", attention="decoder", layer=0, row=2, component=5), "embedded"),
        (Quantity("normalised", attention="cross", layer=1, row=2, component=5), "attention_stream"),
        (Quantity("feed_forward_normalised", attention="encoder", layer=1, row=2, component=5), "attention_stream"),
        (Quantity("annotation", position=2, component=5), "feed_forward_stream"),
        (Quantity("attentional", step=2, component=5), "feed_forward_stream"),
    ],
)
def test_a_normalised_component_opens_to_the_mean_and_the_deviation_of_the_stream(asked: Quantity, stream: str) -> None:
    (trace,) = translate(load_transformer(shipped(NAME)), ["2 5 9"])
    parameters = load_transformer_parameters(shipped(NAME))
    recomputed = recompute_transformer(parameters, trace.source_ids, trace.target_ids)

    def opened(quantity: Quantity) -> Derivation:
        return work_out_transformer(quantity, trace, recomputed, parameters)

    component, mean, deviation = (
        next(one for one in opened(asked).opens if one.kind == f"{stream}{part}")
        for part in ("", "_mean", "_deviation")
    )
    size = trace.annotations.shape[1]
    vector = np.array([opened(Quantity(**{**vars(component), "component": j})).shown for j in range(size)])
    assert opened(mean).recomputed == pytest.approx(vector.mean(), abs=1e-5)
    assert opened(deviation).recomputed == pytest.approx(np.sqrt(vector.var() + EPSILON), rel=1e-5)
    assert opened(deviation).combined == pytest.approx(opened(deviation).recomputed, rel=1e-9)
    for working in (opened(mean), opened(deviation)):
        assert working.shown is None
        assert working.opens[-1].kind == component.kind
        assert len(working.terms) + working.rest_count == size + (working.ending == "root")
