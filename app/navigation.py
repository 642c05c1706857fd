"""The screens in the order of the navigation.

Screens that are tabs of one another appear in the bar once, under the first of them. An old address redirects to its
new one with all parameters.
"""

from typing import Any, NamedTuple

from regard.model.files import toml_beside

FIRST_WORDS = "A neural network is translating. See where it looks."
FIRST = "translate"  # shown to visitors without a link


class Screen(NamedTuple):
    """A screen: its folder, which is also its address, its title and icon, and its name in the bar if it differs."""

    name: str
    title: str
    icon: str
    menu: str = ""
    heads: bool = False  # true if a Transformer may be chosen there, or no model is needed


def _screens(table: dict[str, dict[str, Any]]) -> tuple[Screen, ...]:
    return tuple(Screen(name, **about) for name, about in table.items())


_TABLES = toml_beside(__file__, "navigation.toml")
SECTIONS = {section: _screens(table) for section, table in _TABLES["sections"].items()}
BEHIND = _screens(_TABLES["behind"])
MOVED: dict[str, str] = _TABLES["moved"]
TABS: tuple[dict[str, str], ...] = (  # each one's name on its tab; the bar names the first
    {"compare": "Side by side", "bottleneck": "Bottleneck"},
    {"watch": "Live", "recorded_training": "Recorded"},
    {"beam": "Beam search", "sampling": "Sampling"},
)
SCREENS = {screen.name: screen for screens in (*SECTIONS.values(), BEHIND) for screen in screens}
TITLES = {name: screen.title for name, screen in SCREENS.items()}
ICONS = {name: screen.icon for name, screen in SCREENS.items()}


def script(name: str) -> str:
    """Return the file of a screen, as Streamlit expects it."""
    return f"screens/{name}/screen.py"


def tabs(name: str) -> dict[str, str]:
    """Return the screens that are tabs beside this one, itself included; none if it stands alone."""
    return next((together for together in TABS if name in together), {})


def place(name: str) -> int:
    """Return a screen's place in the bar, from 1, a section counting as one; 0 if the bar does not name it."""
    named = next(iter(tabs(name)), name)
    alone, *sections = SECTIONS.values()
    entries = [*([screen] for screen in alone), *sections]
    return next((at for at, screens in enumerate(entries, 1) if named in [each.name for each in screens]), 0)
