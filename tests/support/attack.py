"""An attack on a running server: hostile values in every parameter, field and component message of every screen.

Many values go in one message, for each is judged by itself; what passes is then what a screen is shown with.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.process_usage import processor_seconds
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.input_validation.browser_messages import MOST_STATES
from regard.app.input_validation.parameters import PARAMETERS
from tests.support.hostile_values import fitting_messages, link_files, states, texts, told, wrong_messages, zips
from tests.support.model_zips import packed

TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
OTHER_NAMES = ("score_I", "query_1", "parts_love", "module_seed", "module_step", "left_out", "nobody_knows", "a" * 3000)
NOT_FIELDS = ("download_button", "bidi_component", "plotly_chart")
MEASURED_ONCE = ("alignment",)  # whoever first opens a story with a model has all its pairs fed to it, with a clock
RAW = ("<script>alert(1)", "<img src=x", "<svg/onload")  # of the values, as no page may have them in its own HTML


@dataclass
class Attack(AbstractContextManager["Attack"]):
    """Attempts by kind; failures with an exception, a closed connection or raw HTML; the cost of answers. Keeps one
    visit to each opened screen until the block is left.
    """

    url: str
    process: int
    model: str  # a small one, so that what is measured is the border and not the model
    chance: random.Random
    places: tuple[str, ...] = ()  # folders of the server that no visitor is told of
    tried: Counter[str] = field(default_factory=Counter)  # values
    sent: Counter[str] = field(default_factory=Counter)  # messages, each of many values
    failed: list[str] = field(default_factory=list)
    dearest: list[tuple[float, str]] = field(default_factory=list)  # processor seconds

    _opened: dict[str, tuple[WebsocketVisitor, Page]] = field(default_factory=dict)
    _visits: ExitStack = field(default_factory=ExitStack)

    def __exit__(self, *_: object) -> None:
        self._visits.close()

    def open(self, screen: str) -> None:
        """As anybody does: what is loaded and computed for the first time counts for nothing here."""
        visitor = self._visits.enter_context(WebsocketVisitor(self.url))
        self._opened[screen] = visitor, visitor.run(screen, f"model={self.model}")

    def screen(self, name: str, links: int, rounds: int) -> None:
        """Open a screen with hostile links, then say hostile things of the fields and components of the one opened."""
        self.links(name, links)
        visitor, page = self._opened[name]
        self.fields(visitor, name, page, rounds)
        self.components(visitor, name, page, rounds)

    def links(self, screen: str, count: int) -> None:
        """Links with every parameter that there is: without any value, then each with another from link to link."""
        values, names = texts(), [name for name in (*PARAMETERS, *OTHER_NAMES) if name != "model"]
        for number in range(count + 1):
            chosen = [self.chance.choice(values) if number else "" for _ in names]
            query = "&".join(f"{quote(name)}={_quoted(text)}" for name, text in zip(names, chosen, strict=True))
            with WebsocketVisitor(self.url) as visitor:
                self._try(visitor, "links", screen, len(names), query=f"{query}&model={self.model}")

    def fields(self, visitor: WebsocketVisitor, screen: str, page: Page, rounds: int) -> None:
        """Every field with every state; of those that fit in one message the last one counts."""
        ids = [identity for identity, kind in page.widgets().items() if kind not in NOT_FIELDS]
        hostile = {identity: self._shuffled(identity, screen) for identity in ids}
        share = -(-max(map(len, hostile.values()), default=0) // rounds)
        for turn in range(rounds):
            sent = [state for every in hostile.values() for state in every[turn * share : (turn + 1) * share]]
            for start in range(0, len(sent), MOST_STATES):
                some = sent[start : start + MOST_STATES]
                self._try(visitor, "fields", screen, len(some), some)

    def _shuffled(self, identity: str, screen: str) -> list[WidgetState]:
        """The field of the model is emptied on the first screen alone: then the usual one, which is large, is asked."""
        every = list(states(identity))
        if identity.endswith("-model") and screen:
            every = [state for state in every if state.WhichOneof("value")]
        return self.chance.sample(every, len(every))

    def components(self, visitor: WebsocketVisitor, screen: str, page: Page, rounds: int) -> None:
        """Every component with every message that is none, all in one, and in turn with some that are of its type."""
        names = {element.bidi_component.id: element.bidi_component.component_name for element in page.components}
        wrong = [state for identity in names for state in (*states(identity), *_triggers(identity, wrong_messages()))]
        for start in range(0, len(wrong), MOST_STATES):
            sent = wrong[start : start + MOST_STATES]
            self._try(visitor, "components", screen, len(sent), sent)
        for identity, name in names.items():
            fitting = [*_triggers(identity, fitting_messages(name))]
            for state in islice(fitting, 0, None, max(1, len(fitting) // (4 * rounds))):
                self._try(visitor, "components", screen, 1, [state])

    def zips(self, contents: Mapping[str, bytes]) -> None:
        """Fifty files for the field that takes a model."""
        with WebsocketVisitor(self.url) as visitor:
            page = visitor.run("model_import")
            for number, content in enumerate((packed(contents), *zips(contents))):
                field, *_ = _files(page)
                page = self._try(visitor, "zips", "model_import", 1, [visitor.upload(field, f"{number}.zip", content)])
                if number == 0 and "Open in the stepper" not in page.text:
                    self.failed.append("a good zip was not taken")

    def link_files(self) -> None:
        """Fifty files for the field that takes attention of other programs."""
        with WebsocketVisitor(self.url) as visitor:
            query = f"model={self.model}&opened_from=A+file"
            page = visitor.run("attention_files", query)
            for name, content in link_files():
                field, *_ = _files(page)
                sent = [visitor.upload(field, name, content)]
                page = self._try(visitor, "attention files", "attention_files", 1, sent, query)

    def protocol(self) -> None:
        """Send invalid messages, after which the server must still be there."""
        for said in (b"", b"\xff\xff\xff", b"\x00" * 1000, "a text", b"\x08\x01", b"\x5a\x04" + b"\xff" * 4):
            with WebsocketVisitor(self.url) as visitor:
                visitor.send(said)
                self.tried["protocol"] += 1
                self.sent["protocol"] += 1
        with WebsocketVisitor(self.url) as visitor:
            self._try(visitor, "protocol", "glossary", 1)

    def _try(
        self,
        visitor: WebsocketVisitor,
        kind: str,
        screen: str,
        values: int,
        sent: list[WidgetState] | None = None,
        query: str = "",
    ) -> Page:
        before = processor_seconds(self.process)
        page = visitor.run(screen, query, sent or [])
        self.tried[kind] += values
        self.sent[kind] += 1
        what = f"{kind} of {screen}: {query[:200]} {sent[-1] if sent and len(sent) == 1 else ''}"[:700]
        words = page.words
        told = [place for place in self.places if place in words]
        if page.closed or page.exceptions or raw(page) or told:
            self.failed.append(f"{what}: {page.exceptions or told or ('closed' if page.closed else 'raw HTML')}")
        cost = processor_seconds(self.process) - before
        if screen not in MEASURED_ONCE:
            self.dearest = sorted([*self.dearest, (cost, what)], reverse=True)[:5]
        return page


def raw(page: Page) -> bool:
    """True if a value came out as HTML of the page itself."""
    written = [element.html.body for element in page.elements if element.WhichOneof("type") == "html"]
    written += [
        each.markdown.body
        for each in page.elements
        if each.WhichOneof("type") == "markdown" and each.markdown.allow_html
    ]
    return any(tag in body for body in written for tag in RAW)


def tracebacks(log: Path) -> list[str]:
    """The last lines of those in a server's log."""
    text = log.read_text(encoding="utf-8", errors="replace")
    ends = (part.splitlines() for part in text.split("Traceback (most recent call last):")[1:])
    return [next((line for line in lines[1:] if line and not line.startswith(" ")), "") for lines in ends]


def _triggers(identity: str, messages: Iterable[tuple[str, object]]) -> Iterator[WidgetState]:
    return (WidgetState(id=TRIGGERS.format(identity), json_trigger_value=text) for text in told(messages))


def _files(page: Page) -> list[str]:
    return [identity for identity, kind in page.widgets().items() if kind == "file_uploader"]


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"))
