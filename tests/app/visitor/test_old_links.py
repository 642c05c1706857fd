import pytest

from regard.app.visitor.old_links import renewed


@pytest.mark.parametrize(
    ("title", "called"),
    [
        ("dot", "Luong, dot score"),
        ("general, input feeding", "Standard (Luong, general score)"),
        ("Luong, general score, input feeding", "Standard (Luong, general score)"),
        ("concat, GRU", "Luong, concat score, GRU"),
        ("general · reverse", "Luong, general score · reverse"),
        ("dot (my-folder)", "Luong, dot score (my-folder)"),
        ("Luong, dot score", "Luong, dot score"),
        ("Bahdanau", "Bahdanau"),
        ("no attention", "no attention"),
        ("dotted", "dotted"),
        ("my general", "my general"),
    ],
)
def test_a_model_that_was_called_by_its_score_is_called_by_its_attention(title: str, called: str) -> None:
    assert renewed("compare", {"models": [title, "Bahdanau"]}) == {"models": [called, "Bahdanau"]}


def test_a_model_that_is_called_by_its_name_is_called_by_its_title() -> None:
    assert renewed("recorded_training", {"learner": ["en-fr-transformer"]}) == {"learner": ["Transformer"]}


def test_a_number_of_updates_has_the_comma_that_its_slider_shows() -> None:
    assert renewed("recorded_training", {"update": ["12000"]}) == {"update": ["12,000"]}
    assert renewed("watch", {"most": ["500"], "run_seed": ["1000"]}) == {"most": ["500"], "run_seed": ["1000"]}
    assert renewed("watch", {"most": ["2,000", "9" * 5000]}) == {"most": ["2,000", "9" * 5000]}


def test_parameters_that_meant_two_things_have_names_of_their_own_where_they_were_not_the_steppers() -> None:
    old = {"rows": ["fed in"], "order": ["worst first"], "part": ["Blue Beard"], "pair": ["7"]}
    new = {"read_from": ["weights, input word"], "pairs_order": ["worst first"], "measured_on": ["Blue Beard"]}
    assert renewed("alignment", old) == {**new, "pair": ["7"]}
    assert renewed("translate", {"rows": ["input"]}) == {"rows": ["input"]}
    assert renewed("glossary", {"order": ["A to Z"]}) == {"order": ["A to Z"]}
