"""Aligned sentences: what people linked by hand, read once, and how far each model's attention agrees with it."""

import streamlit as st

from app.models.models import pretrained
from app.models.result_cache import remembered
from model.input_error import InputError
from model.word_alignment.alignment_error_rate import STORIES, GoldPair, read_story
from model.word_alignment.detokenize import join
from model.word_alignment.from_attention import Aligned, aligned


def stories() -> list[str]:
    """Folders of hand-aligned stories."""
    return sorted(folder.name for folder in STORIES.iterdir() if folder.is_dir())


@st.cache_resource(max_entries=16, show_spinner=False)
def gold(story: str, languages: tuple[str, str]) -> tuple[GoldPair, ...]:
    """The pairs of a story, those that do not count among them; InputError says which line of which file is wrong."""
    return tuple(read_story(STORIES / story, languages))


def hand_aligned(name: str, text: str) -> GoldPair | None:
    """The pair of the stories whose source is this text, if there is one."""
    return _by_text(pretrained(name).tokenizer.languages).get(text)


@st.cache_resource(max_entries=4, show_spinner=False)
def _by_text(languages: tuple[str, str]) -> dict[str, GoldPair]:
    """The pairs of all stories by their sources, the first of equal ones; stories that cannot be read are passed by."""
    pairs_by_text: dict[str, GoldPair] = {}
    for story in stories():
        try:
            pairs = gold(story, languages)
        except (InputError, OSError):
            continue
        for pair in pairs:
            pairs_by_text.setdefault(join(pair.source, languages[0]).text, pair)
    return pairs_by_text


@remembered(32)
def agreements(name: str, story: str, posteriors: bool) -> tuple[Aligned, ...]:
    """How far a model's attention agrees with people's links, pair by pair; seconds of forced decoding at first.

    Its posteriors are several times as much work, and are asked for by those alone who read by them.
    """
    loaded = pretrained(name)
    return tuple(aligned(loaded, gold(story, loaded.tokenizer.languages), posteriors))
