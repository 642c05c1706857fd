"""Tokens of other programs as sentences: their joiner marks say which of them form a word.

@@ at the end      goes on in the next token         BPE of subword-nmt
▁ at the start     begins a word                     SentencePiece, where any token of the sentence has it
￭ at either end    joined to its neighbour there     OpenNMT's tokenizer
"""

from itertools import accumulate, groupby
from operator import itemgetter

from regard.model.alignment import Sentence
from regard.model.words import END, Span

BPE, PIECE, JOINER = "@@", "▁", "￭"
ENDS = ("</s>", "<EOS>", "<eos>")  # ways to write the end of a sentence
LANGUAGE = "any"


def ended(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the tokens with `</s>` if there is one more of something than tokens, or if the last is an end mark."""
    if len(tokens) < count:
        return (*tokens, END)
    return (*tokens[:-1], END) if tokens[-1] in ENDS else tokens


def numbered(count: int) -> tuple[str, ...]:
    """Return placeholder names for unknown tokens."""
    return tuple(f"#{place + 1}" for place in range(count))


def sentence(tokens: tuple[str, ...]) -> Sentence:
    """Build a sentence from tokens: marks removed, tokens joined into words, blanks between words."""
    begins = _begins(tokens)
    plain = [_plain(token) for token in tokens]
    word_of = tuple(count - 1 for count in accumulate(begins))
    words = tuple(
        "".join(text for text, _ in group) for _, group in groupby(zip(plain, word_of, strict=True), itemgetter(1))
    )
    closed = tokens[-1] == END
    text = " ".join(words[: len(words) - closed])
    spans: list[Span] = []
    place = 0
    for first, piece in zip(begins, plain, strict=True):
        start = min(place + (first and place > 0), len(text))
        place = min(start + len(piece), len(text))
        spans.append(Span(start, place))
    if closed:
        spans[-1] = Span(len(text), len(text))
    shown = tuple(
        END if closed and index == len(tokens) - 1 else f" {piece}" if first else piece
        for index, (first, piece) in enumerate(zip(begins, plain, strict=True))
    )
    return Sentence(text, LANGUAGE, shown, words, word_of, tuple(spans))


def joined(side: Sentence) -> tuple[str, ...]:
    """Return the tokens with BPE's marks, without `</s>`; text that could be read as the file's own marks is escaped.

    A vertical bar becomes `&#124;`, as Moses writes it, and a token of nothing but blanks `␣`.
    """
    count = len(side.tokens) - (side.tokens[-1:] == (END,))
    goes_on = [*(a == b for a, b in zip(side.word_of, side.word_of[1:], strict=False)), False]
    return tuple(
        ("".join(token.split()).replace("|", "&#124;") or "␣") + (BPE if goes_on[index] else "")
        for index, token in enumerate(side.tokens[:count])
    )


def _begins(tokens: tuple[str, ...]) -> list[bool]:
    """Mark the tokens that begin a word."""
    pieces = any(token.startswith(PIECE) for token in tokens)
    begins = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        apart = token == END or before == "" or not pieces or token.startswith(PIECE)
        glued = _goes_on(before) or token.startswith(JOINER)
        begins.append(before == "" or token == END or (apart and not glued))
    return begins


def _goes_on(token: str) -> bool:
    return (token.endswith(BPE) and token != BPE) or token.endswith(JOINER)


def _plain(token: str) -> str:
    bare = token.removeprefix(PIECE).removeprefix(JOINER).removesuffix(JOINER)
    return (bare.removesuffix(BPE) if _goes_on(token) else bare) or token
