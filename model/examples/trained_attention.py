"""One head of a trained Transformer as a worked example: its own matrices, of which a few components are shown.

    Q = X W_Qᵀ      K = H W_Kᵀ      V = H W_Vᵀ      e = Q Kᵀ / √Q      α = softmax(e)      C = α V

Vaswani et al. (2017), sections 3.2.1, 3.2.2 and 5.4 (residual connections). Everything is computed in float64 from the
vectors of a trace and the parameters of the file; a sum is its shown terms and, as one number, the rest.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.examples.entries import Masked, Product, Softmax, Sum, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.partial import Divided, Gained, PartProduct, Standardised
from regard.model.reference.formulas import softmax
from regard.model.reference.transformer import EPSILON, TransformerParameters

SHOWN = 4  # components of a vector
ROWS = 8  # rows: query vectors
COLUMNS = 16  # key vectors; nothing is drawn for longer sentences
Names = tuple[str, ...]


class Worked(NamedTuple):
    """An example with its values, which are larger than the matrices that a reader may change."""

    example: Example
    values: Values


class HeadParameters(NamedTuple):
    """The parameters of one head, as the file has them: queries are W_Q x."""

    W_Q: Float[ndarray, "Q D"]
    W_K: Float[ndarray, "Q D"]
    W_V: Float[ndarray, "Q D"]
    W_O: Float[ndarray, "D Q"]


@dataclass(frozen=True, eq=False)
class AskedHead:
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


def blocks(asked: AskedHead) -> int:
    """Return the number of blocks of components to page through."""
    return -(-asked.asking.shape[1] // SHOWN)


def worked_head(asked: AskedHead, block: int, hidden: bool = False, unscaled: bool = False) -> Worked:
    """Return the head's steps; `hidden` adds its mask, `unscaled` the softmax without the division."""
    table = asked.rows[:ROWS], asked.columns
    values, givens, steps, queries, keys = _projected(asked, block)
    size, mask = queries.shape[1], asked.mask[:ROWS]
    values["products"] = queries @ keys.T
    values["R"] = values["products"] - values["Q"] @ values["K"].T
    values["divisor"], values["scores"] = np.array(size**0.5), values["products"] / size**0.5
    values["mask"], values["masked"] = mask.astype(np.float64), np.where(mask, values["scores"], -np.inf)
    values["sharp"] = softmax(np.where(mask, values["products"], -np.inf))
    values["weights"] = softmax(values["masked"])
    values["contexts"] = values["weights"] @ values["V"]
    givens += [
        Given("R", "R", "The other components' part of the products.", values["R"], (), *table),
        Given("divisor", rf"\sqrt{{{size}}}", f"A query has {size} components.", values["divisor"]),
        Given("mask", "M", "1 where may be looked.", values["mask"], (), *table),
    ]
    sharp = Step("sharp", r"\alpha_{\text{unscaled}}", r"\mathrm{softmax}(Q K^\top)",
                 "What the softmax would make of the products as they are.", Softmax("products"), *table)  # fmt: skip
    whose = "what the head's attention would be if it hid nothing" if asked.unmasked else "the head's attention"
    masked = Step("masked", r"\tilde{e}", r"e \text{ where } M = 1", "A hidden score becomes −∞.",
                  Masked("scores", "mask"), *table)  # fmt: skip
    steps += [
        Step("products", r"Q K^\top", r"Q K^\top", "Every query times every key.",
             PartProduct("Q", "K", "R", transposed=True), *table),
        *[sharp] * unscaled,
        Step("scores", "e", rf"Q K^\top / \sqrt{{{size}}}", "The products, divided by the root of a query's size.",
             Divided("products", "divisor"), *table),
        *[masked] * hidden,
        Step("weights", r"\alpha", rf"\mathrm{{softmax}}({masked.symbol if hidden else 'e'})",
             f"The softmax of every row: {whose}.", Softmax("masked" if hidden else "scores"), *table),
        Step("contexts", "C", r"\alpha V", "The values added up, each as much as its weight says.",
             Product("weights", "V"), table[0], steps[2].columns),
    ]  # fmt: skip
    return Worked(Example("head", asked.title, "", asked.source, dict, tuple(givens), tuple(steps)), values)


