"""The field's notation for every number that can be opened, as templates of LaTeX.

Subscripts are step t, source position i and component j, all from 1. `$at` is where a recurrent cell stands, `$before`
where it stood before, `$asking` the step whose state asks; the encoder's letters carry an arrow that shows its
direction. m is the cell state of an LSTM, because c is the context.
"""

import re
from string import Template

from regard.model.arithmetic.derivation import Derivation
from regard.model.arithmetic.kinds import ALONE, KINDS

FORMULAS = {
    "score/dot": r"\begin{aligned} $left &= s_{$asking} \cdot h_{$i} \\ &= \sum_j s_{$asking,j}\, h_{$i,j}"
    r" \end{aligned}",
    "score/general": r"\begin{aligned} $left &= s_{$asking}^\top W_a h_{$i} \\ &= \sum_j s_{$asking,j}\, k_{$i,j} \\"
    r" k_{$i} &= W_a h_{$i} \end{aligned}",
    "score/concat": r"\begin{aligned} $left &= v^\top \tanh(W s_{$asking} + U h_{$i}) \\ &= \sum_j v_j\, u_{$t,$i,j}"
    r" \end{aligned}",
    "score/none": r"$left = 0 \quad \text{(no attention: no score is learned)}",
    "score/steered": r"e'_{$t,$i} = (e_{$t,$i} + \text{bonus}) / \text{temperature}",
    "weight/softmax": r"$left = \frac{\exp e_{$t,$i}}{\sum_k \exp e_{$t,k}}",
    "weight/masked": r"$left = 0 \quad \text{(out of reach)}",
    "weight/given": r"$left \quad \text{(set by hand)}",
    "word_weight": r"$left = \frac{1}{n} \sum_{t=1}^{n} \sum_{i} \alpha_{t,i}",
    "context": r"$left = \sum_i \alpha_{$t,i}\, h_{i,$j}",
    "attentional": r"$left = \tanh \left( W_c \, [c_{$t} ; s_{$t}] \right)_{$j}",
    "key/general": r"$left = (W_a h_{$i})_{$j}",
    "key/concat": r"$left = (U h_{$i})_{$j}",
    "query": r"$left = (W s_{$asking})_{$j}",
    "comparison": r"\begin{aligned} $left &= \tanh(q_{$t,$j} + k_{$i,$j}) \\ q_{$t} &= W s_{$asking} \\"
    r" k_{$i} &= U h_{$i} \end{aligned}",
    "zero": r"$left = 0 \quad \text{(nothing known yet)}",
    "state/bridge": r"$left = \tanh \left( W_b \, [\overrightarrow{h}_S ; \overleftarrow{h}_1] + b_b \right)_{$j}",
    "state/lstm": r"$left = ${output}_{$at} \tanh(${memory}_{$at})",
    "state/gru": r"$left = (1 - ${update}_{$at})\, ${candidate}_{$at} + ${update}_{$at}\, ${state}_{$before}",
    "cell/lstm": r"$left = ${forget}_{$at}\, ${memory}_{$before} + ${input}_{$at}\, ${candidate}_{$at}",
    "gate/sigmoid": r"$left = \sigma(W x_{$now} + b + U ${state}_{$past} + d)_{$part}",
    "gate/tanh": r"$left = \tanh(W x_{$now} + b + U ${state}_{$past} + d)_{$part}",
    "gate/reset": r"\begin{aligned} $left &= \tanh(W x_{$now} + b + ${reset}_{$now} \odot ${kept}_{$now})_{$part} \\"
    r" ${kept}_{$now} &= U ${state}_{$past} + d \end{aligned}",
    "kept": r"$left = (U ${state}_{$past} + d)_{$part}",
    "logit": r"$left = (W_o \tilde h_{$t})_y",
    "probability": r"$left(y) = \frac{\exp \ell_{$t}(y)}{\sum_{y'} \exp \ell_{$t}(y')}",
    "rest": r"$left = 1 - \sum_{y\,\text{listed}} p_{$t}(y)",
    "log_normaliser": r"$left = \log \sum_y \exp \ell_{$t}(y)",
    "log_probability": r"$left = \ell_{$t} - \log Z_{$t}",
    "total_log_probability": r"$left = \sum_t \log p_t",
    "head_score": r"\begin{aligned} $left &= \frac{q_{$t} \cdot k_{$i}}{\sqrt{d_k}} \\"
    r" &= \sum_j q_{$t,j}\, k_{$i,j} / \sqrt{d_k} \end{aligned}",
    "weight/off": r"$left = 0 \quad \text{(the head is switched off)}",
    "head_mean": r"$left = \frac{1}{n} \sum_{\text{heads}} \alpha_{$t,$i}",
    "head_query": r"$left = (W_Q\, x_{$t})_{$j}",
    "head_key/cross": r"$left = (W_K\, h_{$i})_{$j}",
    "head_key/self": r"$left = (W_K\, x_{$i})_{$j}",
    "head_value/cross": r"$left = (W_V\, h_{$i})_{$j}",
    "head_value/self": r"$left = (W_V\, x_{$i})_{$j}",
    "head_mixed": r"$left = \sum_i \alpha_{$t,i}\, v_{i,$j}",
    "heads_joined": r"$left = \left( W_O \, [z^{(1)}_{$t} ; \ldots ; z^{(n)}_{$t}] \right)_{$j}",
    "stream": r"$left = x^{\text{before}}_{$t,$j} + o_{$t,$j}",
    "layer_norm": r"$left = \frac{x_{$t,$j} - \mathrm{mean}(x_{$t})}{\mathrm{deviation}(x_{$t})}\, g_{$j} + b_{$j}",
    "stream_mean": r"$left = \frac{1}{D} \sum_j x_{$t,j}",
    "stream_deviation": r"$left = \sqrt{\frac{1}{D} \left( \sum_j (x_{$t,j} - \mathrm{mean}(x_{$t}))^2"
    r" + D\, \varepsilon \right)}",
    "hidden": r"$left = \max(0,\, W_1 \hat x_{$t} + b_1)_{$j}",
    "feed_forward": r"$left = (W_2 f_{$t} + b_2)_{$j}",
    "embedded": r"$left = \sqrt{D}\, W_e[y_{$t}]_{$j} + \mathrm{PE}(t)_{$j}",
    "posterior": r"$left = \frac{\alpha_{$t,$i}\, p(y_{$t} \mid $i)}{\sum_k \alpha_{$t,k}\, p(y_{$t} \mid k)}",
    "posterior/zero": r"$left = 0 \quad \text{(its weight is 0)}",
    "word_posterior": r"$left = \frac{1}{n} \sum_{t=1}^{n} \sum_{i} p(i \mid y_t)",
    "likelihood": r"\begin{aligned} $left &= \frac{\exp \ell^{($i)}_{$t}(y_{$t})}{\sum_{y} \exp \ell^{($i)}_{$t}(y)} \\"
    r" & \text{with } \alpha_{$t,$i} = 1 \end{aligned}",
    "alone/luong": r"$left = \tanh \left( W_c \, [h_{$i} ; s_{$t}] \right)_{$j}",
    "alone/bahdanau": r"$left = \tanh \left( W_c \, [h_{$i} ; s^{($i)}_{$t}] \right)_{$j}",
}

