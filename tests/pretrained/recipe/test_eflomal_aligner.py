import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regard.model.data.corpus import Pair
from regard.model.word_alignment.baselines import Gold, baselines, read_gold
from regard.pretrained.recipe import eflomal_aligner
from regard.pretrained.recipe.eflomal_aligner import PROPOSED, grow_diag_final_and, intersection, with_eflomal

LANGUAGES = ("en", "fr")
asked: list[tuple[list[str], list[str]]] = []


class Straight:
    """In place of eflomal: word by word from the left, but the reverse direction misses the first word."""

    def __init__(self, model: int) -> None:
        self.model = model

    def align(self, source: list[str], target: list[str], forward: str, reverse: str) -> None:
        asked.append((source, target))
        shorter = [min(len(one.split()), len(other.split())) for one, other in zip(source, target, strict=True)]
        links = [[f"{word}-{word}" for word in range(words)] for words in shorter]
        Path(forward).write_text("".join(f"{' '.join(line)}\n" for line in links))
        Path(reverse).write_text("".join(f"{' '.join(line[1:])}\n" for line in links))


@pytest.fixture
def gold(tmp_path: Path) -> Gold:
    folder = tmp_path / "stories" / "story"
    folder.mkdir(parents=True)
    (folder / "Un_sents.txt").write_text("0\tL' auto rouge\n")
    (folder / "One_sents.txt").write_text("0\tThe CAR red\n")
    (folder / "ali_w2w_Un_One.txt").write_text("0\t0-0 1-1 2-2\n")
    return read_gold([folder], LANGUAGES)


def test_it_learns_from_text_and_stories_and_proposes_links_in_four_ways(
    gold: Gold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "eflomal", SimpleNamespace(Aligner=Straight))  # type: ignore[arg-type]
    monkeypatch.setattr(eflomal_aligner, "version", lambda name: "2.0.0")
    found = with_eflomal(gold, [Pair("I don't go.", "Je n'y vais pas.")], LANGUAGES)
    source, target = asked[-1]
    assert [len(lines) for lines in (source, target)] == [2, 2]
    assert (source[1], target[1]) == ("the car red", "l' auto rouge")
    assert source[0].split() == source[0].lower().split()
    rates: dict[str, Any] = baselines(found, list(gold.proposed["diagonal"]))
    assert set(rates) == {"diagonal", *PROPOSED}
    assert rates["eflomal_forward"]["aer"] == rates["eflomal_grow_diag_final_and"]["aer"] == 0
    assert rates["eflomal_reverse"]["recall"] == rates["eflomal_intersection"]["recall"] == 0.6667
    about = found.about["eflomal"]
    assert (about["version"], about["pairs"]) == ("2.0.0", 2)
    assert "Aligner" in about["command"]


def test_links_grow_from_what_both_have_and_lonely_words_are_linked_at_last() -> None:
    forward = [(0, 0), (1, 1), (1, 2), (4, 4), (4, 0)]
    reverse = [(0, 0), (2, 1), (4, 3)]
    assert intersection(forward, reverse) == {(0, 0)}
    # (1, 1) and then (1, 2) and (2, 1) are neighbours, each of a word that has no link yet. (4, 0) is none, and its
    # target word is taken; (4, 4) is far from all, but both its words are free; then (4, 3) comes too late for word 4
    assert grow_diag_final_and(forward, reverse) == {(0, 0), (1, 1), (1, 2), (2, 1), (4, 4)}
