"""The lesson's chapters: each with one idea, a prediction about the visitor's own sentence, and a picture.

Reading order: chapter, encoder_chapters, attention_chapters, decoder_chapters, limits_chapters; chapters has
them in order. Title, text and task of each are in `chapters.toml`; its functions ask the question, from the numbers on
screen, and draw the live part.
"""
