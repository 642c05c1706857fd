"""Words: the normal form of text as a person sees it, and the boundaries of its words.

Words are what a person reads; tokens (`regard.model.tokenizer`) are what the model reads. A word here is a run of
characters that no blank, punctuation, elision or contraction divides:

    t'aime        t' · aime            French elision
    don't         do · n't             English contraction
    as-tu         as · -tu             French inversion
    T-shirt.      T-shirt · .          a hyphen inside a word stays, punctuation stands alone
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

END = "</s>"  # the end of a sentence on screen; typed by a person, it is plain text

# Characters that draw nothing: a model would spell them in bytes, and nobody would see why it translates otherwise.
INVISIBLE: dict[str, str] = {
    "soft hyphen": r"\u00ad",
    "direction mark": r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "variation selector": r"\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "joiner": r"\u034f\u180e\u200c\u200d\u2060\ufeff",
    "filler": r"\u115f\u1160\u3164\uffa0",
    "tag": r"\U000e0000-\U000e007f",
    "format character": r"\u2061-\u2065\u206a-\u206f\ufff9-\ufffb\U000e0080-\U000e00ff\U000e01f0-\U000e0fff",
}
_INVISIBLE = re.compile(f"[{''.join(INVISIBLE.values())}]+")
# Other forms of ordinary letters: digraphs, Roman numerals, ligatures, mathematical alphabets; full and half width,
# which are ordinary where Han, kana or Hangul are written.
_OTHER_FORMS = r"\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2160-\u217f\ufb00-\ufb06\ufb13-\ufb17\U0001d400-\U0001d7ff"
_FORMS, _FORMS_AND_WIDTHS = (re.compile(f"[{_OTHER_FORMS}{more}]") for more in ("", r"\uff01-\uff9f\uffa1-\uffee"))
_FULL_WIDTH = re.compile(
    r"[\u3001-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]"
)
ONE_WIDTH = ("en", "fr", "plain")  # languages of the shipped models, which know no other width
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b]+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_FIRST_MARK = "\u0300"  # below it there are no combining marks
_MAYBE_MARKS = re.compile(rf"[{_FIRST_MARK}-\U0010ffff]{{32,}}")  # or letters of another alphabet

# Scripts that put no blanks between words (Han, kana, Thai, Lao, Myanmar, Khmer): each character is a word of its own.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\uff66-\uff9f\U00020000-\U000323af"
)
# Marks that belong to the letter before them, in scripts whose words contain them.
MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    r"\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
    r"\u102b-\u103e\u17b6-\u17d3\u3099\u309a"
)

UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")

_NUMBER = r"\d+(?:[.,:]\d+)+"
_WORD = r"[^\W_]+(?:[-·][^\W_]+)*"
_OTHER = r"[^\w\s]|\w"
_CLITIC = r"-(?:t-)?(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|en|y|là|ci)\b"
_ENGLISH = rf"""
    [^\W\d_]+(?=n't\b) | n't\b                                          # do|n't
  | (?<=\w)'(?:s|m|re|ve|ll|d)\b                                        # I|'m
  | {_NUMBER} | {_WORD} | {_OTHER}
"""
_FRENCH = rf"""
    aujourd'hui\b | quelqu'une?s?\b | prud'hom\w+
  | (?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|entr)'(?=\w)     # t'|aime
  | (?<=\w){_CLITIC}                                                    # as|-tu
  | {_NUMBER} | [^\W_]+(?:(?!{_CLITIC})[-·][^\W_]+)* | {_OTHER}
"""


_SPACED = rf"(?![{UNSPACED}])[^\W_][{MARKS}]*"
_ANY = rf"{_NUMBER} | [{UNSPACED}][{MARKS}]* | (?:{_SPACED})+(?:[-·](?:{_SPACED})+)* | {_OTHER}"


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE)


WORD_RULES: dict[str, re.Pattern[str]] = {
    "en": _rule(_ENGLISH),
    "fr": _rule(_FRENCH),
    "plain": _rule(r"\S+"),
    "any": _rule(_ANY),
}


@dataclass(frozen=True)
class Span:
    """Characters `start` to `stop` (exclusive) of a text, without the blank before."""

    start: int
    stop: int


def visible(text: str, language: str = "") -> str:
    """Return a text without invisible characters, and with ligatures, full-width letters and the like as plain ones.

    Width is kept in a language other than those of the shipped models; of a text whose language is not known, if it has
    Han, kana or Hangul.
    """
    if text.isascii():
        return text
    forms = _forms(text, language)
    return forms.sub(lambda form: unicodedata.normalize("NFKC", form[0]), _INVISIBLE.sub("", text))


def _forms(text: str, language: str) -> re.Pattern[str]:
    kept = language not in ONE_WIDTH if language else _FULL_WIDTH.search(text)
    return _FORMS if kept else _FORMS_AND_WIDTHS


def visible_note(text: str, language: str = "") -> str:
    """Say what `visible` changes in a text, such as "2 soft hyphens left out", or ""."""
    counts = {name: len(re.findall(f"[{kind}]", text)) for name, kind in INVISIBLE.items()}
    notes = [f"{count} {name}{'s' * (count > 1)} left out" for name, count in counts.items() if count]
    return ", ".join(
        [*notes, *["ligatures or full-width letters written as plain ones"] * bool(_forms(text, language).search(text))]
    )


def normalise(text: str, language: str = "") -> str:
    """Return the normal form of a text, used for training, display and output: `visible`, NFC, `'` for `‘` and `’`,
    single blanks, none at the ends.

    Blanks of any kind and control characters become one blank (French puts U+202F or U+00A0 before punctuation);
    a lone surrogate, which is no character, becomes U+FFFD. Applying it twice changes nothing.
    """
    text = _SURROGATES.sub("\ufffd", visible(text, language)).replace("‘", "'").replace("’", "'")
    text = _MAYBE_MARKS.sub(lambda match: _in_order(match[0]), text)
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def _in_order(text: str) -> str:
    """Return a text with the same NFC, with the marks of each letter in canonical order.

    Python's own reordering takes time quadratic in the number of marks on a letter.
    """
    match, marks = [], []
    for character in "".join(unicodedata.normalize("NFD", character) for character in text):
        if unicodedata.combining(character):
            marks.append(character)
        else:
            match += [*sorted(marks, key=unicodedata.combining), character]
            marks = []
    return "".join([*match, *sorted(marks, key=unicodedata.combining)])


def words(text: str, language: str) -> list[Span]:
    """Return the words of a text, in order; only blanks lie between them.

    A language without a rule of its own is divided at blanks and punctuation, and where its script has no blanks,
    between characters.
    """
    rule = WORD_RULES.get(language, WORD_RULES["any"])
    return [Span(*match.span()) for match in rule.finditer(text)]


def word_texts(text: str, language: str) -> list[str]:
    """Return the words of a text as text."""
    return [text[span.start : span.stop] for span in words(text, language)]


def told_apart(words: Sequence[str]) -> list[str]:
    """Return the words; repeated ones are followed by their place in the sentence."""
    return [f"{word} ({place})" if words.count(word) > 1 else word for place, word in enumerate(words, 1)]
