from fractions import Fraction
from pathlib import Path

import pytest

from regard.model.data.corpus import Pair
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair
from regard.model.word_alignment.baselines import baselines, read_gold, train, with_ibm1

LANGUAGES = ("en", "fr")


def test_baselines_are_scored_on_the_pairs_that_count(tmp_path: Path) -> None:
    (tmp_path / "Un_sents.txt").write_text("0\tchat noir\n1\tauto rouge\n")
    (tmp_path / "One_sents.txt").write_text("0\tblack cat\n1\tred car\n")
    (tmp_path / "ali_w2w_Un_One.txt").write_text("0\t0-1 1-0\n1\t0p0\n")
    gold = read_gold([tmp_path], LANGUAGES)
    counting = [pair for pair in gold.stories[tmp_path.name] if pair.counts]
    assert len(counting) == 1
    assert baselines(gold, counting) == {"diagonal": {"aer": 1, "precision": 0, "recall": 0}}
    pairs = [Pair("black cat", "chat noir"), Pair("red cat", "chat rouge"), Pair("black dog", "chien noir")]
    learned = with_ibm1(gold, pairs, LANGUAGES)
    assert baselines(learned, counting)["ibm1"] == {"aer": 0, "precision": 1, "recall": 1}
    assert learned.about["ibm1"]["pairs"] == 3


def test_the_shipped_stories_are_whole_and_their_diagonal_has_the_published_error() -> None:
    gold = read_gold(sorted(path for path in STORIES.iterdir() if path.is_dir()), LANGUAGES)
    assert not gold.broken
    assert [len(pairs) for pairs in gold.stories.values()] == [52, 68, 92]
    counting = [pair for pairs in gold.stories.values() for pair in pairs if pair.counts]
    assert len(counting) == 175
    assert round(baselines(gold, counting)["diagonal"]["aer"], 3) == 0.597


def test_one_round_gives_the_probabilities_worked_out_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.model.word_alignment.baselines.ITERATIONS", 1)
    found = train([Pair("the house", "la maison"), Pair("The", "La")], ("en", "fr"))
    # Each of the 3 sources (the empty word is one) takes 1/3 of both words of the first pair, each of 2 takes 1/2 of
    # the second: "the" and the empty word count 1/3 + 1/2 for "la" and 1/3 for "maison", "house" 1/3 for both.
    for source, la in (("the", Fraction(5, 7)), (None, Fraction(5, 7)), ("house", Fraction(1, 2))):
        assert found.probability("la", source) == pytest.approx(float(la))
        assert found.probability("maison", source) == pytest.approx(float(1 - la))
    # "maison" is likelier from "house" than from nothing; "la" is as likely from nothing as from "the"
    assert found.links(GoldPair("0", "the house", "la maison", frozenset(), frozenset())) == [(1, 1)]
