"""The lesson: a path of short chapters, each with one idea, one prediction and one thing to try.

Reading order: screen, progress, contents, chapter, subject, `chapters/`, page, prediction, number_format,
paper_exercise, writing_exercise, importance_exercise, merged_words, step_picker, path, summary, teaching.
Title, text and task of each chapter are in `chapters.toml`, its picture is a value; its live part draws and returns the
question, so that the answer is computed from the numbers on screen.
"""
