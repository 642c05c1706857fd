"""Words the screens share: names of languages, examples, and what to say about a sentence."""

import re

from model.config import Config
from model.tokenizer import CONTROL, Encoding

LONGEST = 80  # tokens of a sentence on screen; the command line takes longer ones
UNSURE = 0.5  # mean probability of a token below which a model is called unsure
STRANGE = 4  # tokens from which on a word counts as one the model hardly knows

LANGUAGES = {"en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian", "plain": "symbol"}

EXAMPLES: dict[tuple[str, str], dict[str, str]] = {
    ("en", "fr"): {
        "I love you": "I love you.",
        "a long one": "The boy who is wearing a blue shirt is playing football with his friends in the park.",
        "red car": "She bought a red car and a black dress.",
        "elision": "The man took his friend to the hospital in the winter.",
        "negation": "I don't know what you are talking about.",
        "a question": "Why don't you want to come with us?",
        "a name it never saw": "Wojciechowska plays the guitar.",
    }
}


def language(code: str) -> str:
    """The English name of a language, or its code."""
    return LANGUAGES.get(code, code)


def model_title(config: Config) -> str:
    """What a model is called on screen, by what sets it apart from the others."""
    named = {"none": "no attention"}.get(config.score, config.score)
    if config.wiring == "bahdanau":
        named = "Bahdanau" if config.score == "concat" else f"Bahdanau, {named}"
    feeding = ", input feeding" if config.input_feeding else ""
    return f"{named}{', GRU' if config.cell == 'gru' else ''}{feeding}"


def problem(side: str, encoding: Encoding) -> str:
    """Why a sentence cannot be shown, and what can; "" when it can. `side` is the name of its language."""
    if not encoding.ids:
        return f"Nothing to read yet: type a sentence in {side} and press Enter, or choose one of the examples."
    if len(encoding.ids) >= LONGEST:
        return (
            f"This {side} text has {len(encoding.ids)} tokens; this page shows up to {LONGEST - 1}. "
            "Shorten it, or use the command line, which takes longer ones."
        )
    return ""


def remark(encoding: Encoding, usual_length: int) -> str:
    """What makes a sentence unlike those the model was trained on; "" when nothing does."""
    sizes = [encoding.word_of.count(word) for word in range(len(encoding.words))]
    bytes_used = {word for index, word in zip(encoding.ids, encoding.word_of, strict=True) if _is_byte(index)}
    words = (encoding.text[span.start : span.stop] for span in encoding.words)
    strange = list(
        dict.fromkeys(
            text
            for word, (text, size) in enumerate(zip(words, sizes, strict=True))
            if size >= STRANGE or word in bytes_used
        )
    )
    parts = []
    if not any(character.isalpha() for character in encoding.text):
        parts.append("It has no words, and the model learned from sentences that do.")
    if len(encoding.ids) > usual_length:
        parts.append(f"It is longer than 99 % of the sentences the model learned from ({usual_length} tokens).")
    if strange:
        named = ", ".join(f"“{word if len(word) < 30 else word[:29] + '…'}”" for word in strange[:3])
        parts.append(f"The model hardly knows {named}: it reads {'them' if len(strange) > 1 else 'it'} piece by piece.")
    return " ".join(parts)


def plain_markdown(text: str) -> str:
    """Text that Markdown shows as it is: every punctuation mark is escaped, line breaks become blanks."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def _is_byte(index: int) -> bool:
    return len(CONTROL) <= index < len(CONTROL) + 256
