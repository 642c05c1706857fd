"""History of changes: the present intervention, earlier ones, and those that were undone."""

from dataclasses import dataclass

from regard.model.changes.intervention import UNTOUCHED, Intervention

UNDO_STEPS = 200  # past interventions kept


@dataclass(frozen=True)
class History:
    """`past` ends with the next intervention to undo to, `future` with the next one to redo."""

    present: Intervention = UNTOUCHED
    past: tuple[Intervention, ...] = ()
    future: tuple[Intervention, ...] = ()

    def changed(self, present: Intervention) -> "History":
        """Return the history with a new present and an empty future; an equal present changes nothing."""
        if present == self.present:
            return self
        return History(present, (*self.past, self.present)[-UNDO_STEPS:])

    def undone(self) -> "History":
        """Return the history one change back, if there is one."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (*self.future, self.present))

    def redone(self) -> "History":
        """Return the history with the last undone change made again, if there is one."""
        if not self.future:
            return self
        return History(self.future[-1], (*self.past, self.present), self.future[:-1])
