"""One head of a trained Transformer as a worked example: its own matrices, of which a few components are shown.

    Q = X W_Qᵀ      K = H W_Kᵀ      V = H W_Vᵀ      e = Q Kᵀ / √Q      α = softmax(e)      C = α V

Vaswani et al. (2017), sections 3.2.1, 3.2.2 and 5.4 (residual connections). Everything is computed in float64 from the
vectors of a trace and the parameters of the file; a sum is its shown terms and, as one number, the rest. That is how a
product of vectors with hundreds of components fits on a page: (x W)_j = x_1 W_1j + … + x_k W_kj + rest_j.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import token_label
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.operations import (
    Divided,
    Gained,
    Masked,
    Names,
    Product,
    Softmax,
    Standardised,
    Sum,
    Values,
)
from regard.model.reference.transformer import EPSILON, TransformerParameters
from regard.model.tokenizer import PAD
from regard.model.transformer.trace import TransformerTrace
from regard.model.transformer.transformer import Transformer

SHOWN = 4  # components of a vector
ROWS = 8  # rows: query vectors
COLUMNS = 16  # key vectors; nothing is drawn for longer sentences
PADDED = 2  # tokens of padding shown


class Worked(NamedTuple):
    """An example with its values, which are larger than the matrices that a reader may change."""

    example: Example
    values: Values


class HeadPlace(NamedTuple):
    """One head of one layer, and the block of components of its vectors that is shown; all count from 0."""

    layer: int
    head: int
    block: int


class HeadParameters(NamedTuple):
    """The parameters of one head, as the file has them: queries are W_Q x."""

    W_Q: Float[ndarray, "Q D"]
    W_K: Float[ndarray, "Q D"]
    W_V: Float[ndarray, "Q D"]
    W_O: Float[ndarray, "D Q"]


@dataclass(frozen=True, eq=False)
class HeadInput:
    """One head, the vectors it projects to queries and to keys, and their names; `mask` is true where it may attend."""

    title: str
    source: str  # the origin of its numbers
    asking: Float[ndarray, "T D"]
    rows: Names
    looked_at: Float[ndarray, "S D"]
    columns: Names
    parameters: HeadParameters
    mask: Bool[ndarray, "T S"]
    symbol: str = "X"  # of what asks
    unmasked: bool = False  # true if the head has a mask that is left out


def head_parameters(parameters: TransformerParameters, attention: str, layer: int, head: int) -> HeadParameters:
    """Return the projections of `encoder`, `decoder` or `cross` attention, in float64."""
    side, name = {
        "encoder": ("encoder", "attention"),
        "decoder": ("decoder", "self_attention"),
        "cross": ("decoder", "cross_attention"),
    }[attention]
    place = f"{side}.layers.{layer}.{name}"
    W_Q, W_K, W_V, W_O = (
        parameters[f"{place}.{matrix}.weight"].astype(np.float64) for matrix in ("W_Q", "W_K", "W_V", "W_O")
    )
    size = len(W_Q) // parameters.heads
    own = slice(head * size, (head + 1) * size)
    return HeadParameters(W_Q[own], W_K[own], W_V[own], W_O[:, own])


def head_input(
    trace: TransformerTrace, parameters: TransformerParameters, attention: str, place: HeadPlace, masked: bool = True
) -> HeadInput:
    """Return one head of `cross`, `encoder` or `decoder` attention; `masked` keeps the decoder's mask."""
    part = trace.attention(attention)
    source, target = (tuple(map(token_label, tokens)) for tokens in (trace.source, trace.target))
    fed = tuple(map(token_label, trace.alignment.fed()))
    rows, columns = {"cross": (target, source), "encoder": (source, source), "decoder": (fed, fed)}[attention]
    asking, causal = part.normalised[place.layer], attention == "decoder"
    return HeadInput(
        f"Layer {place.layer + 1}, head {place.head + 1}",
        f"the model {trace.maker.name}",
        asking,
        rows,
        trace.annotations if attention == "cross" else asking,
        columns,
        head_parameters(parameters, attention, place.layer, place.head),
        np.tri(len(rows), dtype=bool) if causal and masked else np.ones((len(rows), len(columns)), dtype=bool),
        symbol="X" if attention == "cross" else "H",
        unmasked=causal and not masked,
    )


