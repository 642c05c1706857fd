"""Text to tokens and back, and which tokens make which word.

A token is a piece of a word found by byte-pair encoding (Sennrich, Haddow and Birch 2016) over both languages at once.
The first piece of a word that follows a blank, or begins the text, starts with that blank. Characters outside the
vocabulary are spelled as their UTF-8 bytes, `<0x00>` to `<0xFF>`, so no input is unknown. The files are those of Hugging
Face `tokenizers`, but none of its "added tokens" is used: whatever a person types, `</s>` and `<0x41>` included, is text.
"""

import codecs
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tokenizers import Tokenizer as HuggingFaceTokenizer
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer

from model.words import END, Span, normalise, words

PAD, START, STOP = 0, 1, 2  # ids of the three control tokens
CONTROL = ("<pad>", "<s>", END)
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))


@dataclass(frozen=True)
class Encoding:
    """A text as the model reads it: ids and, for each, the word it belongs to and the characters it covers."""

    text: str  # in normal form
    ids: tuple[int, ...]  # without `</s>`
    words: tuple[Span, ...]  # characters of `text`
    word_of: tuple[int, ...]  # for each token, the index of its word
    characters: tuple[Span, ...]  # for each token, without the blank before; the bytes of one character share it


class Tokenizer:
    """One joint vocabulary for a source and a target language.

    `languages` name the word rules of both sides (`model.words.WORD_RULES`); "plain" is a language whose words are
    divided at blanks alone, as for digits.
    """

    def __init__(self, pieces: HuggingFaceTokenizer, languages: tuple[str, str]) -> None:
        self.languages = languages
        self._pieces = pieces
        self._text = tuple(pieces.id_to_token(index) for index in range(pieces.get_vocab_size()))
        first = pieces.token_to_id(BYTES[0])
        self._byte = {first + byte: bytes([byte]) for byte in range(256)}

    def __len__(self) -> int:
        return len(self._text)

    @classmethod
    def load(cls, path: Path, languages: tuple[str, str]) -> "Tokenizer":
        """Read `tokenizer.json`. Raises ValueError, naming the file, when it is not one of ours."""
        try:
            parsed = json.loads(path.read_text(encoding="utf-8"))
            vocabulary = parsed["model"]["vocab"]
            known = all(vocabulary.get(token) == index for index, token in enumerate(CONTROL + BYTES))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}: not a tokenizer file ({error})") from error
        if not known or sorted(vocabulary.values()) != list(range(len(vocabulary))):
            raise ValueError(f"{path}: its vocabulary does not begin with {', '.join(CONTROL)} and the 256 bytes")
        return cls(_without_added_tokens(parsed), languages)

    def save(self, path: Path) -> None:
        self._pieces.save(str(path))

    def encode(self, text: str, language: str) -> Encoding:
        """The tokens of one text of that language. `decode(encode(text, language).ids) == normalise(text)` for any text."""
        text = normalise(text)
        spans = words(text, language)
        pieces = _pieces(text, spans)
        encoded = self._pieces.encode(pieces, is_pretokenized=True, add_special_tokens=False)
        starts = [span.start - piece.startswith(" ") for span, piece in zip(spans, pieces, strict=True)]
        characters = []
        for word, (start, stop) in zip(encoded.word_ids, encoded.offsets, strict=True):
            begin, end = starts[word] + start, starts[word] + stop
            characters.append(Span(min(max(begin, spans[word].start), end), end))
        return Encoding(text, tuple(encoded.ids), tuple(spans), tuple(encoded.word_ids), tuple(characters))

    def decode(self, ids: Sequence[int]) -> str:
        """The text of some tokens; control tokens are left out, bytes that make no character become U+FFFD."""
        return self.read(ids, "plain").text

    def read(self, ids: Sequence[int], language: str) -> Encoding:
        """What a model wrote: its text, the words of that text and which token made which of them.

        Control tokens are skipped. A token belongs to the word in which it begins; a blank belongs to the word after it.
        """
        kept = tuple(index for index in ids if index >= len(CONTROL))
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        text, starts = "", []
        for index in kept:
            starts.append(len(text))
            text += decoder.decode(self._byte.get(index) or self._text[index].encode())
        text += decoder.decode(b"", final=True)
        blank = int(text.startswith(" "))
        characters = tuple(Span(span.start - blank, span.stop - blank) for span in _characters(starts, text))
        text = text[blank:]
        merged, word_of = _assign(words(text, language), characters, len(text)) if kept else ((), ())
        return Encoding(text, kept, merged, word_of, characters)

    def token(self, index: int) -> str:
        """How a token is written: its characters, with the blank that begins a word."""
        return self._text[index]


def train_tokenizer(sides: Iterable[tuple[str, Iterable[str]]], languages: tuple[str, str], size: int) -> Tokenizer:
    """Learn a joint vocabulary of `size` entries from pairs of language and lines."""
    trainer = BpeTrainer(
        vocab_size=size, special_tokens=[*CONTROL, *BYTES], limit_alphabet=160, min_frequency=2, show_progress=False
    )
    pieces = HuggingFaceTokenizer(BPE(byte_fallback=True))
    pieces.train_from_iterator(
        (_pieces(text, words(text, language)) for language, lines in sides for text in map(normalise, lines)), trainer
    )
    return Tokenizer(_without_added_tokens(json.loads(pieces.to_str())), languages)


def plain_tokenizer(symbols: Sequence[str]) -> Tokenizer:
    """A vocabulary in which each symbol, such as a digit, is one word and one token; blanks stand between symbols."""
    vocabulary = {token: index for index, token in enumerate([*CONTROL, *BYTES, *(f" {symbol}" for symbol in symbols)])}
    pieces = HuggingFaceTokenizer(BPE(vocabulary, [], byte_fallback=True, ignore_merges=True))
    return Tokenizer(pieces, ("plain", "plain"))


def _without_added_tokens(parsed: dict[str, object]) -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer.from_str(json.dumps({**parsed, "added_tokens": []}))


def _pieces(text: str, spans: Sequence[Span]) -> list[str]:
    """Each word with the blank before it; the first word of a text counts as following one."""
    return [
        " " * (span.start == 0 or text[span.start - 1] == " ") + text[span.start : span.stop] for span in spans
    ]


def _characters(starts: Sequence[int], text: str) -> list[Span]:
    """The characters of tokens that begin at these; tokens that begin together, the bytes of one character, share them."""
    later = {start: stop for start, stop in pairwise([*sorted(set(starts)), len(text)])}
    return [Span(start + (text[start : later[start]].startswith(" ")), later[start]) for start in starts]


def _assign(spans: Sequence[Span], characters: Sequence[Span], length: int) -> tuple[tuple[Span, ...], tuple[int, ...]]:
    """Words that at least one token begins in, and the word of each token; a word without a token joins the one before."""
    spans = spans or [Span(0, length)]
    found = [next((w for w, span in enumerate(spans) if token.start < span.stop), len(spans) - 1) for token in characters]
    used = sorted(set(found))
    stops = [spans[after - 1].stop for after in used[1:]] + [spans[-1].stop]
    merged = tuple(Span(spans[word].start, stop) for word, stop in zip(used, stops, strict=True))
    return merged, tuple(used.index(word) for word in found)
