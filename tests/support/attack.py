"""An attack on a running server: hostile values in every parameter, field and component message of every screen.

Many values go in one message, for each is judged by itself; what passes is then what a screen is shown with.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.process_usage import processor_seconds
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.input_validation.link_parameters import LONGEST_QUERY, PARAMETERS
from regard.app.server.error_boundary import MESSAGE
from tests.support.hostile_values import fitting_messages, link_files, states, texts, told, wrong_messages, zips
from tests.support.model_zips import packed

TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
OTHER_NAMES = ("score_I", "query_1", "parts_love", "module_seed", "module_step", "left_out", "nobody_knows", "a" * 3000)
NOT_FIELDS = ("download_button", "bidi_component", "plotly_chart")
ZIPS = 5  # of one visit
OF_SCREEN = 24  # values of one round to the fields of a screen, and to its components
MEASURED_ONCE = ("alignment",)  # whoever first opens a story with a model has all its pairs fed to it, with a clock
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WITHIN = re.compile(r"[ │╭╰─]|\S*\.py:")  # lines of a traceback before the error
RAW = ("<script>alert(1)", "<img src=x", "<svg/onload")  # of the values, as no page may have them in its own HTML


@dataclass
class Attack(AbstractContextManager["Attack"]):
    """Attempts by kind; failures with an exception, a closed connection or raw HTML; the cost of answers. Keeps one
    visit to each opened screen until the block is left."""

    url: str
    process: int
    model: str  # a small one, so that what is measured is the border and not the model
    chance: random.Random
    places: tuple[str, ...] = ()  # folders of the server that no visitor is told of
    tried: Counter[str] = field(default_factory=Counter)  # values
    sent: Counter[str] = field(default_factory=Counter)  # messages, each of many values
    reached: Counter[str] = field(default_factory=Counter)  # values that came to the code that they are about
    broken: Counter[str] = field(default_factory=Counter)  # pages of the attacker that ended in the plain message
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
        _, page = self._opened[name]
        self.fields(name, page, rounds)
        self.components(name, page, rounds)

    def links(self, screen: str, count: int) -> None:
        """Links with every parameter that there is: without any value, then each with another from link to link."""
        names = [*PARAMETERS, *OTHER_NAMES]
        for number in range(count + 1):
            query = self._query(names, texts() if number else ("",))
            while len(query) > LONGEST_QUERY:  # the server would read nothing of it
                query = self._query(names, texts())
            with WebsocketVisitor(self.url) as visitor:
                self._try(visitor, "links", screen, len(names) - 1, query=query)

    def _query(self, names: Sequence[str], values: Sequence[str]) -> str:
        chosen = {name: self.chance.choice(values) for name in names} | {"model": self.model}
        return "&".join(f"{quote(name)}={_quoted(text)}" for name, text in chosen.items())

    def fields(self, screen: str, page: Page, rounds: int) -> None:
        """Send a sample of the hostile states of the screen's fields."""
        ids = [identity for identity, kind in page.widgets().items() if kind not in NOT_FIELDS]
        every = [state for identity in ids for state in self._hostile(identity, screen)]
        self._send("fields", screen, self.chance.sample(every, min(len(every), OF_SCREEN * rounds)))

    def _hostile(self, identity: str, screen: str) -> list[WidgetState]:
        """The field of the model is emptied on the first screen alone: then the usual one, which is large, is asked."""
        every = list(states(identity))
        if identity.endswith("-model") and screen:
            every = [state for state in every if state.WhichOneof("value")]
        return every

    def components(self, screen: str, page: Page, rounds: int) -> None:
        """Send a sample of messages to the screen's components, of which half are of a right type."""
        names = {element.bidi_component.id: element.bidi_component.component_name for element in page.components}
        wrong = [state for identity in names for state in (*states(identity), *_triggers(identity, wrong_messages()))]
        right = [state for identity, name in names.items() for state in _triggers(identity, fitting_messages(name))]
        for some in (wrong, right):
            self._send("components", screen, self.chance.sample(some, min(len(some), OF_SCREEN * rounds // 2)))

    def _send(self, kind: str, screen: str, hostile: Sequence[WidgetState]) -> None:
        """Send states one by one, since one that breaks the page hides the others; a broken page is left."""
        query, visits = f"model={self.model}", ExitStack()
        visitor = None
        for state in hostile:
            if visitor is None:
                visitor = visits.enter_context(WebsocketVisitor(self.url))
                visitor.run(screen, query)
            page = self._try(visitor, kind, screen, 1, [state])
            if MESSAGE in page.words:
                self.broken[kind] += 1
            if MESSAGE in page.words or page.closed:
                visits.close()
                visitor = None
        visits.close()

    def zips(self, contents: Mapping[str, bytes]) -> None:
        """Fifty files for the field that takes a model, some of each visit: it may hold six models."""
        files = [packed(contents), *zips(contents)]
        for start in range(0, len(files), ZIPS):
            visitor = self._visits.enter_context(WebsocketVisitor(self.url))
            page = visitor.run("model_import")
            for number, content in enumerate(files[start : start + ZIPS], start):
                *_, field = _files(page)  # there is another one after each file
                sent = [visitor.upload(field, f"{number}.zip", content)]
                page = self._try(visitor, "zips", "model_import", 1, sent, arrived=visitor.arrived)
                taken, told = "Open in the stepper" in page.text, f"{number}.zip was refused" in page.words
                self.reached["zips"] -= visitor.arrived and not (taken or told)
                if number == 0 and not taken:
                    self.failed.append("a good zip was not taken")

    def link_files(self) -> None:
        """Fifty files for the field that takes attention of other programs."""
        with WebsocketVisitor(self.url) as visitor:
            query = f"model={self.model}&opened_from=A+file"
            page = visitor.run("attention_files", query)
            for name, content in link_files():
                field, *_ = _files(page)
                sent = [visitor.upload(field, name, content)]
                page = self._try(visitor, "attention files", "attention_files", 1, sent, query, visitor.arrived)

    def protocol(self) -> None:
        """Send invalid messages, after which the server must still be there."""
        for said in (b"", b"\xff\xff\xff", b"\x00" * 1000, "a text", b"\x08\x01", b"\x5a\x04" + b"\xff" * 4):
            with WebsocketVisitor(self.url) as visitor:
                visitor.send(said)
                self.tried["protocol"] += 1
                self.sent["protocol"] += 1
                page = visitor.run("glossary")  # it is refused, or nothing to the server
                self.reached["protocol"] += page.closed or not page.exceptions
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
        arrived: bool = True,
    ) -> Page:
        before = processor_seconds(self.process)
        page = visitor.run(screen, query, sent or [])
        self.tried[kind] += values
        self.sent[kind] += 1
        self.reached[kind] += values if arrived and not page.closed else 0
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
    """Return the last line of each traceback in a server's log, plain or drawn by rich in colours and a box."""
    text = _COLOUR.sub("", log.read_text(encoding="utf-8", errors="replace"))
    ends = (part.splitlines() for part in text.split("Traceback (most recent call last)")[1:])
    return [next((line for line in lines[1:] if line and not _WITHIN.match(line)), "") for lines in ends]


def _triggers(identity: str, messages: Iterable[tuple[str, object]]) -> Iterator[WidgetState]:
    return (WidgetState(id=TRIGGERS.format(identity), json_trigger_value=text) for text in told(messages))


def _files(page: Page) -> list[str]:
    return [identity for identity, kind in page.widgets().items() if kind == "file_uploader"]


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"))
