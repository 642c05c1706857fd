"""The chapters of the lesson, in their order."""

from regard.app.screens.learn.chapter import Chapter
from regard.app.screens.learn.chapters import (
    annotations,
    bottleneck,
    context,
    heatmap,
    learning,
    limits,
    output,
    scoring,
    softmax,
    transformers,
    wirings,
)

CHAPTERS: tuple[Chapter, ...] = (
    bottleneck.CHAPTER,
    annotations.CHAPTER,
    scoring.CHAPTER,
    softmax.CHAPTER,
    context.CHAPTER,
    output.CHAPTER,
    heatmap.CHAPTER,
    wirings.CHAPTER,
    limits.CHAPTER,
    learning.CHAPTER,
    transformers.CHAPTER,
)
