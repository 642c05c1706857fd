"""Whether a trace that came as a file is what a model on this server computes."""

import numpy as np

from app.models import models, traces
from app.models.registry import model_names
from app.wording import problem
from model.trace import Trace


def made_here(read: Trace) -> Trace | None:
    """The same trace computed here; None where no model here makes it."""
    name, text = read.maker.name, read.alignment.source.text
    if name not in model_names() or models.pretrained(name).fingerprint != read.maker.fingerprint:
        return None
    language = read.alignment.source.language
    if problem(language, models.pretrained(name).tokenizer.encode(text, language)):
        return None
    computed = traces.trace(name, text, "")
    same = computed.source == read.source and computed.target == read.target
    return computed if same and np.array_equal(computed.weights, read.weights) else None
