"""Query parameters: every parameter that a link of the app may have, with its accepted values.

A link is untrusted text. Values that do not fit are left out before a screen sees them, with the reason; a text that
is too long is cut; unknown names are ignored. A new parameter of a link must be added here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qs, urlencode

from pydantic import Field

from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.values import reader

LONGEST_QUERY = 2**18  # characters of a link's query
LONGEST_CHANGE = 200_000  # characters of the changes in a link: enough for every weight of a long translation
MOST_PARAMETERS = 300
FARTHEST = 10**9  # no number in a link is farther from 0; a screen clamps a step, layer or head to what it shows
LEFT_OUT = "left_out"  # tells the page what was left out; no link can contain it

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # control characters and lone surrogates


@dataclass(frozen=True)
class Accepted:
    """The accepted values of a parameter. `rule` is for a person to read; of repeated values the last `most` count."""

    kind: Any
    rule: str
    longest: int = 100  # characters of each value
    cut: bool = False  # a longer one is cut instead of left out
    most: int = 1
    named: bool = False  # must be one of several names; an empty value counts as missing

    def fit(self, text: str) -> str:
        """Return the value as a screen may read it. Raises InputError if it does not fit."""
        if len(text) > self.longest and not self.cut:
            raise InputError(self.rule)
        read = reader(self.kind).validate_python(_printable(text[: self.longest]))  # pydantic's error is a ValueError
        return str(read) if isinstance(read, str | int) and not isinstance(read, bool) else text


def text(longest: int) -> Accepted:
    rule = f"has more than {longest:,} characters; the rest was left out"
    return Accepted(str, rule, longest, cut=True)


def label(longest: int = 300, most: int = 1) -> Accepted:
    """Return the rule for names that only a screen can check, such as a model, a word or a button.

    If several may be given, an empty value is allowed too.
    """
    rule = f"has more than {longest} characters and was left out"
    return Accepted(str, rule, longest, most=most, named=most == 1)


_Whole = Annotated[int, Field(ge=-FARTHEST, le=FARTHEST)]
_Number = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]

WHOLE = Accepted(_Whole, f"must be a whole number up to {FARTHEST:,} and was left out")
NUMBER = Accepted(_Number, f"must be a number up to {FARTHEST:,} and was left out")
COUNT = Accepted(
    Annotated[int, Field(ge=0, le=FARTHEST)], f"must be a whole number from 0 to {FARTHEST:,} and was left out"
)
SHARE = Accepted(
    Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)], "must be a number from 0 to 1 and was left out"
)
SWITCH = Accepted(bool, "must be true or false and was left out")
CODE = Accepted(
    Annotated[str, Field(pattern=r"^[\w.~*!+-]*$")], "is not part of a link of this app and was left out", 8000
)
CHANGE = Accepted(str, "is longer than any change made here and was left out", LONGEST_CHANGE)
SENTENCE = text(SENTENCE_CHARACTERS)

_EMBEDDING = Accepted(str, "has more than 60 characters and was left out", 60, most=10)

PARAMETERS: dict[str, Accepted] = {
    # of every screen
    "sentence": SENTENCE, "given": SENTENCE, "model": label(), "change": CHANGE, "memory": SHARE, "weights": label(),
    "step": WHOLE, "units": label(), "rows": label(), "large": SWITCH, "glosses": SWITCH, "edit": SWITCH,
    "picture": label(), "phase": label(), "number": label(),
    "layer": COUNT, "head": COUNT,  # for a Transformer; its kind of attention is "attention", below
    "token": label(), "embed": _EMBEDDING, "embed_options": _EMBEDDING,
    # Learn
    "chapter": WHOLE, "plan": SWITCH, "answers": label(),
    "instead": SENTENCE, "longer": label(), "named": label(), "moment": label(), "temperature": label(),
    "asked": label(), "calculation": label(), "changed": label(), "even": label(), "output": label(), "wiring": label(),
    # Compare
    "models": label(most=20), "first": label(), "second": label(), "reading": label(),
    # Beam search
    "beam_width": WHOLE, "beam_alpha": NUMBER, "beam_coverage": NUMBER, "expanded": CODE, "node": CODE,
    # Sampling
    "sampling_temperature": NUMBER, "top_k": label(), "nucleus": label(), "samples": WHOLE, "sampling_seed": WHOLE,
    "sample": WHOLE, "draw": label(),
    # attention search
    "word": text(200), "wanted": label(), "penalty": label(),
    # By hand, and the Transformer
    "example": label(), "hand": CODE, "hide": label(), "part": label(),
    "trained_layer": label(), "trained_head": label(), "components": label(), "sequence": text(200),
    "crosshead": label(), "count": WHOLE,
    # Bottleneck
    "attending": label(), "lengths_test": label(), "lengths_search": label(), "clauses": text(1200),
    # is attention an alignment, an explanation?
    "view": label(), "story": label(), "pairs_order": label(), "pair": WHOLE, "marks": text(4000), "seen": SWITCH,
    "read_from": label(), "cross_head": label(), "measured_on": label(),
    "seed": WHOLE,
    # how attention is learned, recorded and live
    "learner": label(), "watched": SENTENCE, "watched_head": label(), "update": label(), "run": label(),
    # imported attention
    "opened_from": label(), "read_as": label(), "counted_from": label(), "written_as": label(),
    # A text
    "text_filter": label(), "text_find": text(200),
    # a class
    "code": label(), "class_kind": label(), "class_step": WHOLE,
    # Glossary and Worksheet
    "term": label(), "find": text(60), "order": label(), "theme": label(), "letters": label(),
    "sheet_version": label(), "sheet_step": WHOLE, "sheet_answers": SWITCH,
}  # fmt: skip

_SETUP = {
    "task": label(), "longest": WHOLE, "attention": label(), "forcing": NUMBER, "numbers": WHOLE, "cell": label(),
    "hidden": label(), "rate": label(), "batch": label(), "most": label(), "run_seed": WHOLE,
}  # fmt: skip
PARAMETERS |= _SETUP | {"other": SWITCH} | {f"other_{name}": accepted for name, accepted in _SETUP.items()}

PATTERNS: dict[str, Accepted] = {  # names that a screen builds from words or an example's name
    r"(?:score|parts)_\w{1,30}|\w{1,30}_[12]": NUMBER,
    r"[a-z-]{1,30}_(?:step|positions|size)|text_axis_\w{1,30}": label(),
    r"[a-z-]{1,30}_seed": WHOLE,
}


class CheckedLink(NamedTuple):
    """The valid part of a link's query, and the parameters that were left out or cut."""

    query: str
    left_out: tuple[str, ...]


