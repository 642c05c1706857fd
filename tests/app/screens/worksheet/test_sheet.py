import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace

import pytest

from regard.app.screens.worksheet.sheet import body, bundle, document, gift, minus
from regard.model.arithmetic.quantity import FORMS
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.scores import SCORES
from regard.model.translate import translate
from regard.model.worksheet.sheet import VERSIONS, Worksheet, worksheet
from tests.support.exported_page import Parts
from tests.support.pupil import KINDS

ADDRESS = "https://example.org/worksheet?sentence=a&sheet_step=1"


def sheet(model: Pretrained, sentence: str = "The boy sees the old house.", step: int = 2) -> Worksheet:
    trace, parameters = translate(model, [sentence])[0], load_parameters(model.folder)
    return worksheet(trace, recompute(parameters, trace.source_ids, trace.target_ids), parameters, step, "A")


def answers(made: Worksheet) -> list[str]:
    """All that is to be found, in order."""
    found = [*(number for line in made.score.lines for number in line.found), *made.score.totals]
    for place, line in enumerate(made.weights.lines):
        found += [*(line.given if place == made.copied else ()), *line.found]  # the score of exercise 1
    found.append(made.weights.total)
    found += [number for line in made.context.lines for number in (line.given[0], *line.found)]  # a weight is copied
    found += made.context.totals
    found += [*(number for line in made.output.lines for number in line.found), made.output.rest]
    row = made.reading.row
    own = [*made.reading.cells[row], *made.reading.others[row : row + 1]] if made.reading.alone else []
    return [*found, *own]  # the framed row has the weights of exercise 2


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Worksheet:
    return sheet(make_model(**KINDS[request.param]))


def test_the_answer_sheet_has_every_answer_where_the_worksheet_has_a_blank(made: Worksheet) -> None:
    blanks = re.findall(r'<td class="asked">([^<]*)</td>', body(made, False, "general", ADDRESS))
    filled = re.findall(r'<td class="asked">([^<]*)</td>', body(made, True, "general", ADDRESS))
    assert set(blanks) == {""}
    assert len(filled) == len(blanks)
    assert filled == [minus(number) for number in answers(made)]


def test_no_exercise_prints_what_another_one_asks_for(make_model: Callable[..., Pretrained]) -> None:
    model = make_model()
    trace, parameters = translate(model, ["The boy sees the old house."])[0], load_parameters(model.folder)
    word_of = list(trace.alignment.target.word_of)
    step = next(t for t, word in enumerate(word_of) if word_of.count(word) == 1)
    recomputed = recompute(parameters, trace.source_ids, trace.target_ids)
    for made in (worksheet(trace, recomputed, parameters, step, version) for version in VERSIONS):
        assert made.weights.lines[made.word_line].label == made.word
        paper = body(made, False, "general", ADDRESS)
        weights_table = re.findall(r"<tr>.*?</tr>", paper.split("<section>")[2])
        framed = re.search(r"<tr class=marked>.*?</tr>", paper)
        assert framed
        assert not any("<td>" in row for row in (next(row for row in weights_table if made.word in row), framed[0]))


def test_the_questions_have_lines_to_write_on(made: Worksheet) -> None:
    lines = re.findall(r'<span class="line"[^>]*>([^<]*)</span>', body(made, False, "general", ADDRESS))
    assert lines == ["&nbsp;"] * 2
    assert "every power of e grows by the same factor" in body(made, True, "general", ADDRESS)


def test_every_form_of_a_score_has_its_words() -> None:
    exercises = {name for name, form in FORMS.items() if form.exercise}
    assert exercises == {f"score/{name}" for name in SCORES if name != "none"}


def test_a_file_needs_nothing_else_and_runs_nothing(made: Worksheet) -> None:
    for shown in (False, True):
        parts = Parts(document(made, shown, "general", ADDRESS))
        assert parts.text.keys().isdisjoint({"script", "img", "link", "iframe", "object", "form"})
        names = {name for _, attributes in parts.attributes for name in attributes}
        assert names.isdisjoint({"src", "href", "style", "srcset"})
        assert not any(name.startswith("on") for name in names)
        assert "url(" not in document(made, shown, "general", ADDRESS)


def test_a_model_without_attention_is_said_to_compute_no_score(made: Worksheet) -> None:
    said = "computes no scores" in body(made, False, "none", ADDRESS)
    assert said == (made.form == "score/none")


@pytest.mark.parametrize(
    "sentence", ['<img src=x onerror="a"> </s> & "q"', "<script>1</script> {word} {s}", "</table></article>"]
)
def test_what_a_visitor_types_is_text(sentence: str, tiny_model: Pretrained) -> None:
    parts = Parts(document(sheet(tiny_model, sentence), True, "<b>", "https://x/?a=<i>\"'"))
    assert parts.text.keys().isdisjoint({"img", "script", "b", "i"})
    assert sentence in parts.text["strong"]


def test_the_sheet_says_where_it_comes_from_and_who_it_is_for(tiny_model: Pretrained) -> None:
    made = sheet(tiny_model)
    paper, solved = body(made, False, "general", ADDRESS), body(made, True, "general", ADDRESS)
    assert "sentence=a&amp;sheet_step=1" in paper
    assert made.trace.maker.fingerprint[:12] in paper
    assert "Name" in paper
    assert "Date" in paper
    assert "answers to sheet A" in solved
    assert "Name" not in solved


def test_the_bundle_has_each_version_with_its_answers(tiny_model: Pretrained) -> None:
    sheets = [replace(sheet(tiny_model), version=version) for version in VERSIONS]
    names = zipfile.ZipFile(io.BytesIO(bundle(sheets, "mine", ["https://example.org"] * len(sheets)))).namelist()
    assert names == [f"{kind}-{version}.html" for version in VERSIONS for kind in ("worksheet", "answers")] + [
        "moodle.gift.txt"
    ]


def test_questions_for_moodle_have_all_numbers_and_no_markup_of_what_a_person_typed(tiny_model: Pretrained) -> None:
    made = sheet(tiny_model, "The <b>boy = {a} sees ~ the old house: #1.")
    _, *questions = gift([made]).split("\n\n")
    found = [re.fullmatch(r"::(.+)::\[plain\] (.+) \{#(-?[\d.]+):([\d.]+)\}", question) for question in questions]
    names, texts, numbers, errors = zip(*(one.groups() for one in found if one), strict=True)
    assert len(names) == len(questions)
    assert set(numbers) >= {*made.score.totals, *made.context.totals, *(line.found[0] for line in made.output.lines)}
    assert all(0 < float(error) <= 1 for error in errors)
    assert all("&lt;b&gt;boy" in name and "<" not in name for name in names)
    assert not any(re.search(r"[{}~#=]", re.sub(r"\\.", "", text)) for text in (*names, *texts))
    weights = [text for name, text in zip(names, texts, strict=True) if "weight of" in name]
    assert not any(re.search(rf"{re.escape(made.score.totals[0])}[;.] ", text) for text in weights)
