"""Given attention: weights by layer and head from any program, with scores and probabilities if known. NumPy only.

    regard.show([[.9, .1], [.2, .8]], ["I", "see"], ["je", "vois"])
    regard.show(bert(**batch, output_attentions=True).attentions, ["[CLS]", "I", "see", "[SEP]"])

Rows are target tokens, or in self-attention the tokens themselves; columns are the tokens they attend to. The stepper
leaves missing numbers grey, in their usual place.
"""

import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import AlignedTokens, Alignment, Sentence
from regard.model.files import as_format, destination, write_file
from regard.model.input_error import InputError, InputWarning
from regard.model.reference.formulas import softmax
from regard.model.soft_alignments.tokens import ended, sentence, shown, with_marks
from regard.model.values import ReadOnly

ATTENTIONS = {"weights": "cross", "decoder": "decoder", "encoder": "encoder"}  # by the name of the argument
APART = 1e-3  # the most by which softmax of the given scores may differ from the given weights
TOKENS = 1_500  # per side of a sentence; every pair of them is a cell on screen
CELLS = 2_000_000  # weights of a sentence, and of all sentences of a file
LONGEST_NAME = 200  # characters of a token, a word or a name
HIGHEST = 1.001  # largest accepted weight: 1, and some rounding
LARGEST_MATRIX = 5  # dimensions: layers, a batch of one, heads, rows, columns
Likely = tuple[tuple[tuple[str, float], ...], ...]  # for each step the likeliest tokens and their probabilities


class _Weights(ndarray):
    """A matrix that still opens the heads by their attention, as `weights` did up to version 0.7."""

    heads: Mapping[str, ndarray]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            warnings.warn(f"weights[{key!r}] is now heads[{key!r}]", DeprecationWarning, 2)
            return self.heads[key]
        return super().__getitem__(key)


@dataclass(frozen=True, eq=False, repr=False)
class GivenAttention(ReadOnly, AlignedTokens):
    """Attention computed by another program; `heads` has its weights and `scores` theirs, by attention ("cross",
    "decoder", "encoder", or "self" alone, of a model with one sentence).

    `alignment` has the mean of the heads of the last layer's cross-attention, or self-attention; `next_tokens` has for
    each step the likeliest tokens and their probabilities, best first.
    """

    alignment: Alignment
    heads: Mapping[str, Float[ndarray, "L N R C"]]
    scores: Mapping[str, Float[ndarray, "L N R C"]] = field(default_factory=dict)
    probabilities: Float[ndarray, " T"] | None = None
    next_tokens: Likely = ()
    name: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        for array in (*self.heads.values(), *self.scores.values()):
            array.setflags(write=False)

    @property
    def weights(self) -> Float[ndarray, "T S"]:
        """The weights of `alignment`: a row for each target token, as a trace has them."""
        weights = self.alignment.weights.view(_Weights)
        weights.heads = self.heads
        return weights

    @property
    def reach(self) -> Bool[ndarray, "T S"]:
        """True where a row may attend: in causal self-attention up to itself, otherwise everywhere, because masked
        positions are unknown."""
        everywhere = np.ones(self.alignment.weights.shape, dtype=bool)
        return np.tril(everywhere) if self.causal else everywhere

    @property
    def main(self) -> str:
        """The attention that `alignment` is of: "cross" or "self"."""
        return next(iter(self.heads))

    @property
    def causal(self) -> bool:
        """True for self-attention in which no token attends to a later one."""
        return self.main == "self" and not np.triu(self.heads["self"], 1).any()

    @property
    def top_tokens(self) -> tuple[tuple[str, ...], ...]:
        """The likeliest next tokens of each step."""
        return tuple(tuple(token for token, _ in step) for step in self.next_tokens)

    @property
    def layered(self) -> bool:
        """True if there is more than one matrix."""
        return len(self.heads) > 1 or self.main == "self" or self.heads["cross"].shape[:2] != (1, 1)

    def __repr__(self) -> str:
        layers, heads = self.heads[self.main].shape[:2]
        sides = repr(self.alignment.source.text)
        sides += f" → {self.alignment.target.text!r}" if self.main == "cross" else ""
        return f"<{type(self).__name__} {sides}, layers: {layers}, heads: {heads}, {' and '.join(self.heads)}>"

    def to_json(self) -> str:
        """Return it in the plain format, whose names are the arguments of `show`."""
        return as_format("given_json", self)

    def to_html(self) -> str:
        """Return a page that steps through it offline."""
        return as_format("given_html", self)

    def save(self, path: Path | str) -> None:
        """Write a page (.html), or a file that *Import attention* opens (.json, .npz).

        Raises InputError for another ending.
        """
        file = destination(path, "attention", ".html", ".json", ".npz")
        write_file(file, as_format(f"given_{file.suffix[1:]}", self))

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return as_format("given_frame", self)


