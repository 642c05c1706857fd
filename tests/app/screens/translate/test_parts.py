"""A sentence that is entered, and words that are still being typed, run the part of the page that tells of them."""

import asyncio
import re
from html import unescape

import pytest

from benchmarks.load_visitor import LoadVisitor
from regard.model.checkpoint import Pretrained
from regard.model.translate import write
from tests.support.event_loop import run_coroutine

SENTENCE = "She has a red car."


def translation(texts: str) -> str:
    """Return the translation that is shown, without the marks of its weakest word."""
    shown = re.search(r'<p class="translation".*?>(.*?)</p>', texts)
    return unescape(re.sub("<[^>]*>", "", shown[1])) if shown else ""


async def arrived(url: str) -> LoadVisitor:
    visitor = LoadVisitor(url)
    await visitor.arrive()
    visitor.elements = {name: at for name, at in visitor.elements.items() if not name.startswith("button")}
    return visitor


def test_a_sentence_draws_its_translation_and_no_button_of_the_page(app_url: str, shipped: Pretrained) -> None:
    async def visit() -> tuple[str, list[str]]:
        visitor = await arrived(app_url)
        answer = await visitor.translate(SENTENCE)
        await visitor.leave()
        return answer.texts, [name for name in visitor.elements if name.startswith("button")]

    texts, buttons = run_coroutine(visit())
    assert write(shipped, [SENTENCE])[0] == translation(texts)
    assert buttons == []


def test_typed_words_are_translated_and_what_is_entered_with_them_wins(app_url: str, shipped: Pretrained) -> None:
    async def visit() -> tuple[str, str]:
        visitor, typed = await arrived(app_url), ""
        for nonce in range(1, 40):  # a server that has just started has no room yet
            typed = (await visitor.tell(typed={"nonce": nonce, "text": "She has a dog"})).texts
            if 'class="translation"' in typed:
                break
            await asyncio.sleep(0.3)
        visitor.values[visitor.elements["text_input sentence"][0]] = SENTENCE
        both = await visitor.tell(typed={"nonce": 99, "text": "She has a"})
        await visitor.leave()
        return typed, both.texts

    typed, both = run_coroutine(visit())
    words, entered = write(shipped, ["She has a dog", SENTENCE])
    assert (translation(typed), translation(both)) == (words, entered)


@pytest.mark.parametrize(
    "beside",
    [
        {"inspect": {"trace": 0, "kind": "weight", "step": 1, "position": 0, "nonce": 1}},
        {"preview": {"nonce": 1, "attention": "", "layer": 0, "head": 0, "step": 1, "row": [1.0]}},
    ],
)
def test_a_sentence_entered_together_with_a_click_or_a_drag_is_translated(
    beside: dict[str, object], app_url: str, shipped: Pretrained
) -> None:
    async def visit() -> str:
        visitor = await arrived(app_url)
        visitor.values[visitor.elements["text_input sentence"][0]] = SENTENCE
        both = await visitor.tell(**beside)
        await visitor.leave()
        return both.texts

    assert translation(run_coroutine(visit())) == write(shipped, [SENTENCE])[0]
