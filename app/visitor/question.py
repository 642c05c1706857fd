"""Question: what a visitor is looking at, as one value that is also the page's link, and the step that it opens at.

Everything in a link is untrusted text: values that do not fit are clamped or dropped, never an error.
`telling_step.toml` has the words that say little on their own.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from regard.model.alignment import READ_AS, ROWS, Sentence
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.trace import AnyTrace
from regard.model.words import normalise

EXAMPLE = "I love you."
LONGEST_CHANGE = 200_000  # characters of the changes in a link: enough for every weight of a long translation
ANY = "any"  # language of what a model reads later, in its own: the width of letters is kept until then
UNITS = ("words", "tokens")
PICTURES = ("", "alignment", "network")  # of a step; "" lets the browser choose by the size of its window
PHASES = ("whole", "read", "ask", "weigh", "mix", "write")  # of a step, in the network's picture

SUBJECT = ("sentence", "given", "model", "memory", "change", "weights")  # of the page: Python writes these parameters


class Look(NamedTuple):
    """The picture of a step on view, and the attention of a Transformer.

    Layers and heads count from 1; layer 0 is the last, head 0 the mean of all heads. A number beyond the model's means
    its last.
    """

    attention: str = "cross"  # one of LOOKED_AT; while the encoder reads, its own
    layer: int = 0
    head: int = 0
    picture: str = PICTURES[0]
    phase: str = PHASES[0]

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "Look":
        layer, head = (max(0, whole(link.get(name)) or 0) for name in ("layer", "head"))
        picture, phase = _known(link.get("picture"), PICTURES), _known(link.get("phase"), PHASES)
        return cls(_known(link.get("attention"), LOOKED_AT), layer, head, picture, phase)


LOOKED_AT = ("cross", "decoder")
EVERYWHERE = Look()
# The view: the browser writes these parameters, without asking the server at each step; with the value that a link
# leaves out, where "" is the step or the picture that the page chooses.
VIEW = {"step": "", "units": UNITS[0], "rows": ROWS[0], "large": "0", "glosses": "0", "edit": "0"}
VIEW |= {name: str(value) for name, value in EVERYWHERE._asdict().items()} | {"number": ""}


class Opening(NamedTuple):
    """The view that a stepper opens with; `step` is 0 for the initial state and −S to −1 for the encoder's reading."""

    step: int
    units: str = UNITS[0]
    rows: str = ROWS[0]
    large: bool = False
    look: Look = EVERYWHERE

    def as_data(self) -> dict[str, object]:
        """Return the settings as the browser takes them, those of the look beside the others."""
        settings = self._asdict()
        return settings | settings.pop("look")._asdict()


@dataclass(frozen=True)
class Question:
    """A sentence, the translation a person wrote for it ("" lets the model write), and the view of them.

    `step` counts from 1; 0 is the decoder's initial state, −S to −1 the encoder's reading, None the step that the page
    chooses to open with.
    """

    sentence: str = EXAMPLE
    given: str = ""
    model: str = ""
    memory: float = 0.0  # the memory's share in each next token, of a model that has one
    step: int | None = None
    units: str = UNITS[0]
    rows: str = ROWS[0]  # one of READ_AS
    large: bool = False
    look: Look = EVERYWHERE

    @classmethod
    def from_link(cls, link: Mapping[str, str], models: Sequence[str]) -> "Question":
        """Read a link's parameters; `models` are those on offer, the default first."""
        return cls(
            sentence=normalise(link.get("sentence", EXAMPLE)[:SENTENCE_CHARACTERS], ANY),
            given=normalise(link.get("given", "")[:SENTENCE_CHARACTERS], ANY),
            model=_known(link.get("model"), models),
            memory=_share(link.get("memory")),
            step=whole(link.get("step")),
            units=_known(link.get("units"), UNITS),
            rows=_known(link.get("rows"), READ_AS),
            large=link.get("large") == "1",
            look=Look.from_link(link),
        )

    def to_link(self) -> dict[str, str]:
        """Return parameters that restore this question; except for the sentence, values of a first visit are
        left out.
        """
        values = {
            "given": self.given,
            "model": self.model,
            "memory": f"{self.memory:g}" if self.memory else "",
            "step": "" if self.step is None else str(self.step),
            "units": self.units,
            "rows": self.rows,
            "large": str(int(self.large)),
            **{name: str(value) for name, value in self.look._asdict().items()},
        }
        changed = {name: value for name, value in values.items() if value != VIEW.get(name, "")}
        return {"sentence": self.sentence} | changed

    def opening(self, step: int, rows: str) -> Opening:
        """Return the view at this step with these rows."""
        return Opening(step, self.units, rows, self.large, self.look)

    def ask(self, sentence: str, given: str = "") -> "Question":
        """Return the question about another sentence, looked at in the same way from the page's opening step."""
        sentence, given = (normalise(text[:SENTENCE_CHARACTERS], ANY) for text in (sentence, given))
        return replace(self, sentence=sentence, given=given, step=None)


