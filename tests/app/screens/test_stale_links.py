"""Links with values that a screen does not have, such as a step of a longer sentence, open it all the same, and nothing
in them is markup. The standing attack (`tests/app/server/test_attack.py`) has many more values."""

from typing import Any

import pytest

from tests.support.screens import on_screen

TEXT = "<script>x</script> $a$ **b** :red[c] </s>"
NUMBERS = ("-1", "999 <b>", "nan", "9" * 50)
PARAMETERS: dict[str, tuple[str, ...]] = {  # by screen
    "alignment": ("pair", "read_from", "story", "view", "pairs_order", "cross_head", "measured_on"),
    "attention_files": ("written_as", "opened_from", "read_as", "counted_from"),
    "beam": ("beam_width", "beam_alpha", "beam_coverage", "expanded"),
    "bottleneck": ("attending", "lengths_test", "lengths_search"),
    "explanation": ("token", "seed", "cross_head"),
    "glossary": ("term", "theme", "find"),
    "learn": ("chapter", "answers", "longer"),
    "recorded_training": ("learner", "watched", "update", "watched_head"),
    "sampling": ("sample", "sampling_temperature", "top_k", "nucleus", "samples", "draw"),
    "transformer": ("part", "hide", "trained_layer", "trained_head", "components", "sequence"),
    "watch": ("run", "task", "longest", "attention", "forcing", "hidden", "most", "run_seed", "other", "cell"),
    "why": ("token", "wanted", "penalty", "word"),
    "worked_examples": ("example", "hand"),
    "worksheet": ("sheet_step", "sheet_version", "sheet_answers"),
}
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("alignment", {"view": "Your own sentence", "marks": "\x00<script>" * 900, "seen": "7"}),
    ("bottleneck", {"clauses": f"{TEXT}\n" * 400}),
    ("learn", {"chapter": "6", "output": "999 x"}),
    ("learn", {"chapter": "8", "calculation": "4000", "wiring": "<b>"}),
    ("learn", {"chapter": "2", "changed": "-5", "instead": "<script>$a$"}),
    ("translate", {"number": "weight.trace.0.step.99.position.1"}),
    ("translate", {"number": "__proto__.a"}),
    ("why", {"given": "x" * 5000}),
    ("why", {"given": TEXT, "attention-search": "1", "word": "x" * 5000}),
]


@pytest.mark.parametrize(
    ("screen", "link"),
    [*((screen, dict.fromkeys(names, value)) for screen, names in PARAMETERS.items() for value in NUMBERS), *OTHERS],
)
def test_a_stale_or_hostile_link_opens_the_screen(screen: str, link: dict[str, Any]) -> None:
    page = on_screen(screen)
    page.query_params.update({"sentence": TEXT, **link})
    page.run()
    assert not page.exception
    assert page.get("html")
    assert not {"<script>", "<b>b"} & {
        tag for tag in ("<script>", "<b>b") for part in page.get("html") if tag in part.proto.body
    }
