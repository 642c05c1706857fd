from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from regard.model.changes.history import UNDO_STEPS, History
from regard.model.changes.intervention import UNTOUCHED, Intervention

COLD, HOT = Intervention(temperature=0.5), Intervention(temperature=2.0)


def test_undo_goes_back_and_redo_forth() -> None:
    history = History().changed(COLD).changed(HOT)
    assert history.undone().present == COLD
    assert history.undone().undone().present == UNTOUCHED
    assert history.undone().redone() == history


def test_there_is_nothing_before_the_first_and_after_the_last() -> None:
    assert History().undone() == History()
    assert History().changed(COLD).redone() == History().changed(COLD)


def test_a_new_change_forgets_what_was_taken_back() -> None:
    history = History().changed(COLD).undone().changed(HOT)
    assert history.redone().present == HOT
    assert history.undone().present == UNTOUCHED


def test_the_same_again_is_no_change() -> None:
    assert History().changed(UNTOUCHED) == History()
    assert History().changed(COLD).undone().changed(UNTOUCHED).future == (COLD,)


WAYS = st.one_of(
    st.just(History.undone),
    st.just(History.redone),
    st.floats(0.1, 10).map(lambda value: lambda history: history.changed(Intervention(temperature=value))),
)


@given(ways=st.lists(WAYS, max_size=30))
def test_as_many_undos_as_changes_restore_the_original(ways: list[Callable[[History], History]]) -> None:
    history = History()
    for way in ways:
        history = way(history)
    for _ in ways:
        history = history.undone()
    assert history.present == UNTOUCHED


def test_a_long_history_forgets_its_beginning() -> None:
    history = History()
    for place in range(UNDO_STEPS + 5):
        history = history.changed(Intervention(temperature=1.5 + place / 1000))
    assert len(history.past) == UNDO_STEPS
