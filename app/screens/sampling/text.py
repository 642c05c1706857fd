"""Text: the effect of the settings, and how one token was sampled, with the numbers of this very run."""

from collections import Counter
from collections.abc import Sequence
from statistics import mean

from regard.app.figures.token_sampling import ends, small_percent
from regard.app.theme import percent
from regard.app.wording import counted, plain_markdown
from regard.model.alignment import token_label
from regard.model.decoding.sampling import Sample
from regard.model.decoding.token_sampling import OFF_K, OFF_P, Draw, SamplingSettings, ShownDraw, seen
from regard.model.trace import AnyTrace


def temperature_told(samples: Sequence[Sample[AnyTrace]], settings: SamplingSettings) -> str:
    """Say how much of the probability the likeliest token has before and after."""
    if settings.temperature == 1:
        return "Divides the logits by 1, which changes nothing."
    looks = [
        seen(sample.trace, step, drawn, settings.temperature)
        for sample in samples
        for step, drawn in enumerate(sample.draws)
    ]
    own, heated = mean(float(look.own[0]) for look in looks), mean(float(look.heated[0]) for look in looks)
    what = "Flattens" if settings.temperature > 1 else "Sharpens"
    return f"{what}: on average the likeliest token has {percent(heated)}; without it, {percent(own)}."


def top_k_told(settings: SamplingSettings, tokens: int) -> str:
    if settings.top_k == OFF_K:
        return f"Off: all {tokens:,} tokens that can be written are left."
    if settings.top_k == 1:
        return f"Keeps only the likeliest of {tokens:,} tokens, which is greedy decoding."
    return f"Keeps the {settings.top_k} likeliest of the {tokens:,} tokens that can be written."


def nucleus_told(samples: Sequence[Sample[AnyTrace]], settings: SamplingSettings) -> str:
    """Say how many tokens the nucleus leaves."""
    if settings.top_p == OFF_P:
        return (
            "Off: the long tail of unlikely tokens stays." if settings.top_k == OFF_K else "Off: nothing more is cut."
        )
    left = [drawn.left for sample in samples for drawn in sample.draws]
    within = "" if settings.top_k == OFF_K else " of what top-k leaves"
    return (
        f"Keeps the fewest that together have at least {percent(settings.top_p)}{within}: {mean(left):,.1f} on "
        f"average, from {min(left):,} to {max(left):,}."
    )


def diversity(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace) -> str:
    """Say how many different texts there are, and how many match the greedy translation."""
    texts = Counter(sample.trace.text for sample in samples)
    draws = [drawn for sample in samples for drawn in sample.draws]
    unlikely = sum(drawn.place > 0 for drawn in draws)
    return (
        f"**{'1 text' if len(texts) == 1 else f'{len(texts)} different texts'}** in {counted(len(samples), 'sample')}; "
        f"{texts[greedy.text]} of {len(samples)} {'reads' if texts[greedy.text] == 1 else 'read'} like the greedy "
        f"translation. Of {counted(len(draws), 'token')} drawn, {unlikely} {'was' if unlikely == 1 else 'were'} not "
        f"the likeliest of {'its step' if unlikely == 1 else 'their steps'}."
    )


def step_told(look: ShownDraw, drawn: Draw, settings: SamplingSettings, tokens: int) -> str:
    """Describe one draw, setting by setting, as a Markdown list."""
    first, taken = (f"“{plain_markdown(token_label(look.tokens[place]))}”" for place in (0, look.drawn))
    low, number, high = ends(drawn)
    moved = f"{first} has {percent(look.heated[0])} in place of {percent(look.own[0])}"
    heated = "changes nothing" if settings.temperature == 1 else f"divides every logit: {moved}"
    return "\n".join(
        [
            f"1. **Temperature {settings.temperature:g}** {heated}.",
            f"1. {_cut(drawn, settings, tokens)}",
            f"1. {_divided(drawn, tokens)} {taken} has {small_percent(drawn.chance)}; the model gave it "
            f"{small_percent(drawn.probability)}.",
            f"1. **The random number {number}** falls between {low} and {high}, where {taken} lies: it is drawn, "
            f"{_rank(drawn.place)}.",
        ]
    )


def _cut(drawn: Draw, settings: SamplingSettings, tokens: int) -> str:
    if settings.top_k == OFF_K and settings.top_p == OFF_P:
        return f"**Nothing is cut**: all {tokens:,} tokens are left."
    parts = []
    if settings.top_k != OFF_K:
        parts.append(f"**Top-k {settings.top_k}** leaves {drawn.within_k:,} of {tokens:,} tokens")
    if settings.top_p != OFF_P:
        parts.append(f"**nucleus {settings.top_p:g}** leaves {drawn.left:,} of {drawn.within_k:,}")
    cuts = ", ".join(parts)
    return f"{cuts[:2]}{cuts[2:3].upper()}{cuts[3:]}."


def _divided(drawn: Draw, tokens: int) -> str:
    if drawn.left == tokens:
        return "**Of the whole**"
    return f"What is left has {percent(drawn.mass)} together. **Divided by that**"


def _rank(place: int) -> str:
    return "the likeliest of all" if place == 0 else f"number {place + 1:,} in order of likelihood"
