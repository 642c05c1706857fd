"""Words the screens share: examples, and remarks about a sentence."""

import re
from collections.abc import Container, Mapping, Sequence
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.app.theme import percent
from regard.model.alignment import Sentence
from regard.model.arithmetic.quantity import SCORES
from regard.model.doubt.chance import weakest
from regard.model.files import toml_beside
from regard.model.readable import BYTE_IDS, PLAIN, language, unknown
from regard.model.tokenizer import Encoding, Tokenizer
from regard.model.trace import AnyTrace
from regard.model.truecasing import not_english

if TYPE_CHECKING:  # its module needs torch
    from regard.model.config import AnyConfig

STANDARD = "Standard (Luong, general score)"  # the model that the app opens with; it has input feeding
SCREEN_TOKENS = 80  # tokens of a sentence on screen; the command line accepts more
SPLIT = "Shorten it, or split it into sentences: “A text”, under Bring your own, takes many."
CLIPPED = 60  # characters of a sentence quoted in a message
ACCEPTABLE = 60  # least chrF, with the nearest reference, of what the chance counts as acceptable
STRANGE = 4  # from this many tokens on, the model hardly knows a word

QUOTATION_MARKS = tuple('"“”„‟«»‹›‘’‚')
CARRIED = "carried over from the source, in place of the words that look most at it (Jean et al. 2015)"
JOINER = "\u2060"  # has no width and cannot be part of an address
_WORD = re.compile(r"[^\W_]+")
_WORD_APART = re.compile(r"([^\W_]+)")
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|xmpp|www)(?=[.:])|@", re.IGNORECASE)

MEAN_OF_HEADS = "The weights are the mean of the heads of the last layer's cross-attention."
MEAN = "the mean, in every head"  # the baseline for replaced weights with several heads


def _by_languages(texts: dict[str, Any]) -> dict[tuple[str, ...], Any]:
    """Return texts by their languages, which a table names as in en-fr."""
    return {tuple(pair.split("-")): text for pair, text in texts.items()}


TABLES: dict[str, dict[str, Any]] = toml_beside(__file__, "wording.toml")
ENTRIES: dict[str, str] = TABLES["entries"]
SOURCE_IN_STATE: dict[str, str] = TABLES["source_in_state"]
EXAMPLES: dict[tuple[str, ...], dict[str, str]] = _by_languages(TABLES["examples"])
OPENINGS: dict[str, dict[tuple[str, ...], str]] = {
    screen: _by_languages(texts) for screen, texts in TABLES["openings"].items()
}
CLAUSES: dict[tuple[str, ...], list[str]] = _by_languages(TABLES["clauses"])
SEQUENCES: dict[str, list[int]] = TABLES["sequences"]
PUBLISHED: dict[str, Any] = toml_beside(__file__, "published_results.toml")  # by other work


def sequences(tokenizer: Tokenizer) -> dict[str, str]:
    """Return sequences of symbols to try, by their labels, if every token is one, as in models of digits."""
    symbols = [tokenizer.token(index) for index in range(BYTE_IDS.stop, len(tokenizer))]
    if tokenizer.languages[0] != PLAIN or not symbols or not all(symbol.startswith(" ") for symbol in symbols):
        return {}
    return {
        label: "".join(symbols[place % len(symbols)] for place in places).strip() for label, places in SEQUENCES.items()
    }


def between(languages: tuple[str, str]) -> str:
    """Name the languages of a translation."""
    source, target = map(language, languages)
    return source if source == target else f"{source} to {target}"


def sentence_label(code: str) -> str:
    """Return the label of a field for text in that language."""
    return "Sequence of symbols" if code == PLAIN else f"{language(code)} sentence"


def invitation(code: str) -> str:
    """Return the invitation to fill such a field."""
    if code == PLAIN:
        return "Type symbols separated by spaces, such as 2 5 9, and press Enter"
    return f"Type a sentence in {language(code)} and press Enter"


def model_title(config: "AnyConfig") -> str:
    """Return a model's title on screen, from what distinguishes it: whose attention, with which score."""
    from regard.model.config import Config  # needs torch, which figures load without
    from regard.model.transformer.transformer import TransformerConfig

    if isinstance(config, TransformerConfig):
        return "Transformer" if config.positions != "none" else "Transformer without positions"
    if not isinstance(config, Config):
        raise TypeError(f"no title is known for {type(config).__name__}")
    if config.score == "none":
        named = "no attention"
    elif config.wiring == "bahdanau":
        named = "Bahdanau" if config.score == "concat" else f"Bahdanau, {SCORES[config.score].name} score"
    else:
        named = f"Luong, {SCORES[config.score].name} score"
    feeding = ", input feeding" if config.input_feeding else ""
    if (named, config.cell, config.input_feeding) == ("Luong, general score", "lstm", True):
        return STANDARD
    return f"{named}{', GRU' if config.cell == 'gru' else ''}{feeding}"


