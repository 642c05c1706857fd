"""Results of a vote: counted, drawn over the options, and as a table for the teacher's file; and the class's stage."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

from regard.app.arithmetic.panel import step_through
from regard.app.classroom.questions import Asked
from regard.app.classroom.store import State, Votes, shared_store
from regard.app.models.traces import any_trace
from regard.app.theme import percent
from regard.app.ui.widgets import errors_shown
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit

OWN_WORDS = 3  # words of students' own that are named
STYLE = """<style>
.class-bars { display: flex; flex-wrap: wrap; gap: .5rem .75rem; list-style: none; margin: 0; padding: 0; }
.class-bars li { min-width: 2.75rem; max-width: 12rem; text-align: center; margin: 0; font-size: 1.125rem; }
.class-bars .columns { display: flex; justify-content: center; align-items: flex-end; gap: 3px; height: 6rem; }
.class-bars .columns span { width: 1.125rem; min-height: 1px; forced-color-adjust: none; }
.class-bars .first { background: #8fb8de; } .class-bars .last { background: #0072b2; }
.class-bars .machine { border: 2px solid #d55e00; box-sizing: border-box; }
.class-bars .right b { text-decoration: underline; text-decoration-color: #d55e00; text-decoration-thickness: 3px; }
.class-bars small { display: block; font-variant-numeric: tabular-nums; }
</style>"""
KEY = "Blue: the class{}.{}"
PALE = " (pale: the first vote)"
MACHINE = " Outlined in orange: the model."


def current_votes(code: str, state: State) -> list[Votes]:
    """Return the votes on the question on view, one round or two."""
    return [shared_store().votes(code, f"{len(state.questions)}.{round}") for round in range(1, state.round + 1)]


def counts(asked: Asked, votes: Votes) -> list[int]:
    """Return how many chose each option, and at the end how many wrote a word of their own."""
    found = Counter(asked.vote(value) for value in votes.values())
    return [found[place] for place in [*range(len(asked.options)), -1]]


def own_words(asked: Asked, votes: Votes) -> list[tuple[str, int]]:
    """Return the commonest words that are no option, with their counts."""
    return Counter(value.casefold() for value in votes.values() if asked.vote(value) < 0).most_common(OWN_WORDS)


def bars(asked: Asked, rounds: Sequence[Votes], revealed: bool) -> str:
    """Return the votes of one round or two as columns over the options, as HTML; with the machine's number of each if
    `revealed`."""
    counted_rounds = [counts(asked, votes) for votes in rounds]
    sums = [max(1, sum(found)) for found in counted_rounds]
    items = "".join(
        _item(
            option,
            [(found[place], found[place] / total) for found, total in zip(counted_rounds, sums, strict=True)],
            asked.shares[place] if revealed and asked.shares else None,
            revealed and place == asked.right,
        )
        for place, option in enumerate(asked.options)
    )
    words = ", ".join(f"“{escape(word)}” {count}×" for word, count in own_words(asked, rounds[-1]))
    others = f"<p>In their own words: {words}.</p>" if words else ""
    key = KEY.format(PALE if len(rounds) > 1 else "", MACHINE if revealed and asked.shares else "")
    return f'{STYLE}<ul class="class-bars">{items}</ul>{others}<p class="about">{key}</p>'


def _item(option: str, found: Sequence[tuple[int, float]], share: float | None, right: bool) -> str:
    names = ("last",) if len(found) == 1 else ("first", "last")
    columns = "".join(
        f'<span class="{name}" style="height:{share_of:.1%}"></span>'
        for name, (_, share_of) in zip(names, found, strict=True)
    )
    said = " → ".join(f"{part:.0%}" for _, part in found) + f" ({found[-1][0]})"
    machine = f'<span class="machine" style="height:{share:.1%}"></span>' if share is not None else ""
    numbers = f"<small>{said}</small>" + (f"<small>model {percent(share)}</small>" if share is not None else "")
    mark = ' class="right"' if right else ""
    drawn = f'<div class="columns" aria-hidden="true">{columns}{machine}</div>'
    return f"<li{mark}>{drawn}<b>{escape(option)}</b>{numbers}</li>"


COLUMNS = (
    "question", "kind", "text", "sentence", "model", "fingerprint", "step", "vote",
    "option", "count", "machine", "right",
)  # fmt: skip


def table(state: State, votes: Callable[[str], Votes]) -> str:
    """Return all questions with their counts as CSV; nobody is named. Cells that a spreadsheet would run as a formula
    begin with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for number, asked in enumerate(state.questions, 1):
        for round in (1, 2):
            found = votes(f"{number}.{round}")
            if round == 2 and not found:
                continue
            asking = number, asked.kind, asked.prompt
            facts = *asking, asked.sentence, asked.model, asked.fingerprint, asked.step, round
            chosen = counts(asked, found)
            shares = [f"{share:.6g}" for share in asked.shares] or [""] * len(asked.options)
            for place, option in enumerate(asked.options):
                row = (*facts, option, chosen[place], shares[place], "yes" if place == asked.right else "")
                writer.writerow(map(_cell, row))
            writer.writerow(map(_cell, (*facts, "(a word of their own)", chosen[-1], "", "")))
    return text.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def summary(state: State, mine: dict[str, str]) -> list[dict[str, str]]:
    """Return a student's own answers beside the machine's, a row for each question."""
    rows = []
    for number, asked in enumerate(state.questions, 1):
        value = mine.get(f"{number}.2", mine.get(f"{number}.1", ""))
        verdict = "—" if not value else "as the model" if asked.vote(value) == asked.right else "otherwise"
        rows.append({"Question": asked.prompt, "You": value or "no answer", "": verdict, "The model": asked.answer})
    return rows


def draw_stage(model: str, sentence: str, step: int) -> None:
    """Draw a translation from this step, counted from 1, for teacher and students alike; its numbers open for this
    visitor alone."""
    with errors_shown():
        trace = any_trace(model, sentence, "")
        opening = Question(sentence, model=model, step=step).opening(step, visit().question.rows)
        step_through([trace], opening, key="class-stage")
