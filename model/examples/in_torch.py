"""The worked examples in PyTorch: the same names, fewer lines, checked against NumPy.

Each function is meant to be copied on its own, so shared lines are repeated in each.
"""

import inspect
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from regard.model.examples.example import Array, Example
from regard.model.examples.program import literal
from regard.model.examples.source_code import needs, plain_source
from regard.model.examples.transformer_in_torch import Tensors, cross_attention, heads, masked, scaled, self_attention

DTYPE = "torch.set_default_dtype(torch.float64)  # as in NumPy"


def luong_general(
    H: Float[Tensor, "S E"],
    W: Float[Tensor, "E H"],
    q: Float[Tensor, " H"],
    divisor: Float[Tensor, ""],
    W_c: Float[Tensor, "H E+H"],
    W_o: Float[Tensor, "V H"],
) -> Tensors:
    scores = H @ W @ q / divisor
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    attentional = torch.tanh(W_c @ torch.cat([q, context]))
    logits = W_o @ attentional
    probabilities = F.softmax(logits, dim=-1)
    return locals()


def luong_summary(
    H: Float[Tensor, "S E"], W: Float[Tensor, "H E"], q: Float[Tensor, " H"], divisor: Float[Tensor, ""]
) -> Tensors:
    scores = torch.einsum("h,he,se->s", q, W, H) / divisor
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    return locals()


def three_dimensions(
    s: Float[Tensor, " D"],
    H: Float[Tensor, "S D"],
    W_a: Float[Tensor, "D D"],
    W_o: Float[Tensor, "V D+D"],
    b_o: Float[Tensor, " V"],
) -> Tensors:
    scores = torch.einsum("d,de,se->s", s, W_a, H)
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    logits = F.linear(torch.cat([s, context]), W_o, b_o)
    probabilities = F.softmax(logits, dim=-1)
    return locals()


def three_scores(
    s: Float[Tensor, " D"],
    H: Float[Tensor, "S D"],
    W: Float[Tensor, "D D"],
    W_s: Float[Tensor, "A D"],
    W_h: Float[Tensor, "A D"],
    v: Float[Tensor, " A"],
) -> Tensors:
    dot_scores = H @ s
    general_scores = F.linear(H, W) @ s
    additive_scores = torch.tanh(W_s @ s + F.linear(H, W_h)) @ v
    dot_weights = F.softmax(dot_scores, dim=-1)
    general_weights = F.softmax(general_scores, dim=-1)
    additive_weights = F.softmax(additive_scores, dim=-1)
    return locals()


def different_sizes(
    s: Float[Tensor, " H"],
    H: Float[Tensor, "S E"],
    W: Float[Tensor, "H E"],
    W_s: Float[Tensor, "A H"],
    W_h: Float[Tensor, "A E"],
    v: Float[Tensor, " A"],
) -> Tensors:
    general_scores = F.linear(H, W) @ s
    additive_scores = torch.tanh(W_s @ s + F.linear(H, W_h)) @ v
    general_weights = F.softmax(general_scores, dim=-1)
    additive_weights = F.softmax(additive_scores, dim=-1)
    return locals()


def without_context(
    y: Float[Tensor, " D"],
    previous: Float[Tensor, " H"],
    W_y: Float[Tensor, "H D"],
    W_s: Float[Tensor, "H H"],
    W: Float[Tensor, "V H"],
) -> Tensors:
    state = torch.tanh(W_y @ y + W_s @ previous)
    logits = W @ state
    probabilities = F.softmax(logits, dim=-1)
    return locals()


def with_context(
    y: Float[Tensor, " D"],
    previous: Float[Tensor, " H"],
    H: Float[Tensor, "S H"],
    W_y: Float[Tensor, "H D"],
    W_s: Float[Tensor, "H H"],
    W_c: Float[Tensor, "H H"],
    W: Float[Tensor, "V H+H"],
) -> Tensors:
    weights = F.softmax(H @ previous, dim=-1)
    context = weights @ H
    state = torch.tanh(W_y @ y + W_s @ previous + W_c @ context)
    logits = W @ torch.cat([state, context])
    probabilities = F.softmax(logits, dim=-1)
    return locals()


