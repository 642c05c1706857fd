"""A class in real browsers: a teacher, and students on a phone, with the keyboard alone, and one who reloads."""

import csv
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from benchmarks.server import serve
from regard.app.classroom.store import SETTING
from tests.support.axe import check_open
from tests.support.browser_navigation import complaints, link_value, settled
from tests.support.redis_server import redis_server

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
SENTENCE = "She bought a red car and a black dress."


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page of a browser of its own."""
    with ExitStack() as opened:

        def open_page(url: str, **settings: Any) -> Page:
            context: BrowserContext = browser.new_context(**settings)
            opened.callback(context.close)
            page = context.new_page()
            page.goto(url)
            settled(page)
            return page

        yield open_page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()
    settled(page)


def begin(teacher: Page) -> str:
    """Begin a class about the sentence, and return its code."""
    press(teacher, "Start a class")
    expect(teacher.get_by_role("img", name="QR code")).to_be_visible()
    return link_value(teacher.url, "code")


def option(page: Page, name: str) -> Locator:
    return page.locator(".st-key-class-question").get_by_role("radio", name=name, exact=True)


def first_vote(teacher: Page, phone: Page, keyboard: Page) -> None:
    """Two of three answer, one by touch, one by the keyboard; the first reloads and is the same student."""
    press(teacher, "Ask the class")
    option(phone, "dress").tap()
    expect(phone.get_by_text("Your answer is received: dress")).to_be_visible()
    option(keyboard, "bought").press("Space")
    expect(keyboard.get_by_text("Your answer is received")).to_be_visible()
    expect(teacher.get_by_text("2 of 3 students answered")).to_be_visible()
    name = phone.locator("header b").inner_text()
    phone.reload()
    expect(phone.get_by_text("Your answer is received: dress")).to_be_visible()
    expect(phone.locator("header b")).to_have_text(name)
    press(teacher, "Close the vote")
    expect(phone.get_by_text("The vote is closed")).to_be_visible()
    expect(teacher.locator(".class-bars li").filter(has_text="dress")).to_contain_text("50%")
    expect(teacher.locator(".class-bars .machine")).to_have_count(0)


def second_vote(teacher: Page, phone: Page) -> None:
    press(teacher, "Ask again")
    option(phone, "car").tap()
    expect(phone.get_by_text("Your answer is received: car")).to_be_visible()
    press(teacher, "Close the vote")


def saved(teacher: Page, folder: Path) -> list[dict[str, str]]:
    with teacher.expect_download() as download:
        teacher.get_by_role("button", name="Save the answers").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def test_a_class_predicts_twice_sees_the_answer_and_takes_it_home(
    visitor: Callable[..., Page], app_url: str, tmp_path: Path
) -> None:
    teacher = visitor(f"{app_url}/class?sentence={SENTENCE}", **PROJECTOR)
    errors = complaints(teacher)
    code = begin(teacher)
    link = f"{app_url}/join?code={code}"
    phone, keyboard, third = visitor(link, **PHONE), visitor(link), visitor(f"{app_url}/join")
    errors += complaints(phone)
    third.get_by_role("textbox").fill(code.lower())
    third.keyboard.press("Enter")
    expect(teacher.get_by_text("3 students joined")).to_be_visible()
    first_vote(teacher, phone, keyboard)
    second_vote(teacher, phone)
    teacher.get_by_text("Share the stage").click()
    settled(teacher)
    press(teacher, "Reveal")
    expect(teacher.locator(".class-bars .right")).to_contain_text("model")
    check_open(teacher)
    check_open(keyboard)
    for page in (phone, keyboard, third):
        expect(page.locator(".class-bars .right")).to_be_visible()
        expect(page.get_by_test_id("stepper")).to_be_visible()
    press(teacher, "Next question")
    teacher.get_by_role("radio", name="What will it write next?").click()
    settled(teacher)
    press(teacher, "Ask the class")
    third.get_by_role("textbox").fill("auto")
    third.keyboard.press("Enter")
    expect(third.get_by_text("Your answer is received: auto")).to_be_visible()
    press(teacher, "Close the vote")
    expect(teacher.get_by_text("“auto” 1×")).to_be_visible()
    rows = saved(teacher, tmp_path)
    assert [row["count"] for row in rows if (row["question"], row["option"]) == ("1", "car")] == ["0", "1"]
    press(teacher, "End the class")
    expect(phone.get_by_text("You predicted the model in")).to_be_visible()
    assert errors == []


def test_every_phone_follows_the_teachers_step(visitor: Callable[..., Page], app_url: str) -> None:
    teacher = visitor(f"{app_url}/class?sentence={SENTENCE}")
    phone = visitor(f"{app_url}/join?code={begin(teacher)}", **PHONE)
    teacher.get_by_text("Follow me").click()
    expect(phone.get_by_test_id("stepper")).to_be_visible()
    for key, step in (("ArrowLeft", "4"), ("End", "12")):
        teacher.get_by_test_id("stepper").focus()
        teacher.keyboard.press(key)
        expect(phone.get_by_test_id("stepper")).to_contain_text(f"Step {step}")


def test_a_killed_replica_loses_no_answer(visitor: Callable[..., Page], tmp_path: Path) -> None:
    with redis_server(tmp_path) as address, ExitStack() as servers:
        one, other = (servers.enter_context(serve(environment=[(SETTING, address)])) for _ in range(2))
        teacher = visitor(f"{one.url}/class?sentence={SENTENCE}")
        code = begin(teacher)
        phone = visitor(f"{other.url}/join?code={code}", **PHONE)
        press(teacher, "Ask the class")
        option(phone, "car").tap()
        expect(phone.get_by_text("Your answer is received: car")).to_be_visible()
        os.kill(one.process, signal.SIGKILL)
        teacher.goto(teacher.url.replace(one.url, other.url))
        settled(teacher)
        expect(teacher.get_by_text("1 of 1 student answered")).to_be_visible()
        press(teacher, "Close the vote")
        press(teacher, "Reveal")
        expect(phone.locator(".class-bars .right")).to_contain_text("100%")
