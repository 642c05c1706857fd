import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.casual_copies import Casual, casual, unmarked
from regard.model.data.corpus import Pair

PAIR = Pair("I don't know Tom's dog.", "Je ne connais pas le chien de Tom.")


@pytest.mark.parametrize(
    ("style", "source", "target"),
    [
        (Casual.LOWER, "i don't know tom's dog.", "Je ne connais pas le chien de Tom."),
        (Casual.UNMARKED, "I don't know Tom's dog", "Je ne connais pas le chien de Tom"),
        (Casual.HURRIED, "i don't know tom's dog", "Je ne connais pas le chien de Tom"),
        (Casual.BARE, "i dont know toms dog", "Je ne connais pas le chien de Tom"),
        (Casual.CAPITALS, "I DON'T KNOW TOM'S DOG.", "Je ne connais pas le chien de Tom."),
    ],
)
def test_each_spelling_is_what_its_name_says(style: Casual, source: str, target: str) -> None:
    assert casual(PAIR, style) == Pair(source, target)


def test_a_question_keeps_its_mark_in_french() -> None:
    assert unmarked(Pair("Where is it?", "Où est-ce ?")) == Pair("Where is it", "Où est-ce ?")


def test_an_ellipsis_and_a_lone_mark_stay() -> None:
    for pair in (Pair("Well...", "Eh bien..."), Pair("!", "!")):
        assert unmarked(pair) == pair


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(Casual))
def test_a_copy_has_the_same_words_but_for_case_apostrophes_and_the_last_mark(
    source: str, target: str, style: Casual
) -> None:
    def plain(text: str) -> str:
        return "".join(letter for letter in text.lower() if letter not in "'.!? ")

    copy = casual(Pair(source, target), style)
    assert plain(copy.source) == plain(plain(source) if style is not Casual.CAPITALS else copy.source)
    assert copy.target in (target, target[:-1].rstrip(" "))
