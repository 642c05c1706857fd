"""The exercise of chapter 5: a whole step, on paper or in ten lines of NumPy, whose numbers are typed and compared.

No program is run here: only numbers are read from what is typed or pasted.
"""

import re

import numpy as np
import streamlit as st

from regard.app.worked_example.study import source
from regard.model.examples.tutorials import QUERY

VALUES = QUERY.run()
STEPS = ("scores", "weights", "context")
NEAR = 5e-3  # tolerance for writing down only a few digits
TYPED_CHARACTERS = 2000  # characters that are read
NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
RIGHT, NOT_YET = ":material/check_circle: **{}**: right.", ":material/edit: **{}**: not yet. {}"
TASK = (
    "A query `q` and four annotations, the rows of `H`. Compute the dot scores, their softmax and the context, on "
    "paper or with a program of your own. Type the numbers, or paste what your program prints: the app only compares "
    "them with its own."
)
STARTER = f"""\
import numpy as np

q = np.array({VALUES["q"].tolist()})
H = np.array({VALUES["H"].tolist()})

scores = ...   # one for each row of H
weights = ...  # shares that add up to 1
context = ...  # as long as a row of H
print(scores, weights, context)"""


def exercise() -> None:
    about = "**Compute it yourself**: on paper, or in ten lines of NumPy"
    with st.container(key="write"), st.expander(about, icon=":material/edit:"):
        st.markdown(TASK)
        source(STARTER)
        typed = st.text_area("Your numbers, in this order", key="printed", max_chars=TYPED_CHARACTERS, height=80)
        if typed.strip():
            st.markdown("  \n".join(checked(typed)))


def checked(typed: str) -> list[str]:
    """Return a verdict on each of the results that have all their numbers, in order."""
    numbers = [float(text.replace("−", "-")) for text in NUMBER.findall(typed[:TYPED_CHARACTERS])]
    verdicts, before = [], 0
    for step in STEPS:
        mine = np.array(numbers[before : before + VALUES[step].size])
        before += VALUES[step].size
        if len(mine) == VALUES[step].size:
            right = np.abs(mine - VALUES[step]).max() <= NEAR
            verdicts.append(RIGHT.format(step) if right else NOT_YET.format(step, hint(step, mine)))
    if len(numbers) not in np.cumsum([VALUES[step].size for step in STEPS]):
        counted = ", ".join(f"{VALUES[step].size} for the {step}" for step in STEPS)
        verdicts.append(f"There are {len(numbers)} numbers here; there should be {counted}.")
    return verdicts


def hint(step: str, mine: np.ndarray) -> str:
    """Return what a wrong result was probably made by, or how a right one is made."""
    if step == "scores":
        return "Each is the dot product of a row of H with q: `H @ q`."
    if step == "weights" and abs(mine.sum() - 1) > NEAR:
        return f"They add up to {mine.sum():.3f}, not to 1: divide by the sum of all powers."
    if step == "weights":
        return "They add up to 1, but are not the softmax of the scores: raise e to the power of each first."
    if np.abs(mine - VALUES["H"].mean(0)).max() <= NEAR:
        return "That is the plain mean of the rows; each row counts as much as its weight says."
    return "Each row of H times its weight, then added up: `weights @ H`."


def answers() -> str:
    """Return the right numbers as Markdown, for teachers."""
    written = {step: ", ".join(f"{value:.3f}".replace("-", "−") for value in VALUES[step]) for step in STEPS}
    return "; ".join(f"{step} **{numbers}**" for step, numbers in written.items())
