"""Chapter 7: all weights of a translation at once, and which word a row belongs to."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from regard.app.figures import heatmap as figure
from regard.app.figures.lesson import rows
from regard.app.models.models import scores
from regard.app.screens.learn.chapter import TEXTS, Chapter, Diagram, Prediction
from regard.app.screens.learn.merged_words import with_pieces
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component
from regard.app.ui.plots import plot
from regard.app.ui.widgets import segments
from regard.app.wording import plain_markdown
from regard.model.alignment import ROWS, Alignment, token_label
from regard.model.evaluation import scores_record
from regard.model.words import END

NAMES = {"output": "the word produced", "input": "the word fed in"}
CLOSE = 0.02  # of two error rates
VERDICTS = (  # for each right option: the correction of another choice, and the explanation
    (
        "The word produced does better here.",
        "So these rows should not be read as Luong and his colleagues read theirs: which reading fits depends on how a "
        "model learned to look, and has to be measured.",
    ),
    (
        "The word fed in does better here.",
        "So this model's rows should be read as footnote 14 says: one word earlier.",
    ),
    ("They differ less than that.", "So for this model neither reading is clearly the better one."),
)


def live(lesson: Subject) -> Prediction | None:
    alignment = lesson.trace.alignment
    chosen = segments("A row is named by", {name: NAMES[name] for name in ROWS}, ROWS[0], "named")
    with_pieces(alignment)
    plot(figure.heatmap(alignment, "tokens", chosen or ROWS[0]), "rows", "Weights by decoder step and source token")
    measured = _measured(scores(lesson.model.name))
    return _which_reading(measured, alignment) if measured else _what_moves(alignment)


def _measured(measures: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return how well both readings agree with people's links over all stories; empty if never measured."""
    overall = scores_record.agreement(measures)
    return overall if all("aer" in overall.get(rows, {}) for rows in ROWS) else {}


def _which_reading(measured: Mapping[str, Any], alignment: Alignment) -> Prediction:
    produced, fed = (measured[rows]["aer"] for rows in ROWS)
    right = 2 if abs(produced - fed) <= CLOSE else 0 if produced < fed else 1
    text, why = VERDICTS[right]
    return Prediction(
        "For the model here, the links that its weights propose were compared with those that people drew. Which name "
        "for a row gives the lower error rate?",
        ("The word produced", "The word fed in", f"No matter: they differ by {component(CLOSE)} at most"),
        right,
        f"Over {measured['pairs']} sentence pairs the alignment error rate, from 0 (all agree) to 1, is "
        f"**{component(produced)}** for the word produced and **{component(fed)}** for the word fed in. "
        + _peak(alignment),
        why,
        (text,) * 3,
    )


def _peak(alignment: Alignment) -> str:
    """Describe the brightest cell of the reader's own sentence, the row of `</s>` left out."""
    ended = len(alignment.weights) > 1 and alignment.target.tokens[-1] == END
    weights = alignment.weights[:-1] if ended else alignment.weights
    step, position = np.unravel_index(weights.argmax(), weights.shape)
    made, fed = alignment.target.tokens[step], alignment.fed()[step]
    source = alignment.source.tokens[position]
    return (
        f"See the brightest cell of your own sentence, the last row left out: there the model reads {_quoted(fed)}, "
        f"produces {_quoted(made)} and looks at {_quoted(source)}."
    )


def _what_moves(alignment: Alignment) -> Prediction:
    drawn: list[Any] = [figure.heatmap(alignment, "tokens", rows).data[0] for rows in ROWS]
    tables = [np.array(one.z) for one in drawn]
    apart = float(np.abs(tables[1] - tables[0]).max())
    return Prediction(
        "You name the rows by the word fed in. What happens to the numbers in the table?",
        ("All are computed again", "They stay; only the names move down by one", "The columns change places"),
        1,
        f"The greatest difference between the two tables is **{component(apart)}**.",
        "A row is a step, whatever it is called; the names alone move.",
        ("Another name needs no new computation.", "", "The columns are the source tokens under both names."),
    )


def _quoted(token: str) -> str:
    return f"“{plain_markdown(token_label(token))}”"


CHAPTER = Chapter(
    **TEXTS["heatmap"],
    picture=Diagram(
        rows,
        "A grid with a column for each source word; each row has the word produced on its left and the word fed "
        "in, one place behind, on its right",
    ),
    live=live,
    own=True,
)
