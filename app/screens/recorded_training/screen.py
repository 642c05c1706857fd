"""A recorded training: attention on one sentence, from the first updates of training to the last."""

import streamlit as st

from regard.app.figures.training import losses
from regard.app.models.models import history, snapshots, title
from regard.app.models.registry import model_names, transforms
from regard.app.screens.recorded_training.film import pause, watch
from regard.app.ui.definitions import definitions
from regard.app.ui.head import head
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown, select
from regard.app.visitor.sentence_input import begin, screen_before
from regard.app.wording import on_its_own
from regard.model.training.snapshots import Snapshots

UNWATCHED = (
    "The attention of this model was not recorded while it learned, and cannot be reconstructed: `regard train` "
    "writes `snapshots.npz` into the model's folder as it makes the weights, and `--watch` "
    "names the sentence pairs."
)

MEAN = "mean of the last layer's heads"


def recorded(names: list[str]) -> dict[str, Snapshots]:
    """Return the snapshots of each model that has any; unreadable ones are reported."""
    snapshots_of = {}
    for name in names:
        with errors_shown():
            kept = snapshots(name)
            if kept and kept.moments and kept.pairs:
                snapshots_of[name] = kept
    return snapshots_of


def choose_model(names: list[str]) -> str:
    """Choose whose training to watch, if there are several."""
    if len(names) < 2:
        return names[0]
    return select("Model", {name: on_its_own(title(name)) for name in names}, names[0], "learner", width=264, bare=True)


def choose_pair(watched: Snapshots) -> int:
    """Choose one of the sentences to watch."""
    sources = [pair.source for pair in watched.pairs]
    chosen = st.selectbox(
        "Sentence",
        sources,
        len(sources) // 2,
        key="watched",
        bind="query-params",
        label_visibility="collapsed",
        width=360,
    )
    return sources.index(chosen) if chosen in sources else 0


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


def unwatched(name: str) -> None:
    """Show the losses of a model without recorded attention."""
    st.info(UNWATCHED)
    if rows := history(name):
        plot(losses(rows), "losses", "Training and validation loss by update")
        definitions("update", "loss")


returned = screen_before() != "recorded_training"
begin("recorded_training")
if returned:
    pause()  # a film may have been playing when the visitor left
everyone = model_names()
watched = recorded(everyone)
top = head("How did it learn where to look?", "Recorded while a model was trained.")
with top.right:
    chosen = choose_model([*watched, *(name for name in everyone if name not in watched)])
with errors_shown():
    if chosen in watched:
        with top.right:
            index = choose_pair(watched[chosen])
            kept = choose_head(chosen, watched[chosen])
        watch(chosen, kept, index)
        definitions("update", "loss", "entropy", "weight", "log_probability")
        st.html(
            '<p class="about">Snapshots come from the training run that made the weights of this model. '
            "Each shows the model as it was after that update. The file rounds weights to float16 afterwards, so the "
            "last snapshot is close to the model but need not equal it.</p>"
        )
    else:
        unwatched(chosen)