class _Projected(NamedTuple):
    """Queries, keys and values: their shown components, and queries and keys whole."""

    values: dict[str, ndarray]
    givens: list[Given]
    steps: list[Step]
    queries: Float[ndarray, "T Q"]
    keys: Float[ndarray, "S Q"]


def _projected(asked: AskedHead, block: int) -> _Projected:
    X, H = asked.asking[:ROWS].astype(np.float64), asked.looked_at.astype(np.float64)
    inner, outer = _components(block, X.shape[1]), _components(block, len(asked.parameters.W_Q))
    values: dict[str, ndarray] = {"X": X[:, inner], "H": H[:, inner]}
    givens = [
        Given("X", asked.symbol, "What asks, a row for each token.", values["X"], (), asked.rows[:ROWS],
              _numbers(inner)),
        Given("H", "H", "What is asked.", values["H"], (), asked.columns, _numbers(inner)),
    ]  # fmt: skip
    steps, whole = [], []
    for name, of, vectors, W, text in (
        ("Q", "X", X, asked.parameters.W_Q.T, "Every row becomes a query: what it asks for."),
        ("K", "H", H, asked.parameters.W_K.T, "Every row becomes a key: what it can be found by."),
        ("V", "H", H, asked.parameters.W_V.T, "And a value: what it gives when it is found."),
    ):
        whole.append(vectors @ W)
        values |= {f"W_{name}": W[inner, outer], name: whole[-1][:, outer]}
        values[f"R_{name}"] = values[name] - values[of] @ values[f"W_{name}"]
        table = (asked.rows[:ROWS] if of == "X" else asked.columns), _numbers(outer)
        givens += [
            Given(f"W_{name}", rf"W_{name}^\top", "Learned.", values[f"W_{name}"], (), _numbers(inner), table[1]),
            Given(f"R_{name}", f"R_{name}", "The other components' part.", values[f"R_{name}"], (), *table),
        ]
        symbol = asked.symbol if of == "X" else "H"
        making = PartProduct(of, f"W_{name}", f"R_{name}")
        steps.append(Step(name, name, rf"{symbol} W_{name}^\top", text, making, *table))
    return _Projected(values, givens, steps, whole[0], whole[1])


def worked_layer(
    asked: tuple[AskedHead, ...],
    chosen: int,
    weights: Float[ndarray, "N T S"],
    stream: Float[ndarray, "T D"],
    norm: tuple[Float[ndarray, " D"], Float[ndarray, " D"]],
    block: int,
) -> Worked:
    """Join the heads' outputs by W_O, add them to the residual stream and normalise. `asked` are all heads of a layer,
    `weights` theirs; `stream` is what the layer's attention was added to, and `norm` gain and bias of the layer
    normalisation that comes next."""
    whole, own = stream.shape[1], asked[0].parameters.W_Q.shape[0]
    outer, inner = _components(block, whole), _components(block, own)
    values, parts = _layer_values(asked, chosen, weights, stream, norm, (outer, inner))
    mine, rows, names = parts[chosen], asked[0].rows[:ROWS], _numbers(outer)
    table = rows, names
    givens = [
        Given("C", f"C_{chosen + 1}", "What the head found.", values["C"], (), rows, _numbers(inner)),
        Given("W_O", rf"W_{{O{chosen + 1}}}^\top", "Its part of W_O.", values["W_O"], (), _numbers(inner), names),
        Given("R_O", "R", "The other components' part.", values["R_O"], (), *table),
        *(Given(name, f"A_{head + 1}", f"What head {head + 1} adds.", values[name], (), *table)
          for head, name in enumerate(parts) if name != mine),
        Given("x", "x", "The residual stream before.", values["x"], (), *table),
        Given("mean", r"\mu", f"The mean of all {whole} components.", values["mean"], rows=rows),
        Given("deviation", r"\sigma", "Their deviation.", values["deviation"], rows=rows),
        Given("g", "g", "Learned gains.", values["g"], columns=names),
        Given("b", "b", "Learned biases.", values["b"], columns=names),
    ]  # fmt: skip
    steps = [
        Step(mine, f"A_{chosen + 1}", rf"C_{chosen + 1} W_{{O{chosen + 1}}}^\top",
             "The head's own part of the matrix that joins the heads makes what it adds.",
             PartProduct("C", "W_O", "R_O"), *table),
        Step("O", "O", " + ".join(f"A_{head + 1}" for head in range(len(asked))),
             "What all heads of the layer add: the same as joining them and multiplying by all of W_O.",
             Sum(tuple(parts)), *table),
        *_normalising(table),
    ]  # fmt: skip
    head = asked[chosen]
    return Worked(Example("layer", head.title, "", head.source, dict, tuple(givens), tuple(steps)), values)


