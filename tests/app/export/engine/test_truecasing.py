import json

from regard.app.export.translator.word_lists import spelling
from regard.model.truecasing import read_as
from tests.support.javascript import APP, evaluated

TYPED = ["Ⅳ ① 12:30", "① Ⅳ Ⅸ", "Ⅳ CATS ARE HERE", "“THE CAT IS BLACK”", "12 CATS", "ǅ CATS"]


def test_capitals_are_read_as_in_the_app_even_without_a_letter() -> None:
    found = evaluated(
        f'{json.dumps(TYPED)}.map((typed) => readAs(typed, "en", {json.dumps(spelling())}))',
        {APP / "export" / "engine" / "truecasing.js": "readAs"},
    )
    assert found == [read_as(typed, "en") for typed in TYPED]
    assert found[0] == TYPED[0]
