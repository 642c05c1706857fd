"""The chapters of the lesson, in their order."""

from app.lesson import (
    annotations,
    bottleneck,
    context,
    heatmap,
    limits,
    output,
    scoring,
    softmax,
    transformers,
    wirings,
)
from app.lesson.chapter import Chapter

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
    transformers.CHAPTER,
)
