"""Sentence splitting by one rule: a sentence ends at `.`, `!`, `?` or `…` before a blank and a capital, digit or quote.

No split follows a title (`Mr.`), an abbreviation (`e.g.`, `No.`) or an initial (`J.`). Limitations: a sentence that
ends in an abbreviation is joined to the next one, and one that begins in lower case to the one before.
"""

import re

RULE = "a sentence ends at . ! ? or … before a capital, a digit or a quote, but not after Mr., e.g. or an initial"
_ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "no", "fig", "e.g", "i.e", "etc", "approx", "gen", "capt"]
)
_END = re.compile(r"""[.!?…]+["'”’)\]]*(?=\s+["'“‘(\[]?[A-Z0-9À-Þ])""")
_LAST = re.compile(r"([\w.]+)\.$")


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph in order, without the blanks around them."""
    found, start = [], 0
    for end in _END.finditer(paragraph):
        before = _LAST.search(paragraph[start : end.end()])
        word = before[1].lower() if before else ""
        if word in _ABBREVIATIONS or (len(word) == 1 and word != "i" and word.isalpha()):
            continue
        found.append(paragraph[start : end.end()].strip())
        start = end.end()
    return [*found, paragraph[start:].strip()]
