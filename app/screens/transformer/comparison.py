"""Luong's attention, self-attention and several heads in one table, with their sizes counted.

A head has three matrices of D × Q, for queries, keys and values; with N heads of D / N components those of a layer are
as large as of one head of D, and W_O, which joins them, is D × D.
"""

from regard.model.config import Config
from regard.model.transformer.trace import TransformerTrace

QUESTION = "Question"
HEADS = QUESTION, "Luong, general score", "Self-attention, one head", "All heads of a layer"


def attentions(trace: TransformerTrace, luong: Config) -> list[dict[str, str]]:
    """Return a row for each question, a column for each kind of attention; `luong` configures a general score."""
    words, steps = len(trace.source), len(trace.target)
    _, heads, _, size = trace.encoder_attention.queries.shape
    whole = heads * size
    annotation = 2 * luong.encoder_state
    rows = (
        ("Who asks", "The decoder's state, at each step", "Every token of the sentence", "Every token, in each head"),
        ("What is compared", "State with W times annotation", "Query with key", "Query with key, in each head"),
        ("What is summed", "Annotations", "Values", "Values of each head, joined by W_O"),
        ("What has to wait", "A step for the state before it", "Nothing", "Nothing"),
        (
            "Scores for these tokens",
            f"{steps} × {words} = {steps * words:,}",
            f"{words} × {words} = {words**2:,}",
            f"{heads} × {words} × {words} = {heads * words**2:,}",
        ),
        (
            "Learned parameters",
            f"{luong.state} × {annotation} = {luong.state * annotation:,} in W",
            f"3 × {whole} × {size} = {3 * whole * size:,} for queries, keys and values",
            f"4 × {whole}² = {4 * whole**2:,} with W_O",
        ),
    )
    return [dict(zip(HEADS, row, strict=True)) for row in rows]
