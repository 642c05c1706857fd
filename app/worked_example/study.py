"""A worked example to work with: tables to type into, other numbers, ways to break it, every step, and its code.

The edited matrices are one value, which is also a piece of the page's link. Everything in a link is untrusted text:
values that do not fit are clamped or dropped, never an error. The code is the lines of NumPy that run here and their
PyTorch version, to read and to download.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from regard.app.components.matrices.mount import labels, matrices
from regard.app.ui.plots import download
from regard.app.ui.widgets import LAST_SEED
from regard.app.visitor.sentence_input import went_back
from regard.app.worked_example.paper import document, equation, prose
from regard.model.examples.example import FARTHEST, MOST_ROWS, Array, Example, Given, fitted
from regard.model.examples.operations import Values, grid
from regard.model.examples.program import in_torch, notebook, script
from regard.model.examples.score_presets import PRESETS, presets
from regard.model.input_error import InputError

Cells = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def cells(array: Array) -> Cells:
    """Return the numbers as exact text; a vector is one row."""
    return tuple(tuple(repr(float(number)).removesuffix(".0") for number in row) for row in grid(array))


def _read(given: Given, written: Sequence[Sequence[str]]) -> Array | None:
    """Return the matrix, or None if it is no matrix of accepted numbers with as many axes."""
    texts, axes = [text for row in written for text in row], len(given.sizes)
    if len({len(row) for row in written}) > 1 or (axes < 2 and len(written) > 1) or (axes < 1 and len(texts) > 1):
        return None
    if not all(NUMBER.fullmatch(text) and given.accepts(float(text)) for text in texts):
        return None
    numbers = np.array([[float(text) for text in row] for row in written])
    return numbers.reshape(numbers.shape[2 - axes :])


OWN = 0  # the seed that stands for the example's own numbers
LONGEST_LINK = 8000  # characters
SEPARATORS = ("~", "!", "*", "_")  # between parts, after a name, between rows, between numbers, as links allow


@dataclass(frozen=True)
class EditedMatrices:
    """The edits. `sizes` and `edits` differ from the example's own; `preset` is applied to their result."""

    sizes: tuple[tuple[str, int], ...] = ()
    seed: int = OWN
    edits: tuple[tuple[str, Cells], ...] = ()
    preset: str = ""

    def base(self, example: Example) -> dict[str, Array]:
        """Return the numbers to edit: the example's own if the seed is 0, otherwise random ones from the seed."""
        sizes = example.sizes_of(example.matrices()) | dict(self.sizes)
        return example.resized(sizes, self.seed) if self.seed == OWN else example.random(sizes, self.seed)

    def matrices(self, example: Example) -> dict[str, Array]:
        """Return the example's matrices. Raises InputError if the preset is impossible with these numbers."""
        arrays = self.base(example)
        for name, edited in self.edits:
            arrays[name] = np.array(edited, dtype=np.float64).reshape(np.shape(arrays[name]))
        return PRESETS[self.preset].change(example, arrays) if self.preset else arrays

    def edited(self, example: Example, matrices: Mapping[str, Array]) -> "EditedMatrices":
        """Return the edits that give these matrices. Raises InputError if they do not fit."""
        example.check(matrices)
        own = example.sizes_of(example.matrices())
        sizes = example.sizes_of(matrices).items()
        plain = EditedMatrices(tuple((letter, count) for letter, count in sizes if count != own[letter]), self.seed)
        base = plain.base(example)
        edits = [name for name, array in matrices.items() if not np.array_equal(array, base[name])]
        return replace(plain, edits=tuple((name, cells(matrices[name])) for name in edits))

    def resized(self, example: Example, letter: str, count: int) -> "EditedMatrices":
        """Change the number of what a letter counts; existing numbers keep their place, new ones are random."""
        plain = replace(self, preset="")
        sizes = tuple(sorted((dict(self.sizes) | {letter: min(MOST_ROWS, max(1, count))}).items()))
        onto = replace(plain, sizes=sizes, edits=()).base(example)
        before = plain.matrices(example)
        edits = {name: fitted(before[name], onto[name]) for name, _ in self.edits}
        return replace(replace(plain, sizes=sizes, edits=()).edited(example, onto | edits), preset=self.preset)

    def drawn(self, seed: int) -> "EditedMatrices":
        """Return matrices of the same sizes with another seed; edits are dropped."""
        return EditedMatrices(self.sizes, seed, preset=self.preset)

    def to_link(self) -> str:
        """Return the text for a link, "" for the unchanged example."""
        between, after, rows, numbers = SEPARATORS
        parts = [f"size-{letter}{after}{count}" for letter, count in self.sizes]
        parts += [f"seed{after}{self.seed}"] if self.seed != OWN else []
        parts += [f"at-{name}{after}{rows.join(map(numbers.join, matrix))}" for name, matrix in self.edits]
        parts += [f"preset{after}{self.preset}"] if self.preset else []
        return between.join(parts)

    @classmethod
    def from_link(cls, text: str, example: Example) -> "EditedMatrices":
        """Read the parts of a link that fit the example."""
        between, after, rows, numbers = SEPARATORS
        whole = text if len(text) <= LONGEST_LINK else text[:LONGEST_LINK].rpartition(between)[0]
        parts = dict(part.split(after, 1) for part in whole.split(between) if after in part)
        own = example.sizes_of(example.matrices())
        sizes = {letter: _integer(parts.get(f"size-{letter}"), own[letter], 1, MOST_ROWS) for letter in example.sizes}
        setting = cls(
            tuple((letter, count) for letter, count in sorted(sizes.items()) if count != own[letter]),
            _integer(parts.get("seed"), OWN, OWN, LAST_SEED),
        )
        givens = {f"at-{given.name}": given for given in example.givens}
        for name, written in parts.items():
            matrix = [row.split(numbers) for row in written.split(rows)]
            array = _read(givens[name], matrix) if name in givens else None
            if array is not None:
                with suppress(InputError):  # of other sizes
                    edited = setting.matrices(example) | {givens[name].name: array}
                    setting = setting.edited(example, edited)
        if parts.get("preset") in {preset.name for preset in presets(example)}:
            with suppress(InputError):  # impossible with these numbers
                broken = replace(setting, preset=parts["preset"])
                example.check(broken.matrices(example))
                setting = broken
        return setting


