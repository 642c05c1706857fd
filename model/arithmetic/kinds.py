"""Kinds of number that can be opened: where one stands, what it is called, and its symbol in a formula.

`(i)` above the line of a symbol: with all weight of the step on source token i.
"""

from typing import NamedTuple


class NumberKind(NamedTuple):
    """`indices` are the fields of a `Quantity` that place a number; `{...}` and `$...` are filled with them."""

    indices: tuple[str, ...]
    phrase: str
    symbol: str  # LaTeX


FORWARD: dict[str, NumberKind] = {  # of the forward pass
    # what enters the softmax, after a person's changes
    "score": NumberKind(("step", "position"), "score of {source} {when}", "e_{$t,$i}"),
    # the model's, before a person's changes
    "own_score": NumberKind(("step", "position"), "the model's own score of {source} {when}", "e_{$t,$i}"),
    "weight": NumberKind(("step", "position"), "weight of {source} {when}", r"\alpha_{$t,$i}"),
    "word_weight": NumberKind(
        ("rows", "row", "column"), "weight of the word {column} in the row of {row}", r"\bar\alpha"
    ),
    "annotation": NumberKind(
        ("position", "component"), "component {component} of the annotation of {source}", "h_{$i,$j}"
    ),
    "state": NumberKind(("step", "component"), "component {component} of the state {when}", "s_{$t,$j}"),
    "cell": NumberKind(("step", "component"), "component {component} of the cell state {when}", "m_{$t,$j}"),
    "gate": NumberKind(("step", "gate", "component"), "component {component} of the {gate} {when}", "${gate}_{$at}"),
    # U s + d of a GRU, which its reset gate multiplies
    "kept": NumberKind(
        ("step", "component"), "component {component} of what the reset gate multiplies {when}", "${kept}_{$at}"
    ),
    "context": NumberKind(("step", "component"), "component {component} of the context {when}", "c_{$t,$j}"),
    "attentional": NumberKind(
        ("step", "component"), "component {component} of the attentional vector {when}", r"\tilde h_{$t,$j}"
    ),
    "logit": NumberKind(("step", "token"), "logit of {token} {when}", r"\ell_{$t}"),
    "probability": NumberKind(("step", "token"), "probability of {token} {when}", "p_{$t}"),
    "rest": NumberKind(("step",), "probability of all tokens not listed {when}", r"p_{$t}(\text{others})"),
    "log_normaliser": NumberKind(("step",), "log-normaliser {when}", r"\log Z_{$t}"),
    "log_probability": NumberKind(("step",), "log-probability of {produced} {when}", r"\log p_{$t}"),
    "total_log_probability": NumberKind((), "log-probability of the whole target", r"\log p"),
    "encoder_cell": NumberKind(
        ("direction", "position", "component"),
        "component {component} of the {direction} cell state at {source}",
        "${memory}_{$at}",
    ),
    "encoder_gate": NumberKind(
        ("direction", "position", "gate", "component"),
        "component {component} of the {direction} {gate} at {source}",
        "${gate}_{$at}",
    ),
    "encoder_kept": NumberKind(
        ("direction", "position", "component"),
        "component {component} of what the {direction} reset gate multiplies at {source}",
        "${kept}_{$at}",
    ),
    # of an annotation: W_a h, or U h for the concat score
    "key": NumberKind(("position", "component"), "component {component} of the key of {source}", "k_{$i,$j}"),
    # W s of the concat score
    "query": NumberKind(("step", "component"), "component {component} of the query {when}", "q_{$t,$j}"),
    # tanh(W s + U h) of the concat score
    "comparison": NumberKind(
        ("step", "position", "component"),
        "component {component} of the comparison with {source} {when}",
        "u_{$t,$i,$j}",
    ),
}
AFTERWARDS: dict[str, NumberKind] = {  # of posterior attention; alone: with all weight of the step on one token
    "posterior": NumberKind(
        ("step", "position"), "posterior of {source} {when}, knowing {produced}", r"p($i \mid y_{$t})"
    ),
    "word_posterior": NumberKind(
        ("rows", "row", "column"), "posterior of the word {column} in the row of {row}", r"\bar p"
    ),
    "likelihood": NumberKind(
        ("step", "position"), "likelihood of {produced} {when} with all weight on {source}", r"p(y_{$t} \mid $i)"
    ),
    "alone_logit": NumberKind(
        ("step", "position", "token"), "logit of {token} {when} with all weight on {source}", r"\ell^{($i)}_{$t}"
    ),
    "alone_attentional": NumberKind(
        ("step", "position", "component"),
        "component {component} of the attentional vector {when} with all weight on {source}",
        r"\tilde h^{($i)}_{$t,$j}",
    ),
    "alone_state": NumberKind(
        ("step", "position", "component"),
        "component {component} of the state {when} with all weight on {source}",
        "s^{($i)}_{$t,$j}",
    ),
    "alone_cell": NumberKind(
        ("step", "position", "component"),
        "component {component} of the cell state {when} with all weight on {source}",
        "m^{($i)}_{$t,$j}",
    ),
    "alone_gate": NumberKind(
        ("step", "position", "gate", "component"),
        "component {component} of the {gate} {when} with all weight on {source}",
        "${gate}_{$at}",
    ),
}  # the last three in Bahdanau's wiring, where the state follows the weights

