from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.navigation import MOVED
from regard.app.visitor.old_links import renewed
from tests.support.screens import FRAME, on_screen


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


LINKS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {  # address: the link's parameters, what the page then holds
    "translate": (
        {"sentence": "She has a red car.", "model": "en-fr-dot", "step": "3", "units": "tokens", "rows": "input"},
        {"sentence": "She has a red car.", "model": "en-fr-dot", "step": 3, "units": "tokens", "rows": "input"},
    ),
    "compare": ({"sentence": "I see a cat.", "models": "dot"}, {"models": ["en-fr-dot"]}),
    "beam": (
        {"sentence": "I see a cat.", "beam_width": "4", "beam_alpha": "0.6", "beam_coverage": "0.2"},
        {"beam_width": 4, "beam_alpha": 0.6, "beam_coverage": 0.2},
    ),
    "sampling": (
        {"sampling_temperature": "1.5", "top_k": "10", "samples": "3", "sampling_seed": "7"},
        {"sampling_temperature": 1.5, "top_k": 10, "samples": 3, "sampling_seed": 7},
    ),
    "persuasion": ({"sentence": "I see a cat.", "word": "chien"}, {"sentence": "I see a cat.", "word": "chien"}),
    "attention_search": (
        {"sentence": "I see a cat.", "given": "Je vois un chat.", "token": "2 vois", "penalty": "0.3"},
        {"given": "Je vois un chat.", "token": 1, "penalty": 0.3},
    ),
    "by_hand": ({"example": "luong-general", "hand": "preset!huge"}, {"document": "i-love-you"}),
    "bottleneck": ({"sentence": "I see a cat."}, {"sentence": "I see a cat."}),
    "alignment": (
        {"order": "worst first", "pair": "14", "rows": "fed in"},
        {"pairs_order": "worst", "pair": 14, "read_from": "input"},
    ),
    "explanation": ({"seed": "5"}, {"seed": 5}),
    "learning": ({"update": "752"}, {"update": 752}),
    "transformer": ({"part": "Masks"}, {"part": "masks"}),
    "watch": ({"other": "true", "longest": "12"}, {"other": True, "longest": 12}),
    "elsewhere": ({"opened_from": "Pasted text"}, {"opened_from": "text"}),
    "glossary": ({"find": "gru", "order": "A to Z"}, {"find": "gru"}),
    "worksheet": ({"sheet_version": "C", "sheet_answers": "true"}, {"sheet_version": "C", "sheet_answers": True}),
    "learn": ({"chapter": "3", "answers": "2"}, {}),
}


@pytest.mark.parametrize("screen", LINKS)
def test_old_links_of_version_0_5_still_open(screen: str) -> None:
    link, holds = LINKS[screen]
    page = on_screen(screen)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    state = page.session_state
    held = {name: state[name] if name in state else getattr(state.visit.question, name) for name in holds}
    assert held == holds
    assert state.visit.screen == MOVED.get(screen, screen)


def test_an_old_link_with_a_change_still_opens_with_it() -> None:
    page = AppTest.from_file(FRAME, default_timeout=120)
    page.query_params |= {"sentence": ["I love you."], "change": ['{"hidden":[1],"temperature":2.0}'], "edit": ["1"]}
    page.run()
    assert not page.exception
    changes = page.session_state.translate.changes
    assert (changes.hidden, changes.temperature) == ((1,), 2.0)
