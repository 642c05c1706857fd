import json
import re

from benchmarks.server import ROOT
from regard.model.evaluation import scores_record

PARTS = ("tests", "alignments", "attention", "task", "speed", "typed_first", "made_numbers", "how", "without_head")
WRITERS = ("model/cards/card.py", "model/commands", "model/synthetic/exact_match.py", "model/uploads/metadata.py")


def test_every_part_is_read_by_its_name_and_empty_where_it_was_not_measured() -> None:
    scores = json.loads((ROOT / "pretrained" / "en-fr" / "scores.json").read_text(encoding="utf-8"))
    measured = {name for name in PARTS if scores_record.part(scores, name)}
    assert measured == {name for name in PARTS if scores.get(name)} >= {"tests", "alignments", "attention"}
    assert not any(scores_record.part({}, name) for name in PARTS)
    assert scores_record.agreement(scores) == scores["alignments"]["overall"]
    for story, rates in scores["alignments"]["stories"].items():
        assert scores_record.agreement(scores, story) == rates
    for test in scores_record.tests(scores):
        assert scores_record.greedy(scores, test) == scores["tests"][test]["searches"]["greedy"]
    assert scores_record.counterfactuals(scores) == scores["attention"]["counterfactuals"]
    assert scores_record.taus(scores) == scores["attention"]["tau"]
    assert not scores_record.searches(scores, "no such test")


def test_nobody_else_takes_the_record_apart() -> None:
    named = re.compile(rf"""(scores|scores\(name\)|measured|record)(\[|\.get\()["']({"|".join(PARTS)}|searches)["']""")
    for top in ("app", "model"):
        for path in (ROOT / top).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            if place != "model/evaluation/scores_record.py" and not place.startswith(WRITERS):
                assert not named.search(path.read_text(encoding="utf-8")), path
