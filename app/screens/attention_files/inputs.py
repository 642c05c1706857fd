"""Inputs: an example, a file or pasted text, and how to read it; and whether a model of this server made a trace."""

import re
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
import streamlit as st

from regard.app.models.models import any_pretrained
from regard.app.models.registry import model_names
from regard.app.models.traces import any_trace, trace, unreadable
from regard.app.ui.widgets import ScreenHead, segments, select
from regard.app.visitor.question import Question
from regard.app.visitor.suggestions import to_try
from regard.app.wording import plain_markdown
from regard.model.archive import to_json
from regard.model.checkpoint import Pretrained
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.formats import FORMATS, ReadFile, read
from regard.model.soft_alignments.record import File, SecondFile
from regard.model.soft_alignments.tokens import joined
from regard.model.trace import AnyTrace

PAGE = Path(__file__).with_name("formats.md")
WAYS = {"example": "An example", "file": "A file", "text": "Pasted text"}
TITLES = {name: known.title for name, known in FORMATS.items()}
SOURCES = "Source sentences, one per line (optional)"
HELP = "For formats without the source. Each line holds the source, or source ||| target, in tokens."
ANOTHER = "The same sentences of another program (optional)"
BESIDE = "In any format. Both are drawn side by side, with the difference of their weights."
ITSELF = ""  # recognise the format
COUNTED = {"": "automatically", "0": "0", "1": "1"}
EXAMPLE_SOURCE, EXAMPLE_TARGET = "I love you .", "je t@@ ' aime ."  # of the examples in formats.md
UNWORDED = ("pharaoh", "naacl")  # formats without words of either side
TRACES = 3  # sentences in the example of our own traces
KEPT = 4  # inputs of all visitors that are kept as they were read; others are read again
PASTED = 120_000  # characters of a text; the browser sends both again with each click, up to 300 kB
SHOWN_CHARACTERS = 1600  # characters of an example's file on screen


_reading = Lock()


class Brought(NamedTuple):
    """The input to read; `sentences` is the second file, empty if none was given."""

    name: str
    content: bytes
    format: str
    sentences: bytes
    first: int | None = None  # from which links count
    ours: bool = False
    another: tuple[str, bytes] | None = None  # the name and contents of a file to compare with

    @property
    def called(self) -> str:
        """The input's name; our own examples are called examples."""
        return f"an example of ours, {self.name}" if self.ours else self.name


def bring(top: ScreenHead, question: Question, model: Pretrained) -> Brought | None:
    """Draw the fields and return their contents, or None while there are none."""
    with top.row:
        way = segments("Open", WAYS, "example", "opened_from", bare=True)
        if way == "example":
            return _example(question, model)
        chosen = select("Format", {ITSELF: "detect automatically", **TITLES}, ITSELF, "read_as", width=280, bare=True)
        first = ""
        if chosen == ITSELF or FORMATS[chosen].counted:
            first = segments("Links counted from", COUNTED, "", "counted_from")
    counted = int(first) if first else None
    return _file(chosen, counted) if way == "file" else _text(chosen, counted)


def read_it(brought: Brought) -> ReadFile:
    """Read the input, once for several runs of the page. Raises InputError naming file, line and reason."""
    found = _read(brought._replace(another=None))
    st.session_state.read_key = hash(brought[:5])
    return found


def read_another(brought: Brought, first: ReadFile) -> ReadFile | None:
    """Read the file to compare with, if there is one; it takes the words that it lacks from the first. Raises
    InputError naming file, line and reason."""
    if brought.another is None:
        return None
    name, content = brought.another
    sentences = brought.sentences
    if not first.left_out:  # otherwise the lines do not correspond
        sides = ((one.alignment.source, one.alignment.target) for one in first.sentences)
        sentences = "\n".join(" ||| ".join(" ".join(joined(side)) for side in both) for both in sides).encode()
    return _read(brought._replace(name=name, content=content, format=ITSELF, sentences=sentences, another=None))


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _read(brought: Brought) -> ReadFile:
    """Read an input, one at a time. A visit would keep it until minutes after its end, and a file of equal links of
    19 MB takes 70 MB while it is read and 15 MB afterwards."""
    with _reading:
        second = SecondFile(File.decode("the source sentences", brought.sentences), brought.first)
        return read(brought.name, brought.content, brought.format, second)