def bahdanau(
    y: Float[Tensor, " D"],
    previous: Float[Tensor, " H"],
    H: Float[Tensor, "S E"],
    W_s: Float[Tensor, "A H"],
    W_h: Float[Tensor, "A E"],
    v: Float[Tensor, " A"],
    W_x: Float[Tensor, "H D+E"],
    U: Float[Tensor, "H H"],
    W_c: Float[Tensor, "H E+H"],
    W_o: Float[Tensor, "V H"],
) -> Tensors:
    scores = torch.tanh(W_s @ previous + F.linear(H, W_h)) @ v
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    state = torch.tanh(W_x @ torch.cat([y, context]) + U @ previous)
    attentional = torch.tanh(W_c @ torch.cat([context, state]))
    probabilities = F.softmax(W_o @ attentional, dim=-1)
    return locals()


def bahdanau_general(
    y: Float[Tensor, " D"],
    previous: Float[Tensor, " H"],
    H: Float[Tensor, "S E"],
    W_a: Float[Tensor, "H E"],
    W_x: Float[Tensor, "H D+E"],
    U: Float[Tensor, "H H"],
    W_c: Float[Tensor, "H E+H"],
    W_o: Float[Tensor, "V H"],
) -> Tensors:
    weights = F.softmax(F.linear(H, W_a) @ previous, dim=-1)
    context = weights @ H
    state = torch.tanh(W_x @ torch.cat([y, context]) + U @ previous)
    attentional = torch.tanh(W_c @ torch.cat([context, state]))
    probabilities = F.softmax(W_o @ attentional, dim=-1)
    return locals()


def luong(
    y: Float[Tensor, " D"],
    previous: Float[Tensor, " H"],
    H: Float[Tensor, "S E"],
    W_x: Float[Tensor, "H D"],
    U: Float[Tensor, "H H"],
    W_a: Float[Tensor, "H E"],
    W_c: Float[Tensor, "H E+H"],
    W_o: Float[Tensor, "V H"],
) -> Tensors:
    state = torch.tanh(W_x @ y + U @ previous)
    scores = F.linear(H, W_a) @ state
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    attentional = torch.tanh(W_c @ torch.cat([context, state]))
    probabilities = F.softmax(W_o @ attentional, dim=-1)
    return locals()


def query(q: Float[Tensor, " D"], H: Float[Tensor, "S D"], divisor: Float[Tensor, ""]) -> Tensors:
    scores = H @ q / divisor
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    return locals()


def compare_weigh_sum(H: Float[Tensor, "S D"], q: Float[Tensor, " D"]) -> Tensors:
    scores = H @ q
    weights = F.softmax(scores, dim=-1)
    context = weights @ H
    return locals()


FUNCTIONS: tuple[Callable[..., Tensors], ...] = (
    luong_general, luong_summary, three_dimensions, three_scores, different_sizes, without_context, with_context,
    bahdanau, bahdanau_general, luong, query, cross_attention, self_attention, scaled, masked, heads,
)  # fmt: skip
IN_TORCH: dict[str, Callable[..., Tensors]] = {  # by the name of the example
    "on-paper": compare_weigh_sum,
    **{function.__name__.replace("_", "-"): function for function in FUNCTIONS},
}


def in_torch(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return a function of tensors, the tensors with the current matrices, and the call."""
    function = IN_TORCH[example.name]
    needed = needs(function)
    sources = (plain_source(one) for one in (*needed.functions, function))
    tensors = (f"{given.name} = torch.tensor({literal(matrices[given.name], given.rows)})" for given in example.givens)
    names = ", ".join(inspect.signature(function).parameters)
    call = f'steps = {function.__name__}({names})\nprint(steps["{example.steps[-1].name}"])\n'
    imports = dict.fromkeys(("import torch", *needed.imports))
    return "\n\n".join(["\n".join([*imports, "", DTYPE]) + "\n", *sources, "\n".join(tensors) + "\n", call])