def accepted(name: str) -> Accepted | None:
    """Return the rule for a parameter, or None for a name that no screen knows."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    return next((found for pattern, found in PATTERNS.items() if re.fullmatch(pattern, name)), None)


def linked(link: Mapping[str, str], name: str) -> str:
    """Return a link parameter as its screen may read it; "" if it is missing or invalid."""
    known, value = accepted(name), link.get(name, "")
    return next(iter(_fitting(known, [value])), "") if known else ""


def checked(query: str) -> CheckedLink:
    """Read a link's query; one that is too long or has too many parameters counts as empty."""
    if len(query) > LONGEST_QUERY:
        return CheckedLink("", ())
    try:
        values = parse_qs(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        return CheckedLink("", ())
    fitting, left_out = {}, []
    for name, given in values.items():
        if (known := accepted(name)) is None:
            continue
        latest = [value for value in given[-known.most :] if not known.named or _printable(value[: known.longest])]
        fitting[name] = _fitting(known, latest)
        lost = len(fitting[name]) < sum(map(bool, latest))
        if lost or any(len(value) > known.longest for value in latest):
            left_out.append(name)
    same = bool(values) and fitting == values
    return CheckedLink(query if same else urlencode(fitting, doseq=True), tuple(left_out))


def reasons(names: Sequence[str]) -> list[str]:
    """Return in words why each parameter was left out."""
    return [f"“{name}” {known.rule}" for name in dict.fromkeys(names) if (known := accepted(name))]


def _printable(text: str) -> str:
    """Return the text without characters that cannot be written."""
    return _UNSEEN.sub("", text)


def _fitting(known: Accepted, values: Sequence[str]) -> list[str]:
    found = []
    for value in values:
        try:
            found.append(known.fit(value))
        except ValueError:
            continue
    return found
