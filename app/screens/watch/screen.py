"""Watch it learn: a small network is trained here and now, in front of its visitor."""

import streamlit as st

from regard.app.figures import measures
from regard.app.glossary.terms import definitions
from regard.app.models.models import scores
from regard.app.models.registry import model_names
from regard.app.screens.watch.inputs import OF_ONES_OWN, choose, preset_of
from regard.app.screens.watch.run import MODEL, watch
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown, head
from regard.app.visitor.sentence_input import begin

NAMES = {MODEL: "With attention", f"{MODEL}-none": "Without attention"}
UNMEASURED = (
    "Models that practised reversal, with scores by length, are not available; `regard practise --sweep "
    "--out reverse-gru` trains one and measures it."
)


def sweep() -> None:
    """Show a figure of what the models write exactly, by length, and a sentence about where they fail."""
    swept = []
    for name, called in NAMES.items():
        with errors_shown():
            if name in model_names() and (measured := measures.sweep(called, scores(name))):
                swept.append(measured)
    if not swept:
        st.info(UNMEASURED)
        return
    st.markdown(measures.exact_finding(swept))
    alt = "Share of held-out sequences written exactly, by length, a line for each model; trained lengths are shaded"
    plot(measures.exactness(swept), "sweep", alt)


begin("watch")
top = head(
    "How does a network learn where to look?",
    "A small one learns to reverse, copy, sort or shift numbers, here and now.",
    options=True,
)
setups = choose(top)
watch(setups)
preset = preset_of(setups)
st.markdown(preset.why if preset else OF_ONES_OWN)
definitions("teacher_forcing", "exposure_bias", "bottleneck", "update", "loss", "exact_match", "held_out", "weight")
with st.expander("Measured on the models that come with the program", key="sweep", on_change="rerun") as expander:
    if expander.open:
        sweep()
