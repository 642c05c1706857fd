"""Known symbols: what a model of sequences reads, such as 0 to 9, and its remark about a text with others."""

from regard.model.languages import PLAIN
from regard.model.tokenizer import BYTES, CONTROL, Tokenizer

LISTED = 10  # symbols of a model that are named
NAMED, CLIPPED = 3, 30  # unknown symbols that a remark names, and characters of each
BYTE_IDS = range(len(CONTROL), len(CONTROL) + len(BYTES))  # tokens of a single byte


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
