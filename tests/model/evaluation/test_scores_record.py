import json

from benchmarks.server import ROOT
from regard.model.evaluation import scores_record

PARTS = ("tests", "alignments", "attention", "task", "speed", "typed_first", "made_numbers", "how", "without_head")


def test_every_part_is_read_by_its_name_and_empty_where_it_was_not_measured() -> None:
    scores = json.loads((ROOT / "pretrained" / "en-fr" / "scores.json").read_text(encoding="utf-8"))
    measured = {name for name in PARTS if scores_record.part(scores, name)}
    assert measured == {name for name in PARTS if scores.get(name)} >= {"tests", "alignments", "attention"}
    assert not any(scores_record.part({}, name) for name in PARTS)
    assert scores_record.agreement(scores) == scores["alignments"]["overall"]
    for story, rates in scores["alignments"]["stories"].items():
        assert scores_record.agreement(scores, story) == rates
    for test in scores["tests"]:
        assert scores_record.greedy(scores, test) == scores["tests"][test]["searches"]["greedy"]
    assert not scores_record.searches(scores, "no such test")
