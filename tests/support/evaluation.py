"""An evaluation that takes a second: a model's folder, and the command that measures it on a few sentences."""

import json
from itertools import count, islice
from pathlib import Path
from typing import Any

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import bucket


def held_out_lines() -> str:
    """Thirty-seven pairs, of which seven are held out, whoever splits them."""
    held_out = islice((n for n in count() if bucket(f"The cat has {n} mats.") < 15), 7)
    others = islice((n for n in count() if bucket(f"The cat has {n} mats.") >= 15), 30)
    return "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in sorted([*held_out, *others]))


def copy(model: Pretrained, folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes((model.folder / name).read_bytes())
    return folder


def evaluation(tmp_path: Path, tiny_model: Pretrained) -> tuple[Path, list[str]]:
    folder = copy(tiny_model, tmp_path / "measured")
    (tmp_path / "table.tsv").write_text(held_out_lines(), encoding="utf-8")
    (tmp_path / "t.en").write_text("A cat.\nA car.\n")
    (tmp_path / "t.fr").write_text("Un chat.\nUne auto.\n")
    story = tmp_path / "alignments" / "story"
    story.mkdir(parents=True)
    (story / "Un_sents.txt").write_text("0\tLe chat\n1\tl' auto\n")
    (story / "One_sents.txt").write_text("0\tThe cat\n1\tthe car\n")
    (story / "ali_w2w_Un_One.txt").write_text("0\t0-0 1-1 \n1\t0p0 1p1 \n")
    tests = ["--table", str(tmp_path / "table.tsv"), "--test", "small", str(tmp_path / "t.en"), str(tmp_path / "t.fr")]
    return folder, ["evaluate", *tests, "--beam", "2", "--model", str(folder)]


def read(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "scores.json").read_text(encoding="utf-8"))
