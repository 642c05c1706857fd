"""Counterfactual translation: the same model translates a sentence with an intervention.

The words of the source are changed before it is read. At each step attention is steered, and a token is written: the
forced one if any, else the likeliest. No state is kept between calls: without changes the result is the model's own
translation, bit for bit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.autoregression import Choice, likeliest
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.rewording import changed_text
from regard.model.changes.vectors import NO_HOOKS, Hook, HookedVectors
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.input_error import InputError
from regard.model.network import TraceT
from regard.model.readable import LINE_TOKENS
from regard.model.reference.formulas import NumpyHeadChange
from regard.model.tokenizer import STOP, Encoding
from regard.model.tracing import Decoding, keep, record
from regard.model.translate import decode, endings, of_nothing, read


@torch.inference_mode()
def translate(
    model: AnyPretrained[TraceT],
    sentence: str,
    intervention: Intervention = UNTOUCHED,
    given: str = "",
    hooks: Mapping[str, Hook] = NO_HOOKS,
) -> TraceT:
    """Return the trace of one translation. `given` is a person's translation: its tokens are written up to the first
    one that the intervention forces; the model writes the rest. `hooks` receive the vectors that they name, and their
    replacements become part of the trace's intervention. Raises InputError naming the place and the reason if the
    intervention does not fit this sentence, or a hook does not fit the model."""
    source = _source(model, sentence, intervention)
    positions = len(source.ids) + 1
    intervention.check_heads(model.network.heads(), np.ones(positions, dtype=bool))
    memory, (most,) = read(model, [source], _heads(intervention.heads("encoder", (positions, positions))))
    intervention.check(memory.mask[0].numpy(), range(STOP, len(model.tokenizer)))
    written, whole = _written(model, given, intervention), bool(given) and not intervention.tokens
    limits = [len(written) if whole else max(most, len(written))]
    vectors = HookedVectors(hooks, intervention, model.network.vector_sizes())
    memory = vectors.annotated(model.network, memory)

    def steering(step: int) -> Steering:
        changed = _steering(intervention, step, positions)
        return replace(changed, vectors=vectors.at(step)) if vectors.any else changed

    steps = [keep(one) for one in decode(model, memory, limits, _choose(written), steering)]
    ((ids, stop),) = endings([kept.tokens for kept in steps], limits)
    intervention.check_end(len(ids))
    intervention = vectors.recorded(intervention)
    decoding = Decoding(source, ids, "forced" if whole else stop)
    return record(model, [decoding], memory, model.network.start(memory), steps, intervention)[0]


def reworded(model: AnyModel, sentence: str, intervention: Intervention) -> str:
    """Return the sentence with its changed words. Raises InputError for a word that it does not have."""
    plain = model.tokenizer.encode(sentence, model.tokenizer.languages[0])
    return changed_text(plain, intervention.words)


def translate_each(
    model: AnyPretrained[TraceT], sentences: Mapping[int, str], intervention: Intervention, called: str
) -> Iterator[TraceT]:
    """Yield the trace of each numbered sentence; that of an empty one is empty. Raises InputError naming the first
    sentence, such as *item 3*, that the intervention does not fit."""
    for number, sentence in sentences.items():
        try:
            trace = translate(model, sentence, intervention) if sentence else of_nothing(model)
        except InputError as error:
            raise InputError(f"{called} {number}: {error}") from error
        yield trace


def _source(model: AnyModel, sentence: str, intervention: Intervention) -> Encoding:
    """Return the tokens of the changed sentence. Raises InputError if changed words make it too long."""
    source = model.tokenizer.encode(reworded(model, sentence, intervention), model.tokenizer.languages[0])
    if intervention.words and len(source.ids) > LINE_TOKENS:
        problem = f"with its changed words the sentence has {len(source.ids)} tokens"
        raise InputError(f"{problem}; accepted are up to {LINE_TOKENS}")
    return source


def _written(model: AnyModel, given: str, intervention: Intervention) -> dict[int, int]:
    """Return the forced tokens, by step."""
    own = (*model.tokenizer.encode(given, model.tokenizer.languages[1]).ids, STOP) if given else ()
    forced = dict(intervention.tokens)
    return dict(enumerate(own[: min(forced, default=len(own))])) | forced


def _choose(written: Mapping[int, int]) -> Choice:
    def choose(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
        return torch.tensor([written[step]]) if step in written else likeliest(step, logits)

    return choose


def _steering(intervention: Intervention, step: int, positions: int) -> Steering:
    """Return the changes of attention at one step as the network takes them."""
    if not intervention.changes_heads:
        return _all_alike(intervention, step, positions)
    own, cross = (intervention.heads(*place, step) for place in (("decoder", (1, step + 1)), ("cross", (1, positions))))
    return replace(_all_alike(intervention, step, positions), heads=_heads((*own, *cross)))


def _all_alike(intervention: Intervention, step: int, positions: int) -> Steering:
    """Return the changes that apply to all heads, or to a recurrent network's attention."""
    if not intervention.steers:
        return NO_STEERING
    row = intervention.steering(1, positions, step)
    return replace(NO_STEERING, **{name: _tensor(getattr(row, name)) for name in Steering.OF_WEIGHTS})


def _heads(changes: tuple[NumpyHeadChange, ...]) -> tuple[HeadChange, ...]:
    return tuple(
        HeadChange(one.attention, one.layer, one.head, _tensor(one.weights), _tensor(one.replaced)) for one in changes
    )


def _tensor(array: ndarray) -> Tensor:
    tensor = torch.from_numpy(array)
    return tensor if tensor.dtype == torch.bool else tensor.float()
