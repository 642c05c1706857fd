"""Tokenizer: text to tokens and back, and the words that tokens belong to.

A token is a piece of a word found by byte-pair encoding (Sennrich, Haddow and Birch 2016) over both languages at once.
The first piece of a word that follows a blank, or begins the text, starts with that blank. Characters outside the
vocabulary are spelled as their UTF-8 bytes, `<0x00>` to `<0xFF>`, so no input is unknown. The files are those of
Hugging Face `tokenizers`, but none of its "added tokens" is used: whatever a person types, `</s>` and `<0x41>`
included, is text.
"""

import codecs
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from tokenizers import Tokenizer as HuggingFaceTokenizer
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer

from regard.model.input_error import InputError
from regard.model.words import END, Span, normalise, words

PAD, START, STOP = 0, 1, 2  # ids of the three control tokens
CONTROL = ("<pad>", "<s>", END)
COVERAGE, FEWEST_CHARACTERS = 0.9995, 160  # share of the text that learned characters cover; their least number
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

    `languages` name the word rules of both sides (`regard.model.words.WORD_RULES`); "plain" is a language whose words
    are divided at blanks alone, as for digits.
    """

    def __init__(self, pieces: HuggingFaceTokenizer, languages: tuple[str, str]) -> None:
        self.languages = languages
        self._pieces = pieces
        vocabulary = pieces.get_vocab()
        self._text = tuple(sorted(vocabulary, key=vocabulary.__getitem__))
        self._byte = {vocabulary[name]: bytes([byte]) for byte, name in enumerate(BYTES)}

    def __len__(self) -> int:
        return len(self._text)

    @classmethod
    def load(cls, path: Path, languages: tuple[str, str]) -> "Tokenizer":
        """Read `tokenizer.json`. Raises InputError, naming the file, when it is not one of ours."""
        try:
            return cls.from_json(path.read_text(encoding="utf-8"), languages)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: {error}") from error

    @classmethod
    def from_json(cls, text: str, languages: tuple[str, str]) -> "Tokenizer":
        """Build a tokenizer from the file's text. Raises InputError when it is not one of ours."""
        try:
            pieces = _model_alone(text)
        except Exception as error:  # `tokenizers` raises nothing narrower
            raise InputError(f"not a tokenizer file ({error})") from error
        vocabulary = pieces.get_vocab()
        known = all(vocabulary.get(token) == index for index, token in enumerate(CONTROL + BYTES))
        if not known or sorted(vocabulary.values()) != list(range(len(vocabulary))):
            raise InputError(f"its vocabulary does not begin with {', '.join(CONTROL)} and the 256 bytes")
        if not (isinstance(pieces.model, BPE) and pieces.model.byte_fallback):
            raise InputError("not a byte-pair encoding that falls back on bytes")
        return cls(pieces, languages)

    def save(self, path: Path) -> None:
        self._pieces.save(str(path))

    def to_json(self) -> str:
        """Return the text of the file that `save` writes, on one line."""
        return self._pieces.to_str()

    def encode(self, text: str, language: str) -> Encoding:
        """Tokenize a text of the given language: decoded, the tokens are `normalise(text, language)`, always."""
        text = normalise(text, language)
        spans = words(text, language)
        pieces = _pieces(text, spans)
        encoded = self._pieces.encode(pieces, is_pretokenized=True, add_special_tokens=False)
        starts = [span.start - piece.startswith(" ") for span, piece in zip(spans, pieces, strict=True)]
        word_of = [word for word in encoded.word_ids if word is not None]  # all of them: nothing is added to the words
        characters = []
        for word, (start, stop) in zip(word_of, encoded.offsets, strict=True):
            begin, end = starts[word] + start, starts[word] + stop
            characters.append(Span(min(max(begin, spans[word].start), end), end))
        return Encoding(text, tuple(encoded.ids), tuple(spans), tuple(word_of), tuple(characters))

    def occurrences(self, texts: Iterable[str], language: str) -> "tuple[Counter[str], Counter[int]]":
        """Count the words and the tokens of texts in normal form; each different word is tokenised once."""
        found: Counter[str] = Counter()
        for text in texts:
            found.update(_pieces(text, words(text, language)))
        spelled = self._pieces.encode_batch(
            [[piece] for piece in found], is_pretokenized=True, add_special_tokens=False
        )
        whole, tokens = Counter[str](), Counter[int]()
        for (piece, count), encoded in zip(found.items(), spelled, strict=True):
            whole[piece.removeprefix(" ")] += count
            for index in encoded.ids:
                tokens[index] += count
        return whole, tokens

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of some tokens without control tokens; bytes that form no character become U+FFFD."""
        return self.read(ids, "plain").text

    def read(self, ids: Sequence[int], language: str) -> Encoding:
        """Return a model's output as text, the words of that text and the token-to-word mapping.

        Control tokens are skipped. A token belongs to the word in which it begins, a blank to the word after it.
        """
        kept = tuple(index for index in ids if index >= len(CONTROL))
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        text, starts = "", []
        for index in kept:
            if index not in self._byte:  # bytes before it that form no character are not part of it
                text += decoder.decode(b"", final=True)
            starts.append(len(text))
            text += decoder.decode(self._byte.get(index) or self._text[index].encode())
        text += decoder.decode(b"", final=True)
        later = dict(pairwise([*sorted(set(starts)), len(text)]))  # the bytes of one character start together
        blank = int(text.startswith(" "))
        characters = tuple(Span(start + text.startswith(" ", start) - blank, later[start] - blank) for start in starts)
        text = text[blank:]
        merged, word_of = _assign(words(text, language), characters, len(text)) if kept else ((), ())
        return Encoding(text, kept, merged, word_of, characters)

    def spelled(self, texts: Iterable[str]) -> Counter[str]:
        """Count the characters of some texts that are not in the vocabulary and are spelled in bytes."""
        known = set("".join(self._text[len(CONTROL) + len(BYTES) :]))
        counts = Counter("".join(map(normalise, texts)))
        return Counter({character: count for character, count in counts.items() if character not in known | {" "}})

    def token(self, index: int) -> str:
        """Return the characters of a token, with the blank that begins a word."""
        return self._text[index]


def alphabet(counts: Counter[str], most: int) -> list[str]:
    """Return the characters that get an entry of a vocabulary: the most frequent ones that cover 99.95% of a text.

    There are at least 160, as far as the text has them, and otherwise never more than `most`; the rest is spelled in
    bytes. Among equally frequent ones the order is that of their code points.
    """
    ordered = sorted(counts, key=lambda character: (-counts[character], character))
    covered = accumulate(counts[character] for character in ordered)
    enough = next((place for place, count in enumerate(covered, 1) if count >= COVERAGE * counts.total()), 0)
    return ordered[: max(min(enough, most), FEWEST_CHARACTERS)]


def train_tokenizer(sides: Iterable[tuple[str, Iterable[str]]], languages: tuple[str, str], size: int) -> Tokenizer:
    """Learn a joint vocabulary of `size` entries from pairs of language and lines."""
    texts = [(normalise(line, language), language) for language, lines in sides for line in lines]
    kept = alphabet(Counter("".join(text for text, _ in texts)), size - len(CONTROL) - len(BYTES))
    trainer = BpeTrainer(
        vocab_size=size,
        special_tokens=[*CONTROL, *BYTES],
        initial_alphabet=[" ", *kept],
        limit_alphabet=len({" ", *kept}),
        min_frequency=2,
        show_progress=False,
    )
    pieces = HuggingFaceTokenizer(BPE(byte_fallback=True))
    pieces.train_from_iterator((_pieces(text, words(text, language)) for text, language in texts), trainer)
    return Tokenizer(_model_alone(pieces.to_str()), languages)


def plain_tokenizer(symbols: Sequence[str]) -> Tokenizer:
    """Return a vocabulary in which each symbol, such as a digit, is one word and one token, separated by blanks."""
    vocabulary = {token: index for index, token in enumerate([*CONTROL, *BYTES, *(f" {symbol}" for symbol in symbols)])}
    pieces = HuggingFaceTokenizer(BPE(vocabulary, [], byte_fallback=True, ignore_merges=True))
    return Tokenizer(pieces, ("plain", "plain"))


def _model_alone(text: str) -> HuggingFaceTokenizer:
    """Return the vocabulary and merges of a tokenizer file; its other settings would alter what people type.

    A text full of `</s>` teaches merges that spell it; they are dropped, because the result would be the control token.
    """
    parsed, kept = json.loads(text), {*CONTROL, *BYTES}
    merges = [[left, right] for left, right in parsed["model"]["merges"] if left + right not in kept]
    model = {**parsed["model"], "merges": merges}
    return HuggingFaceTokenizer.from_str(json.dumps({"version": parsed["version"], "model": model}))


def _pieces(text: str, spans: Sequence[Span]) -> list[str]:
    """Return each word with the blank before it; the first word of a text counts as following one."""
    return [" " * (span.start == 0 or text[span.start - 1] == " ") + text[span.start : span.stop] for span in spans]


def _assign(spans: Sequence[Span], characters: Sequence[Span], length: int) -> tuple[tuple[Span, ...], tuple[int, ...]]:
    """Return the words in which tokens begin, and each token's word; a word without a token joins the one before."""
    spans = spans or [Span(0, length)]
    ends = [span.stop for span in spans]
    owners = [min(bisect_right(ends, token.start), len(spans) - 1) for token in characters]
    used = {word: place for place, word in enumerate(sorted(set(owners)))}
    stops = [spans[after - 1].stop for after in [*used, len(spans)][1:]]
    merged = tuple(Span(spans[word].start, stop) for word, stop in zip(used, stops, strict=True))
    return merged, tuple(used[word] for word in owners)
