import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from regard.app.screens.worksheet.sheet import Table, TableCell, blank, body, bundle, document, gift, minus, table
from regard.model.arithmetic.kinds import FORMS
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.scores import SCORES
from regard.model.translate import translate
from regard.model.worksheet.sheet import VERSIONS, Worksheet, widest, worksheet
from tests.support import pupil
from tests.support.pupil import KINDS

ADDRESS = "https://example.org/worksheet?sentence=a&sheet_step=1"
VOID = ("meta",)


class Read(HTMLParser):
    """Every element with its attributes, and the text inside; ends that do not fit fail."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


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


@pytest.mark.parametrize("version", VERSIONS)
def test_no_exercise_prints_what_another_one_asks_for(make_model: Callable[..., Pretrained], version: str) -> None:
    model = make_model()
    trace, parameters = translate(model, ["The boy sees the old house."])[0], load_parameters(model.folder)
    word_of = list(trace.alignment.target.word_of)
    step = next(t for t, word in enumerate(word_of) if word_of.count(word) == 1)
    made = worksheet(trace, recompute(parameters, trace.source_ids, trace.target_ids), parameters, step, version)
    assert made.weights.lines[made.word_line].label == made.word
    weights_table = re.findall(r"<tr>.*?</tr>", body(made, False, "general", ADDRESS).split("<section>")[2])
    line = next(row for row in weights_table if made.word in row)
    assert "<td>" not in line
    assert made.reading.alone
    framed = re.search(r"<tr class=marked>.*?</tr>", body(made, False, "general", ADDRESS))
    assert framed
    assert "<td>" not in framed[0]


def test_a_token_of_a_given_translation_is_not_called_written(made: Worksheet) -> None:
    assert " and writes “" in body(made, False, "general", ADDRESS)
    assert " and is given “" in body(replace(made, given=True), False, "general", ADDRESS)


def test_the_questions_have_lines_to_write_on(made: Worksheet) -> None:
    lines = re.findall(r'<span class="line"[^>]*>([^<]*)</span>', body(made, False, "general", ADDRESS))
    assert lines == ["&nbsp;"] * (3 if made.reading.fed else 2)
    assert "every power of e grows by the same factor" in body(made, True, "general", ADDRESS)
    assert made.reading.heaviest[0] in body(made, True, "general", ADDRESS)


def test_every_form_of_a_score_has_its_words() -> None:
    exercises = {name for name, form in FORMS.items() if form.exercise}
    assert exercises == {f"score/{name}" for name in SCORES if name != "none"}


def test_a_file_needs_nothing_else_and_runs_nothing(made: Worksheet) -> None:
    for shown in (False, True):
        read = Read(document(made, shown, "general", ADDRESS))
        assert {tag for tag, _ in read.elements}.isdisjoint({"script", "img", "link", "iframe", "object", "form"})
        names = {name for _, attributes in read.elements for name in attributes}
        assert names.isdisjoint({"src", "href", "style", "srcset"})
        assert not any(name.startswith("on") for name in names)
        assert "url(" not in document(made, shown, "general", ADDRESS)


def test_a_model_without_attention_is_said_to_compute_no_score(made: Worksheet) -> None:
    said = "computes no scores" in body(made, False, "none", ADDRESS)
    assert said == (made.form == "score/none")


def test_each_side_is_marked_with_its_language(tiny_model: Pretrained) -> None:
    made = sheet(tiny_model)
    read = Read(document(made, True, "general", ADDRESS))
    assert ("html", {"lang": "en"}) in read.elements
    spoken = [attributes["lang"] for _, attributes in read.elements if "lang" in attributes]
    assert spoken.count("fr") == 1 + 2 + len(made.output.lines) + len(made.reading.rows) + 1 + bool(made.reading.fed)
    assert f'<strong lang="fr">{made.target}' in body(made, False, "general", ADDRESS) or "&" in made.target


@pytest.mark.parametrize(
    "sentence", ['<img src=x onerror="a"> </s> & "q"', "<script>1</script> {word} {s}", "</table></article>"]
)
def test_what_a_visitor_types_is_text(sentence: str, tiny_model: Pretrained) -> None:
    shown = document(sheet(tiny_model, sentence), True, "<b>", "https://x/?a=<i>\"'")
    read = Read(shown)
    assert {tag for tag, _ in read.elements}.isdisjoint({"img", "script", "b", "i"})
    assert sentence in read.text


def test_the_sheet_says_where_it_comes_from_and_who_it_is_for(tiny_model: Pretrained) -> None:
    made = sheet(tiny_model)
    paper, solved = body(made, False, "general", ADDRESS), body(made, True, "general", ADDRESS)
    assert "sentence=a&amp;sheet_step=1" in paper
    assert made.maker.fingerprint[:12] in paper
    assert "Name" in paper
    assert "Date" in paper
    assert "answers to sheet A" in solved
    assert "Name" not in solved


def test_how_to_round_is_said_as_the_answers_are(made: Worksheet) -> None:
    paper = body(made, False, "general", ADDRESS)
    for number in (made.weights.lines[0].found[0], made.weights.total, made.context.totals[0]):
        assert f"({len(number.partition('.')[2])} decimal" in paper


def test_the_greatest_score_is_not_told_where_it_is_to_be_found(made: Worksheet) -> None:
    softmax = made.weights
    asked = replace(softmax, greatest=softmax.lines[made.word_line].given[0])
    paper = body(replace(made, weights=asked), False, "general", ADDRESS)
    asks = bool(made.score.lines)  # a model without attention has no score to find
    assert ("subtract the greatest score from each" in paper) == asks
    assert ("e<sup>score − greatest</sup>" in paper) == asks
    other = body(replace(made, weights=replace(softmax, greatest="9.87")), False, "general", ADDRESS)
    assert "subtract the greatest score, 9.87, from each" in other


def test_a_table_by_hand() -> None:
    drawn = Table(
        ("a", "b"),
        [[TableCell("1 <"), TableCell("−2", asked=True)], [TableCell("x", language="fr"), TableCell("3")]],
        "t",
        marked=1,
    )
    rows = '<th scope="row">1 &lt;</th><td class="asked">{}</td></tr><tr class=marked><th scope="row" lang="fr">x</th>'
    assert rows.format("") in table(drawn, answers=False)
    assert rows.format("−2") in table(drawn, answers=True)
    assert blank("a", answers=False) == '<span class="line">&nbsp;</span>'


@pytest.fixture(scope="module")
def sheets(make_model: Callable[..., Pretrained]) -> list[Worksheet]:
    case = pupil.made(make_model(), "The boy = {a} sees ~ the old house: #1.")
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
    case = pupil.made(make_model(), "The <b>boy sees the old house.")
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
