"""Sentence splitting by one rule: a sentence ends at `.`, `!`, `?` or `…` before a blank and a capital, digit or quote.

No split follows a title (`Mr.`), an abbreviation (`e.g.`, `Mt.`) or an initial (`J.`). One that may also end a sentence
(`p.m.`, `U.S.`, `Inc.`, `Jan.`) ends it before a word that opens sentences (`He`, `The`). Limitation: a sentence that
begins in lower case is joined to the one before.
"""

import re

RULE = "a sentence ends at . ! ? or … before a capital, a digit or a quote, but not after Mr., e.g. or an initial"
_ABBREVIATIONS = frozenset(
    """mr mrs ms mx messrs dr prof st mt ft sen rep gov gen col capt cpt lt sgt maj adm rev hon pres supt vs fig figs vol
    pp ed eds cf approx ca est e.g i.e viz tel ext art sec ch mme mlle""".split()
)
_MAY_END = frozenset(
    """jr sr no etc inc ltd co corp bros llc dept univ ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec mon tue
    tues wed thu thur thurs fri al ph.d""".split()
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # U.S, p.m, D.C
_OPENS = re.compile(
    r"\s+[\"'“‘(\[]?(?:I|He|She|It|We|You|They|The|A|An|This|That|These|Those|There|Here|But|And|So|Then|My|His|Her|Our|"
    r"Their|In|On|At|When|If|What|Who|Why|How|Where|After|Before|Now|Yes|No)(?:\b(?!\.)|')"
)
_END = re.compile(r"""[.!?…]+["'”’)\]]*(?=\s+["'“‘(\[]?[A-Z0-9À-Þ])""")
_LAST = re.compile(r"([\w.]+)\.$")


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph in order, without the blanks around them."""
    found, start = [], 0
    for end in _END.finditer(paragraph):
        before = _LAST.search(paragraph[start : end.end()])
        word = before[1].lower() if before else ""
        initial = word in _ABBREVIATIONS or (len(word) == 1 and word != "i" and word.isalpha())
        may_end = word in _MAY_END or _INITIALS.fullmatch(word)
        if initial or (may_end and not _OPENS.match(paragraph, end.end())):
            continue
        found.append(paragraph[start : end.end()].strip())
        start = end.end()
    return [*found, paragraph[start:].strip()]
