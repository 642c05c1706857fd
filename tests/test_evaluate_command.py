"""`evaluate` and `train` leave records that are complete, honest and free of the machine they were made on."""

import json
from pathlib import Path
from typing import Any

from model import beam
from model.checkpoint import Pretrained
from model.corpus import bucket
from model.translate import translate
from model.words import normalise
from tests.command_line import call


def copy(model: Pretrained, folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes((model.folder / name).read_bytes())
    return folder


def lines_with_a_held_out_part() -> str:
    """A table of which seven source sentences are held out, whoever splits it."""
    numbers = range(10_000)
    held_out = [n for n in numbers if bucket(f"The cat has {n} mats.") < 15][:7]
    others = [n for n in numbers if bucket(f"The cat has {n} mats.") >= 15][:30]
    return "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in sorted(held_out + others))


def evaluation(tmp_path: Path, tiny_model: Pretrained) -> tuple[Path, list[str]]:
    folder = copy(tiny_model, tmp_path / "measured")
    (tmp_path / "table.tsv").write_text(lines_with_a_held_out_part(), encoding="utf-8")
    (tmp_path / "t.en").write_text("A cat.\nA car.\n")
    (tmp_path / "t.fr").write_text("Un chat.\nUne auto.\n")
    story = tmp_path / "alignments" / "story"
    story.mkdir(parents=True)
    (story / "Un_sents.txt").write_text("0\tLe chat\n1\tl' auto\n")
    (story / "One_sents.txt").write_text("0\tThe cat\n1\tthe car\n")
    (story / "ali_w2w_Un_One.txt").write_text("0\t0-0 1-1 \n1\t0p0 1p1 \n")
    tests = ["--table", str(tmp_path / "table.tsv"), "--test", "small", str(tmp_path / "t.en"), str(tmp_path / "t.fr")]
    return folder, ["evaluate", "--model", str(folder), *tests, "--beam", "2"]


def test_evaluate_writes_scores_and_a_card(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    status, out, _ = call(*arguments, "--alignments", str(tmp_path / "alignments"))
    assert (status, out) == (0, b"")
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert scores["format"] == 1
    assert scores["model"] == {
        "name": "measured",
        "fingerprint": tiny_model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in tiny_model.network.parameters()),
        "bytes": (folder / "model.safetensors").stat().st_size,
    }
    held_out = scores["tests"]["held_out"]
    assert (held_out["pairs"], held_out["sources"]) == (7, 7)
    assert set(held_out["searches"]) == {"greedy", "beam_2"}
    for found in held_out["searches"].values():
        assert set(found) == {"bleu", "chrf", "by_length", "seconds"}
        assert sum(row["pairs"] for row in found["by_length"]) == 7
    for example in held_out["examples"]:
        assert example["greedy"] == normalise(translate(tiny_model, [example["source"]])[0].text)
        assert example["beam_2"] == normalise(beam.translate(tiny_model, [example["source"]], 2)[0].text)
    assert scores["tests"]["small"]["files"][0]["name"] == "t.en"
    assert scores["alignments"]["overall"]["pairs"] == 1
    assert scores["alignments"]["overall"]["left_out"] == 0.5
    assert scores["alignments"]["stories"]["story"]["diagonal"] == {"aer": 0.0, "precision": 1.0, "recall": 1.0}
    assert str(tmp_path) not in json.dumps(scores)
    assert "| held-out | beam 2 | 7 |" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_sample_is_printed_and_never_written(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    status, out, _ = call(*arguments, "--sample", "3")
    assert status == 0
    assert json.loads(out)["tests"]["held_out"]["pairs"] == 3
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]


def test_scores_of_the_same_weights_are_kept_and_those_of_others_are_not(
    tmp_path: Path, tiny_model: Pretrained
) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    alignments = ["evaluate", "--model", str(folder), "--alignments", str(tmp_path / "alignments")]
    assert call(*arguments)[0] == 0
    before = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert call(*alignments)[0] == 0
    both = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert both["tests"] == before["tests"]
    assert "alignments" in both
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dropout": 0.5}))
    assert call(*alignments)[0] == 0
    assert json.loads((folder / "scores.json").read_text(encoding="utf-8"))["tests"] == {}


def test_training_records_how_without_naming_the_folders_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text(lines_with_a_held_out_part() * 8, encoding="utf-8")
    sizes = ["--vocabulary", "290", "--embedding", "8", "--encoder-state", "4", "--state", "8", "--batch-tokens", "200"]
    validation = next(n for n in range(10_000) if 15 <= bucket(f"The cat has {n} mats.") < 25)
    (tmp_path / "v.en").write_text(f"The cat has {validation} mats.\n")
    (tmp_path / "v.fr").write_text("Un chat.\n")
    files = [
        "--table",
        str(tmp_path / "table.tsv"),
        "--source",
        str(tmp_path / "v.en"),
        "--target",
        str(tmp_path / "v.fr"),
    ]
    status, _, told = call(
        "train", *files, *sizes, "--updates", "2", "--out", str(tmp_path / "made"), "--precision", "float32"
    )
    assert status == 0, told
    record: dict[str, Any] = json.loads((tmp_path / "made" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("python -m model train --table table.tsv --source v.en --target v.fr")
    assert "--updates 2" in record["command"]
    assert record["pairs"] == {"for training": 240, "for validation": 1, "held out": 56, "left out as too long": 0}
    assert record["options"]["updates"] == 2
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert record["command"] in card
    assert str(tmp_path) not in card + json.dumps(record)
    assert "reading the sentence pairs" in told
