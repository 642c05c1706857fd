import argparse
import math
import re

import numpy as np
import pytest

from regard.model.commands.train_arguments import add_arguments, check, complete, languages
from regard.model.data.corpus import Corpus


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--table", "news.de-en.tsv.gz"], ("de", "en")),
        (["--table", "de-en.tsv"], ("de", "en")),
        (["--table", "pairs.tsv"], ("en", "fr")),
        (["--source", "a.de.gz", "--target", "a.en.gz"], ("de", "en")),
        (["--source", "a.de", "--target", "a.en", "--source", "b.es", "--target", "b.en"], ("en", "fr")),
        (["--source", "a.de", "--target", "a.en", "--languages", "x", "plain"], ("x", "plain")),
    ],
)
def test_what_is_asked_goes_before_names_and_names_before_the_default(
    given: list[str], expected: tuple[str, str]
) -> None:
    assert languages(asked(*given))[0] == expected


def test_what_is_no_name_of_a_language_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'\.\./etc' is given as a language; accepted are short names"):
        languages(asked("--table", "t.tsv", "--languages", "en", "../etc"))


def test_sizes_that_the_dot_score_cannot_compare_are_refused_by_their_options() -> None:
    with pytest.raises(ValueError, match="--state is 100, not twice the --encoder-state, as --score dot needs"):
        check(asked("--table", "t.tsv", "--score", "dot", "--state", "100"))


@pytest.mark.parametrize(
    ("pairs", "batch", "updates", "validations"),
    [
        (300, 500, 500, 50),  # 6 batches of 50 pairs
        (2000, 1000, 600, 60),  # 20 batches, 30 passes
        (27_000, 4096, 2010, 201),  # 67 batches of 409 pairs, 30 passes
        (100_000, 4096, 2450, 245),  # 10 passes
        (1_000_000, 4096, 7335, 500),  # 3 passes
        (20_000_000, 4096, 50_000, 500),
    ],
)
def test_numbers_that_are_not_asked_for_go_by_the_size_of_the_text(
    pairs: int, batch: int, updates: int, validations: int
) -> None:
    corpus = Sized(pairs)
    arguments = asked("--table", "t.tsv")
    assert f"{updates:,} updates by default for {pairs:,} pairs" in complete(arguments, corpus)
    assert (arguments.batch_tokens, arguments.updates) == (batch, updates)
    assert arguments.validate_every == validations
    assert arguments.warmup == min(400, validations)
    given = asked(
        "--table", "t.tsv", "--updates", "7", "--warmup", "3", "--batch-tokens", "60", "--validate-every", "2"
    )
    complete(given, corpus)
    assert (given.updates, given.warmup, given.batch_tokens, given.validate_every) == (7, 3, 60, 2)


class Sized(Corpus):
    """Sentences of five tokens on either side, so that no batch has padding."""

    def __init__(self, pairs: int) -> None:
        self.lengths = np.full((pairs, 2), 5)

    def __len__(self) -> int:
        return len(self.lengths)

    def count(self, tokens: int) -> int:
        return math.ceil(len(self.lengths) / (tokens // 10))


def asked(*options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args([*options, "--out", "made"])


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        ("--save-every", "0", "it must be from 1 to"),
        ("--vocabulary", "999999999", "it must be from 260 to 1,048,576"),
        ("--embedding", "0", "it must be from 1 to 16,384"),
        ("--decay", "0", "it must be above 0 and at most 1"),
        ("--decay", "-1", "it must be above 0"),
        ("--clip", "-1", "it must be above 0"),
        ("--clip", "nan", "it must be above 0"),
        ("--smoothing", "2", "it must be from 0 to below 1"),
        ("--rate", "0", "it must be above 0"),
        ("--seed", "-1", "it must be from 0"),
        ("--dropout", "1", "it must be from 0 to below 1"),
        ("--updates", "0", "it must be at least 1"),
    ],
)
def test_an_option_that_cannot_be_is_refused_before_any_work(option: str, value: str, accepted: str) -> None:
    check(asked("--table", "t.tsv"))
    with pytest.raises(ValueError, match=re.escape(accepted)):
        check(asked("--table", "t.tsv", option, value))
