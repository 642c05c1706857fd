from collections.abc import Sequence
from pathlib import Path

import pytest

from regard.model.data.corpus import USUAL, Pair, bucket
from regard.pretrained.recipe.mixture import Casual, HeldOut, Mixture, Recipe, casual

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


@pytest.mark.parametrize("wrong", ["", "[[text]]\ntable = 'x'\nodd = 1\n[generated]\n", "[generated]\nnames = 1"])
def test_what_is_no_recipe_is_told_with_its_file(folder: Path, wrong: str) -> None:
    (folder / "recipe.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r"recipe\.toml: not a recipe"):
        mixture(folder)


SENTENCES = ["Goodbye, see you soon!", "The quick brown fox jumps over the lazy dog.", "don't worry", "Hello world"]
HELD = HeldOut(SENTENCES)


@pytest.mark.parametrize(
    ("source", "near"),
    [
        ("Good-bye, see you soon", True),
        ("Dont worry.", True),
        ("The quick brown fox jumps over a lazy dog!", True),
        ("", False),
        ("Goodbye", False),
        ("The fox jumps over the dog.", False),
    ],
)
def test_the_same_letters_and_nearly_the_same_words_are_near(source: str, near: bool) -> None:
    assert HELD.near(source) == near


CASUAL = Pair("I don't know Tom's dog.", "Je ne connais pas le chien de Tom.")


@pytest.mark.parametrize(
    ("style", "source", "target"),
    [
        (Casual.LOWER, "i don't know tom's dog.", "Je ne connais pas le chien de Tom."),
        (Casual.UNMARKED, "I don't know Tom's dog", "Je ne connais pas le chien de Tom"),
        (Casual.HURRIED, "i don't know tom's dog", "Je ne connais pas le chien de Tom"),
        (Casual.BARE, "i dont know toms dog", "Je ne connais pas le chien de Tom"),
        (Casual.CAPITALS, "I DON'T KNOW TOM'S DOG.", "Je ne connais pas le chien de Tom."),
    ],
)
def test_each_spelling_is_what_its_name_says(style: Casual, source: str, target: str) -> None:
    assert casual(CASUAL, style) == Pair(source, target)
