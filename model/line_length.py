"""Line length: how much of a line is read as one sentence; the rest is cut off."""

from regard.model.checkpoint import AnyModel
from regard.model.words import normalise

LINE_TOKENS = 200  # source tokens read from one line; training sentences have up to 100
CHARACTERS = 10_000  # characters of a line kept before any other processing
MOST = f"{LINE_TOKENS} tokens or {CHARACTERS:,} characters"  # in words


def shorten(model: AnyModel, text: str, side: int) -> str:
    """Normalise a text, and cut off its end if it is too long to be read as one sentence."""
    text = normalise(text[: CHARACTERS + 1])[:CHARACTERS]
    if len(text.encode()) <= LINE_TOKENS:  # a token covers at least one byte
        return text
    encoding = model.tokenizer.encode(text, model.tokenizer.languages[side])
    if len(encoding.ids) <= LINE_TOKENS:
        return text
    return text[: encoding.characters[LINE_TOKENS - 1].stop].rstrip(" ")


def is_cut(text: str, readable: str) -> bool:
    """Return True if `shorten` made `readable` of this text by cutting off more than blanks."""
    return len(readable) < len(normalise(text[: CHARACTERS + 1])) or bool(text[CHARACTERS + 1 :].strip())
