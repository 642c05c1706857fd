"""Ten lines of NumPy for the reader to write: the output is pasted here and checked, the program is never run."""

import re

import numpy as np
import streamlit as st

from regard.app.worked_example.code import source
from regard.model.examples.dot_product import QUERY

VALUES = QUERY.run()
STEPS = ("scores", "weights", "context")
NEAR = 5e-3  # tolerance for printing only a few digits
PRINTED_CHARACTERS = 2000  # characters that are read
NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TASK = (
    "A query `q` and four annotations, the rows of `H`. Write the rest on your own computer: the dot scores, their "
    "softmax, the context. Print the three and paste what you see: the app only compares its numbers with its own."
)


def starter() -> str:
    """Return the first lines of the program, with the numbers of the example."""
    rows = ",\n              ".join(str(row.tolist()) for row in VALUES["H"])
    return (
        "import numpy as np\n\n"
        f"q = np.array({VALUES['q'].tolist()})\nH = np.array([{rows}])\n\n"
        "scores = ...   # one for each row of H\n"
        "weights = ...  # shares that add up to 1\n"
        "context = ...  # as long as a row of H\n"
        "print(scores, weights, context)"
    )


def write_it() -> None:
    about = "**Write it yourself**: ten lines of NumPy, checked here"
    with st.container(key="write"), st.expander(about, icon=":material/code:"):
        st.markdown(TASK)
        source(starter())
        typed = st.text_area("What your program prints", key="printed", max_chars=PRINTED_CHARACTERS, height=80)
        if typed.strip():
            st.markdown("  \n".join(checked(typed)))


def checked(typed: str) -> list[str]:
    """Return a verdict on each of the three results, in order; only numbers are read from the text."""
    numbers = [float(text.replace("−", "-")) for text in NUMBER.findall(typed[:PRINTED_CHARACTERS])]
    wanted = [np.atleast_1d(VALUES[step]) for step in STEPS]
    needed = sum(map(len, wanted))
    if len(numbers) != needed:
        parts = zip(map(len, wanted), ("scores", "weights", "of the context"), strict=True)
        counted = ", ".join(f"{count} {what}" for count, what in parts)
        return [f"Here are {len(numbers)} numbers; {needed} are needed: {counted}."]
    verdicts, before = [], 0
    for step, right in zip(STEPS, wanted, strict=True):
        mine = np.array(numbers[before : before + len(right)])
        before += len(right)
        verdicts.append(_verdict(step, mine, right))
    return verdicts


def _verdict(step: str, mine: np.ndarray, right: np.ndarray) -> str:
    if np.abs(mine - right).max() <= NEAR:
        return f":material/check_circle: **{step}**: right."
    return f":material/edit: **{step}**: not yet. {HINTS[step](mine)}"


def _of_weights(mine: np.ndarray) -> str:
    if np.abs(mine.sum() - 1) > NEAR:
        return f"They add up to {mine.sum():.3f}, not to 1: divide by the sum of all powers."
    return "They add up to 1, but are not the softmax of the scores: raise e to the power of each first."


def _of_context(mine: np.ndarray) -> str:
    if np.abs(mine - VALUES["H"].mean(0)).max() <= NEAR:
        return "That is the plain mean of the rows; each row counts as much as its weight says."
    return "Each row of H times its weight, then added up: `weights @ H`."


SCORES = "Each is the dot product of a row of H with q: `H @ q`."
HINTS = {"scores": lambda _: SCORES, "weights": _of_weights, "context": _of_context}
