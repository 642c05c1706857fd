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
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
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


class _Sequence:
    """One sequence of a batch of outputs: its number among `count`, and for beam search its row at each step."""

    def __init__(self, outputs: Any, tokenizer: Any, index: Any) -> None:
        """Raises InputError if there is no attention, or no sequence of this number."""
        self.outputs, self.tokenizer = outputs, tokenizer
        names = (f"{kind}attentions" for kind in ("cross_", "decoder_", "encoder_", ""))
        self.cross, self.decoder, self.encoder, self.own = map(self._layers, names)
        attentions = self.cross or self.own
        if not attentions and (self.encoder or self.decoder):
            raise InputError(
                "the outputs have self-attention, but no cross_attentions: regard.show(weights, tokens) shows one"
            )
        if not attentions:
            raise InputError(NOTHING)
        stepwise = isinstance(attentions[0], (tuple, list))  # made by `generate`
        rows = len(_tensor(attentions[0][0] if stepwise else attentions[0], "attentions"))
        written, beams = getattr(outputs, "sequences", None), getattr(outputs, "beam_indices", None)
        self.sequences = _batch(written, "sequences") if stepwise and written is not None else None
        self.count = rows if self.sequences is None else len(self.sequences)
        if not isinstance(index, int) or not 0 <= index < self.count:
            raise InputError(f"index is {index!r}; the outputs have sequences 0 to {self.count - 1}")
        if stepwise and beams is None and rows != self.count:
            raise InputError(
                f"the attentions have {rows} rows for {self.count} sequences, and no beam_indices say which became "
                "which; generate with output_scores=True as well"
            )
        self.index, self.beams = index, None if beams is None else _numpy(beams)[index].astype(int)
        self.pad = getattr(tokenizer, "pad_token_id", None)
        self.pad_ends = self.pad is not None and self.pad == getattr(tokenizer, "eos_token_id", None)

    def _layers(self, name: str) -> Sequence[Any]:
        """Return the layers of an attention, or the steps with their layers; none if the outputs do not have them."""
        outputs = self.outputs
        layers = outputs.get(name) if isinstance(outputs, Mapping) else getattr(outputs, name, None)
        if layers is None or (isinstance(layers, (tuple, list)) and (not layers or layers[0] is None)):
            return ()
        if not isinstance(layers, (tuple, list)) or not hasattr(layers[0], "__len__"):
            raise InputError(
                f"{name} have the type {type(layers).__name__}; accepted is a tuple with a tensor of each layer"
            )
        return layers if len(layers[0]) and layers[0][0] is not None else ()

    def of(self, batch: Any, called: str) -> Any:
        """Return this sequence's row of a batch in which several sequences may share one. Raises InputError."""
        rows = len(batch)
        if rows < 1 or self.count % rows:
            raise InputError(f"{called} has {rows} rows for {self.count} sequences; each sentence needs one")
        return batch[self.index * rows // self.count]

    def beam(self, step: int) -> int:
        """Return the row of `generate`'s batch that wrote a step; after the end of the sequence any will do."""
        return self.index if self.beams is None else max(0, *self.beams[step : step + 1].tolist(), 0)

    def weights(self, attentions: Sequence[Any], called: str) -> Float[ndarray, "L N T C"]:
        """Return all layers. `generate` made its rows step by step: those of the prompt first, then the last of each
        step; a step that attends to fewer tokens has weights of 0 for the rest."""
        if not isinstance(attentions[0], (tuple, list)):
            return _stacked([self.of(_tensor(layer, called), called) for layer in attentions], called)
        steps = []
        for place, step in enumerate(attentions):
            layers = [_tensor(layer, called)[self.beam(place)] for layer in step]
            steps.append(_stacked(layers if not place else [layer[:, -1:] for layer in layers], called))
        width = max(step.shape[-1] for step in steps)
        return np.concatenate([np.pad(step, ((0, 0),) * 3 + ((0, width - step.shape[-1]),)) for step in steps], axis=2)

    def names(self, ids: Int[ndarray, " N"]) -> list[str]:
        return [*map(str, self.tokenizer.convert_ids_to_tokens(ids.tolist()))]

    def padding(self, ids: Int[ndarray, " N"]) -> int:
        """Return how many ids at the end are padding (−100 in labels)."""
        real = np.flatnonzero((ids != self.pad) & (ids >= 0))
        return len(ids) - 1 - int(real[-1]) if len(real) else len(ids)

    def unpadded(self, ids: Int[ndarray, " N"], unseen: Bool[ndarray, " N"]) -> Int[ndarray, " M"]:
        """Return the places of the ids that are not padding, at either end. If the same token ends sentences, only ids
        that get no attention at all (`unseen`) are padding."""
        place = np.arange(len(ids))
        padding = (place < self.padding(ids[::-1])) | (place >= len(ids) - self.padding(ids))
        return np.flatnonzero(~(padding & unseen if self.pad_ends else padding) & (ids >= 0))


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
    sequence = _Sequence(outputs, tokenizer, index)
    title = str(getattr(tokenizer, "name_or_path", "") or "transformers")
    ids = sequence.of(_batch(source_ids, "source_ids"), "source_ids")
    if not sequence.cross:
        if target_ids is not None:
            raise InputError("target_ids are of no use here: the outputs are those of a model with one sentence")
        weights, ids = _alone(sequence, ids)
        return show(weights, sequence.names(ids), name=title)
    weights = sequence.weights(sequence.cross, "cross_attentions")
    if weights.shape[3] != len(ids):
        raise InputError(f"source_ids have {len(ids)} tokens, the attentions {weights.shape[3]} columns")
    columns = sequence.unpadded(ids, np.logical_not(weights.any((0, 1, 2))))
    rows, target = _target(sequence, target_ids, weights.shape[2])
    likely, probabilities = _likeliest(sequence, rows, target)
    return show(
        weights[:, :, rows][:, :, :, columns],
        sequence.names(ids[columns]),
        sequence.names(target),
        probabilities=probabilities,
        next_tokens=likely,
        decoder=_of_decoder(sequence, rows),
        encoder=_of_encoder(sequence, len(ids), columns),
        name=title,
    )


def _alone(sequence: _Sequence, ids: Int[ndarray, " T"]) -> tuple[Float[ndarray, "L N S S"], Int[ndarray, " S"]]:
    """Return the self-attention of an encoder or decoder without the other, and its ids, without padding."""
    weights = sequence.weights(sequence.own, "attentions")
    if sequence.sequences is not None:
        whole = sequence.sequences[sequence.index]
        if not np.array_equal(whole[: len(ids)], ids):
            raise InputError("source_ids are not how outputs.sequences begin; pass the ids that generate was given")
        ids = whole[: weights.shape[2]]
    if weights.shape[2:] != (len(ids), len(ids)):
        raise InputError(
            f"source_ids have {len(ids)} tokens, the attentions {weights.shape[2]} rows and {weights.shape[3]} "
            f"columns; accepted is a row and a column for each token; {WINDOW}"
        )
    before, after = map(sequence.padding, (ids[::-1], ids))
    unseen = ~weights[:, :, before : len(ids) - after].any((0, 1, 2))  # by any real token, nor at the end by itself
    itself = weights.diagonal(0, 2, 3).any((0, 1)) & (np.arange(len(ids)) >= len(ids) - after)
    kept = sequence.unpadded(ids, unseen & ~itself)
    return weights[:, :, kept][:, :, :, kept], ids[kept]


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


def _stacked(layers: Sequence[Float[ndarray, "N R C"]], called: str) -> Float[ndarray, "L N R C"]:
    if len({layer.shape for layer in layers}) > 1:
        shapes = " and ".join(dict.fromkeys(str(layer.shape) for layer in layers))
        raise InputError(f"the layers of {called} have the shapes {shapes}; accepted are layers of one shape")
    return np.stack(layers).astype(np.float32)


def _of_encoder(sequence: _Sequence, tokens: int, kept: Int[ndarray, " S"]) -> Float[ndarray, "L N S S"] | None:
    """Return the encoder's self-attention among the `kept` tokens. Raises InputError if it is not that of all tokens to
    all tokens: if its columns are distances, no weight is left of the first token nor right of the last."""
    if not sequence.encoder:
        return None
    shape = _numpy(sequence.encoder[0]).shape
    square, half = shape[-2:] == (tokens, tokens), tokens // 2
    weights = sequence.weights(sequence.encoder, "encoder_attentions") if square else np.zeros((1, 1, 1, 1), np.float32)
    odd = tokens % 2 and tokens > 1
    if not square or (odd and not (weights[:, :, 0, :half].any() or weights[:, :, -1, half + 1 :].any())):
        raise InputError(
            f"encoder_attentions have the shape {shape}, for {tokens} tokens: {WINDOW}; accepted is batch × heads × "
            "tokens × tokens, or None"
        )
    return weights[:, :, kept][:, :, :, kept]


def _of_decoder(sequence: _Sequence, rows: Int[ndarray, " T"]) -> Float[ndarray, "L N T T"] | None:
    """Return the decoder's self-attention; None where the rows are not the first ones, so that columns are missing."""
    if not sequence.decoder or rows[-1] != len(rows) - 1:
        return None
    weights = sequence.weights(sequence.decoder, "decoder_attentions")
    if min(weights.shape[2:]) < len(rows):
        raise InputError(
            f"decoder_attentions have {weights.shape[2]} rows and {weights.shape[3]} columns for {len(rows)} tokens"
        )
    return weights[:, :, : len(rows), : len(rows)]


def _target(sequence: _Sequence, target_ids: Any, steps: int) -> tuple[Int[ndarray, " T"], Int[ndarray, " T"]]:
    """Return the rows of the attentions that belong to the target, and its ids without the token that starts decoding.

    Raises InputError if they do not correspond.
    """
    written = sequence.sequences
    if target_ids is None and written is None:
        raise InputError("target_ids are missing; a forward pass needs its labels")
    ids = sequence.of(_batch(written if target_ids is None else target_ids, "target_ids"), "target_ids")
    starts = written is not None and len(ids) == written.shape[1]  # a start may be the token that pads
    padding = sequence.padding(ids[starts:])
    padding -= bool(padding and ids[-1] >= 0 and sequence.pad_ends)  # the first of them ends the sentence
    ids = ids[: len(ids) - padding]
    first = -1 if len(ids) + padding == steps + 1 or (written is not None and target_ids is None) else 0
    if written is not None and target_ids is not None:
        whole = written[sequence.index]
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
    sequence: _Sequence, rows: Int[ndarray, " T"], target: Int[ndarray, " T"]
) -> tuple[list[list[tuple[str, float]]], list[float] | None]:
    """Return the likeliest tokens of each step, and the probabilities of the target's tokens; nothing without logits
    of every row."""
    logits = getattr(sequence.outputs, "logits", None)
    if logits is None:
        if getattr(sequence.outputs, "scores", None) is not None:
            warnings.warn(PROCESSED, InputWarning, 3)
        return [], None
    if isinstance(logits, (tuple, list)):
        chosen = [_numpy(step)[sequence.beam(place)] for place, step in enumerate(logits)]
    else:
        chosen = sequence.of(_numpy(logits), "logits")
    if len(chosen) <= rows[-1]:
        return [], None
    chances = softmax(np.stack([chosen[row] for row in rows]).astype(np.float64)).astype(np.float32)
    best = np.argsort(-chances, axis=1)[:, :LIKELIEST]
    steps = zip(best, chances, strict=True)
    likely = [list(zip(sequence.names(ids), step[ids].tolist(), strict=True)) for ids, step in steps]
    return likely, chances[np.arange(len(target)), target].tolist()
