"""Text: why a model prefers its own translation, and the result of a search for attention that would change a word.

Sentences that name tokens are HTML.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from math import exp
from types import MappingProxyType
from typing import NamedTuple

from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.attention_search import LOWEST, OWN, best_name, first_place, share
from regard.app.theme import component, percent
from regard.app.wording import listed, out_of_ten, quoted
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch, Outcome
from regard.model.analysis.model_preference import FirstDifference, Preference
from regard.model.arithmetic.quantity import source_text
from regard.model.config import AnyConfig, Config
from regard.model.doubt.chance import Doubt
from regard.model.files import toml_beside
from regard.model.memory.occurrences import RARE, Occurrences
from regard.model.trace import AnyTrace

COUNTED = 4  # words whose counts are given
MANY = 1000  # ratios of probabilities above this are not given exactly
SMALL = 0.001  # a probability that percent with one decimal would round to 0
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
TOLD = toml_beside(__file__, "text.toml")
DASH = "–"


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
        instead = "other weights" if found.own.maker.score == "none" else "different attention"
        rows += [
            Evidence("Where do they part?", _parts(found.parting), "translate", sentence | step),
            Evidence("Would another search find yours?", _searched(found), "beam", sentence | {"beam_width": "10"}),
            Evidence("What would have tipped it?", _tipped(found.parting), "translate", mine | step),
            Evidence(f"Would {instead} have tipped it?", _attention(found.own, found.parting)),
        ]
    rows.append(Evidence("Are the words known?", _known(found, counted), "translate", sentence | {"units": "tokens"}))
    if doubt:
        flagged = f"In the model's {_flags(found.own, doubt)}; in yours {_flags(found.other, doubt)}."
        rows.append(Evidence("Is everything said, and once?", flagged, "translate", mine))
    return rows


def conclusion(found: Preference, counted: Occurrences | None = None) -> str:
    """Return the conclusion from the evidence, one sentence of HTML."""
    if found.parting is None:
        return SAME if found.own.target_ids.tolist() == found.other.target_ids.tolist() else AT_THE_LIMIT
    parting, times = found.parting, _ratio(abs(found.gap))
    own, other = _quoted(parting.own), _quoted(parting.other)
    if found.search_error:
        width = next((beam.width for beam in found.beams if beam.place == 1), 0)
        search = f"a beam of {width} writes yours" if width else "none of the beams tried writes yours either"
        return (
            f"A search error: the model itself finds yours {times} likelier, but greedy decoding took {own} "
            f"({_share(parting.own_probability)}) over {other} ({_share(parting.other_probability)}) at step "
            f"{parting.step + 1} and could not go back; {search}."
        )
    return f"The search is not to blame: the model finds its own {times} likelier. {_reason(found, parting, counted)}"


def _reason(found: Preference, parting: FirstDifference, counted: Occurrences | None) -> str:
    other = _quoted(parting.other)
    tips = [_tip(tip.kind, tip.text) for tip in parting.tips if tip.first]
    if tips:
        return f"At step {parting.step + 1} it would write {other} {' or '.join(tips)}."
    if parting.search.first:
        return f"At step {parting.step + 1} it would write {other} {_elsewhere(found.own, parting)}."
    if found.in_pieces:
        named = listed([escape(quoted(word)) for word in dict.fromkeys(word for word, _ in found.in_pieces)][:3])
        return f"Nothing tried changed its choice. It reads {named} in many pieces; whether that is why was not tested."
    rare = [f"“{escape(word)}” {_count(times)}" for word, times in _word_counts(found, counted) if times < RARE]
    if not rare:
        return UNKNOWN
    return f"Nothing tried changed its choice. Its text has {' and '.join(rare)}; whether that is why was not tested."


def _elsewhere(own: AnyTrace, parting: FirstDifference) -> str:
    """Say where the model would have to look, and what it does by itself."""
    wanted, weights = parting.search.best.weights, own.weights[parting.step]
    looked = int(wanted.argmax())
    its, needed = percent(float(weights[looked])), percent(float(wanted[looked]))
    if own.maker.score == "none":
        return f"{_mostly(own, wanted)} in place of its own {its}"
    if looked != int(weights.argmax()):
        return f"if it looked most at {_looked_at(own, looked)}, which it does not by itself"
    return f"if it looked at {_looked_at(own, looked)} with {needed} in place of its own {its}"


def _mostly(own: AnyTrace, weights: Float[ndarray, "S"]) -> str:
    """Name the greatest weight; a model without attention looks at nothing, but its context has shares too."""
    share, looked = percent(float(weights.max())), _looked_at(own, int(weights.argmax()))
    return f"with a context that is {share} {looked}" if own.maker.score == "none" else f"with {share} at {looked}"


def _likely(found: Preference, doubt: Doubt | None) -> str:
    own, other = (
        f"log-probability {component(trace.log_probability)} (probability per token {_share(trace.mean_probability)})"
        for trace in (found.own, found.other)
    )
    likelier = f"{'yours' if found.gap > 0 else 'its own'} is {_ratio(abs(found.gap))} likelier"
    if found.own.target_ids.tolist() == found.other.target_ids.tolist():
        likelier = "they are the same tokens"
    odds = f" For the model's own, {out_of_ten(doubt.of(found.own))}." if doubt else ""
    return f"The model's has {own}, yours {other}: {likelier}.{odds}"


def _parts(parting: FirstDifference) -> str:
    return (
        f"At step {parting.step + 1} the model writes {_quoted(parting.own)} ({_share(parting.own_probability)}), and "
        f"yours goes on with {_quoted(parting.other)} ({_share(parting.other_probability)})."
    )


def _searched(found: Preference) -> str:
    told = []
    for (place, best), beams in groupby(found.beams, lambda beam: (beam.place, beam.best)):
        beam = f"A beam of {listed([str(beam.width) for beam in beams], 'or')}"
        finds = f"finds it at place {place}" if place else "does not find it"
        stop = "" if best[-1:] in (".", "!", "?") else "."
        told.append(f"{beam} writes it." if place == 1 else f"{beam} {finds} and writes: “{escape(best)}”{stop}")
    return " ".join(told)


def _tipped(parting: FirstDifference) -> str:
    """Return the other token's probability without a change and with each, the greatest first."""
    place = f"At step {parting.step + 1} {_quoted(parting.other)}"
    if not parting.tips:
        return f"{place} had nothing to be tried with."
    tips = sorted(parting.tips, key=lambda tip: -tip.probability)
    told = "; ".join(
        f"{_share(tip.probability)}{', the most of all tokens,' if tip.first else ''} {_tip(tip.kind, tip.text)}"
        for tip in tips
    )
    none = "" if any(tip.first for tip in tips) else f"{NOTHING}. "
    return f"{none}{place} has {_share(parting.other_probability)} without a change. It would have {told}."


