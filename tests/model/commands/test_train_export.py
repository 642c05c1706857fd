import json
from pathlib import Path

from regard.model.commands.train_export import began_with

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
