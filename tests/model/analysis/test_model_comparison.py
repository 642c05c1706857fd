import numpy as np
import pytest

from regard.model.alignment import Alignment, Sentence
from regard.model.analysis.model_comparison import contrast, likeness, pieces
from regard.model.words import END, Span, words


def sentence(text: str, language: str = "fr") -> Sentence:
    """Each word one token, and the end."""
    spans = words(text, language)
    named = (*(text[span.start : span.stop] for span in spans), END)
    characters = (*spans, Span(len(text), len(text)))
    return Sentence(
        text, language, tuple(f" {name}" for name in named[:-1]) + (END,), named, tuple(range(len(named))), characters
    )


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Je t'aime.", "Je t'aime.", []),
        ("Il porte un T-shirt bleu.", "Il porte une chemise bleue.", ["un", "T-shirt", "bleu"]),
        ("Je t'aime.", "Je ne t'aime pas.", []),
        ("oui oui oui", "oui oui", ["oui"]),
        ("le chat a dormi", "Le chat à dormi", ["le", "a"]),  # a capital or an accent makes another word
        ("Bonjour !", "", ["Bonjour", "!"]),
        ("", "Bonjour !", []),
    ],
)
def test_words_are_told_that_the_other_lacks_or_has_less_often(one: str, other: str, told: list[str]) -> None:
    found = pieces(sentence(one), sentence(other))
    assert [piece.text for piece in found if piece.kind == "other"] == told
    assert "".join(piece.text for piece in found) == one


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