def _tip(kind: str, text: str) -> str:
    return f"with “{escape(text)}” hidden" if kind == "hidden" else f"if the source read “{escape(text)}”"


def _attention(own: AnyTrace, parting: FirstDifference) -> str:
    best, other = parting.search.best, _quoted(parting.other)
    if parting.search.first:
        return f"Yes: {_mostly(own, best.weights)} it would write {other}."
    return (
        f"None was found: of the weights tried, {other} reaches {_share(best.wanted.probability)} at most, "
        f"{_mostly(own, best.weights)}. That is no proof that there is none."
    )


def _known(found: Preference, counted: Occurrences | None) -> str:
    split = dict.fromkeys(found.in_pieces)  # a name in both sentences is named once
    pieces = "; ".join(f"“{escape(word)}” is split into {count} pieces" for word, count in split)
    met = ", ".join(f"“{escape(word)}” {_count(times)}" for word, times in _word_counts(found, counted)[:COUNTED])
    return f"{pieces or 'No word here is split into many pieces'}.{IN_TEXT.format(met) if met else ''}"


def _word_counts(found: Preference, counted: Occurrences | None) -> list[tuple[str, int]]:
    """Return the words of the source with their counts in the training text, rarest first."""
    words = dict.fromkeys(found.own.alignment.source.lettered)
    return sorted(((word, counted.word(word)) for word in words), key=lambda pair: pair[1]) if counted else []


def _flags(trace: AnyTrace, doubt: Doubt) -> str:
    words = trace.alignment.source.words
    told = [f"“{escape(words[flag.source])}” seems {flag.kind}" for flag in doubt.flags(trace)]
    spared = [f"“{escape(words[flag.source])}”" for flag in doubt.spared(trace)]
    them = "them" if len(spared) > 1 else "it"
    usual = f"{listed(spared)} would seem left out if the model did not often pass over {them}"
    return "; ".join([", ".join(told) or "nothing is flagged", *([usual] if spared else [])])


def search_conclusions(config: AnyConfig) -> list[str]:
    """Return what a search does and does not show about a model's attention."""
    mixture, alike = TOLD["mixture"], TOLD["heads_alike"]
    reach = mixture.format(TOLD["states"][config.wiring]) if isinstance(config, Config) else alike
    meaning = TOLD["between" if isinstance(config, Config) and config.score == "none" else "left_aside"]
    first, *others = TOLD["conclusions"]
    return [first.format(meaning), *(sentence.format(reach) for sentence in others)]


