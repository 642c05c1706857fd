"""The settings of the screen Sampling, their effect in words, and how one token was sampled in this very run."""

from collections import Counter
from collections.abc import Sequence
from statistics import mean
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.figures.token_sampling import ends, small_percent
from regard.app.theme import percent
from regard.app.ui.head import ScreenHead
from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.app.wording import counted, plain_markdown
from regard.model.alignment import token_label
from regard.model.decoding.sampling import Sample
from regard.model.decoding.token_sampling import OFF_K, OFF_P, TEMPERATURES, Draw, SamplingSettings, ShownDraw, seen
from regard.model.trace import AnyTrace

TOP_KS = (1, 2, 3, 5, 10, 20, 40, 100, OFF_K)
NUCLEI = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, OFF_P)
SAMPLES = (1, 12)
SEEDS = 9999  # the greatest on screen
TEMPERATURE, TOP_K, NUCLEUS, COUNT, SEED = "sampling_temperature", "top_k", "nucleus", "samples", "sampling_seed"
LINK = "sample"  # counted from 1 in the link


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


class Reshaping(NamedTuple):
    temperature: float
    top_k: int
    top_p: float


PRESETS = {
    "careful": Reshaping(0.7, OFF_K, 0.9),
    "free": Reshaping(1.0, OFF_K, OFF_P),
    "too free": Reshaping(1.5, OFF_K, OFF_P),
    "too free, but cut": Reshaping(1.5, 5, OFF_P),
}
FIRST = PRESETS["too free, but cut"]  # its samples differ visibly


class Room(NamedTuple):
    """Places under the widgets, for the effect of a setting."""

    temperature: DeltaGenerator
    top_k: DeltaGenerator
    nucleus: DeltaGenerator
    samples: DeltaGenerator
    seed: DeltaGenerator


def choose_settings(top: ScreenHead) -> tuple[SamplingSettings, Room]:
    """Draw the presets beside the sentence and the other widgets in the options; the page's link keeps their values."""
    places = [top.options.container(gap="xxsmall") for _ in Room._fields]
    first, second, third, fourth, fifth = places
    low, high = TEMPERATURES
    temperature = first.slider("Temperature", low, high, FIRST.temperature, 0.1, key=TEMPERATURE, bind="query-params")
    top_k = second.select_slider("Top-k", TOP_KS, FIRST.top_k, format_func=_or_off, key=TOP_K, bind="query-params")
    top_p = third.select_slider("Nucleus", NUCLEI, FIRST.top_p, format_func=_below_1, key=NUCLEUS, bind="query-params")
    samples = fourth.slider("Samples", *SAMPLES, SamplingSettings.samples, key=COUNT, bind="query-params")
    seed = fifth.number_input("Seed", 0, SEEDS, step=1, key=SEED, bind="query-params")
    with top.row:
        _preset(Reshaping(temperature, top_k, top_p))
        st.button("Draw again", icon=":material/casino:", on_click=_draw_again)
    return SamplingSettings(temperature, top_k, top_p, samples, seed), Room(*places)


def _preset(now: Reshaping) -> None:
    """Select the preset that the widgets match, if any."""
    st.session_state.preset = next((name for name, preset in PRESETS.items() if preset == now), None)
    st.segmented_control("Preset", list(PRESETS), key="preset", on_change=_take, label_visibility="collapsed")


def _take() -> None:
    state = st.session_state
    if state.preset:
        state[TEMPERATURE], state[TOP_K], state[NUCLEUS] = PRESETS[state.preset]


def _draw_again() -> None:
    st.session_state[SEED] = (st.session_state[SEED] + 1) % (SEEDS + 1)


def _or_off(top_k: int) -> str:
    return "off" if top_k == OFF_K else str(top_k)


def _below_1(top_p: float) -> str:
    return "off" if top_p == OFF_P else f"{top_p:g}"


def chosen_sample(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace) -> int:
    """Return the chosen sample, from this visit or the link, or else the first that is not greedy."""
    state, link = st.session_state, st.query_params.get(LINK, "")
    if "sample" not in state:
        state.sample = int(link) - 1 if link.isdecimal() and 0 < len(link) < 4 else -1
    if 0 <= state.sample < len(samples):
        if link != str(state.sample + 1):
            st.query_params[LINK] = str(state.sample + 1)
        return state.sample
    others = [index for index, sample in enumerate(samples) if sample.trace.text != greedy.text]
    return others[0] if others else 0


def choose_draw(sample: Sample[AnyTrace], subject: Any) -> int:
    """Choose the draw to look at, from 0. A new `subject` opens at the first token that was not the likeliest."""
    state, steps = st.session_state, range(len(sample.draws))
    surprising = [step for step, drawn in enumerate(sample.draws) if drawn.place]
    opening = surprising[0] if surprising else opening_step(len(steps)) - 1
    if state.setdefault("draw_subject", subject) != subject:
        state.draw_subject, state.draw = subject, opening
    label = "Choose a token to see its draw; tokens in bold were not the likeliest"
    return choose(label, steps, opening, "draw", lambda step: _label(sample, step))


def _label(sample: Sample[AnyTrace], step: int) -> str:
    token = as_markdown(sample.trace.target[step])
    return f"**{token}**" if sample.draws[step].place else token
