"""Watch it learn: a small network is trained here and now, in front of its visitor."""

import streamlit as st

from regard.app.screens.watch.inputs import OF_ONES_OWN, choose, preset_of
from regard.app.screens.watch.run import watch
from regard.app.screens.watch.shipped import sweep
from regard.app.ui.definitions import definitions
from regard.app.ui.head import head
from regard.app.visitor.sentence_input import begin

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
with st.expander("Measured on the models that come with the program", key="sweep", on_change="rerun") as measured:
    if measured.open:
        sweep()
