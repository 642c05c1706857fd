"""Training mixture: parallel text, the number of times an epoch reads it, and pairs generated from it.

The recipe is a file, such as `everyday.toml`. Each epoch is sampled anew from the seed and its number, so a resumed
run reads the same pairs as an uninterrupted one. Every pair has its origin: text, or the steps that generated it.

Held-out sentences are lists that measure the models; the mixture leaves them and similar sentences out. A pair is left
out if its source has the letters and digits of a held-out sentence, whatever its case, blanks and punctuation. If the
held-out sentence has at least `FEWEST` different words, a pair is also left out if the Jaccard similarity of the two
sets of words (words in both, divided by words in either) is at least `NEAR`.

Copies in casual spelling are what people type in a hurry: *i dont know*, *I DON'T KNOW.* The French side is unchanged,
except that it loses its full stop or exclamation mark with the English side; a French question keeps its mark, as a
translator would write it. Copies with a spelling mistake have one word of the source misspelt: *My freind is sleeping.*
"""

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from regard.model.data.corpus import USUAL, Corpus, Pair, Split, bucket, read_lines, read_table, read_two, split
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.words import normalise
from regard.pretrained.recipe.names import exchange, read_names, shared_names
from regard.pretrained.recipe.numbers import exchange_numbers
from regard.pretrained.recipe.sentence_patterns import SentencePatterns
from regard.pretrained.recipe.templates import Templates

NEAR = 0.75
FEWEST = 4

_APOSTROPHE = re.compile(r"['’]")
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")


class HeldOut:
    """Sentences that no training pair may have as its source, nor one similar to it."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        held = list(dict.fromkeys(sentences))
        self._letters = {letters(sentence) for sentence in held}
        sets = [bag for sentence in held if len(bag := word_set(sentence)) >= FEWEST]
        common = Counter(word for bag in sets for word in bag)
        self._by_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for bag in sets:
            rarest = sorted(bag, key=lambda word: (common[word], -len(word), word))
            for word in rarest[: len(bag) - math.ceil(NEAR * len(bag)) + 1]:  # a similar one has one of these
                self._by_word[word].append(bag)

    @classmethod
    def read(cls, paths: Iterable[Path]) -> "HeldOut":
        """Read lists with the sentences in their second column."""
        return cls(line.split("\t")[1] for path in paths for line in read_lines(path) if "\t" in line)

    def near(self, source: str) -> bool:
        """Return True if `source` is a held-out sentence or similar to one."""
        if letters(source) in self._letters:
            return True
        mine = word_set(source)
        candidates = (bag for word in mine for bag in self._by_word.get(word, ()))
        return any(len(mine & bag) >= NEAR * len(mine | bag) for bag in candidates)


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(_LETTERS_OR_DIGITS.findall(normalise(text).lower()))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text in lower case; an apostrophe joins, other punctuation separates."""
    return frozenset(_LETTERS_OR_DIGITS.findall(_APOSTROPHE.sub("", normalise(text).lower())))


MARKS = (".", "!", "?")
LONGEST_CAPITALS = 60  # characters; text in capitals is tokenized nearly letter by letter

_CONTRACTED = re.compile(r"(?<=\w)'(?=(?:s|m|t|re|ve|ll|d)\b)", re.IGNORECASE)  # I'm, don't


class Casual(Enum):
    """The spelling of a source sentence."""

    LOWER = "lower case"
    UNMARKED = "no final mark"
    HURRIED = "lower case, no final mark"
    BARE = "lower case, no final mark, no apostrophes"
    CAPITALS = "capitals"


def casual(pair: Pair, style: Casual) -> Pair:
    """Return the pair with its source in that spelling, or an equal pair if the spelling changes nothing."""
    if style is Casual.LOWER:
        return Pair(pair.source.lower(), pair.target)
    if style is Casual.UNMARKED:
        return unmarked(pair)
    if style is Casual.CAPITALS:
        return Pair(pair.source.upper(), pair.target) if len(pair.source) <= LONGEST_CAPITALS else pair
    source, target = unmarked(pair)
    source = source.lower()
    return Pair(_CONTRACTED.sub("", source) if style is Casual.BARE else source, target)


def unmarked(pair: Pair) -> Pair:
    """Return the pair without final marks. An ellipsis is kept, as is a pair that would lose a whole side."""
    source, target = _without(pair.source, MARKS), _without(pair.target, (".", "!"))
    if not source or not target or pair.source.endswith("..") or pair.target.endswith(".."):
        return pair
    return Pair(source, target if source != pair.source else pair.target)


def _without(text: str, marks: tuple[str, ...]) -> str:
    return text[:-1].rstrip(" ") if text.endswith(marks) else text


