"""Watch it learn: a small network is trained here and now, in front of whoever asked for it."""

import streamlit as st

from app.screens.watch.exact_match import sweep
from app.screens.watch.inputs import STYLE, choose
from app.screens.watch.presets import OF_ONES_OWN, preset_of
from app.screens.watch.run import watch
from app.ui.definitions import definitions
from app.ui.heading import heading
from app.visitor.sentence_input import begin

begin("watch")
st.html(STYLE)
heading(
    "Watch it learn",
    "A small network learns to reverse digits, here and now. Watch its attention become the anti-diagonal.",
)
setups = choose()
preset = preset_of(setups)
with st.container(key="practice-why"):
    st.markdown(preset.why if preset else OF_ONES_OWN)
watch(setups)
definitions("teacher_forcing", "exposure_bias", "bottleneck", "update", "loss", "exact_match", "held_out", "weight")
st.html('<h2 class="part">Measured on the models that come with the program</h2>')
sweep()
