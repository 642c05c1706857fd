"""Outputs of Hugging Face's models, of a forward pass or of `generate`: encoder-decoders (Marian, T5, BART), and the
self-attention of encoders (BERT) and decoders (GPT-2, Llama).

    model = AutoModelForSeq2SeqLM.from_pretrained(name, attn_implementation="eager")
    outputs = model.generate(**batch, return_dict_in_generate=True, output_attentions=True, output_logits=True)
    regard.from_transformers(outputs, tokenizer, batch.input_ids, outputs.sequences)

A forward pass has for each layer a tensor B × heads × T × S, and the ids of the target are its labels; `generate` has
for each step and layer one of B × heads × 1 × S, and the sequences begin with the token that starts decoding. A prompt
of several tokens has that many rows in the first step. Encoders and decoders have `attentions`, of batch × heads ×
tokens × tokens; in grouped attention, each head of the queries is one. Only the names and shapes of fields are used, so
nothing is imported.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from regard.model.input_error import InputError, InputWarning
from regard.model.reference.formulas import softmax
from regard.model.soft_alignments.given_attention import GivenAttention, show
from regard.model.soft_alignments.tokens import ENDS

LIKELIEST = 10  # next tokens kept per step
ASK = (
    'load the model with attn_implementation="eager", call it with output_attentions=True, and generate with '
    "return_dict_in_generate=True as well"
)
PROCESSED = (
    "the outputs have scores, but no logits: temperature, top-k and other processors have changed the scores, so no "
    "probabilities are shown; generate with output_logits=True"
)


@dataclass(frozen=True, eq=False)
class _Sequence:
    """One of the sequences of a batch: its number, how many there are, and for beam search its row at each step."""

    index: int
    count: int
    beams: Int[ndarray, " N"] | None
    stepwise: bool  # made by `generate`

    def row(self, rows: int, called: str) -> int:
        """Return this sequence's row of a batch in which several sequences may share one. Raises InputError."""
        if rows < 1 or self.count % rows:
            raise InputError(f"{called} has {rows} rows for {self.count} sequences; each sentence needs one")
        return self.index * rows // self.count

    def beam(self, step: int) -> int:
        """Return the row of `generate`'s batch that wrote a step; after the end of the sequence any will do."""
        if self.beams is None:
            return self.index
        return max(0, *self.beams[step : step + 1].tolist(), 0)


def from_transformers(
    outputs: Any, tokenizer: Any, source_ids: Any, target_ids: Any = None, index: int = 0
) -> GivenAttention:
    """Read sequence `index` of a batch from a model's outputs: all layers and heads of its attentions.

    Of an encoder-decoder, `target_ids` are the labels of a forward pass, or `generate`'s sequences, which are the
    default. Where `generate` returns several sequences for each sentence, `index` counts sequences. With beam search,
    the heads are those of the beam that became the sequence. A decoder's prompt has rows of its own. Probabilities of
    next tokens are shown if the outputs have logits of every row. Padding at the ends is left out. Raises InputError if
    something is missing or does not fit, and for attention within a window, whose columns are distances.

    Of an encoder or a decoder alone, `source_ids` are what it read: the ids of a forward pass, or those given to
    `generate`, whose sequence is shown whole but for its last token, which was never read and attends to nothing.
    """
    named = _names(tokenizer)
    cross, decoder, encoder = (_layers_of(outputs, f"{name}_attentions") for name in ("cross", "decoder", "encoder"))
    if not cross and (own := _layers_of(outputs, "attentions")):
        return _alone(outputs, own, tokenizer, source_ids, target_ids, index)
    if not cross:
        raise InputError(_without_cross(outputs))
    sequence = _sequence(outputs, cross, index)
    weights = _of_sequence(cross, sequence, "cross_attentions")
    sources = _batch(source_ids, "source_ids")
    ids = sources[sequence.row(len(sources), "source_ids")]
    if weights.shape[3] != len(ids):
        raise InputError(f"source_ids have {len(ids)} tokens, the attentions {weights.shape[3]} columns")
    columns = _unpadded_source(ids, sources, _pad(tokenizer), np.logical_not(weights.any((0, 1, 2))))
    rows, target = _target(outputs, target_ids, sequence, tokenizer, weights.shape[2])
    likely, probabilities = _likeliest(outputs, sequence, rows, target, named)
    return show(
        weights[:, :, rows][:, :, :, columns],
        named(ids[columns].tolist()),
        named(target.tolist()),
        probabilities=probabilities,
        next_tokens=likely,
        decoder=_own(decoder, sequence, rows),
        encoder=_of_encoder(encoder, sequence, len(ids))[:, :, columns][:, :, :, columns] if encoder else None,
        name=str(getattr(tokenizer, "name_or_path", "") or "transformers"),
    )


