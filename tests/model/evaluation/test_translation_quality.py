"""Evaluation's measures, against sacrebleu and against sums done by hand."""

import math
from typing import Any

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.evaluation.translation_quality import by_length, forced, forced_scores, grade, paired_bootstrap
from regard.model.translate import force

PAIRS = (
    Pair("I love you.", "Je t'aime."),
    Pair("The cat sat on the mat.", "Le chat était assis sur le tapis."),
    Pair("Where is the train station?", "Où est la gare ?"),
)


def test_grades_are_those_of_sacrebleu_with_its_signatures() -> None:
    references = [pair.target for pair in PAIRS]
    perfect = grade(references, references, "fr")
    assert perfect["bleu"]["score"] == perfect["chrf"]["score"] == 100
    translations = ["Je t'aime.", "Le chat est assis sur un tapis.", "Où est le train ?"]
    found = grade(translations, references, "fr")
    assert found["bleu"]["score"] == pytest.approx(sacrebleu.corpus_bleu(translations, [references]).score, abs=0.005)
    assert found["chrf"]["score"] == pytest.approx(sacrebleu.corpus_chrf(translations, [references]).score, abs=0.005)
    assert "tok:13a" in found["bleu"]["signature"]
    assert f"version:{sacrebleu.__version__}" in found["chrf"]["signature"]


def test_two_systems_are_compared_as_by_sacrebleu_with_an_interval_of_the_difference() -> None:
    references = [f"le chat {number} est assis sur le tapis {number % 7}" for number in range(60)]
    first = [line if number % 3 else f"le chien {number} dort" for number, line in enumerate(references)]
    second = [line if number % 5 else "un chat est assis" for number, line in enumerate(references)]
    metrics = {"BLEU": sacrebleu.BLEU(), "chrF2": sacrebleu.CHRF()}
    theirs: Any = PairedTest([("1", first), ("2", second)], metrics, [references], "bs", 1000)()[1]
    for name, metric in metrics.items():
        mine, (one, other) = paired_bootstrap(metric, first, second, references), theirs[name]
        assert (mine.first, mine.second, mine.p_value) == pytest.approx((one.score, other.score, other.p_value))
        assert mine.interval[0] < mine.first - mine.second < mine.interval[1]
        swapped = paired_bootstrap(metric, second, first, references)
        assert swapped.interval == pytest.approx((-mine.interval[1], -mine.interval[0]))


def lengths(*counts: tuple[int, int]) -> list[Pair]:
    """So many pairs of so many source words each."""
    return [Pair(" ".join(["word"] * length), "x") for count, length in counts for _ in range(count)]


def buckets(pairs: list[Pair]) -> list[tuple[list[int], int]]:
    return [(row["words"], row["pairs"]) for row in by_length(pairs, ["x"] * len(pairs), ("en", "fr"))]


def test_every_pair_is_in_one_bucket_by_its_source_words_and_few_pairs_join_a_neighbour() -> None:
    pairs = lengths((40, 5), (20, 6), (20, 8), (30, 11), (50, 80))
    assert buckets(pairs) == [([5, 5], 40), ([6, 8], 40), ([11, 11], 30), ([80, 80], 50)]
    assert buckets([Pair("Don't go, please!", "x")]) == [([6, 6], 1)]  # Do n't go , please !
    few = lengths((2, 3), (30, 8), (30, 11), (29, 12), (30, 16), (1, 60))
    assert buckets(few) == [([3, 8], 32), ([11, 12], 59), ([16, 60], 31)]


def test_an_interval_lies_around_its_score_and_is_the_same_again() -> None:
    kept = 40 * ["Le chat est assis sur le tapis.", "Où est la gare ?", "Je t'aime bien."]
    pairs = [Pair("one two three", text) for text in kept]
    worse = [text if place % 3 else "Le chien est assis là." for place, text in enumerate(kept)]
    row = by_length(pairs, worse, ("en", "fr"))[0]
    low, high = row["interval"]
    assert 0 < low < row["bleu"] < high < 100
    assert by_length(pairs, worse, ("en", "fr"))[0] == row
    assert by_length(pairs, kept, ("en", "fr"))[0]["interval"] == [100, 100]
    assert by_length(pairs, ["!"] * len(pairs), ("en", "fr"))[0]["interval"] == [0, 0]


def test_perplexity_is_that_of_the_forced_references(tiny_model: Pretrained) -> None:
    traces = force(tiny_model, PAIRS)
    logs = np.concatenate([trace.log_probabilities for trace in traces])
    found = forced_scores(list(forced(tiny_model, PAIRS)))
    assert found["perplexity"] == pytest.approx(math.exp(-logs.mean()), abs=1e-3)
    first = [trace.alignment.by_words().weights[0, -1] for trace in traces]
    assert found["weight_on_end"]["first_word"] == pytest.approx(np.mean(first), abs=1e-4)