def padded_head_input(
    trace: TransformerTrace, parameters: TransformerParameters, network: Transformer, place: HeadPlace
) -> HeadInput:
    """Return the encoder's head with padding after the sentence, as in a batch of longer ones."""
    padded = torch.tensor([[*trace.source_ids.tolist(), *[PAD] * PADDED]])
    with torch.inference_mode():
        vectors = network.encode(padded).encoded.layers[place.layer].attention.normalised[0].numpy()
    head = head_input(trace, parameters, "encoder", place)
    names = (*head.columns, *["<pad>"] * PADDED)
    visible = np.tile(np.arange(len(names)) < len(head.columns), (len(names), 1))
    return replace(head, asking=vectors, looked_at=vectors, rows=names, columns=names, mask=visible)


def blocks(head: HeadInput) -> int:
    """Return the number of blocks of components to page through."""
    return -(-head.asking.shape[1] // SHOWN)


def worked_head(head: HeadInput, block: int, masked: bool = False, unscaled: bool = False) -> Worked:
    """Return the head's steps; `masked` adds its mask, `unscaled` the softmax without the division."""
    X, H = head.asking[:ROWS].astype(np.float64), head.looked_at.astype(np.float64)
    rows, columns, size = head.rows[:ROWS], head.columns, len(head.parameters.W_Q)
    (stream, inner), (own, outer) = _shown(X.shape[1], block), _shown(size, block)
    givens = [
        Given("X", head.symbol, "What asks, a row for each token.", X[:, stream], (), rows, inner),
        Given("H", "H", "What is asked.", H[:, stream], (), columns, inner),
    ]
    whole = {}
    for name, of, vectors in (("Q", "X", X), ("K", "H", H), ("V", "H", H)):
        W = getattr(head.parameters, f"W_{name}").T
        tokens = rows if of == "X" else columns
        whole[name], part = vectors @ W, W[stream, own]
        rest = whole[name][:, own] - vectors[:, stream] @ part
        givens += [
            Given(f"W_{name}", rf"W_{name}^\top", "Learned.", part, (), inner, outer),
            Given(f"R_{name}", f"R_{name}", "The other components' part.", rest, (), tokens, outer),
        ]
    products = whole["Q"] @ whole["K"].T - whole["Q"][:, own] @ whole["K"][:, own].T
    mask = head.mask[:ROWS].astype(np.float64)
    givens += [
        Given("R", "R", "The other components' part of the products.", products, (), rows, columns),
        Given("divisor", rf"\sqrt{{{size}}}", f"A query has {size} components.", np.array(size**0.5)),
        Given("mask", "M", "1 where may be looked.", mask, (), rows, columns),
    ]
    whose = "what the head's attention would be if it masked nothing" if head.unmasked else "the head's attention"
    steps = (
        Step("Q", "Q", Product("X", "W_Q", rest="R_Q"), "Every row becomes a query: what it asks for."),
        Step("K", "K", Product("H", "W_K", rest="R_K"), "Every row becomes a key: what it can be found by."),
        Step("V", "V", Product("H", "W_V", rest="R_V"), "And a value: what it gives when it is found."),
        Step("products", r"Q K^\top", Product("Q", "K", True, rest="R"), "Every query times every key."),
        *[UNSCALED] * unscaled,
        Step("scores", "e", Divided("products", "divisor"), "The products, divided by the root of a query's size."),
        *[MASKED] * masked,
        Step("weights", r"\alpha", Softmax("masked" if masked else "scores"), f"The softmax of every row: {whose}."),
        Step("contexts", "C", Product("weights", "V"), "The values added up, each multiplied by its weight."),
    )
    return _worked("head", head, givens, steps)


UNSCALED = Step("sharp", r"\alpha_{\text{unscaled}}", Softmax("products"),
                "What the softmax would make of the products as they are.")  # fmt: skip
MASKED = Step("masked", r"\tilde{e}", Masked("scores", "mask"), "A masked score becomes −∞.")


def _shown(size: int, block: int) -> tuple[slice, Names]:
    """Return the components of a block and their numbers, from 1; vectors of fewer components start over."""
    first = SHOWN * (block % -(-size // SHOWN))
    last = min(first + SHOWN, size)
    return slice(first, last), tuple(str(number) for number in range(first + 1, last + 1))


def _worked(name: str, head: HeadInput, givens: list[Given], steps: tuple[Step, ...]) -> Worked:
    example = Example(name, head.title, "", head.source, tuple(givens), steps)
    return Worked(example, example.computed(example.matrices()))


def worked_layer(trace: TransformerTrace, parameters: TransformerParameters, place: HeadPlace) -> Worked:
    """Join what all heads of a layer's cross-attention found by W_O, add it to the residual stream, and normalise."""
    layer, chosen = place.layer, place.head
    heads = [head_input(trace, parameters, "cross", place._replace(head=head)) for head in range(parameters.heads)]
    weights, stream = trace.cross_attention.weights[layer], trace.decoder_attention.stream[layer]
    norm = (parameters[f"decoder.layers.{layer}.feed_forward_norm.{name}"] for name in ("weight", "bias"))
    rows, (part, names) = heads[0].rows[:ROWS], _shown(stream.shape[1], place.block)
    own, inner = _shown(len(heads[0].parameters.W_Q), place.block)
    before, added = stream[:ROWS].astype(np.float64), []
    for each, alpha in zip(heads, weights[:, :ROWS].astype(np.float64), strict=True):
        C = alpha @ (each.looked_at.astype(np.float64) @ each.parameters.W_V.T)
        added.append((C, C @ each.parameters.W_O.T))
    C, W_O = added[chosen][0][:, own], heads[chosen].parameters.W_O.T[own, part]
    after = before + np.sum([found for _, found in added], axis=0)
    gain, bias = (each.astype(np.float64)[None, part] for each in norm)
    parts, number = [f"A_{head + 1}" for head in range(len(heads))], chosen + 1
    rest = added[chosen][1][:, part] - C @ W_O
    givens = [
        Given("C", f"C_{number}", "What the head found.", C, (), rows, inner),
        Given("W_O", rf"W_{{O{number}}}^\top", "Its part of W_O.", W_O, (), inner, names),
        Given("R_O", "R", "The other components' part.", rest, (), rows, names),
        *(Given(name, name, f"What head {name[2:]} adds.", found[:, part], (), rows, names)
          for name, (_, found) in zip(parts, added, strict=True) if name != parts[chosen]),
        Given("x", "x", "The residual stream before.", before[:, part], (), rows, names),
        Given("mean", r"\mu", f"The mean of all {after.shape[1]} components.", after.mean(axis=1, keepdims=True),
              rows=rows),
        Given("deviation", r"\sigma", "Their deviation.", np.sqrt(after.var(axis=1, keepdims=True) + EPSILON),
              rows=rows),
        Given("g", "g", "Learned gains.", gain, columns=names),
        Given("b", "b", "Learned biases.", bias, columns=names),
    ]  # fmt: skip
    return _worked("layer", heads[chosen], givens, _joining(parts, chosen))


def _joining(parts: list[str], chosen: int) -> tuple[Step, ...]:
    """Return the steps after the heads: their sum, the residual connection and the layer normalisation."""
    return (
        Step(parts[chosen], parts[chosen], Product("C", "W_O", rest="R_O"),
             "The head's own part of the matrix that joins the heads makes what it adds."),
        Step("O", "O", Sum(*parts),
             "What all heads of the layer add: the same as joining them and multiplying by all of W_O."),
        Step("y", "y", Sum("x", "O"), "The residual connection: what the heads found is added to what was there "
             "before."),
        Step("z", "z", Standardised("y", "mean", "deviation"),
             "Layer normalisation: every row less its mean, divided by its deviation, over all its components."),
        Step("n", "n", Gained("z", "g", "b"), "Times a learned gain, plus a learned bias: what the next part reads."),
    )  # fmt: skip