def _names(tokenizer: Any) -> Callable[[list[int]], list[str]]:
    """Return the function that names the tokens of some ids. Raises InputError if the tokenizer has none."""
    named = getattr(tokenizer, "convert_ids_to_tokens", None)
    if not callable(named):
        raise InputError(f"tokenizer is of type {type(tokenizer).__name__}; accepted is one of transformers")
    return lambda ids: [*map(str, named(ids))]  # type: ignore[call-overload]


def _layers_of(outputs: Any, name: str) -> Sequence[Any]:
    """Return the layers of an attention, or the steps with their layers; none if the outputs do not have them."""
    layers = outputs.get(name) if isinstance(outputs, Mapping) else getattr(outputs, name, None)
    if layers is None or (isinstance(layers, (tuple, list)) and (not layers or layers[0] is None)):
        return ()
    if not isinstance(layers, (tuple, list)) or not hasattr(layers[0], "__len__"):
        raise InputError(
            f"{name} have the type {type(layers).__name__}; accepted is a tuple with a tensor of each layer"
        )
    return layers if len(layers[0]) and layers[0][0] is not None else ()


def _without_cross(outputs: Any) -> str:
    """Say why there is no attention to show."""
    known = outputs if isinstance(outputs, Mapping) else vars(outputs) if hasattr(outputs, "__dict__") else {}
    if known.get("encoder_attentions") or known.get("decoder_attentions"):
        return "the outputs have self-attention, but no cross_attentions: show one with regard.show(weights, tokens)"
    if not known or "logits" in known or "last_hidden_state" in known or "sequences" in known:
        return (
            f"the outputs have no cross_attentions and no attentions; {ASK}. Models without softmax attention, such as "
            "Mamba, have none"
        )
    return f"the outputs, of type {type(outputs).__name__}, have no cross_attentions and no attentions; {ASK}"


def _alone(
    outputs: Any, layers: Sequence[Any], tokenizer: Any, source_ids: Any, target_ids: Any, index: Any
) -> GivenAttention:
    """Read the self-attention of an encoder or decoder without the other."""
    if target_ids is not None:
        raise InputError("target_ids are of no use here: the outputs are those of a model with one sentence")
    sequence = _sequence(outputs, layers, index, "attentions")
    weights = _of_sequence(layers, sequence, "attentions")
    batch = _batch(source_ids, "source_ids")
    given = batch[sequence.row(len(batch), "source_ids")]
    if sequence.stepwise and hasattr(outputs, "sequences"):
        batch = _batch(outputs.sequences, "sequences")
        whole = batch[sequence.index]
        if not np.array_equal(whole[: len(given)], given):
            raise InputError("source_ids are not how outputs.sequences begin; pass the ids that generate was given")
        batch, ids = batch[:, : weights.shape[2]], whole[: weights.shape[2]]
    else:
        ids = given
    if weights.shape[2:] != (len(ids), len(ids)):
        raise InputError(
            f"source_ids have {len(ids)} tokens, the attentions {weights.shape[2]} rows and {weights.shape[3]} "
            "columns; accepted is a row and a column for each token (attention within a window cannot be shown)"
        )
    kept = _unpadded_source(ids, batch, _pad(tokenizer), _unseen(weights, ids, _pad(tokenizer)[0]))
    named = _names(tokenizer)
    name = str(getattr(tokenizer, "name_or_path", "") or "transformers")
    return show(weights[:, :, kept][:, :, :, kept], named(ids[kept].tolist()), name=name)


