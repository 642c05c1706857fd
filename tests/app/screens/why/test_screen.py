"""Why not mine? ends in a sentence that its evidence allows, and says when nothing is known."""

from collections.abc import Callable
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.screens.why.text import SAME, UNKNOWN, conclusion, lines
from regard.model.analysis.model_preference import BeamFinding, Preference, Tip, preference
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.memory.occurrences import Occurrences
from regard.model.translate import force, translate
from tests.support.screens import html, on_screen

SENTENCE, MINE = "The cat sat.", "Le chat noir."


@pytest.fixture(scope="module")
def found(tiny_model: Pretrained) -> Preference:
    return preference(tiny_model, translate(tiny_model, [SENTENCE])[0], force(tiny_model, [(SENTENCE, MINE)])[0])


def opened(**link: str) -> AppTest:
    return on_screen("why", **link).run()


def test_a_translation_is_diagnosed_with_evidence_and_links(
    offer: Callable[..., Pretrained], found: Preference
) -> None:
    offer(DEFAULT)
    screen = opened(sentence=SENTENCE, given=MINE)
    assert not screen.exception
    assert unescape(conclusion(found)) in html(screen)
    for line in lines(found, None):
        assert line.question in html(screen)
    assert {link.proto.label for link in screen.get("page_link")} >= {"Translate", "Beam search"}


def test_of_a_model_without_attention_it_is_not_said_that_it_looks(make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="none", initial_state="encoder")
    found = preference(model, translate(model, [SENTENCE])[0], force(model, [(SENTENCE, MINE)])[0])
    told = f"{conclusion(found)} {' '.join(f'{line.question} {line.evidence}' for line in lines(found, None))}"
    assert "with a context that is" in told
    assert "look" not in told
    assert "Would other weights have tipped it?" in told


def test_without_a_translation_it_asks_for_one_and_first_there_is_an_example(offer: Callable[..., Pretrained]) -> None:
    offer(DEFAULT)
    screen = opened(sentence=SENTENCE)
    assert not screen.exception
    assert "Type your own translation" in screen.info[0].value
    assert "boueuse" in html(opened())


def test_the_conclusion_names_what_tips_it_and_says_when_nothing_does(found: Preference) -> None:
    parting = found.parting
    assert parting
    own = replace(found, own=found.other, other=found.own) if found.gap > 0 else found
    plain = replace(parting, tips=(), search=replace(parting.search, first=None))
    bare = replace(own, parting=plain, in_pieces=())
    assert conclusion(bare).endswith(UNKNOWN)
    counted = Occurrences(9, {"the": 900, "sat": 30, "cat": 2}, np.zeros(1, dtype=int), np.zeros(1, dtype=int))
    split = replace(bare, in_pieces=(("Wojciechowska", 9), ("Wojciechowska", 9), ("ronfle", 4)))
    known = next(line.evidence for line in lines(split, None) if "pieces" in line.evidence)
    assert known.startswith("“Wojciechowska” is split into 9 pieces; “ronfle” is split into 4 pieces.")
    assert any(
        "has “cat” 2 times, “sat” 30 times, “The” 900 times;" in line.evidence for line in lines(bare, None, counted)
    )
    tipped = replace(plain, tips=(Tip("hidden", "cat", 0.6, True),))
    assert "with “cat” hidden." in conclusion(replace(own, parting=tipped))
    reached = replace(parting, tips=(), search=replace(parting.search, first=parting.search.best))
    assert " in place of its own " in conclusion(replace(own, parting=reached))
    likelier = replace(found, own=own.other, other=own.own, parting=plain, beams=(BeamFinding(5, 1, "x"),))
    assert conclusion(likelier).startswith("A search error: ")
    assert conclusion(likelier).endswith("a beam of 5 writes yours.")
    assert conclusion(replace(found, other=found.own, parting=None)) == SAME


def test_changes_are_listed_by_probability_and_told_apart_from_those_that_tip_it(found: Preference) -> None:
    assert found.parting
    few = (Tip("hidden", "cat", 0.02, False), Tip("hidden", "sat", 0.3, False), Tip("written", "The cat.", 0.05, False))
    parting = replace(found.parting, other_probability=0.04, tips=few)
    told = tipping(replace(found, parting=parting))
    assert told.startswith("No change to the source that was tried would have tipped it. At step ")
    order = (
        "has 4.0% without a change",
        "30.0% with “sat” hidden",
        "5.0% if the source read",
        "2.0% with “cat” hidden",
    )
    assert [told.index(part) for part in order] == sorted(told.index(part) for part in order)
    tipped = tipping(replace(found, parting=replace(parting, tips=(*few, Tip("hidden", "The", 0.6, True)))))
    assert "No change to the source" not in tipped
    assert "It would have 60.0%, the most of all tokens, with “The” hidden; 30.0%" in tipped


def tipping(found: Preference) -> str:
    """Return the evidence on what would have tipped the choice."""
    return next(line.evidence for line in lines(found, None) if line.question == "What would have tipped it?")
