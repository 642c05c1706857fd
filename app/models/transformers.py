"""Transformers on offer, loaded as such: the network, and traces with every head."""

from regard.app.models.models import any_pretrained
from regard.app.models.registry import alike_among, model_names, transforms
from regard.app.models.traces import any_trace
from regard.model.input_error import InputError
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import TransformerTrace

REVERSER, WITHOUT_POSITIONS = "reverse-transformer", "reverse-transformer-nopos"
REFUSED = "{} is a recurrent network; this needs a Transformer"


def transformer(name: str) -> PretrainedTransformer:
    """Return the model, ready to translate. Raises InputError if it cannot be read or is recurrent."""
    model = any_pretrained(name)
    if not isinstance(model, PretrainedTransformer):
        raise InputError(REFUSED.format(name))
    return model


def transformer_trace(name: str, sentence: str, given: str = "") -> TransformerTrace:
    """Return the model's own translation, or the forced one."""
    trace = any_trace(name, sentence, given)
    if not isinstance(trace, TransformerTrace):
        raise InputError(REFUSED.format(name))
    return trace


def readable(name: str) -> bool:
    """True if the model is on offer and a readable Transformer."""
    try:
        return transformer(name).name == name
    except InputError:
        return False


def transformer_beside(name: str) -> str:
    """Return the model itself if it is a Transformer, else one with the same languages, else one that reverses numbers.
    Returns "" if there is none."""
    names = [other for other in model_names() if transforms(other)]
    order = [name] if name in names else [*alike_among(name, names), REVERSER]
    return next((other for other in order if other in names and readable(other)), "")
