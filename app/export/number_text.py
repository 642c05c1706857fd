"""Number texts: how each number of the stepper is made, in words, what a page without the app can say of it.

Only what holds for the model of the trace is said; the numbers that come in are in the app's arithmetic.
"""

from regard.model.trace import AnyTrace, Maker
from regard.model.transformer.trace import TransformerTrace

ASKING = {"luong": "the decoder's state at this step", "bahdanau": "the decoder's state before this step"}

SCORES = {
    "dot": "Each component of {asking} times the same component of the annotation, all added up.",
    "general": "The annotation times the learned matrix W; each component of what comes out times the same component "
    "of {asking}, all added up.",
    "concat": "{asking} times the learned matrix W, plus the annotation times the learned matrix U; tanh of each "
    "component, times the same component of the learned vector v, all added up.",
    "none": "Always 0: this model has no attention, so it learned no score.",
}

STATES = {
    "lstm": "The output gate times tanh of the cell state.",
    "gru": "1 minus the update gate, times the candidate; plus the update gate times the state before.",
}

ANYWHERE = {
    "score/steered": "The model's own score plus {bonus} that a person added, all divided by the temperature "
    "{temperature}.",
    "weight": "e to the power of its score, divided by the sum of that over all source tokens that may be looked at "
    "(softmax).",
    "weight/masked": "0 by rule: at this step the model may not look at this token.",
    "weight/given": "Set by hand.",
    "word_weight": "The weights of the source word's tokens added up, and averaged over the steps of the row.",
    "posterior": "The weight, times the likelihood of the token that was written with all weight of the step on this "
    "source token; divided by the sum of these products over all source tokens.",
    "word_posterior": "The posteriors of the source word's tokens added up, and averaged over the steps of the row.",
    "likelihood": "The probability that the token written would have had with all weight of this step on this source "
    "token, and everything before as it was.",
    "cell": "The forget gate times the cell state before, plus the input gate times the candidate.",
    "context": "This component of every annotation times the weight of its token, all added up.",
    "attentional": "Context and state joined into one vector, times a row of the learned matrix W; tanh of the sum.",
    "probability": "e to the power of its logit, divided by the sum of that over all tokens the model knows (softmax).",
    "rest": "1 minus the probabilities of the tokens listed.",
    "log_probability": "The natural logarithm of the probability of this token, given all tokens before it.",
    "total_log_probability": "The log-probabilities of all steps added up.",
    "initial/zero": "0 by rule: the decoder starts from nothing.",
    "initial/encoder": "The encoder's last states times a learned matrix, plus a learned bias; tanh of the sum.",
}


LAYER_NORM = (
    "Layer normalisation of {of}: its component less the mean of all components, divided by their deviation; that "
    "times a learned gain, plus a learned bias."
)
HEADS = {  # of a Transformer; a part after / says what made it
    "head_score": "Each component of the query times the same component of the key, all added up; that divided by the "
    "square root of how many components they have.",
    "head_weight": "e to the power of its score, divided by the sum of that over all tokens that may be looked at from "
    "there (softmax).",
    "head_weight/masked": "0 by rule: from there this token may not be looked at.",
    "head_weight/off": "0: this head is switched off.",
    "head_weight/mean": "The weights of the layer's heads added up, divided by how many heads that is; those that are "
    "switched off do not count.",
    "head_word_weight": "The weights of all tokens of the word that is looked at added up, and averaged over the "
    "tokens of the word in whose row it stands.",
    "head_query": "The normalised vector, times a row of the head's part of the learned matrix W_Q.",
    "head_key": "The normalised vector of the token that is looked at, times a row of the head's part of the learned "
    "matrix W_K.",
    "head_key/cross": "The annotation of the source token, times a row of the head's part of the learned matrix W_K.",
    "head_value": "The normalised vector of the token that is looked at, times a row of the head's part of the learned "
    "matrix W_V.",
    "head_value/cross": "The annotation of the source token, times a row of the head's part of the learned matrix W_V.",
    "head_mixed": "This component of every value times the weight of its token, all added up.",
    "heads_joined": "What all heads of the layer mix, joined into one vector, times a row of the learned matrix W_O.",
    "normalised": LAYER_NORM.format(of="the residual stream"),
    "attention_stream": "The residual stream before, plus the heads joined.",
    "hidden": "The residual stream, normalised, times a row of the learned matrix W_1, plus a learned bias; 0 where "
    "that is below 0 (ReLU).",
    "feed_forward": "The hidden vector times a row of the learned matrix W_2, plus a learned bias.",
    "feed_forward_stream": "The residual stream before, plus the output of the feed-forward network.",
    "annotation": LAYER_NORM.format(of="the residual stream after the encoder's last layer"),
    "attentional": LAYER_NORM.format(of="the residual stream after the decoder's last layer"),
}


def words(trace: AnyTrace) -> dict[str, str]:
    """By kind of number, and by what made it where that differs: `bonus` and `temperature` are for the page to fill."""
    return ANYWHERE | (HEADS if isinstance(trace, TransformerTrace) else of_recurrent(trace.maker))


def of_recurrent(maker: Maker) -> dict[str, str]:
    """Those that differ from one recurrent model to another."""
    score = SCORES[maker.score].format(asking=ASKING[maker.wiring])
    state = STATES[maker.cell]
    read = f"In the encoder's {maker.cell.upper()}: {state[0].lower()}{state[1:]}"
    halves = "The first half of the components comes from reading from the left, the second from the right."
    return {"score": score[0].upper() + score[1:], "state": state, "annotation": f"{read} {halves}"}
