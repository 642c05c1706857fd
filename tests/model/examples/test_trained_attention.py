import numpy as np
import pytest

from regard.model.data.corpus import Pair
from regard.model.examples.operations import grid
from regard.model.examples.trained_attention import HeadPlace, Worked, blocks, head_input, worked_head, worked_layer
from regard.model.reference.transformer import TransformerParameters, load_transformer_parameters
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force


@pytest.fixture(scope="module")
def trace(transformer: PretrainedTransformer) -> TransformerTrace:
    return force(transformer, [Pair("She has a red car.", "Elle a une voiture.")])[0]


@pytest.fixture(scope="module")
def parameters(transformer: PretrainedTransformer) -> TransformerParameters:
    return load_transformer_parameters(transformer.folder)


def opens(worked: Worked) -> None:
    """Every entry of every step is what its terms make."""
    for step in worked.example.steps:
        whole = grid(worked.values[step.name])
        for place in np.ndindex(*whole.shape):
            assert step.operation.entry(worked.values, *place).combined == pytest.approx(whole[place], abs=1e-9)


@pytest.mark.parametrize("attention", ["cross", "encoder", "decoder"])
def test_the_steps_of_a_head_are_those_of_the_trace_and_every_number_opens(
    attention: str, trace: TransformerTrace, parameters: TransformerParameters
) -> None:
    part = trace.attention(attention)
    for layer, head in np.ndindex(*part.weights.shape[:2]):
        about = head_input(trace, parameters, attention, HeadPlace(layer, head, 0))
        for block in range(blocks(about)):
            worked = worked_head(about, block, masked=attention == "decoder", unscaled=attention == "cross")
            rows = len(worked.values["Q"])
            for name, own in (("Q", part.queries), ("K", part.keys), ("V", part.values)):
                expected = own[layer, head][: len(worked.values[name])]
                assert worked.values[name] == pytest.approx(expected, abs=1e-4)  # four components, all shown
            assert worked.values["weights"] == pytest.approx(part.weights[layer, head][:rows], abs=1e-5)
            assert worked.values["contexts"] == pytest.approx(part.mixed[layer, head][:rows], abs=1e-4)
            opens(worked)


def test_the_heads_of_a_layer_are_joined_added_and_normalised_as_in_the_trace(
    trace: TransformerTrace, parameters: TransformerParameters
) -> None:
    for layer, chosen, block in np.ndindex(2, 2, 2):
        worked = worked_layer(trace, parameters, HeadPlace(layer, chosen, block))
        shown = slice(4 * block, 4 * block + 4)
        rows = len(worked.values["O"])
        for name, expected in (
            ("O", trace.cross_attention.output),
            ("y", trace.cross_attention.stream),
            ("n", trace.decoder_feed_forward.normalised),
        ):
            assert worked.values[name] == pytest.approx(expected[layer][:rows, shown], abs=1e-3)
        opens(worked)
