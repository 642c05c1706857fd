from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from regard.app.screens.learn.path import COUNT, LessonProgress

CHOICES = st.none() | st.integers(0, 2)
PROGRESS = st.builds(LessonProgress, st.integers(1, COUNT + 1), st.tuples(*[CHOICES] * COUNT))


@given(PROGRESS)
def test_progress_survives_its_link(progress: LessonProgress) -> None:
    assert LessonProgress.from_link(progress.to_link()) == progress


@given(st.dictionaries(st.sampled_from(["chapter", "answers"]), st.text() | st.just("9" * 5000)))
def test_a_hostile_link_is_clamped_and_never_an_error(link: dict[str, str]) -> None:
    progress = LessonProgress.from_link(link)
    assert 1 <= progress.page <= COUNT + 1
    assert len(progress.choices) == COUNT
    assert all(choice in (None, 0, 1, 2) for choice in progress.choices)


def test_a_link_can_be_read_by_eye_and_those_of_earlier_versions_too() -> None:
    made = LessonProgress().at(3).answered(1, 1, True).answered(2, 0)
    assert made.to_link() == {"chapter": "3", "answers": "21"}
    assert LessonProgress.from_link({"chapter": "3", "answers": "2a"}) == replace(made, marks={})
    assert LessonProgress().to_link() == {}


def test_only_answers_marked_in_this_visit_count_and_those_that_another_link_changes_no_longer_do() -> None:
    linked = LessonProgress.from_link({"answers": "1" * COUNT})
    assert (linked.right, linked.surprises) == (0, 0)
    seen = replace(linked, marks={1: True, 2: False})
    assert (seen.right, seen.surprises) == (1, 1)
    assert LessonProgress.from_link({"answers": "12"}).resumed(seen).marks == {1: True}


def test_an_answer_is_taken_back_and_the_others_stay() -> None:
    made = LessonProgress().answered(1, 1, True).answered(COUNT, 2)
    assert made.answered(1, None) == LessonProgress().answered(COUNT, 2)


def test_there_is_no_page_before_the_first_or_after_the_last() -> None:
    assert [LessonProgress().at(page).page for page in (0, 1, COUNT + 1, COUNT + 2)] == [1, 1, COUNT + 1, COUNT + 1]
