"""The settings of the screen Sampling, the list of samples, and one draw in words."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from regard.app.figures.token_sampling import ends, small_percent
from regard.app.theme import component as two_decimals
from regard.app.theme import percent
from regard.app.ui.widgets import ScreenHead, draw_again, seed_field
from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.alignment import token_label
from regard.model.decoding.sampling import Sample
from regard.model.decoding.token_sampling import OFF_K, OFF_P, TEMPERATURES, Draw, SamplingSettings, ShownDraw
from regard.model.trace import AnyTrace

TOP_KS = (1, 2, 3, 5, 10, 20, 40, 100, OFF_K)
NUCLEI = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, OFF_P)
SAMPLES = (1, 12)
TEMPERATURE, TOP_K, NUCLEUS, COUNT, SEED = "sampling_temperature", "top_k", "nucleus", "samples", "sampling_seed"
LINK = "sample"  # counted from 1 in the link
LISTING = "listing"  # key of the list of samples
ABOUT = {
    TEMPERATURE: "Divides every logit: above 1 the distribution gets flatter, below 1 sharper; 1 changes nothing.",
    TOP_K: "Keeps only the k likeliest tokens. With 1, sampling is greedy decoding.",
    NUCLEUS: "Keeps the fewest likeliest tokens that together have at least this share of what top-k leaves.",
    COUNT: "Each sample has its own random numbers.",
    SEED: "The same seed gives the same samples.",
}


PRESETS = {  # temperature, top-k, nucleus
    "careful": (0.7, OFF_K, 0.9),
    "free": (1.0, OFF_K, OFF_P),
    "too free": (1.5, OFF_K, OFF_P),
    "too free, but cut": (1.5, 5, OFF_P),
}
FIRST = PRESETS["too free, but cut"]  # its samples differ visibly


def choose_settings(top: ScreenHead) -> SamplingSettings:
    """Draw the presets beside the sentence and the other widgets in the options; the page's link keeps their values."""

    def field(key: str) -> dict[str, Any]:
        return {"key": key, "bind": "query-params", "help": ABOUT[key]}

    options, (temperature, top_k, top_p) = top.options, FIRST
    now = (
        options.slider("Temperature", *TEMPERATURES, temperature, 0.1, **field(TEMPERATURE)),
        options.select_slider("Top-k", TOP_KS, top_k, lambda k: str(k or "off"), **field(TOP_K)),
        options.select_slider("Nucleus", NUCLEI, top_p, lambda p: "off" if p == OFF_P else f"{p:g}", **field(NUCLEUS)),
    )
    samples = options.slider("Samples", *SAMPLES, SamplingSettings.samples, **field(COUNT))
    with options:
        seed = seed_field("Seed", SEED, ABOUT[SEED])
    st.session_state.preset = next((name for name, preset in PRESETS.items() if preset == now), None)
    with top.row:
        st.segmented_control("Preset", list(PRESETS), key="preset", on_change=_take, label_visibility="collapsed")
        draw_again(SEED)
    return SamplingSettings(*now, samples, seed)


def _take() -> None:
    state = st.session_state
    if state.preset:
        state[TEMPERATURE], state[TOP_K], state[NUCLEUS] = PRESETS[state.preset]


def choose_sample(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace) -> int:
    """List the samples, equal ones once, and return the chosen one: by a click, by the link, or else the first that is
    not greedy."""
    state, link, counts = st.session_state, st.query_params.get(LINK, ""), Counter(each.ids for each in samples)
    firsts = {each.ids: place for place, each in reversed([*enumerate(samples)])}
    if "sample" not in state:
        state.sample = int(link) - 1 if link.isdecimal() and 0 < len(link) < 4 else -1
    if 0 <= state.sample < len(samples):
        chosen = state.sample
        st.query_params[LINK] = str(chosen + 1)
    else:
        chosen = next((place for place, each in enumerate(samples) if each.trace.text != greedy.text), 0)
    state[LISTING] = firsts[samples[chosen].ids]
    places = sorted(firsts.values())
    st.radio(
        "Samples",
        places,
        format_func=lambda place: f"{place + 1} {plain_markdown(samples[place].trace.text) or '—'}",
        captions=[_numbers(samples[place].trace, counts[samples[place].ids]) for place in places],
        key=LISTING,
        label_visibility="collapsed",
        on_change=_open,
    )
    return chosen


def _open() -> None:
    st.session_state.sample, visit().opened = st.session_state[LISTING], ()


def _numbers(trace: AnyTrace, times: int) -> str:
    cut = " · stopped at the limit" if trace.stop == "limit" else ""
    return (
        f"log-probability {two_decimals(trace.log_probability)} · {percent(trace.mean_probability)} per token · "
        f"drawn {times}×{cut}"
    )


def compared(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace) -> str:
    """Return the greedy translation as Markdown, with how many different texts there are and how many match it."""
    texts = Counter(sample.trace.text for sample in samples)
    draws = [drawn for sample in samples for drawn in sample.draws]
    return (
        f"Greedy decoding writes **{plain_markdown(greedy.text) or '—'}** "
        f"({_numbers(greedy, sum(each.ids == tuple(greedy.target_ids.tolist()) for each in samples))}).  \n"
        f"Different texts: {len(texts)} in {len(samples)}; {texts[greedy.text]} of {len(samples)} like the greedy "
        f"translation. Tokens that were not the likeliest of their step: {sum(drawn.place > 0 for drawn in draws)} of "
        f"{len(draws)}."
    )


def choose_draw(sample: Sample[AnyTrace], subject: Any) -> int:
    """Choose the draw to look at, from 0. A new `subject` opens at the first token that was not the likeliest."""
    state, steps = st.session_state, range(len(sample.draws))
    opening = next((step for step, drawn in enumerate(sample.draws) if drawn.place), opening_step(len(steps)) - 1)
    if state.setdefault("draw_subject", subject) != subject:
        state.draw_subject, state.draw = subject, opening

    def named(step: int) -> str:
        token = as_markdown(sample.trace.target[step])
        return f"**{token}**" if sample.draws[step].place else token

    label = "Choose a token to see its draw; tokens in bold were not the likeliest"
    return choose(label, steps, opening, "draw", named)


def step_told(look: ShownDraw, drawn: Draw, settings: SamplingSettings, tokens: int) -> str:
    """Describe one draw, setting by setting, as a Markdown list; `tokens` may be sampled before the cut."""
    first, taken = (f"“{plain_markdown(token_label(look.tokens[place]))}”" for place in (0, look.drawn))
    low, number, high = ends(drawn)
    lines = [
        f"**Temperature {settings.temperature:g}** divides every logit: {first} has {percent(look.heated[0])}; the "
        f"model gave it {percent(look.own[0])}.",
    ]
    if settings.top_k != OFF_K:
        lines.append(f"**Top-k {settings.top_k}** leaves {drawn.within_k:,} of {tokens:,} tokens.")
    if settings.top_p != OFF_P:
        lines.append(f"**Nucleus {settings.top_p:g}** leaves {drawn.left:,} of {drawn.within_k:,} tokens.")
    lines += [
        f"What is left has {percent(drawn.mass)} together. **Divided by that**, {taken} has "
        f"{small_percent(drawn.chance)}; the model gave it {small_percent(drawn.probability)}.",
        f"**The random number {number}** falls between {low} and {high}, where {taken} lies: it is drawn, number "
        f"{drawn.place + 1:,} in order of likelihood.",
    ]
    return "\n".join(f"1. {line}" for line in lines)