def _unseen(weights: Float[ndarray, "L N S S"], ids: Int[ndarray, " S"], pad: int | None) -> ndarray:
    """Return True for what may be padding: no other token attends to it, nor, at the end, it to itself."""
    before, after = _run(ids[::-1], pad), _run(ids, pad)
    real = weights[:, :, before : len(ids) - after]
    unseen = np.logical_not(real.any((0, 1, 2)))
    itself = weights.diagonal(0, 2, 3).any((0, 1))
    return unseen & ~(itself & (np.arange(len(ids)) >= len(ids) - after))


def _sequence(outputs: Any, attentions: Sequence[Any], index: Any, called: str = "cross_attentions") -> _Sequence:
    """Return the sequence of this number. Raises InputError if there is none."""
    stepwise = isinstance(attentions[0], (tuple, list))
    rows = len(_tensor(attentions[0][0] if stepwise else attentions[0], called))
    sequences, beams = getattr(outputs, "sequences", None), getattr(outputs, "beam_indices", None)
    count = rows if sequences is None or not stepwise else len(_batch(sequences, "sequences"))
    if not isinstance(index, int) or not 0 <= index < count:
        raise InputError(f"index is {index!r}; the outputs have sequences 0 to {count - 1}")
    if stepwise and beams is None and rows != count:
        raise InputError(
            f"the attentions have {rows} rows for {count} sequences, and no beam_indices say which became which; "
            "generate with output_scores=True as well"
        )
    return _Sequence(index, count, None if beams is None else _numpy(beams)[index].astype(int), stepwise)


def _numpy(values: Any) -> ndarray:
    return np.asarray(values.detach().cpu().float() if hasattr(values, "detach") else values)


def _tensor(values: Any, called: str) -> Float[ndarray, "B N R C"]:
    """Return one layer of a batch. Raises InputError for another shape."""
    try:
        array = _numpy(values)
    except (ValueError, TypeError) as error:
        raise InputError(f"{called} are no tensors ({error}); accepted is batch × heads × rows × columns") from error
    if array.ndim != 4 or not array.size:
        raise InputError(f"{called} have the shape {array.shape}; accepted is batch × heads × rows × columns")
    return array


def _batch(values: Any, called: str) -> Int[ndarray, "B N"]:
    """Return ids as a batch, perhaps of one. Raises InputError for anything else."""
    accepted = "accepted are the ids of a sentence, or a padded batch of them"
    if isinstance(values, Mapping) or hasattr(values, "input_ids"):
        raise InputError(f"{called} is a whole batch, of type {type(values).__name__}; pass its input_ids")
    if isinstance(values, (list, tuple)) and len({len(row) for row in values if isinstance(row, (list, tuple))}) > 1:
        raise InputError(f"{called} have lists of {', '.join(str(len(row)) for row in values)} ids; {accepted}")
    try:
        detach = getattr(values, "detach", None)
        array = np.asarray(detach().cpu() if detach else values)
        array = array if array.dtype.kind in "iu" else array.astype(np.float64).astype(np.int64)
    except (ValueError, TypeError) as error:
        raise InputError(f"{called} are no numbers ({error}); {accepted}") from error
    if array.ndim not in (1, 2) or not array.size:
        raise InputError(f"{called} have the shape {array.shape}; {accepted}")
    return np.atleast_2d(array).astype(np.int64)


