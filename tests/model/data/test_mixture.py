from collections.abc import Sequence
from pathlib import Path

import pytest

from regard.model.data.corpus import USUAL, bucket
from regard.model.data.held_out import HeldOut
from regard.model.data.mixture import TEXT, MixedCorpus, Mixture, Recipe, counts
from regard.model.tokenizer import Tokenizer, train_tokenizer

RECIPE = """
[[text]]
table = "pairs.tsv"
times = 2
casual = 0.5

[generated]
names_file = "names.tsv"
names = 0.5
numbers = 0.5
templates = 200
templates_casual = 0.3
nouns_file = "nouns.tsv"
patterns = 50
mistakes = 0.2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [f"Tom has {n} cats in house {n + 200}.\tTom a {n} chats dans la maison {n + 200}." for n in range(2, 200)]
    (tmp_path / "pairs.tsv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "names.tsv").write_text("Tom\tmale\nPaul\tmale\nAnna\tfemale\nSmith\tfamily\n", encoding="utf-8")
    (tmp_path / "nouns.tsv").write_text("the house\tla maison\nthe oxbow\tla noue\n", encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def mixture(folder: Path, held_out: Sequence[str] = (), seed: int = 1) -> Mixture:
    return Mixture(Recipe.load(folder / "recipe.toml"), folder, HeldOut(held_out), seed)


def test_an_epoch_is_drawn_again_from_seed_and_number(folder: Path) -> None:
    assert mixture(folder).epoch(3) == mixture(folder).epoch(3)
    assert mixture(folder).epoch(3) != mixture(folder).epoch(4)
    assert mixture(folder).epoch(3) != mixture(folder, seed=2).epoch(3)


def test_nothing_that_measures_a_model_is_learned_not_even_generated(folder: Path) -> None:
    held_out = ["Hello!", "Tom has 7 cats in house 207.", "I am a very happy student."]
    with (folder / "pairs.tsv").open("a", encoding="utf-8") as file:
        file.write(
            "\nI am a happy student.\tJe suis un étudiant heureux.\nI am a happy man.\tJe suis un homme heureux."
        )
    sources = {sample.pair.source for sample in mixture(folder, held_out).epoch(0)}
    assert "I am a happy man." in sources
    for source in sources:
        assert bucket(source) >= USUAL.validation
        assert not HeldOut(held_out).near(source)
    assert any(HeldOut(held_out).near(sample.pair.source) for sample in mixture(folder).epoch(0))


def test_a_share_of_a_text_is_read_anew_each_epoch(folder: Path) -> None:
    recipe = folder / "recipe.toml"
    recipe.write_text(recipe.read_text(encoding="utf-8").replace("times = 2", "share = 0.25"), encoding="utf-8")
    one, other = ([sample for sample in mixture(folder).epoch(n) if sample.origin == TEXT] for n in (0, 1))
    assert len(one) < len(mixture(folder).parts.train) / 4 + 1
    assert one != other


def test_text_and_what_was_made_of_it_are_told_apart(folder: Path) -> None:
    made = mixture(folder)
    known = set(made.parts.train)
    samples = made.epoch(0)
    assert all(
        (sample.pair in known) == (sample.origin == TEXT)
        for sample in samples
        if "template" not in sample.origin and "pattern" not in sample.origin
    )
    assert sum(counts(samples).values()) == len(samples)
    assert {"text", "template", "names exchanged", "sentence pattern", "spelling mistake"} <= counts(samples).keys()


def test_a_mixed_corpus_reads_another_text_each_epoch(folder: Path) -> None:
    made = mixture(folder)
    sides = [(language, [pair[side] for pair in made.parts.train]) for side, language in enumerate(("en", "fr"))]
    tokenizer: Tokenizer = train_tokenizer(sides, ("en", "fr"), 400)
    corpus = MixedCorpus(made, tokenizer)
    assert [len(corpus.epoch(n)) for n in (0, 1)] != [len(corpus), len(corpus)]


@pytest.mark.parametrize("wrong", ["", "[[text]]\ntable = 'x'\nodd = 1\n[generated]\n", "[generated]\nnames = 1"])
def test_what_is_no_recipe_is_told_with_its_file(folder: Path, wrong: str) -> None:
    (folder / "recipe.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r"recipe\.toml: not a recipe"):
        mixture(folder)
