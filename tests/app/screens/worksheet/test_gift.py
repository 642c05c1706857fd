import io
import re
import zipfile
from collections.abc import Callable

import pytest

from regard.app.screens.worksheet.gift import gift
from regard.app.screens.worksheet.sheet import bundle
from regard.model.checkpoint import Pretrained
from regard.model.worksheet.sheet import VERSIONS, Worksheet, widest, worksheet
from tests.support.pupil import made


@pytest.fixture(scope="module")
def sheets(make_model: Callable[..., Pretrained]) -> list[Worksheet]:
    case = made(make_model(), "The boy = {a} sees ~ the old house: #1.")
    return [worksheet(*case, widest(case[0]), version) for version in VERSIONS]


def test_every_version_is_a_category_with_all_its_questions(sheets: list[Worksheet]) -> None:
    text = gift(sheets)
    assert re.findall(r"Sheet ([A-F])", text) == list(VERSIONS)
    numbers = re.findall(r"\{#(-?[\d.]+):([\d.]+)\}", text)
    asked = [total for sheet in sheets for total in (*sheet.score.totals, *sheet.context.totals)]
    assert {number for number, _ in numbers} >= set(asked)
    assert all(0 < float(error) <= 1 for _, error in numbers)


def test_what_a_person_typed_is_no_markup_of_the_format(sheets: list[Worksheet]) -> None:
    for question in gift(sheets).split("\n\n"):
        plain = re.sub(r"\\.", "", question)
        assert plain.count("{") == plain.count("}") == (not question.startswith("$CATEGORY"))


def test_typed_tags_are_plain_text_for_moodle(make_model: Callable[..., Pretrained]) -> None:
    case = made(make_model(), "The <b>boy sees the old house.")
    questions = gift([worksheet(*case, widest(case[0]), VERSIONS[0])]).split("\n\n")[1:]
    parts = [re.fullmatch(r"::(.+)::\[plain\] (.+)", question) for question in questions]
    names, texts = zip(*(part.groups() for part in parts if part), strict=True)
    assert len(names) == len(questions)
    assert "</s>" in " ".join(texts)
    assert all("&lt;b&gt;boy" in name and "<" not in name for name in names)


def test_no_question_prints_the_score_that_another_one_asks_for(sheets: list[Worksheet]) -> None:
    for sheet in sheets:
        weights = [part for part in gift([sheet]).split("\n\n") if "weight of" in part]
        given = [part.partition("Scores\\: ")[2].partition("What")[0] for part in weights]
        scores = [re.findall(r"(-?[\d.]+)[;.] ", part) for part in given]
        assert weights
        assert all(scores)
        assert not any(sheet.score.totals[0] in printed for printed in scores)


def test_the_bundle_has_each_version_with_its_answers(sheets: list[Worksheet]) -> None:
    names = zipfile.ZipFile(io.BytesIO(bundle(sheets, "mine", ["https://example.org"] * len(sheets)))).namelist()
    assert names == [f"{kind}-{version}.html" for version in VERSIONS for kind in ("worksheet", "answers")] + [
        "moodle.gift.txt"
    ]
