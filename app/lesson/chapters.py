"""The chapters in the order of the lesson, for its pages and for the questions of a class."""

from regard.app.lesson.attention_chapters import CONTEXT, SCORING, SOFTMAX
from regard.app.lesson.chapter import Chapter
from regard.app.lesson.decoder_chapters import HEATMAP, OUTPUT, TWO_WIRINGS
from regard.app.lesson.encoder_chapters import ANNOTATIONS, BOTTLENECK
from regard.app.lesson.limits_chapters import LEARNING, LIMITS, TRANSFORMERS

CHAPTERS: tuple[Chapter, ...] = (
    BOTTLENECK, ANNOTATIONS, SCORING, SOFTMAX, CONTEXT, OUTPUT, HEATMAP, TWO_WIRINGS, LIMITS, LEARNING, TRANSFORMERS,
)  # fmt: skip
