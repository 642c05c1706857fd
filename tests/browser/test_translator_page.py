"""The page that holds a model: type, step, change and open numbers, from disk, in a frame, from a web server."""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from regard.app.export.translator.document import page as page_of
from regard.app.export.translator.document import site
from regard.app.ui.offline_file import embed_code
from regard.app.visitor.question import Question
from regard.app.wording import SCREEN_TOKENS, out_of_ten, remark
from regard.model.changes.what_if import translate
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.decoding import beam
from regard.model.decoding.beam_score import BeamSettings
from regard.model.doubt.chance import weakest
from regard.model.doubt.coverage import coverage
from regard.model.translate import force
from regard.model.truecasing import read_as
from regard.model.word_alignment.posterior import posterior
from tests.support.axe import turn, violations
from tests.support.engine import disconnected, served
from tests.support.small_doubt import doubted

SENTENCE = "Do you see the old house?"
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(1)</script> </s>"


@pytest.fixture(scope="module")
def file(tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "regard.html"
    file.write_text(page_of([doubted(tiny_model, file.parent)[0]]), encoding="utf-8")
    return file


@pytest.fixture
def offline(browser: Browser, file: Path) -> Iterator[Page]:
    """The page, open from disk."""
    with disconnected(browser) as page:
        page.goto(file.as_uri())
        page.get_by_test_id("stepper").wait_for()
        yield page


def ask(page: Page, sentence: str) -> None:
    page.get_by_label("English sentence").fill(sentence)
    page.keyboard.press("Enter")


def test_what_is_typed_is_translated_and_stepped_by_key(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, f"  {SENTENCE} ")
    trace = translate(tiny_model, SENTENCE)
    expect(offline.locator("#translation")).to_have_text(trace.text)
    offline.get_by_role("heading", level=1).click()
    stepper = offline.get_by_test_id("stepper")
    for key, step in (("End", len(trace.target)), ("ArrowLeft", len(trace.target) - 1), ("Home", -len(trace.source))):
        offline.locator("body").press(key)
        expect(stepper).to_have_attribute("data-step", str(step))
    offline.get_by_test_id("units-tokens").click()
    shown = stepper.get_by_test_id("heat-cell").evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
    assert shown == pytest.approx(trace.weights.ravel().tolist(), abs=1e-5)


LENGTHY = "The old man and a woman in a red dress sit near the big house with the dog and eat green apples."


def test_what_is_unusual_of_a_sentence_and_doubtful_of_a_translation_is_told_as_in_the_app(
    offline: Page, file: Path, tiny_model: Pretrained
) -> None:
    source, (_, doubt) = tiny_model.tokenizer.languages[0], doubted(tiny_model, file.parent)
    for sentence in (SENTENCE, "12 + 30 !", "Wojciechowska 😀 reads."):
        ask(offline, sentence)
        trace = translate(tiny_model, " ".join(sentence.split()))
        expect(offline.locator("#translation")).to_have_text(trace.text or "—")
        read = tiny_model.tokenizer.encode(sentence, source)
        expect(offline.locator("#remark")).to_have_text(remark(source, read, SCREEN_TOKENS))
        expect(offline.locator("#about")).to_have_text(re.compile(f"^{out_of_ten(doubt.of(trace))} · "))
        span = trace.alignment.target.spans[weakest(trace)]
        expect(offline.locator("#translation u")).to_have_text(trace.text[span.start : span.stop].strip())
        flagged = {flag.source for flag in doubt.flags(trace)}
        cells = offline.get_by_test_id("coverage").all()
        classes = [cell.get_attribute("class") for cell in cells]
        assert {place for place, kind in enumerate(classes) if kind == "flagged"} == flagged
        shown = [float(cell.get_attribute("data-value") or "nan") for cell in cells]
        assert shown == pytest.approx(coverage(trace).tolist(), abs=1e-4)
        written = [cell.text_content() or "" for cell in cells]
        assert [text for text in written if not re.match(r"\d+\.\d\d", text)] == []  # beside a mark as well
    ask(offline, LENGTHY)
    offline.get_by_label("Force a translation (French, optional)").fill("Chaise verte hier.")
    offline.keyboard.press("Enter")
    expect(offline.locator("#about")).to_have_text(re.compile("^a given translation · "))
    (given,) = force(tiny_model, [(LENGTHY, "Chaise verte hier.")])
    cells, covered = offline.get_by_test_id("coverage"), coverage(given).tolist()
    left_out = [flag for flag in doubt.flags(given) if flag.kind == "left out"]
    assert left_out
    for flag in left_out:
        decides = (
            f"the word has {flag.credit:.2f}" if f"{flag.credit:.2f}" != f"{covered[flag.source]:.2f}" else "left out"
        )
        expect(cells.nth(flag.source)).to_have_attribute("title", re.compile(decides))


def test_casual_spelling_is_read_as_in_the_app_or_as_it_was_typed(offline: Page, tiny_model: Pretrained) -> None:
    typed = "IM TIRED AND I DONT KNOW WHY"
    ask(offline, typed)
    expect(offline.locator("#read-as")).to_contain_text("Read as “I'm tired and I don't know why”")
    expect(offline.get_by_label("English sentence")).to_have_value(typed)
    expect(offline.locator("#translation")).to_have_text(translate(tiny_model, read_as(typed, "en")).text or "—")
    offline.get_by_test_id("keep-mine").click()
    expect(offline.locator("#read-as")).to_be_empty()
    expect(offline.locator("#translation")).to_have_text(translate(tiny_model, typed).text or "—")


def test_rows_are_read_as_the_posterior_too_and_a_link_says_so(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, SENTENCE)
    trace = translate(tiny_model, SENTENCE)
    expect(offline.locator("#translation")).to_have_text(trace.text or "—")
    offline.get_by_test_id("units-tokens").click()
    offline.get_by_test_id("reading-posterior").click()
    expect(offline.get_by_test_id("posterior-bar").first).to_be_visible()
    cells = offline.get_by_test_id("heat-cell")
    shown = cells.evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
    assert shown == pytest.approx(posterior(tiny_model, trace).posterior.ravel().tolist(), abs=1e-5)
    offline.get_by_test_id("posterior-bar").first.click()
    expect(offline.get_by_role("region", name="The number that was clicked")).to_contain_text("Posterior of “")
    offline.wait_for_url(lambda url: "rows=posterior" in url)
    address = offline.url
    offline.goto("about:blank")
    offline.goto(address)
    expect(offline.get_by_test_id("reading-posterior")).to_have_attribute("aria-pressed", "true")
    expect(offline.get_by_test_id("posterior-bar").first).to_be_visible()


def test_its_address_brings_back_what_was_asked_and_looked_at(offline: Page, file: Path) -> None:
    ask(offline, SENTENCE)
    offline.get_by_label("Force a translation (French, optional)").fill("Vois-tu la maison ?")
    offline.keyboard.press("Enter")
    expect(offline.locator("#translation")).to_have_text("Vois-tu la maison ?")
    offline.wait_for_url(lambda url: "given=Vois" in url)
    offline.goto("about:blank")
    offline.goto(f"{file.as_uri()}#sentence=We+are+not+children.&step=3&units=tokens")
    expect(offline.get_by_test_id("stepper")).to_have_attribute("data-step", "3")
    expect(offline.get_by_test_id("units-tokens")).to_have_attribute("aria-pressed", "true")
    expect(offline.get_by_label("English sentence")).to_have_value("We are not children.")
    offline.evaluate("location.hash = '#sentence=I+love+you.&step=x&change=%7B%22hidden%22%3A%5B99%5D%7D'")
    expect(offline.get_by_role("alert")).to_contain_text("source token 100 is past the end")


def test_a_change_stands_beside_what_was_before_and_can_be_taken_back(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, SENTENCE)
    plain = translate(tiny_model, SENTENCE).text
    offline.get_by_test_id("edit").click()
    offline.get_by_test_id("source-token").last.click()
    offline.get_by_test_id("menu-mask").click()
    changes = offline.locator("#changes")
    expect(changes).to_contain_text("the end of the sentence is masked")
    expect(offline.get_by_test_id("model")).to_have_count(2)
    changes.get_by_test_id("undo").click()
    expect(changes).to_contain_text("Nothing is changed.")
    expect(offline.locator("#translation")).to_have_text(plain)
    changes.get_by_test_id("redo").click()
    expect(changes.get_by_test_id("change")).to_have_count(1)
    changes.get_by_test_id("change").click()
    expect(changes).to_contain_text("Nothing is changed.")


def test_a_clicked_number_is_made_again_and_leads_to_those_it_is_made_of(offline: Page) -> None:
    offline.get_by_test_id("units-tokens").click()
    offline.get_by_test_id("weight-bar").first.get_by_role("button").click()
    panel = offline.get_by_role("region", name="The number that was clicked")
    expect(panel).to_contain_text("Weight of “I”")
    panel.locator("button.number").first.click()
    expect(panel).to_contain_text("Score of “I”")
    expect(panel).to_contain_text("difference")
    expect(panel).not_to_contain_text("do not agree")
    panel.get_by_role("button", name="Back").click()
    expect(panel).to_contain_text("Weight of “I”")
    offline.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_the_n_best_list_is_that_of_beam_search_and_each_can_be_stepped(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, SENTENCE)
    expect(offline.locator("#translation")).to_have_text(translate(tiny_model, SENTENCE).text)
    offline.get_by_test_id("search").click()
    found = beam.search(tiny_model, beam.encode(tiny_model, SENTENCE), BeamSettings(5))
    texts = [tiny_model.tokenizer.decode(one.ids) or "—" for one in found]
    expect(offline.get_by_test_id("hypothesis")).to_have_text(texts)
    offline.get_by_test_id("hypothesis").last.click()
    expect(offline.locator("#translation")).to_have_text(texts[-1])


def test_what_a_stranger_types_runs_nothing(offline: Page) -> None:
    ask(offline, HOSTILE)
    expect(offline.get_by_test_id("source-token").first).to_have_text("<")
    assert offline.locator("img").count() == 0
    ask(offline, "")
    expect(offline.get_by_role("status").first).to_contain_text("Nothing to read yet")
    expect(offline.get_by_role("status").first).to_contain_text("Below is still “<")
    ask(offline, "word " * 90)
    expect(offline.get_by_role("status").first).to_contain_text("this page shows up to 79")


def test_it_can_be_read_in_light_and_dark_on_a_desk_and_a_phone(offline: Page) -> None:
    offline.get_by_test_id("top-token").first.click()
    offline.get_by_test_id("search").click()
    expect(offline.get_by_test_id("hypothesis").first).to_be_visible()
    for scheme in ("dark", "light"):
        turn(offline, scheme)
        assert violations(offline) == []
        assert offline.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0


def test_a_file_that_is_cut_short_says_so(browser: Browser, file: Path, tmp_path: Path) -> None:
    whole = file.read_text(encoding="utf-8")
    begins = whole.index('id="weights-0">')
    cut = tmp_path / "cut.html"
    for keeps in (begins + 5000, begins - 20):
        cut.write_text(whole[:keeps], encoding="utf-8")
        with disconnected(browser) as page:
            page.goto(cut.as_uri())
            expect(page.get_by_role("status").first).to_contain_text("this file is cut short")
    cut.write_text(whole[: begins + 5000] + "AAAAAAAA" + whole[begins + 5008 :], encoding="utf-8")
    with disconnected(browser) as page:
        page.goto(cut.as_uri())
        expect(page.get_by_role("status").first).to_contain_text("damaged")


def test_it_works_in_a_frame_that_shares_nothing(browser: Browser, file: Path, tmp_path: Path) -> None:
    course = tmp_path / "course.html"
    document = escape(file.read_text(encoding="utf-8"))
    course.write_text(
        f"<!doctype html><meta charset=utf-8><title>Course</title><iframe title=Regard sandbox=allow-scripts "
        f'width=1200 height=900 srcdoc="{document}"></iframe>',
        encoding="utf-8",
    )
    with disconnected(browser) as page:
        page.goto(course.as_uri())
        frame = page.frame_locator("iframe")
        frame.get_by_test_id("stepper").wait_for()
        frame.get_by_label("English sentence").fill(SENTENCE)
        frame.get_by_label("English sentence").press("Enter")
        expect(frame.get_by_test_id("source-token").first).to_have_text("Do")


def test_the_code_to_embed_it_shows_the_same_sentence_in_a_frame_beside_the_file(browser: Browser, file: Path) -> None:
    course = file.parent / "course.html"
    code = embed_code(Question(SENTENCE, model=DEFAULT), several=False)
    course.write_text(f"<!doctype html><meta charset=utf-8><title>Course</title>{code}", encoding="utf-8")
    with disconnected(browser) as page:
        page.goto(course.as_uri())
        frame = page.frame_locator("iframe")
        expect(frame.get_by_label("English sentence")).to_have_value(SENTENCE)
        frame.get_by_test_id("stepper").wait_for()
        opening = int(frame.get_by_test_id("stepper").get_attribute("data-step") or 0)
        frame.get_by_role("button", name="Next step").click()
        expect(frame.get_by_test_id("stepper")).to_have_attribute("data-step", str(opening + 1))
        page.frames[1].wait_for_url(lambda url: f"step={opening + 1}" in url)


def test_a_site_fetches_its_weights_and_says_when_it_cannot(
    browser: Browser, tiny_model: Pretrained, tmp_path: Path
) -> None:
    index, weights = site([tiny_model], tmp_path / "site")
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with served(index.parent) as url:
        page.goto(url)
        expect(page.locator("#translation")).to_have_text(translate(tiny_model, "I love you.").text)
        assert sorted(asked) == sorted([url, f"{url}{weights.name}"])
        weights.write_bytes(weights.read_bytes()[:-100])
        os.utime(weights, (time.time() + 2, time.time() + 2))  # the server tells versions apart by the second
        page.reload()
        expect(page.get_by_role("status").first).to_contain_text("Fetch or save it again")
    page.goto(index.as_uri())
    expect(page.get_by_role("status").first).to_contain_text("Serve the folder")
    context.close()


def test_several_models_are_chosen_from_and_stand_side_by_side(
    browser: Browser, family: dict[str, Pretrained], tmp_path: Path
) -> None:
    file = tmp_path / "regard.html"
    models = [replace(model, name=name) for name, model in family.items()]
    file.write_text(page_of(models), encoding="utf-8")
    with disconnected(browser) as page:
        page.goto(f"{file.as_uri()}#sentence={SENTENCE}")
        page.get_by_test_id("stepper").wait_for()
        page.locator("#model").select_option("en-fr-dot")
        expect(page.locator("#translation")).to_have_text(translate(models[2], SENTENCE).text)
        page.get_by_label("Side by side").check()
        expect(page.get_by_test_id("model")).to_have_count(4)
        written = page.get_by_test_id("written").all_inner_texts()
        for text, model in zip(written, models, strict=True):
            assert text.replace("‸", "") == translate(model, SENTENCE).text
        assert json.loads(page.evaluate("JSON.stringify(regard.names)")) == list(family)
