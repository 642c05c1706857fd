"""A changed trace, and a browser's view of a document, for the tests of the page."""

import json
from html.parser import HTMLParser

from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from tests.support.javascript import APP, STEPPER, evaluated

SENTENCE = "I don't love the red car."
CHANGED = Intervention(
    words=((4, "very old"),), tokens=((1, 300),), hidden=(0,), bonus=((0, 2, 1.5),), temperature=2.0,
    weights=((2, (0.0,) * 3 + (1.0,)),),
)  # fmt: skip


class Parts(HTMLParser):
    """The parts of a document as a browser sees them: attributes of every element, and the text in each, by tag."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.text: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.append((tag, dict(attrs)))
        self.text.setdefault(tag, []).append("")
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open:
            self.text[self._open[-1]][-1] += data

    def values(self, name: str) -> list[str | None]:
        """Those of an attribute, wherever it is."""
        return [attributes[name] for _, attributes in self.attributes if name in attributes]

    @property
    def data(self) -> dict:
        return json.loads(self.text["script"][0])


def told_by_page(document: str, asked: list[dict[str, str | int]]) -> list[dict[str, str]]:
    """Return what the page's own script says about numbers."""
    given = f"const given = {Parts(document).text['script'][0]};\nconst traces = given.traces.map(open);"
    told = f"{json.dumps(asked)}.map((one) => numberOf(traces[one.trace], one, given.numbers))"
    return evaluated(told, {APP / "export" / "number.js": "numberOf", STEPPER / "trace_reading.js": "open"}, given)


def changed(model: Pretrained, given: str = "") -> Trace:
    """With a row of weights that is as long as the changed sentence."""
    length = len(what_if.translate(model, SENTENCE, Intervention(words=CHANGED.words)).source)
    row = tuple(float(position == 1) for position in range(length))
    return what_if.translate(
        model,
        SENTENCE,
        Intervention(CHANGED.words, CHANGED.tokens, ((2, row),), (0,), CHANGED.bonus, CHANGED.temperature),
        given,
    )
