"""The settings of the screen Sampling: presets, and a widget for each, with room for a line under it.

Below the samples, the choice of the sample and of the draw to open.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.model.decoding.sampling import Sample
from regard.model.decoding.token_sampling import OFF_K, OFF_P, TEMPERATURES, SamplingSettings
from regard.model.trace import AnyTrace

TOP_KS = (1, 2, 3, 5, 10, 20, 40, 100, OFF_K)
NUCLEI = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, OFF_P)
SAMPLES = (1, 12)
SEEDS = 9999  # the greatest on screen
TEMPERATURE, TOP_K, NUCLEUS, COUNT, SEED = "sampling_temperature", "top_k", "nucleus", "samples", "sampling_seed"
LINK = "sample"  # counted from 1 in the link


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


def choose_settings() -> tuple[SamplingSettings, Room]:
    """Draw the widgets side by side; the page's link keeps their values."""
    row = st.container(horizontal=True, vertical_alignment="center", key="presets")
    columns = st.columns(len(Room._fields), gap="medium")
    first, second, third, fourth, fifth = columns
    low, high = TEMPERATURES
    temperature = first.slider("Temperature", low, high, FIRST.temperature, 0.1, key=TEMPERATURE, bind="query-params")
    top_k = second.select_slider("Top-k", TOP_KS, FIRST.top_k, format_func=_or_off, key=TOP_K, bind="query-params")
    top_p = third.select_slider("Nucleus", NUCLEI, FIRST.top_p, format_func=_below_1, key=NUCLEUS, bind="query-params")
    samples = fourth.slider("Samples", *SAMPLES, SamplingSettings.samples, key=COUNT, bind="query-params")
    seed = fifth.number_input("Seed", 0, SEEDS, step=1, key=SEED, bind="query-params")
    with row:
        _preset(Reshaping(temperature, top_k, top_p))
        st.button("Draw again", icon=":material/casino:", on_click=_draw_again)
    room = Room(*(column.container(key=f"live-{name}") for column, name in zip(columns, Room._fields, strict=True)))
    return SamplingSettings(temperature, top_k, top_p, samples, seed), room


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