def show(
    weights: Any,
    source: Sequence[str],
    target: Sequence[str] | None = None,
    *,
    scores: Any = None,
    probabilities: Any = None,
    next_tokens: Sequence[Sequence[tuple[str, float]]] = (),
    decoder: Any = None,
    encoder: Any = None,
    name: str = "attention",
) -> GivenAttention:
    """Show any attention in the stepper: in a notebook by itself, elsewhere by `.save("page.html")`.

    `weights` are a matrix with a row for each target token and a column for each source token, or layers × heads × such
    a matrix, as NumPy, PyTorch or lists, a list of one per layer, or of a row per step; `decoder` and `encoder` are the
    self-attentions, where columns of `decoder` are the tokens fed in (`<s>` first). Without `target`, the weights
    are self-attention: a row and a column for each token of `source`; it is causal if nothing attends to what follows.
    `scores` are the softmax's input; `probabilities` are those of the target tokens; `next_tokens` has for each step
    the likeliest tokens and their probabilities.

    Tokens may carry the marks of their tokenizer (`▁`, `Ġ`, `@@`, `##`, `￭`), from which words are known. Warns if a
    square matrix seems transposed. Raises InputError if the arguments do not fit together.
    """
    if not isinstance(name, str):
        raise InputError(f"name must be a string, not of type {type(name).__name__}")
    _check_lengths("name", [name])
    given = {"weights": weights, "decoder": decoder, "encoder": encoder}
    others = given | {"weights": None, "probabilities": probabilities, "next_tokens": next_tokens or None}
    if target is None and (odd := [argument for argument, values in others.items() if values is not None]):
        raise InputError(f"{' and '.join(odd)} need a target; without one, weights are the source's self-attention")
    written, main = (source, "self") if target is None else (target, "cross")
    sides = _side(source, "source"), _side(written, "source" if target is None else "target")
    matrices = _matrices(given, main, *sides)
    alignment = Alignment(*sides, matrices[main][-1].mean(0, dtype=np.float64).astype(np.float32))
    likely, chances = _probabilities(probabilities, next_tokens, written)
    return GivenAttention(alignment, matrices, _scores(scores, matrices[main], main), chances, likely, name)


def _matrices(given: Mapping[str, Any], main: str, source: Sentence, target: Sentence) -> dict[str, ndarray]:
    """Return the attentions of these arguments, the weights first. Raises InputError if they do not fit the sides."""
    columns, rows = len(source.tokens), len(target.tokens)
    matrices = {main: _weights(given["weights"], (rows, columns), "weights")}
    for argument, size in (("decoder", rows), ("encoder", columns)):
        if given[argument] is not None:
            matrices[argument] = _weights(given[argument], (size, size), argument)
    if (count := sum(values.size for values in matrices.values())) > CELLS:
        raise InputError(f"there are {count:,} weights; up to {CELLS:,} can be shown")
    return matrices


def _side(tokens: Any, called: str) -> Sentence:
    """Return the sentence of some tokens. Raises InputError if there are none, or too many, or something else."""
    listed = isinstance(tokens, Collection) and not isinstance(tokens, str | set | frozenset)
    if not listed or not all(isinstance(token, str) for token in tokens):
        raise InputError(f"{called} must be a list of tokens, such as ['I', 'see']")
    _check_lengths(called, tokens)
    if not 0 < len(tokens) <= TOKENS:
        raise InputError(f"{called} has {len(tokens)} tokens; from 1 to {TOKENS} can be shown")
    return sentence(ended(with_marks(tuple(tokens)), len(tokens)))


def _check_lengths(called: str, texts: Iterable[str]) -> None:
    """Raise InputError for a text too long to be a token, as every later step is as long as its texts, or for half of a
    UTF-16 pair, which is no text."""
    for text in texts:
        if len(text) > LONGEST_NAME:
            raise InputError(f"{called} has a text of {len(text):,} characters; up to {LONGEST_NAME} can be shown")
        if re.search("[\ud800-\udfff]", text):
            raise InputError(f"{called} has {text!r} with half of a UTF-16 pair, which is no text")


def _array(values: Any, called: str) -> Float[ndarray, "..."]:
    """Return numbers as an array of at most five dimensions; PyTorch's are copied from their device."""
    try:
        if isinstance(values, (list, tuple)) and hasattr(values[0], "shape"):
            return np.stack([_array(one, called) for one in values])
        if "complex" in str(getattr(values, "dtype", "")):
            raise TypeError("they are complex")
        detach = getattr(values, "detach", None)  # of a tensor of PyTorch
        array = np.array(detach().cpu().float().numpy() if detach else values, dtype=np.float32)  # a copy
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise InputError(f"{called} is no array of numbers ({error})") from error
    if array.ndim > LARGEST_MATRIX:
        steps = "steps of layers, as generate returns them, are read by regard.from_transformers"
        raise InputError(f"{called} has {array.ndim} dimensions; {steps}")
    if not np.isfinite(array).all():
        raise InputError(f"{called} must be finite numbers: a matrix, or layers × heads × a matrix")
    return array


