"""An attack on a running server: hostile values in every parameter, field and component message of every screen."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.process_usage import processor_seconds
from benchmarks.server import ROOT
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.server.connections import MESSAGE_BYTES
from regard.app.server.error_boundary import MESSAGE
from regard.app.visitor.question import SUBJECT, VIEW
from tests.support.hostile_values import states, texts, triggers

NOT_FIELDS = ("download_button", "bidi_component", "plotly_chart")
OF_SCREEN = 24  # values of one round to the fields of a screen, and to its components
MEASURED_ONCE = ("alignment",)  # whoever first opens a story with a model has all its pairs fed to it, with a clock
RAW = ("<script>alert(1)", "<img src=x", "<svg/onload")  # of the values, as no page may have them in its own HTML
SCRIPTS = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py")]
NAMES = sorted(  # of a link's parameters
    {*SUBJECT, *VIEW, "nobody_knows", "score_I", "parts_love"}
    | {name for text in SCRIPTS for name in re.findall(r'(?:key=|query_params\.get\()"(\w+)"', text)}
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WITHIN = re.compile(r"[ │╭╰─]|\S*\.py:")  # lines of a traceback before the error


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
    reached: Counter[str] = field(default_factory=Counter)  # values that came to the code that they are about
    broken: Counter[str] = field(default_factory=Counter)  # pages of the attacker that ended in the plain message
    failed: list[str] = field(default_factory=list)
    dearest: tuple[float, str] = (0.0, "")  # processor seconds

    _opened: dict[str, tuple[WebsocketVisitor, Page]] = field(default_factory=dict)
    _visits: ExitStack = field(default_factory=ExitStack)

    def __exit__(self, *_: object) -> None:
        self._visits.close()

    def open(self, screen: str) -> None:
        """As anybody does: what is loaded and computed for the first time counts for nothing here."""
        visitor = self._visits.enter_context(WebsocketVisitor(self.url))
        self._opened[screen] = visitor, visitor.run(screen, f"model={self.model}")

    def screen(self, name: str, rounds: int) -> None:
        """Open a screen with hostile links, then send hostile states of the fields and components of the one opened."""
        for values in ([""], *[texts()] * rounds):
            self._link(name, values)
        _, page = self._opened[name]
        fields = [identity for identity, kind in page.widgets().items() if kind not in NOT_FIELDS]
        every = [state for identity in fields for state in self._hostile(identity, name)]
        self._send("fields", name, self.chance.sample(every, min(len(every), OF_SCREEN * rounds)))
        names = {element.bidi_component.id: element.bidi_component.component_name for element in page.components}
        said = [state for identity, component in names.items() for state in triggers(identity, component)]
        said += [state for identity in names for state in states(identity)]
        self._send("components", name, self.chance.sample(said, min(len(said), OF_SCREEN * rounds)))

    def _link(self, screen: str, values: Sequence[str]) -> None:
        """Open a link with every parameter that there is, each with one of the values."""
        query = ""
        while not query or len(query) > MESSAGE_BYTES // 2:  # the server would close the connection
            chosen = {name: self.chance.choice(values) for name in NAMES} | {"model": self.model}
            texts = {name: quote(text.encode("utf-8", "surrogatepass")) for name, text in chosen.items()}
            query = "&".join(f"{name}={text}" for name, text in texts.items())
        with WebsocketVisitor(self.url) as visitor:
            self.attempt(visitor, "links", screen, len(NAMES) - 1, query=query)

    def _hostile(self, identity: str, screen: str) -> list[WidgetState]:
        """The field of the model is emptied on the first screen alone: then the usual one, which is large, is asked."""
        emptied = identity.endswith("-model") and screen
        return [state for state in states(identity) if state.WhichOneof("value") or not emptied]

    def _send(self, kind: str, screen: str, hostile: Sequence[WidgetState]) -> None:
        """Send states one by one, since one that breaks the page hides the others; a broken page is left."""
        visitor, visits = None, ExitStack()
        for state in hostile:
            if visitor is None:
                visitor = visits.enter_context(WebsocketVisitor(self.url))
                visitor.run(screen, f"model={self.model}")
            page = self.attempt(visitor, kind, screen, 1, [state])
            if MESSAGE in page.words or page.closed:
                visits.close()
                visitor = None
        visits.close()

    def attempt(
        self,
        visitor: WebsocketVisitor,
        kind: str,
        screen: str,
        values: int,
        sent: Sequence[WidgetState] = (),
        query: str = "",
    ) -> Page:
        """Run a page, and note whether the values came there, what failed and what it cost."""
        before = processor_seconds(self.process)
        page = visitor.run(screen, query, sent)
        self.tried[kind] += values
        self.reached[kind] += 0 if page.closed else values
        self.broken[kind] += MESSAGE in page.words
        what = f"{kind} of {screen}: {query[:200]} {sent[-1] if sent else ''}"[:700]
        told = [place for place in self.places if place in page.words]
        if page.closed or page.exceptions or told or any(tag in body for body in _html(page) for tag in RAW):
            self.failed.append(f"{what}: {page.exceptions or told or ('closed' if page.closed else 'raw HTML')}")
        if screen not in MEASURED_ONCE:
            self.dearest = max(self.dearest, (processor_seconds(self.process) - before, what))
        return page


def _html(page: Page) -> list[str]:
    """Return the HTML of the page itself."""
    html = [element.html.body for element in page.elements if element.WhichOneof("type") == "html"]
    written = [element.markdown for element in page.elements if element.WhichOneof("type") == "markdown"]
    return html + [each.body for each in written if each.allow_html]


def tracebacks(log: Path) -> list[str]:
    """Return the last line of each traceback in a server's log, plain or drawn by rich in colours and a box."""
    text = _COLOUR.sub("", log.read_text(encoding="utf-8", errors="replace"))
    ends = (part.splitlines() for part in text.split("Traceback (most recent call last)")[1:])
    return [next((line for line in lines[1:] if line and not _WITHIN.match(line)), "") for lines in ends]