_MISSPELLABLE = re.compile(r"(?<![^\W\d_]|['’@.])[a-z]{3,}(?![^\W\d_]|['’@.]\w)")
_VOWELS = "aeiou"
_LIKE = {"c": "sk", "s": "cz", "k": "c", "f": "v", "v": "f", "m": "n", "n": "m", "t": "d", "d": "t", "y": "i", "z": "s"}
_NEXT = {"b": "v", "g": "h", "h": "g", "j": "h", "l": "k", "p": "o", "q": "w", "r": "t", "w": "e", "x": "c"}  # keys


def misspelt(pair: Pair, known: Set[str], random: Random) -> Pair:
    """Return the pair with a word of its source misspelt, in long sentences sometimes two; unchanged if no mistake is
    possible. A mistake never produces one of the `known` words. Names, which begin with a capital, are kept."""
    source = pair.source
    for _ in range(1 if len(source) < 30 or random.random() < 0.6 else 2):
        words = list(_MISSPELLABLE.finditer(source))
        if not words:
            return pair
        word = random.choice(words)
        wrong = random.choice(_MISTAKES)(word[0], random)
        if wrong not in known and wrong != word[0]:
            source = source[: word.start()] + wrong + source[word.end() :]
    return Pair(source, pair.target)


def _swapped(word: str, random: Random) -> str:
    place = random.randrange(len(word) - 1)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _dropped(word: str, random: Random) -> str:
    place = random.randrange(1, len(word))
    return word[:place] + word[place + 1 :]


def _doubled(word: str, random: Random) -> str:
    place = random.randrange(1, len(word))
    return word[:place] + word[place] + word[place:]


def _single(word: str, random: Random) -> str:
    """Drop one of two equal letters; swap two letters if none are doubled."""
    places = [place for place in range(1, len(word)) if word[place] == word[place - 1]]
    if not places:
        return _swapped(word, random)
    place = random.choice(places)
    return word[:place] + word[place + 1 :]


def _confused(word: str, random: Random) -> str:
    """Replace a letter by one that sounds alike or is near it on the keyboard."""
    place = random.randrange(1, len(word))
    letter = word[place]
    other = random.choice(_VOWELS) if letter in _VOWELS else random.choice(_LIKE.get(letter, _NEXT.get(letter, letter)))
    return word[:place] + other + word[place + 1 :]


_MISTAKES: tuple[Callable[[str, Random], str], ...] = (_swapped, _swapped, _dropped, _doubled, _single, _confused)


TEXT, NAMES, NUMBERS, TEMPLATE = "text", "names exchanged", "numbers exchanged", "template"
PATTERN, MISTAKE = "sentence pattern", "spelling mistake"
USUAL_COUNT = 3  # occurrences in the text that a noun for templates must exceed
STYLES = {Casual.LOWER: 3, Casual.UNMARKED: 3, Casual.HURRIED: 4, Casual.BARE: 2, Casual.CAPITALS: 2}  # by weight

_WORD = re.compile(r"[^\W\d_]+")


class MixedPair(NamedTuple):
    """A pair and its origin: "text", or the steps that generated it."""

    pair: Pair
    origin: str

    def after(self, step: str, pair: Pair) -> "MixedPair":
        """Return the pair that a step made of this one; the sample itself if the step changed nothing."""
        if pair == self.pair:
            return self
        return MixedPair(pair, step if self.origin == TEXT else f"{self.origin}, {step}")


@dataclass(frozen=True)
class RecipeText:
    """Files of parallel text, read `times` times per epoch; the share `casual` of each reading gets a casual copy. If
    `share` is below 1, each reading samples that share of the pairs."""

    files: tuple[str, ...]  # one table, or two files line by line
    times: int = 1
    casual: float = 0.0
    share: float = 1.0

    def read(self, folder: Path) -> list[Pair]:
        paths = [folder / file for file in self.files]
        return read_table(paths[0]) if len(paths) == 1 else read_two(paths[0], paths[1])


@dataclass(frozen=True)
class Recipe:
    """The text to read and the pairs to generate. Shares are from 0 to 1."""

    texts: tuple[RecipeText, ...]
    names_file: str
    names: float
    numbers: float
    templates: int  # pairs per epoch
    templates_casual: float
    nouns_file: str = ""  # nouns with their articles, for templates
    patterns: int = 0  # pairs from sentence patterns, per epoch
    mistakes: float = 0.0  # share of the text that gets a copy with a spelling mistake

    @classmethod
    def load(cls, path: Path) -> "Recipe":
        """Read a recipe. Raises InputError naming the file if an entry is missing, unknown or impossible."""
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls(tuple(_text(entry) for entry in content["text"]), **content["generated"])
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: not a recipe of a mixture ({error})") from error

    @property
    def files(self) -> list[str]:
        named = [self.names_file] + ([self.nouns_file] if self.nouns_file else [])
        return [*(file for text in self.texts for file in text.files), *named]


