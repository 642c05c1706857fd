"""README and docs, line by line, in a fresh clone: every line runs, and no file that git tracks changes."""

import csv
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.model.checkpoint import load, shipped
from regard.model.translate import write
from tests.support.evaluation import held_out_lines

PAGES = {
    name: (ROOT / name).read_text("utf-8") for name in ("README.md", "docs/tutorial.md", "docs/from-other-tools.md")
}
SHORTER = {  # what makes a line of a page short: options that are added, or that take the place of the line's own
    "evaluate": "--sample 2 --beam 2",
    "train": "--embedding 4 --encoder-state 4 --state 8 --vocabulary 300 --updates 2",
    "practise": "--longest 3 --updates 2",
    "report": "--batch 8",
}
PROGRAM = """
import shlex, sys
from regard.__main__ import main
for line in sys.stdin.read().splitlines():
    sys.argv[:] = shlex.split(line, comments=True)
    status = main()
    assert status == 0, (status, line)
"""
GIVEN = """
import torch
from types import SimpleNamespace
from tests.model.soft_alignments.test_hugging_face import Tokenizer, model_of

weights = [torch.softmax(torch.randn(1, 2, *shape), -1) for shape in ((2, 3), (3, 3), (2, 2))]
cross, encoder, decoder = ((layer,) for layer in weights)
model = model_of("AutoModel", "Bert", {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2})
inputs, tokenizer = {"input_ids": torch.tensor([[5, 6, 7]])}, Tokenizer()
translated = SimpleNamespace(cross_attentions=cross, encoder_attentions=encoder, decoder_attentions=decoder)
source_tokens, target_tokens = ["I", "see", "it"], ["je", "vois"]
"""  # what users of BertViz have before the first line


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


def commands(page: str) -> list[str]:
    """Return the lines of a page that call `regard`, made short."""
    lines = [line.partition("#")[0].strip() for block in blocks(page, "sh") for line in block.splitlines()]
    return [f"{line} {SHORTER.get(shlex.split(line)[1], '')}" for line in lines if line.startswith("regard ")]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the checkout as it stands, with the files that README's lines name."""
    folder = tmp_path_factory.mktemp("fresh") / "regard"
    git("clone", "--quiet", "--shared", str(ROOT), str(folder), at=ROOT)
    for name in git("ls-files", "--modified", "--others", "--exclude-standard", at=ROOT).splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    pairs = held_out_lines() * 4 + "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in range(300))
    english, french = (
        ("\n".join(side) + "\n") for side in zip(*(row.split("\t") for row in pairs.splitlines()), strict=True)
    )
    for name, text in {
        **dict.fromkeys(("en-fr.tsv", "fra.txt"), pairs),
        **dict.fromkeys(("train.en", "sentences.txt"), english), "train.fr": french,
        **dict.fromkeys(("en.txt", "test.en"), "I love you.\nHe is a doctor.\n"),
        **dict.fromkeys(("fr.txt", "test.fr"), "Je t'aime.\nIl est médecin.\n"),
        "attention.json": '{"source": ["I", "see"], "target": ["je", "vois"], "weights": [[0.9, 0.1], [0.2, 0.8]]}',
        "changes.json": '{"temperature": 2.0}',
    }.items():  # fmt: skip
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def git(*arguments: str, at: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=at, check=True, capture_output=True, text=True).stdout


def python(clone: Path, program: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in the clone. Fails if the program does, or changes a tracked file."""
    before = changed(clone)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(clone), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=clone, env=environment, check=False, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert changed(clone) == before
    return done


def changed(clone: Path) -> str:
    """Return how tracked files differ from their commit, and the files that are new beside them."""
    new = git("ls-files", "--others", "--exclude-standard", "app", "docs", "model", "pretrained", "regard", at=clone)
    return git("diff", "HEAD", "--stat", at=clone) + new


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_every_command_of_a_page_runs_and_changes_no_file_of_the_clone(page: str, clone: Path) -> None:
    """Python blocks come first: the tutorial's commands read what they write."""
    for made in clone.glob("my-model*"):
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    if page != "README.md":
        python(clone, "".join(blocks(page, "python")))
    lines = commands(page)
    assert len(lines) > 4
    python(clone, PROGRAM, "\n".join(lines))


def test_every_make_target_of_the_readme_is_one() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {*re.findall(r"(?:^|`)make ([a-z]+)", PAGES["README.md"], re.MULTILINE)} <= {*targets}


def test_the_first_script_translates_a_thousand_sentences(clone: Path) -> None:
    done = python(clone, blocks("README.md", "python")[0])
    assert "Elle a acheté une voiture rouge." in done.stdout
    assert "car (" in done.stdout
    assert "Elle a acheté" in (clone / "car.html").read_text(encoding="utf-8")
    with (clone / "books.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows] == [f"He has {number} books." for number in range(1000)]
    assert [row[1] for row in rows[:5]] == write(load(shipped()), [row[0] for row in rows[:5]])
    assert "1000/1000" in done.stderr


@pytest.mark.parametrize("place", range(len(blocks("docs/from-other-tools.md", "python"))))
def test_every_line_for_users_of_another_tool_runs(place: int, clone: Path) -> None:
    assert python(clone, GIVEN + blocks("docs/from-other-tools.md", "python")[place]).stdout or not place