def opening_step(steps: int) -> int:
    """Return the middle step, with something to see on both sides: where a view opens without a telling step."""
    return (steps + 1) // 2


def _known(value: str | None, choices: Sequence[str]) -> str:
    return value if value is not None and value in choices else choices[0]


def whole(value: str | None) -> int | None:
    """Return the whole number that a parameter of a link writes, or None."""
    return int(value) if value and re.fullmatch(r"-?\d{1,9}", value, re.ASCII) else None


def _share(value: str | None) -> float:
    """Return a share from 0 to 1 in two digits: otherwise every digit would be computed and kept."""
    return round(float(value), 2) if value and re.fullmatch(r"0?\.\d{1,9}|[01](\.0*)?", value, re.ASCII) else 0.0


def linked_changes(link: Mapping[str, str]) -> Intervention:
    """Read a person's changes from a link. They are tried on the sentence later; invalid or overlong ones change
    nothing."""
    value = link.get("change", "{}")
    try:
        return Intervention.from_json(value) if len(value) <= LONGEST_CHANGE else UNTOUCHED
    except InputError:
        return UNTOUCHED


TABLES: dict[str, Any] = toml_beside(__file__, "telling_step.toml")
FUNCTION_WORDS = {language: frozenset(words.split()) for language, words in TABLES["function_words"].items()}
WHOLE = 3  # the rank of a whole word, at least
_LETTERS = re.compile(r"[^\W\d_]")


def telling_step(trace: AnyTrace) -> int:
    """Return the step at which a translation opens, from 1: one with something to see.

    The twin of `tellingStep` in app/export/engine/trace.js.
    It writes a whole content word and looks at one. Among such steps, one that is out of order comes first (its source
    token stands to the right of a later one's), then the one whose second choice was likeliest. A translation without
    such a step opens at its most telling other one; an example, at the word that it is about.
    """
    alignment = trace.alignment
    source, target = map(_ranks, (alignment.source, alignment.target))
    looked = trace.weights.argmax(1)
    worth = [_worth(written, source[position]) for written, position in zip(target, looked, strict=True)]
    best = [step for step, value in enumerate(worth) if value == max(worth)]
    crossing = [step for step in best if any(looked[later] < looked[step] for later in best if later > step)]
    about = TABLES["about"].get(alignment.source.text)
    named = [step for step in range(len(looked)) if alignment.target.tokens[step].strip() == about]
    return max(named or crossing or best, key=lambda step: trace.top_probabilities[step, 1]) + 1


def _worth(written: int, looked_at: int) -> tuple[bool, int, int]:
    """Return how much there is to see at a step, by the ranks of its two tokens."""
    return written >= WHOLE and looked_at > 0, min(written, looked_at), written


def _ranks(sentence: Sentence) -> list[int]:
    """Return how telling each token is: 4 for a whole content word, 3 for another whole word, 2 for the first piece of
    a word, 1 for a later one, 0 for a mark or the end of the sentence."""
    little = FUNCTION_WORDS.get(sentence.language, frozenset())
    ranks = []
    for position, word in enumerate(sentence.word_of):
        text = sentence.words[word]
        if word >= sentence.spoken or not _LETTERS.search(text):
            ranks.append(0)
        elif sentence.word_of.count(word) > 1:
            ranks.append(2 if position == sentence.word_of.index(word) else 1)
        else:
            ranks.append(WHOLE if text.casefold() in little else 4)
    return ranks
