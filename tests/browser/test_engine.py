import os
import random
import shutil
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from safetensors.numpy import load_file, save_file

from regard.app.export.translator.document import rounded_rows, site
from regard.model.checkpoint import PRETRAINED, WEIGHTS, AnyModel, Pretrained, load
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.data.corpus import read_table
from regard.model.scores import SCORES
from regard.model.tokenizer import Encoding
from regard.model.transformer.checkpoint import load_any
from tests.support.engine import NEAR, Asked, apart, disconnected, open_page, served

SHIPPED = tuple(sorted(path.parent.name for path in PRETRAINED.glob("*/config.json")))
SENTENCE = "I don't love the red car."
LONG = ("Wojciechowska 😀 reads </s>!", "The boy who is wearing a blue shirt is playing football with his friends.")
MORE = os.environ.get("REGARD_SENTENCES")  # a file of more sentences, one a line
TABLE = os.environ.get("REGARD_TABLE")  # of source TAB target lines, both sides of which are made tokens
STRANGE = 1000 if TABLE else 60  # texts of characters from anywhere
AT_ONCE = 5000  # texts that a browser is sent
SEQUENCES = ("2 5 9", "7 0 4 2 9 1 6 8")
WIRED = ({}, {"input_feeding": True}, {"wiring": "bahdanau"})
KINDS = tuple(product(SCORES, WIRED, ("lstm", "gru"), ("zero", "encoder")))
HOSTILE = (
    "", " ", "\u00a0\u202f\u2009", "<script>alert(1)</script>", "</s> <s> <pad> <0x41>", "constructor __proto__",
    "a\u0301 e\u0301 \u1100\u1161", "e\u0301" * 40, "\ud800 lone", "\x00\x07\x1f\x7f\x85", "\u200b\u2060\ufeff zero",
    "İıſK IS ils-ILS QU'İL", "n't N'T don't DON’T ‘I‘m’ I'm y'all", "aujourd'hui AUJOURD'HUI prud'homme quelqu'unes",
    "a-t-il as-tu DONNE-LUI Où-ci là-là", "l'l'l'homme qu'qu'à", "3.14 1,000.5 12:30 ١٢٣٫٤ ²³ Ⅷ ½", "snake_case _x_ __",
    "·joint· a·b-c", "T-shirt. l'aîné: «oui»…", "😀👩\u200d👩\u200d👧🇫🇷", "नमस्ते दुनिया", "مرحبا بالعالم",
    "漢字かな交じり文", "ﬁ ﬀ ŉ ǰ", "\u0345\u24b6 ⓐ", "'" * 30, "-" * 30, "a" * 300,
)  # fmt: skip


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    with disconnected(browser) as page:
        yield page