# Of a Transformer's layers and heads. A `row` looks and a `column` is looked at: in cross-attention a step and a source
# token, in the decoder's self-attention a step and the step at which a token was fed, in the encoder's two source
# tokens. Head −1 is the mean of the heads.
HEAD = ("attention", "layer", "head")
LAYER = ("attention", "layer")

TRANSFORMER: dict[str, NumberKind] = {
    "head_score": NumberKind((*HEAD, "row", "column"), "score of {looked} {from_row}, {of_head}", "e_{$t,$i}"),
    "head_own_score": NumberKind(
        (*HEAD, "row", "column"), "the model's own score of {looked} {from_row}, {of_head}", "e_{$t,$i}"
    ),
    "head_weight": NumberKind((*HEAD, "row", "column"), "weight of {looked} {from_row}, {of_head}", r"\alpha_{$t,$i}"),
    "head_word_weight": NumberKind(
        (*HEAD, "rows", "row", "column"),
        "weight of the word {column} in the row of {word_row}, {of_head}",
        r"\bar\alpha",
    ),
    "head_query": NumberKind(
        (*HEAD, "row", "component"), "component {component} of the query {from_row}, {of_head}", "q_{$t,$j}"
    ),
    "head_key": NumberKind(
        (*HEAD, "column", "component"), "component {component} of the key of {looked}, {of_head}", "k_{$i,$j}"
    ),
    "head_value": NumberKind(
        (*HEAD, "column", "component"), "component {component} of the value of {looked}, {of_head}", "v_{$i,$j}"
    ),
    "head_mixed": NumberKind(
        (*HEAD, "row", "component"), "component {component} of the values mixed {from_row}, {of_head}", "z_{$t,$j}"
    ),
    "heads_joined": NumberKind(
        (*LAYER, "row", "component"), "component {component} of the heads joined {from_row}, {of_layer}", "o_{$t,$j}"
    ),
    "normalised": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of what is normalised before {of_layer}, {from_row}",
        r"\hat x_{$t,$j}",
    ),
    "attention_stream": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of the residual stream after {of_layer}, {from_row}",
        "x_{$t,$j}",
    ),
    "feed_forward_normalised": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of what is normalised before the feed-forward network, {side}, {from_row}",
        r"\hat x_{$t,$j}",
    ),
    "hidden": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of the feed-forward network's hidden vector, {side}, {from_row}",
        "f_{$t,$j}",
    ),
    "feed_forward": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of the feed-forward network's output, {side}, {from_row}",
        "o_{$t,$j}",
    ),
    "feed_forward_stream": NumberKind(
        (*LAYER, "row", "component"),
        "component {component} of the residual stream after the feed-forward network, {side}, {from_row}",
        "x_{$t,$j}",
    ),
    "embedded": NumberKind(
        ("attention", "row", "component"),
        "component {component} of the embedding with its position, {from_row}",
        "x_{$t,$j}",
    ),
}
STREAMS = {  # vectors of the residual stream, each of which a layer normalisation reads
    "embedded": (("attention", "row"), "the embedding with its position, {from_row}"),
    "attention_stream": ((*LAYER, "row"), "the residual stream after {of_layer}, {from_row}"),
    "feed_forward_stream": (
        (*LAYER, "row"),
        "the residual stream after the feed-forward network, {side}, {from_row}",
    ),
}
MEAN, DEVIATION = "_mean", "_deviation"  # of all components of a vector, after its kind
TRANSFORMER |= {
    f"{stream}{of}": NumberKind(indices, f"{of[1:]} of {phrase}", rf"\mathrm{{{of[1:]}}}(x_{{$t}})")
    for stream, (indices, phrase) in STREAMS.items()
    for of in (MEAN, DEVIATION)
}
SHARED = (  # what a Transformer has in common with recurrent networks
    "annotation",
    "attentional",
    "logit",
    "probability",
    "rest",
    "log_normaliser",
    "log_probability",
    "total_log_probability",
)
KINDS = FORWARD | AFTERWARDS | TRANSFORMER
PHRASES = {name: kind.phrase for name, kind in KINDS.items()}
ALONE = "alone_"
BETWEEN_WORDS = ("word_weight", "word_posterior", "head_word_weight")
