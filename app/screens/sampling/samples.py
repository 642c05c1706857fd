"""Samples, drawn once and shared by all visitors who ask for the same."""

import streamlit as st

from app.models.models import pretrained
from model.decoding.sampling import Sample, sample
from model.decoding.token_sampling import SamplingSettings

KEPT = 4  # sets of samples; each sample has the many numbers of a whole trace


@st.cache_resource(max_entries=KEPT, show_spinner="Drawing translations")
def samples(name: str, sentence: str, settings: SamplingSettings) -> tuple[Sample, ...]:
    """Translations drawn by chance, in their order."""
    return tuple(sample(pretrained(name), sentence, settings))
