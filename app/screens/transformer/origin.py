"""Origin: where the numbers of an idea are from, as they are now, the model, chance, or the visitor's hand."""

from collections.abc import Iterable

from app.screens.transformer.projection import SEEDS, Projected, seed_of
from app.worked_example.edited_matrices import OWN, EditedMatrices
from model.examples.example import Example, Given, changed
from model.examples.random_numbers import NUMBERS


def origin(example: Example, projected: Projected, setting: EditedMatrices) -> str:
    """What is the model's own, what was drawn with which seed, and what was changed."""
    others, typed = changed(example, setting.matrices(example)), dict(setting.edits)
    own = [given for given in example.givens if given.name not in others]
    drawn = [given for given in example.givens if given.name in others and not (given.name in typed or given.mask)]
    by_hand = [given for given in example.givens if given.name in others and given.name in typed]
    if setting.seed == OWN:
        how = f"Of another size, where new numbers are drawn with seed {OWN}"
    else:
        how = f"Drawn with seed {setting.seed}"
    sentences = [
        *_models(projected, {given.name for given in own}),
        _all(f"Drawn by chance with seed {seed_of(example)}", (given for given in own if given.name.startswith("W"))),
        _all(how, drawn),
        _all("Changed by hand", by_hand),
        "This is no trained Transformer: its arithmetic is real, and which word looks at which means nothing.",
    ]
    return " ".join(filter(None, sentences))


def _models(projected: Projected, own: set[str]) -> list[str]:
    """Of the matrices that hold the model's vectors."""
    vectors = {
        "X": f"The rows of X are the model's embeddings of these tokens, {projected.embedding} numbers each; a random "
        f"matrix leaves {NUMBERS} (seed {SEEDS['embeddings']}).",
        "H": f"The rows of H are the model's annotations, {projected.annotation} numbers each; a random matrix leaves "
        f"{NUMBERS} (seed {SEEDS['annotations']}).",
        "states": f"The rows of S are the decoder's states, {projected.state} numbers each; a random matrix leaves "
        f"{NUMBERS} (seed {SEEDS['states']}).",
    }
    return [text for name, text in vectors.items() if name in own]


def _all(how: str, givens: Iterable[Given]) -> str:
    """Such as: Changed by hand: X, r."""
    symbols = ", ".join(f"${given.symbol}$" for given in givens)
    return f"{how}: {symbols}." if symbols else ""