def _integer(text: str | None, otherwise: int, least: int, most: int) -> int:
    """Return a link's number, clamped to the range."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return otherwise
    return min(most, max(least, int(text)))


@dataclass(frozen=True, eq=False)
class EditState:
    """The state of the tables: `shown` are the matrices they began with, `typed` those that stand there now; another
    `version` makes new tables. `refused` is the error message for the last request, or "".
    """

    example: Example
    setting: EditedMatrices
    shown: Mapping[str, Array]
    typed: Mapping[str, Array]
    version: int = 0
    refused: str = ""

    @classmethod
    def of(cls, example: Example, setting: EditedMatrices, version: int = 0) -> "EditState":
        """Build tables with the numbers of a setting. Raises InputError if none fit."""
        matrices = setting.matrices(example)
        example.check(matrices)
        return cls(example, setting, matrices, matrices, version)

    @property
    def matrices(self) -> dict[str, Array]:
        """Return the last matrices that fit."""
        return self.setting.matrices(self.example)

    def turned(self, setting: EditedMatrices) -> "EditState":
        """Return new tables for another setting; if that is impossible, these tables with the reason."""
        try:
            return EditState.of(self.example, setting, self.version + 1)
        except InputError as error:
            return replace(self, refused=_sentence(error))

    def edited(self, typed: Mapping[str, Array]) -> "EditState":
        """Return the state with the tables' contents; the setting follows if they fit."""
        if all(np.array_equal(array, self.typed[name]) for name, array in typed.items()):
            return self
        state = replace(self, typed=typed, refused="")
        try:
            return replace(state, setting=self.setting.edited(self.example, typed))
        except InputError as error:
            return replace(state, refused=_sentence(error))


def _sentence(error: InputError) -> str:
    return f"Not possible: {error}."


ROW_HEIGHT = 29  # pixels
NARROW, WIDE, NAMED = 50, 86, 62  # of a column with numbers of few digits, of many, and of row names
FEW, SHORT = 6, 2  # characters of a number and of a column's name that a narrow column has room for
NAME = "name"  # of the column with row names
STATED = "ours"


def with_typing(state: EditState, key: str) -> EditState:
    """Return the state with the latest typing; tables that Streamlit forgot keep their contents."""
    forgotten = [name for name in state.typed if _key(state, name, key) not in st.session_state]
    state = replace(state, shown={**state.shown, **{name: state.typed[name] for name in forgotten}})
    shown = [(given, state.shown[given.name]) for given in state.example.givens]
    typed = {given.name: _typed(given, array, _key(state, given.name, key)) for given, array in shown}
    return state.edited(typed)