def _of_sequence(attentions: Sequence[Any], sequence: _Sequence, called: str) -> Float[ndarray, "L N T C"]:
    """Return all layers of one sequence. `generate` made its rows step by step: those of the prompt first, then the
    last of each step; a step that attends to fewer tokens has weights of 0 for the rest."""
    if not isinstance(attentions[0], (tuple, list)):
        layers = [_tensor(layer, called) for layer in attentions]
        return _stacked([layer[sequence.row(len(layer), called)] for layer in layers], called)
    steps = []
    for place, step in enumerate(attentions):
        layers = [_tensor(layer, called)[sequence.beam(place)] for layer in step]
        steps.append(_stacked(layers if not place else [layer[:, -1:] for layer in layers], called))
    width = max(step.shape[-1] for step in steps)
    return np.concatenate([np.pad(step, ((0, 0),) * 3 + ((0, width - step.shape[-1]),)) for step in steps], axis=2)


def _stacked(layers: Sequence[Float[ndarray, "N R C"]], called: str) -> Float[ndarray, "L N R C"]:
    if len({layer.shape for layer in layers}) > 1:
        shapes = " and ".join(dict.fromkeys(str(layer.shape) for layer in layers))
        raise InputError(f"the layers of {called} have the shapes {shapes}; accepted are layers of one shape")
    return np.stack(layers).astype(np.float32)


def _of_encoder(layers: Sequence[Any], sequence: _Sequence, tokens: int) -> Float[ndarray, "L N S S"]:
    """Return the encoder's self-attention. Raises InputError if it is not that of all tokens to all tokens."""
    shape = _numpy(layers[0]).shape
    if shape[-2:] != (tokens, tokens):
        raise InputError(
            f"encoder_attentions have the shape {shape}, for {tokens} tokens: columns that are distances within a "
            "window (local attention) cannot be shown; accepted is batch × heads × tokens × tokens, or None"
        )
    weights, half = _of_sequence(layers, sequence, "encoder_attentions"), tokens // 2
    if tokens % 2 and tokens > 1 and not (weights[:, :, 0, :half].any() or weights[:, :, -1, half + 1 :].any()):
        raise InputError(
            f"encoder_attentions have the shape {shape}, and no weight left of the first token or right of the last: "
            "their columns are distances within a window (local attention), which cannot be shown; pass None instead"
        )
    return weights


def _own(layers: Sequence[Any], sequence: _Sequence, rows: Int[ndarray, " T"]) -> Float[ndarray, "L N T T"] | None:
    """Return the decoder's self-attention; None where the rows are not the first ones, so that columns are missing."""
    if not layers or rows[-1] != len(rows) - 1:
        return None
    weights = _of_sequence(layers, sequence, "decoder_attentions")
    if min(weights.shape[2:]) < len(rows):
        raise InputError(
            f"decoder_attentions have {weights.shape[2]} rows and {weights.shape[3]} columns for {len(rows)} tokens"
        )
    return weights[:, :, : len(rows), : len(rows)]


def _pad(tokenizer: Any) -> tuple[int | None, bool | None]:
    """Return the id of padding, and whether it also ends sentences; None if that is not known."""
    pad, end = getattr(tokenizer, "pad_token_id", None), getattr(tokenizer, "eos_token_id", None)
    if pad is None or end is not None:
        return pad, pad == end
    name = _names(tokenizer)([pad])[0]
    return pad, False if "pad" in name.lower() else True if name in ENDS else None


def _run(ids: Int[ndarray, " N"], pad: int | None) -> int:
    """Return how many ids at the end are padding (−100 in labels)."""
    real = np.flatnonzero((ids != pad) & (ids >= 0))
    return len(ids) - 1 - int(real[-1]) if len(real) else len(ids)


