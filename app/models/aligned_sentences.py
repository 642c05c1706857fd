"""Aligned sentences: links drawn by hand, read once, and how far each model's attention agrees with them."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import TypeVar

import streamlit as st

from regard.app.models.models import any_pretrained, pretrained
from regard.app.models.result_cache import remembered
from regard.app.models.transformers import transformer
from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair, read_story
from regard.model.word_alignment.detokenize import join
from regard.model.word_alignment.from_attention import Aligned, aligned
from regard.model.word_alignment.from_heads import HeadAgreements, head_agreements

Measured = TypeVar("Measured")
PIECE = 4  # pairs measured between two updates of the page
_measuring = Lock()


def stories() -> list[str]:
    """Return the folders of hand-aligned stories."""
    return sorted(folder.name for folder in STORIES.iterdir() if folder.is_dir())


@st.cache_resource(max_entries=16, show_spinner=False)
def gold(story: str, languages: tuple[str, str]) -> tuple[GoldPair, ...]:
    """Return all pairs of a story, scored or not. InputError names the line and file that is wrong."""
    folder = STORIES / story
    try:
        return tuple(read_story(folder, languages))
    except OSError as error:
        raise InputError(f"{story} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise InputError(str(error).replace(f"{folder}/", "").replace(str(folder), story)) from error


def hand_aligned(name: str, text: str) -> GoldPair | None:
    """Return the pair of the stories whose source is this text, or None."""
    return _by_text(name).get(text)


@remembered(32)
def _by_text(name: str) -> dict[str, GoldPair]:
    """Return the pairs of all stories by source, the first of equal ones; unreadable stories are skipped."""
    languages = any_pretrained(name).tokenizer.languages
    pairs_by_text: dict[str, GoldPair] = {}
    for story in stories():
        try:
            pairs = gold(story, languages)
        except InputError:
            continue
        for pair in pairs:
            pairs_by_text.setdefault(join(pair.source, languages[0]).text, pair)
    return pairs_by_text


@remembered(32)
def agreements(name: str, story: str, posteriors: bool, _tell: Callable[[float], object]) -> tuple[Aligned, ...]:
    """Measure how far a model's attention agrees with people's links, pair by pair; takes seconds the first time.
    Posteriors take several times as long and are computed only on request. `_tell` receives the share that is done, and
    may stop the work; finished pieces stay cached."""
    return _in_pieces(name, story, partial(_piece, name, story, posteriors), _tell)


@remembered(32)
def agreements_of_heads(name: str, story: str, _tell: Callable[[float], object]) -> tuple[HeadAgreements, ...]:
    """Measure the agreement of every head and mean of a Transformer with people's links."""
    return _in_pieces(name, story, partial(_piece_of_heads, name, story), _tell)


def _in_pieces(
    name: str, story: str, piece: Callable[[int], Sequence[Measured]], tell: Callable[[float], object]
) -> tuple[Measured, ...]:
    found: list[Measured] = []
    pairs = len(gold(story, any_pretrained(name).tokenizer.languages))
    for first in range(0, pairs, PIECE):
        tell(first / pairs)
        found += piece(first)
    return tuple(found)


@remembered(32)
def _piece(name: str, story: str, posteriors: bool, first: int) -> tuple[Aligned, ...]:
    """Measure some pairs of a story; the server handles one piece at a time, so that others are served in between."""
    loaded = pretrained(name)
    with _measuring:
        return tuple(aligned(loaded, gold(story, loaded.tokenizer.languages)[first : first + PIECE], posteriors))


@remembered(32)
def _piece_of_heads(name: str, story: str, first: int) -> tuple[HeadAgreements, ...]:
    loaded = transformer(name)
    with _measuring:
        return tuple(head_agreements(loaded, gold(story, loaded.tokenizer.languages)[first : first + PIECE]))
