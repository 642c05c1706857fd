"""Measurement of one translation: numbers of its trace, and with a reference BLEU and chrF of the sentence.

BLEU (Papineni et al. 2002) and chrF (Popović 2015) are sacrebleu's of a single sentence; BLEU with its effective order,
so that a sentence without a common 4-gram does not get 0. A reference is compared in the normal form that translations
have: a typographic apostrophe is no error.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

import numpy as np
import sacrebleu

from regard.model.analysis.attention_statistics import soft_alignment_scores
from regard.model.checkpoint import AnyModel
from regard.model.doubt.chance import Doubt, coverage, weakest
from regard.model.readable import BYTE_IDS, shorten
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_input import TextLine
from regard.model.trace import AnyTrace
from regard.model.translate import BATCH, stream
from regard.model.truecasing import read_as
from regard.model.word_alignment.from_attention import aligned
from regard.model.words import normalise


def measured(
    model: AnyModel, lines: Sequence[TextLine], doubt: Doubt | None, batch_size: int = BATCH
) -> Iterator[SentenceMeasures]:
    """Translate lines in batches and yield the measures of each, in order; one batch of traces is in memory."""
    language = model.tokenizer.languages[0]
    for start in range(0, len(lines), batch_size):
        group = lines[start : start + batch_size]
        sources = [read_as(shorten(model.tokenizer, line.source, 0), language) for line in group]
        traces = stream(model, [source for source in sources if source], batch_size)
        linked = iter(aligned(model, [line.gold for line in group if line.gold], posteriors=False))
        for line, source in zip(group, sources, strict=True):
            error = next(linked).output.agreement.error_rate if line.gold and model.config.attends else None
            if source:
                yield measure(line, next(traces), doubt, error)
            else:
                yield SentenceMeasures(line.number, "", "", normalise(line.reference), "end")


def traced(model: AnyModel, rows: Sequence[SentenceMeasures]) -> Iterator[tuple[int, AnyTrace]]:
    """Yield the numbers and the traces of non-empty rows, which are translated again."""
    some = [row for row in rows if row.source]
    yield from zip([row.number for row in some], stream(model, [row.source for row in some], 2), strict=True)


def measure(
    line: TextLine, trace: AnyTrace, doubt: Doubt | None = None, error: float | None = None
) -> SentenceMeasures:
    """Return the measures of one trace."""
    source, target = trace.alignment.source, trace.alignment.target
    probabilities, weak = trace.log_probabilities, weakest(trace)
    reference = normalise(line.reference)
    tokens = [token for token, word in enumerate(target.word_of) if word == weak]
    said = target.words[: target.spoken]
    return SentenceMeasures(
        number=line.number,
        source=source.text,
        translation=trace.text,
        reference=reference,
        stop=trace.stop,
        mean_probability=trace.mean_probability,
        chance=doubt.of(trace) if doubt else None,
        weakest_word=target.words[weak] if weak >= 0 else "",
        weakest_probability=float(np.exp(min(map(float, probabilities[tokens])))) if tokens else None,
        length_ratio=len(said) / max(1, source.spoken),
        repeated=tuple(dict.fromkeys(first for first, second in pairwise(said) if first == second)),
        unknown=_unknown(trace),
        **_attention(trace, doubt),
        **_against(trace.text, reference),
        aer=error,
    )


def _attention(trace: AnyTrace, doubt: Doubt | None) -> dict[str, Any]:
    """Return the measures of the weights, none without attention."""
    if trace.maker.score == "none":
        return {}
    source, target = trace.alignment.source, trace.alignment.target
    covered, scores = coverage(trace)[: source.spoken], soft_alignment_scores(trace.weights)
    flags = doubt.flags(trace) if doubt else ()
    return {
        "least_coverage": float(covered.min()) if len(covered) else None,
        "left_out": tuple(source.words[flag.source] for flag in flags if flag.kind == "left out"),
        "said_twice": tuple(target.words[flag.target] for flag in flags if flag.kind == "said twice"),
        "links": trace.alignment.links(),
        "covered": tuple(zip(source.words, map(float, covered), strict=False)),
        **scores._asdict(),
        "confidence": scores.confidence,
    }


def _against(translation: str, reference: str) -> dict[str, Any]:
    """Return BLEU, chrF and the runs of words that differ from the reference."""
    if not reference:
        return {}
    return {
        "bleu": min(100.0, sacrebleu.sentence_bleu(translation, [reference]).score),  # not 100.00000000000004
        "chrf": sacrebleu.sentence_chrf(translation, [reference]).score,
        "differences": differences(translation, reference),
    }


def differences(text: str, other: str) -> tuple[tuple[str, str], ...]:
    """Return the differing runs of words in one text and in the other; `difflib` pairs the equal ones."""
    words, others = text.split(), other.split()
    return tuple(
        (" ".join(words[start:stop]), " ".join(others[first:last]))
        for change, start, stop, first, last in SequenceMatcher(None, words, others, False).get_opcodes()
        if change != "equal"
    )


def _unknown(trace: AnyTrace) -> str:
    """Return the characters of the source that are not in the vocabulary, without repetitions."""
    side = trace.alignment.source
    spans = [span for index, span in zip(trace.source_ids.tolist(), side.characters, strict=True) if index in BYTE_IDS]
    return "".join(dict.fromkeys("".join(side.text[span.start : span.stop] for span in spans)))
