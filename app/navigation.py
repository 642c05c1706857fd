"""The screens in the order of the navigation.

Screens that are tabs of one another appear in the bar once, under the first of them. An old address redirects to its
new one with all parameters.
"""

from pathlib import Path
from typing import NamedTuple

FIRST_WORDS = "Watch a neural network translate, and see which words it looks at."
CHAPTERS = len([*(Path(__file__).parent / "screens/learn/chapters").glob("[!_]*.py")])  # of the lesson
FIRST = "translate"  # shown to visitors without a link


class Screen(NamedTuple):
    """A screen: its folder, which is also its address, its title and its icon."""

    name: str
    title: str
    icon: str
    heads: bool = False  # true if a Transformer may be chosen there, or no model is needed

    @property
    def script(self) -> str:
        return script(self.name)


SECTIONS: dict[str, tuple[Screen, ...]] = {
    "": (  # directly in the bar
        Screen("learn", "Learn", ":material/school:"),
        Screen("translate", "Translate", ":material/translate:", heads=True),
        Screen("compare", "Compare", ":material/view_column:", heads=True),
        Screen("watch", "Watch it learn", ":material/model_training:", heads=True),
    ),
    "Decoding": (
        Screen("beam", "Beam search", ":material/account_tree:", heads=True),
        Screen("sampling", "Sampling", ":material/casino:", heads=True),
    ),
    "Questions": (
        Screen("bottleneck", "Bottleneck", ":material/compress:", heads=True),
        Screen("alignment", "Is attention an alignment?", ":material/link:", heads=True),
        Screen("explanation", "Is attention an explanation?", ":material/help_center:", heads=True),
        Screen("why", "Why not mine?", ":material/contact_support:", heads=True),
    ),
    "Maths": (
        Screen("worked_examples", "Worked examples", ":material/calculate:", heads=True),
        Screen("transformer", "From RNN attention to the Transformer", ":material/hub:", heads=True),
    ),
    "Tools": (
        Screen("text", "A text", ":material/article:", heads=True),
        Screen("model_import", "Import a model", ":material/upload_file:", heads=True),
        Screen("attention_files", "Import attention", ":material/move_to_inbox:"),
        Screen("worksheet", "Worksheet", ":material/print:"),
    ),
}
BEHIND: tuple[Screen, ...] = (  # reached through a tab, a link or the question mark
    Screen("recorded_training", "A recorded training", ":material/timeline:", heads=True),
    Screen("attention_search", "Which attention would change the word?", ":material/tune:", heads=True),
    Screen("glossary", "Glossary", ":material/menu_book:", heads=True),
)
TABS: tuple[dict[str, str], ...] = (  # each one's name on its tab; the bar names the first
    {"watch": "Live", "recorded_training": "Recorded"},
    {"explanation": "Exchanging the weights", "attention_search": "Searching for weights"},
)
MOVED = {  # old addresses
    "by_hand": "worked_examples",
    "learning": "recorded_training",
    "persuasion": "attention_search",
    "bring": "model_import",
    "elsewhere": "attention_files",
}
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
