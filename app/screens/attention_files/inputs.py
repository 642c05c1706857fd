"""Inputs: an example of ours, a file or pasted text, and how to read it."""

from hashlib import sha256
from typing import NamedTuple

import streamlit as st

from regard.app.screens.attention_files.own_model import translated
from regard.app.ui.widgets import segments, select
from regard.app.visitor.question import Question
from regard.app.wording import plain_markdown
from regard.model.checkpoint import Pretrained
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.formats import FORMATS, ReadFile, read
from regard.model.soft_alignments.record import GivenBeside
from regard.model.soft_alignments.text_file import File
from regard.model.soft_alignments.tokens import joined

WAYS = {"example": "An example", "file": "A file", "text": "Pasted text"}
TITLES = {name: known.title for name, known in FORMATS.items()}
SOURCES = "Source sentences, one per line (optional)"
HELP = "For formats without the source. Each line holds the source, or source ||| target, in tokens."
ITSELF = ""  # recognise the format
PASTED = 120_000  # characters of a text; the browser sends both again with each click, up to 300 kB
SHOWN_CHARACTERS = 1600  # characters of an example's file on screen


class Brought(NamedTuple):
    """The input to read; `sentences` is the second file, empty if none was given."""

    name: str
    content: bytes
    format: str
    sentences: bytes
    first: int = 0
    ours: bool = False

    @property
    def called(self) -> str:
        """The input's name; our own examples are called examples."""
        return f"an example of ours, {self.name}" if self.ours else self.name

    @property
    def digest(self) -> str:
        """Return a hash of everything that determines the reading."""
        parts = (self.name.encode(), self.content, self.format.encode(), self.sentences, bytes([self.first]))
        return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()


def bring(question: Question, model: Pretrained) -> Brought | None:
    """Draw the fields and return their contents, or None while there are none."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="bringing"):
        way = segments("Open", WAYS, "example", "opened_from")
        if way == "example":
            return _example(question, model)
        chosen = select("Format", {ITSELF: "detect automatically", **TITLES}, ITSELF, "read_as", width=280)
        first = 0
        if chosen in FORMATS and FORMATS[chosen].counted:
            first = segments("Links counted from", [0, 1], 0, "counted_from")
    return _file(chosen, first or 0) if way == "file" else _text(chosen, first or 0)


def read_it(brought: Brought) -> ReadFile:
    """Read the input, once for all runs of the page. Raises InputError naming file, line and reason."""
    state = st.session_state
    if state.get("read_digest") != brought.digest:
        beside = GivenBeside(File.decode("the source sentences", brought.sentences), brought.first)
        state.read_before = read(brought.name, brought.content, brought.format, beside)
        state.read_digest = brought.digest
    return state.read_before


def example(question: Question, model: Pretrained, name: str) -> Brought:
    """Write our model's attention in the given format, as that format's program would."""
    about, sentences = FORMATS[name], translated(question, model)
    sources = (f"{' '.join(joined(each.alignment.source))}\n" for each in sentences if about.needs_source)
    return Brought(about.file_name, about.write(sentences).encode(), name, "".join(sources).encode(), ours=True)


def _example(question: Question, model: Pretrained) -> Brought:
    name = select("In the format of", TITLES, next(iter(TITLES)), "written_as", width=280)
    brought = example(question, model, name)
    text = brought.content.decode()
    with st.popover("See the file", icon=":material/description:", width="content"):
        st.caption(plain_markdown(f"As {FORMATS[name].option} writes it; made by the model on this server."))
        st.code(text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else ""), language=None, wrap_lines=True)
        if brought.sentences:
            st.caption("The source sentences, which this format does not have, come in a second file:")
            st.code(brought.sentences.decode(), language=None, wrap_lines=True)
    return brought


def _file(chosen: str, first: int) -> Brought | None:
    left, right = st.columns(2)
    megabytes = ATTENTION_BYTES // 10**6
    file = left.file_uploader("File with attention or links", key="foreign_file", max_upload_size=megabytes)
    beside = right.file_uploader(SOURCES, key="foreign_source", max_upload_size=megabytes, help=HELP)
    return Brought(file.name, file.getvalue(), chosen, beside.getvalue() if beside else b"", first) if file else None


def _text(chosen: str, first: int) -> Brought | None:
    left, right = st.columns(2)
    text = left.text_area("Text with attention or links", key="foreign_text", max_chars=PASTED, height=140) or ""
    beside = right.text_area(SOURCES, key="foreign_lines", max_chars=PASTED, height=140, help=HELP) or ""
    return Brought("the pasted text", text.encode(), chosen, beside.encode(), first) if text.strip() else None
