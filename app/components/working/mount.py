"""The working of a number as a Streamlit component: its terms, their sum and the result."""

import math

from regard.app.components.shared.component import served
from regard.model.arithmetic.terms import Derivation

mounted = served("working", "streamlit.js", ("working",))


def working(derivation: Derivation, *, key: str) -> None:
    """Mount the column of a number's terms. Nothing is drawn for a number without terms, or without finite ones."""
    if derivation.terms and math.isfinite(derivation.magnitude):
        mounted()(key=key, data=as_data(derivation))


def as_data(derivation: Derivation) -> dict[str, object]:
    """Return a derivation as `digits.js` describes it."""
    return {
        "form": derivation.form,
        "ending": derivation.ending,
        "constant": derivation.constant,
        "terms": [{"label": one.label, "factors": one.factors, "value": one.value} for one in derivation.terms],
        "rest": derivation.rest_value,
        "more": derivation.rest_count,
        "total": derivation.total,
        "redone": derivation.combined,
    }
