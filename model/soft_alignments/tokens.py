"""Tokens of other programs as sentences: their joiner marks say which of them form a word.

@@ at the end      continues in the next token       BPE of subword-nmt
▁ at the start     begins a word                     SentencePiece, where any token of the sentence has it
Ġ at the start     begins a word                     BPE of bytes (GPT-2, BART), each byte written as one character
## at the start    continues the token before        WordPiece (BERT)
￭ at either end    joined to its neighbour there     OpenNMT's tokenizer
<0x0A>             a byte by its name                SentencePiece with byte fallback

Bytes of a word are decoded together: a letter belongs to the token of its first byte. A token that would draw nothing
is shown by its name: `<U+200B>` for a character, `<0x9F>` for the rest of a letter's bytes.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from itertools import accumulate, groupby
from operator import itemgetter

from regard.model.alignment import Sentence
from regard.model.words import END, Span, visible

BPE, PIECE, JOINER = "@@", "▁", "￭"
BYTE_BLANK, WORD_PIECE = "Ġ", "##"
NAMED = re.compile(r"(?:<(?:0x[0-9A-Fa-f]{2}|U\+(?:10|[0-9A-F])?[0-9A-F]{4})>)+")  # bytes or characters by their names
CONTROL = re.compile(r"<[^<>\s]+>|\[[A-Z]+\]|>>\w+<<")  # <s>, <pad>, [CLS], >>fra<<: always words of their own
_WRITTEN = (*range(33, 127), *range(161, 173), *range(174, 256))  # bytes that byte-level BPE leaves unchanged
BYTE_OF = {chr(byte): byte for byte in _WRITTEN} | {
    chr(256 + place): byte for place, byte in enumerate(sorted({*range(256)} - {*_WRITTEN}))
}
ENDS = ("</s>", "<EOS>", "<eos>")  # ways to write the end of a sentence
LANGUAGE = "any"
UNDRAWN = {"Cc", "Cf", "Zs", "Zl", "Zp"}  # categories of characters that draw nothing
REST = re.compile(r"<0x[89ABab][0-9A-Fa-f]>")  # a byte that is not the first of its letter


def ended(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the tokens with `</s>` if the expected count is one more, or if the last token is an end mark."""
    if len(tokens) < count:
        return (*tokens, END)
    return (*tokens[:-1], END) if tokens[-1] in ENDS else tokens


def is_control(token: str) -> bool:
    """Return True for a token that stands for no text, such as <s>, [CLS] or >>fra<<."""
    return bool(CONTROL.fullmatch(token)) and not NAMED.fullmatch(token)


def is_byte_level(tokens: Collection[str]) -> bool:
    """Return True if the tokens are written in the alphabet of byte-level BPE: with its blank, or, without another
    tokenizer's marks, as letters beyond ASCII in UTF-8.
    """
    text = "".join(token for token in tokens if not is_control(token))
    if not all(character in BYTE_OF for character in text):
        return False
    if BYTE_BLANK in text:
        return True
    decoded = _bytes(text).decode("utf-8", "replace")
    marked = any(_continues(token) or (token.startswith(WORD_PIECE) and token != WORD_PIECE) for token in tokens)
    return not marked and not decoded.isascii() and "\ufffd" not in decoded and decoded.isprintable()


