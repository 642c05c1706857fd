"""A model's folder with its records, which nobody trained."""

import json
from pathlib import Path

import pytest

from tests.support.model_records import CONFIG, TATOEBA_HASH, scores


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "scores.json").write_text(json.dumps(scores()))
    (folder / "training.json").write_text(
        json.dumps(
            {
                "format": 1,
                "command": "regard train --table fra.txt.gz",
                "files": [{"name": "fra.txt.gz", "sha256": TATOEBA_HASH}],
                "pairs": {"for training": 162000, "held out": 2320},
                "source_tokens": {"median": 9},
                "versions": {"torch": "2.13.0"},
            }
        )
    )
    (folder / "history.csv").write_text(
        "update,epoch,tokens,seconds,rate,loss,validation_loss\n500,0,1000,60,0.1,3,2\n1000,1,2000000,7200,0.1,2,1.0986\n"
    )
    return folder
