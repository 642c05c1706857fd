"""A person's changes in a translation: the value, the edits that make it, its history, and how it is applied.

An *edit* is one gesture, an *intervention* all that is changed, and *steering* its form as arrays that attention takes.
Reading order: intervention (the value, and the kinds of change that are its fields), what_if (applies all, and vectors
by hooks), rewording (words put in place of others, or typed), marks (in the stepper, and in words), session (edits,
made or refused, their history, and offers). The value loads without torch and is part of every trace.
`app/export/engine/changes.js` is its twin, without vectors.
"""
