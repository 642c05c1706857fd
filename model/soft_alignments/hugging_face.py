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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from regard.model.input_error import InputError, InputWarning
from regard.model.reference.formulas import softmax
from regard.model.soft_alignments.given_attention import GivenAttention, show

LIKELIEST = 10  # next tokens kept per step
NOTHING = (
    'the outputs have no cross_attentions and no attentions: load the model with attn_implementation="eager", call it '
    "with output_attentions=True, and generate with return_dict_in_generate=True as well. Models without softmax "
    "attention, such as Mamba, have none; other attention is shown by regard.show(weights, tokens)"
)
PROCESSED = (
    "the outputs have scores, but no logits: temperature, top-k and other processors have changed the scores, so no "
    "probabilities are shown; generate with output_logits=True"
)
SHAPE = "accepted is batch × heads × rows × columns"
IDS = "accepted are the ids of a sentence, or a padded batch of them"
WINDOW = "columns that are distances within a window (local attention) cannot be shown"


@dataclass(frozen=True, eq=False)
class _Sequence:
    """Sequence of a batch: its index, how many there are, and for beam search its row at each step."""

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
        return self.index if self.beams is None else max(0, *self.beams[step : step + 1].tolist(), 0)


def from_transformers(
    outputs: Any, tokenizer: Any, source_ids: Any, target_ids: Any = None, index: int = 0
) -> GivenAttention:
    """Read sequence `index` of a batch from a model's outputs: all layers and heads of its attentions.

    Of an encoder-decoder, `target_ids` are the labels of a forward pass, or `generate`'s sequences, which are the
    default. Where `generate` returns several sequences for each sentence, `index` counts sequences; with beam search,
    the heads are those of the beam that became the sequence. Probabilities are shown if the outputs have logits of
    every row. Raises InputError if something is missing or does not fit, such as attention within a window.

    Of an encoder or a decoder alone, `source_ids` are what it read: the ids of a forward pass, or those given to
    `generate`, whose sequence is shown whole but for its last token, which was never read and attends to nothing.
    """
    if not callable(getattr(tokenizer, "convert_ids_to_tokens", None)):
        raise InputError(f"tokenizer is of type {type(tokenizer).__name__}; accepted is one of transformers")
    names = (f"{kind}attentions" for kind in ("cross_", "decoder_", "encoder_", ""))
    cross, decoder, encoder, own = (_layers_of(outputs, each) for each in names)
    sequence = _sequence(outputs, cross or own, index)
    weights = _of_sequence(cross or own, sequence, "cross_attentions" if cross else "attentions")
    sources = _batch(source_ids, "source_ids")
    ids = sources[sequence.row(len(sources), "source_ids")]
    if not cross:
        if target_ids is not None:
            raise InputError("target_ids are of no use here: the outputs are those of a model with one sentence")
        return _alone(outputs, tokenizer, sequence, weights, ids)
    if weights.shape[3] != len(ids):
        raise InputError(f"source_ids have {len(ids)} tokens, the attentions {weights.shape[3]} columns")
    columns = _unpadded(ids, tokenizer, np.logical_not(weights.any((0, 1, 2))))
    rows, target = _target(outputs, target_ids, sequence, tokenizer, weights.shape[2])
    likely, probabilities = _likeliest(outputs, sequence, rows, target, tokenizer)
    return show(
        weights[:, :, rows][:, :, :, columns],
        _names(tokenizer, ids[columns]),
        _names(tokenizer, target),
        probabilities=probabilities,
        next_tokens=likely,
        decoder=_own(decoder, sequence, rows),
        encoder=_of_encoder(encoder, sequence, len(ids), columns),
        name=_title(tokenizer),
    )


def _title(tokenizer: Any) -> str:
    return str(getattr(tokenizer, "name_or_path", "") or "transformers")


def _names(tokenizer: Any, ids: Int[ndarray, " N"]) -> list[str]:
    return [*map(str, tokenizer.convert_ids_to_tokens(ids.tolist()))]


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


def _alone(
    outputs: Any, tokenizer: Any, sequence: _Sequence, weights: Float[ndarray, "L N R C"], ids: ndarray
) -> GivenAttention:
    """Read the self-attention of an encoder or decoder without the other."""
    if sequence.stepwise and hasattr(outputs, "sequences"):
        whole = _batch(outputs.sequences, "sequences")[sequence.index]
        if not np.array_equal(whole[: len(ids)], ids):
            raise InputError("source_ids are not how outputs.sequences begin; pass the ids that generate was given")
        ids = whole[: weights.shape[2]]
    if weights.shape[2:] != (len(ids), len(ids)):
        raise InputError(
            f"source_ids have {len(ids)} tokens, the attentions {weights.shape[2]} rows and {weights.shape[3]} "
            f"columns; accepted is a row and a column for each token; {WINDOW}"
        )
    before, after = (_run(side, _pad(tokenizer)[0]) for side in (ids[::-1], ids))
    unseen = ~weights[:, :, before : len(ids) - after].any((0, 1, 2))  # by any real token, nor at the end by itself
    itself = weights.diagonal(0, 2, 3).any((0, 1)) & (np.arange(len(ids)) >= len(ids) - after)
    kept = _unpadded(ids, tokenizer, unseen & ~itself)
    return show(weights[:, :, kept][:, :, :, kept], _names(tokenizer, ids[kept]), name=_title(tokenizer))


