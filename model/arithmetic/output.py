"""Output distribution, opened: logits, probabilities, and the remaining probability of all other tokens.

logit = W_o h̃_t        p_t = softmax(logits)        log p = logit − log Σ e^logit
"""

from collections.abc import Callable

import numpy as np

from regard.model.arithmetic.derivation import Opened, powers, products, single
from regard.model.arithmetic.kinds import usual_form
from regard.model.arithmetic.quantity import Quantity, token_text
from regard.model.reference.parameters import Parameters
from regard.model.reference.recomputation import Recomputation
from regard.model.reference.transformer import TransformerParameters, TransformerRecomputation
from regard.model.trace import AnyTrace

AnyRecomputation = Recomputation | TransformerRecomputation
AnyParameters = Parameters | TransformerParameters


def open_logit(quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters) -> Opened:
    step, W_o, vector = quantity.step, parameters["embedding.weight"], again.attentional[quantity.step]
    form = usual_form("logit", trace.maker)
    part = products(
        "h̃", lambda j: (Quantity("attentional", quantity.trace, step, component=j),), W_o[quantity.token], vector
    )
    shapes = (("W_o" if form == "logit" else "W_e", W_o.shape), ("attentional", vector.shape))
    shown = _shown_logit(trace, step, quantity.token)
    return Opened(form, shown, again.logits[step, quantity.token], [part], shapes)


def open_probability(quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters) -> Opened:
    step, token, logits = quantity.step, quantity.token, again.logits[quantity.step]
    shown = np.exp(_shown_logit(trace, step, token) - trace.log_normaliser[step])
    part, greatest = powers(
        lambda index: token_text(trace, index), lambda index: _logit(quantity, trace, step, index), logits
    )
    recomputed = np.exp(logits[token] - again.log_normaliser[step])
    return Opened("probability", shown, recomputed, [part], (("logits", logits.shape),), "share", greatest, token)


def open_rest(quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters) -> Opened:
    step, likeliest = quantity.step, trace.top_ids[quantity.step].tolist()
    probabilities = np.exp(again.logits[step, likeliest].astype(np.float64) - again.log_normaliser[step])
    listed = products(
        lambda n: token_text(trace, likeliest[n]),
        lambda n: (Quantity("probability", quantity.trace, step, token=likeliest[n]),),
        -probabilities,
    )
    shapes = (("logits", again.logits[step].shape),)
    return Opened("rest", trace.rest[step], 1 - probabilities.sum(), [single("all tokens", (), 1.0), listed], shapes)


def open_log_normaliser(
    quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters
) -> Opened:
    step, logits = quantity.step, again.logits[quantity.step]
    part, greatest = powers(
        lambda index: token_text(trace, index), lambda index: _logit(quantity, trace, step, index), logits
    )
    shown, recomputed = trace.log_normaliser[step], again.log_normaliser[step]
    return Opened("log_normaliser", shown, recomputed, [part], (("logits", logits.shape),), "log", greatest)


def open_log_probability(
    quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters
) -> Opened:
    step, produced = quantity.step, int(trace.target_ids[quantity.step])
    logit, normaliser = again.logits[step, produced], again.log_normaliser[step]
    parts = [
        single("logit", (Quantity("logit", quantity.trace, step, token=produced),), logit),
        single("log-normaliser", (Quantity("log_normaliser", quantity.trace, step),), -normaliser),
    ]
    return Opened("log_probability", trace.log_probabilities[step], logit - normaliser, parts, ())


def open_total(quantity: Quantity, trace: AnyTrace, again: AnyRecomputation, parameters: AnyParameters) -> Opened:
    logits = np.take_along_axis(again.logits, trace.target_ids[:, None], axis=1)[:, 0]
    values = logits.astype(np.float64) - again.log_normaliser
    part = products(
        lambda step: f"{token_text(trace, int(trace.target_ids[step]))} at {step + 1}",
        lambda step: (Quantity("log_probability", quantity.trace, step),),
        values,
    )
    return Opened("total_log_probability", trace.log_probability, values.sum(), [part], (("steps", values.shape),))


def _shown_logit(trace: AnyTrace, step: int, token: int) -> float:
    """Return a logit that the trace keeps: that of a likeliest token or of the produced one."""
    likeliest = trace.top_ids[step].tolist()
    return float(trace.top_logits[step, likeliest.index(token)] if token in likeliest else trace.logits[step])


def _logit(quantity: Quantity, trace: AnyTrace, step: int, token: int) -> tuple[Quantity, ...]:
    """Return the token's logit if the trace keeps it and it can be opened, else nothing."""
    kept = token in trace.top_ids[step] or token == trace.target_ids[step]
    return (Quantity("logit", quantity.trace, step, token=token),) if kept else ()


OUTPUT_OPENERS: dict[str, Callable[[Quantity, AnyTrace, AnyRecomputation, AnyParameters], Opened]] = {
    "logit": open_logit,
    "probability": open_probability,
    "rest": open_rest,
    "log_normaliser": open_log_normaliser,
    "log_probability": open_log_probability,
    "total_log_probability": open_total,
}
