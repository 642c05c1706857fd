"""Function words: the words of a translation that carry grammar rather than content.

This is a closed list, not a tagger: an ambiguous word (`son`, his or sound; `est`, is or east) counts as its usual
kind, and forms of `être` and `avoir` count as auxiliaries even if they are the only verb. A language without a list has
words and punctuation only.
"""

import re

KINDS = ("function", "content", "word", "punctuation")

FRENCH = {
    "determiners": """le la les l' un une des du au aux ce cet cette ces mon ton son ma ta sa mes tes ses notre votre
        leur nos vos leurs quel quelle quels quelles chaque plusieurs quelques aucun aucune nul nulle tout toute tous
        toutes certains certaines""",
    "pronouns": """je j' tu il elle on nous vous ils elles me m' te t' se s' lui leur eux moi toi soi y en ce c' ça cela
        ceci celui celle ceux celles qui que qu' quoi dont où lequel laquelle lesquels lesquelles auquel duquel rien
        personne quelqu'un quelqu'une chacun chacune autrui""",
    "prepositions": """à de d' dans en sur sous par pour avec sans chez vers entre entr' contre depuis pendant avant
        après devant derrière dès jusque jusqu' malgré parmi selon envers hors outre durant""",
    "conjunctions": """et ou mais donc or ni car que qu' si quand lorsque lorsqu' comme puisque puisqu' quoique quoiqu'
        parce afin""",
    "negation": "ne n' pas plus jamais point guère non",
    "auxiliaries": """être été étant suis es est sommes êtes sont étais était étions étiez étaient fus fut fûmes fûtes
        furent serai seras sera serons serez seront serais serait serions seriez seraient sois soit soyons soyez soient
        fût avoir eu eue eus eues ayant ai as a avons avez ont avais avait avions aviez avaient eut eurent aurai auras
        aura aurons aurez auront aurais aurait aurions auriez auraient aie aies ait ayons ayez aient eût""",
}

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "fr": frozenset(word for group in FRENCH.values() for word in group.split())
}


def kind(word: str, language: str) -> str:
    """Return one of KINDS. The pronoun of a French inversion (`-tu`, `-t-il`) counts without its hyphens."""
    if not re.search(r"\w", word):
        return "punctuation"
    if language not in FUNCTION_WORDS:
        return "word"
    plain = re.sub(r"^-(?:t-)?", "", word.lower())
    return "function" if plain in FUNCTION_WORDS[language] else "content"
