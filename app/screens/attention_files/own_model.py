"""A model of this server beside files: a check that it computes a file's trace, and examples of files it would
write."""

import numpy as np

from regard.app.models.models import pretrained
from regard.app.models.registry import recurrent_names
from regard.app.models.traces import trace, unreadable
from regard.app.visitor.question import Question
from regard.app.visitor.suggestions import to_try
from regard.model.checkpoint import Pretrained
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.trace import Trace

COUNT = 3  # sentences in an example


def made_here(read: Trace) -> Trace | None:
    """Return the trace recomputed here, or None if no model here gives it."""
    name, text = read.maker.name, read.alignment.source.text
    if name not in recurrent_names() or pretrained(name).fingerprint != read.maker.fingerprint:
        return None
    if unreadable(name, text):
        return None
    computed = trace(name, text, "")
    same = computed.source == read.source and computed.target == read.target
    return computed if same and np.array_equal(computed.weights, read.weights) else None


def translated(question: Question, model: Pretrained) -> list[ForeignSentence]:
    """Return translations of the last sentence asked, if readable, and of others to try."""
    offered = dict.fromkeys((question.sentence, *to_try(model).values()))
    sentences = [text for text in offered if not unreadable(model.name, text)]
    traces = [trace(model.name, text, "") for text in sentences[:COUNT]]
    return [ForeignSentence(each.alignment, line, trace=each) for line, each in enumerate(traces, 1)]
