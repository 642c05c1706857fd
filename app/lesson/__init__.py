"""The lesson: a path of ten short chapters. Each has one idea, one thing to touch and one question to predict.

Reading order: progress, chapter, subject, then a chapter a module, chapters for their order, path and predict for the
page around them. A chapter's text and diagram are values; its live part draws and returns the question, so that what is
revealed is computed from the numbers that are on screen.
"""