def _unpadded_source(
    ids: Int[ndarray, " N"], batch: Int[ndarray, "B N"], pad: tuple[int | None, bool | None], unseen: ndarray
) -> Int[ndarray, " M"]:
    """Return the places of the ids that are not padding, at either end. If the same token ends sentences, only ids
    that get no attention at all (`unseen`) are padding."""
    token, ends = pad
    before, after = _run(ids[::-1], token), _run(ids, token)
    place = np.arange(len(ids))
    padding = (place < before) | (place >= len(ids) - after)
    if ends or (ends is None and min(_run(row, token) for row in batch)):
        padding &= unseen
    return np.flatnonzero(~padding & (ids >= 0))


def _target(
    outputs: Any, target_ids: Any, sequence: _Sequence, tokenizer: Any, steps: int
) -> tuple[Int[ndarray, " T"], Int[ndarray, " T"]]:
    """Return the rows of the attentions that belong to the target, and its ids without the token that starts decoding.

    Raises InputError if they do not correspond.
    """
    written = getattr(outputs, "sequences", None) if sequence.stepwise else None
    if target_ids is None and written is None:
        raise InputError("target_ids are missing; a forward pass needs its labels")
    batch = _batch(written if target_ids is None else target_ids, "target_ids")
    ids = batch[sequence.row(len(batch), "target_ids")]
    pad, ends = _pad(tokenizer)
    starts = written is not None and len(ids) == np.shape(written)[-1]  # a start may be the token that pads
    padding = _run(ids[starts:], pad)
    if padding and ids[-1] >= 0 and (ends or (ends is None and min(_run(row, pad) for row in batch))):
        padding -= 1  # the first of them ends the sentence
    ids = ids[: len(ids) - padding]
    first = -1 if len(ids) + padding == steps + 1 else 0
    if written is not None and target_ids is not None:
        first = _found(_batch(written, "sequences")[sequence.index], ids)
    elif written is not None:
        first = -1
    places = np.arange(first, first + len(ids))
    kept = (places >= 0) & (ids >= 0)
    rows, target = places[kept], ids[kept]
    if not len(rows) or rows[-1] >= steps:
        raise InputError(f"target_ids have {len(rows)} tokens, the attentions {steps} steps")
    return rows, target


def _found(whole: Int[ndarray, " N"], ids: Int[ndarray, " T"]) -> int:
    """Return the row of the first of these ids, which are part of a sequence; −1 for the one that starts decoding.

    Raises InputError if they are not part of it.
    """
    found = [at for at in range(len(whole) - len(ids) + 1) if np.array_equal(whole[at : at + len(ids)], ids)]
    if not found or not len(ids):
        raise InputError("target_ids are no part of outputs.sequences, whose attentions these are; leave them out")
    return found[0] - 1


def _likeliest(
    outputs: Any,
    sequence: _Sequence,
    rows: Int[ndarray, " T"],
    target: Int[ndarray, " T"],
    named: Callable[[list[int]], list[str]],
) -> tuple[list[list[tuple[str, float]]], list[float] | None]:
    """Return the likeliest tokens of each step, and the probabilities of the target's tokens; nothing without logits
    of every row."""
    logits = getattr(outputs, "logits", None)
    if logits is None:
        if getattr(outputs, "scores", None) is not None:
            warnings.warn(PROCESSED, InputWarning, 3)
        return [], None
    if isinstance(logits, (tuple, list)):
        chosen = [_numpy(step)[sequence.beam(place)] for place, step in enumerate(logits)]
    else:
        array = _numpy(logits)
        chosen = array[sequence.row(len(array), "logits")]
    if len(chosen) <= rows[-1]:
        return [], None
    chances = softmax(np.stack([chosen[row] for row in rows]).astype(np.float64)).astype(np.float32)
    best = np.argsort(-chances, axis=1)[:, :LIKELIEST]
    likely = [
        list(zip(named(ids.tolist()), step[ids].tolist(), strict=True)) for ids, step in zip(best, chances, strict=True)
    ]
    return likely, chances[np.arange(len(target)), target].tolist()
