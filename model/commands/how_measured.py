"""Describe how each number of `scores.json` was measured, in that file and in model cards."""

from regard.model.files import toml_beside

_PARTS = toml_beside(__file__, "how_measured.toml")


def how_measured(part: str, **numbers: object) -> dict[str, str]:
    """Return the texts of one part of the measurements, by the names of its entries, with these numbers filled in."""
    return {name: text.format(**numbers) for name, text in _PARTS[part].items()}
