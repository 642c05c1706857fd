"""Visitors without a browser do what a page does, and what they saw is told plainly."""

import random

import pytest

from app.server.draining import ELSEWHERE
from benchmarks.load import Round, new_sentence, others, spread, table, verdict
from benchmarks.visitor import Visitor
from tests.support.event_loop import run_coroutine

SHOWN = 'class="translation"'


def test_a_visitor_arrives_translates_opens_a_number_and_goes_to_another_screen(app_url: str) -> None:
    async def visit() -> list[str]:
        visitor = Visitor(app_url)
        answers = [
            await visitor.arrive(),
            await visitor.translate("There is a dog."),
            await visitor.open_number(),
            await visitor.go("beam"),
        ]
        await visitor.leave()
        return [answer.texts for answer in answers]

    arrived, translated, opened, searched = run_coroutine(visit())
    assert SHOWN in arrived
    assert SHOWN in translated
    assert "**Arithmetic** of the weight" in opened
    assert SHOWN not in opened  # a click draws the arithmetic alone
    assert "Greedy decoding" in searched


def test_who_is_cut_off_and_comes_to_another_server_keeps_what_was_typed_and_is_told(app_url: str) -> None:
    async def visit() -> tuple[str, str]:
        visitor = Visitor(app_url)
        await visitor.arrive({"sentence": "There is a dog."})
        await visitor.leave()
        visitor.session = "of-a-server-that-is-gone"
        await visitor.connect()
        back = await visitor.translate("There is a cat.")
        again = await visitor.translate("There is a red car.")
        await visitor.leave()
        return back.texts, again.texts

    async def plain() -> str:
        visitor = Visitor(app_url)
        answer = await visitor.arrive({"sentence": "There is a cat."})
        await visitor.leave()
        return answer.texts

    back, again = run_coroutine(visit())
    (translation,) = [line for line in run_coroutine(plain()).splitlines() if SHOWN in line]
    assert back.splitlines().count(translation) >= 1
    assert ELSEWHERE in back
    assert ELSEWHERE not in again


def test_sentences_are_new_and_as_long_as_is_said() -> None:
    chance = random.Random(1)
    sentences = {new_sentence(chance) for _ in range(2000)}
    assert len(sentences) > 1950
    assert {len(sentence.split()) for sentence in sentences} <= {9, 10}


def test_percentiles_are_those_of_all_times() -> None:
    assert spread([value / 100 for value in range(101)]) == pytest.approx((0.5, 0.95, 0.99))
    assert spread([3.0]) == (3.0, 3.0, 3.0)


def seen(visitors: int, seconds: float, times: list[float], failed: list[str]) -> Round:
    found = Round(visitors, every=1.0, seconds=seconds, failed=failed)
    found.times["translate"] = times
    found.received = [100_000] * len(times)
    return found


def test_the_answer_is_that_of_the_fastest_round_in_which_hardly_anybody_waited() -> None:
    few, many = seen(10, 10.0, [0.1] * 60, []), seen(40, 10.0, [1.5] * 100, [])
    assert verdict([few, many]).startswith("Good for 60 people who translate every 10 seconds")
    assert verdict([many]).startswith("Not good for a class: with 40 visitors")
    assert verdict([seen(10, 10.0, [0.1] * 60, ["cut off"])]).startswith("Not good")
    assert table([few]).rows[0][:5] == ("10", "100", "100", "100", "6.0")
    assert others([seen(1, 1.0, [0.1], ["a", "a"])])["failed (2 times)"] == "a"