def _sequence(outputs: Any, attentions: Sequence[Any], index: Any) -> _Sequence:
    """Return the sequence of this number. Raises InputError if there is none, or no attention."""
    if not attentions and (_layers_of(outputs, "encoder_attentions") or _layers_of(outputs, "decoder_attentions")):
        raise InputError(
            "the outputs have self-attention, but no cross_attentions: regard.show(weights, tokens) shows one"
        )
    if not attentions:
        raise InputError(NOTHING)
    stepwise = isinstance(attentions[0], (tuple, list))
    rows = len(_tensor(attentions[0][0] if stepwise else attentions[0], "attentions"))
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
        raise InputError(f"{called} are no tensors ({error}); {SHAPE}") from error
    if array.ndim != 4 or not array.size:
        raise InputError(f"{called} have the shape {array.shape}; {SHAPE}")
    return array


def _batch(values: Any, called: str) -> Int[ndarray, "B N"]:
    """Return ids as a batch, perhaps of one. Raises InputError for anything else."""
    if isinstance(values, Mapping) or hasattr(values, "input_ids"):
        raise InputError(f"{called} is a whole batch, of type {type(values).__name__}; pass its input_ids")
    try:
        array = np.asarray(values.detach().cpu() if hasattr(values, "detach") else values).astype(np.int64)
    except (ValueError, TypeError) as error:
        raise InputError(f"{called} are no numbers ({error}); {IDS}") from error
    if array.ndim not in (1, 2) or not array.size:
        raise InputError(f"{called} have the shape {array.shape}; {IDS}")
    return np.atleast_2d(array)


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


def _of_encoder(
    layers: Sequence[Any], sequence: _Sequence, tokens: int, kept: Int[ndarray, " S"]
) -> Float[ndarray, "L N S S"] | None:
    """Return the encoder's self-attention among the `kept` tokens. Raises InputError if it is not that of all tokens to
    all tokens: if its columns are distances, no weight is left of the first token nor right of the last."""
    if not layers:
        return None
    shape = _numpy(layers[0]).shape
    square, half = shape[-2:] == (tokens, tokens), tokens // 2
    weights = _of_sequence(layers, sequence, "encoder_attentions") if square else np.zeros((1, 1, 1, 1), np.float32)
    odd = tokens % 2 and tokens > 1
    if not square or (odd and not (weights[:, :, 0, :half].any() or weights[:, :, -1, half + 1 :].any())):
        raise InputError(
            f"encoder_attentions have the shape {shape}, for {tokens} tokens: {WINDOW}; accepted is batch × heads × "
            "tokens × tokens, or None"
        )
    return weights[:, :, kept][:, :, :, kept]


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


def _pad(tokenizer: Any) -> tuple[int | None, bool]:
    """Return the id of padding, and whether it also ends sentences."""
    pad = getattr(tokenizer, "pad_token_id", None)
    return pad, pad is not None and pad == getattr(tokenizer, "eos_token_id", None)


def _run(ids: Int[ndarray, " N"], pad: int | None) -> int:
    """Return how many ids at the end are padding (−100 in labels)."""
    real = np.flatnonzero((ids != pad) & (ids >= 0))
    return len(ids) - 1 - int(real[-1]) if len(real) else len(ids)


def _unpadded(ids: Int[ndarray, " N"], tokenizer: Any, unseen: ndarray) -> Int[ndarray, " M"]:
    """Return the places of the ids that are not padding, at either end. If the same token ends sentences, only ids
    that get no attention at all (`unseen`) are padding."""
    pad, ends = _pad(tokenizer)
    place = np.arange(len(ids))
    padding = (place < _run(ids[::-1], pad)) | (place >= len(ids) - _run(ids, pad))
    return np.flatnonzero(~(padding & unseen if ends else padding) & (ids >= 0))


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
    padding -= bool(padding and ids[-1] >= 0 and ends)  # the first of them ends the sentence
    ids = ids[: len(ids) - padding]
    first = -1 if len(ids) + padding == steps + 1 or (written is not None and target_ids is None) else 0
    if written is not None and target_ids is not None:
        whole = _batch(written, "sequences")[sequence.index]
        places = [at for at in range(len(whole) - len(ids) + 1) if np.array_equal(whole[at : at + len(ids)], ids)]
        if not places or not len(ids):
            raise InputError("target_ids are no part of outputs.sequences, whose attentions these are; leave them out")
        first = places[0] - 1
    rows = np.arange(first, first + len(ids))
    kept = (rows >= 0) & (ids >= 0)
    rows, target = rows[kept], ids[kept]
    if not len(rows) or rows[-1] >= steps:
        raise InputError(f"target_ids have {len(rows)} tokens, the attentions {steps} steps")
    return rows, target


def _likeliest(
    outputs: Any, sequence: _Sequence, rows: Int[ndarray, " T"], target: Int[ndarray, " T"], tokenizer: Any
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
    steps = zip(best, chances, strict=True)
    likely = [list(zip(_names(tokenizer, ids), step[ids].tolist(), strict=True)) for ids, step in steps]
    return likely, chances[np.arange(len(target)), target].tolist()
