"""A recorded training: attention on one sentence, from the first updates of training to the last, as a film."""

import time
from html import escape
from math import exp

import streamlit as st

from regard.app.figures.heatmap import heatmap
from regard.app.figures.measures import curves, losses, sharpening
from regard.app.glossary.terms import definitions
from regard.app.models.models import any_pretrained, attends, history, snapshots, title
from regard.app.models.registry import model_names, transforms
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown, head, select
from regard.app.visitor.sentence_input import begin, screen_before
from regard.app.wording import on_its_own
from regard.model.training.snapshots import Snapshots

PACE = 1.5  # seconds that a moment stays while the film plays
UNWATCHED = (
    "The attention of this model was not recorded while it learned, and cannot be reconstructed: `regard train` "
    "writes `snapshots.npz` into the model's folder as it makes the weights, and `--watch` "
    "names the sentence pairs."
)
MEAN = "mean of the last layer's heads"
LOOK_FOR = (
    "**What to look for:** at first every row spreads its weight over the whole sentence. Where do the rows settle, "
    "do they stay there, and is the translation right before that or only after? A sharp row need not be a right one."
)
NO_ATTENTION = (
    "**What to look for:** this model has no attention. Every row has the same two weights at every moment; only the "
    "translation and the losses change."
)
ABOUT = (
    '<p class="about">Snapshots come from the training run that made the weights of this model. Each shows the model '
    "as it was after that update. The file rounds weights to float16 afterwards, so the last snapshot is close to the "
    "model but need not equal it.</p>"
)


def recorded(names: list[str]) -> dict[str, Snapshots]:
    """Return the snapshots of each model that has any; unreadable ones are reported."""
    snapshots_of = {}
    for name in names:
        with errors_shown():
            kept = snapshots(name)
            if kept and kept.moments and kept.pairs:
                snapshots_of[name] = kept
    return snapshots_of


def choose_head(name: str, watched: Snapshots) -> Snapshots:
    """Choose a head of a Transformer, if heads were recorded; the mean at first."""
    if not watched.headed:
        if transforms(name):
            st.caption(f"For this Transformer, the {MEAN} was recorded, not each head.")
        return watched
    layers, heads = watched.moments[0].heads[0].shape[:2]
    places = {f"layer {layer + 1}, head {head + 1}": (layer, head) for layer in range(layers) for head in range(heads)}
    chosen = select("Cross-attention", [MEAN, *places], MEAN, "watched_head", width=240, bare=True, on_change=pause)
    return watched.of_head(*places[chosen]) if chosen in places else watched


def film(name: str, watched: Snapshots, index: int, timed: bool) -> None:
    """Show one moment, and the controls that choose it. `timed` says whether a clock is playing the film."""
    state, updates = st.session_state, [moment.update for moment in watched.moments]
    if timed and state.film_playing and time.monotonic() - state.film_since > PACE / 2:
        place = updates.index(state["update"]) + 1 if state.get("update") in updates else 0
        turn_to(updates[min(place, len(updates) - 1)], playing=place < len(updates) - 1)
    if timed != state.film_playing:
        st.rerun()  # rerun the whole page, to start or stop the clock
    moment = choose_moment(updates)
    tokenizer = any_pretrained(name).tokenizer
    st.html(moment_text(watched, index, moment, tokenizer.languages[1]))
    about = f"“{watched.pairs[index].source}” · model {title(name)}"
    losses_here, entropies = watched.losses(index), watched.entropies(index)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.html(f'<p class="about">Weights after update {updates[moment]:,}, in percent</p>')
        drawn = heatmap(watched.alignment(index, moment, tokenizer), "words", "output")
        plot(drawn, "moment", f"Attention matrix after update {updates[moment]:,}", about)
    with right:
        st.html('<p class="about">Losses, and how spread out the weights were, by update</p>')
        alt = "Losses and the entropy of attention by update, the chosen moment marked"
        plot(curves(history(name), updates, losses_here, entropies, moment), "learning", alt, about)
    st.html(
        f'<p class="about">The rows are <span lang="{escape(tokenizer.languages[1])}">'
        f"“{escape(watched.pairs[index].target)}”</span>, which the model was fed. It gave it a log-probability of "
        f"{component(watched.moments[moment].log_probabilities[index])}, a probability per token of "
        f"{percent(exp(-losses_here[moment]))}.</p>"
    )
    st.markdown(f"{LOOK_FOR} {sharpening(updates, entropies)}" if attends(name) else NO_ATTENTION)


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
            label_visibility="collapsed",
        )
        place = updates.index(chosen if chosen in updates else middle)
        st.button("Back", on_click=turn_to, args=(updates[max(0, place - 1)],), icon=":material/chevron_left:")
        label, icon, act = ("Pause", "pause", pause) if state.film_playing else ("Play", "play_arrow", turn_to)
        playing = () if state.film_playing else (updates[0] if place == last else chosen, True)
        st.button(label, on_click=act, args=playing, icon=f":material/{icon}:", width=90, key="play")  # keeps the focus
        st.button("Next", on_click=turn_to, args=(updates[min(last, place + 1)],), icon=":material/chevron_right:")
    return place


def moment_text(watched: Snapshots, index: int, moment: int, language: str) -> str:
    """Return HTML: what the model wrote on its own at that moment."""
    now = watched.moments[moment]
    written = "".join(
        f'<p class="{"now" if one is now else "then"}">{escape(one.translations[index]) or "—"}</p>'
        for one in watched.moments
    )
    return (
        f'<div class="moments" role="group" aria-label="Its translation after update {now.update:,}" '
        f'lang="{escape(language)}" dir="auto">{written}</div>'
    )


def turn_to(update: int, playing: bool = False) -> None:
    st.session_state["update"] = update
    st.session_state.film_playing, st.session_state.film_since = playing, time.monotonic()


def pause() -> None:
    st.session_state.film_playing = False


def unwatched(name: str) -> None:
    """Show the losses of a model without recorded attention."""
    st.info(UNWATCHED)
    if rows := history(name):
        plot(losses(rows), "losses", "Training and validation loss by update")
        definitions("update", "loss")


if screen_before() != "recorded_training":
    pause()  # a film may have been playing when the visitor left
begin("recorded_training")
everyone = model_names()
watched = recorded(everyone)
top = head("How did it learn where to look?", "Recorded while a model was trained.")
with top.right:
    names = {name: on_its_own(title(name)) for name in [*watched, *(name for name in everyone if name not in watched)]}
    first = next(iter(names))
    chosen = first
    if len(names) > 1:
        chosen = select("Model", names, first, "learner", width=264, bare=True, on_change=pause)
with errors_shown():
    if chosen in watched:
        with top.right:
            sources = [pair.source for pair in watched[chosen].pairs]
            middle = sources[len(sources) // 2]
            source = select("Sentence", sources, middle, "watched", width=360, bare=True, on_change=pause)
            kept = choose_head(chosen, watched[chosen])
        timed = st.session_state.film_playing
        st.fragment(film, run_every=PACE if timed else None)(chosen, kept, sources.index(source), timed)
        definitions("update", "loss", "entropy", "weight", "log_probability")
        st.html(ABOUT)
    else:
        unwatched(chosen)
