"""Run what users of other tools write first, from docs/from-other-tools.md."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from benchmarks.server import ROOT
from tests.model.soft_alignments.test_hugging_face import Tokenizer, model_of

PAGE = (ROOT / "docs" / "from-other-tools.md").read_text(encoding="utf-8")
BLOCKS = dict(zip(re.findall(r"^## (\w+)$", PAGE, re.M), re.findall(r"```python\n(.*?)```", PAGE, re.S), strict=True))


@pytest.mark.parametrize("tool", BLOCKS)
def test_every_line_for_users_of_another_tool_runs(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    weights = [torch.softmax(torch.randn(1, 2, *shape), -1) for shape in ((2, 3), (3, 3), (2, 2))]
    cross, encoder, decoder = ((layer,) for layer in weights)
    given = {
        "model": model_of("AutoModel", "Bert", {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2}),
        "inputs": {"input_ids": torch.tensor([[5, 6, 7]])},
        "tokenizer": Tokenizer(),
        "translated": SimpleNamespace(cross_attentions=cross, encoder_attentions=encoder, decoder_attentions=decoder),
        "source_tokens": ["I", "see", "it"],
        "target_tokens": ["je", "vois"],
    }
    exec(BLOCKS[tool], given if tool == "BertViz" else {})
    assert tool == "BertViz" or capsys.readouterr().out