def editors(state: EditState, key: str) -> None:
    """Draw a table for each matrix, and a field for a single number."""
    for given in state.example.givens:
        with st.container(gap=None, key=f"{key}-given-{given.name}"):
            _editor(given, state.shown[given.name], _key(state, given.name, key))


def _key(state: EditState, name: str, key: str) -> str:
    return f"{key}-{state.example.name}-{name}-{state.version}"


def _typed(given: Given, shown: Array, key: str) -> Array:
    """Return the current numbers from Streamlit's state of a table or field; an emptied cell keeps its number."""
    state, numbers = st.session_state.get(key), grid(shown).copy()
    edits = {0: {"1": state}} if not given.sizes else state.get("edited_rows", {}) if state else {}
    for (row, column), _ in np.ndenumerate(numbers):
        number = edits.get(row, {}).get(str(column + 1))
        if isinstance(number, int | float) and given.accepts(float(number)):
            numbers[row, column] = number
    return numbers.reshape(np.shape(shown))


def _editor(given: Given, shown: Array, key: str) -> None:
    size = " × ".join(map(str, np.shape(shown)))
    title = f"${given.symbol}$ &nbsp;{size}{f' :orange-badge[{STATED}]' if given.stated else ''}"
    if not given.sizes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(title, help=prose(given.text), width="content")
            st.session_state.setdefault(key, float(shown))
            range_ = given.least, FARTHEST
            st.number_input(given.text, *range_, key=key, format="%g", label_visibility="collapsed", width=150)
        return
    st.markdown(title, help=prose(given.text))
    whole = grid(shown)
    heads = labels(given.columns, whole.shape[1]) or [str(column + 1) for column in range(whole.shape[1])]
    columns: dict[str, object] = {str(column + 1): whole[:, column] for column in range(whole.shape[1])}
    least, most, step = (0, 1, 1) if given.mask else (given.least, FARTHEST, None)
    wide = any(len(text) > FEW for row in cells(shown) for text in row) or max(map(len, heads)) > SHORT
    config = {
        name: st.column_config.NumberColumn(
            head, width=WIDE if wide else NARROW, format="%g", required=True, min_value=least, max_value=most, step=step
        )
        for name, head in zip(columns, heads, strict=True)
    }
    if len(given.sizes) > 1:
        columns = {NAME: labels(given.rows, len(whole)) or [str(row + 1) for row in range(len(whole))]} | columns
        config[NAME] = st.column_config.TextColumn("", width=NAMED, disabled=True, pinned=True)
    st.data_editor(
        pd.DataFrame(columns),
        column_config=config,
        hide_index=True,
        width="content",
        height="content",
        row_height=ROW_HEIGHT,
        key=key,
        alt=given.text,
    )


PRESETS_TO_COME = "Each of these changes the matrices. Choose one, and look at the weights."
WHOLE = "Change any given number and see what follows from it."


def edit_states(key: str) -> dict[str, EditState]:
    """Return the visitor's edit state of each example, by name."""
    return st.session_state.setdefault(f"{key}-edit-states", {})


def _turn(state: EditState, key: str, change: Callable[[EditedMatrices], EditedMatrices]) -> None:
    """Make new tables in a callback, from the setting with the latest typing, which may come in the same message."""
    kept, name = edit_states(key), state.example.name
    now = with_typing(kept[name], key)
    kept[name] = now.turned(change(now.setting))