def verdict(trace: AnyTrace, asked: AttentionSearch) -> str:
    """Say whether the word would be written, and where the model would have to look."""
    word = target(trace, asked.text)
    if asked.own.wanted.rank == 1:
        return f"The model writes {word} here already; the search would have it look {looks(trace, asked.best)}."
    if asked.first:
        return f"The model would write {word} here if it looked {looks(trace, asked.best)}."
    best, above = asked.best, target(trace, asked.best.written)
    return (
        f"No attention was found that makes it write {word} here: the best reaches {share(best.wanted.probability)}, "
        f"rank {best.wanted.rank:,}, and {above} {first_place(asked, best)} with "
        f"{share(best.written_probability)}."
    )


def price(trace: AnyTrace, asked: AttentionSearch) -> str:
    """Say how likely the word becomes, its cost, and the length of the search."""
    before, best = asked.own.wanted, asked.best
    moved = (
        f"With the model's own weights it has {share(before.probability)} (rank {before.rank:,}), with these "
        f"{share(best.wanted.probability)}. To get there, {percent(best.moved)} of the attention moves to other "
        f"tokens, {component(best.cost)} nats from the model's own (KL).{_gains(trace, asked)}"
    )
    searched = f" Searched from {asked.starts} starts, {asked.iterations} iterations each"
    proof = "." if asked.first else "; finding nothing is no proof that there is nothing."
    return moved + _lower_objective(trace, asked) + searched + proof


def _gains(trace: AnyTrace, asked: AttentionSearch) -> str:
    """Name the tokens whose weights grow and shrink most; "" if none does."""
    change = asked.best.weights - asked.own.weights
    if not change.any():
        return ""
    language = escape(trace.alignment.source.language)
    ends = (
        f'“<em lang="{language}">{escape(source_text(trace, place))}</em>” ({percent(asked.own.weights[place])} → '
        f"{percent(asked.best.weights[place])})"
        for place in (int(change.argmax()), int(change.argmin()))
    )
    return " {} gains most and {} loses most.".format(*ends)


def _lower_objective(trace: AnyTrace, asked: AttentionSearch) -> str:
    """Describe weights with a lower objective that do not write the word."""
    if not asked.first or asked.found.wanted.rank == 1:
        return ""
    tried = asked.found
    reason = (
        "The penalty holds the search back: the lowest objective is"
        if tried.wanted.probability < asked.first.wanted.probability
        else "With other weights it is likelier still, but not first: the lowest objective is"
    )
    first = f"{target(trace, tried.written)} {first_place(asked, tried)}"
    return f" {reason} where it has {share(tried.wanted.probability)} and {first}."


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


def spelled(tokens: Sequence[str]) -> str:
    """Explain a word of several tokens, as plain text; "" for a single token."""
    if len(tokens) < 2:
        return ""
    first, *others = (f"“{token_label(token)}”" for token in tokens)
    after = f"the next one, {others[0]}," if len(others) == 1 else f"the others, {' '.join(others)},"
    return (
        f"This takes {len(tokens)} tokens. The search is for the first, {first}, at this step; {after} would be "
        "searched for at the steps that follow."
    )


def compared(asked: AttentionSearch) -> list[dict[str, str]]:
    """Return rows for the model's own weights, the best found, and those with the lowest objective."""
    rows = [(OWN, asked.own), (best_name(asked), asked.best)]
    if asked.first and asked.first.weights.tolist() != asked.found.weights.tolist():
        rows.append((LOWEST, asked.found))
    word = token_label(asked.text)
    return [{"Weights": name} | _row(word, outcome) for name, outcome in rows]


def by_penalty(searches: Sequence[AttentionSearch]) -> list[dict[str, str]]:
    """Return a row per penalty: what has the lowest objective, and if any weights produce the word."""
    return [
        {"Penalty λ": f"{asked.penalty:g}"}
        | _row(token_label(asked.text), asked.found)
        | {"To write it": f"{component(asked.first.cost)} nats" if asked.first else DASH}
        for asked in searches
    ]


def _row(word: str, outcome: Outcome) -> dict[str, str]:
    return {
        f"Probability of “{word}”": share(outcome.wanted.probability),
        "Its rank": f"{outcome.wanted.rank:,}",
        "Would write": token_label(outcome.written),
        "with": share(outcome.written_probability),
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


def _share(probability: float) -> str:
    return percent(probability) if probability >= SMALL else f"under {percent(SMALL)}"


def _looked_at(trace: AnyTrace, position: int) -> str:
    return f"“{escape(source_text(trace, position))}”"


def _quoted(token: str) -> str:
    return f"“{escape(token_label(token))}”"