def with_marks(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens with the marks of byte-level BPE and WordPiece replaced by SentencePiece's; others are kept."""
    pieces = _with_pieces(tokens, tokens)
    if not is_byte_level(tokens) and not any(token.startswith(PIECE) for token in pieces):
        return pieces
    apart = [is_control(token) or is_control(before) for before, token in zip(("<s>", *pieces), pieces, strict=False)]
    return tuple(
        f"{PIECE}{token.removeprefix(PIECE)}" if alone and token not in ENDS else token
        for alone, token in zip(apart, pieces, strict=True)
    )


def shown(token: str, others: Collection[str] = ()) -> str:
    """Return one token as in a `Sentence`: with a blank at the start of a word instead of its tokenizer's mark.

    `others` are more tokens of the same tokenizer, by which its marks are known.
    """
    (token,) = _with_pieces((token,), (token, *others))
    return f" {token.removeprefix(PIECE)}" if token.startswith(PIECE) else token.removesuffix(BPE)


def _with_pieces(tokens: tuple[str, ...], known_by: Collection[str]) -> tuple[str, ...]:
    """Replace the marks of the tokenizer to which the tokens of `known_by` belong."""
    if is_byte_level(known_by):
        return _from_bytes(tokens)
    if not any(token.startswith(WORD_PIECE) and token != WORD_PIECE for token in known_by):
        return tokens
    return tuple(
        token.removeprefix(WORD_PIECE) if token.startswith(WORD_PIECE) else f"{PIECE}{token}" for token in tokens
    )


def marked(side: Sentence) -> tuple[str, ...]:
    """Return the tokens of a sentence with the marks of SentencePiece, from which `sentence` rebuilds it."""
    starts = [index == 0 or side.word_of[index - 1] != word for index, word in enumerate(side.word_of)]
    return tuple(
        END if token == END and index == len(side.tokens) - 1 else f"{PIECE if starts[index] else ''}{token.strip(' ')}"
        for index, token in enumerate(side.tokens)
    )


def _bytes(text: str) -> bytes:
    return bytes(BYTE_OF[character] for character in text)


def _from_bytes(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Decode tokens of byte-level BPE; a blank at the start becomes SentencePiece's mark."""
    decoded: list[str] = []
    for control, run in groupby(tokens, is_control):
        if control:
            decoded += run
            continue
        parts = [_bytes(token) for token in run]
        decoded += (
            f"{PIECE}{text[1:]}" if text.startswith(" ") else text or "".join(f"<0x{byte:02X}>" for byte in part)
            for part, text in zip(parts, _letters(parts), strict=True)
        )
    return tuple(decoded)


def _letters(parts: Sequence[bytes], goes_on: bool = False) -> list[str]:
    """Decode parts of a text in UTF-8: each letter belongs to the part that has its first byte.

    A text that `goes_on` may begin with the rest of a letter, which has no text of its own.
    """
    texts, owners = [""] * len(parts), [place for place, part in enumerate(parts) for _ in part]
    whole = b"".join(parts)
    at = len(whole) - len(whole.lstrip(bytes(range(0x80, 0xC0)))) if goes_on else 0
    for letter in whole[at:].decode("utf-8", "surrogateescape"):
        lost = "\ud800" <= letter <= "\udfff"  # one byte that is part of no letter
        texts[owners[at]] += "\ufffd" if lost else letter
        at += 1 if lost else len(letter.encode())
    return texts


def numbered(count: int) -> tuple[str, ...]:
    """Return placeholder names for unknown tokens."""
    return tuple(f"#{place + 1}" for place in range(count))


def sentence(tokens: tuple[str, ...]) -> Sentence:
    """Build a sentence from tokens: marks removed, tokens joined into words, blanks between words."""
    begins = _word_starts(tokens)
    word_of = tuple(count - 1 for count in accumulate(begins))
    bare = [_without_marks(token) for token in tokens]
    if any(token.startswith(PIECE) for token in tokens):  # a token of several words, ▁of▁the
        bare = [token.replace(PIECE, " ") if token.strip(PIECE) else token for token in bare]
    plain = _texts(bare, word_of)
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
        END if closed and index == len(tokens) - 1 else f"{' ' * first}{_name(token, text)}"
        for index, (first, token, text) in enumerate(zip(begins, bare, plain, strict=True))
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


def _named_bytes(token: str) -> bytes:
    """Return the bytes of a token that consists of names."""
    names = re.findall(r"<(?:0x(..)|U\+(\w+))>", token)
    return b"".join(bytes.fromhex(byte) or chr(int(point, 16)).encode("utf-8", "replace") for byte, point in names)


def _name(token: str, text: str) -> str:
    """Return a token as it is shown: a mark alone as its text, and the name of what draws nothing; a blank of Braille
    is of no category that says so."""
    draws = any(letter != "\u2800" and unicodedata.category(letter) not in UNDRAWN for letter in visible(token))
    names = "".join(f"<U+{ord(character):04X}>" for character in token)
    return text if token == PIECE else token if draws else names


def _texts(bare: Sequence[str], word_of: Sequence[int]) -> list[str]:
    """Return the text of each token; bytes are decoded together, and a lone mark is text only if it is a whole word."""
    texts: list[str] = []
    named_tokens = [bool(NAMED.fullmatch(token)) for token in bare]
    for (named, word), run in groupby(zip(named_tokens, word_of, bare, strict=True), itemgetter(0, 1)):
        tokens = [token for *_, token in run]
        if named:
            texts += _letters([*map(_named_bytes, tokens)], len(texts) > 0 and word_of[len(texts) - 1] == word)
        else:
            texts += ["" if token in (PIECE, JOINER) else token for token in tokens]
    for _, run in groupby(range(len(texts)), word_of.__getitem__):
        places = [*run]
        if not any(texts[place] for place in places):
            texts[places[0]] = bare[places[0]]
    return texts


def _word_starts(tokens: tuple[str, ...]) -> list[bool]:
    """Mark the tokens that begin a word."""
    pieces = any(token.startswith(PIECE) for token in tokens)
    begins = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        apart = token == END or before == "" or not pieces or token.startswith(PIECE)
        rest = REST.fullmatch(token) and NAMED.fullmatch(before)
        glued = _continues(before) or token.startswith(JOINER) or rest
        begins.append(before == "" or token == END or (apart and not glued))
    return begins


def _continues(token: str) -> bool:
    return (token.endswith(BPE) and token != BPE) or token.endswith(JOINER)


def _without_marks(token: str) -> str:
    bare = token.removeprefix(PIECE).removeprefix(JOINER).removesuffix(JOINER)
    return (bare.removesuffix(BPE) if _continues(token) else bare) or token
