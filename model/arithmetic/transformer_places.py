"""Places of a Transformer's numbers: the layers, heads, rows and columns of a trace, and their names."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from regard.model.alignment import ROWS, STEP, AlignedTokens, Alignment, Sentence, WordWeights, token_label
from regard.model.changes.kinds import ATTENTIONS
from regard.model.transformer.trace import TransformerTrace

SIDES = ("encoder", "decoder")
ATTENTION_NAMES = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention",
                   "self": "self-attention"}  # fmt: skip
OF_HEADS = ("head_score", "head_own_score", "head_query", "head_key", "head_value", "head_mixed")  # not of their mean


@runtime_checkable
class Placed(Protocol):
    """The fields of a `Quantity` that this module reads."""

    @property
    def kind(self) -> str: ...
    @property
    def attention(self) -> str: ...
    @property
    def layer(self) -> int: ...
    @property
    def head(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def rows(self) -> str: ...


def sides(trace: AlignedTokens, attention: str) -> tuple[Sentence, Sentence]:
    """Return the sentence of the rows, which attend, and that of the columns, which are attended to."""
    source, target = trace.alignment.source, trace.alignment.target
    both = {"encoder": (source, source), "decoder": (target, target.fed()), "cross": (target, source)}
    return (source, source) if attention == "self" else both[attention]


def merged_words(trace: TransformerTrace, asked: Placed) -> tuple[WordWeights, tuple[int, ...]]:
    """Return the weights between words of a head or of the heads' mean, and the word of each column."""
    looking, looked_at = sides(trace, asked.attention)
    numbers = trace.attention(asked.attention)
    weights = numbers.weights[asked.layer, asked.head] if asked.head >= 0 else numbers.mean(asked.layer)
    return Alignment(looked_at, looking, weights).by_words(asked.rows), looked_at.word_of


def column_text(trace: AlignedTokens, attention: str, column: int) -> str:
    """Return the token of a column, numbered if the token repeats."""
    tokens = sides(trace, attention)[1].tokens
    which = f" ({column + 1})" if tokens.count(tokens[column]) > 1 else ""
    return f"{token_label(tokens[column])}{which}"


def row_text(trace: AlignedTokens, attention: str, row: int) -> str:
    """Name a row: a step, or in the encoder a token."""
    if attention not in ("encoder", "self"):
        return f"at step {row + 1}"
    return f"at “{token_label(trace.alignment.source.tokens[row])}” (token {row + 1})"


def words_of_place(asked: Placed, trace: TransformerTrace) -> dict[str, str]:
    """Return the words that complete the phrase of a kind of number."""
    if not asked.attention:
        return {}
    words = {
        "side": f"{'encoder' if asked.attention == 'encoder' else 'decoder'} layer {asked.layer + 1}",
        "of_layer": f"layer {asked.layer + 1} of the {ATTENTION_NAMES[asked.attention]}",
    }
    head = f"head {asked.head + 1}" if asked.head >= 0 else "the mean of the heads"
    words["of_head"] = f"{head}, {words['of_layer']}"
    looking, looked_at = sides(trace, asked.attention)
    if asked.kind == "head_word_weight":
        merged, _ = merged_words(trace, asked)
        alone = asked.rows == STEP
        row = (
            row_text(trace, asked.attention, asked.row).removeprefix("at ") if alone else f"“{merged.rows[asked.row]}”"
        )
        return words | {"word_row": row, "column": f"“{merged.columns[asked.column]}”"}
    words["from_row"] = row_text(trace, asked.attention, min(asked.row, len(looking.tokens) - 1))
    column = min(asked.column, len(looked_at.tokens) - 1)
    return words | {"looked": f"“{column_text(trace, asked.attention, column)}”"}


def accepted(asked: Placed, name: str, trace: TransformerTrace) -> Sequence[object]:
    """Return the values that one field may have, given that the fields before it are valid."""
    if name == "attention":
        return SIDES if asked.kind.startswith(("embedded", "hidden", "feed_forward")) else ATTENTIONS
    numbers = trace.attention(asked.attention)
    looking, looked_at = sides(trace, asked.attention)
    if asked.kind == "head_word_weight" and name in ("row", "column"):
        merged, _ = merged_words(trace, asked)
        return range(len(merged.rows if name == "row" else merged.columns))
    match name:
        case "layer":
            return range(len(numbers.weights))
        case "head":
            return range(0 if asked.kind in OF_HEADS else -1, numbers.weights.shape[1])
        case "row":
            return range(len(looking.tokens))
        case "column":
            causal = asked.attention == "decoder" and asked.kind in ("head_score", "head_own_score")
            return range(asked.row + 1 if causal else len(looked_at.tokens))
        case "rows":
            return (*ROWS, STEP)
        case _:
            return range(_width(asked, trace))


def _width(asked: Placed, trace: TransformerTrace) -> int:
    """Return the number of components of the vector."""
    if asked.kind in OF_HEADS:
        return trace.attention(asked.attention).queries.shape[-1]
    return trace.encoder_feed_forward.hidden.shape[-1] if asked.kind == "hidden" else trace.annotations.shape[1]
