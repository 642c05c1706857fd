"""A visitor's own sequence of numbers, for the Transformers that reverse them."""

import streamlit as st

from regard.app.wording import plain_markdown
from regard.model.synthetic.tasks import Numbers

SYMBOLS = 10
EXAMPLE = "3 1 4 1 5 9"
LONGEST_SEQUENCE = 15


def choose_sequence() -> Numbers:
    """Return the visitor's numbers; if they cannot be read, say so and use the example."""
    label = f"Up to {LONGEST_SEQUENCE} numbers from 0 to {SYMBOLS - 1}"
    text = (st.text_input(label, EXAMPLE, key="sequence", bind="query-params") or "").strip()
    numbers = read(text)
    if not numbers:
        wrong = (
            f"“{plain_markdown(text[:60])}” is not a sequence that these models know." if text else "Nothing is typed."
        )
        st.error(
            f"{wrong} Type 1 to {LONGEST_SEQUENCE} numbers from 0 to {SYMBOLS - 1} separated by spaces, such as "
            f"{EXAMPLE}. That one is shown."
        )
    return numbers or read(EXAMPLE)


def read(text: str) -> Numbers:
    """Return the numbers of a text; none if it holds anything else, or too many."""
    words = text.split()
    known = {str(number): number for number in range(SYMBOLS)}
    fits = 1 <= len(words) <= LONGEST_SEQUENCE and all(word in known for word in words)
    return tuple(known[word] for word in words) if fits else ()
