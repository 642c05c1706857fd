"""Tokens of other programs as sentences: their joiner marks say which of them form a word.

@@ at the end      continues in the next token       BPE of subword-nmt
▁ at the start     begins a word                     SentencePiece, where any token of the sentence has it
Ġ at the start     begins a word                     BPE of bytes (GPT-2, BART), each byte written as one character
## at the start    continues the token before        WordPiece (BERT)
￭ at either end    joined to its neighbour there     OpenNMT's tokenizer
"""

import re
from itertools import accumulate, groupby
from operator import itemgetter

from regard.model.alignment import Sentence
from regard.model.words import END, Span

BPE, PIECE, JOINER = "@@", "▁", "￭"
BYTE_BLANK, WORD_PIECE = "Ġ", "##"
CONTROL = re.compile(r"<[^<>\s]+>|\[[A-Z]+\]|>>\w+<<")  # <s>, <pad>, [CLS], >>fra<<: always words of their own
_WRITTEN = (*range(33, 127), *range(161, 173), *range(174, 256))  # bytes that byte-level BPE leaves unchanged
BYTE_OF = {chr(byte): byte for byte in _WRITTEN} | {
    chr(256 + place): byte for place, byte in enumerate(sorted({*range(256)} - {*_WRITTEN}))
}
ENDS = ("</s>", "<EOS>", "<eos>")  # ways to write the end of a sentence
LANGUAGE = "any"


def ended(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the tokens with `</s>` if the expected count is one more, or if the last token is an end mark."""
    if len(tokens) < count:
        return (*tokens, END)
    return (*tokens[:-1], END) if tokens[-1] in ENDS else tokens


def with_marks(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens with the marks of byte-level BPE and WordPiece replaced by SentencePiece's; others are kept."""
    if any(token.startswith(BYTE_BLANK) for token in tokens):
        tokens = tuple(token if CONTROL.fullmatch(token) else _from_bytes(token) for token in tokens)
    elif any(token.startswith(WORD_PIECE) for token in tokens):
        tokens = tuple(
            token.removeprefix(WORD_PIECE) if token.startswith(WORD_PIECE) else f"{PIECE}{token}" for token in tokens
        )
    if not any(token.startswith(PIECE) for token in tokens):
        return tokens
    before = ("<s>", *tokens)
    apart = [CONTROL.fullmatch(token) or CONTROL.fullmatch(last) for last, token in zip(before, tokens, strict=False)]
    return tuple(
        f"{PIECE}{token.removeprefix(PIECE)}" if alone and token not in ENDS else token
        for alone, token in zip(apart, tokens, strict=True)
    )


def shown(token: str) -> str:
    """Return one token as in a `Sentence`: with a blank at the start of a word instead of its tokenizer's mark."""
    (token,) = with_marks((token,))
    return f" {token.removeprefix(PIECE)}" if token.startswith(PIECE) else token.removesuffix(BPE)


def marked(side: Sentence) -> tuple[str, ...]:
    """Return the tokens of a sentence with the marks of SentencePiece, from which `sentence` rebuilds it."""
    starts = [index == 0 or side.word_of[index - 1] != word for index, word in enumerate(side.word_of)]
    return tuple(
        END if token == END and index == len(side.tokens) - 1 else f"{PIECE if starts[index] else ''}{token.strip(' ')}"
        for index, token in enumerate(side.tokens)
    )


def _from_bytes(token: str) -> str:
    """Decode characters that are written byte by byte; a blank at the start becomes SentencePiece's mark."""
    text = bytes(BYTE_OF.get(character, 63) for character in token).decode("utf-8", errors="replace")
    return f"{PIECE}{text[1:]}" if text.startswith(" ") else text


def numbered(count: int) -> tuple[str, ...]:
    """Return placeholder names for unknown tokens."""
    return tuple(f"#{place + 1}" for place in range(count))


def sentence(tokens: tuple[str, ...]) -> Sentence:
    """Build a sentence from tokens: marks removed, tokens joined into words, blanks between words."""
    begins = _word_starts(tokens)
    plain = [_without_marks(token) for token in tokens]
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

    A vertical bar becomes `&#124;`, as in Moses, and a token of blanks alone becomes `␣`.
    """
    count = len(side.tokens) - (side.tokens[-1:] == (END,))
    goes_on = [*(a == b for a, b in zip(side.word_of, side.word_of[1:], strict=False)), False]
    return tuple(
        ("".join(token.split()).replace("|", "&#124;") or "␣") + (BPE if goes_on[index] else "")
        for index, token in enumerate(side.tokens[:count])
    )


def _word_starts(tokens: tuple[str, ...]) -> list[bool]:
    """Mark the tokens that begin a word."""
    pieces = any(token.startswith(PIECE) for token in tokens)
    begins = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        apart = token == END or before == "" or not pieces or token.startswith(PIECE)
        glued = _continues(before) or token.startswith(JOINER)
        begins.append(before == "" or token == END or (apart and not glued))
    return begins


def _continues(token: str) -> bool:
    return (token.endswith(BPE) and token != BPE) or token.endswith(JOINER)


def _without_marks(token: str) -> str:
    bare = token.removeprefix(PIECE).removeprefix(JOINER).removesuffix(JOINER)
    return (bare.removesuffix(BPE) if _continues(token) else bare) or token
