"""A person's changes in a translation: the value, the edits that make it, its history, and how it is applied.

An *edit* is one gesture, an *intervention* all that is changed, and *steering* its form as arrays that attention takes.
Reading order: head_changes, intervention (the value), vectors (replaced or read by hooks), what_if
(applies all), rewording, forced_text, edits (and rounds weights to 1/10,000), history, change_text (describes changes),
session (tries edits, keeps or refuses them), change_marks (marks changes in the stepper), offers (further changes). The
value loads without torch and is part of every trace. `app/export/engine/changes/` is the twin of this folder, without
vectors.
"""
