"""The page that holds a model, open from disk: type, step, change and open numbers."""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
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
from regard.model.doubt.chance import coverage
from regard.model.truecasing import read_as
from regard.model.word_alignment.posterior import posterior
from tests.support.axe import turn, violations
from tests.support.engine import LINE, disconnected, served
from tests.support.model_zips import doubted

SENTENCE = "Do you see the old house?"
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(1)</script> </s>"


@pytest.fixture
def offline(browser: Browser, translator_file: Path) -> Iterator[Page]:
    """The page, open from disk."""
    with disconnected(browser) as page:
        page.goto(f"{translator_file.as_uri()}#picture=alignment")
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
    offline.get_by_test_id("view").click()
    offline.get_by_test_id("units-tokens").click()
    shown = stepper.get_by_test_id("heat-cell").evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
    assert shown == pytest.approx(trace.weights.ravel().tolist(), abs=1e-5)


def test_what_is_typed_before_the_page_is_ready_is_translated(
    browser: Browser, translator_file: Path, tiny_model: Pretrained
) -> None:
    with disconnected(browser) as page:
        page.add_init_script("""new MutationObserver(() => {
            const field = document.getElementById("sentence");
            if (field) field.value ||= "The cat.";
        }).observe(document, { childList: true, subtree: true });""")
        page.goto(translator_file.as_uri())
        expect(page.locator("#translation")).to_have_text(translate(tiny_model, "The cat.").text)
        expect(page.get_by_label("English sentence")).to_have_value("The cat.")


def test_casual_spelling_is_read_as_in_the_app_or_as_it_was_typed(offline: Page, tiny_model: Pretrained) -> None:
    typed = "IM TIRED AND I DONT KNOW WHY"
    ask(offline, typed)
    expect(offline.locator("#read-as")).to_contain_text("Read as “I'm tired and I don't know why”")
    expect(offline.get_by_label("English sentence")).to_have_value(typed)
    expect(offline.locator("#translation")).to_have_text(translate(tiny_model, read_as(typed, "en")).text or "—")
    offline.get_by_test_id("keep-mine").click()
    expect(offline.locator("#read-as")).to_be_empty()
    expect(offline.locator("#translation")).to_have_text(translate(tiny_model, typed).text or "—")
    ask(offline, "I love you\u00ad.")
    expect(offline.locator("#read-as")).to_have_text("Read as “I love you.” (1 soft hyphen left out) ")


def test_rows_are_read_as_the_posterior_too_and_a_link_says_so(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, SENTENCE)
    trace = translate(tiny_model, SENTENCE)
    expect(offline.locator("#translation")).to_have_text(trace.text or "—")
    offline.get_by_test_id("view").click()
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


def test_a_change_stands_beside_what_was_before_and_can_be_taken_back(offline: Page, tiny_model: Pretrained) -> None:
    ask(offline, SENTENCE)
    plain = translate(tiny_model, SENTENCE).text
    offline.get_by_test_id("view").click()
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


def test_what_is_unusual_of_a_sentence_and_doubtful_of_a_translation_is_told_as_in_the_app(
    offline: Page, translator_file: Path, tiny_model: Pretrained
) -> None:
    source, (_, doubt) = tiny_model.tokenizer.languages[0], doubted(tiny_model, translator_file.parent)
    for sentence in (SENTENCE, "12 + 30 !", "Wojciechowska “😀” reads."):
        ask(offline, sentence)
        trace = translate(tiny_model, " ".join(sentence.split()))
        expect(offline.locator("#translation")).to_have_text(trace.text or "—")
        read = tiny_model.tokenizer.encode(sentence, source)
        expect(offline.locator("#remark")).to_have_text(remark(tiny_model.tokenizer, read, SCREEN_TOKENS))
        expect(offline.locator("#about")).to_have_text(re.compile(f"^{re.escape(out_of_ten(doubt.of(trace)))} · "))
        cells = offline.get_by_test_id("coverage").all()
        flagged = {place for place, cell in enumerate(cells) if cell.get_attribute("class") == "flagged"}
        assert flagged == {flag.source for flag in doubt.flags(trace)}
        shown = [float(cell.get_attribute("data-value") or "nan") for cell in cells]
        assert shown == pytest.approx(coverage(trace).tolist(), abs=1e-4)


# The page as a file


def test_a_file_that_is_cut_short_says_so(browser: Browser, translator_file: Path, tmp_path: Path) -> None:
    whole = translator_file.read_text(encoding="utf-8")
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


def test_the_code_to_embed_it_shows_the_same_sentence_in_a_frame_beside_the_file(
    browser: Browser, translator_file: Path
) -> None:
    course = translator_file.parent / "course.html"
    code = embed_code(Question(SENTENCE, model=DEFAULT), several=False)
    course.write_text(f"<!doctype html><meta charset=utf-8><title>Course</title>{code}{LINE}", encoding="utf-8")
    with disconnected(browser) as page:
        page.emulate_media(reduced_motion="reduce")  # nothing plays, so that the step stays
        page.goto(course.as_uri())
        frame = page.frame_locator("iframe")
        expect(frame.get_by_label("English sentence")).to_have_value(SENTENCE)
        frame.get_by_test_id("stepper").wait_for()
        opening = int(frame.get_by_test_id("stepper").get_attribute("data-step") or 0)
        frame.get_by_role("button", name="Next step").click()
        expect(frame.get_by_test_id("stepper")).to_have_attribute("data-step", str(opening + 1))
        page.frames[1].wait_for_url(lambda url: f"step={opening + 1}" in url)
        page.wait_for_function("document.querySelector('iframe').offsetHeight !== 900")
        document = page.frames[1].locator("html")
        assert document.evaluate("page => page.scrollHeight - page.clientHeight") <= 1


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
        page.goto(f"{file.as_uri()}#sentence={SENTENCE}&picture=alignment")
        page.get_by_test_id("stepper").wait_for()
        page.locator("#model").select_option("en-fr-dot")
        expect(page.locator("#translation")).to_have_text(translate(models[2], SENTENCE).text)
        page.get_by_label("Side by side").check()
        expect(page.get_by_test_id("model")).to_have_count(4)
        written = page.get_by_test_id("written").all_inner_texts()
        for text, model in zip(written, models, strict=True):
            assert text == translate(model, SENTENCE).text
        assert json.loads(page.evaluate("JSON.stringify(regard.names)")) == list(family)
