import numpy as np
import pytest

from regard.model.alignment import ROWS
from regard.model.checkpoint import Pretrained
from regard.model.translate import force, translate
from regard.model.word_alignment.alignment_error_rate import STORIES, Agreement, GoldPair, read_story
from regard.model.word_alignment.detokenize import join
from regard.model.word_alignment.from_attention import Compared, aligned, of_pair, of_words

HAND = Compared(
    GoldPair("0", "I love you", "Je t' aime", frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (2, 1), (1, 2)})),
    ("I", "love", "you"),
    ("Je", "t'", "aime"),
    np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.5, 0.3, 0.1], [0.1, 0.2, 0.1, 0.6]]),  # aime looks at </s>
)


def test_a_word_proposes_the_word_it_looks_at_most_unless_that_is_the_end() -> None:
    assert HAND.proposed == {(0, 0), (1, 1)}
    assert HAND.silent == [2]


def test_missed_and_wrong_links_are_told_apart() -> None:
    assert HAND.missed == [(2, 1)]
    assert HAND.wrong == [(1, 1)]
    assert HAND.agreement == Agreement(proposed=2, sure=2, proposed_and_sure=1, proposed_and_possible=1)
    assert HAND.agreement.error_rate == pytest.approx(1 - 2 / 4)


def test_the_mass_on_links_is_that_of_linked_words() -> None:
    assert HAND.mass == pytest.approx((0.7 + 0.3 + 0.2) / 3)


@pytest.mark.parametrize("rows", ROWS)
def test_a_pair_is_judged_as_the_evaluation_judges_it(tiny_model: Pretrained, rows: str) -> None:
    languages = tiny_model.tokenizer.languages
    pairs = read_story(STORIES / "LaDerniereClasse_TheLastLesson", languages)[3:8]
    for pair, found in zip(pairs, aligned(tiny_model, pairs), strict=True):
        texts = join(pair.source, languages[0]).text, join(pair.target, languages[1]).text
        compared = of_pair(pair, force(tiny_model, [texts])[0].alignment, languages, rows)
        reading = found.output if rows == "output" else found.input
        assert compared.agreement == reading.agreement
        assert compared.mass == reading.mass.shares()["mass_on_possible"]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("stop", ["forced", "limit"])
def test_between_a_sentence_and_its_translation_the_links_are_those_of_the_alignment(
    tiny_model: Pretrained, rows: str, stop: str
) -> None:
    pair = ("I love the red car.", "J'aime la voiture rouge.")
    trace = force(tiny_model, [pair])[0] if stop == "forced" else translate(tiny_model, [pair[0]])[0]
    assert trace.stop == stop  # a random model goes on to the limit
    compared = of_words(frozenset({(0, 0)}), frozenset(), trace.alignment, rows)
    assert compared.proposed == set(trace.alignment.links(rows))
    assert compared.weights.shape == (trace.alignment.target.spoken, trace.alignment.source.spoken + 1)
    assert compared.gold.sure <= compared.gold.possible
