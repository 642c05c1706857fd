from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.alignment import Alignment, Sentence
from regard.model.analysis.model_comparison import KINDS, Piece, contrast, likeness, pieces
from regard.model.words import END, Span, words


def sentence(text: str, language: str = "fr") -> Sentence:
    """Each word one token, and the end."""
    spans = words(text, language)
    named = (*(text[span.start : span.stop] for span in spans), END)
    characters = (*spans, Span(len(text), len(text)))
    return Sentence(
        text, language, tuple(f" {name}" for name in named[:-1]) + (END,), named, tuple(range(len(named))), characters
    )


def told(one: str, other: str) -> list[tuple[str, str]]:
    """The pieces that are not the same."""
    return [(piece.text, piece.kind) for piece in pieces(sentence(one), sentence(other)) if piece.kind != "same"]


def test_a_sentence_is_like_itself() -> None:
    assert "".join(piece.text for piece in pieces(sentence("Je t'aime."), sentence("Je t'aime."))) == "Je t'aime."
    assert told("Je t'aime.", "Je t'aime.") == []


def test_words_in_place_of_others_are_told() -> None:
    assert told("Il porte un T-shirt bleu.", "Il porte une chemise bleue.") == [("un T-shirt bleu", "other")]


def test_words_that_the_other_one_alone_has_are_told_where_they_are_missing() -> None:
    found = pieces(sentence("Je t'aime."), sentence("Je ne t'aime pas."))
    assert told("Je t'aime.", "Je ne t'aime pas.") == [("ne", "missing"), ("pas", "missing")]
    assert found[0] == Piece("Je", "same")
    assert [piece.kind for piece in found if piece.text in ("t'aime", "pas")] == ["same", "missing"]


def test_a_capital_or_an_accent_is_another_word() -> None:
    assert told("le chat a dormi", "Le chat à dormi") == [("le", "other"), ("a", "other")]


def test_what_has_no_words_lacks_all_of_the_other() -> None:
    assert told("", "Bonjour !") == [("Bonjour !", "missing")]
    assert told("Bonjour !", "") == [("Bonjour !", "other")]


TEXTS = st.lists(st.sampled_from(["le", "chat", "l'eau", "dort", "aujourd'hui", ",", "bleu"]), max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_sentence_and_what_is_missing_is_the_other_ones(one: str, other: str) -> None:
    found = pieces(sentence(one), sentence(other))
    assert "".join(piece.text for piece in found if piece.kind != "missing") == one
    assert {piece.kind for piece in found} <= set(KINDS)
    assert all(piece.text in other for piece in found if piece.kind == "missing")
    assert all((before.kind, after.kind) != ("other", "missing") for before, after in pairwise(found))


def alignment(target: str, *rows: tuple[float, ...]) -> Alignment:
    return Alignment(sentence("blue car", "en"), sentence(target), np.array(rows, np.float32))


def test_weights_are_subtracted_word_by_word() -> None:
    one = alignment("voiture", (0.1, 0.8, 0.1), (0.0, 0.0, 1.0))
    other = alignment("voiture", (0.3, 0.5, 0.2), (0.0, 0.25, 0.75))
    found = contrast(one, other)
    assert np.allclose(found.more, [[-0.2, 0.3, -0.1], [0, -0.25, 0.25]])
    assert found.largest == (0, 1)
    assert (found.rows, found.columns) == (("voiture", END), ("blue", "car", END))
    assert np.array_equal(contrast(other, one).more, -found.more)
    assert np.allclose(found.more.sum(1), 0, atol=1e-6)


def test_other_words_cannot_be_compared() -> None:
    weights = (0.2, 0.3, 0.5)
    with pytest.raises(ValueError, match="target into different words: voiture </s> and auto </s>"):
        contrast(alignment("voiture", weights, weights), alignment("auto", weights, weights))


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("le chat noir", "le chat noir", 1.0),
        ("le chat noir", "le chat", 4 / 5),  # 2 common words among 5
        ("le chat dort", "le chien dort", 4 / 6),
        ("un deux", "deux un", 2 / 4),  # in another order only one of them counts
        ("un deux", "trois quatre", 0.0),
        ("le", "Le", 0.0),
        ("le chat .", "la souris .", 0.0),  # punctuation marks are no words
        ("", "", 1.0),
    ],
)
def test_likeness_is_the_share_of_common_words(one: str, other: str, share: float) -> None:
    assert likeness(sentence(one), sentence(other)) == pytest.approx(share)