@pytest.fixture(scope="module")
def fetching(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A site with all models that ship, served to this machine; it asks its own folder for them and nobody else."""
    folder = tmp_path_factory.mktemp("site")
    site([load_any(shipped_folder(name)) for name in SHIPPED], folder)
    with served(folder) as url:
        page = browser.new_context().new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url)
        page.get_by_test_id("stepper").wait_for()
        yield page
        assert {address for address in asked if not address.startswith((url, "data:,"))} == set()
        page.context.close()


def named(model: AnyModel, name: str, folder: Path) -> AnyModel:
    """Return the model under another name."""
    shutil.copytree(model.folder, folder / name)
    return load_any(folder / name)


def every_two(kinds: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The fewest that a greedy choice finds in which each two choices that can meet do meet."""

    def meeting(kind: tuple[Any, ...]) -> set[Any]:
        return set(combinations(enumerate(map(str, kind)), 2))

    chosen, left = [], set[Any]().union(*map(meeting, kinds))
    while left:
        chosen.append(max(kinds, key=lambda kind: len(left & meeting(kind))))
        left -= meeting(chosen[-1])
    return chosen


def test_every_number_is_pytorchs_whichever_two_kinds_of_network_meet(
    offline: Page, make_model: Callable[..., Pretrained], tmp_path: Path
) -> None:
    models = []
    for number, (score, wiring, cell, initial_state) in enumerate(every_two(KINDS)):
        made = make_model(score=score, cell=cell, initial_state=initial_state, **wiring)
        models.append(replace(made, name=f"model-{number}"))
    open_page(offline, models, tmp_path)
    for model in models:
        ((farthest, unequal),) = apart(offline, model, [Asked(SENTENCE)])
        assert (unequal, farthest < NEAR) == ((), True), (model.config, farthest)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_number_of_a_shipped_model_is_pytorchs(fetching: Page, name: str) -> None:
    model = load_any(shipped_folder(name))
    sentences = SEQUENCES if name.startswith("reverse") else (*LONG, *_more())
    for (farthest, unequal), sentence in zip(apart(fetching, model, [*map(Asked, sentences)]), sentences, strict=True):
        assert (unequal, farthest < NEAR) == ((), True), (sentence, farthest)


@pytest.mark.parametrize("language", ["en", "fr", "plain", "any"])
def test_tokens_and_words_are_those_of_hugging_face(fetching: Page, shipped: Pretrained, language: str) -> None:
    draw = random.Random(1)
    anywhere = map(chr, (*range(32, 0x250), *range(0x300, 0x2100)))
    known = [one for one in anywhere if unicodedata.category(one) != "Cn"]  # a browser's Unicode is later than Python's
    texts = [*HOSTILE, *("".join(draw.choices(known, k=20)) for _ in range(STRANGE)), *_sides(language)]
    broken = [draw.choices(range(3, 700), k=12) for _ in range(60)]  # bytes that make no character among them
    for first in range(0, len(texts), AT_ONCE):
        some = texts[first : first + AT_ONCE]
        raw = [text.encode("utf-16-le", "surrogatepass").hex() for text in some]
        encoded, read = fetching.evaluate(TOKENS, [shipped.name, raw, broken, language])
        assert encoded == [_places(shipped.tokenizer.encode(text, language)) for text in some]
        assert read == [_places(shipped.tokenizer.read(ids, language)) for ids in broken]


def test_one_changed_weight_in_the_file_is_noticed(offline: Page, tiny_model: Pretrained, tmp_path: Path) -> None:
    changed = named(tiny_model, "changed", tmp_path)
    heads = named(load_any(shipped_folder("reverse-transformer")), "heads", tmp_path)
    for folder, weight in (
        (changed.folder, "decoder.W_c.weight"),
        (heads.folder, "decoder.layers.1.cross_attention.W_V.weight"),
    ):
        arrays = load_file(folder / WEIGHTS)
        arrays[weight][3, 5] += 0.25
        save_file(arrays, folder / WEIGHTS)
    open_page(offline, [changed, heads], tmp_path)
    for model, sentence in (tiny_model, SENTENCE), (load_any(shipped_folder("reverse-transformer")), SEQUENCES[0]):
        name = "changed" if model is tiny_model else "heads"
        ((farthest, unequal),) = apart(offline, replace(model, name=name), [Asked(sentence)])
        assert unequal or farthest > 2 * NEAR, name


def test_rounded_weights_are_computed_with_as_they_are(offline: Page, tiny_model: Pretrained, tmp_path: Path) -> None:
    again = named(tiny_model, "again", tmp_path)
    arrays = {name: array.astype(np.float32) for name, array in load_file(again.folder / WEIGHTS).items()}
    for name, array in arrays.items():
        if array.ndim == 2:
            whole, scales = rounded_rows(array)
            assert np.abs(whole * scales[:, None] - array).max() <= scales.max() / 2 * 1.001
            arrays[name] = whole * scales[:, None]
    save_file(arrays, again.folder / WEIGHTS)
    open_page(offline, [tiny_model], tmp_path, rounded=True)
    ((farthest, unequal),) = apart(offline, replace(load(again.folder), name=tiny_model.name), [Asked(SENTENCE)])
    assert (unequal, farthest < NEAR) == ((), True)


def _more() -> list[str]:
    return [line for line in Path(MORE).read_text(encoding="utf-8").splitlines() if line.strip()] if MORE else []


def _sides(language: str) -> list[str]:
    """All texts of the table that are in this language, where English is the source."""
    side = {"en": 0, "fr": 1}.get(language)
    return [pair[side] for pair in read_table(Path(TABLE))] if TABLE and side is not None else []


def _places(encoding: Encoding) -> list[object]:
    spans = [[[span.start, span.stop] for span in some] for some in (encoding.words, encoding.characters)]
    return [encoding.text, list(encoding.ids), list(encoding.word_of), *spans]


# Python counts characters, JavaScript their halves; texts with half a character travel as their bytes.
TOKENS = """async ([name, raw, broken, language]) => {
  const {tokenizer} = await regard.modelCalled(name);
  const textOf = (hex) => String.fromCharCode(
    ...(hex.match(/..../g) ?? []).map((unit) => parseInt(unit.slice(2) + unit.slice(0, 2), 16)));
  const told = ({text, ids, words, wordOf, characters}) => {
    const places = [0];
    for (const character of text) places.push(places.at(-1) + character.length);
    const spans = (some) => some.map(({start, stop}) => [places.indexOf(start), places.indexOf(stop)]);
    return [text, ids, wordOf, spans(words), spans(characters)];
  };
  return [raw.map((hex) => told(tokenizer.encode(textOf(hex), language))),
    broken.map((ids) => told(tokenizer.read(ids, language)))];
}"""
