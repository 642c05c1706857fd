"""Subject of the lesson: the visitor's own sentence, translated by a model with attention."""

from dataclasses import dataclass, replace

from regard.app.models.models import attends
from regard.app.models.registry import alike, recurrent_names
from regard.app.models.traces import trace
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import answerable, readable, visit
from regard.app.visitor.suggestions import opening
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace


@dataclass(frozen=True)
class Subject:
    """A model and the trace of its own translation, even if the visitor gave one on another screen."""

    model: Pretrained
    trace: Trace

    @property
    def sentence(self) -> str:
        return self.trace.alignment.source.text


def teacher(asked: Question) -> Pretrained:
    """Return the visitor's model if it has attention and a sentence, else another, of its languages if possible."""
    names = [asked.model, *alike(asked.model), *recurrent_names()]
    able = (name for name in names if attends(name) and (opening(name) or visit().answered))
    return readable(next(able, asked.model))


def subject(asked: Question, model: Pretrained, told: bool) -> Subject:
    """Return the visitor's sentence, or the example if theirs cannot be read; `told` shows the error message."""
    question = answerable(asked, model) if told else visit().answered
    sentence = (question or replace(asked, sentence=opening(model.name))).sentence
    return Subject(model, trace(model.name, sentence, ""))
