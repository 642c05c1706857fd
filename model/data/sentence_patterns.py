"""Sentence patterns: grammar that is rare in short everyday text, built from `verb_phrases`.

They are conditionals of three kinds, clauses with before, after, while and without, tenses and modal verbs, nested
relative clauses, and verbs such as *told* and *gave*.
"""

from collections.abc import Callable
from random import Random

from regard.model.data.corpus import Pair
from regard.model.data.french_verbs import AVOIR, before, verb
from regard.model.data.verb_phrases import BE, HAVE, WAS, VerbPhrase, VerbPhrases, VerbSubject

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
