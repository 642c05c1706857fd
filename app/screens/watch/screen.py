"""Watch it learn: a small network is trained here and now, in front of its visitor."""

import streamlit as st

from regard.app.screens.watch.inputs import OF_ONES_OWN, choose, preset_of
from regard.app.screens.watch.run import watch
from regard.app.screens.watch.shipped import sweep
from regard.app.ui.definitions import definitions
from regard.app.ui.widgets import heading
from regard.app.visitor.sentence_input import begin

begin("watch")
heading(
    "Watch it learn",
    "A small network learns to reverse, copy, sort or shift numbers, here and now. Watch where its attention learns to "
    "look.",
)
setups = choose()
preset = preset_of(setups)
with st.container(key="practice-why"):
    st.markdown(preset.why if preset else OF_ONES_OWN)
watch(setups)
definitions("teacher_forcing", "exposure_bias", "bottleneck", "update", "loss", "exact_match", "held_out", "weight")
st.html("<h2>Measured on the models that come with the program</h2>")
sweep()
