import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.word_alignment.alignment_error_rate import Marks, pharaoh, read_marks, read_story, story

SOURCE, TARGET = ("I", "love", "you", "."), ("Je", "t'", "aime", ".")
WORDS = [str(number) for number in range(6)]
links = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def test_the_notation_tells_sure_from_possible_with_the_source_first() -> None:
    marks = read_marks(" 1-2  2p1\t0-0 ", SOURCE, TARGET)
    assert marks == Marks(sure=frozenset({(1, 2), (0, 0)}), possible=frozenset({(2, 1)}))
    assert marks.written() == "0-0 1-2 2p1"
    assert len(marks) == 3


def test_a_link_given_as_sure_and_as_possible_is_sure() -> None:
    assert read_marks("1p2 1-2 1p2", SOURCE, TARGET) == Marks(sure=frozenset({(1, 2)}))


@given(sure=links, possible=links)
def test_marks_written_and_read_again_are_the_same(sure: frozenset, possible: frozenset) -> None:
    marks = Marks(sure, possible - sure)
    assert read_marks(marks.written(), WORDS, WORDS) == marks


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0-0 hello", "“hello” is not a link: write links as 0-0 .sure. or 1p2 .possible."),
        ("0--1", "“0--1” is not a link"),
        ("٣-1", "“٣-1” is not a link"),
        ("1-" + "9" * 5000, "“1-99999999999999999…” is not a link"),
        ("4-0", "The link 4-0 is outside the English sentence: its words are 0 to 3"),
        ("0p4", "The link 0p4 is outside the French sentence: its words are 0 to 3"),
    ],
)
def test_what_is_no_link_between_the_words_is_refused_with_what_would_be_right(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_marks(text, SOURCE, TARGET, ("English", "French"))


def test_a_sentence_without_words_takes_no_link() -> None:
    with pytest.raises(ValueError, match="outside the target sentence: it has no words"):
        read_marks("0-0", SOURCE, ())


def test_pharaoh_has_one_line_in_the_order_of_the_source() -> None:
    assert pharaoh([(2, 1), (0, 0), (1, 10), (1, 2)]) == "0-0 1-2 1-10 2-1"


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en")])
def test_the_kept_folder_is_a_story_with_the_same_links(tmp_path: Path, languages: tuple[str, str]) -> None:
    sides = (SOURCE, TARGET) if languages == ("en", "fr") else (TARGET, SOURCE)
    marks = read_marks("0-0 1-2 2p1", *sides)
    packed = zipfile.ZipFile(io.BytesIO(story(marks, *sides, languages)))
    packed.extractall(tmp_path)
    pair = read_story(tmp_path / "my-links", languages)[0]
    assert (pair.source, pair.target) == (" ".join(sides[0]), " ".join(sides[1]))
    assert (pair.sure, pair.possible - pair.sure) == (marks.sure, marks.possible)


def test_the_kept_folder_has_the_french_word_first() -> None:
    packed = zipfile.ZipFile(io.BytesIO(story(read_marks("1-2 2p1", SOURCE, TARGET), SOURCE, TARGET, ("en", "fr"))))
    assert packed.read("my-links/ali_w2w_French_English.txt") == b"0\t1p2 2-1\n"


def test_other_languages_have_no_such_folder() -> None:
    with pytest.raises(ValueError, match="these are en and de"):
        story(Marks(), SOURCE, TARGET, ("en", "de"))
