"""The lesson: a path of short chapters, each with one idea, one prediction and one thing to try.

Reading order: screen, chapter, page, path; the chapters in encoder_chapters, attention_chapters, decoder_chapters and
limits_chapters; exercise, teaching. Title, text and task of each chapter are in `chapters.toml`; its functions ask the
question, from the numbers on screen, and draw the live part.
"""
