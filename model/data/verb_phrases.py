"""Verb phrases: a subject and a verb with its object or adverb, in English and French, in agreement.

    they / got up early            ils se sont levés tôt
    she / would have left early    elle serait partie tôt

Persons are numbered as in `french_verbs`, in English, too: *you* is 1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from regard.model.data.french_verbs import AVOIR, ETRE, REFLEXIVE, WITH_ETRE, FrenchVerb, agree, before, verb
from regard.model.files import toml_beside

MY = ("my", "your", "his", "our", "your", "their")
MON = ("mon", "ton", "son", "notre", "votre", "leur")
MA = ("ma", "ta", "sa", "notre", "votre", "leur")
MES = ("mes", "tes", "ses", "nos", "vos", "leurs")
PRONOUNS = (
    ("I", "je", 0), ("you", "tu", 1), ("you", "vous", 4), ("he", "il", 2), ("she", "elle", 2),
    ("we", "nous", 3), ("they", "ils", 5), ("they", "elles", 5),
)  # fmt: skip
HAVE = ("have", "have", "has", "have", "have", "have")
BE = ("am", "are", "is", "are", "are", "are")
WAS = ("was", "were", "was", "were", "were", "were")


@dataclass(frozen=True)
class VerbSubject:
    """A pronoun or a person; `french` is not yet elided, so "je" stays whole."""

    english: str
    french: str
    person: int
    female: bool = False

    @property
    def plural(self) -> bool:
        return self.french in ("nous", "ils", "elles")

    @property
    def my(self) -> str:
        return "her" if self.person == 2 and self.female else MY[self.person]

    def with_verb(self, words: str) -> str:
        """Put the French subject before its verb: *je pars*, *j'ai*, *elles ont*."""
        return before("je", words) if self.french == "je" else f"{self.french} {words}"


@dataclass(frozen=True)
class VerbPhrase:
    """A verb with its object or adverb, from `verb_phrases.toml`."""

    base: str
    past: str
    participle: str
    ing: str
    rest: str
    french: FrenchVerb
    reflexive: bool
    french_rest: str

    def english(self, form: str, subject: VerbSubject) -> str:
        """Return the verb in a form ("base", "past", "participle", "ing", "present") with the words after it."""
        word = self._present(subject) if form == "present" else getattr(self, form)
        return f"{word} {self.rest.format(my=subject.my)}".rstrip()

    def _present(self, subject: VerbSubject) -> str:
        if subject.person != 2:
            return self.base
        first, *more = self.base.split(" ")
        return " ".join([third_person(first), *more])

    def simple(self, tense: str, subject: VerbSubject, *, negative: str = "") -> str:
        """Return the French subject with a verb of one word; `negative` is "", "pas" or "jamais"."""
        return self._joined(subject, self.french.simple(tense, subject.person), negative, "")

    def compound(self, tense: str, subject: VerbSubject, *, negative: str = "", adverb: str = "") -> str:
        """Return the French subject, an auxiliary in `tense` and the participle; "present" gives the passé composé."""
        forms = ETRE if self._etre else AVOIR
        return self._joined(subject, forms[tense][subject.person], negative, adverb, self._agreeing(subject))

    def infinitive(self, subject: VerbSubject) -> str:
        """Return the infinitive: *me lever tôt*."""
        return self._tail(subject, self._with_pronoun(subject, self.french.infinitive))

    def gerund(self, subject: VerbSubject) -> str:
        """Return the present participle: *me levant tôt*."""
        return self._tail(subject, self._with_pronoun(subject, self.french.gerund))

    def having(self, subject: VerbSubject, auxiliaries: tuple[str, str] = ("avoir", "être")) -> str:
        """Return the perfect infinitive: *m'être levé tôt*; with ("ayant", "étant"), *ayant traversé la rue*."""
        auxiliary = self._with_pronoun(subject, auxiliaries[self._etre])
        return self._tail(subject, f"{auxiliary} {self._agreeing(subject)}")

    @property
    def _etre(self) -> bool:
        return self.reflexive or self.french.infinitive in WITH_ETRE

    def _agreeing(self, subject: VerbSubject) -> str:
        """Return the participle; with *être* it agrees, unless an object follows: *elle s'est cassé la jambe*."""
        if not self._etre or (self.reflexive and self.french_rest.startswith(("le ", "la ", "les ", "l'"))):
            return self.french.participle
        return agree(self.french.participle, subject.female, subject.plural)

    def _with_pronoun(self, subject: VerbSubject, word: str) -> str:
        """Put a reflexive verb's pronoun before a word: *me lever*, *s'est*, *nous levant*."""
        pronoun = REFLEXIVE[subject.person] if self.reflexive else ""
        return before(pronoun, word) if pronoun.endswith("e") else f"{pronoun} {word}".lstrip()

    def _joined(self, subject: VerbSubject, finite: str, negative: str, adverb: str, participle: str = "") -> str:
        words = self._with_pronoun(subject, finite)
        if negative:
            words = f"{before('ne', words)} {negative}"
        said = self._tail(subject, " ".join(filter(None, (subject.with_verb(words), adverb, participle))))
        return self._without_article(said) if negative else said

    def _without_article(self, said: str) -> str:
        """Replace *un*, *du* etc. by *de* after a negation, except in *jouer du violon* and *attendre une heure*."""
        for article in ("une ", "un ", "du ", "de la ", "de l'", "des "):
            if self.french_rest.startswith(article) and self.french.infinitive not in ("jouer", "attendre"):
                bare = self.french_rest.removeprefix(article)
                return said.removesuffix(self.french_rest) + before("de", bare)
        return said

    def _tail(self, subject: VerbSubject, words: str) -> str:
        person = subject.person
        rest = self.french_rest.format(mon=MON[person], ma=MA[person], mes=MES[person])
        return f"{words} {rest}".rstrip()


