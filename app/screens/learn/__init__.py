"""The lesson: a path of eleven short chapters. Each has one idea, one thing to touch and one question to predict.

Reading order: screen, progress, contents, chapter, subject, `chapters/`, page, prediction, number_format,
paper_exercise, writing_exercise, step_picker, path, summary. A chapter's text and diagram are values; its live part
draws and returns the question, so that what is revealed is computed from the numbers that are on screen.
"""
