"""Text: why a model prefers its own translation, and the result of a search for attention that would change a word.

Sentences that name tokens are HTML.
"""

from collections.abc import Mapping
from html import escape
from itertools import groupby
from math import exp
from types import MappingProxyType
from typing import NamedTuple

from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.token_sampling import small_percent
from regard.app.theme import component, percent
from regard.app.wording import listed, out_of_ten
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch, Outcome
from regard.model.analysis.model_preference import FirstDifference, Preference
from regard.model.arithmetic.quantity import source_text
from regard.model.doubt.chance import Doubt
from regard.model.files import toml_beside
from regard.model.memory.occurrences import Occurrences
from regard.model.trace import AnyTrace

COUNTED = 4  # words whose counts are given
MANY = 1000  # ratios of probabilities above this are not given exactly
SAME = "You wrote what the model writes."
NOTHING = "No change to the source that was tried would have tipped it"
UNKNOWN = "Nothing tried here would have tipped it, so why it prefers its own is not known."
AT_THE_LIMIT = (
    "The model stopped at the limit of tokens; up to that point it wrote the same as you, so the two never part."
)
IN_TEXT = (
    " The text it was trained on, each pair counted once, has {}; it read the text several times, and variants of it."
)
NAMED, LEAST = 3, 0.05  # source tokens that a sentence names, and the least weight for naming one
OWN, FOUND, NEAREST = "the model's own", "found", "nearest"
TEXTS = toml_beside(__file__, "text.toml")


class Evidence(NamedTuple):
    """A question, its evidence as HTML, and the screen that shows it with the parameters of its link, if one does."""

    question: str
    evidence: str
    screen: str = ""
    link: Mapping[str, str] = MappingProxyType({})


def lines(found: Preference, doubt: Doubt | None, counted: Occurrences | None = None) -> list[Evidence]:
    """Return the evidence, most telling first; `counted` has the counts of words in the training text."""
    sentence = {"sentence": found.own.alignment.source.text}
    mine = sentence | {"given": found.other.text}
    rows = [Evidence("How likely are they?", _likely(found, doubt), "translate", mine)]
    if found.parting:
        step = {"step": str(found.parting.step + 1)}
        parts = (
            f"At step {found.parting.step + 1} the model writes {_quoted(found.parting.own)} "
            f"({small_percent(found.parting.own_probability)}), and yours goes on with {_quoted(found.parting.other)} "
            f"({small_percent(found.parting.other_probability)})."
        )
        instead = "other weights" if found.own.maker.score == "none" else "different attention"
        rows += [
            Evidence("Where do they part?", parts, "translate", sentence | step),
            Evidence("Would another search find yours?", _searched(found), "beam", sentence | {"beam_width": "10"}),
            Evidence("What would have tipped it?", _tipped(found.parting), "translate", mine | step),
            Evidence(f"Would {instead} have tipped it?", _attention(found.own, found.parting)),
        ]
    rows.append(Evidence("Are the words known?", _known(found, counted), "translate", sentence | {"units": "tokens"}))
    if doubt:
        flagged = f"In the model's translation {_flags(found.own, doubt)}; in yours {_flags(found.other, doubt)}."
        rows.append(Evidence("Is everything said, and once?", flagged, "translate", mine))
    return rows


def conclusion(found: Preference) -> str:
    """Return the conclusion from the evidence, one sentence of HTML."""
    if found.parting is None:
        return SAME if found.own.target_ids.tolist() == found.other.target_ids.tolist() else AT_THE_LIMIT
    parting, times, other = found.parting, _ratio(abs(found.gap)), _quoted(found.parting.other)
    if found.search_error:
        width = next((beam.width for beam in found.beams if beam.place == 1), 0)
        search = f"a beam of {width} writes yours" if width else "none of the beams tried writes yours either"
        return (
            f"A search error: the model itself finds yours {times} likelier, but greedy decoding took "
            f"{_quoted(parting.own)} ({small_percent(parting.own_probability)}) over {other} "
            f"({small_percent(parting.other_probability)}) at step {parting.step + 1} and could not go back; {search}."
        )
    reason = UNKNOWN
    if tips := [_tip(tip.kind, tip.text) for tip in parting.tips if tip.first]:
        reason = f"At step {parting.step + 1} it would write {other} {' or '.join(tips)}."
    elif parting.search.first:
        wanted = parting.search.best.weights
        its = percent(float(found.own.weights[parting.step][int(wanted.argmax())]))
        weights = _mostly(found.own, wanted)
        reason = f"At step {parting.step + 1} it would write {other} {weights} in place of its own {its}."
    return f"The search is not to blame: the model finds its own {times} likelier. {reason}"


