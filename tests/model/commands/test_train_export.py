import json
from pathlib import Path

import pytest

from regard.model.commands.train_export import admit_averaged, began_with
from regard.model.input_error import InputError
from tests.support.run_command import call

HISTORY = "update,epoch,tokens,seconds,rate,loss,validation_loss\n{},0,1,1,0,1,1\n"


def model(folder: Path, updates: int, earlier: Path | None) -> Path:
    """Nothing but the records of a run."""
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes(folder.name.encode())
    (folder / "history.csv").write_text(HISTORY.format(updates))
    (folder / "training.json").write_text(json.dumps({"format": 1, "began_with": began_with(earlier)}))
    return folder


def test_updates_are_counted_over_all_the_runs_that_a_model_goes_back_to(tmp_path: Path) -> None:
    assert began_with(None) is None
    first = model(tmp_path / "first", 8000, None)
    second = model(tmp_path / "second", 9500, first)
    told = began_with(second)
    assert told
    assert (told["name"], told["updates"]) == ("second", 17500)
    assert (told["began_with"]["name"], told["began_with"]["updates"]) == ("first", 8000)
    assert told["fingerprint"] != told["began_with"]["fingerprint"]


def test_saves_and_models_to_average_exist_or_may_come_in_the_folder_of_the_run(tmp_path: Path) -> None:
    kept = tmp_path / "out.run" / "state.safetensors"
    (tmp_path / "save").write_bytes(b"")
    admit_averaged([model(tmp_path / "model", 1, None), tmp_path / "save", kept, kept.with_name("at-300")], kept)
    (tmp_path / "empty").mkdir()
    for name in ("no-such-save", "empty", "out.run/../at-300"):
        with pytest.raises(InputError, match=f"--average .*{name}: no such save or model; only copies in"):
            admit_averaged([kept, tmp_path / name], kept)


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_what_cannot_be_averaged_is_refused_before_the_text_is_read(options: list[str], tmp_path: Path) -> None:
    command = ("train", "--table", str(tmp_path / "none.tsv"), "--out", str(tmp_path / "out"))
    status, _, told = call(*command, "--average", str(tmp_path / "typo"), *options)
    assert status == 1
    assert "typo: no such save or model" in told
    assert list(tmp_path.iterdir()) == []
