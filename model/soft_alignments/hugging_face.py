"""Outputs of Hugging Face's encoder-decoders (Marian, T5, BART), of a forward pass or of `generate`.

    model = AutoModelForSeq2SeqLM.from_pretrained(name, attn_implementation="eager")
    outputs = model.generate(**batch, return_dict_in_generate=True, output_attentions=True, output_logits=True)
    regard.from_transformers(outputs, tokenizer, batch.input_ids, outputs.sequences)

A forward pass has for each layer a tensor B × heads × T × S, and the ids of the target are its labels; `generate` has
for each step and layer one of B × heads × 1 × S, and the sequences begin with the token that starts decoding. Only the
names and shapes of fields are used, so nothing is imported.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.reference.formulas import softmax
from regard.model.soft_alignments.given_attention import GivenAttention, show

LIKELIEST = 10  # next tokens kept per step
ASK = (
    'load the model with attn_implementation="eager", call it with output_attentions=True, and generate with '
    "return_dict_in_generate=True as well"
)


def from_transformers(
    outputs: Any, tokenizer: Any, source_ids: Any, target_ids: Any = None, index: int = 0
) -> GivenAttention:
    """Read sentence `index` of a batch from an encoder-decoder's outputs: all layers and heads of its attentions.

    `target_ids` are the labels of a forward pass, or `generate`'s sequences, which are the default. With beam search,
    the heads are those of the beam that became the sequence. Probabilities of next tokens are shown if the outputs have
    logits, or scores of greedy decoding. Raises InputError if something is missing or does not fit.
    """
    cross = getattr(outputs, "cross_attentions", None)
    if not cross or not len(cross[0]):
        raise InputError(f"the outputs have no cross_attentions; {ASK}")
    stepwise = isinstance(cross[0], (tuple, list))
    ids = _ids(source_ids, index, "source_ids")
    source, kept = _without_padding(ids, tokenizer)
    target = _ids(getattr(outputs, "sequences", None) if target_ids is None else target_ids, index, "target_ids")
    beams = getattr(outputs, "beam_indices", None)
    rows = None if beams is None else _numpy(beams)[index].astype(int)
    encoder, decoder = (getattr(outputs, f"{name}_attentions", None) for name in ("encoder", "decoder"))
    weights = _by_step(cross, rows, index) if stepwise else _of_sentence(cross, index)
    target = target[1:] if _has_start_token(outputs, target, weights.shape[2]) else target
    target, _ = _without_padding(target, tokenizer)
    steps = len(target)
    _check_sizes(weights, len(ids), steps)
    masks = (_by_step(decoder, rows, index) if stepwise else _of_sentence(decoder, index)) if decoder else None
    chances = _chances(outputs, rows, index, steps)
    named: Callable[[Any], list[str]] = tokenizer.convert_ids_to_tokens
    likely, probabilities = _likeliest(chances, target, named) if chances is not None else ((), None)
    return show(
        weights[:, :, :steps, kept],
        named(source.tolist()),
        named(target.tolist()),
        probabilities=probabilities,
        next_tokens=likely,
        decoder=None if masks is None else masks[:, :, :steps, :steps],
        encoder=_of_sentence(encoder, index)[:, :, kept][:, :, :, kept] if encoder else None,
        name=str(getattr(tokenizer, "name_or_path", "") or "transformers"),
    )


def _check_sizes(weights: Float[ndarray, "L N T S"], ids: int, steps: int) -> None:
    """Check that the attentions are of these tokens. Raises InputError."""
    if weights.shape[3] != ids:
        raise InputError(f"source_ids have {ids} tokens, the attentions {weights.shape[3]} columns")
    if steps > weights.shape[2] or not steps:
        raise InputError(f"target_ids have {steps} tokens, the attentions {weights.shape[2]} steps")


def _has_start_token(outputs: Any, target: Int[ndarray, " N"], steps: int) -> bool:
    """Return True if the target's first token only starts decoding, as in `generate`'s sequences."""
    sequences = getattr(outputs, "sequences", None)
    generated = [] if sequences is None else _numpy(sequences).astype(np.int64)
    return len(target) == steps + 1 or any(np.array_equal(target, one) for one in generated)


def _numpy(values: Any) -> ndarray:
    return np.asarray(values.detach().cpu().float() if hasattr(values, "detach") else values)


def _ids(values: Any, index: int, called: str) -> Int[ndarray, " N"]:
    """Return the ids of one sentence of a batch, or of the only one."""
    if values is None:
        raise InputError(f"{called} are missing")
    array = _numpy(values).astype(np.int64)
    if array.ndim not in (1, 2) or (array.ndim == 2 and not 0 <= index < len(array)):
        raise InputError(f"{called} have the shape {array.shape}; accepted are ids, or a batch with sentence {index}")
    return array[index] if array.ndim == 2 else array


def _without_padding(ids: Int[ndarray, " N"], tokenizer: Any) -> tuple[Int[ndarray, " M"], Int[ndarray, " M"]]:
    """Return the ids that are not padding (−100 in labels), and their places."""
    kept = np.flatnonzero((ids != getattr(tokenizer, "pad_token_id", None)) & (ids >= 0))
    return ids[kept], kept


def _of_sentence(layers: Sequence[Any], index: int) -> Float[ndarray, "L N R C"]:
    """Return the layers of one sentence of a forward pass."""
    arrays = [_numpy(layer) for layer in layers]
    return np.stack([array[min(index, len(array) - 1)] for array in arrays]).astype(np.float32)


def _by_step(steps: Sequence[Sequence[Any]], rows: ndarray | None, index: int) -> Float[ndarray, "L N T C"]:
    """Join the layers of each step of `generate`; a step that attends to fewer tokens has weights of 0 for the rest."""
    width = max(_numpy(step[0]).shape[-1] for step in steps)
    joined = []
    for place, step in enumerate(steps):
        row = index if rows is None else max(0, *rows[place : place + 1].tolist(), 0)
        layers = np.stack([_numpy(layer)[row, :, -1] for layer in step])
        joined.append(np.pad(layers, ((0, 0), (0, 0), (0, width - layers.shape[-1]))))
    return np.stack(joined, axis=2).astype(np.float32)


def _chances(outputs: Any, rows: ndarray | None, index: int, steps: int) -> Float[ndarray, "T V"] | None:
    """Return the distribution of the next token at each step, if the outputs have it."""
    logits = getattr(outputs, "logits", None)
    if logits is None and rows is None:
        logits = getattr(outputs, "scores", None)
    if logits is None:
        return None
    if isinstance(logits, (tuple, list)):
        at = [index if rows is None else max(int(rows[place]), 0) for place in range(steps)]
        chosen = np.stack([_numpy(step)[row] for row, step in zip(at, logits, strict=False)])
    else:
        chosen = _numpy(logits)[index, :steps]
    return softmax(chosen.astype(np.float64)).astype(np.float32)


def _likeliest(
    chances: Float[ndarray, "T V"], target: Int[ndarray, " T"], named: Callable[[Any], list[str]]
) -> tuple[list[list[tuple[str, float]]], list[float]]:
    """Return the likeliest tokens of each step, and the probabilities of the target's tokens."""
    best = np.argsort(-chances, axis=1)[:, :LIKELIEST]
    likely = [
        list(zip(named(ids.tolist()), step[ids].tolist(), strict=True)) for ids, step in zip(best, chances, strict=True)
    ]
    return likely, chances[np.arange(len(target)), target].tolist()