def _mostly(own: AnyTrace, weights: Float[ndarray, "S"]) -> str:
    """Name the greatest weight; a model without attention looks at nothing, but its context has shares too."""
    share, looked = percent(float(weights.max())), f"“{escape(source_text(own, int(weights.argmax())))}”"
    return f"with a context that is {share} {looked}" if own.maker.score == "none" else f"with {share} at {looked}"


def _likely(found: Preference, doubt: Doubt | None) -> str:
    own, other = (
        f"{component(trace.log_probability)} (probability per token {small_percent(trace.mean_probability)})"
        for trace in (found.own, found.other)
    )
    likelier = f"{'yours' if found.gap > 0 else 'its own'} is {_ratio(abs(found.gap))} likelier"
    if found.own.target_ids.tolist() == found.other.target_ids.tolist():
        likelier = "they are the same tokens"
    odds = f" For the model's own, {out_of_ten(doubt.of(found.own))}." if doubt else ""
    return f"The log-probability of the model's translation is {own}, of yours {other}: {likelier}.{odds}"


def _searched(found: Preference) -> str:
    sentences = []
    for (place, best), beams in groupby(found.beams, lambda beam: (beam.place, beam.best)):
        beam = f"A beam of {listed([str(beam.width) for beam in beams], 'or')}"
        finds = f"finds it at place {place}" if place else "does not find it"
        stop = "" if best[-1:] in (".", "!", "?") else "."
        sentences.append(f"{beam} writes it." if place == 1 else f"{beam} {finds} and writes: “{escape(best)}”{stop}")
    return " ".join(sentences)


def _tipped(parting: FirstDifference) -> str:
    """Return the other token's probability without a change and with each, the greatest first."""
    place = f"At step {parting.step + 1} {_quoted(parting.other)}"
    if not parting.tips:
        return f"{place} had nothing to be tried with."
    tips = sorted(parting.tips, key=lambda tip: -tip.probability)
    listing = "; ".join(
        f"{small_percent(tip.probability)}{', the most of all tokens,' if tip.first else ''} {_tip(tip.kind, tip.text)}"
        for tip in tips
    )
    none = "" if any(tip.first for tip in tips) else f"{NOTHING}. "
    return f"{none}{place} has {small_percent(parting.other_probability)} without a change. It would have {listing}."


def _tip(kind: str, text: str) -> str:
    return f"with “{escape(text)}” hidden" if kind == "hidden" else f"if the source read “{escape(text)}”"


def _attention(own: AnyTrace, parting: FirstDifference) -> str:
    best, other = parting.search.best, _quoted(parting.other)
    if parting.search.first:
        return f"Yes: {_mostly(own, best.weights)} it would write {other}."
    return (
        f"None was found: of the weights tried, {other} reaches {small_percent(best.wanted.probability)} at most, "
        f"{_mostly(own, best.weights)}. That is no proof that there is none."
    )


def _known(found: Preference, counted: Occurrences | None) -> str:
    split = dict.fromkeys(found.in_pieces)  # a name in both sentences is named once
    pieces = "; ".join(f"“{escape(word)}” is split into {count} pieces" for word, count in split)
    words = dict.fromkeys(found.own.alignment.source.lettered)
    rarest = sorted((counted.word(word), word) for word in words) if counted else []
    counts = ", ".join(f"“{escape(word)}” {_count(times)}" for times, word in rarest[:COUNTED])
    return f"{pieces or 'No word here is split into many pieces'}.{IN_TEXT.format(counts) if counts else ''}"


def _flags(trace: AnyTrace, doubt: Doubt) -> str:
    words = trace.alignment.source.words
    flagged = [f"“{escape(words[flag.source])}” seems {flag.kind}" for flag in doubt.flags(trace)]
    return ", ".join(flagged) or "nothing is flagged"


