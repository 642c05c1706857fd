import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from regard.model.cells import CELLS
from regard.model.config import Config
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.seq2seq import Seq2Seq
from tests.support.every_kind import KINDS, named


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_saved_config_is_the_same_when_loaded_and_makes_a_network(kind: dict[str, Any], tmp_path: Path) -> None:
    config = Config(20, ("en", "de"), embedding=3, encoder_state=2, state=4, dropout=0.0, **kind)
    Seq2Seq(config)
    config.save(tmp_path / "config.json")
    assert Config.load(tmp_path / "config.json") == config


@pytest.mark.parametrize(("name", "choices"), [("score", SCORES), ("wiring", WIRINGS), ("cell", CELLS)])
def test_an_unknown_choice_is_refused_with_the_choices_there_are(name: str, choices: dict[str, type]) -> None:
    with pytest.raises(ValueError, match=f"{name} is 'psychic'; it must be one of {', '.join(choices)}"):
        Config(**{"vocabulary": 500, name: "psychic"})


WRONG: list[tuple[str, object]] = [
    ("vocabulary", 0), ("vocabulary", "500"), ("embedding", 2.5), ("state", True), ("encoder_state", -1),
    ("dropout", 1.0), ("dropout", -0.1), ("dropout", "a little"), ("languages", ["en"]), ("languages", [1, 2]),
    ("languages", "English"), ("languages", "en"),
    ("languages", None), ("input_feeding", "no"), ("score", []), ("cell", None),
]  # fmt: skip
VALUES = asdict(Config(500))
LACKING = ("vocabulary", "languages", "score", "dropout")
FILES = [
    *((json.dumps({**VALUES, name: value}).encode(), "") for name, value in WRONG),
    *((json.dumps({one: VALUES[one] for one in VALUES if one != name}).encode(), name) for name in LACKING),
    *((content, "") for content in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'"config"')),
]


@pytest.mark.parametrize(("content", "told"), FILES)
def test_a_file_that_is_no_config_is_refused_by_name_and_a_missing_entry_named(
    content: bytes, told: str, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ValueError, match=rf"config\.json.*{told}"):
        Config.load(tmp_path / "config.json")


@pytest.mark.parametrize(
    ("otherwise", "way"),
    [
        ({}, "never"),
        ({"input_feeding": True}, "looks"),
        ({"wiring": "bahdanau"}, "looks"),
        ({"initial_state": "encoder"}, "start"),
        ({"initial_state": "encoder", "input_feeding": True}, "start"),
    ],
)
def test_a_config_says_how_the_source_gets_into_the_state(otherwise: dict[str, Any], way: str) -> None:
    assert Config(vocabulary=10, **otherwise).source_in_state == way
