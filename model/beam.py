"""Beam search: the best of several translations that grow side by side.  Wu et al. (2016), section 7, equation 14.

    score(Y) = log P(Y | X) / lp(Y)      lp(Y) = (5 + |Y|)^α / (5 + 1)^α

The likeliest `width` continuations are kept at every step. One that ends with `</s>` is set aside and its place is not
filled again, so a beam of width 1 is greedy decoding. |Y| counts `</s>`; there is no coverage penalty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.cells import Recurrent
from model.checkpoint import Pretrained
from model.corpus import pad
from model.decoder import Carried, Memory
from model.tokenizer import START, STOP, Encoding
from model.trace import Trace
from model.translate import force_ids, limit
from model.translate import write as write_greedily
from model.words import normalise

ALPHA = 0.6  # length normalisation; 0 would compare plain log-probabilities
WIDEST = 100
GREEDY_BATCH = 256  # sentences that greedy decoding sorts by length before it batches them


@dataclass(frozen=True)
class Hypothesis:
    """A translation found by the search. `stop` is "end" where it produced `</s>`, "limit" where it was cut."""

    ids: tuple[int, ...]
    log_probability: float
    stop: str

    @property
    def score(self) -> float:
        return self.log_probability / length_penalty(len(self.ids))


def length_penalty(length: int) -> float:
    return ((5 + length) / 6) ** ALPHA


@torch.inference_mode()
def search(model: Pretrained, source: Encoding, width: int) -> list[Hypothesis]:
    """At most `width` translations, best first: those that ended, or the unfinished ones when none did by the limit."""
    if not 1 <= width <= WIDEST:
        raise ValueError(f"the width of the beam is {width}; it must be from 1 to {WIDEST}")
    network, ids = model.network, (*source.ids, STOP)
    memory = network.encode(pad([ids]))
    everywhere = Memory(*(tensor.expand(width, *tensor.shape[1:]) for tensor in memory))
    carried, tokens, totals = network.start(memory), torch.tensor([START]), torch.zeros(1, dtype=torch.float64)
    live: list[tuple[int, ...]] = [()]
    ended: list[Hypothesis] = []
    for _ in range(limit(len(ids))):
        step = network.step(tokens, carried, Memory(*(tensor[: len(live)] for tensor in everywhere)))
        parents, tokens, totals = _grow(network.logits(step.attentional), totals, width - len(ended))
        grown = [(*live[parent], token) for parent, token in zip(parents.tolist(), tokens.tolist(), strict=True)]
        done = tokens == STOP
        ended += [Hypothesis(grown[row], totals[row].item(), "end") for row in done.nonzero().flatten().tolist()]
        live = [hypothesis for hypothesis in grown if hypothesis[-1] != STOP]
        if not live:
            break
        parents, tokens, totals = parents[~done], tokens[~done], totals[~done]
        carried = _take(step.carried, parents)
    cut = [Hypothesis(hypothesis, total, "limit") for hypothesis, total in zip(live, totals.tolist(), strict=False)]
    return sorted(ended or cut, key=lambda hypothesis: hypothesis.score, reverse=True)


def translate(model: Pretrained, sentences: Sequence[str], width: int) -> list[Trace]:
    """A trace of the best translation of each sentence, in order."""
    sources = [_encode(model, sentence) for sentence in sentences]
    best = [search(model, source, width)[0] for source in sources]
    traces = force_ids(model, sources, [hypothesis.ids for hypothesis in best])
    return [replace(trace, stop=hypothesis.stop) for trace, hypothesis in zip(traces, best, strict=True)]


def write(model: Pretrained, sentences: Sequence[str], width: int) -> Iterator[str]:
    """The translations alone, in normal form and in order, as they are made; width 1 decodes greedily, in batches."""
    if width > 1:
        for sentence in sentences:
            yield normalise(model.tokenizer.decode(search(model, _encode(model, sentence), width)[0].ids))
        return
    for start in range(0, len(sentences), GREEDY_BATCH):
        yield from map(normalise, write_greedily(model, sentences[start : start + GREEDY_BATCH]))


def _grow(
    logits: Float[Tensor, "B V"], totals: Float[Tensor, " B"], places: int
) -> tuple[Int[Tensor, " K"], Int[Tensor, " K"], Float[Tensor, " K"]]:
    """The likeliest continuations of all hypotheses together: which one each continues, its token, its log-probability.

    `<pad>` and `<s>` are never taken.
    """
    likeliest = logits[:, STOP:].topk(min(places, logits.shape[1] - STOP))
    grown = totals[:, None] + (likeliest.values.double() - logits.logsumexp(1).double()[:, None])
    best = grown.flatten().topk(min(places, grown.numel()))
    return best.indices // grown.shape[1], likeliest.indices.flatten()[best.indices] + STOP, best.values


def _take(carried: Carried, rows: Int[Tensor, " K"]) -> Carried:
    return Carried(Recurrent(*(part[rows] for part in carried.recurrent)), carried.attentional[rows])


def _encode(model: Pretrained, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])