class Mixture:
    """Sentence pairs by epoch, without those in `held_out` and those similar to them."""

    def __init__(self, recipe: Recipe, folder: Path, held_out: HeldOut, seed: int) -> None:
        self.recipe, self.seed, self._held_out = recipe, seed, held_out
        names = read_names(read_lines(folder / recipe.names_file))
        self._names, self._gender = names, names.gender()
        self._train: list[list[Pair]] = []
        self.parts = Split([], [], [])
        for text in recipe.texts:
            parts = split(list(dict.fromkeys(text.read(folder))))
            self._train.append([pair for pair in parts.train if not held_out.near(pair.source)])
            self.parts.train.extend(self._train[-1])
            self.parts.validation.extend(parts.validation)
            self.parts.test.extend(parts.test)
        self._words = Counter(word for pair in self.parts.train for word in _WORD.findall(pair.source.lower()))
        nouns = read_table(folder / recipe.nouns_file) if recipe.nouns_file else []
        self._templates = Templates(names, [pair for pair in split(nouns).train if self._usual(pair)])
        self._patterns = SentencePatterns()

    @cached_property
    def first(self) -> list[MixedPair]:
        """Return the samples of the first epoch, which are drawn once."""
        return self.epoch(0)

    def epoch(self, number: int) -> list[MixedPair]:
        """Return the samples of an epoch."""
        random = Random(self.seed * 1_000_003 + number)
        return [sample for sample in self._samples(random) if self._free(sample.pair.source)]

    def _samples(self, random: Random) -> Iterator[MixedPair]:
        recipe = self.recipe
        for text, pairs in zip(recipe.texts, self._train, strict=True):
            for _ in range(text.times):
                for pair in _sampled(pairs, text.share, random):
                    sample = self._exchanged(pair, random)
                    yield sample
                    if random.random() < text.casual:
                        yield from copied(sample, random)
                    if random.random() < recipe.mistakes:
                        wrong = sample.after(MISTAKE, misspelt(sample.pair, self._words.keys(), random))
                        if wrong is not sample:
                            yield wrong
        for _ in range(recipe.templates):
            yield from self._generated(self._templates.draw(random), TEMPLATE, random)
        for _ in range(recipe.patterns):
            yield from self._generated(self._patterns.draw(random), PATTERN, random)

    def _generated(self, pair: Pair, origin: str, random: Random) -> Iterator[MixedPair]:
        sample = MixedPair(pair, origin)
        yield sample
        if random.random() < self.recipe.templates_casual:
            yield from copied(sample, random)

    def _usual(self, noun: Pair) -> bool:
        """Return True for a singular noun whose words are frequent in the text."""
        words = _WORD.findall(noun.source.lower())[1:]
        singular = noun.target.startswith(("le ", "la ", "l'"))
        return singular and bool(words) and all(self._words[word] > USUAL_COUNT for word in words)

    def _exchanged(self, pair: Pair, random: Random) -> MixedPair:
        sample = MixedPair(pair, TEXT)
        if random.random() < self.recipe.names and shared_names(pair, self._gender):
            sample = sample.after(NAMES, exchange(pair, self._names, self._gender, random))
        if random.random() < self.recipe.numbers:
            sample = sample.after(NUMBERS, exchange_numbers(sample.pair, random))
        return sample

    def _free(self, source: str) -> bool:
        """Return True if a source may be learned: it is not held out and not in the validation or test part."""
        return bucket(source) >= USUAL.validation and not self._held_out.near(source)


class MixedCorpus(Corpus):
    """A corpus that is sampled anew for each epoch; it holds the first one itself."""

    def __init__(self, mixture: Mixture, tokenizer: Tokenizer) -> None:
        super().__init__([sample.pair for sample in mixture.first], tokenizer)
        self._mixture, self._tokenizer = mixture, tokenizer

    def epoch(self, number: int) -> Corpus:
        return Corpus([sample.pair for sample in self._mixture.epoch(number)], self._tokenizer) if number else self


def copied(sample: MixedPair, random: Random) -> Iterator[MixedPair]:
    """Yield a casual copy if its spelling differs."""
    style = random.choices(list(STYLES), list(STYLES.values()))[0]
    copy = sample.after(style.value, casual(sample.pair, style))
    if copy is not sample:
        yield copy


def counts(samples: Sequence[MixedPair]) -> dict[str, int]:
    """Return the number of pairs of each origin."""
    return dict(Counter(sample.origin for sample in samples).most_common())


def _sampled(pairs: list[Pair], share: float, random: Random) -> Sequence[Pair]:
    """Return all pairs for a share of 1, otherwise a random sample of that share."""
    return pairs if share == 1 else random.sample(pairs, round(share * len(pairs)))


def _text(entry: dict[str, Any]) -> RecipeText:
    files = (entry["table"],) if "table" in entry else (entry["source"], entry["target"])
    odd = entry.keys() - {"table", "source", "target", "times", "casual", "share"}
    if odd:
        raise InputError(f"unknown: {', '.join(sorted(odd))}")
    return RecipeText(files, entry.get("times", 1), entry.get("casual", 0.0), entry.get("share", 1.0))