def _layers(values: Any, shape: tuple[int, int], called: str) -> Float[ndarray, "L N R C"]:
    """Return layers × heads × matrix of any of the accepted shapes."""
    array = _array(values, called)
    if array.ndim == LARGEST_MATRIX and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim > 2 and array.shape[0] == shape[0] > 1 and array.shape[-2:] == (1, shape[1]):  # a row for each step
        array = np.moveaxis(array[..., 0, :], 0, -2)
    if array.ndim == LARGEST_MATRIX:
        raise InputError(
            f"{called} has the shape {array.shape}, a batch of {array.shape[1]} sentences; pass one of them"
        )
    if array.ndim not in (2, 3, 4) or array.shape[-2:] != shape or not array.size:
        turned = "; rows are target tokens: transpose it" if array.shape[-2:] == shape[::-1] != shape else ""
        needed = f"the tokens of one sentence ask for {shape}, perhaps after layers and heads"
        raise InputError(f"{called} has the shape {array.shape}; {needed}{turned}")
    return array.reshape(*(1,) * (4 - array.ndim), *array.shape)


def _weights(values: Any, shape: tuple[int, int], called: str) -> Float[ndarray, "L N R C"]:
    array = _layers(values, shape, called)
    if array.min() < 0 or array.max() > HIGHEST:
        odd = array.min() if array.min() < 0 else array.max()
        raise InputError(f"{called} has the value {odd:g}; a weight is a number from 0 to 1")
    rows, columns = (bool((np.abs(array.sum(axis) - 1) < APART).all()) for axis in (-1, -2))
    if columns and not rows and shape[0] == shape[1]:
        warnings.warn(
            f"{called}: columns sum to 1, rows do not; rows are target tokens: transpose it?", InputWarning, 4
        )
    return array


def _scores(scores: Any, weights: Float[ndarray, "L N T S"], attention: str) -> dict[str, Float[ndarray, "L N T S"]]:
    """Check that the weights are the softmax of the scores. Raises InputError if they are not."""
    if scores is None:
        return {}
    array = _layers(scores, (weights.shape[2], weights.shape[3]), "scores")
    if array.shape != weights.shape:
        raise InputError(f"scores have the shape {array.shape}, the weights {weights.shape}")
    apart = float(np.abs(softmax(array.astype(np.float64)) - weights).max())
    if apart > APART:
        raise InputError(
            f"softmax of the scores differs from the weights by up to {apart:.3g}; give scores before softmax"
        )
    return {attention: array}


def _probabilities(probabilities: Any, next_tokens: Any, written: Sequence[str]) -> tuple[Likely, ndarray | None]:
    """Return each step's likeliest tokens as shown, and the target tokens' probabilities, given or found among them.
    Raises InputError for what is not pairs, or not one for each token."""
    try:
        steps = [[(str(token), float(chance)) for token, chance in step] for step in next_tokens]
    except (ValueError, TypeError, OverflowError) as error:
        pairs = "[[('je', 0.7), ('tu', 0.2)], ...]"
        raise InputError(f"next_tokens must be a list of pairs for each step, such as {pairs} ({error})") from error
    _check_lengths("next_tokens", (token for step in steps for token, _ in step))
    likely = tuple(tuple((shown(token, written), chance) for token, chance in step) for step in steps)
    count = len(written)
    if likely and (len(likely) != count or len({len(step) for step in likely}) != 1 or not likely[0]):
        raise InputError(f"next_tokens must have {count} steps with equally many tokens each, at least one")
    if probabilities is None and likely:
        words = [shown(token, written).strip() for token in written]
        found = [{token.strip(): chance for token, chance in step} for step in likely]
        if not all(word in step for word, step in zip(words, found, strict=True)):
            raise InputError("next_tokens lack some target token; give probabilities as well")
        probabilities = [step[word] for word, step in zip(words, found, strict=True)]
    if probabilities is None:
        return likely, None
    chances = _array(probabilities, "probabilities")
    every = [*chances.ravel().tolist(), *(chance for step in likely for _, chance in step)]
    if chances.shape != (count,) or chances.min() <= 0 or not all(0 <= chance <= HIGHEST for chance in every):
        raise InputError(f"probabilities must be {count} numbers above 0 and at most 1, one for each target token")
    return likely, chances
