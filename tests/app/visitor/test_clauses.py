"""A sentence grows as a person would write it, whatever is typed."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from regard.app.visitor.clauses import (
    MOST_CLAUSES,
    added,
    grow,
    in_threes,
    lines,
    opening,
    sentence,
    shortened,
    unused,
)
from regard.app.wording import CLAUSES

LANGUAGES = ("en", "fr")


def test_each_clause_lengthens_the_sentence_and_the_full_stop_moves_to_its_end() -> None:
    assert grow(["A boy plays.", "in the park", "with his friends."]) == [
        "A boy plays.",
        "A boy plays in the park.",
        "A boy plays in the park with his friends.",
    ]


def test_a_question_stays_a_question_and_what_has_no_mark_gets_a_full_stop() -> None:
    assert grow(["Do you see the boy?", "in the park"])[-1] == "Do you see the boy in the park?"
    assert grow(["a boy", "in the park"]) == ["a boy.", "a boy in the park."]


def test_lines_without_a_letter_are_none() -> None:
    assert lines("\n  \nA boy.\n...\n\t\nin  the park \n") == ["A boy.", "in the park"]
    assert sentence("\n...\n") == ""


@given(st.text(max_size=3000))
def test_whatever_is_typed_makes_as_many_sentences_as_there_are_clauses(text: str) -> None:
    clauses = lines(text)
    made = grow(clauses)
    assert len(made) == len(clauses) <= MOST_CLAUSES
    assert sentence(text) == (made[-1] if made else "")
    assert all(longer.startswith(shorter[:-1].rstrip()) for shorter, longer in pairwise(made))


@given(st.lists(st.sampled_from(CLAUSES[LANGUAGES]), min_size=1, max_size=MOST_CLAUSES - 1).map("\n".join))
def test_taking_the_last_clause_away_undoes_adding_one(text: str) -> None:
    assert shortened(added(text, "in the snow")) == text


def test_the_first_line_is_never_taken_away() -> None:
    assert shortened("A boy.") == "A boy."


def test_what_is_offered_is_not_there_yet() -> None:
    clauses = CLAUSES[LANGUAGES]
    first = opening(clauses)
    offered = unused(first, clauses)
    assert not set(offered) & set(lines(first))
    assert set(offered) | set(lines(first)) == set(clauses)
    assert opening(()) == ""


def test_a_sequence_of_digits_grows_by_threes_and_ends_in_no_full_stop() -> None:
    assert in_threes("5 1 8 3 0 6 2") == ("5 1 8", "3 0 6", "2")
    assert grow(in_threes("5 1 8 3 0")) == ["5 1 8", "5 1 8 3 0"]
    assert in_threes("") == ()