class VerbPhrases:
    """Samples subjects and verb phrases from `verb_phrases.toml`."""

    def __init__(self) -> None:
        lists = toml_beside(__file__, "verb_phrases.toml")
        self._phrases = [phrase for line in lists["phrases"].splitlines() if line for phrase in _phrases(line)]
        self._people = _people(lists["people"])

        self._happenings = [
            (_people(subjects), list(_phrases(phrases)))
            for phrases, subjects in (line.split(" @ ") for line in lists["happenings"].splitlines() if line)
        ]

    def happening(self, random: Random) -> tuple[VerbSubject, VerbPhrase]:
        """A thing or an animal, and what such a one does."""
        subjects, phrases = random.choice(self._happenings)
        return random.choice(subjects), random.choice(phrases)

    def phrase(self, random: Random) -> VerbPhrase:
        return random.choice(self._phrases)

    def phrases(self, random: Random) -> tuple[VerbPhrase, VerbPhrase]:
        """Draw two phrases with different French verbs."""
        one, other = random.sample(self._phrases, 2)
        return (one, other) if one.french != other.french else self.phrases(random)

    def person(self, random: Random) -> VerbSubject:
        """Draw a person named by a noun."""
        return random.choice(self._people)

    def definite(self, random: Random) -> VerbSubject:
        """Draw a person with the definite article on both sides."""
        return random.choice([person for person in self._people if person.english.startswith("the ")])

    def subject(self, random: Random) -> VerbSubject:
        """Draw a pronoun, or in one of four cases a person."""
        if random.random() < 0.25:
            return self.person(random)
        english, french, person = random.choice(PRONOUNS)
        female = french in ("elle", "elles") or (person in (0, 1) and random.random() < 0.4)
        return VerbSubject(english, french, person, female)


def third_person(base: str) -> str:
    """Return the third person of a verb: *goes*, *carries*, *misses*, *takes*."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "x", "ch", "sh", "o")) else f"{base}s"


def _phrases(line: str) -> Iterator[VerbPhrase]:
    forms, rests = line.split(":")
    english, infinitive = forms.split(" = ")
    base, past, participle, ing = english.split(" | ")
    french, reflexive = verb(infinitive.removeprefix("se ")), infinitive.startswith("se ")
    for each in rests.split(";"):
        rest, french_rest = (part.strip() for part in each.split("="))
        yield VerbPhrase(base, past, participle, ing, rest, french, reflexive, french_rest)


def _people(text: str) -> list[VerbSubject]:
    return [_person(line) for line in re.split(", |\n", text) if line]


def _person(line: str) -> VerbSubject:
    english, french = line.split(" = ")
    noun, gender = french.rsplit(" ", 1)
    return VerbSubject(english, noun, 2, gender == "f")
