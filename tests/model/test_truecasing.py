from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.truecasing import FREQUENT, PROPER, corrected, dictionary, not_english, read_as
from regard.model.words import visible


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("THE CAT IS BLACK", "The cat is black"),
        ("I THINK I'M LATE!", "I think I'm late!"),
        ("HELLO", "Hello"),
        ("I DO", "I do"),
        ("I LIKE MONDAYS IN PARIS", "I like Mondays in Paris"),
        ('"WHO IS IT?"', '"Who is it?"'),
        ("im tired", "I'm tired"),
        ("Dont go, its late", "Don't go, its late"),
        ("WHATS UP", "What's up"),
        ("teh cat", "the cat"),
        ("see you in febuary", "see you in February"),
        ("I DONT KNWO", "I don't know"),
    ],
)
def test_capitals_and_lost_apostrophes_are_mended(typed: str, read: str) -> None:
    assert read_as(typed, "en") == read


@pytest.mark.parametrize(
    "typed",
    [
        "OK", "USA", "The USA is big.", "i love you", "Its cold", "we were ill", "well", "id card", "I", "", "12",
        "Jonh is here", "isn’t", "a@exmaple.com", "www.gogle.com", "a teh-dee",
    ],
)  # fmt: skip
def test_what_may_be_meant_stays_as_it_is(typed: str) -> None:
    assert read_as(typed, "en") == typed


FOREIGN = [
    "je suis tres content de te voir",
    "Où est la gare ?",
    "Il fait beau aujourd'hui.",
    "wo ist der banhof",
    "Ich habe keine Zeit.",
    "JE SUIS FATIGUÉ",
    "¿Dónde está la estación?",
    "estoy muy cansado",
    "Buenos días, ¿cómo estás?",
    "Il gatto è nero.",
]


@pytest.mark.parametrize("typed", FOREIGN)
def test_a_sentence_in_another_language_is_read_as_typed(typed: str) -> None:
    assert not_english(typed, "en")
    assert read_as(typed, "en") == typed


def test_no_sentence_that_people_typed_first_is_called_foreign() -> None:
    table = Path(__file__).parents[2] / "pretrained" / "recipe" / "typed_first.tsv"
    typed = [line.split("\t")[1] for line in table.read_text(encoding="utf-8").splitlines()]
    assert len(typed) == 247
    more = ["teh cat si blakc", "gud mornin frend", "Mohamed and Fatoumata Diallo live in Ouagadougou", "c'est la vie"]
    assert [one for one in typed + more if not_english(one, "en")] == []


@given(st.text(max_size=60))
def test_only_case_apostrophes_and_misspelt_words_are_ever_changed(typed: str) -> None:
    def kept(text: str) -> list[str]:
        return [word for word in text.replace("'", "").casefold().split() if not word.isascii() or word in dictionary()]

    typed = visible(typed)
    read = kept(read_as(typed, "en"))
    assert [word for word in read if word in kept(typed)] == kept(typed)


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
