import json
import re
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from regard.app.wording import plain_markdown
from tests.support.model_import_screen import ask, bring, button, html, names
from tests.support.model_zips import packed
from tests.support.screens import opened, switch_page

MARKUP = "[a](http://evil.example) ![b](http://evil.example/b.png) $\\rule{9999px}{9999px}$ :red[c] **d**"
ACTS = re.compile(r"\]\(http|(?<!\\)\$\\rule|(?<!\\):red\[|(?<!\\)\*\*d")
NO_MARKUP = ("code", "plotly_chart", "arrow_data_frame", "bidi_component", "html")  # as they are, or escaped


def written(block: Any) -> Iterator[str]:
    """Every text of what is drawn there in which Streamlit reads Markdown."""
    for part in block.children.values():
        if hasattr(part, "children"):
            yield from written(part)
        if part.type not in NO_MARKUP:
            yield from fields(part.proto)


def fields(message: Any) -> Iterator[str]:
    """The texts of a message of Streamlit's."""
    for kind, value in message.ListFields() if message is not None else ():
        for each in value if kind.is_repeated else [value]:
            if kind.message_type:
                yield from fields(each)
            elif isinstance(each, str):
                yield each


def test_its_card_is_shown_as_text(screen: AppTest, contents: dict[str, bytes]) -> None:
    card = "<script>alert(1)</script> ![x](http://example.org/x)"
    bring(screen, packed({**contents, "README.md": f"# mine\n\n{card}\n".encode()}))
    screen.session_state[f"card-{names(screen)[0]}"] = True  # the expander is opened
    screen.run()
    assert [each.value for each in screen.code if each.value == card]
    assert card not in html(screen)
    assert not any(card in each.value for each in screen.markdown)


def test_no_word_of_its_card_or_scores_is_markdown_or_latex(screen: AppTest, contents: dict[str, bytes]) -> None:
    story = {"aer": 0.5, "precision": 0.5, "recall": 0.5}
    measured = {
        "format": 1,
        "model": {"name": MARKUP},
        "how": {MARKUP: MARKUP},
        "tests": {MARKUP: {"searches": {f"beam_{MARKUP}": {"by_length": [{"words": [1, 5], "pairs": 3, "bleu": 1}]}}}},
        "alignments": {"overall": {"output": story}, "stories": {MARKUP: {"output": story}}},
        "attention": {
            "sentences": 1,
            "steps": 2,
            "counterfactuals": {MARKUP: {"function": {"words": 1, "kept": 0.5}, MARKUP: {"words": 1, "kept": 0.5}}},
            "tau": {MARKUP: {"mean": 0.5, "steps": 2}},
        },
    }
    files = {"scores.json": json.dumps(measured).encode(), "README.md": f"# {MARKUP}\n\n{MARKUP}\n".encode()}
    ask(bring(screen, packed({**contents, **files}), f"{MARKUP.replace('/', '')}.zip"))
    opened(screen, f"card-{names(screen)[0]}", "on-test-sets")
    seen = ""
    for other in ("model_import", "translate", "bottleneck", "explanation"):
        switch_page(screen, f"screens/{other}/screen.py").run()
        if other == "translate":
            button(screen, "About Regard and the model")
        assert not screen.exception, other
        shown = [text for block in (screen.main, screen.sidebar) for text in written(block)]
        assert [text for text in shown if ACTS.search(text)] == [], other
        seen += "".join(shown)
    assert seen.count(plain_markdown(MARKUP)) >= 3  # the test, the way of search, what stands in place of the weights
