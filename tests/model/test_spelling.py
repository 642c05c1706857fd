import pytest
from hypothesis import given
from hypothesis import strategies as st
from spellchecker import SpellChecker

from regard.model.spelling import FREQUENT, MORE, PROPER, corrected, dictionary, nearest

LETTERS = st.characters(codec="ascii", categories=["Ll"])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("teh", "the"),
        ("becuase", "because"),
        ("untill", "until"),
        ("speling", "spelling"),
        ("windo", "window"),  # "wind" would be a letter less
        ("enviroment", "environment"),
        ("seperate", "separate"),
        ("saterday", "saturday"),  # a name is a candidate without being frequent
    ],
)
def test_a_misspelt_word_becomes_the_frequent_word_one_edit_away(typed: str, read: str) -> None:
    assert corrected(typed) == read


@pytest.mark.parametrize("word", ["colour", "wifi", "realise", "qat", "xq", "tge", "asdfghjkl", "lo" * 13])
def test_a_known_word_and_one_that_is_near_none_are_kept(word: str) -> None:
    assert corrected(word) == word


@given(st.sampled_from(sorted(dictionary())))
def test_no_known_word_is_corrected(word: str) -> None:
    assert corrected(word) == word


@given(st.text(LETTERS, max_size=30))
def test_what_replaces_a_word_is_known_frequent_and_about_as_long(word: str) -> None:
    read = corrected(word)
    if read != word:
        assert dictionary()[read] < FREQUENT or read in PROPER
        assert abs(len(read) - len(word)) <= 1
        assert sorted(read[:2]) == sorted(word[:2]) or read[0] == word[0]


@given(st.sampled_from(sorted(dictionary())[::50]), st.data())
def test_two_swapped_letters_are_put_back_unless_they_make_another_word(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(word) - 1))
    typed = word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :]
    if dictionary()[word] < FREQUENT and typed not in dictionary() and 3 <= len(typed) <= 24:
        assert dictionary()[corrected(typed)] <= dictionary()[word]


def test_each_added_word_would_otherwise_be_taken_for_another() -> None:
    listed = SpellChecker(distance=1).word_frequency.dictionary
    assert {word for word in MORE if word in listed or nearest(word) is None} == set()