SYMBOLS = {  # what a symbol of a formula is called in the glossary
    r"\\alpha": "weight",
    r"(?<![a-z\\{])e'?_": "score",
    r"(?<![a-z\\])c_": "context",
    r"(?<![a-z\\])s(?:\^|_)": "state",
    r"\\tilde h": "attentional",
    r"(?<![a-z\\])(?<!tilde )h_|arrow\{h\}": "annotation",
    r"(?<![a-z\\])q_": "query",
    r"(?<![a-z\\])k_": "key",
    r"\\ell": "logit",
    r"(?<![a-z\\])p_|(?<![a-z\\])p\(y": "probability",
    r"p\(\w+ \\mid y": "posterior",
    r"\\tanh": "tanh",
    r"\\sigma": "sigmoid",
    r"frac\{\\exp": "softmax",
}

SHAPES = {
    "state": "state s",
    "annotation": "annotation h",
    "context": "context c",
    "attentional": "attentional vector h̃",
    "key": "key k",
    "weights": "weights α",
    "scores": "scores e",
    "logits": "logits ℓ",
    "likelihoods": "likelihoods p(y | i)",
    "annotations": "annotations H",
    "cell": "cell state m",
    "steps": "steps",
    "query": "query q",
    "values": "values v",
    "heads": "heads z",
    "vector": "vector x",
    "embedding": "embeddings W_e",
}  # arrays that are parameters or gates go by their own names

GATES = {"input": "i", "forget": "f", "output": "o", "reset": "r", "update": "z"}
ENCODER = ("annotation", "encoder_gate", "encoder_cell", "encoder_kept")


def terms(formula: str) -> list[str]:
    """The glossary's terms for the symbols of a formula, in the order in which they stand there."""
    places = {term: found.start() for symbol, term in SYMBOLS.items() if (found := re.search(symbol, formula))}
    return sorted(places, key=places.__getitem__)


def letters(working: Derivation) -> dict[str, str]:
    """What the templates need for this number; `left` is the number itself."""
    asked = working.quantity
    candidate = "n" if working.form in ("state/gru", "gate/reset") else "g"
    named = {**GATES, "candidate": candidate, "memory": "m", "kept": "a", "state": "s"}
    now, part, past = asked.step + 1, asked.component + 1, asked.step
    if asked.kind in ENCODER and working.form != "layer_norm":
        inner = next(opened for opened in (asked, *working.opens) if opened.direction)
        backwards = inner.direction == "backwards"
        arrow = r"\overleftarrow" if backwards else r"\overrightarrow"
        named = {name: f"{arrow}{{{letter}}}" for name, letter in {**named, "state": "h"}.items()}
        now, part = asked.position + 1, inner.component + 1
        past = now + 1 if backwards else now - 1
    if asked.kind.startswith(ALONE):
        same_step = {*GATES, "candidate"} | ({"memory"} if working.form == "state/lstm" else set())
        named |= {name: f"{named[name]}^{{({asked.position + 1})}}" for name in same_step}
    named |= {"gate": named.get(asked.gate, ""), "i": str(asked.position + 1), "t": str(asked.step + 1)}
    if asked.attention:
        named |= {"t": str(asked.row + 1), "i": str(asked.column + 1)}
    elif working.form == "layer_norm" and asked.kind == "annotation":
        named |= {"t": str(asked.position + 1)}
    named |= {"j": str(asked.component + 1), "now": str(now), "past": str(past), "part": str(part)}
    named |= {"at": f"{now},{part}", "before": f"{past},{part}", "asking": str(working.asking + 1)}
    return {**named, "left": Template(KINDS[asked.kind].symbol).substitute(named)}


def shape(name: str, sizes: tuple[int, ...]) -> str:
    """Such as: W_c 256 × 1024."""
    called = f"{name} gate" if name in GATES else SHAPES.get(name, name)
    return f"{called} {' × '.join(map(str, sizes))}"
