import re
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from regard.model.data import templates
from regard.model.data.corpus import Pair
from regard.model.data.name_exchange import Names
from regard.model.data.templates import Templates, lists_of
from regard.model.data.word_forms import Agreeing, noun_forms
from regard.model.files import toml_beside

TEMPLATES = Templates(Names(("Anna",), ("Tom",), ("Smith",)), [Pair("the air", "l'air"), Pair("the sea", "la mer")])


@given(st.integers(0, 10**6))
def test_no_place_is_left_open_and_no_side_is_empty(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert pair.source
    assert pair.target
    assert not set("{}|=\0") & set(pair.source + pair.target)
    assert "  " not in pair.source + pair.target


@given(st.integers(0, 10**6))
@example(124)
def test_digits_are_the_same_on_both_sides_but_for_hours_after_noon(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    source = re.sub(r"(\d+)(:\d\d)? ?p\.?m\b", lambda hour: f"{int(hour[1]) + 12}{hour[2] or ''}", pair.source)
    ours, theirs = (sorted(number.lstrip("0") for number in re.findall(r"\d+", side)) for side in (source, pair.target))
    assert ours == theirs


@given(st.integers(0, 10**6))
def test_a_sentence_has_one_final_mark_and_says_tu_to_nobody_whom_it_says_vous(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert not pair.source.endswith("..")
    polite = {"monsieur", "madame", "mesdames", "tous", "tout le monde"}
    familiar = {"vas-tu", "es-tu", "s'il te plaît", "Viens"}
    assert not (any(word in pair.target for word in polite) and any(word in pair.target for word in familiar))


def test_the_same_seed_draws_the_same_sentences() -> None:
    one, other = Random(7), Random(7)
    assert [TEMPLATES.draw(one) for _ in range(50)] == [TEMPLATES.draw(other) for _ in range(50)]


def test_no_plural_of_a_noun_in_au_or_al_ends_in_a_plain_s() -> None:
    lists = lists_of(toml_beside(templates.__file__, "templates.toml"))
    nouns = lists["things"] + lists["animals"]
    plurals = [noun_forms(line, Agreeing())[1]["many"] for line in nouns]
    odd = {many for many in plurals if many.endswith(("aus", "als", "eus"))}
    assert odd <= {"pneus"}
