from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from regard.app.screens.learn.path import COUNT, Answer, LessonProgress

ANSWERS = st.none() | st.builds(Answer, st.integers(0, 2), st.booleans())
PROGRESS = st.builds(LessonProgress, st.integers(1, COUNT + 1), st.tuples(*[ANSWERS] * COUNT))


@given(PROGRESS)
def test_progress_survives_its_link(progress: LessonProgress) -> None:
    assert LessonProgress.from_link(progress.to_link()) == progress


@given(st.dictionaries(st.sampled_from(["chapter", "answers"]), st.text()))
def test_a_hostile_link_is_clamped_and_never_an_error(link: dict[str, str]) -> None:
    progress = LessonProgress.from_link(link)
    assert 1 <= progress.page <= COUNT + 1
    assert len(progress.answers) == COUNT
    assert all(answer is None or answer.choice in range(3) for answer in progress.answers)


def test_a_first_visit_has_no_parameters() -> None:
    assert LessonProgress().to_link() == {}
    assert LessonProgress.from_link({}) == LessonProgress()


def test_endless_numbers_and_endless_answers_are_clamped() -> None:
    assert LessonProgress.from_link({"chapter": "9" * 5000}).page in (1, COUNT + 1)
    assert LessonProgress.from_link({"chapter": "99"}).page == COUNT + 1
    assert LessonProgress.from_link({"chapter": "-3"}).page == 1
    assert len(LessonProgress.from_link({"answers": "1" * 5000}).answers) == COUNT


def test_a_link_can_be_read_by_eye() -> None:
    made = LessonProgress().at(3).answered(1, Answer(1, True)).answered(2, Answer(0, False))
    assert made.to_link() == {"chapter": "3", "answers": "2a"}


def test_only_answers_of_opened_chapters_count_and_those_that_another_link_changes_no_longer_do() -> None:
    linked = LessonProgress.from_link({"answers": "1" * COUNT})
    assert (linked.right, linked.surprises) == (0, 0)
    seen = replace(linked, opened=frozenset({1, 2, COUNT + 1}))
    assert (seen.right, seen.counted[2]) == (2, None)
    assert LessonProgress.from_link({"answers": "1a"}).resumed(seen).opened == {1, COUNT + 1}


def test_an_answer_is_taken_back_and_the_others_stay() -> None:
    made = LessonProgress().answered(1, Answer(1, True)).answered(COUNT, Answer(2, False))
    assert made.answered(1, None).answers == (*[None] * (COUNT - 1), Answer(2, False))


def test_there_is_no_page_before_the_first_or_after_the_last() -> None:
    assert [LessonProgress().at(page).page for page in (0, 1, COUNT + 1, COUNT + 2)] == [1, 1, COUNT + 1, COUNT + 1]
