"""History of changes, to undo and redo: the present, what came before it, and what was taken back."""

from dataclasses import dataclass

from regard.model.changes.intervention import UNTOUCHED, Intervention

UNDO_STEPS = 200  # changes that can be taken back


@dataclass(frozen=True)
class History:
    """`past` ends with what can be undone next, `future` with what can be redone next."""

    present: Intervention = UNTOUCHED
    past: tuple[Intervention, ...] = ()
    future: tuple[Intervention, ...] = ()

    def changed(self, present: Intervention) -> "History":
        """With a new present; what was taken back is forgotten. The same present is no change."""
        if present == self.present:
            return self
        return History(present, (*self.past, self.present)[-UNDO_STEPS:])

    def undone(self) -> "History":
        """One change back, where there is one."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (*self.future, self.present))

    def redone(self) -> "History":
        """One change forth again, where one was taken back."""
        if not self.future:
            return self
        return History(self.future[-1], (*self.past, self.present), self.future[:-1])
