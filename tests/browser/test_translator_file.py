"""The page that holds a model, as a file: cut short, in a frame, sent by a web server, with several models."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, expect

from regard.app.export.translator.document import page as page_of
from regard.app.export.translator.document import site
from regard.app.ui.offline_file import embed_code
from regard.app.visitor.question import Question
from regard.model.changes.what_if import translate
from regard.model.checkpoint import DEFAULT, Pretrained
from tests.support.engine import LINE, disconnected, served

SENTENCE = "Do you see the old house?"


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
