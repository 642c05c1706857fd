from pathlib import Path
from random import Random

import pytest

from regard.model.data.held_out import HeldOut
from regard.model.data.name_exchange import Names
from regard.model.data.sentence_patterns import SentencePatterns
from regard.model.data.templates import Templates
from regard.model.evaluation.typed_first import FILES

SENTENCES = ["Goodbye, see you soon!", "The quick brown fox jumps over the lazy dog.", "don't worry", "Hello world"]
HELD = HeldOut(SENTENCES)


@pytest.mark.parametrize(
    "source",
    [
        "goodbye see you soon",
        "Good-bye, see you soon",
        "HELLO, WORLD!",
        "Dont worry.",
        "A quick brown fox jumps over the lazy dog",
        "The quick brown fox jumps over a lazy dog!",
    ],
)
def test_the_same_letters_and_nearly_the_same_words_are_near(source: str) -> None:
    assert HELD.near(source)


@pytest.mark.parametrize("source", ["", "!", "Goodbye", "Hello", "the lazy dog", "The fox jumps over the dog."])
def test_a_part_and_another_sentence_are_not(source: str) -> None:
    assert not HELD.near(source)


def test_every_sentence_of_every_list_is_near_itself_whatever_its_marks() -> None:
    held = HeldOut.read(FILES.values())
    for path in FILES.values():
        for line in path.read_text(encoding="utf-8").splitlines():
            sentence = line.split("\t")[1]
            assert held.near(sentence)
            assert held.near(sentence.replace(",", "").upper())


def test_the_rare_words_that_are_looked_up_miss_no_near_set() -> None:
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    held = HeldOut([" ".join(words)])
    for left_out in words:
        assert held.near(" ".join(word for word in words if word != left_out))  # 7 of 8
        assert held.near(" ".join(word for word in words if word not in (left_out, "a")))  # 6 of 8


def test_no_template_without_places_is_near_a_famous_sentence_or_one_of_the_second_list() -> None:
    held = HeldOut.read(FILES[name] for name in ("famous", "words_of_the_world"))
    lists = Templates(Names(("Anna",), ("Tom",), ("Smith",)))
    assert not [source for source in lists.fixed() if held.near(source)]


def test_sentence_patterns_make_none_of_the_lists() -> None:
    held, patterns, random = HeldOut.read(FILES.values()), SentencePatterns(), Random(3)
    assert not [pair.source for pair in (patterns.draw(random) for _ in range(2000)) if held.near(pair.source)]


def test_a_list_is_read_by_its_second_column(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("kind\tI like trains.\tJ'aime les trains\n", encoding="utf-8")
    assert HeldOut.read([path]).near("i like trains")