def verdict(trace: AnyTrace, search: AttentionSearch) -> str:
    """Say whether the word would be written, and where the model would have to look."""
    word, best = target(trace, search.text), search.best
    if search.own.wanted.rank == 1:
        return f"The model writes {word} here already; the search would have it look {looks(trace, best)}."
    if search.first:
        return f"The model would write {word} here if it looked {looks(trace, best)}."
    return (
        f"No attention was found that makes it write {word} here: the best reaches "
        f"{small_percent(best.wanted.probability)}, rank {best.wanted.rank:,}, and {target(trace, best.written)} is "
        f"first with {small_percent(best.written_probability)}."
    )


def price(search: AttentionSearch) -> str:
    """Say how likely the word becomes, its cost, and the length of the search."""
    before, best = search.own.wanted, search.best
    proof = "." if search.first else "; finding nothing is no proof that there is nothing."
    return (
        f"With the model's own weights it has {small_percent(before.probability)} (rank {before.rank:,}), with these "
        f"{small_percent(best.wanted.probability)}. To get there, {percent(best.moved)} of the attention moves to "
        f"other tokens, {component(best.cost)} nats from the model's own (KL). Searched from {search.starts} starts, "
        f"{search.iterations} iterations each{proof}"
    )


def looks(trace: AnyTrace, outcome: Outcome) -> str:
    """Describe the weights, such as: 63.0 % at “cat”, 20.1 % at “black” and 16.9 % elsewhere."""
    heaviest = sorted(range(len(outcome.weights)), key=lambda place: -outcome.weights[place])[:NAMED]
    named = [place for place in heaviest if outcome.weights[place] >= LEAST] or heaviest[:1]
    language = escape(trace.alignment.source.language)
    parts = [
        f'{percent(outcome.weights[place])} at “<em lang="{language}">{escape(source_text(trace, place))}</em>”'
        for place in named
    ]
    rest = 1 - sum(float(outcome.weights[place]) for place in named)
    parts += [f"{percent(rest)} elsewhere"] if percent(rest) != percent(0) else []
    return listed(parts)


def best_name(search: AttentionSearch) -> str:
    """Return what the best weights are called: found, or nearest if none makes the model write the token."""
    return FOUND if search.first else NEAREST


def compared(search: AttentionSearch) -> list[dict[str, str]]:
    """Return rows for the model's own weights and the best found."""
    word = token_label(search.text)
    return [{"Weights": name} | _row(word, of) for name, of in ((OWN, search.own), (best_name(search), search.best))]


def shifts(search: AttentionSearch) -> list[dict[str, str]]:
    """Return a row for each of the likeliest tokens, before and after, with their ranks."""
    return [
        {"Token": token_label(shift.text)}
        | {
            name: f"{small_percent(chance.probability)} · #{chance.rank:,}"
            for name, chance in ((OWN, shift.before), (best_name(search), shift.after))
        }
        for shift in search.shifts
    ]


def alone(trace: AnyTrace, search: AttentionSearch) -> list[dict[str, str]]:
    """Return a row for all weight on each source token."""
    word = token_label(search.text)
    return [{"All weight on": source_text(trace, place)} | _row(word, outcome) for place, outcome in search.corners]


def _row(word: str, outcome: Outcome) -> dict[str, str]:
    return {
        f"Probability of “{word}”": small_percent(outcome.wanted.probability),
        "Its rank": f"{outcome.wanted.rank:,}",
        "Would write": token_label(outcome.written),
        "with": small_percent(outcome.written_probability),
        "Cost (KL)": f"{component(outcome.cost)} nats",
        "Attention moved": percent(outcome.moved),
    }


def target(trace: AnyTrace, token: str) -> str:
    """Return a token of the target language, as HTML."""
    return f'<em lang="{escape(trace.alignment.target.language)}">{escape(token_label(token))}</em>'


def _ratio(nats: float) -> str:
    ratio = exp(min(nats, 50))
    return f"{ratio:,.1f} times" if ratio < MANY else f"over {MANY:,} times"


def _count(times: int) -> str:
    return "once" if times == 1 else f"{times:,} times"


def _quoted(token: str) -> str:
    return f"“{escape(token_label(token))}”"
