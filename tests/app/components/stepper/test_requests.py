"""While a sentence is typed its finished words are asked; one question at a time, the newest next."""

import json

import pytest

from tests.support.javascript import STEPPER, evaluated

NAMES = {STEPPER / "requests.js": "finished, typingOf"}
BROWSER = """
const timers = new Map();
let count = 0;
Object.assign(globalThis, {
  setTimeout: (act, after) => timers.set(count += 1, [act, after]) && count,
  clearTimeout: (timer) => timers.delete(timer),
  document: { createElement: () => ({ setAttribute() {}, append() {}, addEventListener() {} }) },
});
const pass = (longest) => [...timers].forEach(([timer, [act, after]]) =>
  after <= longest && timers.delete(timer) && act());
const asked = [];
const typing = typingOf((words, number) => asked.push([words, number]));
const type = (text) => { typing.typed(text); pass(200); };
const answer = (room = true) => typing.answered(asked.at(-1)[1], room);
"""


def asked(*acts: str) -> list[str]:
    """Return what was asked after these acts of a visitor and a server."""
    return [words for words, _ in evaluated("asked", NAMES, BROWSER + ";".join(acts))]


@pytest.mark.parametrize(
    ("text", "words"), [("She ha", "She"), ("She has gone.", "She has gone."), ("She has gone. The", "She has gone.")]
)
def test_a_word_is_left_out_until_its_blank_or_the_mark_that_ends_it(text: str, words: str) -> None:
    assert evaluated(f"finished({json.dumps(text)})", NAMES) == words


def test_one_question_is_under_way_and_the_newest_is_next() -> None:
    typed = ['type("a ")', 'type("a b ")', 'type("a b c ")']
    assert asked(*typed) == ["a"]
    assert asked(*typed, "answer()") == ["a", "a b c"]
    assert asked(*typed, "answer()", "answer()") == ["a", "a b c"]


def test_words_that_were_asked_are_not_asked_again() -> None:
    assert asked('type("a ")', "answer()", 'type("a b")', 'type("a bc")') == ["a"]


def test_without_room_the_newest_is_asked_again_later_and_later() -> None:
    busy = ['type("a ")', "answer(false)", 'type("a b ")']
    assert asked(*busy) == ["a"]
    assert asked(*busy, "pass(2000)") == ["a", "a b"]
    assert asked(*busy, "pass(2000)", "answer(false)", "pass(2000)") == ["a", "a b"]
    assert asked(*busy, "pass(2000)", "answer(false)", "pass(4000)") == ["a", "a b", "a b"]


def test_what_is_entered_is_not_asked_as_words_too() -> None:
    assert asked('typing.typed("a ")', "typing.entered()", "pass(9000)") == []
    assert asked('type("a ")', "answer(false)", "typing.entered()", "pass(9000)", 'type("b ")') == ["a", "b"]


def test_changes_are_sent_until_they_were_heard() -> None:
    told = evaluated(
        "(() => { const told = []; const { send, heard } = sender((all) => told.push(all));"
        "send({ kind: 'undo' }); send({ kind: 'undo' }); heard(told[0][0].number); send({ kind: 'redo' });"
        "return told; })()",
        {STEPPER / "requests.js": "sender"},
    )
    assert [[change["kind"] for change in changes] for changes in told] == [
        ["undo"],
        ["undo", "undo"],
        ["undo", "redo"],
    ]
    numbers = [change["number"] for change in told[1]]
    assert numbers[0] < numbers[1] < told[2][1]["number"]
