"""Stage: the stepper on one translation, alike on the teacher's screen and on the students'."""

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.stepper.mount import stepper
from regard.app.models.traces import any_trace
from regard.app.ui.widgets import errors_shown
from regard.app.visitor.pickers import asked_for, hear_rows, rows
from regard.app.visitor.question import Question


def draw_stage(model: str, sentence: str, step: int) -> None:
    """Draw a translation from this step, counted from 1; its numbers open for this visitor alone."""
    with errors_shown():
        trace = any_trace(model, sentence, "")
        stepper(
            [trace],
            Question(sentence, model=model, step=step).opening(step, rows()),
            posteriors=asked_for([trace]),
            key="class-stage",
            inspect=show_clicked,
            hear_rows=hear_rows,
        )
        arithmetic([trace])