@cache
def examples() -> dict[str, str]:
    """Return the example of each format that formats.md has, in the order of `FORMATS`."""
    blocks = re.findall(r"^```\w+\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return dict(zip((name for name in FORMATS if name != "trace"), blocks, strict=True))


def example(question: Question, model: Pretrained, name: str) -> Brought:
    """Return the example of a format: for a trace, translations of the last sentence asked and of others to try."""
    if name == "trace":
        offered = dict.fromkeys((question.sentence, *to_try(model).values()))
        sentences = [text for text in offered if not unreadable(model.name, text)][:TRACES]
        lines = "".join(f"{to_json(trace(model.name, text, ''))}\n" for text in sentences)
        return Brought("trace.jsonl", lines.encode(), name, b"", ours=True)
    second = f"{EXAMPLE_SOURCE} ||| {EXAMPLE_TARGET}" if name in UNWORDED else EXAMPLE_SOURCE
    sentences = second.encode() if FORMATS[name].needs_source else b""
    return Brought(f"{name}.txt", examples()[name].encode(), name, sentences, ours=True)


def _example(question: Question, model: Pretrained) -> Brought:
    name = select("In the format of", TITLES, next(iter(TITLES)), "written_as", width=280, bare=True)
    brought = example(question, model, name)
    text = brought.content.decode()
    with st.popover("See the file", icon=":material/description:", width="content"):
        st.caption(plain_markdown(f"As {FORMATS[name].option} writes it."))
        st.code(text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else ""), language=None, wrap_lines=True)
        if brought.sentences:
            st.caption("The source sentences, which this format does not have, come in a second file:")
            st.code(brought.sentences.decode(), language=None, wrap_lines=True)
    return brought


def _file(chosen: str, first: int | None) -> Brought | None:
    left, middle, right = st.columns(3)
    most = ATTENTION_BYTES // 10**6
    file = left.file_uploader("File with attention or links", key="foreign_file", max_upload_size=most)
    second = middle.file_uploader(SOURCES, key="foreign_source", max_upload_size=most, help=HELP)
    other = right.file_uploader(ANOTHER, key="foreign_other", max_upload_size=most, help=BESIDE)
    if not file:
        return None
    another = (other.name, other.getvalue()) if other else None
    return Brought(file.name, file.getvalue(), chosen, second.getvalue() if second else b"", first, another=another)


def _text(chosen: str, first: int | None) -> Brought | None:
    left, middle, right = st.columns(3)
    text = left.text_area("Text with attention or links", key="foreign_text", max_chars=PASTED, height=140) or ""
    second = middle.text_area(SOURCES, key="foreign_lines", max_chars=PASTED, height=140, help=HELP) or ""
    other = right.text_area(ANOTHER, key="foreign_beside", max_chars=PASTED, height=140, help=BESIDE) or ""
    if not text.strip():
        return None
    another = ("the other text", other.encode()) if other.strip() else None
    return Brought("the pasted text", text.encode(), chosen, second.encode(), first, another=another)


def made_here(read: AnyTrace) -> AnyTrace | None:
    """Return the trace recomputed here, or None if no model here gives it."""
    name, text = read.maker.name, read.alignment.source.text
    if name not in model_names() or any_pretrained(name).fingerprint != read.maker.fingerprint:
        return None
    if unreadable(name, text):
        return None
    computed = any_trace(name, text, "")
    same = computed.source == read.source and computed.target == read.target
    return computed if same and np.array_equal(computed.weights, read.weights) else None
