"""Scores: the measures of attention by `regard evaluate`, in the words and rows of a screen.

Each function takes values from a `scores.json` and says when something was never measured.
"""

from collections.abc import Mapping
from typing import Any

from regard.app.theme import component, percent
from regard.app.wording import plain_markdown
from regard.model.evaluation import scores_record

Scores = Mapping[str, Any]
UNMEASURED = "Not measured yet: `regard evaluate` does it."
IMPORTANCE = {"gradient_by_input": "gradient × input", "leave_one_out": "leaving one out"}
KINDS = {"function": "function words", "content": "content words", "word": "words"}  # of words
UNDEFINED = "τ is undefined, as the weights are all alike"
UNSETTLED = "no number settles it; see below what these numbers can show"
NOTHING = "–"


def measured(key: str, scores: Scores) -> str:
    """Return the measurement beside a finding in `published_results.toml`, as Markdown."""
    lines = {"kept": _kept, "tau": _tau, "mass": _mass, "aer": _aer, "meaning": lambda _: [UNSETTLED]}[key](scores)
    return "\n".join(f"- {line}" for line in lines) or UNMEASURED


def sample(scores: Scores) -> str:
    """Say on how much text attention was measured, or ""."""
    measures = scores_record.part(scores, "attention")
    return f"{measures['sentences']:,} held-out sentences, {measures['steps']:,} steps" if measures else ""


def share_kept(scores: Scores, kind: str) -> str:
    """Return the share of words of a kind that stay, and their number; a dash if there are none."""
    return f"{percent(scores[kind]['kept'])} of {scores[kind]['words']:,}" if kind in scores else NOTHING


def tau(value: float | None) -> str:
    """Return Kendall's τ with two decimals, or a dash if it is undefined (None, NaN)."""
    return NOTHING if value is None or value != value else component(value)


def _kept(scores: Scores) -> list[str]:
    exchanged = scores_record.part(scores, "attention").get("counterfactuals", {})
    kinds = dict.fromkeys(kind for counterfactual in exchanged.values() for kind in counterfactual if kind in KINDS)
    return [
        f"{plain_markdown(name)}: {', '.join(f'{share_kept(counterfactual, kind)} {KINDS[kind]}' for kind in kinds)}"
        for name, counterfactual in exchanged.items()
    ]


def _tau(scores: Scores) -> list[str]:
    taus, lines = scores_record.part(scores, "attention").get("tau", {}), []
    for kind, name in IMPORTANCE.items():
        if kind in taus:
            one = taus[kind]
            agree = f"mean τ {tau(one['mean'])}, over {one['steps']:,} steps" if one["steps"] else UNDEFINED
            lines.append(f"attention and {name}: {agree}")
    return lines


def _mass(scores: Scores) -> list[str]:
    shares = scores_record.agreement(scores).get("output", {})
    named = {"mass_on_sure": "sure links", "mass_on_possible": "links of either kind"}
    return [
        f"{percent(shares[share])} on {name}, over the words that have one"
        for share, name in named.items()
        if share in shares
    ]


def _aer(scores: Scores) -> list[str]:
    overall = scores_record.agreement(scores)
    named = {"output": "rows as the word produced", "input": "rows as the word fed in", "diagonal": "the diagonal"}
    return [f"AER {component(overall[rows]['aer'])}, {name}" for rows, name in named.items() if rows in overall]