def _normalising(table: tuple[Names, Names]) -> list[Step]:
    """Return the steps after the heads: the residual connection and the layer normalisation."""
    return [
        Step("y", "y", "x + O", "The residual connection: what the heads found is added to what was there before.",
             Sum(("x", "O")), *table),
        Step("z", "z", r"(y - \mu) / \sigma",
             "Layer normalisation: every row less its mean, divided by its deviation, over all its components.",
             Standardised("y", "mean", "deviation"), *table),
        Step("n", "n", r"z \odot g + b", "Times a learned gain, plus a learned bias: what the next part reads.",
             Gained("z", "g", "b"), *table),
    ]  # fmt: skip


def _layer_values(
    asked: tuple[AskedHead, ...],
    chosen: int,
    weights: Float[ndarray, "N T S"],
    stream: Float[ndarray, "T D"],
    norm: tuple[Float[ndarray, " D"], Float[ndarray, " D"]],
    components: tuple[slice, slice],
) -> tuple[dict[str, ndarray], list[str]]:
    """Compute the values of `worked_layer` at components of the stream and of a head, and name each head's part."""
    outer, inner = components
    added = []
    for each, alpha in zip(asked, weights[:, :ROWS].astype(np.float64), strict=True):
        C = alpha @ (each.looked_at.astype(np.float64) @ each.parameters.W_V.T)
        added.append((C, C @ each.parameters.W_O.T))
    C, part = added[chosen]
    W_O = asked[chosen].parameters.W_O.T
    values: dict[str, ndarray] = {"C": C[:, inner], "W_O": W_O[inner, outer]}
    values["R_O"] = part[:, outer] - values["C"] @ values["W_O"]
    parts = [f"A_{head + 1}" for head in range(len(asked))]
    values |= {name: found[:, outer] for name, (_, found) in zip(parts, added, strict=True)}
    whole_output = np.sum([found for _, found in added], axis=0)
    before = stream[:ROWS].astype(np.float64)
    after = before + whole_output
    values |= {"O": whole_output[:, outer], "x": before[:, outer], "y": after[:, outer]}
    values["mean"] = after.mean(axis=1, keepdims=True)
    values["deviation"] = np.sqrt(after.var(axis=1, keepdims=True) + EPSILON)
    values["z"] = (values["y"] - values["mean"]) / values["deviation"]
    gain, bias = (each.astype(np.float64)[None, outer] for each in norm)
    values |= {"g": gain, "b": bias, "n": values["z"] * gain + bias}
    return values, parts


def _components(block: int, size: int) -> slice:
    """Return the shown components of a vector; a shorter vector starts over at its first block."""
    first = SHOWN * (block % -(-size // SHOWN))
    return slice(first, min(first + SHOWN, size))


def _numbers(components: slice) -> Names:
    return tuple(str(number + 1) for number in range(components.start, components.stop))
