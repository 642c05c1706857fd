"""Limits of what is read: sizes of uploads, lengths of texts and sentences; and the symbols that a model does not know.

`maxUploadSize` in `app/.streamlit/config.toml` bounds every upload limit below; `app/server/uploads.py` bounds what one
visitor and all visitors upload together.
"""

from regard.model.tokenizer import BYTES, CONTROL, Tokenizer
from regard.model.words import normalise

MODEL_BYTES = 64 * 2**20  # a model's zip, and all its files unpacked
ATTENTION_BYTES = 20_000_000  # an attention file of another program
TEXT_BYTES = 5_000_000  # a text to translate
SENTENCE_CHARACTERS = 2000  # a sentence in a link or a field, or a line of a text to translate
LINE_TOKENS = 200  # source tokens read from one line; training sentences have up to 100
CHARACTERS = 10_000  # characters of a line kept before any other processing
MOST = f"{LINE_TOKENS} tokens or {CHARACTERS:,} characters"  # in words
LISTED = 10  # symbols of a model that are named
NAMED, CLIPPED = 3, 30  # unknown symbols that a remark names, and characters of each
BYTE_IDS = range(len(CONTROL), len(CONTROL) + len(BYTES))  # tokens of a single byte
PLAIN = "plain"  # for symbols separated by blanks, such as digits
LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "la": "Latin", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
    "zh": "Chinese",
}  # fmt: skip


def language(code: str) -> str:
    """Return the English name of a language, or its code if no name is listed."""
    return "symbols" if code == PLAIN else LANGUAGES.get(code, code)


def known_symbols(tokenizer: Tokenizer) -> str:
    """Name the symbols that a model of sequences reads, such as *0 to 9*."""
    known = [tokenizer.token(index).strip() for index in range(BYTE_IDS.stop, len(tokenizer))]
    if len(known) > 2 and known == [str(number) for number in range(len(known))]:
        return f"{known[0]} to {known[-1]}"
    shown = known if len(known) <= LISTED else [*known[:LISTED], "others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def unknown(tokenizer: Tokenizer, named: str) -> str:
    """Say that a model of sequences does not know the symbols that are named, and which it knows."""
    return f"does not know {named}; it knows {known_symbols(tokenizer)}"


def remark(tokenizer: Tokenizer, text: str, side: int) -> str:
    """Say which symbols of a text a model of sequences does not know, or ""; other models know every text."""
    if tokenizer.languages[side] != PLAIN:
        return ""
    read = tokenizer.encode(text, PLAIN)
    in_bytes = dict.fromkeys(word for index, word in zip(read.ids, read.word_of, strict=True) if index in BYTE_IDS)
    symbols = dict.fromkeys(read.text[read.words[word].start : read.words[word].stop][:CLIPPED] for word in in_bytes)
    named = ", ".join(f"“{symbol}”" for symbol in list(symbols)[:NAMED])
    return f"the model {unknown(tokenizer, named)}" if named else ""


def reads_bytes(tokenizer: Tokenizer, text: str) -> bool:
    """Return True if a source text has a character that is in no token."""
    return not set(BYTE_IDS).isdisjoint(tokenizer.encode(text, tokenizer.languages[0]).ids)


def shorten(tokenizer: Tokenizer, text: str, side: int) -> str:
    """Normalise a text, and cut off its end if it is too long to be read as one sentence."""
    text = normalise(text[: CHARACTERS + 1], tokenizer.languages[side])[:CHARACTERS]
    if len(text.encode()) <= LINE_TOKENS:  # a token covers at least one byte
        return text
    encoding = tokenizer.encode(text, tokenizer.languages[side])
    if len(encoding.ids) <= LINE_TOKENS:
        return text
    return text[: encoding.characters[LINE_TOKENS - 1].stop].rstrip(" ")


def is_cut(text: str, readable: str) -> bool:
    """Return True if `shorten` made `readable` of this text by cutting off more than blanks."""
    return len(readable) < len(normalise(text[: CHARACTERS + 1])) or bool(text[CHARACTERS + 1 :].strip())
