import json

from regard.app.export.translator.document import spelling
from regard.model.truecasing import read_as
from regard.model.words import normalise, visible_note
from tests.model.test_truecasing import FOREIGN
from tests.support.javascript import APP, evaluated

CAPITALS = ["Ⅳ ① 12:30", "① Ⅳ Ⅸ", "Ⅳ CATS ARE HERE", "“THE CAT IS BLACK”", "12 CATS", "ǅ CATS"]
TYPED = [*CAPITALS, *FOREIGN, "teh cat si blakc"]


def test_capitals_are_read_as_in_the_app_even_without_a_letter() -> None:
    found = evaluated(
        f'{json.dumps(TYPED)}.map((typed) => readAs(typed, "en", {json.dumps(spelling())}))',
        {APP / "export" / "engine" / "truecasing.js": "readAs"},
    )
    assert found == [read_as(typed, "en") for typed in TYPED]
    assert found[0] == "IV ① 12:30"


def test_every_character_is_left_out_and_written_plainly_as_in_the_app() -> None:
    """Words of every script, and each code point that one language or the other might treat apart."""
    points = [*range(0x20, 0x3000), *range(0xF900, 0xFFFE), *range(0x1D3F0, 0x1D810), *range(0xDFFF0, 0xE1010, 7)]
    texts = [f"a{chr(point)}b{chr(point)}" for point in points]
    found = evaluated(
        f"{json.dumps(texts)}.map((text) => [normalise(text), visibleNote(text)])",
        {APP / "export" / "engine" / "words.js": "normalise, visibleNote"},
    )
    assert found == [[normalise(text), visible_note(text)] for text in texts]