def set_apart(configs: "Sequence[AnyConfig]", trainings: Sequence[Mapping[str, str]]) -> str:
    """Say how models differ, by their configs and by what is known of their trainings, in the same order."""
    differing = set_apart_by(configs) + _values("updates", [training["updates"] for training in trainings])
    if len({training["text"] for training in trainings}) > 1:
        differing.append("the text read in training")
    if len(differing) > 1:
        return (
            f"They differ in {listed(differing)}. A difference between their translations may come from any of these."
        )
    return f"They differ in {differing[0]} alone." if differing else "They have the same sizes, wiring and training."


def set_apart_by(configs: "Sequence[AnyConfig]") -> list[str]:
    """Return the entries in which configs differ, with their values in brackets."""
    if len({type(config) for config in configs}) > 1:
        return _values("network", ["recurrent" if hasattr(config, "cell") else "Transformer" for config in configs])
    known = {field: name for field, name in ENTRIES.items() if all(hasattr(config, field) for config in configs)}
    values = ([_entry(field, getattr(config, field)) for config in configs] for field in known)
    return [text for name, value in zip(known.values(), values, strict=True) for text in _values(name, value)]


def _values(name: str, values: Sequence[str]) -> list[str]:
    different = list(dict.fromkeys(values))
    return [f"{name} ({', '.join(different)})"] if len(different) > 1 else []


def _entry(field: str, value: object) -> str:
    """Return a config entry as it is written: a wiring is named after a person, and a cell is an abbreviation."""
    if isinstance(value, bool):
        return "used" if value else "not used"
    text = str(value)
    return text.capitalize() if field == "wiring" else text.upper() if field == "cell" else text


def many_heads(config: "AnyConfig") -> str:
    """Say what represents a model's attention on a screen with one per step, or "" if it has only one."""
    from regard.model.transformer.transformer import TransformerConfig  # needs torch, which figures load without

    return MEAN_OF_HEADS if isinstance(config, TransformerConfig) else ""


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Return *a, b and c*."""
    return f" {conjunction} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def on_its_own(title: str) -> str:
    """Return a model's title as it stands in a select box; "no attention" begins with a capital there."""
    return "N" + title[1:] if title.startswith("no attention") else title


