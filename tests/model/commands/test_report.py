"""`report` measures a text, writes its files, and a page whose sentences open in the stepper."""

import json
import re
from pathlib import Path

from regard.model.checkpoint import Pretrained
from tests.support.run_command import call


def test_a_text_is_measured_and_every_sentence_is_in_the_page(tiny_model: Pretrained, tmp_path: Path) -> None:
    source, reference = tmp_path / "a.en", tmp_path / "a.fr"
    source.write_text("the cat\n\nthe mat <b>\n", encoding="utf-8")
    reference.write_text("le chat\n\nle tapis\n", encoding="utf-8")
    page, lines = tmp_path / "a.html", tmp_path / "a.jsonl"
    options = ("--model", str(tiny_model.folder), "--source", str(source), "--html", str(page), "--jsonl", str(lines))
    status, out, _ = call("report", *options, "--reference", str(reference))
    assert status == 0
    assert out.decode().startswith("BLEU ")
    assert [json.loads(line)["source"] for line in lines.read_text(encoding="utf-8").splitlines()] == [
        "the cat",
        "",
        "the mat <b>",
    ]
    text = page.read_text(encoding="utf-8")
    assert "the mat &lt;b&gt;" in text
    assert re.findall('href="#([^"]*)">(.)<', text) == [("sentence=the+cat", "1"), ("sentence=the+mat+%3Cb%3E", "3")]
    assert text.count('id="weights-') == 1


def test_sentences_that_are_read_otherwise_are_counted(tiny_model: Pretrained, tmp_path: Path) -> None:
    source, table = tmp_path / "a.en", tmp_path / "a.tsv"
    source.write_text("The  cat.\nIM TIRED OF THIS.\n\n", encoding="utf-8")
    options = ("--model", str(tiny_model.folder), "--source", str(source), "--tsv", str(table))
    assert "sentences that are not read as typed, but corrected or cut: 1\n" in call("report", *options)[2]
    assert "\tI'm tired of this.\t" in table.read_text(encoding="utf-8")
