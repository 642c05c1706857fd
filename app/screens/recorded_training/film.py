"""Training as a film: a slider over the recorded moments, and the model's attention and output at each."""

import time
from dataclasses import dataclass
from functools import partial
from html import escape
from math import exp

import streamlit as st

from regard.app.figures.heatmap import heatmap
from regard.app.figures.training import curves, sharpening
from regard.app.models.models import any_pretrained, attends, history, title
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.wording import plain_markdown
from regard.model.input_error import InputError
from regard.model.training.snapshots import Snapshots

PACE = 1.5  # seconds that a moment stays while the film plays
LOOK_FOR = (
    "**What to look for:** at first every row spreads its weight over the whole sentence. Where do the rows settle, "
    "do they stay there, and is the translation right before that or only after? A sharp row need not be a right one."
)
NO_ATTENTION = (
    "**What to look for:** this model has no attention. Every row has the same two weights at every moment; only the "
    "translation and the losses change."
)


@dataclass
class Film:
    """The film on view, and whether it plays."""

    about: tuple[str, int] = ("", 0)  # the model, and the place of the sentence among those watched
    playing: bool = False
    since: float = 0.0  # when its moment was shown, by the monotonic clock
    moment: int | None = None  # the update that the server turned to last
    earlier: int | None = None  # and the one that was on view then


def shown() -> Film:
    """Return the film of this visit, the same object until another is chosen."""
    return st.session_state.setdefault("film", Film())


def watch(name: str, watched: Snapshots, index: int) -> None:
    """Show the film of one sentence; while it plays, the server moves the slider."""
    if shown().about != (name, index):
        st.session_state.film = Film((name, index))
    timed = shown().playing
    st.fragment(film, run_every=PACE if timed else None)(name, watched, index, timed)


def film(name: str, watched: Snapshots, index: int, timed: bool) -> None:
    """Show one moment, and the controls that choose it. `timed` says whether a clock is playing it."""
    updates = [moment.update for moment in watched.moments]
    if timed and shown().playing:
        _play_on(updates)
    if timed != shown().playing:
        st.rerun()  # rerun the whole page, to start or stop the clock
    moment = choose_moment(updates)
    losses, entropies = watched.losses(index), watched.entropies(index)
    st.html(moment_text(watched, index, moment, any_pretrained(name).tokenizer.languages))
    about = f"“{watched.pairs[index].source}” · model {title(name)}"
    left, right = st.columns([3, 2], gap="large")
    with left:
        try:
            alignment = watched.alignment(index, moment, any_pretrained(name).tokenizer)
        except InputError as error:
            st.error(plain_markdown(f"The model's tokenizer is not the one its snapshots were taken with: {error}"))
            return
        st.html(f'<p class="about">Weights after update {updates[moment]:,}, in percent</p>')
        plot(
            heatmap(alignment, "words", "output"), "moment", f"Attention matrix after update {updates[moment]:,}", about
        )
    with right:
        st.html(f'<p class="about">Losses, and how spread out the weights were, by update{logged(name, updates)}</p>')
        alt = "Losses and the entropy of attention by update, the chosen moment marked"
        plot(curves(history(name), updates, losses, entropies, moment), "learning", alt, about)
    st.html(likely_text(watched, index, moment, any_pretrained(name).tokenizer.languages[1]))
    st.markdown(f"{LOOK_FOR} {sharpening(updates, entropies)}" if attends(name) else NO_ATTENTION)


def logged(name: str, updates: list[int]) -> str:
    """Return since when the training's own losses are known, if only for its last part."""
    began = next((row["update"] for row in history(name)), 0.0)
    return f"; training and validation loss are known from update {began:,.0f} on" if began > updates[-1] / 2 else ""


def choose_moment(updates: list[int]) -> int:
    """Draw the slider and its buttons; return the index of the chosen update."""
    state, last = st.session_state, len(updates) - 1
    middle = updates[len(updates) // 2]  # the part of training where attention changes
    if state.get("update") not in (None, *updates):
        state["update"] = middle  # a moment of another model
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="film-controls"):
        chosen = st.select_slider(
            "After update",
            updates,
            middle,
            "{:,}".format,
            key="update",
            bind="query-params",
            on_change=_moved,
            label_visibility="collapsed",
        )
        place = updates.index(chosen if chosen in updates else middle)
        st.button("Back", on_click=_go, args=(updates[max(0, place - 1)],), icon=":material/chevron_left:")
        start = updates[0] if place == last else chosen
        label, icon, act = (
            ("Pause", "pause", pause) if shown().playing else ("Play", "play_arrow", partial(_play, start))
        )
        st.button(label, on_click=act, icon=f":material/{icon}:", width=90, key="play")  # one key keeps the focus
        st.button("Next", on_click=_go, args=(updates[min(last, place + 1)],), icon=":material/chevron_right:")
    return place


def moment_text(watched: Snapshots, index: int, moment: int, languages: tuple[str, str]) -> str:
    """Return HTML: what the model wrote on its own at that moment."""
    now, target = watched.moments[moment], escape(languages[1])
    written = "".join(
        f'<p class="{"now" if one is now else "then"}">{escape(one.translations[index]) or "—"}</p>'
        for one in watched.moments
    )
    return (
        f'<div class="moments" role="group" aria-label="Its translation after update {now.update:,}" lang="{target}" '
        f'dir="auto">{written}</div>'
    )


def likely_text(watched: Snapshots, index: int, moment: int, language: str) -> str:
    """Return HTML: how likely the model found the given translation at that moment."""
    pair, now = watched.pairs[index], watched.moments[moment]
    return (
        f'<p class="about">The rows are <span lang="{escape(language)}">“{escape(pair.target)}”</span>, which '
        f"the model was fed. It gave it a log-probability of {component(now.log_probabilities[index])}, a "
        f"probability per token of {percent(exp(-watched.losses(index)[moment]))}.</p>"
    )


def _go(update: int) -> None:
    st.session_state["update"] = update
    pause()


def _play(start: int) -> None:
    _turn_to(start)
    shown().playing = True


def pause() -> None:
    shown().playing = False


def _moved() -> None:
    """Stop at the moment that a person chose. A slow page's clock still sends the moment before the server's own."""
    reel = shown()
    if reel.playing and st.session_state["update"] == reel.earlier:
        st.session_state["update"] = reel.moment
    else:
        pause()


def _turn_to(update: int) -> None:
    reel, state = shown(), st.session_state
    reel.earlier, reel.moment, reel.since = state.get("update"), update, time.monotonic()
    state["update"] = update


def _play_on(updates: list[int]) -> None:
    """Go to the next moment once this one was shown long enough; the last one ends the film."""
    state, now = st.session_state, shown()
    if time.monotonic() - now.since < PACE / 2:
        return
    place = updates.index(state["update"]) if state.get("update") in updates else 0
    following = min(place + 1, len(updates) - 1)
    _turn_to(updates[following])
    now.playing = following < len(updates) - 1
