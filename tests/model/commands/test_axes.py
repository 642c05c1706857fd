"""The command that measures principal axes."""

import gzip
from collections.abc import Callable
from pathlib import Path

from regard.model.checkpoint import Pretrained, save
from regard.model.principal_axes import AXES
from tests.support.run_command import call
from tests.support.small_transformer import small_transformer


def test_too_little_text_for_axes_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "few.txt"
    text.write_text("A dog.\tUn chien.\nA dog.\nA cat.\nWho?\n")
    status, _, told = call("axes", "en-fr", "--text", str(text))
    assert (status, told) == (1, f"regard axes: {text} has 3 different sentences; axes take at least 100\n")


def test_packed_text_is_read_and_what_is_broken_is_named(tmp_path: Path) -> None:
    text, packed = tmp_path / "few.txt.gz", gzip.compress(b"A dog.\tUn chien.\n\nA dog.\nA cat.\n")
    for content, told in (
        (packed, "has 2 different sentences"),
        (packed[:-9], "not a complete gzip file"),
        (b"A dog.\n", "not a complete gzip file"),
    ):
        text.write_bytes(content)
        status, _, error = call("axes", "en-fr", "--text", str(text))
        assert status == 1
        assert error.startswith(f"regard axes: {text}")
        assert told in error


def test_a_transformer_is_refused_and_the_other_models_are_measured(
    make_model: Callable[..., Pretrained], tmp_path: Path
) -> None:
    small, recurrent, text = small_transformer(), make_model(score="dot").folder, tmp_path / "text.txt"
    save(small.network, small.tokenizer, tmp_path / "transformer")
    text.write_text("".join(f"{number} dogs.\n" for number in range(100)))
    status, _, told = call("axes", str(tmp_path / "transformer"), str(recurrent), "--text", str(text))
    lines = told.splitlines()
    assert status == 1
    assert f"{recurrent}: share of the variance that the axes keep: annotation " in told
    assert lines[-1].startswith(f"regard axes: {tmp_path / 'transformer'}: not measured; only recurrent networks have")
    assert (recurrent / AXES).exists()
    assert not (tmp_path / "transformer" / AXES).exists()
