"""Every term that a screen offers to explain is explained."""

import re
from pathlib import Path

import pytest

from app.definitions import DEFINITIONS, Definition

SCREENS = sorted((Path(__file__).parent.parent / "app" / "screens").glob("*.py"))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_a_sentence_or_more(name: str) -> None:
    known = DEFINITIONS[name]
    assert known.term[0].isupper() or known.term[0].isdigit()
    assert known.text.endswith(".")


@pytest.mark.parametrize("known", DEFINITIONS.values(), ids=lambda known: known.term)
def test_braces_of_a_formula_are_closed(known: Definition) -> None:
    plain = re.sub(r"\\[{}]", "", known.formula)
    assert plain.count("{") == plain.count("}")


@pytest.mark.parametrize("screen", SCREENS, ids=lambda path: path.stem)
def test_a_screen_asks_for_definitions_that_there_are(screen: Path) -> None:
    asked = re.findall(r"definitions\(([^)]*)\)", screen.read_text(encoding="utf-8"))
    names = {name for call in asked for name in re.findall(r'"(\w+)"', call)}
    assert names <= DEFINITIONS.keys()
