"""The lesson: a path of short chapters, each with one idea, one prediction and one thing to try.

Reading order: screen, page, path, teaching; the chapters are in `app/lesson/`.
"""
