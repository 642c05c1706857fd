"""The picture while weights are dragged: the next tokens, where a chosen one stays the written one, and the mixture."""

import math

import pytest

from tests.support.javascript import APP, evaluated

PARTS = APP / "components" / "network" / "parts.js"
LABELS = [f"token {rank + 1}" for rank in range(7)]
ASKED = """(() => {
  const got = Array(5).fill(null);
  writeAnswer(got.map((_, place) => ({ write: (one) => { got[place] = one; } })), ANSWER);
  return got;
})()"""


@pytest.mark.parametrize(
    ("written", "rank", "last", "beyond"),
    [("token 2", 1, "token 5", ""), ("token 7", 6, "token 7", "rank 7"), ("other", -1, "other", "rank >7")],
)
def test_the_written_token_is_marked_and_shown_with_its_own_probability(
    written: str, rank: int, last: str, beyond: str
) -> None:
    chances = [0.4, 0.2, 0.1, 0.05, 0.04, 0.03, 0.02]
    own = chances[rank] if rank >= 0 else 0.001
    answer = {"labels": LABELS, "probabilities": chances, "written": written, "rank": rank}
    answer |= {"log_probability": math.log(own)}
    got = evaluated(ASKED.replace("ANSWER", str(answer)), {PARTS: "writeAnswer"})
    assert [one["label"] for one in got] == [*LABELS[:4], last]
    (taken,) = (one for one in got if one["taken"])
    assert (taken["label"], taken["beyond"]) == (written, beyond)
    assert taken["probability"] == pytest.approx(own)
    assert all(one["beyond"] == "" for one in got if one is not taken)


def test_the_nearest_annotation_is_found_by_all_components() -> None:
    rows = "{ rows: 2, width: 3, at: (i, k) => [[0, 0, 0], [1, 1, 9]][i][k] }"
    assert evaluated(f"[nearest([1, 1, 1], {rows}), nearest([1, 1, 8], {rows})]", {PARTS: "nearest"}, "") == [0, 1]
