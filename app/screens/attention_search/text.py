"""Text: the result of a search for attention, in plain sentences; those that name tokens are HTML."""

from collections.abc import Sequence
from html import escape

from regard.app.figures.attention_search import LOWEST, OWN, best_name, first_place, share
from regard.app.theme import component, percent
from regard.app.wording import listed
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch, Outcome
from regard.model.arithmetic.quantity import source_text
from regard.model.config import AnyConfig, Config
from regard.model.files import toml_beside
from regard.model.trace import AnyTrace

NAMED, LEAST = 3, 0.05  # source tokens that a sentence names, and the least weight for naming one
TOLD = toml_beside(__file__, "text.toml")
NOTHING = "–"


def conclusions(config: AnyConfig) -> list[str]:
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
        f"tokens, {component(best.cost)} nats from the model's own (KL)."
    )
    searched = f" Searched from {asked.starts} starts, {asked.iterations} iterations each"
    proof = "." if asked.first else "; finding nothing is no proof that there is nothing."
    return moved + _others(trace, asked) + searched + proof


def _others(trace: AnyTrace, asked: AttentionSearch) -> str:
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


def by_penalty(searches: "Sequence[AttentionSearch]") -> list[dict[str, str]]:
    """Return a row per penalty: what has the lowest objective, and if any weights produce the word."""
    return [
        {"Penalty λ": f"{asked.penalty:g}"}
        | _row(token_label(asked.text), asked.found)
        | {"To write it": f"{component(asked.first.cost)} nats" if asked.first else NOTHING}
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
