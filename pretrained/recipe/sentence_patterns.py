"""Sentence patterns: grammar that is rare in short everyday text, in English and French, in agreement.

They are conditionals of three kinds, clauses with before, after, while and without, tenses and modal verbs, nested
relative clauses, and verbs such as *told* and *gave*. They are built from verb phrases, a subject and a verb with its
object or adverb,

    they / got up early            ils se sont levés tôt
    she / would have left early    elle serait partie tôt

and these from French verbs: forms by rule for regular verbs, from a table for others. Persons are numbered 0 to 5: je,
tu, il or elle, nous, vous, ils or elles; in English, too: *you* is 1.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from regard.model.data.corpus import Pair
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
        """Return a thing or an animal as a subject, and something that it does."""
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


OBJECT = ("me", "te", "lui", "nous", "vous", "leur")


class SentencePatterns:
    """Samples sentence pairs."""

    def __init__(self) -> None:
        self._phrases = VerbPhrases()
        self._patterns: list[tuple[Callable[[Random], Pair], int]] = [
            (self._third_conditional, 6),
            (self._second_conditional, 3),
            (self._first_conditional, 3),
            (self._adverbial, 6),
            (lambda random: self._tense(*self._doing(random), random), 7),
            (lambda random: self._tense(*self._phrases.happening(random), random), 6),
            (lambda random: self._modal(*self._doing(random), random), 4),
            (lambda random: self._question(*self._doing(random), random), 3),
            (lambda random: self._question(*self._phrases.happening(random), random), 1),
            (self._relative, 4),
            (self._told, 2),
        ]

    def draw(self, random: Random) -> Pair:
        """Return a pair with a capital and a final mark on both sides."""
        patterns, weights = zip(*self._patterns, strict=True)
        pair = random.choices(patterns, weights)[0](random)
        return Pair(*(side[0].upper() + side[1:] for side in pair))

    def _doing(self, random: Random) -> tuple[VerbSubject, VerbPhrase]:
        return self._phrases.subject(random), self._phrases.phrase(random)

    def _two_clauses(self, random: Random) -> tuple[VerbSubject, VerbPhrase, VerbSubject, VerbPhrase]:
        one, other = self._phrases.phrases(random)
        first, second = self._phrases.subject(random), self._subject_after(random)
        return first, one, first if first.english == second.english else second, other

    def _subject_after(self, random: Random) -> VerbSubject:
        """Draw a pronoun for a second clause, because two nouns could be confused."""
        subject = self._phrases.subject(random)
        return subject if " " not in subject.english else self._subject_after(random)

    def _third_conditional(self, random: Random) -> Pair:
        one, phrase, other, result = self._two_clauses(random)
        no, no_result = random.random() < 0.3, random.random() < 0.25
        had = random.choice(("had not", "hadn't")) if no else "had"
        modal = random.choice(("would not have", "wouldn't have")) if no_result else "would have"
        condition = (
            f"{one.english} {had} {phrase.english('participle', one)}",
            phrase.compound("imperfect", one, negative="pas" * no),
        )
        consequence = (
            f"{other.english} {modal} {result.english('participle', other)}",
            result.compound("conditional", other, negative="pas" * no_result),
        )
        return _conditional(condition, consequence, random)

    def _second_conditional(self, random: Random) -> Pair:
        one, phrase, other, result = self._two_clauses(random)
        no = random.random() < 0.25
        would = random.choice(("would not", "wouldn't")) if no else "would"
        condition = f"{one.english} {phrase.english('past', one)}", phrase.simple("imperfect", one)
        consequence = (
            f"{other.english} {would} {result.english('base', other)}",
            result.simple("conditional", other, negative="pas" * no),
        )
        return _conditional(condition, consequence, random)

    def _first_conditional(self, random: Random) -> Pair:
        one, phrase, other, result = self._two_clauses(random)
        no = random.random() < 0.3
        does = "does not" if one.person == 2 else "do not"
        english = f"{does} {phrase.english('base', one)}" if no else phrase.english("present", one)
        condition = f"{one.english} {english}", phrase.simple("present", one, negative="pas" * no)
        consequence = f"{other.english} will {result.english('base', other)}", result.simple("future", other)
        return _conditional(condition, consequence, random)

    def _adverbial(self, random: Random) -> Pair:
        """Draw an action before, after, while, without or instead of another."""
        subject = self._phrases.subject(random)
        one, other = self._phrases.phrases(random)
        ing, did = one.english("ing", subject), f"{subject.english} {other.english('past', subject)}"
        said = other.compound("present", subject)
        infinitive = one.infinitive(subject)
        words = {
            f"after {ing}": f"après {one.having(subject)}",
            f"after having {one.english('participle', subject)}": f"après {one.having(subject)}",
            f"having {one.english('participle', subject)}": one.having(subject, ("ayant", "étant")),
            f"before {ing}": f"avant {before('de', infinitive)}",
            f"without {ing}": f"sans {infinitive}",
            f"instead of {ing}": f"au lieu {before('de', infinitive)}",
            f"while {ing}": f"en {one.gerund(subject)}",
        }
        english, french = random.choice(list(words.items()))
        if random.random() < 0.6 or english.startswith("having"):
            return Pair(f"{english}, {did}.", f"{french}, {said}.")
        return Pair(f"{did} {english}.", f"{said} {french}.")

    def _tense(self, subject: VerbSubject, phrase: VerbPhrase, random: Random) -> Pair:
        base, ing, done = (phrase.english(form, subject) for form in ("base", "ing", "participle"))
        have, be = HAVE[subject.person], BE[subject.person]
        does = "does not" if subject.person == 2 else "do not"
        infinitive = phrase.infinitive(subject)
        going, come = verb("aller").present[subject.person], verb("venir").present[subject.person]
        forms = [
            (phrase.english("past", subject), phrase.compound("present", subject)),
            (f"did not {base}", phrase.compound("present", subject, negative="pas")),
            (f"didn't {base}", phrase.compound("present", subject, negative="pas")),
            (f"will {base}", phrase.simple("future", subject)),
            (f"will not {base}", phrase.simple("future", subject, negative="pas")),
            (f"won't {base}", phrase.simple("future", subject, negative="pas")),
            (f"would {base}", phrase.simple("conditional", subject)),
            (f"{be} going to {base}", subject.with_verb(f"{going} {infinitive}")),
            (f"used to {base}", phrase.simple("imperfect", subject)),
            (f"{have} already {done}", phrase.compound("present", subject, adverb="déjà")),
            (f"{have} never {done}", phrase.compound("present", subject, negative="jamais")),
            (f"{have} just {done}", subject.with_verb(f"{come} {before('de', infinitive)}")),
            (f"{does} {base}", phrase.simple("present", subject, negative="pas")),
            (f"{WAS[subject.person]} {ing}", phrase.simple("imperfect", subject)),
            (f"had already {done}", phrase.compound("imperfect", subject, adverb="déjà")),
        ]
        english, french = random.choice(forms)
        return Pair(f"{subject.english} {english}.", f"{french}.")

    def _modal(self, subject: VerbSubject, phrase: VerbPhrase, random: Random) -> Pair:
        third, plain = subject.person == 2, phrase.english("base", subject)
        past = phrase.english("participle", subject)
        must, can, want = (verb(name) for name in ("devoir", "pouvoir", "vouloir"))
        person, infinitive = subject.person, phrase.infinitive(subject)
        have = AVOIR["conditional"][person]
        forms = [
            (f"must {plain}", must.present[person]),
            (f"{'has' if third else 'have'} to {plain}", must.present[person]),
            (f"should {plain}", must.simple("conditional", person)),
            (f"can {plain}", can.present[person]),
            (f"could {plain}", can.simple("conditional", person)),
            (f"{'wants' if third else 'want'} to {plain}", want.present[person]),
            (f"would like to {plain}", verb("aimer").simple("conditional", person)),
            (f"could have {past}", f"{have} pu"),
            (f"should have {past}", f"{have} dû"),
        ]
        english, french = random.choice(forms)
        return Pair(f"{subject.english} {english}.", f"{subject.with_verb(f'{french} {infinitive}')}.")

    def _question(self, subject: VerbSubject, phrase: VerbPhrase, random: Random) -> Pair:
        base = phrase.english("base", subject)
        asked, asks = random.choice((("", ""), ("why ", "pourquoi "), ("when ", "quand "), ("where ", "où ")))
        does = "does" if subject.person == 2 else "do"
        helper, said = random.choice(
            (
                ("did", phrase.compound("present", subject)),
                (does, phrase.simple("present", subject)),
                ("will", phrase.simple("future", subject)),
            )
        )
        return Pair(f"{asked}{helper} {subject.english} {base}?", f"{asks}{before('est-ce que', said)} ?")

    def _relative(self, random: Random) -> Pair:
        one, other = self._phrases.definite(random), self._phrases.definite(random)
        first, second = self._phrases.phrases(random)
        who = f"{one.english} who {first.english('past', one)}"
        qui = first.compound("present", VerbSubject("", f"{one.french} qui", 2, one.female))
        if one == other or random.random() < 0.5:
            then = second.compound("present", VerbSubject("", qui, 2, one.female))
            return Pair(f"{who} {second.english('past', one)}.", f"{then}.")
        nested = second.compound("present", VerbSubject("", f"{other.french} qui", 2, other.female))
        know = random.choice((("I know", "je connais"), ("we met", "nous avons rencontré"), ("I saw", "j'ai vu")))
        if random.random() < 0.5:
            return Pair(f"{know[0]} {who}.", f"{know[1]} {qui}.")
        knows = random.choice((("knows", "connaît"), ("saw", "a vu"), ("married", "a épousé")))
        inner = f"{one.english} who {knows[0]} {other.english} who {second.english('past', other)}"
        return Pair(f"{know[0]} {inner}.", f"{know[1]} {one.french} qui {knows[1]} {nested}.")

    def _told(self, random: Random) -> Pair:
        subject = self._subject_after(random)
        phrase, person = self._phrases.phrase(random), subject.person
        infinitive = before("de", phrase.infinitive(subject))
        told, said = random.choice(
            (("told", "dit"), ("asked", "demandé"), ("advised", "conseillé"), ("allowed", "permis"))
        )
        objects = OBJECT[person]
        on = f"on {objects[0]}'a" if objects in ("me", "te") else f"on {objects} a"
        return Pair(
            f"{subject.english} {WAS[person]} {told} to {phrase.english('base', subject)}.",
            f"{on} {said} {infinitive}.",
        )


def _conditional(condition: tuple[str, str], consequence: tuple[str, str], random: Random) -> Pair:
    """Return the two clauses in either order; *si* elides only before *il* and *ils*."""
    french = condition[1]
    si = f"s'{french}" if french.startswith(("il ", "ils ")) else f"si {french}"
    if random.random() < 0.7:
        return Pair(f"if {condition[0]}, {consequence[0]}.", f"{si}, {consequence[1]}.")
    return Pair(f"{consequence[0]} if {condition[0]}.", f"{consequence[1]} {si}.")