def counted(number: int, what: str) -> str:
    """Return *1 token* or *2 tokens*."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def problem(code: str, encoding: Encoding) -> str:
    """Return why a text in that language cannot be shown, and what is accepted, or "" if it can be shown."""
    if not encoding.ids:
        wanted = invitation(code)
        return f"Nothing to read yet: {wanted[0].lower()}{wanted[1:]}, or choose one of the examples."
    if len(encoding.ids) >= SCREEN_TOKENS:
        what, do = ("sequence", "Shorten it.") if code == PLAIN else (f"{language(code)} text", SPLIT)
        return f"This {what} has {len(encoding.ids)} tokens; this page shows up to {SCREEN_TOKENS - 1}. {do}"
    return ""


def overlong(text: str) -> str:
    """Return why a text with too many characters is not even read."""
    return f"This text has {len(text):,} characters; this page shows up to {SCREEN_TOKENS - 1} tokens. {SPLIT}"


def still_below(sentence: str) -> str:
    """Return the line below the refusal of another sentence, as Markdown; a long sentence is cut."""
    clipped = sentence if len(sentence) <= CLIPPED else f"{sentence[: CLIPPED - 1].rstrip()}…"
    return f"Below is still “{plain_markdown(clipped)}”"


def quoted(word: str) -> str:
    """Quote a word, shortened if it is long; a quotation mark is called one."""
    return f"the mark {word}" if word in QUOTATION_MARKS else f"“{word if len(word) < 30 else word[:29] + '…'}”"


def remark(tokenizer: Tokenizer, encoding: Encoding, usual_length: int) -> str:
    """Say what makes a sentence unlike those the model was trained on, or ""."""
    code = tokenizer.languages[0]
    if foreign := not_english(encoding.text, code):
        return foreign
    sizes = [encoding.word_of.count(word) for word in range(len(encoding.words))]
    bytes_used = {word for index, word in zip(encoding.ids, encoding.word_of, strict=True) if index in BYTE_IDS}
    words = (encoding.text[span.start : span.stop] for span in encoding.words)
    strange = list(
        dict.fromkeys(
            text
            for word, (text, size) in enumerate(zip(words, sizes, strict=True))
            if size >= STRANGE or word in bytes_used
        )
    )
    parts = []
    if code != PLAIN and not any(character.isalpha() for character in encoding.text):
        parts.append("It has no words, unlike the sentences the model learned from.")
    if len(encoding.ids) > usual_length:
        what = "sequences" if code == PLAIN else "sentences"
        usual = f"at least 99% of the {what} the model learned from have at most {usual_length}"
        parts.append(f"It has {len(encoding.ids)} tokens; {usual}.")
    if strange:
        named = ", ".join(map(quoted, strange[:3]))
        piecemeal = f"hardly knows {named}: it reads {'them' if len(strange) > 1 else 'it'} piece by piece"
        parts.append(f"The model {unknown(tokenizer, named) if code == PLAIN else piecemeal}.")
    return " ".join(parts)


def plain_markdown(text: str) -> str:
    """Escape text for Markdown: every punctuation mark, and line breaks become blanks.

    Text like a web or mail address does not become a link: a zero-width joiner is inserted.
    """
    apart = _ADDRESS.sub(lambda match: f"{match[0]}{JOINER}", " ".join(text.split()))
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", apart)


def out_of_ten(chance: float) -> str:
    """Say how many of ten translations with this chance are acceptable, and what that means."""
    tenths = int(10 * chance + 0.5)
    many = {0: "fewer than 1 of 10", 10: "over 9 of 10"}.get(tenths, f"about {tenths} of 10")
    return f"{many} such translations {'is' if tenths == 1 else 'are'} acceptable (chrF ≥ {ACCEPTABLE})"


def marked(trace: AnyTrace, doubtful: bool) -> str:
    """Return a translation as HTML, each word with its steps, and unknown words carried over and marked; if `doubtful`,
    the word that holds the least probable token is underlined, unless it is one that was replaced."""
    side, weak, parts = trace.alignment.target, weakest(trace) if doubtful else -1, []
    for one in trace.carried:
        left, text, right = one.text.partition(one.text.strip())
        steps = _steps(side, range(one.target.start, one.target.stop))
        parts.append((one.span, f'{left}<mark {steps} title="{CARRIED}">{escape(text)}</mark>{right}'))
    for word, span in enumerate(side.spans):
        if any(one.target.start <= word < one.target.stop for one in trace.carried):
            continue
        mine = [owner == word for owner in side.word_of]
        tag, title = "span", ""
        if word == weak:
            least = percent(float(np.exp(trace.log_probabilities[mine].min())))
            tag, title = "u", f' title="the least certain word: {least} for its least likely token"'
        text = escape(side.text[span.start : span.stop])
        parts.append((span, f"<{tag} {_steps(side, range(word, word + 1))}{title}>{text}</{tag}>"))
    html, end = "", 0
    for span, shown in sorted(parts, key=lambda each: each[0].start):
        html += escape(side.text[end : span.start]) + shown
        end = span.stop
    return html + escape(side.text[end:])


def _steps(side: Sentence, words: range) -> str:
    """Return the first and the last step that write these words, as HTML attributes."""
    steps = [step for step, owner in enumerate(side.word_of, start=1) if owner in words]
    return f'data-from="{steps[0]}" data-step="{steps[-1]}"'


def compared(text: str, other: str, tag: str = "mark") -> tuple[str, str]:
    """Return two texts as HTML: the words of the first outside their longest common sequence are in elements with this
    tag, those of the second are marked."""
    words, others = ([word.casefold() for word in _WORD.findall(one)] for one in (text, other))
    common = [[0] * (len(others) + 1) for _ in range(len(words) + 1)]  # the length from word i and from word j on
    for i, j in product(reversed(range(len(words))), reversed(range(len(others)))):
        longer = max(common[i + 1][j], common[i][j + 1])
        common[i][j] = common[i + 1][j + 1] + 1 if words[i] == others[j] else longer
    same: tuple[set[int], set[int]] = (set(), set())
    i = j = 0
    while i < len(words) and j < len(others):
        if words[i] == others[j]:
            same[0].add(i)
            same[1].add(j)
            i, j = i + 1, j + 1
        elif common[i + 1][j] >= common[i][j + 1]:
            i += 1
        else:
            j += 1
    return _but(same[0], text, tag), _but(same[1], other, "mark")


def _but(places: Container[int], text: str, tag: str) -> str:
    """Return a text as HTML, with all words but those at these places in elements with this tag."""
    parts = [escape(part) for part in _WORD_APART.split(text)]  # every second one is a word
    return "".join(f"<{tag}>{part}</{tag}>" if i % 2 and i // 2 not in places else part for i, part in enumerate(parts))