def controls(state: EditState, key: str) -> None:
    """Draw the controls for other numbers, and for the example's own."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{key}-controls"):
        own, others = (lambda _: EditedMatrices()), (lambda setting: setting.drawn(setting.seed % LAST_SEED + 1))
        st.button("Reset", icon=":material/undo:", on_click=_turn, args=(state, key, own), help="Restore its numbers")
        st.button("Randomise", icon=":material/casino:", on_click=_turn, args=(state, key, others))
        if seed := state.setting.seed:
            st.caption(f"Seed {seed}", width="content")
        with st.popover("Sizes", icon=":material/open_with:"):
            sizes = state.example.sizes_of(state.matrices)
            for letter, counted in state.example.sizes.items():
                label, field = f"{letter}: {counted}", f"{key}-size-{letter}"
                st.session_state[field] = sizes[letter]
                resize = partial(_resized, example=state.example, letter=letter, field=field)
                st.number_input(label, 1, MOST_ROWS, key=field, on_change=_turn, args=(state, key, resize))


def _resized(setting: EditedMatrices, example: Example, letter: str, field: str) -> EditedMatrices:
    return setting.resized(example, letter, st.session_state[field] or 1)


def breaking(state: EditState, key: str) -> None:
    """Draw the changes of what is given that are offered, and describe the effect in a line."""
    offered = [preset.name for preset in presets(state.example)]
    if offered:
        st.session_state[f"{key}-preset"] = state.setting.preset or None
        st.pills(
            "Changes to what is given",
            offered,
            format_func=lambda preset: PRESETS[preset].title,
            key=f"{key}-preset",
            label_visibility="collapsed",
            on_change=_turn,
            args=(state, key, lambda setting: replace(setting, preset=st.session_state[f"{key}-preset"] or "")),
        )
    text = PRESETS[state.setting.preset].text if state.setting.preset else PRESETS_TO_COME if offered else WHOLE
    st.html(f'<p class="about told">{escape(state.refused or text)}</p>')


LIBRARIES = {
    "NumPy": (script, "These lines of NumPy computed the numbers above."),
    "PyTorch": (in_torch, "The same calculation in PyTorch; tests check that both agree."),
}
DOWNLOADS = (
    ("Script", ".py", script, "download", "A program that runs from top to bottom with only NumPy"),
    ("Notebook", ".ipynb", notebook, "download", "The same in cells, with the formulas"),
    ("Page (HTML)", ".html", partial(document, blank=False), "download",
     "All steps with their numbers in one file, to read or print"),
    ("Worksheet", "-worksheet.html", partial(document, blank=True), "print",
     "A sheet with empty cells to fill in by hand; the page has the answers"),
)  # fmt: skip


def source(text: str) -> None:
    """Draw the lines; long ones are wrapped, because a keyboard could not scroll to their end."""
    st.code(text, language="python", wrap_lines=True)


def code(example: Example, matrices: Mapping[str, Array], *, key: str) -> None:
    """Show the example's code with these matrices; `key` is unique on the page."""
    with st.container(key=f"code-{key}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            library = st.segmented_control(
                "The same as code",
                list(LIBRARIES),
                default="NumPy",
                required=True,
                key=f"library-{key}",
                label_visibility="collapsed",
            )
            make, about = LIBRARIES[library]
            st.html(f'<p class="about">{about}</p>', width="content")
            with st.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
                for label, ending, made, icon, text in DOWNLOADS:
                    download(
                        label,
                        partial(made, example, matrices),
                        f"regard-{example.name}{ending}",
                        f"{text}; it has the numbers as they are now.",
                        key=f"{label}-{key}",
                        icon=icon,
                        quiet=True,
                    )
        source(make(example, matrices))


def study(example: Example, *, key: str) -> Values:
    """Draw the example; a visitor's changes are kept for the visit and in the link's parameter `key`. Returns all
    values for the last valid matrices. The caller is a fragment, so that its drawings of the values change with
    them."""
    state = _state(example, key)
    with st.container(key=f"{key}-study"):
        left, right = st.columns([4, 9], gap="large")
        with left, st.container(key=f"given-{key}", gap="small"):
            controls(state, key)
            editors(state, key)
        with right:
            breaking(state, key)
            values = example.run(state.matrices)
            steps(example, values, key, f"{key}-{example.name}")
            with st.expander("The same as code"):
                code(example, state.matrices, key=key)
    _keep(state, key)
    return values


def _state(example: Example, key: str) -> EditState:
    """Return the visitor's state, or the one in the link, which is read at first and after Back."""
    kept = edit_states(key)
    if went_back():
        kept.clear()
    if example.name not in kept:
        link = "" if kept else st.query_params.get(key, "")
        kept[example.name] = EditState.of(example, EditedMatrices.from_link(link, example))
    kept[example.name] = with_typing(kept[example.name], key)
    return kept[example.name]


def _keep(state: EditState, key: str) -> None:
    """Write the setting into the link, leaving the link's other parameters alone."""
    link = state.setting.to_link()
    if st.query_params.get(key, "") != link:
        st.query_params[key] = link
    if not link and key in st.query_params:
        del st.query_params[key]


def steps(
    example: Example, values: Values, key: str, each: str, which: slice = slice(None), printed: bool = True
) -> None:
    """Draw each step as its matrices, every number of which opens; `printed` adds the numbers that the document prints.
    The keys of the steps begin with `key`, those of their matrices with `each`."""
    for number, step in enumerate(example.steps[which], 1):
        with st.container(key=f"{key}-step-{step.name}", gap="xsmall"):
            st.markdown(f"**{number}** &nbsp; {equation(step)} &nbsp; {prose(step.text)}")
            matrices(example, step, values, key=f"{each}-{step.name}", printed=printed)
