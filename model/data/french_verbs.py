"""French verbs: the forms that generated sentences need, by rule for regular verbs, from a table for others.

Persons are numbered 0 to 5: je, tu, il or elle, nous, vous, ils or elles.
"""

from dataclasses import dataclass
from functools import cache

from regard.model.files import toml_beside

VOWELS = "aeiouhyàâéèêëîïôùûœæ"
ENDINGS = {
    "imperfect": ("ais", "ais", "ait", "ions", "iez", "aient"),
    "future": ("ai", "as", "a", "ons", "ez", "ont"),
    "conditional": ("ais", "ais", "ait", "ions", "iez", "aient"),
}
AVOIR = {
    "present": ("ai", "as", "a", "avons", "avez", "ont"),
    "imperfect": ("avais", "avais", "avait", "avions", "aviez", "avaient"),
    "conditional": ("aurais", "aurais", "aurait", "aurions", "auriez", "auraient"),
}
ETRE = {
    "present": ("suis", "es", "est", "sommes", "êtes", "sont"),
    "imperfect": ("étais", "étais", "était", "étions", "étiez", "étaient"),
    "conditional": ("serais", "serais", "serait", "serions", "seriez", "seraient"),
}
REFLEXIVE = ("me", "te", "se", "nous", "vous", "se")
WITH_ETRE = frozenset("aller arriver entrer mourir partir rentrer rester retourner revenir sortir tomber venir".split())


@dataclass(frozen=True)
class FrenchVerb:
    """The forms of one verb; a reflexive verb is named without its pronoun."""

    infinitive: str
    participle: str
    future_stem: str
    present: tuple[str, ...]

    @property
    def gerund(self) -> str:
        """Return the present participle: *finissant*; only *avoir* is irregular."""
        return "ayant" if self.infinitive == "avoir" else f"{self.present[3].removesuffix('ons')}ant"

    def simple(self, tense: str, person: int) -> str:
        """Return a form of one word: present, imperfect, future or conditional."""
        if tense == "present":
            return self.present[person]
        stem = self.present[3].removesuffix("ons") if tense == "imperfect" else self.future_stem
        ending = ENDINGS[tense][person]
        if tense == "imperfect" and ending[0] == "i":  # nous mangions, nous commencions
            stem = (
                stem.removesuffix("e") if stem.endswith("ge") else stem.replace("ç", "c") if stem[-1] == "ç" else stem
            )
        return stem + ending


@cache
def verb(infinitive: str) -> FrenchVerb:
    """Return a verb by its infinitive. Raises ValueError for one that is neither regular nor in the table."""
    if infinitive in _TABLE:
        return _TABLE[infinitive]
    if infinitive.endswith("er"):
        return _first_group(infinitive[:-2])
    if infinitive.endswith("ir"):
        stem = infinitive[:-2]
        present = tuple(stem + ending for ending in ("is", "is", "it", "issons", "issez", "issent"))
        return FrenchVerb(infinitive, f"{stem}i", infinitive, present)
    raise ValueError(f"{infinitive!r} is irregular and not in the table")


def agree(participle: str, female: bool, plural: bool) -> str:
    """Return a past participle with its endings: *arrivée*, *assis*, *prises*."""
    ending = "e" * female
    return participle + ending + ("s" if plural and not (participle + ending).endswith("s") else "")


def before(word: str, following: str) -> str:
    """Put a word that elides before another: *je pars*, *j'ai*, *que Tom*, *qu'il*."""
    elides = following[0].lower() in VOWELS
    return f"{word[:-1]}'{following}" if elides else f"{word} {following}"


def _first_group(stem: str) -> FrenchVerb:
    plural = {"g": f"{stem}e", "c": f"{stem[:-1]}ç"}.get(stem[-1], stem)
    present = (f"{stem}e", f"{stem}es", f"{stem}e", f"{plural}ons", f"{stem}ez", f"{stem}ent")
    return FrenchVerb(f"{stem}er", f"{stem}é", f"{stem}er", present)


def _line(line: str) -> FrenchVerb:
    infinitive, forms = line.split(": ")
    participle, future, *present = forms.split()
    return FrenchVerb(infinitive, participle, future, tuple(present))


_TABLE = {
    made.infinitive: made
    for made in map(_line, toml_beside(__file__, "french_verbs.toml")["irregular"].strip().splitlines())
}
