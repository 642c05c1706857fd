import json

import pytest

from regard.model.alignment import Sentence
from tests.model.test_unknown_words import CASES, aligned, translated
from tests.support.javascript import APP, evaluated


def in_javascript(sentence: Sentence) -> dict[str, object]:
    """Return a sentence as the engine has it: characters are counted in UTF-16."""
    spans = [
        [len(sentence.text[:end].encode("utf-16-le")) // 2 for end in (s.start, s.stop)] for s in sentence.characters
    ]
    characters = [{"start": start, "stop": stop} for start, stop in spans]
    named = {name: getattr(sentence, name) for name in ("text", "language", "tokens", "words")}
    return {**named, "wordOf": sentence.word_of, "characters": characters}


@pytest.mark.parametrize("score", ["dot", "none"])
def test_the_one_file_carries_over_what_python_does(score: str) -> None:
    traces = []
    for source, target, looks_at, _ in CASES:
        one = aligned(source, target, looks_at)
        rows, width = one.weights.shape
        weights = {"rows": rows, "width": width, "values": one.weights.ravel().tolist()}
        sides = {"source": in_javascript(one.source), "target": in_javascript(one.target)}
        traces.append({**sides, "weights": weights, "stop": "end", "maker": {"score": score}})
    found = evaluated(
        f"{json.dumps(traces)}.map((one) => [withCarried(one), carriedNote(one)])",
        {APP / "export" / "engine" / "unknown_words.js": "withCarried, carriedNote"},
    )
    attends = score != "none"
    assert found == [list(translated(source, target, looks_at, attends)) for source, target, looks_at, _ in CASES]
