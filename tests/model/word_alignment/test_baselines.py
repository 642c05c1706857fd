from fractions import Fraction
from pathlib import Path

import pytest

from regard.model.data.corpus import Pair
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair, agreement, diagonal
from regard.model.word_alignment.baselines import (
    baselines,
    read_gold,
    train,
    with_ibm1,
)

LANGUAGES = ("en", "fr")


def story(folder: Path, links: str) -> Path:
    folder.mkdir()
    (folder / "Un_sents.txt").write_text("0\tchat noir\n1\tauto rouge\n")
    (folder / "One_sents.txt").write_text("0\tblack cat\n1\tred car\n")
    (folder / "ali_w2w_Un_One.txt").write_text(links)
    return folder


def test_a_story_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    folders = [
        story(tmp_path / "outside", "0\t0-2\n1\t0-1\n"),
        story(tmp_path / "good", "0\t0-1 1-0\n1\t0p0\n"),
        story(tmp_path / "missing", "0\t0-1\n"),
    ]
    gold = read_gold(folders, LANGUAGES)
    assert list(gold.stories) == list(gold.files) == ["good"]
    outside, missing = gold.broken
    assert "outside/ali_w2w_Un_One.txt, line 1: the link 0-2 is outside" in outside
    assert "missing/ali_w2w_Un_One.txt: no line has the number 1" in missing


def test_baselines_are_scored_on_the_pairs_that_count(tmp_path: Path) -> None:
    gold = read_gold([story(tmp_path / "good", "0\t0-1 1-0\n1\t0p0\n")], LANGUAGES)
    counting = [pair for pair in gold.stories["good"] if pair.counts]
    assert len(counting) == 1
    assert baselines(gold, counting) == {"diagonal": {"aer": 1, "precision": 0, "recall": 0}}
    pairs = [
        Pair(f"{a} {b}", f"{y} {x}") for a, x in (("black", "noir"), ("red", "rouge")) for b, y in (("cat", "chat"),)
    ]
    learned = with_ibm1(gold, [*pairs, Pair("black dog", "chien noir")], LANGUAGES)
    assert baselines(learned, counting)["ibm1"] == {"aer": 0, "precision": 1, "recall": 1}
    assert learned.about["ibm1"]["pairs"] == 3


def test_the_shipped_stories_are_whole_and_their_diagonal_has_the_published_error() -> None:
    gold = read_gold(sorted(path for path in STORIES.iterdir() if path.is_dir()), LANGUAGES)
    assert not gold.broken
    assert [len(pairs) for pairs in gold.stories.values()] == [52, 68, 92]
    counting = [pair for pairs in gold.stories.values() for pair in pairs if pair.counts]
    assert len(counting) == 175
    assert round(baselines(gold, counting)["diagonal"]["aer"], 3) == 0.597
    pair = counting[0]
    straight = diagonal(len(pair.source.split(" ")), len(pair.target.split(" ")))
    assert agreement(gold.proposed["diagonal"][pair], pair.sure, pair.possible) == agreement(
        straight, pair.sure, pair.possible
    )


def linked_pair(source: str, target: str) -> GoldPair:
    return GoldPair("0", source, target, frozenset(), frozenset())


def test_one_round_gives_the_probabilities_worked_out_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.model.word_alignment.baselines.ITERATIONS", 1)
    found = train([Pair("the house", "la maison"), Pair("The", "La")], ("en", "fr"))
    # Each of the 3 sources (the empty word is one) takes 1/3 of both words of the first pair, each of 2 takes 1/2 of
    # the second: "the" and the empty word count 1/3 + 1/2 for "la" and 1/3 for "maison", "house" 1/3 for both.
    for source, la in (("the", Fraction(5, 7)), (None, Fraction(5, 7)), ("house", Fraction(1, 2))):
        assert found.probability("la", source) == pytest.approx(float(la))
        assert found.probability("maison", source) == pytest.approx(float(1 - la))
    # "maison" is likelier from "house" than from nothing; "la" is as likely from nothing as from "the"
    assert found.links(linked_pair("the house", "la maison")) == [(1, 1)]
