"""A translation by torch beside all of it again by NumPy."""

import numpy as np

from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import Parameters, Recomputation, load_parameters, recompute
from regard.model.trace import Trace
from regard.model.translate import translate

SENTENCE = "The boy sees the old house, doesn't he?"
Case = tuple[Trace, Recomputation, Parameters]


def make_case(model: Pretrained, sentence: str = SENTENCE) -> Case:
    """The trace in float32, its recomputation in float64."""
    trace, weights = translate(model, [sentence])[0], load_parameters(model.folder, np.float64)
    return trace, recompute(weights, trace.source_ids, trace.target_ids), weights
