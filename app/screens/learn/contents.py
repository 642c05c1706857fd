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

_ORDER = bottleneck, annotations, scoring, softmax, context, output, heatmap, wirings, limits, learning, transformers
CHAPTERS: tuple[Chapter, ...] = tuple(module.CHAPTER for module in _ORDER)
